//! The five possible results of a colour-swapped pair, counted.

use super::{Estimate, NORMALISED_PER_DEVIATION, elo_from_score, elo_slope, probability_above, reach_of_95_percent};

/// The result of one game for one engine.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum GamePoints {
    /// Lost: no point.
    Loss,
    /// Drawn: half a point.
    Draw,
    /// Won: a point.
    Win,
}

impl GamePoints {
    /// The result of a game that ended with this disc difference for the engine.
    pub const fn from_discs(discs: i32) -> Self {
        match discs {
            ..0 => Self::Loss,
            0 => Self::Draw,
            1.. => Self::Win,
        }
    }

    /// The same game for the opponent.
    pub const fn opposite(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }
}

/// The result of a pair for one engine, in half points: 0 to 4.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PairPoints(u8);

impl PairPoints {
    /// The result of a pair with these two games.
    pub const fn new(one: GamePoints, other: GamePoints) -> Self {
        Self(one as u8 + other as u8)
    }

    /// Half points, 0 to 4.
    pub const fn half_points(self) -> u8 {
        self.0
    }
}

/// How often each result of a pair came up, for one of the two engines: 0, ½, 1, 1½ and 2 points.
///
/// ```
/// use volte::stats::Pentanomial;
/// let elo = Pentanomial::new([860, 176, 4265, 388, 5095]).elo().expect("many pairs");
/// assert_eq!(format!("{:+.1} ± {:.1}", elo.value, elo.error), "+148.2 ± 5.0");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Pentanomial([u64; 5]);

impl Pentanomial {
    /// A pair's score as a share of its two points, per number of half points.
    pub(super) const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

    /// The counts of pairs with 0, ½, 1, 1½ and 2 points.
    pub const fn new(counts: [u64; 5]) -> Self {
        Self(counts)
    }

    /// The counts of pairs with 0, ½, 1, 1½ and 2 points.
    pub const fn counts(self) -> [u64; 5] {
        self.0
    }

    /// Counts one more pair.
    pub const fn add(&mut self, pair: PairPoints) {
        self.0[pair.0 as usize] += 1;
    }

    /// The same pairs for the opponent.
    pub const fn opposite(self) -> Self {
        let [a, b, c, d, e] = self.0;
        Self([e, d, c, b, a])
    }

    /// Number of pairs.
    pub fn pairs(self) -> u64 {
        self.0.iter().sum()
    }

    /// The mean score, 0 to 1; `None` without pairs.
    pub fn score(self) -> Option<f64> {
        let pairs = self.pairs();
        (pairs > 0).then(|| self.sum(|score| score) / pairs as f64)
    }

    /// The Elo difference with its 95 % error.
    ///
    /// `None` while it has no finite value: fewer than two pairs, or every point went to one side.
    pub fn elo(self) -> Option<Estimate> {
        let score = self.score().filter(|&score| score > 0.0 && score < 1.0)?;
        let error = reach_of_95_percent(self.pairs())? * self.standard_error()?;
        Some(Estimate { value: elo_from_score(score), error: error * elo_slope(score) })
    }

    /// The normalised Elo difference with its 95 % error: the advantage in standard deviations of a game, scaled so
    /// that it equals Elo when no game is drawn and pairs are independent (Van den Bergh). It says how many games a
    /// test needs, whatever the share of draws. The error takes the deviation as known.
    ///
    /// `None` while it has no finite value: fewer than two pairs, or all pairs alike.
    pub fn normalised_elo(self) -> Option<Estimate> {
        let per_game = self.deviation().filter(|&deviation| deviation > 0.0)? * std::f64::consts::SQRT_2;
        let value = (self.score()? - 0.5) / per_game * NORMALISED_PER_DEVIATION;
        let error = reach_of_95_percent(self.pairs())? * self.standard_error()? / per_game;
        Some(Estimate { value, error: error * NORMALISED_PER_DEVIATION })
    }

    /// The likelihood of superiority: how probable it is that the engine is the stronger one, 0 to 1.
    ///
    /// When all pairs had the same result there is no deviation to measure by; then the answer is the one of Bayes
    /// for a coin that fell on the same side every time. `None` without pairs.
    pub fn superiority(self) -> Option<f64> {
        let advantage = self.score()? - 0.5;
        match self.standard_error() {
            Some(error) if error > 0.0 => probability_above(self.pairs(), advantage / error),
            _ if advantage == 0.0 => Some(0.5),
            _ => {
                let other_side = 0.5f64.powf(self.pairs() as f64 + 1.0);
                Some(if advantage > 0.0 { 1.0 - other_side } else { other_side })
            }
        }
    }

    /// The standard deviation of a pair's score; `None` without pairs.
    fn deviation(self) -> Option<f64> {
        let mean = self.score()?;
        Some((self.sum(|score| (score - mean).powi(2)) / self.pairs() as f64).sqrt())
    }

    /// The standard error of the mean score; `None` without pairs.
    fn standard_error(self) -> Option<f64> {
        Some(self.deviation()? / (self.pairs() as f64).sqrt())
    }

    /// The sum of `value(score)` over all pairs.
    fn sum(self, value: impl Fn(f64) -> f64) -> f64 {
        self.0.iter().zip(Self::SCORES).map(|(&count, score)| count as f64 * value(score)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(estimate: Option<Estimate>, digits: usize) -> String {
        let estimate = estimate.expect("the value is finite");
        format!("{:+.digits$} ± {:.digits$}", estimate.value, estimate.error)
    }

    #[test]
    fn published_othello_matches_come_out_the_same() {
        // Results of neural-reversi over the large XOT list, 21,568 games each.
        assert_eq!(shown(Pentanomial::new([860, 176, 4265, 388, 5095]).elo(), 1), "+148.2 ± 5.0");
        assert_eq!(shown(Pentanomial::new([2410, 367, 5075, 327, 2605]).elo(), 1), "+5.6 ± 4.5");
    }

    #[test]
    fn published_chess_matches_come_out_the_same() {
        // Match results as fastchess printed them: Elo, normalised Elo and likelihood of superiority.
        let published = [
            ([283, 1151, 2214, 1221, 281], "+2.23 ± 4.50", "+3.32 ± 6.71", "83.4"),
            ([153, 1043, 2108, 1159, 167], "+5.40 ± 4.34", "+8.82 ± 7.08", "99.3"),
            ([235, 1384, 2521, 1341, 239], "-1.06 ± 4.05", "-1.67 ± 6.37", "30.3"),
        ];
        for (counts, elo, normalised, superiority) in published {
            let pairs = Pentanomial::new(counts);
            assert_eq!(shown(pairs.elo(), 2), elo);
            assert_eq!(shown(pairs.normalised_elo(), 2), normalised);
            assert_eq!(format!("{:.1}", 100.0 * pairs.superiority().expect("there are pairs")), superiority);
        }
    }

    #[test]
    fn the_opponent_sees_the_opposite() {
        let pairs = Pentanomial::new([10, 3, 20, 7, 15]);
        let mirrored = pairs.opposite();
        let (ours, theirs) = (pairs.elo().expect("finite"), mirrored.elo().expect("finite"));
        assert!((ours.value + theirs.value).abs() < 1e-9);
        assert!((ours.error - theirs.error).abs() < 1e-9);
        let superior = pairs.superiority().expect("pairs") + mirrored.superiority().expect("pairs");
        assert!((superior - 1.0).abs() < 1e-9);
    }

    #[test]
    fn too_little_to_say_is_said() {
        assert_eq!(Pentanomial::default().score(), None);
        assert_eq!(Pentanomial::default().superiority(), None);
        assert_eq!(Pentanomial::new([0, 0, 1, 0, 0]).elo(), None, "one pair has no error");
        assert_eq!(Pentanomial::new([0, 0, 0, 0, 9]).elo(), None, "all points on one side");
        assert_eq!(Pentanomial::new([0, 0, 9, 0, 0]).elo(), Some(Estimate { value: 0.0, error: 0.0 }));
        assert_eq!(Pentanomial::new([0, 0, 9, 0, 0]).normalised_elo(), None, "all pairs alike");
        assert_eq!(Pentanomial::new([0, 0, 9, 0, 0]).superiority(), Some(0.5));
        assert_eq!(Pentanomial::new([0, 0, 0, 0, 1]).superiority(), Some(0.75));
        assert_eq!(Pentanomial::new([2, 0, 0, 0, 0]).superiority(), Some(0.125));
    }

    #[test]
    fn pairs_are_counted_by_their_half_points() {
        let mut pairs = Pentanomial::default();
        pairs.add(PairPoints::new(GamePoints::from_discs(4), GamePoints::from_discs(-2)));
        pairs.add(PairPoints::new(GamePoints::Win, GamePoints::Draw));
        pairs.add(PairPoints::new(GamePoints::Loss, GamePoints::Win.opposite()));
        assert_eq!(pairs.counts(), [1, 0, 1, 1, 0]);
        assert_eq!(pairs.score(), Some(2.5 / 6.0));
    }
}
