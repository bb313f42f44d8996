//! Mobility with AVX2: the four lines of the board in the four lanes of a register.
//!
//! Compiled only when the whole build assumes AVX2. Must give what `portable` gives.
#![allow(unsafe_code)]

use super::INNER_FILES;
use crate::board::Bitboard;
use std::arch::x86_64::{
    __m256i, _mm_cvtsi128_si64, _mm_or_si128, _mm_unpackhi_epi64, _mm256_and_si256, _mm256_castsi256_si128,
    _mm256_extracti128_si256, _mm256_or_si256, _mm256_set_epi64x, _mm256_set1_epi64x, _mm256_sllv_epi64,
    _mm256_srlv_epi64,
};

/// See [`crate::board::legal_moves`].
#[inline(always)]
pub(super) fn legal_moves(own: Bitboard, opp: Bitboard) -> Bitboard {
    // SAFETY: AVX2 is part of the build's target features.
    let reached = unsafe { reached(own.0, opp.0) };
    Bitboard(reached & !(own.0 | opp.0))
}

/// The squares behind a run of the opponent's discs that starts next to an own disc: the portable flood, lane by lane.
#[inline]
#[target_feature(enable = "avx2")]
fn reached(own: u64, opp: u64) -> u64 {
    let step = _mm256_set_epi64x(9, 8, 7, 1);
    let two_steps = _mm256_set_epi64x(18, 16, 14, 2);
    let inner = INNER_FILES.cast_signed();
    let own = _mm256_set1_epi64x(own.cast_signed());
    let over = _mm256_and_si256(_mm256_set1_epi64x(opp.cast_signed()), _mm256_set_epi64x(inner, -1, inner, inner));

    let mut up = _mm256_and_si256(over, _mm256_sllv_epi64(own, step));
    let mut down = _mm256_and_si256(over, _mm256_srlv_epi64(own, step));
    up = _mm256_or_si256(up, _mm256_and_si256(over, _mm256_sllv_epi64(up, step)));
    down = _mm256_or_si256(down, _mm256_and_si256(over, _mm256_srlv_epi64(down, step)));
    let pairs_up = _mm256_and_si256(over, _mm256_sllv_epi64(over, step));
    let pairs_down = _mm256_srlv_epi64(pairs_up, step);
    up = _mm256_or_si256(up, _mm256_and_si256(pairs_up, _mm256_sllv_epi64(up, two_steps)));
    down = _mm256_or_si256(down, _mm256_and_si256(pairs_down, _mm256_srlv_epi64(down, two_steps)));
    up = _mm256_or_si256(up, _mm256_and_si256(pairs_up, _mm256_sllv_epi64(up, two_steps)));
    down = _mm256_or_si256(down, _mm256_and_si256(pairs_down, _mm256_srlv_epi64(down, two_steps)));
    union_of_lanes(_mm256_or_si256(_mm256_sllv_epi64(up, step), _mm256_srlv_epi64(down, step)))
}

#[inline]
#[target_feature(enable = "avx2")]
fn union_of_lanes(lanes: __m256i) -> u64 {
    let half = _mm_or_si128(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256::<1>(lanes));
    _mm_cvtsi128_si64(_mm_or_si128(half, _mm_unpackhi_epi64(half, half))).cast_unsigned()
}
