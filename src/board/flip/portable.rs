//! Flips in plain integer arithmetic: one flood per direction.

use crate::board::{Bitboard, Square};

const NOT_FILE_A: u64 = 0xFEFE_FEFE_FEFE_FEFE;
const NOT_FILE_H: u64 = 0x7F7F_7F7F_7F7F_7F7F;

/// See [`crate::board::flips`].
#[inline]
pub(super) fn flips(square: Square, own: Bitboard, opp: Bitboard) -> Bitboard {
    let bit = square.bit().0;
    let mut flipped = 0;
    for (shift, mask) in [(1, NOT_FILE_A), (9, NOT_FILE_A), (8, !0), (7, NOT_FILE_H)] {
        let mut run = 0;
        let mut next = bit << shift & mask;
        while next & opp.0 != 0 {
            run |= next;
            next = next << shift & mask;
        }
        if next & own.0 != 0 {
            flipped |= run;
        }
    }
    for (shift, mask) in [(1, NOT_FILE_H), (9, NOT_FILE_H), (8, !0), (7, NOT_FILE_A)] {
        let mut run = 0;
        let mut next = bit >> shift & mask;
        while next & opp.0 != 0 {
            run |= next;
            next = next >> shift & mask;
        }
        if next & own.0 != 0 {
            flipped |= run;
        }
    }
    Bitboard(flipped)
}
