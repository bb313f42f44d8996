//! How many discs the last move of a game turns, without looking at which.
//!
//! The four lines through the square are pulled together into bytes, and a table knows the count for each byte.

mod portable;

cfg_select! {
    target_feature = "bmi2" => {
        mod bmi2;
        use bmi2 as backend;
    }
    _ => {
        use portable as backend;
    }
}

use super::{Bitboard, Square};

/// Twice the number of discs that a disc of `own` on `square` turns when `square` is the only empty square: by how
/// much the disc difference changes besides the placed disc.
///
/// Every other square that is not `own` counts as the opponent's; whether `own` holds `square` makes no difference.
#[inline(always)]
pub fn last_flip_count(square: Square, own: Bitboard) -> i32 {
    backend::last_flip_count(square, own)
}

/// The portable twin of [`last_flip_count`]: the same answer without BMI2, on every machine.
#[inline]
pub fn portable_last_flip_count(square: Square, own: Bitboard) -> i32 {
    portable::last_flip_count(square, own)
}

/// Twice the flips on a line of eight when all but `place` is taken: `LINE[place][own discs]`. A shorter line is a line
/// of eight whose other squares are not own: nothing flanks there.
static LINE: [[u8; 256]; Square::SIDE] = line_counts();

const fn line_counts() -> [[u8; 256]; Square::SIDE] {
    let mut counts = [[0; 256]; Square::SIDE];
    let mut place = 0;
    while place < Square::SIDE {
        let mut own = 0_usize;
        while own < 256 {
            let below = own & ((1 << place) - 1);
            let above = own >> (place + 1);
            let turned_below = if below == 0 { 0 } else { place - 1 - below.ilog2() as usize };
            let turned_above = if above == 0 { 0 } else { above.trailing_zeros() as usize };
            counts[place][own] = 2 * (turned_below + turned_above) as u8;
            own += 1;
        }
        place += 1;
    }
    counts
}

/// The two diagonals through a square, the square included.
#[derive(Clone, Copy)]
struct Diagonals {
    /// Files and ranks grow together.
    rising: u64,
    /// Files grow while ranks shrink.
    falling: u64,
}

impl Diagonals {
    const fn through(square: Square) -> Self {
        let mut diagonals = Self { rising: 0, falling: 0 };
        let mut index = 0;
        while index < Square::COUNT {
            let other = Square::ALL[index];
            if square.file() + other.rank() == other.file() + square.rank() {
                diagonals.rising |= other.bit().0;
            }
            if square.file() + square.rank() == other.file() + other.rank() {
                diagonals.falling |= other.bit().0;
            }
            index += 1;
        }
        diagonals
    }
}
