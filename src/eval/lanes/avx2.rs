//! Lane arithmetic in AVX2: four registers hold all lanes through a whole move.

#![allow(unsafe_code)]

use super::{Table, deltas};
use crate::board::{Bitboard, Square};
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
pub(super) fn sum(indices: &[i16; LANES], weights: &Table) -> i32 {
    let (base, from) = (weights.as_ptr().cast::<i32>(), indices.as_ptr());
    // SAFETY: this module is compiled only for targets with AVX2. Each index of a lane in use lies inside the
    // configurations of its shape around its centre, that of an unused one on the first zero behind them; a gather
    // reads that weight and the next, and the table has one more.
    unsafe {
        let mut sums = _mm256_setzero_si256();
        for lane in (0..LANES).step_by(8) {
            let index = _mm256_cvtepi16_epi32(_mm_loadu_si128(from.add(lane).cast()));
            let centre = _mm256_loadu_si256(LANE_CENTRE.as_ptr().add(lane).cast());
            let pairs = _mm256_i32gather_epi32::<2>(base, _mm256_add_epi32(index, centre));
            // The wanted weight is the low half of each pair.
            sums = _mm256_add_epi32(sums, _mm256_srai_epi32::<16>(_mm256_slli_epi32::<16>(pairs)));
        }
        let sums = _mm_add_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256::<1>(sums));
        let sums = _mm_add_epi32(sums, _mm_shuffle_epi32::<0b01_00_11_10>(sums));
        let sums = _mm_add_epi32(sums, _mm_shuffle_epi32::<0b10_11_00_01>(sums));
        _mm_cvtsi128_si32(sums)
    }
}
