//! Lane arithmetic in AVX2: four registers hold all lanes through a whole move.

#![allow(unsafe_code)]

use super::{LayerTable, Table, deltas};
use crate::board::{Bitboard, Square};
use crate::eval::network::{CHANNELS, CLAMP, FIRST, HIDDEN, HIDDEN_SHIFT, OUTPUT_SHIFT, Row};
use crate::eval::shapes::{LANE_CENTRE, LANES};
use std::arch::x86_64::*;

const REGISTERS: usize = LANES / 16;

/// See [`super::Features::play`].
#[inline]
pub(super) fn play(before: &[i16; LANES], square: Square, flips: Bitboard) -> [i16; LANES] {
    let mut after = [0_i16; LANES];
    // SAFETY: this module is compiled only for targets with AVX2; the pointers stay inside arrays of
    // `REGISTERS * 16` lanes, and `Aligned` has the alignment of the aligned loads.
    unsafe {
        let mut turned = [_mm256_setzero_si256(); REGISTERS];
        for flip in flips {
            let delta = deltas(flip).0.as_ptr().cast::<__m256i>();
            for (i, sum) in turned.iter_mut().enumerate() {
                *sum = _mm256_add_epi16(*sum, _mm256_load_si256(delta.add(i)));
            }
        }
        let placed = deltas(square).0.as_ptr().cast::<__m256i>();
        let from = before.as_ptr().cast::<__m256i>();
        let to = after.as_mut_ptr().cast::<__m256i>();
        for (i, &sum) in turned.iter().enumerate() {
            // A turned disc goes from −1 to +1, the placed one from 0 to +1; then the sides change.
            let own = _mm256_add_epi16(_mm256_loadu_si256(from.add(i)), _mm256_load_si256(placed.add(i)));
            let own = _mm256_add_epi16(own, _mm256_add_epi16(sum, sum));
            _mm256_storeu_si256(to.add(i), _mm256_sub_epi16(_mm256_setzero_si256(), own));
        }
    }
    after
}

/// See [`super::Features::sum`].
#[inline]
pub(super) fn sum(indices: &[i16; LANES], rows: &Table) -> Row {
    const ROW_SHIFT: i32 = size_of::<Row>().ilog2() as i32;
    let mut sum = Row::default();
    // SAFETY: this module is compiled only for targets with AVX2; loads of whole vectors stay inside arrays of `LANES`
    // lanes. Each index of a lane in use lies inside the configurations of its shape around its centre, that of an
    // unused one on the zeros behind them, so every row lies inside the table; rows are one aligned vector each.
    unsafe {
        // Two chains of additions, so that they do not wait for each other.
        let mut sums = [_mm_setzero_si128(); 2];
        for lane in (0..LANES).step_by(8) {
            let index = _mm256_cvtepi16_epi32(_mm_loadu_si128(indices.as_ptr().add(lane).cast()));
            let centre = _mm256_loadu_si256(LANE_CENTRE.as_ptr().add(lane).cast());
            let mut offsets = [0_u32; 8];
            let places = _mm256_slli_epi32::<ROW_SHIFT>(_mm256_add_epi32(index, centre));
            _mm256_storeu_si256(offsets.as_mut_ptr().cast(), places);
            for (i, offset) in offsets.into_iter().enumerate() {
                let row = rows.as_ptr().byte_add(offset as usize).cast::<__m128i>();
                sums[i % 2] = _mm_add_epi16(sums[i % 2], _mm_load_si128(row));
            }
        }
        _mm_store_si128((&raw mut sum).cast(), _mm_add_epi16(sums[0], sums[1]));
    }
    sum
}

/// See [`LayerTable::value`].
#[inline]
pub(super) fn value(layers: &LayerTable, channels: Row) -> i32 {
    const { assert!(CHANNELS == 8 && HIDDEN == 16, "a register of channels, two of hidden units") }
    // SAFETY: this module is compiled only for targets with AVX2; the layers and the row are aligned as `LayerTable`
    // and `Row` say, and have the sizes asserted above.
    unsafe {
        let all = _mm_load_si128((&raw const channels).cast());
        let clamped = _mm_max_epi16(_mm_min_epi16(all, _mm_set1_epi16(CLAMP)), _mm_set1_epi16(-CLAMP));
        let pairs = [
            _mm256_broadcastd_epi32(clamped),
            _mm256_broadcastd_epi32(_mm_shuffle_epi32::<0b01>(clamped)),
            _mm256_broadcastd_epi32(_mm_shuffle_epi32::<0b10>(clamped)),
            _mm256_broadcastd_epi32(_mm_shuffle_epi32::<0b11>(clamped)),
        ];
        let mut value = _mm256_zextsi128_si256(_mm_madd_epi16(clamped, _mm_loadu_si128(layers.skip.as_ptr().cast())));
        for half in 0..2 {
            let mut sum = _mm256_setzero_si256();
            for (pair, weights) in pairs.iter().zip(&layers.hidden) {
                let weights = _mm256_load_si256(weights.as_ptr().cast::<__m256i>().add(half));
                sum = _mm256_add_epi32(sum, _mm256_madd_epi16(*pair, weights));
            }
            let bias = _mm256_load_si256(layers.bias.as_ptr().cast::<__m256i>().add(half));
            let active = _mm256_add_epi32(_mm256_srai_epi32::<HIDDEN_SHIFT>(sum), bias);
            let active = _mm256_max_epi32(active, _mm256_setzero_si256());
            let output = _mm256_load_si256(layers.output.as_ptr().cast::<__m256i>().add(half));
            value = _mm256_add_epi32(value, _mm256_mullo_epi32(active, output));
        }
        let value = _mm_add_epi32(_mm256_castsi256_si128(value), _mm256_extracti128_si256::<1>(value));
        let value = _mm_add_epi32(value, _mm_shuffle_epi32::<0b01_00_11_10>(value));
        let value = _mm_add_epi32(value, _mm_shuffle_epi32::<0b10_11_00_01>(value));
        _mm_cvtsi128_si32(value).wrapping_add(FIRST * i32::from(channels.0[0])) >> OUTPUT_SHIFT
    }
}
