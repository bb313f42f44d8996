//! The board: squares, bitboards, positions and the rules of Othello on them.
//!
//! Owns everything that follows from the 64 cells alone; must not know games, files, threads or time. A position is
//! (own, opponent), seen from the side to move. Start reading at [`Position`].

mod bitboard;
mod color;
mod flip;
mod hash;
mod last_flip;
mod mobility;
mod moves;
mod perft;
mod position;
mod setup;
mod square;
mod stability;
mod symmetry;

pub use bitboard::Bitboard;
pub use color::Color;
pub use flip::{flips, portable_flips};
pub use last_flip::{last_flip_count, portable_last_flip_count};
pub use mobility::{legal_moves, portable_legal_moves, potential_moves};
pub use moves::{Move, ParseMoveError};
pub use perft::perft;
pub use position::Position;
pub use setup::{Setup, SetupError};
pub use square::{ParseSquareError, Square};
pub use stability::stable_discs;
pub use symmetry::Symmetry;
