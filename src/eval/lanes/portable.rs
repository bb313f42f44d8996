//! Lane arithmetic in plain Rust; the compiler makes vectors of it where it can.

use super::{Table, deltas};
use crate::board::{Bitboard, Position, Square};
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
pub(super) fn sum(indices: &[i16; LANES], weights: &Table) -> i32 {
    let weight = |(centre, &index): (&i32, &i16)| i32::from(weights[(centre + i32::from(index)) as usize]);
    LANE_CENTRE.iter().zip(indices).take(INSTANCES).map(weight).sum()
}

#[inline]
fn add(indices: &mut [i16; LANES], square: Square, times: i16) {
    for (index, delta) in indices.iter_mut().zip(&deltas(square).0) {
        *index = index.wrapping_add(delta.wrapping_mul(times));
    }
}
