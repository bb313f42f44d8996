//! Statistics of matches: what a number of colour-swapped pairs says about the strength of engines.
//!
//! Owns Elo, pentanomial, disc and SPRT arithmetic and ratings; must not know games, engines or files. Everything is
//! counted in pairs, because the two games of a pair share their opening and are not independent. Start reading at
//! [`Pentanomial`]; [`Sprt`] decides when a match has said enough, [`ratings`] compares many engines.

mod discs;
mod pentanomial;
mod ratings;
mod sprt;

pub use discs::DiscStats;
pub use pentanomial::{GamePoints, PairPoints, Pentanomial};
pub use ratings::{Encounter, Rating, ratings};
pub use sprt::{DiscSprt, EloModel, Sprt, SprtError, SprtState, Verdict};

use statrs::distribution::{ContinuousCDF, StudentsT};

/// Elo points of a tenfold advantage in odds.
const ELO_PER_DECADE: f64 = 400.0;

/// Normalised Elo of one standard deviation of a game's result: the slope of Elo at an even score, 800 / ln 10
/// (Van den Bergh).
const NORMALISED_PER_DEVIATION: f64 = 2.0 * ELO_PER_DECADE / std::f64::consts::LN_10;

/// A measured value and how far the true one may be from it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The measured value.
    pub value: f64,
    /// Half the width of the 95 % interval around it.
    pub error: f64,
}

/// The Elo difference at which a score (0 to 1) is expected; infinite at 0 and 1.
pub fn elo_from_score(score: f64) -> f64 {
    ELO_PER_DECADE * (score / (1.0 - score)).log10()
}

/// The score (0 to 1) to expect of an engine that is `elo` stronger.
pub fn score_from_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / ELO_PER_DECADE))
}

/// How much Elo changes per unit of score at this score.
fn elo_slope(score: f64) -> f64 {
    ELO_PER_DECADE / std::f64::consts::LN_10 / (score * (1.0 - score))
}

/// How many standard errors a 95 % interval reaches to either side, for a mean of `count` values whose deviation was
/// measured on the same values (Student; 1.96 for many). `None` for fewer than two.
fn reach_of_95_percent(count: u64) -> Option<f64> {
    Some(student(count)?.inverse_cdf(0.975))
}

/// The probability that the true mean is above 0 when `count` values had their mean `deviations` standard errors
/// above it.
fn probability_above(count: u64, deviations: f64) -> Option<f64> {
    Some(student(count)?.cdf(deviations))
}

fn student(count: u64) -> Option<StudentsT> {
    StudentsT::new(0.0, 1.0, count.checked_sub(1)? as f64).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elo_and_score_are_inverse() {
        for elo in [-700.0, -148.2, -1.0, 0.0, 5.0, 400.0] {
            assert!((elo_from_score(score_from_elo(elo)) - elo).abs() < 1e-9, "{elo}");
        }
        assert!((score_from_elo(400.0) - 10.0 / 11.0).abs() < 1e-12);
        assert_eq!(elo_from_score(1.0), f64::INFINITY);
    }

    #[test]
    fn the_interval_is_wider_for_few_values() {
        assert_eq!(reach_of_95_percent(0), None);
        assert_eq!(reach_of_95_percent(1), None);
        assert!((reach_of_95_percent(2).expect("two values") - 12.706).abs() < 1e-3);
        assert!((reach_of_95_percent(1_000_000).expect("many values") - 1.96).abs() < 1e-3);
    }
}
