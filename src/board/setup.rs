//! A set-up board: anything a user may type, checked into a [`Position`].

use super::{Bitboard, Color, Position};
use thiserror::Error;

/// Discs of both colours and whose turn it is. Made by hand or read from text; [`Setup::position`] checks it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Setup {
    /// Black's discs.
    pub black: Bitboard,
    /// White's discs.
    pub white: Bitboard,
    /// Whose turn it is.
    pub side: Color,
}

/// Why a set-up board is not a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum SetupError {
    /// A square holds two discs.
    #[error("{0} holds both a black and a white disc")]
    Overlap(super::Square),
}

impl Setup {
    /// The start of the game.
    pub const START: Self = Self { black: Position::START.own(), white: Position::START.opp(), side: Color::Black };

    /// The set-up of a position whose side to move is `side`.
    pub const fn of(position: Position, side: Color) -> Self {
        match side {
            Color::Black => Self { black: position.own(), white: position.opp(), side },
            Color::White => Self { black: position.opp(), white: position.own(), side },
        }
    }

    /// The position seen from the side to move.
    ///
    /// # Errors
    /// If a square holds two discs.
    pub fn position(self) -> Result<Position, SetupError> {
        let (own, opp) = match self.side {
            Color::Black => (self.black, self.white),
            Color::White => (self.white, self.black),
        };
        Position::new(own, opp)
            .ok_or_else(|| SetupError::Overlap((own & opp).first().expect("boards that overlap share a square")))
    }
}
