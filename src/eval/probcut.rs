//! The error model of shallow searches, for ProbCut.
//!
//! Owns the formula and its numbers; must not know how a search uses it or how it was fitted.

/// The error of a shallow search against a deeper one, as a normal distribution around zero (Buro, Multi-ProbCut).
///
/// The logarithm of the standard deviation is a sum of [`ProbCut::terms`], so that it follows power laws in the depth of
/// the probe and in the plies it lacks. That extrapolates tamely to depths that are too dear to measure.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ProbCut {
    /// The factor of each term.
    pub factors: [f32; ProbCut::TERMS],
}

impl ProbCut {
    /// Terms in the model.
    pub const TERMS: usize = 6;

    /// The model of the provisional evaluation, fitted to searches of 315 positions to depth 6.
    pub const FALLBACK: Self = Self { factors: [3.234, -5.648, 3.220, -0.319, 0.500, 0.0] };

    /// Least standard deviation in discs, whatever the formula says.
    const LEAST: f32 = 0.5;

    /// The terms for a search to `depth` and a probe to `probe`, which is less, with `empties` squares empty: a
    /// constant, empty squares and their square, the depth of the probe, the plies it lacks, and whether the deep
    /// search solves the position.
    pub fn terms(empties: u8, depth: u8, probe: u8) -> [f32; Self::TERMS] {
        let filled = f32::from(empties) / 64.0;
        let lacking = depth.saturating_sub(probe).max(1);
        let solves = if depth >= empties { 1.0 } else { 0.0 };
        [1.0, filled, filled * filled, (f32::from(probe) + 1.0).ln(), f32::from(lacking).ln(), solves]
    }

    /// Standard deviation in discs of (search to `depth`) − (search to `probe`) with `empties` squares empty.
    pub fn sigma(&self, empties: u8, depth: u8, probe: u8) -> f32 {
        let terms = Self::terms(empties, depth, probe);
        let logarithm: f32 = self.factors.iter().zip(terms).map(|(factor, term)| factor * term).sum();
        logarithm.exp().max(Self::LEAST)
    }

    /// The model with these factors, unless one of them is not a number.
    pub(super) fn from_factors(factors: [f32; Self::TERMS]) -> Option<Self> {
        factors.iter().all(|factor| factor.is_finite()).then_some(Self { factors })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deeper_probes_are_surer() {
        for empties in [20, 36, 50] {
            for depth in (6..18).step_by(2) {
                let sigma = |probe| ProbCut::FALLBACK.sigma(empties, depth, probe);
                assert!(sigma(depth - 2) < sigma(2), "{empties} empty, depth {depth}");
                assert!(sigma(2) < sigma(0));
            }
        }
    }
}
