//! Last-flip counting with BMI2: one instruction pulls a line together into a byte.
//!
//! Compiled only when the whole build assumes BMI2. Must give what `portable` gives.
#![allow(unsafe_code)]

use super::{Diagonals, LINE};
use crate::board::{Bitboard, Square};
use std::arch::x86_64::_pext_u64;

/// The lines through one square that `pext` pulls together, and where on each of them the square stands.
#[derive(Clone, Copy)]
#[repr(align(32))]
struct Lines {
    masks: [u64; 3],
    places: [u8; 3],
}

static LINES: [Lines; Square::COUNT] = lines();

/// See [`crate::board::last_flip_count`].
#[inline(always)]
pub(super) fn last_flip_count(square: Square, own: Bitboard) -> i32 {
    let row = (own.0 >> (square.rank() * Square::SIDE)) as u8;
    let mut turned = u32::from(LINE[square.file()][usize::from(row)]);
    let lines = &LINES[square.index()];
    for (mask, place) in lines.masks.into_iter().zip(lines.places) {
        // SAFETY: BMI2 is part of the build's target features.
        let line = unsafe { _pext_u64(own.0, mask) as u8 };
        turned += u32::from(LINE[usize::from(place) % Square::SIDE][usize::from(line)]);
    }
    turned.cast_signed()
}

const fn lines() -> [Lines; Square::COUNT] {
    let mut all = [Lines { masks: [0; 3], places: [0; 3] }; Square::COUNT];
    let mut index = 0;
    while index < Square::COUNT {
        let square = Square::ALL[index];
        let diagonals = Diagonals::through(square);
        let masks = [0x0101_0101_0101_0101 << square.file(), diagonals.rising, diagonals.falling];
        let mut line = 0;
        while line < 3 {
            all[index].masks[line] = masks[line];
            all[index].places[line] = (masks[line] & (square.bit().0 - 1)).count_ones() as u8;
            line += 1;
        }
        index += 1;
    }
    all
}
