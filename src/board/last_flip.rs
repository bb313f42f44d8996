//! How many discs the last move of a game turns, without looking at which.

use super::{Bitboard, Square, flips};

/// Twice the number of discs that a disc of `own` on `square` turns when `square` is the only empty square: by how
/// much the disc difference changes besides the placed disc.
#[inline]
pub fn last_flip_count(square: Square, own: Bitboard) -> i32 {
    let opp = !(own | square.bit());
    2 * flips(square, own, opp).count() as i32
}
