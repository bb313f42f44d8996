//! The small network that turns pattern configurations into a value, as integers.
//!
//! Owns the shape of the network, its fixed point and the order of its numbers; must not know patterns or files. Every
//! configuration holds a *row* of [`CHANNELS`] small numbers. The rows of a position add up to its channels. The first of
//! them is a value already, as in a plain sum of pattern weights (Buro). All of them, clamped to ±1, also go through a
//! hidden layer of [`HIDDEN`] rectified units, which sees what patterns mean together. Sums of integers do not depend
//! on order: the images of a position, and the SIMD back-ends, agree to the bit. Start reading at [`PhaseWeights`].

use crate::score::Eval;
use bytemuck::{Pod, Zeroable};

/// Numbers in the row of a configuration.
pub const CHANNELS: usize = 16;
/// Units of the hidden layer.
pub const HIDDEN: usize = 32;

/// What 1 is in a row and among channels.
const ONE: i32 = 256;
/// What 1 is among the weights of the hidden layer.
const HIDDEN_ONE: i32 = 4096;
/// What 1 is among the weights of the output.
const OUTPUT_ONE: i32 = 1024;
/// The value of a first channel of 1, in units: 16 discs.
const UNITS_PER_ONE: i32 = 16 * Eval::UNITS_PER_DISC;
/// From the products of the hidden layer back to what 1 is in a row.
pub(super) const HIDDEN_SHIFT: i32 = HIDDEN_ONE.ilog2() as i32;
/// From the products of the output to units.
pub(super) const OUTPUT_SHIFT: i32 = (ONE * OUTPUT_ONE / UNITS_PER_ONE).ilog2() as i32;
/// The factor of the first channel in the output.
pub(super) const FIRST: i32 = OUTPUT_ONE;
/// Channels beyond this say no more to the hidden layer.
pub(super) const CLAMP: i16 = ONE as i16;
/// Largest number in a row.
const LARGEST: i16 = i8::MAX as i16;

/// The numbers of one configuration.
#[derive(Clone, Copy, PartialEq, Eq, Default, Pod, Zeroable, Debug)]
#[repr(C, align(16))]
pub struct Row(pub [i8; CHANNELS]);

impl Row {
    /// The largest real number that a row can hold.
    pub const LIMIT: f32 = LARGEST as f32 / ONE as f32;

    /// The row nearest to real numbers.
    pub fn quantised(values: [f32; CHANNELS]) -> Self {
        Self(values.map(|value| quantised(value, ONE).clamp(-LARGEST, LARGEST) as i8))
    }
}

/// The sum of the rows of a position: a hundred of them stay well inside an `i16`.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[repr(C, align(32))]
pub(super) struct Channels(pub(super) [i16; CHANNELS]);

impl Channels {
    /// The channels with one more row.
    #[inline]
    #[must_use]
    pub(super) fn plus(mut self, row: &Row) -> Self {
        self.0.iter_mut().zip(&row.0).for_each(|(channel, &number)| *channel += i16::from(number));
        self
    }
}

/// The layers behind the channels, as real numbers: what a fit finds.
#[derive(Clone, PartialEq, Debug)]
pub struct Layers {
    /// Weights of each hidden unit.
    pub hidden: [[f32; CHANNELS]; HIDDEN],
    /// What each hidden unit starts from.
    pub bias: [f32; HIDDEN],
    /// What each hidden unit adds to the value, in 16 discs.
    pub output: [f32; HIDDEN],
    /// What each clamped channel adds to the value by itself, in 16 discs.
    pub skip: [f32; CHANNELS],
}

/// The layers behind the channels in fixed point.
#[derive(Clone, Copy, PartialEq, Eq, Pod, Zeroable, Debug)]
#[repr(C)]
pub struct QuantisedLayers {
    pub(super) hidden: [[i16; CHANNELS]; HIDDEN],
    pub(super) bias: [i16; HIDDEN],
    pub(super) output: [i16; HIDDEN],
    pub(super) skip: [i16; CHANNELS],
}

/// Numbers in [`QuantisedLayers`].
pub(super) const LAYER_NUMBERS: usize = size_of::<QuantisedLayers>() / size_of::<i16>();

impl Layers {
    /// The nearest layers in fixed point.
    pub fn quantised(&self) -> QuantisedLayers {
        QuantisedLayers {
            hidden: self.hidden.map(|unit| unit.map(|weight| quantised(weight, HIDDEN_ONE))),
            bias: self.bias.map(|bias| quantised(bias, ONE)),
            output: self.output.map(|weight| quantised(weight, OUTPUT_ONE)),
            skip: self.skip.map(|weight| quantised(weight, OUTPUT_ONE)),
        }
    }
}

fn quantised(value: f32, one: i32) -> i16 {
    // The cast saturates.
    (value * one as f32).round() as i16
}

/// All the weights of a phase of the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PhaseWeights {
    /// One row per term, [`rows_per_phase`](super::rows_per_phase) of them.
    pub rows: Vec<Row>,
    /// The layers behind them.
    pub layers: QuantisedLayers,
}

impl PhaseWeights {
    /// Weights that find every position even.
    pub fn zero() -> Self {
        Self { rows: vec![Row::default(); super::rows_per_phase()], layers: Zeroable::zeroed() }
    }
}
