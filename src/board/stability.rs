//! Discs that can never be turned again.

use super::Bitboard;

/// Discs of `own` that are certainly stable whatever both sides play; some stable discs may be missing.
#[inline]
pub fn stable_discs(own: Bitboard, opp: Bitboard) -> Bitboard {
    let _ = opp;
    own & Bitboard::CORNERS
}
