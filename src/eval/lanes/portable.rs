//! Lane arithmetic in plain Rust; the compiler makes vectors of it where it can.

use super::{LayerTable, Table, deltas};
use crate::board::{Bitboard, Position, Square};
use crate::eval::network::{CLAMP, FIRST, HIDDEN, HIDDEN_SHIFT, OUTPUT_SHIFT, Row};
use crate::eval::shapes::{INSTANCES, LANE_CENTRE, LANES};

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
    let mut after = before.map(|index| -index);
    add(&mut after, square, -1);
    for flip in flips {
        add(&mut after, flip, -2);
    }
    after
}

/// See [`super::Features::sum`].
#[cfg_attr(target_feature = "avx2", allow(dead_code))]
#[inline]
pub(super) fn sum(indices: &[i16; LANES], rows: &Table) -> Row {
    let row = |(centre, &index): (&i32, &i16)| &rows[(centre + i32::from(index)) as usize];
    LANE_CENTRE.iter().zip(indices).take(INSTANCES).map(row).fold(Row::default(), Row::plus)
}

/// See [`LayerTable::value`].
#[cfg_attr(target_feature = "avx2", allow(dead_code))]
#[inline]
pub(super) fn value(layers: &LayerTable, channels: Row) -> i32 {
    let clamped = channels.0.map(|channel| i32::from(channel.clamp(-CLAMP, CLAMP)));
    let mut value = FIRST * i32::from(channels.0[0]);
    for (channel, &weight) in clamped.iter().zip(&layers.skip) {
        value += channel * i32::from(weight);
    }
    for unit in 0..HIDDEN {
        let mut sum = 0;
        for (pair, weights) in clamped.chunks_exact(2).zip(&layers.hidden) {
            sum += pair[0] * i32::from(weights[unit][0]) + pair[1] * i32::from(weights[unit][1]);
        }
        let active = ((sum >> HIDDEN_SHIFT) + layers.bias[unit]).max(0);
        value = value.wrapping_add(active.wrapping_mul(layers.output[unit]));
    }
    value >> OUTPUT_SHIFT
}

#[inline]
fn add(indices: &mut [i16; LANES], square: Square, times: i16) {
    for (index, delta) in indices.iter_mut().zip(&deltas(square).0) {
        *index = index.wrapping_add(delta.wrapping_mul(times));
    }
}
