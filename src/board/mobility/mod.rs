//! Which squares a side may move to.
//!
//! The back-end is chosen when Volte is compiled, so that [`legal_moves`] inlines into the search; both give the same
//! answer.

mod portable;

cfg_select! {
    target_feature = "avx2" => {
        mod avx2;
        use avx2 as backend;
    }
    _ => {
        use portable as backend;
    }
}

use super::Bitboard;

/// Squares that can lie inside a line that runs across the files.
const INNER_FILES: u64 = 0x7E7E_7E7E_7E7E_7E7E;
/// Squares that can lie inside a line that runs across the ranks.
const INNER_RANKS: u64 = 0x00FF_FFFF_FFFF_FF00;

/// The squares on which `own` may place a disc against `opp`.
///
/// ```
/// use volte::board::{Position, legal_moves};
/// let start = Position::START;
/// assert_eq!(format!("{:?}", legal_moves(start.own(), start.opp())), "
/// ........
/// ........
/// ...#....
/// ..#.....
/// .....#..
/// ....#...
/// ........
/// ........");
/// ```
#[inline(always)]
pub fn legal_moves(own: Bitboard, opp: Bitboard) -> Bitboard {
    backend::legal_moves(own, opp)
}

/// The portable twin of [`legal_moves`]: the same answer without SIMD, on every machine.
#[inline]
pub fn portable_legal_moves(own: Bitboard, opp: Bitboard) -> Bitboard {
    portable::legal_moves(own, opp)
}

/// The empty squares next to a disc of `opp` that has a square behind it: where `own` may move sooner or later.
#[inline]
pub const fn potential_moves(own: Bitboard, opp: Bitboard) -> Bitboard {
    let inner = opp.0 & INNER_FILES;
    let vertical = opp.0 & INNER_RANKS;
    let diagonal = inner & vertical;
    let near = inner << 1 | inner >> 1 | vertical << 8 | vertical >> 8;
    let far = diagonal << 7 | diagonal >> 7 | diagonal << 9 | diagonal >> 9;
    Bitboard((near | far) & !(own.0 | opp.0))
}
