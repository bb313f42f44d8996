//! Sequential probability ratio tests: stop a match as soon as it has said enough.
//!
//! Both tests compare the hypothesis "the difference is the lower value" with "it is the upper value" by the
//! generalised likelihood ratio: each hypothesis takes the best-fitting distribution of pair results that agrees with
//! it (Van den Bergh, "Normalized Elo" and "The generalized maximum likelihood ratio for the expectation value of a
//! distribution"). Wald's bounds then keep the share of wrong verdicts near alpha and beta.

use super::{DiscStats, NORMALISED_PER_DEVIATION, Pentanomial, score_from_elo};
use thiserror::Error;

/// What a match has decided.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Verdict {
    /// Not enough pairs yet.
    Open,
    /// The lower value was accepted.
    Lower,
    /// The upper value was accepted: the change passes.
    Upper,
}

/// Which Elo the bounds of a test are in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum EloModel {
    /// Ordinary Elo, from the mean score.
    #[default]
    Logistic,
    /// Normalised Elo; see [`Pentanomial::normalised_elo`].
    Normalised,
}

/// The parameters are not a test.
#[derive(Clone, Copy, PartialEq, Debug, Error)]
pub enum SprtError {
    /// The lower value is not below the upper one.
    #[error("the lower bound {0} of the test is not below the upper bound {1}")]
    Bounds(f64, f64),
    /// Alpha or beta is not a share of errors that a test can have.
    #[error("an error rate of {0} is not between 0 and 0.5")]
    Rate(f64),
}

/// Where a test stands.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SprtState {
    /// The log-likelihood ratio of the upper value to the lower one.
    pub llr: f64,
    /// At or below this the lower value is accepted.
    pub lower: f64,
    /// At or above this the upper value is accepted.
    pub upper: f64,
    /// What that means.
    pub verdict: Verdict,
}

/// Two values of a difference to decide between, and how often the decision may be wrong.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Hypotheses {
    lower: f64,
    upper: f64,
    alpha: f64,
    beta: f64,
}

impl Hypotheses {
    fn new([lower, upper]: [f64; 2], [alpha, beta]: [f64; 2]) -> Result<Self, SprtError> {
        // Written so that NaN is refused too.
        if !matches!(lower.partial_cmp(&upper), Some(std::cmp::Ordering::Less)) || !(upper - lower).is_finite() {
            return Err(SprtError::Bounds(lower, upper));
        }
        match [alpha, beta].into_iter().find(|rate| !(*rate > 0.0 && *rate < 0.5)) {
            Some(rate) => Err(SprtError::Rate(rate)),
            None => Ok(Self { lower, upper, alpha, beta }),
        }
    }

    fn state(&self, llr: f64) -> SprtState {
        let lower = (self.beta / (1.0 - self.alpha)).ln();
        let upper = ((1.0 - self.beta) / self.alpha).ln();
        let verdict = if llr >= upper {
            Verdict::Upper
        } else if llr <= lower {
            Verdict::Lower
        } else {
            Verdict::Open
        };
        SprtState { llr, lower, upper, verdict }
    }
}

/// A test on the pentanomial.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    hypotheses: Hypotheses,
    model: EloModel,
}

impl Sprt {
    /// What an impossible result counts, so that a result not seen yet keeps a likelihood.
    const PRIOR: f64 = 1e-3;

    /// A test of Elo `bounds[0]` against `bounds[1]`; `rates` are alpha (the upper value is accepted although the
    /// lower is true) and beta (the other way round).
    ///
    /// # Errors
    /// If the bounds are not in order or a rate is not between 0 and ½.
    pub fn new(model: EloModel, bounds: [f64; 2], rates: [f64; 2]) -> Result<Self, SprtError> {
        Ok(Self { hypotheses: Hypotheses::new(bounds, rates)?, model })
    }

    /// Where the test stands after these pairs.
    pub fn state(&self, pairs: Pentanomial) -> SprtState {
        self.hypotheses.state(self.log_likelihood_ratio(pairs))
    }

    fn log_likelihood_ratio(&self, pairs: Pentanomial) -> f64 {
        if pairs.pairs() == 0 {
            return 0.0;
        }
        let counts = pairs.counts().map(|count| if count == 0 { Self::PRIOR } else { count as f64 });
        let total: f64 = counts.iter().sum();
        let seen = counts.map(|count| count / total);
        let [lower, upper] = [self.hypotheses.lower, self.hypotheses.upper].map(|elo| match self.model {
            EloModel::Logistic => best_fit_with_mean(&seen, score_from_elo(elo)),
            EloModel::Normalised => best_fit_with_t(&seen, elo / NORMALISED_PER_DEVIATION * std::f64::consts::SQRT_2),
        });
        counts.iter().zip(upper.iter().zip(lower)).map(|(count, (up, low))| count * (up / low).ln()).sum()
    }
}

/// The most likely distribution, given the shares that were `seen`, among those whose mean score is `mean`.
fn best_fit_with_mean(seen: &[f64; 5], mean: f64) -> [f64; 5] {
    best_fit(seen, &Pentanomial::SCORES.map(|score| score - mean))
}

/// The most likely distribution, given the shares that were `seen`, among those whose mean score is `t` of their own
/// standard deviations above ½.
///
/// The condition is not linear, so it is replaced by its tangent at the current distribution until that stands still.
fn best_fit_with_t(seen: &[f64; 5], t: f64) -> [f64; 5] {
    const ROUNDS: usize = 50;
    const CLOSE: f64 = 1e-12;
    let mut fit = *seen;
    for _ in 0..ROUNDS {
        let mean: f64 = fit.iter().zip(Pentanomial::SCORES).map(|(share, score)| share * score).sum();
        let variance: f64 =
            fit.iter().zip(Pentanomial::SCORES).map(|(share, score)| share * (score - mean).powi(2)).sum();
        let deviation = variance.sqrt();
        let tangent = Pentanomial::SCORES
            .map(|score| score - 0.5 - t * deviation * (1.0 + ((score - mean) / deviation).powi(2)) / 2.0);
        let next = best_fit(seen, &tangent);
        let moved = fit.iter().zip(next).map(|(old, new)| (old - new).abs()).fold(0.0, f64::max);
        fit = next;
        if moved < CLOSE {
            break;
        }
    }
    fit
}

/// The most likely distribution, given the shares that were `seen`, under which `values` have the mean 0:
/// `seen / (1 + θ·values)` with the one θ that fulfils the condition. If no value lies on one side of 0 there is no
/// such distribution, and the answer is the nearest one.
fn best_fit(seen: &[f64; 5], values: &[f64; 5]) -> [f64; 5] {
    const HALVINGS: usize = 60;
    let least = values.iter().copied().fold(f64::INFINITY, f64::min).min(-f64::EPSILON);
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max).max(f64::EPSILON);
    // Between the poles the mean falls as θ grows.
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    for _ in 0..HALVINGS {
        let theta = (low + high) / 2.0;
        let mean: f64 = seen.iter().zip(values).map(|(share, value)| share * value / (1.0 + theta * value)).sum();
        if mean > 0.0 {
            low = theta;
        } else {
            high = theta;
        }
    }
    let theta = (low + high) / 2.0;
    let mut fit = [0.0; 5];
    for ((out, share), value) in fit.iter_mut().zip(seen).zip(values) {
        *out = share / (1.0 + theta * value);
    }
    fit
}

/// A test on the mean disc difference of pairs, in discs per game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct DiscSprt {
    hypotheses: Hypotheses,
}

impl DiscSprt {
    /// Below this number of pairs their spread is not known well enough to decide anything.
    pub const MIN_PAIRS: u64 = 30;

    /// A test of a mean disc difference of `bounds[0]` against `bounds[1]`; `rates` are alpha and beta as in
    /// [`Sprt::new`].
    ///
    /// # Errors
    /// If the bounds are not in order or a rate is not between 0 and ½.
    pub fn new(bounds: [f64; 2], rates: [f64; 2]) -> Result<Self, SprtError> {
        Ok(Self { hypotheses: Hypotheses::new(bounds, rates)? })
    }

    /// Where the test stands after these pairs. Differences are taken as normal with an unknown spread; the ratio is
    /// 0 below [`DiscSprt::MIN_PAIRS`] and while all pairs are alike.
    pub fn state(&self, discs: DiscStats) -> SprtState {
        self.hypotheses.state(self.log_likelihood_ratio(discs).unwrap_or(0.0))
    }

    fn log_likelihood_ratio(&self, discs: DiscStats) -> Option<f64> {
        let mean = discs.mean().filter(|_| discs.pairs() >= Self::MIN_PAIRS)?;
        let variance = discs.variance().filter(|&variance| variance > 0.0)?;
        // Each hypothesis takes the spread that fits it best, so the ratio is one of variances around its value.
        let around = |value: f64| variance + (mean - value).powi(2);
        Some(discs.pairs() as f64 / 2.0 * (around(self.hypotheses.lower) / around(self.hypotheses.upper)).ln())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::{Rng, SeedableRng};

    const FIVE_PERCENT: [f64; 2] = [0.05, 0.05];

    fn uniform(random: &mut impl Rng) -> f64 {
        (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    fn llr(model: EloModel, bounds: [f64; 2], counts: [u64; 5]) -> f64 {
        Sprt::new(model, bounds, FIVE_PERCENT).expect("a test").state(Pentanomial::new(counts)).llr
    }

    #[test]
    fn published_tests_come_out_the_same() {
        // As printed by fastchess and OpenBench in public pull requests.
        for (model, bounds, counts, published) in [
            (EloModel::Normalised, [-5.0, 3.0], [283, 1151, 2214, 1221, 281], 2.95),
            (EloModel::Normalised, [0.0, 8.0], [153, 1043, 2108, 1159, 167], 2.96),
            (EloModel::Normalised, [0.0, 5.0], [436, 2073, 3684, 2212, 480], 3.04),
            (EloModel::Normalised, [0.0, 5.0], [80, 247, 439, 298, 140], 2.96),
            (EloModel::Normalised, [0.0, 3.0], [165, 4805, 10395, 4996, 207], 3.00),
            (EloModel::Normalised, [-5.0, 0.0], [114, 3901, 8151, 3869, 119], 2.74),
            (EloModel::Logistic, [-5.0, 0.0], [235, 1384, 2521, 1341, 239], 1.69),
        ] {
            let ours = llr(model, bounds, counts);
            assert!((ours - published).abs() < 0.015, "{ours} is not {published} for {counts:?}");
        }
    }

    #[test]
    fn fits_fulfil_their_condition() {
        let seen = [0.1, 0.05, 0.5, 0.15, 0.2];
        for target in [0.3, 0.5, 0.52, 0.9] {
            let fit = best_fit_with_mean(&seen, target);
            let mean: f64 = fit.iter().zip(Pentanomial::SCORES).map(|(share, score)| share * score).sum();
            assert!((mean - target).abs() < 1e-9, "{mean} for {target}");
            assert!((fit.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        }
        for t in [-0.3, 0.0, 0.1, 0.5] {
            let fit = best_fit_with_t(&seen, t);
            let mean: f64 = fit.iter().zip(Pentanomial::SCORES).map(|(share, score)| share * score).sum();
            let variance: f64 =
                fit.iter().zip(Pentanomial::SCORES).map(|(share, score)| share * (score - mean).powi(2)).sum();
            assert!(((mean - 0.5) / variance.sqrt() - t).abs() < 1e-9, "{mean} {variance} for {t}");
        }
    }

    #[test]
    fn lopsided_results_stay_finite() {
        for counts in [[9, 0, 0, 0, 0], [0, 0, 0, 0, 9], [0, 0, 9, 0, 0], [1, 0, 0, 0, 0], [0; 5]] {
            for model in [EloModel::Logistic, EloModel::Normalised] {
                assert!(llr(model, [0.0, 5.0], counts).is_finite(), "{counts:?} {model:?}");
                assert!(llr(model, [-800.0, 800.0], counts).is_finite(), "{counts:?} {model:?}");
            }
        }
    }

    #[test]
    fn bounds_are_those_of_wald() {
        let state =
            Sprt::new(EloModel::Logistic, [0.0, 5.0], FIVE_PERCENT).expect("a test").state(Pentanomial::default());
        assert_eq!(format!("{:.2} {:.2}", state.lower, state.upper), "-2.94 2.94");
        assert_eq!(state.verdict, Verdict::Open);
        let state = DiscSprt::new([0.0, 1.0], [0.05, 0.1]).expect("a test").state(DiscStats::default());
        assert_eq!(format!("{:.2} {:.2}", state.lower, state.upper), "-2.25 2.89");
    }

    #[test]
    fn what_is_not_a_test_is_refused() {
        assert_eq!(Sprt::new(EloModel::Logistic, [5.0, 5.0], FIVE_PERCENT), Err(SprtError::Bounds(5.0, 5.0)));
        assert!(DiscSprt::new([0.0, f64::NAN], FIVE_PERCENT).is_err());
        assert!(DiscSprt::new([0.0, f64::INFINITY], FIVE_PERCENT).is_err());
        assert_eq!(DiscSprt::new([0.0, 1.0], [0.05, 0.5]), Err(SprtError::Rate(0.5)));
        assert_eq!(DiscSprt::new([0.0, 1.0], [0.0, 0.05]), Err(SprtError::Rate(0.0)));
    }

    /// The share of simulated matches in which the upper value was accepted.
    fn share_of_passes(runs: u32, mut run: impl FnMut(&mut Xoshiro256PlusPlus) -> Verdict) -> f64 {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(20);
        let passes = (0..runs).filter(|_| run(&mut random) == Verdict::Upper).count();
        passes as f64 / f64::from(runs)
    }

    /// One match whose pairs come from these shares.
    fn simulate(test: &Sprt, shares: &[f64; 5], random: &mut Xoshiro256PlusPlus) -> Verdict {
        let mut counts = [0; 5];
        loop {
            for _ in 0..32 {
                let mut rest = uniform(random);
                let result = shares.iter().position(|share| {
                    rest -= share;
                    rest < 0.0
                });
                counts[result.unwrap_or(4)] += 1;
            }
            let verdict = test.state(Pentanomial::new(counts)).verdict;
            if verdict != Verdict::Open {
                return verdict;
            }
        }
    }

    #[test]
    fn a_worthless_change_passes_in_about_one_run_of_twenty() {
        let shares = [0.1, 0.12, 0.56, 0.12, 0.1];
        for model in [EloModel::Logistic, EloModel::Normalised] {
            let test = Sprt::new(model, [0.0, 5.0], FIVE_PERCENT).expect("a test");
            let passes = share_of_passes(400, |random| simulate(&test, &shares, random));
            assert!((0.025..0.075).contains(&passes), "{passes} of the runs passed, {model:?}");
        }
    }

    #[test]
    fn a_good_change_fails_in_about_one_run_of_twenty() {
        let test = Sprt::new(EloModel::Logistic, [0.0, 5.0], FIVE_PERCENT).expect("a test");
        let shares = best_fit_with_mean(&[0.1, 0.12, 0.56, 0.12, 0.1], score_from_elo(5.0));
        let passes = share_of_passes(400, |random| simulate(&test, &shares, random));
        assert!((0.925..0.975).contains(&passes), "{passes} of the runs passed");
    }

    #[test]
    fn the_test_on_discs_errs_as_often_as_it_may() {
        let test = DiscSprt::new([0.0, 1.0], FIVE_PERCENT).expect("a test");
        for (truth, expected) in [(0.0, 0.05), (1.0, 0.95)] {
            let passes = share_of_passes(600, |random| {
                let mut discs = DiscStats::default();
                loop {
                    // Twelve uniform values make a good normal one; sigma of a pair's mean is about 10 discs.
                    let noise: f64 = (0..12).map(|_| uniform(random) - 0.5).sum();
                    let sum = (2.0 * (truth + 10.0 * noise)).round() as i32;
                    discs.add([sum, 0]);
                    let verdict = test.state(discs).verdict;
                    if verdict != Verdict::Open {
                        return verdict;
                    }
                }
            });
            assert!((passes - expected).abs() < 0.025, "{passes} of the runs passed, truth {truth}");
        }
    }
}
