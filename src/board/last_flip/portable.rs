//! Last-flip counting in plain 64-bit arithmetic: a multiplication adds up the ranks of a line into one byte.

use super::{Diagonals, LINE};
use crate::board::{Bitboard, Square};

const FILE_A: u64 = 0x0101_0101_0101_0101;
/// Takes the bit of file a on rank r to bit r of the highest byte.
const RANKS_TO_BITS: u64 = 0x0102_0408_1020_4080;

static DIAGONALS: [Diagonals; Square::COUNT] = {
    let mut all = [Diagonals { rising: 0, falling: 0 }; Square::COUNT];
    let mut index = 0;
    while index < Square::COUNT {
        all[index] = Diagonals::through(Square::ALL[index]);
        index += 1;
    }
    all
};

/// See [`crate::board::last_flip_count`].
#[inline]
pub(super) fn last_flip_count(square: Square, own: Bitboard) -> i32 {
    let (file, rank) = (square.file(), square.rank());
    let diagonals = &DIAGONALS[square.index()];
    let by_file = &LINE[file];
    let row = (own.0 >> (rank * Square::SIDE)) as u8;
    let column = ((own.0 >> file & FILE_A).wrapping_mul(RANKS_TO_BITS) >> 56) as u8;
    // A diagonal has one square on each file at most, so its ranks add up without carries.
    let rising = ((own.0 & diagonals.rising).wrapping_mul(FILE_A) >> 56) as u8;
    let falling = ((own.0 & diagonals.falling).wrapping_mul(FILE_A) >> 56) as u8;
    let turned = u32::from(by_file[usize::from(row)])
        + u32::from(LINE[rank][usize::from(column)])
        + u32::from(by_file[usize::from(rising)])
        + u32::from(by_file[usize::from(falling)]);
    turned.cast_signed()
}
