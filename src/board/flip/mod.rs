//! Which discs a move turns.

mod portable;

use super::{Bitboard, Square};

/// The discs of `opp` that a disc of `own` placed on the empty `square` turns; empty if it turns none.
#[inline]
pub fn flips(square: Square, own: Bitboard, opp: Bitboard) -> Bitboard {
    portable::flips(square, own, opp)
}

/// The portable twin of [`flips`]: the same answer without SIMD, on every machine.
#[inline]
pub fn portable_flips(square: Square, own: Bitboard, opp: Bitboard) -> Bitboard {
    portable::flips(square, own, opp)
}
