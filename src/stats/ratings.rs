//! Ratings of many engines from the pairs they played against each other.

use super::{ELO_PER_DECADE, Estimate, Pentanomial, score_from_elo};

/// All pairs between two of the engines, seen from `one`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Encounter {
    /// Index of an engine.
    pub one: usize,
    /// Index of its opponent.
    pub other: usize,
    /// Their pairs.
    pub pairs: Pentanomial,
}

/// An engine's rating, in Elo; the mean of the engines rated together is 0. `None` if its results do not bound it.
pub type Rating = Option<Estimate>;

/// Half the width of a 95 % interval in standard errors. Ratings are estimates for many pairs.
const REACH: f64 = 1.96;

/// Elo of one natural unit of log-odds.
const ELO_PER_UNIT: f64 = ELO_PER_DECADE / std::f64::consts::LN_10;

/// The most likely ratings of `engines` engines (Bradley and Terry's model, a draw being half a win) with 95 % errors.
///
/// The errors are those of White's "sandwich", from the spread of the pairs as they came out, so draws and the
/// likeness of the two games of a pair narrow or widen them as they should; for two engines the difference has the
/// error of [`Pentanomial::elo`] (up to Student's factor).
///
/// Ratings exist only among engines that are bound to each other from both sides: each took at least half a point
/// from some other, in a circle. The largest such group is rated (the first of equal ones); the rest are `None`.
///
/// # Panics
/// If an encounter names an engine that there is not, or the same one twice.
pub fn ratings(engines: usize, encounters: &[Encounter]) -> Vec<Rating> {
    assert!(encounters.iter().all(|e| e.one < engines && e.other < engines && e.one != e.other), "engines exist");
    let group = largest_bound_group(engines, encounters);
    let mut rated = vec![None; engines];
    if group.len() < 2 {
        return rated;
    }
    let place = |engine: usize| group.iter().position(|&member| member == engine);
    let inside: Vec<Encounter> = encounters
        .iter()
        .filter_map(|e| Some(Encounter { one: place(e.one)?, other: place(e.other)?, pairs: e.pairs }))
        .filter(|e| e.pairs.pairs() > 0)
        .collect();
    for (&engine, rating) in group.iter().zip(rate(group.len(), &inside)) {
        rated[engine] = Some(rating);
    }
    rated
}

/// The engines of the largest group in which everyone took points, over any number of steps, from everyone.
fn largest_bound_group(engines: usize, encounters: &[Encounter]) -> Vec<usize> {
    let mut took = vec![vec![false; engines]; engines];
    for encounter in encounters {
        let score = encounter.pairs.score();
        took[encounter.one][encounter.other] |= score.is_some_and(|score| score > 0.0);
        took[encounter.other][encounter.one] |= score.is_some_and(|score| score < 1.0);
    }
    for via in 0..engines {
        for from in 0..engines {
            for to in 0..engines {
                took[from][to] |= took[from][via] && took[via][to];
            }
        }
    }
    let group = |engine: usize| -> Vec<usize> {
        (0..engines).filter(|&other| other == engine || (took[engine][other] && took[other][engine])).collect()
    };
    // `max_by_key` keeps the last of equal ones, so the order is reversed.
    (0..engines).rev().map(group).max_by_key(Vec::len).unwrap_or_default()
}

/// Ratings of engines that are all bound to each other.
fn rate(engines: usize, encounters: &[Encounter]) -> Vec<Estimate> {
    let ratings = most_likely(engines, encounters);
    let information = information(engines, encounters, &ratings);
    let factor = Cholesky::new(&information).expect("connected engines have a definite information matrix");
    // The spread of the gradient over the pairs as they came out.
    let mut spread = vec![vec![0.0; engines]; engines];
    for encounter in encounters {
        let expected = score_from_elo(ratings[encounter.one] - ratings[encounter.other]);
        let counts = encounter.pairs.counts();
        let squares: f64 = counts
            .iter()
            .zip(Pentanomial::SCORES)
            .map(|(&count, score)| count as f64 * (2.0 * (score - expected)).powi(2))
            .sum();
        add_difference(&mut spread, encounter, squares);
    }
    let inverse: Vec<Vec<f64>> = (0..engines).map(|engine| factor.solve(&unit_around_mean(engines, engine))).collect();
    (0..engines)
        .map(|engine| {
            let variance = quadratic(&spread, &inverse[engine]);
            Estimate { value: ratings[engine], error: REACH * variance.max(0.0).sqrt() * ELO_PER_UNIT }
        })
        .collect()
}

/// Newton's method on the log-likelihood, which has a single maximum; the mean stays 0.
fn most_likely(engines: usize, encounters: &[Encounter]) -> Vec<f64> {
    const ROUNDS: usize = 200;
    const LONGEST_STEP: f64 = 200.0;
    let mut ratings = vec![0.0; engines];
    for _ in 0..ROUNDS {
        let mut gradient = vec![0.0; engines];
        for encounter in encounters {
            let expected = score_from_elo(ratings[encounter.one] - ratings[encounter.other]);
            let surplus = 2.0
                * encounter.pairs.pairs() as f64
                * (encounter.pairs.score().expect("encounters have pairs") - expected);
            gradient[encounter.one] += surplus;
            gradient[encounter.other] -= surplus;
        }
        let Some(factor) = Cholesky::new(&information(engines, encounters, &ratings)) else { break };
        let step = factor.solve(&gradient);
        let longest = step.iter().map(|part| (part * ELO_PER_UNIT).abs()).fold(0.0, f64::max);
        let damping = (LONGEST_STEP / longest.max(LONGEST_STEP)).min(1.0);
        for (rating, part) in ratings.iter_mut().zip(&step) {
            *rating += part * ELO_PER_UNIT * damping;
        }
        if longest < 1e-9 {
            break;
        }
    }
    ratings
}

/// Minus the second derivative of the log-likelihood in natural units, made definite by adding the same to every
/// entry: that fixes the mean, which the likelihood does not know, at 0.
fn information(engines: usize, encounters: &[Encounter], ratings: &[f64]) -> Vec<Vec<f64>> {
    let mut matrix = vec![vec![1.0; engines]; engines];
    for encounter in encounters {
        let expected = score_from_elo(ratings[encounter.one] - ratings[encounter.other]);
        add_difference(&mut matrix, encounter, 2.0 * encounter.pairs.pairs() as f64 * expected * (1.0 - expected));
    }
    matrix
}

/// Adds `weight` times the square of (one − other).
fn add_difference(matrix: &mut [Vec<f64>], encounter: &Encounter, weight: f64) {
    let Encounter { one, other, .. } = *encounter;
    matrix[one][one] += weight;
    matrix[other][other] += weight;
    matrix[one][other] -= weight;
    matrix[other][one] -= weight;
}

/// One engine's rating less the mean of all.
fn unit_around_mean(engines: usize, engine: usize) -> Vec<f64> {
    (0..engines).map(|other| f64::from(u8::from(other == engine)) - 1.0 / engines as f64).collect()
}

fn quadratic(matrix: &[Vec<f64>], vector: &[f64]) -> f64 {
    matrix.iter().zip(vector).map(|(row, x)| x * row.iter().zip(vector).map(|(a, y)| a * y).sum::<f64>()).sum()
}

/// A symmetric positive definite matrix as the square of a lower triangle.
struct Cholesky(Vec<Vec<f64>>);

impl Cholesky {
    /// `None` if the matrix is not positive definite.
    fn new(matrix: &[Vec<f64>]) -> Option<Self> {
        let size = matrix.len();
        let mut lower = vec![vec![0.0; size]; size];
        for row in 0..size {
            for column in 0..=row {
                let dot: f64 = (0..column).map(|k| lower[row][k] * lower[column][k]).sum();
                let rest = matrix[row][column] - dot;
                lower[row][column] = if row == column {
                    if rest <= 0.0 {
                        return None;
                    }
                    rest.sqrt()
                } else {
                    rest / lower[column][column]
                };
            }
        }
        Some(Self(lower))
    }

    /// The vector that the matrix takes to `target`.
    fn solve(&self, target: &[f64]) -> Vec<f64> {
        let lower = &self.0;
        let size = target.len();
        let mut x = target.to_vec();
        for row in 0..size {
            let dot: f64 = (0..row).map(|k| lower[row][k] * x[k]).sum();
            x[row] = (x[row] - dot) / lower[row][row];
        }
        for row in (0..size).rev() {
            let dot: f64 = (row + 1..size).map(|k| lower[k][row] * x[k]).sum();
            x[row] = (x[row] - dot) / lower[row][row];
        }
        x
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn met(one: usize, other: usize, counts: [u64; 5]) -> Encounter {
        Encounter { one, other, pairs: Pentanomial::new(counts) }
    }

    #[test]
    fn two_engines_are_as_far_apart_as_their_match_says() {
        let pairs = Pentanomial::new([860, 176, 4265, 388, 5095]);
        let rated = ratings(2, &[Encounter { one: 0, other: 1, pairs }]);
        let (first, second) = (rated[0].expect("rated"), rated[1].expect("rated"));
        assert!((first.value - second.value - pairs.elo().expect("finite").value).abs() < 1e-6);
        assert!((first.value + second.value).abs() < 1e-6);
        // Each moves by half of what the difference moves.
        let error = pairs.elo().expect("finite").error;
        assert!((2.0 * first.error - error).abs() < 0.01, "{} and {error}", first.error);
    }

    #[test]
    fn exact_scores_give_back_the_ratings_they_came_from() {
        let truth = [180.0, 20.0, -50.0, -150.0];
        let mut encounters = Vec::new();
        for one in 0..4 {
            for other in one + 1..4 {
                let wins = (1e9 * score_from_elo(truth[one] - truth[other])).round() as u64;
                encounters.push(met(one, other, [1_000_000_000 - wins, 0, 0, 0, wins]));
            }
        }
        for (rating, expected) in ratings(4, &encounters).into_iter().zip(truth) {
            assert!((rating.expect("rated").value - expected).abs() < 1e-4, "{rating:?} {expected}");
        }
    }

    #[test]
    fn order_and_view_do_not_matter() {
        let encounters = [met(0, 1, [3, 2, 9, 4, 8]), met(1, 2, [5, 1, 7, 1, 4]), met(2, 0, [6, 2, 5, 1, 3])];
        let turned = [met(0, 2, [3, 1, 5, 2, 6]), met(2, 1, [4, 1, 7, 1, 5]), met(1, 0, [8, 4, 9, 2, 3])];
        for (one, other) in ratings(3, &encounters).into_iter().zip(ratings(3, &turned)) {
            let (one, other) = (one.expect("rated"), other.expect("rated"));
            assert!((one.value - other.value).abs() < 1e-6 && (one.error - other.error).abs() < 1e-6);
            assert!(one.error > 10.0);
        }
    }

    #[test]
    fn who_lost_everything_has_no_rating() {
        let rated = ratings(3, &[met(0, 1, [3, 2, 9, 4, 8]), met(0, 2, [0, 0, 0, 0, 5]), met(1, 2, [0, 0, 0, 0, 5])]);
        assert!(rated[0].is_some() && rated[1].is_some());
        assert_eq!(rated[2], None);
        assert_eq!(ratings(2, &[]), [None, None]);
        assert_eq!(ratings(0, &[]), []);
    }
}
