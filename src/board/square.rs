//! The 64 squares.

use super::Bitboard;
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// A square of the board. `A1` is the top-left corner and has index 0; files run left to right, ranks top to bottom.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[rustfmt::skip]
#[allow(missing_docs)]
pub enum Square {
    A1, B1, C1, D1, E1, F1, G1, H1,
    A2, B2, C2, D2, E2, F2, G2, H2,
    A3, B3, C3, D3, E3, F3, G3, H3,
    A4, B4, C4, D4, E4, F4, G4, H4,
    A5, B5, C5, D5, E5, F5, G5, H5,
    A6, B6, C6, D6, E6, F6, G6, H6,
    A7, B7, C7, D7, E7, F7, G7, H7,
    A8, B8, C8, D8, E8, F8, G8, H8,
}

// Absence costs nothing: no value of `Square` is lost to it.
const _: () = assert!(std::mem::size_of::<Option<Square>>() == 1);

impl Square {
    /// Squares on a side of the board.
    pub const SIDE: usize = 8;
    /// Squares on the board.
    pub const COUNT: usize = Self::SIDE * Self::SIDE;

    /// Every square, from a1 to h8.
    #[rustfmt::skip]
    pub const ALL: [Self; Self::COUNT] = [
        Self::A1, Self::B1, Self::C1, Self::D1, Self::E1, Self::F1, Self::G1, Self::H1,
        Self::A2, Self::B2, Self::C2, Self::D2, Self::E2, Self::F2, Self::G2, Self::H2,
        Self::A3, Self::B3, Self::C3, Self::D3, Self::E3, Self::F3, Self::G3, Self::H3,
        Self::A4, Self::B4, Self::C4, Self::D4, Self::E4, Self::F4, Self::G4, Self::H4,
        Self::A5, Self::B5, Self::C5, Self::D5, Self::E5, Self::F5, Self::G5, Self::H5,
        Self::A6, Self::B6, Self::C6, Self::D6, Self::E6, Self::F6, Self::G6, Self::H6,
        Self::A7, Self::B7, Self::C7, Self::D7, Self::E7, Self::F7, Self::G7, Self::H7,
        Self::A8, Self::B8, Self::C8, Self::D8, Self::E8, Self::F8, Self::G8, Self::H8,
    ];

    /// The square with this index (a1 0, b1 1, …, h8 63), if there is one.
    #[inline]
    pub const fn from_index(index: usize) -> Option<Self> {
        if index < Self::COUNT { Some(Self::ALL[index]) } else { None }
    }

    /// The square on a file (a = 0) and a rank (1 = 0), if they are on the board.
    #[inline]
    pub const fn from_file_rank(file: usize, rank: usize) -> Option<Self> {
        if file < Self::SIDE && rank < Self::SIDE { Some(Self::ALL[rank * Self::SIDE + file]) } else { None }
    }

    /// The index of the square: a1 0, b1 1, …, h8 63.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The file: a = 0 to h = 7.
    #[inline]
    pub const fn file(self) -> usize {
        self.index() % Self::SIDE
    }

    /// The rank: 1 = 0 to 8 = 7.
    #[inline]
    pub const fn rank(self) -> usize {
        self.index() / Self::SIDE
    }

    /// The board with this square alone.
    #[inline]
    pub const fn bit(self) -> Bitboard {
        Bitboard(1 << self.index())
    }
}

/// The text is not a square.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{0}` is not a square: expected a file a–h and a rank 1–8, such as f5")]
pub struct ParseSquareError(pub String);

/// Reads `f5` or `F5`.
impl FromStr for Square {
    type Err = ParseSquareError;

    fn from_str(text: &str) -> Result<Self, ParseSquareError> {
        let &[file, rank] = text.as_bytes() else { return Err(ParseSquareError(text.to_owned())) };
        let file = usize::from(file.to_ascii_lowercase().wrapping_sub(b'a'));
        let rank = usize::from(rank.wrapping_sub(b'1'));
        Self::from_file_rank(file, rank).ok_or_else(|| ParseSquareError(text.to_owned()))
    }
}

/// `f5`.
impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.file() as u8), self.rank() + 1)
    }
}
