//! Which squares a side may move to.

use super::Bitboard;

const INNER_FILES: u64 = 0x7E7E_7E7E_7E7E_7E7E;

/// The squares on which `own` may place a disc against `opp`.
#[inline]
pub fn legal_moves(own: Bitboard, opp: Bitboard) -> Bitboard {
    let (own, opp) = (own.0, opp.0);
    let mut moves = 0;
    for (shift, mask) in [(1, opp & INNER_FILES), (7, opp & INNER_FILES), (9, opp & INNER_FILES), (8, opp)] {
        let mut left = mask & own << shift;
        let mut right = mask & own >> shift;
        for _ in 0..5 {
            left |= mask & left << shift;
            right |= mask & right >> shift;
        }
        moves |= left << shift | right >> shift;
    }
    Bitboard(moves & !(own | opp))
}

/// The empty squares next to a disc of `opp`: where `own` may move sooner or later.
#[inline]
pub fn potential_moves(own: Bitboard, opp: Bitboard) -> Bitboard {
    let inner = opp.0 & INNER_FILES;
    let vertical = opp.0 & 0x00FF_FFFF_FFFF_FF00;
    let diagonal = inner & vertical;
    let near = inner << 1 | inner >> 1 | vertical << 8 | vertical >> 8;
    let far = diagonal << 7 | diagonal >> 7 | diagonal << 9 | diagonal >> 9;
    Bitboard((near | far) & !(own.0 | opp.0))
}
