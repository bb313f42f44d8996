//! Last-flip counting with BMI2: one instruction pulls a line together into a byte.
//!
//! Compiled only when the whole build assumes BMI2. Must give what `portable` gives.
#![allow(unsafe_code)]

use super::{DIAGONALS, LINE};
use crate::board::{Bitboard, Square};
use std::arch::x86_64::_pext_u64;

const FILE_A: u64 = 0x0101_0101_0101_0101;

/// See [`crate::board::last_flip_count`].
#[inline(always)]
pub(super) fn last_flip_count(square: Square, own: Bitboard) -> i32 {
    let (file, rank) = (square.file(), square.rank());
    let diagonals = &DIAGONALS[square.index()];
    let row = (own.0 >> (rank * Square::SIDE)) as u8;
    let column = line(own, FILE_A << file);
    let rising = line(own, diagonals.rising);
    let falling = line(own, diagonals.falling);
    let turned = u32::from(LINE[file][usize::from(row)])
        + u32::from(LINE[rank][usize::from(column)])
        + u32::from(LINE[file.min(rank)][usize::from(rising)])
        + u32::from(LINE[rank.min(Square::SIDE - 1 - file)][usize::from(falling)]);
    turned.cast_signed()
}

/// The squares of `set` on a line, lowest first, as a byte.
#[inline(always)]
fn line(set: Bitboard, line: u64) -> u8 {
    // SAFETY: BMI2 is part of the build's target features.
    unsafe { _pext_u64(set.0, line) as u8 }
}
