//! Flips in plain 64-bit arithmetic, one ray at a time, without a branch.

use super::rays::RAYS;
use crate::board::{Bitboard, Square};

/// See [`crate::board::flips`].
#[inline]
pub(super) fn flips(square: Square, own: Bitboard, opp: Bitboard) -> Bitboard {
    let rays = &RAYS[square.index()];
    let mut flipped = 0;
    for (up, down) in rays.up.into_iter().zip(rays.down) {
        flipped |= flips_up(up, own.0, opp.0) | flips_down(down, own.0, opp.0);
    }
    Bitboard(flipped)
}

/// Flips on a ray to higher squares: a carry runs over the opponent's discs and stops at the first other square.
#[inline]
const fn flips_up(ray: u64, own: u64, opp: u64) -> u64 {
    let flanking = (opp | !ray).wrapping_add(1) & ray & own;
    flanking.wrapping_sub((flanking != 0) as u64) & ray
}

/// Flips on a ray to lower squares: the first square that is not the opponent's is the highest one left.
#[inline]
const fn flips_down(ray: u64, own: u64, opp: u64) -> u64 {
    // The added bit keeps the operand from being zero; if it is on the ray it is the opponent's, so never flanking.
    let first = (1 << 63) >> (ray & !opp | 1).leading_zeros();
    let flanking: u64 = first & ray & own;
    (flanking << 1).wrapping_neg() & ray
}
