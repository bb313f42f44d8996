//! Arithmetic on all pattern indices at once, 96 lanes of 16 bits, and on the network that they lead into.
//!
//! The digits of indices are balanced (own disc +1, opponent's −1, empty 0), so changing sides is a negation and a move
//! is a few vector additions. Who may move where is added when a position is evaluated. Sums wrap on the way; the final
//! indices always fit. AVX2 and its portable twin agree to the bit.

#[cfg(target_feature = "avx2")]
mod avx2;
mod portable;

use super::network::{CHANNELS, Channels, HIDDEN, QuantisedLayers, Row};
use super::shapes::{Aligned, BOTH_MOVE, CONFIGURATIONS, LANES, OPP_MOVE, OWN_MOVE};
use crate::board::{Bitboard, Position, Square, legal_moves};

/// Where each side may move.
#[derive(Clone, Copy)]
pub(super) struct Moves {
    pub(super) own: Bitboard,
    pub(super) opp: Bitboard,
}

impl Moves {
    /// The moves of a position, the opponent's as if it were to move.
    #[inline]
    pub(super) fn of(position: Position) -> Self {
        let (own, opp) = (position.own(), position.opp());
        Self { own: legal_moves(own, opp), opp: legal_moves(opp, own) }
    }

    /// Every square where somebody may move, with what its digit grows by.
    #[inline]
    fn digits(self) -> impl Iterator<Item = (Square, i16)> {
        const DIGITS: [i16; 4] = [0, OWN_MOVE, OPP_MOVE, BOTH_MOVE];
        (self.own | self.opp).into_iter().map(move |square| {
            let bit = |squares: Bitboard| (squares.0 >> square.index() & 1) as usize;
            (square, DIGITS[bit(self.own) + 2 * bit(self.opp)])
        })
    }
}

/// The index of every pattern instance of a position, seen from the side to move, as far as discs make it.
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

    /// The sum of the rows that the lanes point to, with the moves of the position.
    #[inline]
    pub(super) fn sum(&self, moves: Moves, rows: &Table) -> Channels {
        #[cfg(target_feature = "avx2")]
        return avx2::sum(&self.0, moves, rows);
        #[cfg(not(target_feature = "avx2"))]
        portable::sum(&self.0, moves, rows)
    }

    /// The index of every lane, with the moves of the position.
    pub(super) fn indices(&self, moves: Moves) -> [i16; LANES] {
        portable::indices_with(&self.0, moves)
    }

    /// The features from the other side.
    #[inline]
    pub(super) fn pass(&self) -> Self {
        let mut passed = *self;
        passed.0.iter_mut().for_each(|index| *index = -*index);
        passed
    }
}

/// A row per configuration of each shape, then zeros, which unused lanes point to.
pub(super) type Table = [Row; CONFIGURATIONS + 1];

/// The layers of a network in the order in which vectors want them.
#[derive(Clone, Debug)]
#[repr(C, align(32))]
pub(super) struct LayerTable {
    /// For each pair of channels, the two weights of each hidden unit side by side.
    hidden: [[[i16; 2]; HIDDEN]; CHANNELS / 2],
    bias: [i32; HIDDEN],
    output: [i32; HIDDEN],
    skip: [i16; CHANNELS],
}

impl LayerTable {
    /// The table of some layers.
    pub(super) fn new(layers: &QuantisedLayers) -> Self {
        let pair = |pair: usize, unit: usize| [0, 1].map(|half| layers.hidden[unit][2 * pair + half]);
        Self {
            hidden: std::array::from_fn(|channels| std::array::from_fn(|unit| pair(channels, unit))),
            bias: layers.bias.map(i32::from),
            output: layers.output.map(i32::from),
            skip: layers.skip,
        }
    }

    /// The value of channels, in units.
    #[inline]
    pub(super) fn value(&self, channels: Channels) -> i32 {
        #[cfg(target_feature = "avx2")]
        return avx2::value(self, channels);
        #[cfg(not(target_feature = "avx2"))]
        portable::value(self, channels)
    }
}

#[inline]
fn deltas(square: Square) -> &'static Aligned {
    &super::shapes::DELTAS[square.index()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_and_values_agree_on_both_back_ends() {
        let noise = |i: usize| (i * 7919 % 255) as u8 as i8;
        let row = |i: usize| Row(std::array::from_fn(|channel| noise(i * CHANNELS + channel)));
        let table: Vec<Row> = (0..CONFIGURATIONS).map(row).chain([Row::default()]).collect();
        let table: Box<Table> = table.into_boxed_slice().try_into().unwrap();
        let mut layers: QuantisedLayers = bytemuck::Zeroable::zeroed();
        let numbers: &mut [i16] = bytemuck::cast_slice_mut(std::slice::from_mut(&mut layers));
        numbers.iter_mut().enumerate().for_each(|(i, number)| *number = (i * 40_503 % 65_536) as u16 as i16);
        let layers = LayerTable::new(&layers);
        let mut position = Position::START;
        while let Some(square) = position.moves().into_iter().last() {
            let features = Features::of(position);
            let moves = Moves::of(position);
            let sum = features.sum(moves, &table);
            assert_eq!(sum, portable::sum(&features.0, moves, &table));
            assert_eq!(layers.value(sum), portable::value(&layers, sum));
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
