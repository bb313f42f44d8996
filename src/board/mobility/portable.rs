//! Mobility in plain 64-bit arithmetic: own discs flood over the opponent's, by prefix doubling (Kogge and Stone).

use super::INNER_FILES;
use crate::board::Bitboard;

/// See [`crate::board::legal_moves`].
#[inline]
pub(super) fn legal_moves(own: Bitboard, opp: Bitboard) -> Bitboard {
    let inner = opp.0 & INNER_FILES;
    let moves = line::<1>(own.0, inner) | line::<7>(own.0, inner) | line::<8>(own.0, opp.0) | line::<9>(own.0, inner);
    Bitboard(moves & !(own.0 | opp.0))
}

/// The squares one `STEP` behind a run of up to six squares of `over` that starts next to `own`, both ways.
#[inline]
const fn line<const STEP: u32>(own: u64, over: u64) -> u64 {
    let mut up = over & own << STEP;
    let mut down = over & own >> STEP;
    up |= over & up << STEP;
    down |= over & down >> STEP;
    let pairs = over & over << STEP;
    let pairs_down = pairs >> STEP;
    up |= pairs & up << (2 * STEP);
    down |= pairs_down & down >> (2 * STEP);
    up |= pairs & up << (2 * STEP);
    down |= pairs_down & down >> (2 * STEP);
    up << STEP | down >> STEP
}
