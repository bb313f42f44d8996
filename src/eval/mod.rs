//! The evaluation: what a position is worth without looking ahead.
//!
//! Owns evaluations and their weights; must not know search, games, threads or files. Start reading at [`Evaluator`].

mod handmade;
mod lanes;
mod network;
mod patterns;
mod probcut;
mod shapes;
mod weights;

pub use handmade::HandMade;
pub use lanes::Features;
pub use network::{CHANNELS, HIDDEN, Layers, PhaseWeights, QuantisedLayers, Row};
pub use patterns::{Patterns, TERMS, terms};
pub use probcut::ProbCut;
pub use weights::{PHASES, WeightsError, WeightsFile, empties_of, phase, rows_per_phase};

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
