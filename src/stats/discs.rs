//! Disc differences of pairs: a finer measure than points.

use super::{Estimate, reach_of_95_percent};

/// The running mean and spread of the disc difference of pairs, seen from one engine.
///
/// A pair counts with the mean of its two games, so the unit is discs per game.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct DiscStats {
    pairs: u64,
    mean: f64,
    /// Sum of squared distances from the mean.
    squares: f64,
}

impl DiscStats {
    /// Counts a pair whose games ended with these disc differences for the engine.
    pub fn add(&mut self, games: [i32; 2]) {
        // Welford's update: exact enough without keeping the values.
        let value = f64::from(games[0] + games[1]) / 2.0;
        self.pairs += 1;
        let from_old = value - self.mean;
        self.mean += from_old / self.pairs as f64;
        self.squares += from_old * (value - self.mean);
    }

    /// Number of pairs.
    pub const fn pairs(self) -> u64 {
        self.pairs
    }

    /// Mean disc difference per game; `None` without pairs.
    pub fn mean(self) -> Option<f64> {
        (self.pairs > 0).then_some(self.mean)
    }

    /// The mean disc difference per game with its 95 % error; `None` for fewer than two pairs.
    pub fn estimate(self) -> Option<Estimate> {
        let reach = reach_of_95_percent(self.pairs)?;
        let variance = self.squares / (self.pairs - 1) as f64;
        Some(Estimate { value: self.mean, error: reach * (variance / self.pairs as f64).sqrt() })
    }

    /// Variance of the values as they are (divided by their number); `None` without pairs.
    pub(super) fn variance(self) -> Option<f64> {
        (self.pairs > 0).then(|| self.squares / self.pairs as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mean_and_error_are_those_of_the_pair_means() {
        let mut discs = DiscStats::default();
        for games in [[10, -6], [4, 0], [-2, 2], [20, -8]] {
            discs.add(games);
        }
        // Pair means 2, 2, 0, 6: mean 2.5, sample variance 19/3, Student's factor for 3 degrees of freedom 3.1824.
        let estimate = discs.estimate().expect("four pairs");
        assert!((estimate.value - 2.5).abs() < 1e-12);
        assert!((estimate.error - 3.182_446 * (19.0f64 / 12.0).sqrt()).abs() < 1e-4);
        assert_eq!(DiscStats::default().mean(), None);
        assert_eq!(DiscStats::default().estimate(), None);
    }
}
