//! A move: a disc on a square, or a pass.

use super::{ParseSquareError, Square};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// What a side does with its turn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Move {
    /// A disc is placed on the square.
    Place(Square),
    /// No disc can be placed.
    Pass,
}

const _: () = assert!(std::mem::size_of::<Option<Move>>() == 1);

impl Move {
    /// The square of a placed disc.
    #[inline]
    pub const fn square(self) -> Option<Square> {
        match self {
            Self::Place(square) => Some(square),
            Self::Pass => None,
        }
    }
}

/// The text is not a move.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{0}` is not a move: expected a square such as f5, or pass")]
pub struct ParseMoveError(pub String);

/// Reads a square, or a pass as `pass`, `ps`, `pa`, `--` or `@@`, in any case.
impl FromStr for Move {
    type Err = ParseMoveError;

    fn from_str(text: &str) -> Result<Self, ParseMoveError> {
        if ["pass", "pa", "ps", "--", "@@"].iter().any(|pass| text.eq_ignore_ascii_case(pass)) {
            return Ok(Self::Pass);
        }
        text.parse().map(Self::Place).map_err(|ParseSquareError(text)| ParseMoveError(text))
    }
}

/// `f5` or `pass`.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Place(square) => square.fmt(f),
            Self::Pass => f.write_str("pass"),
        }
    }
}
