//! Arithmetic on all pattern indices at once: 64 lanes of 16 bits.
//!
//! Indices are balanced ternary (own disc +1, opponent's −1, empty 0), so changing sides is a negation and a move is a
//! few vector additions. Sums wrap on the way; the final indices always fit. AVX2 and its portable twin agree to the
//! bit.

#[cfg(target_feature = "avx2")]
mod avx2;
mod portable;

use super::shapes::{Aligned, CONFIGURATIONS, LANES};
use crate::board::{Bitboard, Position, Square};

/// The index of every pattern instance of a position, seen from the side to move.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub struct Features(pub(super) [i16; LANES]);

impl Features {
    /// The features of a position, from scratch.
    #[inline]
    pub(super) fn of(position: Position) -> Self {
        Self(portable::indices(position))
    }

    /// The features after the side to move placed a disc on `square` and turned `flips`, seen from the next side.
    #[inline]
    pub(super) fn play(&self, square: Square, flips: Bitboard) -> Self {
        #[cfg(target_feature = "avx2")]
        return Self(avx2::play(&self.0, square, flips));
        #[cfg(not(target_feature = "avx2"))]
        Self(portable::play(&self.0, square, flips))
    }

    /// The sum of the weights that the lanes point to.
    #[inline]
    pub(super) fn sum(&self, weights: &Table) -> i32 {
        #[cfg(target_feature = "avx2")]
        return avx2::sum(&self.0, weights);
        #[cfg(not(target_feature = "avx2"))]
        portable::sum(&self.0, weights)
    }

    /// The features from the other side.
    #[inline]
    pub(super) fn pass(&self) -> Self {
        Self(self.0.map(|index| -index))
    }
}

/// A weight per configuration of each shape, then zeros: unused lanes point to the first of them, and vector look-ups
/// read one weight more than they want.
pub(super) type Table = [i16; CONFIGURATIONS + 2];

#[inline]
fn deltas(square: Square) -> &'static Aligned {
    &super::shapes::DELTAS[square.index()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_agree_on_both_back_ends() {
        let table: Vec<i16> = (0..CONFIGURATIONS).map(|i| (i * 7919 % 65536) as u16 as i16).chain([0; 2]).collect();
        let table: Box<Table> = table.try_into().unwrap();
        let mut position = Position::START;
        while let Some(square) = position.moves().into_iter().last() {
            let features = Features::of(position);
            assert_eq!(features.sum(&table), portable::sum(&features.0, &table));
            position = position.play(square).unwrap();
        }
    }

    #[test]
    fn updated_features_equal_rebuilt_ones_on_both_back_ends() {
        let mut state = 7_u64;
        for _ in 0..200 {
            let mut position = Position::START;
            let mut features = Features::of(position);
            while !position.is_over() {
                let moves: Vec<Square> = position.moves().into_iter().collect();
                if moves.is_empty() {
                    features = features.pass();
                    position = position.pass();
                } else {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    let square = moves[(state >> 33) as usize % moves.len()];
                    let flips = position.flips(square);
                    assert_eq!(features.play(square, flips).0, portable::play(&features.0, square, flips));
                    features = features.play(square, flips);
                    position = position.play_flips(square, flips);
                }
                assert_eq!(features.0, Features::of(position).0);
            }
        }
    }
}
