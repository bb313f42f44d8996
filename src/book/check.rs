//! What must be true of every book, and putting it right where no search is needed for that.
//!
//! Start reading at [`Book::verify`] and [`Book::fix`].

use super::record::{GamesRecord, Record};
use super::shelf::{Filed, Shelf, key, position};
use super::{Book, Entry, Successor};
use crate::board::{Position, Square};
use crate::score::Eval;
use std::collections::HashSet;
use thiserror::Error;

/// Something that is wrong with a book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The position with which it is wrong.
    pub position: Position,
    /// What is wrong.
    pub kind: FaultKind,
}

/// What can be wrong with a position of a book.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum FaultKind {
    /// Another image of the position should stand there.
    #[error("the position is not the smallest of its eight images")]
    NotCanonical,
    /// No disc can be placed.
    #[error("the side to move has no move")]
    NoMove,
    /// No play within the book leads there.
    #[error("no line of the book leads there")]
    Unreachable,
    /// The leaf is not a legal move.
    #[error("the move {0} out of the book is not legal")]
    IllegalLeaf(Square),
    /// The leaf leads to a position of the book.
    #[error("the move {0} is said to lead out of the book, but leads to a position of it")]
    LeafInside(Square),
    /// The best move out of the book is not known.
    #[error("there are moves out of the book, but none has a value")]
    NoLeaf,
    /// The value is not that of the best move.
    #[error("the value is {}, but the best move is worth {}", found.discs(), expected.discs())]
    Value {
        /// The value in the book.
        found: Eval,
        /// The value of the best move.
        expected: Eval,
    },
    /// The bounds are not those of the moves.
    #[error("the bounds do not follow from the moves")]
    Bounds,
}

/// What [`Book::fix`] did.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Repairs {
    /// Positions that were thrown out: not canonical and there already, without a move, or unreachable.
    pub removed: usize,
    /// Positions that were turned into their canonical image.
    pub turned: usize,
    /// Leaves that were thrown out: illegal, or leading to a position of the book.
    pub leaves: usize,
    /// Positions whose value or bounds changed.
    pub values: usize,
    /// Positions whose best move out of the book has to be searched.
    pub wanting: usize,
}

impl Book {
    /// Every fault of the book, in the order of the positions.
    pub fn verify(&self) -> Vec<Fault> {
        let reachable = self.reachable();
        let mut faults = Vec::new();
        for (position, entry) in self.iter() {
            let mut note = |kind| faults.push(Fault { position, kind });
            if position.canonical().0 != position {
                note(FaultKind::NotCanonical);
                continue;
            }
            if position.moves().is_empty() {
                note(FaultKind::NoMove);
                continue;
            }
            if !reachable.contains(&key(position)) {
                note(FaultKind::Unreachable);
            }
            self.verify_leaf(position, entry, &mut note);
            match self.backed_up(position, entry) {
                Some((expected, ..)) if expected != entry.value => {
                    note(FaultKind::Value { found: entry.value, expected });
                }
                Some((_, lower, upper)) if (lower, upper) != (entry.lower, entry.upper) => note(FaultKind::Bounds),
                _ => {}
            }
        }
        faults
    }

    fn verify_leaf(&self, position: Position, entry: Entry, note: &mut impl FnMut(FaultKind)) {
        match entry.leaf {
            Some(leaf) if position.play(leaf.mv).is_none() => note(FaultKind::IllegalLeaf(leaf.mv)),
            Some(leaf) if self.leads_inside(position, leaf.mv) => note(FaultKind::LeafInside(leaf.mv)),
            None if !self.outside(position).is_empty() => note(FaultKind::NoLeaf),
            _ => {}
        }
    }

    /// Puts right what can be put right without a search. What is left is counted in [`Repairs::wanting`]: the positions
    /// for which [`Book::wants_leaf`] is true.
    pub fn fix(&mut self) -> Repairs {
        let mut repairs = self.fix_images();
        let reachable = self.reachable();
        let before = self.len();
        self.positions.retain(|record| reachable.contains(&record.key()));
        repairs.removed += before - self.len();
        self.games.retain(|record| position(record.key()).is_some());

        let stale: Vec<(Position, Entry)> =
            self.iter().filter(|&(position, entry)| self.live_leaf(position, entry) != entry.leaf).collect();
        repairs.leaves = stale.len();
        for (position, entry) in stale {
            self.put_entry(position, Entry { leaf: None, ..entry });
        }
        repairs.values = self.negamax();
        repairs.wanting = self.iter().filter(|&(position, entry)| self.wants_leaf(position, entry)).count();
        repairs
    }

    /// Turns every position into its canonical image; of two of one position the one with the higher level stays.
    fn fix_images(&mut self) -> Repairs {
        let mut repairs = Repairs::default();
        let all: Vec<(Position, Entry)> = self.iter().collect();
        repairs.removed += self.len() - all.len();
        if all.iter().all(|(position, _)| position.canonical().0 == *position) {
            return repairs;
        }
        let (right, wrong): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|(position, _)| position.canonical().0 == *position);
        self.positions = Shelf::of(right.into_iter().map(|(at, entry)| Record::new(key(at), entry)).collect());
        for (position, entry) in wrong {
            if self.get(position).is_none_or(|known| known.level < entry.level) {
                self.put_entry(position, entry);
                repairs.turned += 1;
            } else {
                repairs.removed += 1;
            }
        }
        let games: Vec<GamesRecord> = self.games.iter().copied().collect();
        self.games = Shelf::default();
        for (position, games) in games.iter().filter_map(|games| Some((position(games.key())?, games.games()))) {
            self.add_games(position, games);
        }
        repairs
    }

    /// The positions to which play within the book leads from the start.
    pub(super) fn reachable(&self) -> HashSet<(u64, u64)> {
        let mut found = HashSet::with_capacity(self.len());
        let mut open = vec![Position::START.canonical().0];
        open.retain(|start| self.contains(*start) && found.insert(key(*start)));
        while let Some(position) = open.pop() {
            for square in position.moves() {
                let Some(next) = Successor::of(position, square) else { continue };
                let (next, _) = next.position.canonical();
                if self.positions.get(key(next)).is_some() && found.insert(key(next)) {
                    open.push(next);
                }
            }
        }
        found
    }
}
