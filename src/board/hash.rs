//! A fixed 64-bit hash of a board.

use super::Bitboard;

/// Odd constants with well mixed bits: the fractional parts of the golden ratio and of √3.
const OWN: u64 = 0x9E37_79B9_7F4A_7C15;
const OPP: u64 = 0xBB67_AE85_84CA_A73B;

/// Mixes both words with full-width multiplications whose halves are folded together, so that every bit of the board
/// reaches every bit of the result. It is part of file formats and node counts: it never changes.
#[inline]
pub(super) const fn hash(own: Bitboard, opp: Bitboard) -> u64 {
    let folded = fold(own.0 ^ OPP, OWN) ^ fold(opp.0 ^ OWN, OPP).rotate_left(32);
    fold(folded ^ OWN, OPP)
}

#[inline]
const fn fold(a: u64, b: u64) -> u64 {
    let product = a as u128 * b as u128;
    product as u64 ^ (product >> 64) as u64
}
