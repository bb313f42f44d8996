//! Lane arithmetic in AVX2: four registers hold all lanes through a whole move.

#![allow(unsafe_code)]

use super::deltas;
use crate::board::{Bitboard, Square};
use crate::eval::shapes::LANES;
use std::arch::x86_64::{
    __m256i, _mm256_add_epi16, _mm256_load_si256, _mm256_loadu_si256, _mm256_setzero_si256, _mm256_storeu_si256,
    _mm256_sub_epi16,
};

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
