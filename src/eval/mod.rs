//! The evaluation: what a position is worth without looking ahead.
//!
//! Owns evaluations and their weights; must not know search, games, threads or files. Start reading at [`Evaluator`].

mod handmade;

pub use handmade::HandMade;

use crate::board::{Bitboard, Position, Square};
use crate::score::Eval;

/// A static evaluation with features that are updated move by move.
///
/// A search holds one `Features` per position on its path. Deterministic, and the same on every SIMD back-end; the
/// eight images of a position get the same value.
pub trait Evaluator: Send + Sync {
    /// What is known of a position besides the board; small and cheap to copy.
    type Features: Copy + Send + Sync;

    /// The features of a position, from scratch.
    fn features(&self, position: Position) -> Self::Features;

    /// The features after the side to move of `before` places a disc on `square` and turns `flips`, seen from the
    /// next side to move.
    fn play(&self, features: &Self::Features, before: Position, square: Square, flips: Bitboard) -> Self::Features;

    /// The features after a pass.
    fn pass(&self, features: &Self::Features) -> Self::Features;

    /// The expected final score for the side to move, strictly inside ±64 discs.
    fn evaluate(&self, features: &Self::Features, position: Position) -> Eval;

    /// The model of how far a shallow search strays from a deep one, for ProbCut.
    fn probcut(&self) -> ProbCut;
}

/// The error of a shallow search against a deeper one, as a normal distribution (Buro, Multi-ProbCut).
///
/// Both are smooth functions of `x = a·empties + b·depth + c·probe`: sigma = quadratic in `x`, in discs.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ProbCut {
    /// `[a, b, c]`: weight of empty squares, of the depth and of the probe's depth.
    pub mix: [f32; 3],
    /// Coefficients of 1, x, x² of the standard deviation in discs.
    pub sigma: [f32; 3],
}

impl ProbCut {
    /// Provisional constants for an evaluation without a fitted model; they follow the shape published for Edax,
    /// which is fitted to an evaluation of its own, so they are only a safe start.
    pub const FALLBACK: Self = Self { mix: [-0.1003, 0.3103, -0.5777], sigma: [5.417, 1.165, 0.0759] };

    /// Standard deviation in discs of (search to `depth`) − (search to `probe`) with `empties` squares empty.
    pub fn sigma(&self, empties: u8, depth: u8, probe: u8) -> f32 {
        let [a, b, c] = self.mix;
        let x = a * f32::from(empties) + b * f32::from(depth) + c * f32::from(probe);
        let [s0, s1, s2] = self.sigma;
        (s0 + x * (s1 + x * s2)).max(0.5)
    }
}
