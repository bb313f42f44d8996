//! Books of other programs, as bytes: Edax (`book.dat`, both ways) and Egaroucid (`.egbk3`, in).
//!
//! Their values are whole discs; what follows from other positions is computed anew. Start reading at [`edax`].

pub mod edax;
pub mod egaroucid;

use super::{Book, Entry, Leaf};
use crate::board::{Bitboard, Position, Square};
use crate::score::{Eval, Score};
use thiserror::Error;

/// Why bytes are not a book of another program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum ForeignError {
    /// They begin with something else.
    #[error("not a book of {0}")]
    NotABook(&'static str),
    /// A version of the format that is not known.
    #[error("the book has version {found} of its format, and only version {known} is known")]
    Version {
        /// The version.
        found: u8,
        /// The version that is read.
        known: u8,
    },
    /// They end within a position.
    #[error("the book ends within position {0}")]
    Truncated(u64),
    /// A square holds two discs.
    #[error("position {0} of the book has two discs on one square")]
    Overlap(u64),
    /// There is more than the header says.
    #[error("{0} bytes follow the last position of the book")]
    Trailing(usize),
}

/// Reads numbers from the front of bytes.
struct Reader<'a> {
    bytes: &'a [u8],
    /// The position that is being read.
    number: u64,
}

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], ForeignError> {
        let (front, rest) = self.bytes.split_first_chunk::<N>().ok_or(ForeignError::Truncated(self.number))?;
        self.bytes = rest;
        Ok(*front)
    }

    fn u8(&mut self) -> Result<u8, ForeignError> {
        self.take::<1>().map(|[byte]| byte)
    }

    fn i8(&mut self) -> Result<i8, ForeignError> {
        self.take().map(i8::from_le_bytes)
    }

    fn i16(&mut self) -> Result<i16, ForeignError> {
        self.take().map(i16::from_le_bytes)
    }

    fn u32(&mut self) -> Result<u32, ForeignError> {
        self.take().map(u32::from_le_bytes)
    }

    fn i32(&mut self) -> Result<i32, ForeignError> {
        self.take().map(i32::from_le_bytes)
    }

    fn u64(&mut self) -> Result<u64, ForeignError> {
        self.take().map(u64::from_le_bytes)
    }

    /// A position from its discs.
    fn position(&self, own: u64, opp: u64) -> Result<Position, ForeignError> {
        Position::new(Bitboard(own), Bitboard(opp)).ok_or(ForeignError::Overlap(self.number))
    }

    fn end(&self) -> Result<(), ForeignError> {
        if self.bytes.is_empty() { Ok(()) } else { Err(ForeignError::Trailing(self.bytes.len())) }
    }
}

/// The value of whole discs.
fn discs(discs: impl Into<i32>) -> Eval {
    Score::from_discs(discs.into()).into()
}

/// The nearest whole number of discs, the same for both sides.
fn whole(value: Eval) -> i8 {
    let score = if value < Eval::ZERO { -(-value).to_score() } else { value.to_score() };
    i8::try_from(score.discs()).expect("a score fits a byte")
}

/// Puts a position with values of another program into a book, if a disc can be placed in it. A leaf that is not legal
/// counts as unknown.
fn import(book: &mut Book, position: Position, entry: Entry) {
    let leaf = entry.leaf.filter(|leaf| position.play(leaf.mv).is_some());
    if !position.moves().is_empty() {
        book.put_entry(position, Entry { leaf, level: entry.level.min(HIGHEST_LEVEL), ..entry });
    }
}

/// The highest level of a position: other programs use higher ones for what was entered by hand.
const HIGHEST_LEVEL: u8 = 60;

/// A leaf on the square with this index, if there is one.
fn leaf(index: u8, value: Eval, error: Eval) -> Option<Leaf> {
    Square::from_index(index.into()).map(|mv| Leaf { mv, value, error })
}
