//! Flips with AVX-512 on 256-bit registers: as with AVX2, but counting leading zeros finds the flanking disc above.
//!
//! Compiled only when the whole build assumes AVX-512VL and CD. Must give what `portable` gives.
#![allow(unsafe_code)]

use super::rays::RAYS;
use crate::board::{Bitboard, Square};
use std::arch::x86_64::{
    __m256i, _mm_cvtsi128_si64, _mm_or_si128, _mm_unpackhi_epi64, _mm256_add_epi64, _mm256_and_si256,
    _mm256_andnot_si256, _mm256_castsi256_si128, _mm256_extracti128_si256, _mm256_load_si256, _mm256_lzcnt_epi64,
    _mm256_maskz_and_epi64, _mm256_or_si256, _mm256_set1_epi64x, _mm256_setzero_si256, _mm256_srlv_epi64,
    _mm256_sub_epi64, _mm256_test_epi64_mask,
};

/// See [`crate::board::flips`].
#[inline(always)]
pub(super) fn flips(square: Square, own: Bitboard, opp: Bitboard) -> Bitboard {
    let rays = &RAYS[square.index()];
    // SAFETY: AVX-512VL and CD are part of the build's target features, and `Rays` is aligned to 64 bytes with its
    // halves at 0 and 32.
    unsafe {
        let own = _mm256_set1_epi64x(own.0.cast_signed());
        let opp = _mm256_set1_epi64x(opp.0.cast_signed());
        let up = flips_up(_mm256_load_si256(rays.up.as_ptr().cast()), own, opp);
        let down = flips_down(_mm256_load_si256(rays.down.as_ptr().cast()), own, opp);
        let both = _mm256_or_si256(up, down);
        let half = _mm_or_si128(_mm256_castsi256_si128(both), _mm256_extracti128_si256::<1>(both));
        let flips = _mm_cvtsi128_si64(_mm_or_si128(half, _mm_unpackhi_epi64(half, half)));
        Bitboard(flips.cast_unsigned())
    }
}

/// The first square that is not the opponent's is the lowest bit left on the ray; if it is own, all below it turn.
#[inline]
#[target_feature(enable = "avx2,avx512f,avx512vl")]
fn flips_up(rays: __m256i, own: __m256i, opp: __m256i) -> __m256i {
    let others = _mm256_andnot_si256(opp, rays);
    let below = _mm256_add_epi64(others, _mm256_set1_epi64x(-1));
    let first = _mm256_andnot_si256(below, others);
    let flanked = _mm256_test_epi64_mask(first, own);
    _mm256_maskz_and_epi64(flanked, _mm256_andnot_si256(others, below), rays)
}

/// The first square that is not the opponent's is the highest bit left on the ray; if it is own, all above it turn.
#[inline]
#[target_feature(enable = "avx2,avx512f,avx512vl,avx512cd")]
fn flips_down(rays: __m256i, own: __m256i, opp: __m256i) -> __m256i {
    let others = _mm256_andnot_si256(opp, rays);
    let top = _mm256_set1_epi64x(i64::MIN);
    let flanking = _mm256_and_si256(_mm256_srlv_epi64(top, _mm256_lzcnt_epi64(others)), own);
    // −2 · flanking has every bit above it, and none if there is none.
    let above = _mm256_sub_epi64(_mm256_setzero_si256(), _mm256_add_epi64(flanking, flanking));
    _mm256_and_si256(above, rays)
}
