//! Flips with AVX2: the four rays to higher squares in one register, the four to lower squares in another.
//!
//! Compiled only when the whole build assumes AVX2. Must give what `portable` gives.
#![allow(unsafe_code)]

use super::rays::RAYS;
use crate::board::{Bitboard, Square};
use std::arch::x86_64::{
    __m256i, _mm_cvtsi128_si64, _mm_or_si128, _mm_unpackhi_epi64, _mm256_add_epi64, _mm256_and_si256,
    _mm256_andnot_si256, _mm256_castsi256_si128, _mm256_cmpeq_epi64, _mm256_cmpgt_epi64, _mm256_extracti128_si256,
    _mm256_load_si256, _mm256_or_si256, _mm256_set_epi64x, _mm256_set1_epi64x, _mm256_setzero_si256, _mm256_slli_epi64,
    _mm256_srlv_epi64, _mm256_sub_epi64,
};

/// See [`crate::board::flips`].
#[inline(always)]
pub(super) fn flips(square: Square, own: Bitboard, opp: Bitboard) -> Bitboard {
    let rays = &RAYS[square.index()];
    // SAFETY: AVX2 is part of the build's target features, and `Rays` is aligned to 64 bytes with its halves at 0 and 32.
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
#[target_feature(enable = "avx2")]
fn flips_up(rays: __m256i, own: __m256i, opp: __m256i) -> __m256i {
    let zero = _mm256_setzero_si256();
    let others = _mm256_andnot_si256(opp, rays);
    let first = _mm256_and_si256(others, _mm256_sub_epi64(zero, others));
    let flanking = _mm256_and_si256(first, own);
    // Flanking − 1, or 0 if nothing flanks: the comparison gives −1 then, and 0 − 1 − (−1) = 0.
    let below = _mm256_sub_epi64(
        _mm256_add_epi64(flanking, _mm256_set1_epi64x(-1)),
        _mm256_cmpeq_epi64(flanking, zero),
    );
    _mm256_and_si256(below, rays)
}

/// Of the own discs and the empty squares on a ray, the nearer is the greater number; rays to lower squares never
/// hold h8, so a signed comparison will do. If an own disc is nearest, what lies above all own discs turns.
#[inline]
#[target_feature(enable = "avx2")]
fn flips_down(rays: __m256i, own: __m256i, opp: __m256i) -> __m256i {
    let step = _mm256_set_epi64x(9, 8, 7, 1);
    let own = _mm256_and_si256(own, rays);
    let others = _mm256_andnot_si256(opp, rays);
    let empty = _mm256_andnot_si256(own, others);
    let flanked = _mm256_cmpgt_epi64(own, empty);
    let shadow = _mm256_or_si256(own, _mm256_srlv_epi64(own, step));
    let step = _mm256_slli_epi64::<1>(step);
    let shadow = _mm256_or_si256(shadow, _mm256_srlv_epi64(shadow, step));
    let step = _mm256_slli_epi64::<1>(step);
    let shadow = _mm256_or_si256(shadow, _mm256_srlv_epi64(shadow, step));
    _mm256_andnot_si256(shadow, _mm256_and_si256(flanked, rays))
}
