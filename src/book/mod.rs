//! The opening book: positions, with what searches and games have told of them.
//!
//! Owns positions under symmetry with their values, error bounds and best moves outside the book, how values follow
//! from each other (negamax), what must always be true of a book, and its file format and those of others as bytes. Must
//! not know search, games or files. Which positions follow each other follows from the rules, so no links are kept; a
//! position in which the side to move has to pass stands as the one after the pass. Start reading at [`Book::moves`].

mod check;
pub mod foreign;
mod format;
mod negamax;
mod prune;
mod record;
mod salvage;
mod shelf;

pub use check::{Fault, FaultKind, Repairs};
pub use format::BookError;
pub use salvage::Salvage;

use crate::board::{Position, Square, Symmetry};
use crate::score::{Eval, Score};
use record::{GamesRecord, Record};
use shelf::{Shelf, key, position};

/// Positions with their values. Looking up takes any image of a position, and squares are those of that image.
#[derive(Clone, Default, Debug)]
pub struct Book {
    positions: Shelf<Record>,
    games: Shelf<GamesRecord>,
}

/// What a book says of a position. Values are for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The value of the best move, in the book or out of it.
    pub value: Eval,
    /// The true value is thought to be at least this.
    pub lower: Eval,
    /// The true value is thought to be at most this.
    pub upper: Eval,
    /// The level of the search of the position. A leaf far below the best move may have been searched less.
    pub level: u8,
    /// The best move that leads out of the book; `None` if there is none, or none has been searched.
    pub leaf: Option<Leaf>,
}

/// The best move that leads out of the book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Leaf {
    /// The move.
    pub mv: Square,
    /// Its searched value for the side to move.
    pub value: Eval,
    /// How far off the value may be, either way; not negative.
    pub error: Eval,
}

/// A move of which a book knows the value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookMove {
    /// The move.
    pub mv: Square,
    /// Its value for the side to move.
    pub value: Eval,
    /// The true value is thought to be at least this.
    pub lower: Eval,
    /// The true value is thought to be at most this.
    pub upper: Eval,
    /// Whether it leads to a position of the book. Otherwise it is the leaf.
    pub in_book: bool,
}

/// Results of games, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Games {
    /// Won games.
    pub wins: u64,
    /// Drawn games.
    pub draws: u64,
    /// Lost games.
    pub losses: u64,
}

impl Games {
    /// One game that ended with this score for the side to move.
    pub fn of(score: Score) -> Self {
        let [wins, draws, losses] = [score > Score::DRAW, score == Score::DRAW, score < Score::DRAW].map(u64::from);
        Self { wins, draws, losses }
    }

    /// How many games.
    pub const fn count(self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Both together.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self { wins: self.wins + other.wins, draws: self.draws + other.draws, losses: self.losses + other.losses }
    }
}

/// Where a move leads: the next position in which a disc can be placed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Successor {
    /// The position.
    pub position: Position,
    /// Whether the other side had to pass, so that the mover is to move again.
    pub passed: bool,
}

impl Successor {
    /// Where a disc on `square` leads; `None` if that is not legal or ends the game.
    pub fn of(position: Position, square: Square) -> Option<Self> {
        let next = position.play(square)?;
        if !next.moves().is_empty() {
            Some(Self { position: next, passed: false })
        } else if !next.pass().moves().is_empty() {
            Some(Self { position: next.pass(), passed: true })
        } else {
            None
        }
    }

    /// A value for the side to move in [`Successor::position`] as one for the side that moved there.
    #[inline]
    pub fn for_mover(self, value: Eval) -> Eval {
        if self.passed { value } else { -value }
    }
}

impl Book {
    /// A book without positions.
    pub fn new() -> Self {
        Self::default()
    }

    /// The book that comes with the program.
    pub fn shipped() -> Self {
        Self::from_bytes(include_bytes!("../../book/volte.book")).expect("the shipped book is whole, as a test checks")
    }

    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether a position is in the book.
    pub fn contains(&self, position: Position) -> bool {
        self.positions.get(key(position.canonical().0)).is_some()
    }

    /// What the book says of a position in which a disc can be placed.
    pub fn get(&self, position: Position) -> Option<Entry> {
        let (canonical, symmetry) = position.canonical();
        let entry = self.positions.get(key(canonical))?.entry();
        Some(turned(entry, symmetry.inverse()))
    }

    /// Every position, canonical and in order.
    pub fn iter(&self) -> impl Iterator<Item = (Position, Entry)> + '_ {
        self.positions.iter().filter_map(|record| Some((position(shelf::Filed::key(record))?, record.entry())))
    }

    /// Puts a position with its searched leaf into the book, or gives it another leaf. Its value is that of the leaf
    /// until the next [`Book::negamax`].
    pub fn put(&mut self, position: Position, level: u8, leaf: Option<Leaf>) {
        let (canonical, symmetry) = position.canonical();
        let known = self.positions.get(key(canonical)).map(Record::entry);
        let unknown = Entry { value: Eval::ZERO, lower: Eval::MIN, upper: Eval::MAX, level, leaf: None };
        let mut entry = turned(Entry { level, leaf, ..known.unwrap_or(unknown) }, symmetry);
        if let Some(leaf) = leaf {
            (entry.value, entry.lower, entry.upper) = (leaf.value, leaf.value - leaf.error, leaf.value + leaf.error);
        }
        self.positions.put(Record::new(key(canonical), entry));
    }

    /// Puts a position into the book with the value that somebody else gave it.
    pub(super) fn put_entry(&mut self, position: Position, entry: Entry) {
        let (canonical, symmetry) = position.canonical();
        self.positions.put(Record::new(key(canonical), turned(entry, symmetry)));
    }

    /// The moves of a position whose values are known, best first: those that stay in the book, and the leaf. Of two
    /// with one value, one that stays in the book comes first, then the square with the lower index.
    pub fn moves(&self, position: Position) -> Vec<BookMove> {
        let mut moves = self.links(position);
        if let Some(leaf) = self.get(position).and_then(|entry| self.live_leaf(position, entry)) {
            let (lower, upper) = (leaf.value - leaf.error, leaf.value + leaf.error);
            moves.push(BookMove { mv: leaf.mv, value: leaf.value, lower, upper, in_book: false });
        }
        // Stable, and the links come in the order of their squares.
        moves.sort_by_key(|known| -known.value);
        moves
    }

    /// The moves that stay in the book, in the order of their squares. The position itself may be outside.
    pub fn links(&self, position: Position) -> Vec<BookMove> {
        let link = |mv| {
            let successor = Successor::of(position, mv)?;
            let Entry { value, lower, upper, .. } = self.get(successor.position)?;
            let (a, b) = (successor.for_mover(lower), successor.for_mover(upper));
            let value = successor.for_mover(value);
            Some(BookMove { mv, value, lower: a.min(b), upper: a.max(b), in_book: true })
        };
        position.moves().into_iter().filter_map(link).collect()
    }

    /// The squares that lead out of the book, or end the game.
    pub fn outside(&self, position: Position) -> crate::board::Bitboard {
        let leaves = |square: &Square| !self.leads_inside(position, *square);
        position.moves().into_iter().filter(leaves).collect()
    }

    /// Whether the best move out of the book has to be found anew: it is not known, or it is said to be one that stays in
    /// the book or is not legal.
    pub fn wants_leaf(&self, position: Position, entry: Entry) -> bool {
        self.live_leaf(position, entry).is_none() && (entry.leaf.is_some() || !self.outside(position).is_empty())
    }

    /// The results of games through a position, for its side to move.
    pub fn games(&self, position: Position) -> Games {
        let (canonical, _) = position.canonical();
        self.games.get(key(canonical)).map(GamesRecord::games).unwrap_or_default()
    }

    /// How many games came through the position after a move.
    pub fn games_after(&self, position: Position, mv: Square) -> u64 {
        Successor::of(position, mv).map_or(0, |next| self.games(next.position).count())
    }

    /// Adds results of games through a position, for its side to move.
    pub fn add_games(&mut self, position: Position, games: Games) {
        let (canonical, _) = position.canonical();
        let sum = self.games(canonical).plus(games);
        self.games.put(GamesRecord::new(key(canonical), sum));
    }

    /// How many games are counted in all positions together.
    pub fn counted_games(&self) -> u64 {
        self.games.iter().map(|record| record.games().count()).sum()
    }

    fn leads_inside(&self, position: Position, square: Square) -> bool {
        Successor::of(position, square).is_some_and(|next| self.contains(next.position))
    }

    /// The leaf, if it is legal and still leads out of the book.
    fn live_leaf(&self, position: Position, entry: Entry) -> Option<Leaf> {
        let is_live = |leaf: &Leaf| position.play(leaf.mv).is_some() && !self.leads_inside(position, leaf.mv);
        entry.leaf.filter(is_live)
    }
}

/// What is said of a position, for its image under a symmetry.
fn turned(entry: Entry, symmetry: Symmetry) -> Entry {
    let leaf = entry.leaf.map(|leaf| Leaf { mv: symmetry.apply_square(leaf.mv), ..leaf });
    Entry { leaf, ..entry }
}

#[cfg(test)]
mod tests;
