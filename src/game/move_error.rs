//! What is wrong with a move of a notation, whatever the notation.

use super::PlayError;
use thiserror::Error;

/// Why a move of a text cannot be played.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum MoveError {
    /// Something that is no move.
    #[error("move {number}: `{token}` is not a move")]
    NotAMove {
        /// Which move it should be, written passes counted; the first one is 1.
        number: usize,
        /// What stands there.
        token: String,
    },
    /// A move that cannot be played.
    #[error("move {number}: `{token}` is illegal: {}", error.reason())]
    Illegal {
        /// Which move it is, written passes counted; the first one is 1.
        number: usize,
        /// The move as it is written.
        token: String,
        /// Why not.
        error: PlayError,
    },
}

impl MoveError {
    /// Something that is no move.
    pub(crate) fn not_a_move(number: usize, token: &str) -> Self {
        Self::NotAMove { number, token: token.to_owned() }
    }

    /// A move that cannot be played.
    pub(crate) fn illegal(number: usize, token: &str, error: PlayError) -> Self {
        Self::Illegal { number, token: token.to_owned(), error }
    }
}
