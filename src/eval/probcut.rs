//! The error model of shallow searches, for ProbCut.
//!
//! Owns the formula and its numbers; must not know how a search uses it or how it was fitted.

/// The error of a shallow search against a deeper one, as a normal distribution (Buro, Multi-ProbCut).
///
/// The standard deviation is a quadratic in `x = a·empties + b·depth + c·probe`, in discs.
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

    /// Numbers in the model.
    pub(super) const NUMBERS: usize = 6;

    /// Standard deviation in discs of (search to `depth`) − (search to `probe`) with `empties` squares empty.
    pub fn sigma(&self, empties: u8, depth: u8, probe: u8) -> f32 {
        let [a, b, c] = self.mix;
        let x = a * f32::from(empties) + b * f32::from(depth) + c * f32::from(probe);
        let [s0, s1, s2] = self.sigma;
        (s0 + x * (s1 + x * s2)).max(0.5)
    }

    /// The model as a list of numbers, for a file.
    pub(super) fn numbers(&self) -> [f32; Self::NUMBERS] {
        let [[a, b, c], [s0, s1, s2]] = [self.mix, self.sigma];
        [a, b, c, s0, s1, s2]
    }

    /// The model from its list of numbers, unless one of them is not a number.
    pub(super) fn from_numbers(numbers: [f32; Self::NUMBERS]) -> Option<Self> {
        let [a, b, c, s0, s1, s2] = numbers;
        numbers.iter().all(|number| number.is_finite()).then_some(Self { mix: [a, b, c], sigma: [s0, s1, s2] })
    }
}
