//! The fit: weights whose sums come near the labels.
//!
//! Owns the arithmetic of the fit; must not know where labels come from. Each phase is a ridge regression on its
//! positions, solved by preconditioned conjugate gradients on the normal equations: the ridge pulls every weight
//! towards the same weight of the phase after it, so that configurations that are rare in a phase lean on their
//! neighbour, and the preconditioner divides each gradient by how often its weight occurs. A part of the games is held
//! out; the iteration with the least squared error on them is kept. Sums run over a fixed number of parts in a fixed
//! order, so the result does not depend on the number of threads. Start reading at [`fit`].

use super::record::Record;
use super::{Random, TrainError, Watch};
use crate::eval::{PHASES, TERMS, phase, terms, weights_per_phase};
use crate::score::Eval;
use rayon::prelude::*;

/// How to fit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Options {
    /// Strength of the pull towards the neighbouring phase: a weight moves half the way its data ask for when it
    /// occurs this many times.
    pub ridge: f32,
    /// Weight of the positions of the two neighbouring phases, next to 1 for those of the phase itself.
    pub neighbours: f32,
    /// Most iterations per phase.
    pub iterations: u32,
    /// Percentage of games held out.
    pub held_out: u32,
}

impl Default for Options {
    fn default() -> Self {
        Self { ridge: 20.0, neighbours: 0.25, iterations: 40, held_out: 5 }
    }
}

/// Iterations without a better result on the held-out games before a phase is done.
const PATIENCE: u32 = 4;
/// Parts that sums are made of.
const PARTS: usize = 8;
const UNITS: f32 = Eval::UNITS_PER_DISC as f32;

/// How well one number of empty squares is fitted on held-out games.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Accuracy {
    /// Held-out positions.
    pub count: u64,
    /// Mean absolute error in discs.
    pub absolute: f64,
    /// Mean error in discs, positive if the evaluation is too high.
    pub bias: f64,
}

/// The result of a fit.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// The weights of every phase, in units.
    pub weights: Vec<Vec<i16>>,
    /// Accuracy on held-out games by number of empty squares.
    pub accuracy: Vec<Accuracy>,
    /// Positions used for fitting.
    pub fitted: u64,
}

/// Whether a game is held out.
pub fn is_held_out(game: u32, percent: u32) -> bool {
    Random::new(0, game.into()).below(100) < percent.into()
}

/// Fits every phase, the end of the game first. A phase without positions takes over its neighbour's weights.
///
/// # Errors
/// If there are no positions, or it is stopped.
pub fn fit(records: &[Record], options: Options, watch: Watch<'_>) -> Result<Fitted, TrainError> {
    if records.is_empty() {
        return Err(TrainError::Nothing("positions"));
    }
    let mut by_phase: Vec<Vec<u32>> = vec![Vec::new(); PHASES];
    for (number, record) in records.iter().enumerate() {
        by_phase[phase(record.empties())].push(number as u32);
    }
    let mut weights = vec![0.0; weights_per_phase()];
    let mut fitted = Fitted { weights: Vec::new(), accuracy: vec![Accuracy::default(); 61], fitted: 0 };
    for number in 0..PHASES {
        watch.check()?;
        let mut data = Data::default();
        for near in number.saturating_sub(1)..=(number + 1).min(PHASES - 1) {
            let importance = if near == number { 1.0 } else { options.neighbours };
            if importance > 0.0 && !by_phase[number].is_empty() {
                data.extend(records, &by_phase[near], importance, options.held_out);
            }
        }
        fitted.fitted += data.train.rows.len() as u64;
        let gradients = Gradients::new(&data.train, weights.len(), options.ridge);
        gradients.solve(&mut weights, &data, options.iterations);
        let quantised: Vec<i16> = weights.iter().map(|weight| (weight * UNITS).round() as i16).collect();
        measure(&mut fitted.accuracy, &quantised, records, &by_phase[number], options.held_out);
        fitted.weights.push(quantised);
        (watch.progress)(1);
    }
    Ok(fitted)
}

/// The accuracy of quantised weights on the held-out positions of a phase.
fn measure(accuracy: &mut [Accuracy], weights: &[i16], records: &[Record], numbers: &[u32], percent: u32) {
    for record in numbers.iter().map(|&number| &records[number as usize]) {
        if is_held_out(record.game(), percent) {
            let sum: i32 = terms(record.position()).iter().map(|&term| i32::from(weights[term as usize])).sum();
            let error = f64::from(Eval::from_units(sum).clamp(Eval::MIN, Eval::MAX).discs() - record.label().discs());
            let entry = &mut accuracy[record.empties() as usize];
            entry.count += 1;
            // Running means.
            entry.absolute += (error.abs() - entry.absolute) / entry.count as f64;
            entry.bias += (error - entry.bias) / entry.count as f64;
        }
    }
}

/// Positions as rows of the regression.
#[derive(Default)]
struct Rows {
    rows: Vec<[u32; TERMS]>,
    labels: Vec<f32>,
    importance: Vec<f32>,
}

/// Positions to fit and positions to judge by.
#[derive(Default)]
struct Data {
    train: Rows,
    held_out: Rows,
}

impl Data {
    fn extend(&mut self, records: &[Record], numbers: &[u32], importance: f32, percent: u32) {
        let held = |number: &&u32| is_held_out(records[**number as usize].game(), percent);
        let (held_out, train): (Vec<&u32>, Vec<&u32>) = numbers.iter().partition(held);
        // Only the phase itself is judged.
        let judged = if importance < 1.0 { Vec::new() } else { held_out };
        for (rows, numbers) in [(&mut self.train, train), (&mut self.held_out, judged)] {
            let record = |number: &&u32| &records[**number as usize];
            rows.rows.par_extend(numbers.par_iter().map(|number| terms(record(number).position())));
            rows.labels.extend(numbers.iter().map(|number| record(number).label().discs()));
            rows.importance.extend(numbers.iter().map(|_| importance));
        }
    }
}

impl Rows {
    /// The sum of weights of each row.
    fn sums(&self, weights: &[f32]) -> Vec<f32> {
        let sum = |row: &[u32; TERMS]| row.iter().map(|&term| weights[term as usize]).sum();
        self.rows.par_iter().with_min_len(4096).map(sum).collect()
    }

    /// For each weight, the sum of `values` over the rows it occurs in, weighed by importance.
    fn spread(&self, values: &[f32], weights: usize) -> Vec<f32> {
        let size = self.rows.len().div_ceil(PARTS).max(1);
        let parts: Vec<Vec<f32>> =
            (self.rows.par_chunks(size), values.par_chunks(size), self.importance.par_chunks(size))
                .into_par_iter()
                .map(|(rows, values, importance)| {
                    let mut sums = vec![0.0; weights];
                    for ((row, value), importance) in rows.iter().zip(values).zip(importance) {
                        for &term in row {
                            sums[term as usize] += value * importance;
                        }
                    }
                    sums
                })
                .collect();
        let mut total = vec![0.0; weights];
        for part in &parts {
            total.iter_mut().zip(part).for_each(|(total, part)| *total += part);
        }
        total
    }

    /// The mean of the squares of `values`, weighed by importance.
    fn square(&self, values: &[f32]) -> f64 {
        dot(&self.importance.iter().zip(values).map(|(i, v)| i * v).collect::<Vec<_>>(), values)
    }
}

fn dot(a: &[f32], b: &[f32]) -> f64 {
    a.iter().zip(b).map(|(&a, &b)| f64::from(a) * f64::from(b)).sum()
}

fn add_scaled(to: &mut [f32], from: &[f32], scale: f64) {
    to.iter_mut().zip(from).for_each(|(to, &from)| *to += (f64::from(from) * scale) as f32);
}

/// The normal equations of a phase and their preconditioner.
struct Gradients {
    ridge: f32,
    /// How often each weight occurs, with the ridge on top.
    occurrences: Vec<f32>,
}

impl Gradients {
    fn new(rows: &Rows, weights: usize, ridge: f32) -> Self {
        let mut occurrences = rows.spread(&vec![1.0; rows.rows.len()], weights);
        occurrences.iter_mut().for_each(|count| *count += ridge);
        Self { ridge, occurrences }
    }

    /// Moves `weights` towards the best fit, and leaves the best found on the held-out positions.
    fn solve(&self, weights: &mut [f32], data: &Data, iterations: u32) {
        let train = &data.train;
        let errors = |rows: &Rows, weights: &[f32]| -> Vec<f32> {
            rows.labels.iter().zip(rows.sums(weights)).map(|(label, sum)| label - sum).collect()
        };
        let (mut residual, mut judged) = (errors(train, weights), errors(&data.held_out, weights));
        let mut shift = vec![0.0; weights.len()];
        let mut best = (data.held_out.square(&judged), shift.clone(), 0);
        let mut direction = vec![0.0; weights.len()];
        let mut last_norm = f64::INFINITY;
        for iteration in 1..=iterations {
            let mut gradient = train.spread(&residual, weights.len());
            add_scaled(&mut gradient, &shift, -f64::from(self.ridge));
            let scaled: Vec<f32> = gradient.iter().zip(&self.occurrences).map(|(g, count)| g / count).collect();
            let norm = dot(&gradient, &scaled);
            if norm == 0.0 {
                break;
            }
            let keep = norm / last_norm;
            last_norm = norm;
            direction.iter_mut().zip(&scaled).for_each(|(d, s)| *d = s + (f64::from(*d) * keep) as f32);
            let along = train.sums(&direction);
            let step = norm / (train.square(&along) + f64::from(self.ridge) * dot(&direction, &direction));
            add_scaled(&mut shift, &direction, step);
            add_scaled(&mut residual, &along, -step);
            add_scaled(&mut judged, &data.held_out.sums(&direction), -step);
            let error = data.held_out.square(&judged);
            if data.held_out.rows.is_empty() || error < best.0 {
                best = (error, shift.clone(), iteration);
            } else if iteration >= best.2 + PATIENCE {
                break;
            }
        }
        add_scaled(weights, &best.1, 1.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::score::{Draft, Selectivity};
    use crate::search::StopSignal;
    use crate::train::source::random_move;

    /// Positions of random games, worth four discs per corner and one per move more than the opponent.
    fn simple_records(games: u32) -> Vec<Record> {
        let mut records = Vec::new();
        for game in 0..games {
            let mut random = Random::new(3, game.into());
            let mut position = Position::START;
            while let Some(next) = random_move(position, &mut random) {
                position = next;
                let corners = |side: crate::board::Bitboard| (side & crate::board::Bitboard::CORNERS).count() as f32;
                let moves = position.moves().count() as f32 - position.pass().moves().count() as f32;
                let worth = 4.0 * (corners(position.own()) - corners(position.opp())) + moves;
                records.push(
                    Record::unlabelled(position, game)
                        .labelled(Eval::from_discs(worth), Draft::new(0, Selectivity::FULL)),
                );
            }
        }
        records
    }

    fn fit_with_threads(records: &[Record], threads: usize) -> Fitted {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let stop = StopSignal::default();
        let options = Options { held_out: 20, iterations: 20, ..Options::default() };
        pool.install(|| fit(records, options, Watch { stop: &stop, progress: &|_| () })).unwrap()
    }

    #[test]
    fn a_simple_truth_is_learnt_and_threads_do_not_matter() {
        let records = simple_records(1200);
        let fitted = fit_with_threads(&records, 1);
        for empties in [10, 30, 50] {
            let accuracy = fitted.accuracy[empties];
            assert!(accuracy.count > 100 && accuracy.absolute < 2.0, "{empties} empty: {accuracy:?}");
        }
        assert_eq!(fit_with_threads(&records, 3).weights, fitted.weights);
    }
}
