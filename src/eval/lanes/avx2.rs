//! Lane arithmetic in AVX2: six registers hold all lanes through a whole move.

#![allow(unsafe_code)]

use super::{LayerTable, Moves, Table, deltas};
use crate::board::{Bitboard, Square};
use crate::eval::network::{CHANNELS, CLAMP, Channels, FIRST, HIDDEN, HIDDEN_SHIFT, OUTPUT_SHIFT, Row};
use crate::eval::shapes::{DISC_LANES, DISC_LANES_READ, LANE_CENTRE, LANES, MOVE_LANES};
use std::arch::x86_64::*;

const REGISTERS: usize = LANES / 16;

/// See [`super::Features::play`].
#[inline]
pub(super) fn play(before: &[i16; LANES], square: Square, flips: Bitboard) -> [i16; LANES] {
    // SAFETY: this module is compiled only for targets with AVX2; the pointers stay inside arrays of
    // `REGISTERS * 16` lanes, and `Aligned` has the alignment of the aligned loads. Registers of lanes are lanes.
    unsafe {
        let mut after = [_mm256_setzero_si256(); REGISTERS];
        let mut turned = [_mm256_setzero_si256(); REGISTERS];
        for flip in flips {
            let delta = deltas(flip).0.as_ptr().cast::<__m256i>();
            for (i, sum) in turned.iter_mut().enumerate() {
                *sum = _mm256_add_epi16(*sum, _mm256_load_si256(delta.add(i)));
            }
        }
        let placed = deltas(square).0.as_ptr().cast::<__m256i>();
        let from = before.as_ptr().cast::<__m256i>();
        for (i, (after, sum)) in after.iter_mut().zip(turned).enumerate() {
            // A turned disc goes from −1 to +1, the placed one from 0 to +1; then the sides change.
            let own = _mm256_add_epi16(_mm256_loadu_si256(from.add(i)), _mm256_load_si256(placed.add(i)));
            let own = _mm256_add_epi16(own, _mm256_add_epi16(sum, sum));
            *after = _mm256_sub_epi16(_mm256_setzero_si256(), own);
        }
        std::mem::transmute::<[__m256i; REGISTERS], [i16; LANES]>(after)
    }
}

/// The indices of the lanes of shapes that tell moves.
#[inline]
fn with_moves(indices: &[i16; LANES], moves: Moves) -> [i16; MOVE_LANES] {
    const { assert!(MOVE_LANES == 32 && DISC_LANES.is_multiple_of(16), "two registers, aligned among deltas") }
    // SAFETY: this module is compiled only for targets with AVX2; loads are those of two whole vectors at the end of
    // `LANES` lanes, where `Aligned` has the alignment of the aligned loads. Registers of lanes are lanes.
    unsafe {
        let from = indices.as_ptr().add(DISC_LANES).cast::<__m256i>();
        let mut sums = [_mm256_loadu_si256(from), _mm256_loadu_si256(from.add(1))];
        for (square, digit) in moves.digits() {
            let delta = deltas(square).0.as_ptr().add(DISC_LANES).cast::<__m256i>();
            let digit = _mm256_set1_epi16(digit);
            for (i, sum) in sums.iter_mut().enumerate() {
                *sum = _mm256_add_epi16(*sum, _mm256_mullo_epi16(digit, _mm256_load_si256(delta.add(i))));
            }
        }
        std::mem::transmute::<[__m256i; 2], [i16; MOVE_LANES]>(sums)
    }
}

/// See [`super::Features::sum`].
#[inline]
pub(super) fn sum(indices: &[i16; LANES], moves: Moves, rows: &Table) -> Channels {
    let with_moves = with_moves(indices, moves);
    // Two chains of additions, so that they do not wait for each other.
    // SAFETY: this module is compiled only for targets with AVX2.
    let mut sums = unsafe { [_mm256_setzero_si256(); 2] };
    add_rows(&mut sums, &indices[..DISC_LANES_READ], &LANE_CENTRE, rows);
    add_rows(&mut sums, &with_moves, &LANE_CENTRE[DISC_LANES..], rows);
    let mut sum = Channels::default();
    // SAFETY: as above; `Channels` is one aligned vector.
    unsafe { _mm256_store_si256((&raw mut sum).cast(), _mm256_add_epi16(sums[0], sums[1])) }
    sum
}

/// Adds the rows that the lanes point to.
#[inline(always)]
fn add_rows(sums: &mut [__m256i; 2], indices: &[i16], centres: &[i32], rows: &Table) {
    const { assert!(size_of::<Row>() == 16, "a row is half a register") }
    const ROW_SHIFT: i32 = size_of::<Row>().ilog2() as i32;
    for (indices, centres) in indices.chunks_exact(8).zip(centres.chunks_exact(8)) {
        // SAFETY: this module is compiled only for targets with AVX2; the chunks have the length of the loads. Each
        // index of a lane in use lies inside the configurations of its shape around its centre, that of an unused one
        // on the zeros behind them, so every row lies inside the table; rows are half an aligned vector each.
        unsafe {
            let index = _mm256_cvtepi16_epi32(_mm_loadu_si128(indices.as_ptr().cast()));
            let centre = _mm256_loadu_si256(centres.as_ptr().cast());
            let mut offsets = [0_u32; 8];
            let places = _mm256_slli_epi32::<ROW_SHIFT>(_mm256_add_epi32(index, centre));
            _mm256_storeu_si256(offsets.as_mut_ptr().cast(), places);
            for (i, offset) in offsets.into_iter().enumerate() {
                let row = _mm_load_si128(rows.as_ptr().byte_add(offset as usize).cast());
                sums[i % 2] = _mm256_add_epi16(sums[i % 2], _mm256_cvtepi8_epi16(row));
            }
        }
    }
}

/// See [`LayerTable::value`].
#[inline]
pub(super) fn value(layers: &LayerTable, channels: Channels) -> i32 {
    const { assert!(CHANNELS == 16 && HIDDEN.is_multiple_of(8), "a register of channels, whole ones of hidden units") }
    // SAFETY: this module is compiled only for targets with AVX2; the layers and the channels are aligned as
    // `LayerTable` and `Channels` say, and have the sizes asserted above.
    unsafe {
        let all = _mm256_load_si256((&raw const channels).cast());
        let clamped = _mm256_max_epi16(_mm256_min_epi16(all, _mm256_set1_epi16(CLAMP)), _mm256_set1_epi16(-CLAMP));
        let mut value = _mm256_madd_epi16(clamped, _mm256_loadu_si256(layers.skip.as_ptr().cast()));
        let pairs = std::mem::transmute::<__m256i, [i32; CHANNELS / 2]>(clamped);
        for units in 0..HIDDEN / 8 {
            let mut sums = [_mm256_setzero_si256(); 2];
            for (i, (&pair, weights)) in pairs.iter().zip(&layers.hidden).enumerate() {
                let weights = _mm256_load_si256(weights.as_ptr().cast::<__m256i>().add(units));
                sums[i % 2] = _mm256_add_epi32(sums[i % 2], _mm256_madd_epi16(_mm256_set1_epi32(pair), weights));
            }
            let sum = _mm256_add_epi32(sums[0], sums[1]);
            let bias = _mm256_load_si256(layers.bias.as_ptr().cast::<__m256i>().add(units));
            let active = _mm256_add_epi32(_mm256_srai_epi32::<HIDDEN_SHIFT>(sum), bias);
            let active = _mm256_max_epi32(active, _mm256_setzero_si256());
            let output = _mm256_load_si256(layers.output.as_ptr().cast::<__m256i>().add(units));
            value = _mm256_add_epi32(value, _mm256_mullo_epi32(active, output));
        }
        let value = _mm_add_epi32(_mm256_castsi256_si128(value), _mm256_extracti128_si256::<1>(value));
        let value = _mm_add_epi32(value, _mm_shuffle_epi32::<0b01_00_11_10>(value));
        let value = _mm_add_epi32(value, _mm_shuffle_epi32::<0b10_11_00_01>(value));
        _mm_cvtsi128_si32(value).wrapping_add(FIRST * i32::from(channels.0[0])) >> OUTPUT_SHIFT
    }
}
