//! Which positions of a book matter, and how much: those that come up when one side plays well.
//!
//! A book is for a side that plays its best moves; what the other side may play is everything that costs it little.
//! Every position is reached at a cost, the discs that both sides gave away on the way, and the book is walked from the
//! cheapest on. Start reading at [`Scope::survey`].

use crate::board::{Bitboard, Position, Square};
use crate::book::{Book, BookMove, Successor};
use crate::score::Eval;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};

/// Which play is followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scope {
    /// What a move of the side that plays well may cost.
    pub choice: Eval,
    /// What a move of the other side may cost.
    pub deviation: Eval,
    /// What all moves together may cost.
    pub total: Eval,
    /// How many discs may have been placed.
    pub plies: u32,
}

/// A position of the book, and how it is reached.
#[derive(Clone, Debug)]
pub struct Reach {
    /// The canonical position.
    pub position: Position,
    /// What both sides gave away on the way.
    pub cost: Eval,
    /// Whether the side to move is the one that plays well.
    pub plays_well: bool,
    /// The moves within the scope, best first, with what they cost.
    pub moves: Vec<(BookMove, Eval)>,
}

/// A way out of the book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Exit {
    /// What both sides gave away up to the position after the move.
    pub(super) cost: Eval,
    /// The position after the move, canonical, in which a disc can be placed.
    pub(super) to: Position,
    /// Whether the move is the best of its position.
    pub(super) is_best: bool,
    /// Whether the move may be the best of its position, by the error bounds.
    pub(super) may_be_best: bool,
}

/// What decides which position comes first: cost and length, then anything that is always the same.
type Priority = (i32, u64, u64, bool);

/// What a ply counts for beside the cost, so that lines grow at their ends and at their sides by turns: an eighth of a
/// disc. At 16 plies that is as much as the usual reply that is not quite the best.
const PLY: i32 = Eval::UNITS_PER_DISC / 8;

fn priority(cost: Eval, position: Position, plays_well: bool) -> Priority {
    (cost.units() + PLY * plies(position) as i32, position.own().0, position.opp().0, plays_well)
}

/// How many discs have been placed since the start.
fn plies(position: Position) -> u32 {
    Position::START.empty_count() - position.empty_count().min(Position::START.empty_count())
}

impl Scope {
    /// Every position of the book within the scope, the cheapest and shortest first; twice if either side may be the one that plays
    /// well.
    pub fn survey(&self, book: &Book) -> Vec<Reach> {
        let start = Position::START.canonical().0;
        let mut open: BinaryHeap<Reverse<(Priority, i32)>> = BinaryHeap::new();
        let mut seen = HashSet::new();
        let mut found = Vec::new();
        if book.contains(start) {
            for plays_well in [true, false] {
                open.push(Reverse((priority(Eval::ZERO, start, plays_well), 0)));
            }
        }
        while let Some(Reverse(((_, own, opp, plays_well), cost))) = open.pop() {
            let Some(position) = Position::new(Bitboard(own), Bitboard(opp)) else { continue };
            if !seen.insert((own, opp, plays_well)) {
                continue;
            }
            let cost = Eval::from_units(cost);
            let moves = self.moves(book, position, cost, plays_well);
            for (known, loss) in moves.iter().filter(|(known, _)| known.in_book) {
                let Some((next, turn)) = self.follow(position, known.mv, plays_well) else { continue };
                let cost = cost + *loss;
                open.push(Reverse((priority(cost, next, turn), cost.units())));
            }
            found.push(Reach { position, cost, plays_well, moves });
        }
        found
    }

    /// Where a move leads and whether the side to move there plays well; `None` at the end of the game.
    fn follow(&self, position: Position, mv: Square, plays_well: bool) -> Option<(Position, bool)> {
        let next = Successor::of(position, mv)?;
        Some((next.position.canonical().0, plays_well == next.passed))
    }

    fn moves(&self, book: &Book, position: Position, cost: Eval, plays_well: bool) -> Vec<(BookMove, Eval)> {
        if plies(position) >= self.plies {
            return Vec::new();
        }
        let moves = book.moves(position);
        let Some(best) = moves.first().map(|best| best.value) else { return Vec::new() };
        let limit = if plays_well { self.choice } else { self.deviation }.min(self.total - cost);
        let with_loss = moves.into_iter().map(|known| (known, best - known.value));
        with_loss.filter(|(_, loss)| *loss <= limit).collect()
    }

    /// The ways out of the book within the scope, the cheapest first, each position once.
    pub(super) fn exits(&self, book: &Book) -> Vec<Exit> {
        let mut exits = Vec::new();
        for reach in self.survey(book) {
            let Some((best, _)) = reach.moves.first() else { continue };
            for (known, loss) in reach.moves.iter().filter(|(known, _)| !known.in_book) {
                let Some((to, _)) = self.follow(reach.position, known.mv, reach.plays_well) else { continue };
                let (is_best, may_be_best) = (known.mv == best.mv, known.upper > best.lower);
                exits.push(Exit { cost: reach.cost + *loss, to, is_best, may_be_best });
            }
        }
        exits.sort_by_key(|exit| priority(exit.cost, exit.to, !exit.is_best));
        let mut seen = HashSet::new();
        exits.retain(|exit| seen.insert((exit.to.own(), exit.to.opp())));
        exits
    }
}
