//! Lane arithmetic in plain Rust; the compiler makes vectors of it where it can.

use super::{LayerTable, Moves, Table, deltas};
use crate::board::{Bitboard, Position, Square};
use crate::eval::network::{CLAMP, Channels, FIRST, HIDDEN, HIDDEN_SHIFT, OUTPUT_SHIFT};
use crate::eval::shapes::{DISC_LANES, LANE_CENTRE, LANES};

/// The indices of a position from scratch.
#[inline]
pub(super) fn indices(position: Position) -> [i16; LANES] {
    let mut indices = [0_i16; LANES];
    for square in position.own() {
        add(&mut indices, square, 1);
    }
    for square in position.opp() {
        add(&mut indices, square, -1);
    }
    indices
}

/// See [`super::Features::play`].
#[cfg_attr(target_feature = "avx2", allow(dead_code))]
#[inline]
pub(super) fn play(before: &[i16; LANES], square: Square, flips: Bitboard) -> [i16; LANES] {
    let mut after = *before;
    after.iter_mut().for_each(|index| *index = -*index);
    add(&mut after, square, -1);
    for flip in flips {
        add(&mut after, flip, -2);
    }
    after
}

/// The indices with the moves of the position in them.
#[inline]
pub(super) fn indices_with(indices: &[i16; LANES], moves: Moves) -> [i16; LANES] {
    let mut indices = *indices;
    for (square, digit) in moves.digits() {
        for (index, delta) in indices[DISC_LANES..].iter_mut().zip(&deltas(square).0[DISC_LANES..]) {
            *index = index.wrapping_add(delta.wrapping_mul(digit));
        }
    }
    indices
}

/// See [`super::Features::sum`].
#[cfg_attr(target_feature = "avx2", allow(dead_code))]
#[inline]
pub(super) fn sum(indices: &[i16; LANES], moves: Moves, rows: &Table) -> Channels {
    // Four channels in the 16-bit fields of a word. Numbers are lifted above zero, so that fields do not borrow.
    const FIELDS: u64 = 0x00ff_00ff_00ff_00ff;
    const LIFT: u64 = 0x8080_8080_8080_8080;
    let (mut even, mut odd) = ([0_u64; 2], [0_u64; 2]);
    for (centre, index) in LANE_CENTRE.iter().zip(indices_with(indices, moves)) {
        let row: [u64; 2] = bytemuck::cast(rows[(centre + i32::from(index)) as usize].0);
        for half in 0..2 {
            let lifted = u64::from_le(row[half]) ^ LIFT;
            even[half] += lifted & FIELDS;
            odd[half] += lifted >> 8 & FIELDS;
        }
    }
    Channels(std::array::from_fn(|channel| {
        let fields = if channel % 2 == 0 { even } else { odd }[channel / 8];
        (fields >> (16 * (channel % 8 / 2))) as i16 - 128 * LANES as i16
    }))
}

/// See [`LayerTable::value`].
#[cfg_attr(target_feature = "avx2", allow(dead_code))]
#[inline]
pub(super) fn value(layers: &LayerTable, channels: Channels) -> i32 {
    let clamped = channels.0.map(|channel| channel.clamp(-CLAMP, CLAMP));
    let product = |a: i16, b: i16| i32::from(a) * i32::from(b);
    let skip: i32 = clamped.iter().zip(&layers.skip).map(|(&channel, &weight)| product(channel, weight)).sum();
    // Unit by unit within a pair of channels, so that the compiler multiplies many units at once.
    let mut sums = [0; HIDDEN];
    for (pair, weights) in clamped.chunks_exact(2).zip(&layers.hidden) {
        for (sum, weights) in sums.iter_mut().zip(weights) {
            *sum += product(pair[0], weights[0]) + product(pair[1], weights[1]);
        }
    }
    let mut value = FIRST * i32::from(channels.0[0]) + skip;
    for ((sum, bias), output) in sums.iter().zip(&layers.bias).zip(&layers.output) {
        let active = ((sum >> HIDDEN_SHIFT) + bias).max(0);
        value = value.wrapping_add(active.wrapping_mul(*output));
    }
    value >> OUTPUT_SHIFT
}

#[inline]
fn add(indices: &mut [i16; LANES], square: Square, times: i16) {
    for (index, delta) in indices.iter_mut().zip(&deltas(square).0) {
        *index = index.wrapping_add(delta.wrapping_mul(times));
    }
}
