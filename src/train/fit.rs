//! The fit: weights whose values come near the labels.
//!
//! Owns the arithmetic of the fit; must not know where labels come from. Each phase is a network of its own, fitted by
//! stochastic gradient descent on its positions and those of its margin, a few empty squares to both sides, which
//! neighbouring phases share. Rows of configurations follow AdaGrad (Duchi, Hazan and Singer), whose steps shrink with
//! each time that a configuration is seen, so that rare ones learn at once and frequent ones settle; the layers behind
//! them, RMSprop (Tieleman and Hinton). Steps shrink linearly to nothing. Far errors pull no more than
//! [`Options::far`] does (Huber's loss). A part of the games is held out; the epoch with the least error on them is
//! kept. Phases are fitted side by side and each by one thread, so the result does not depend on the number of threads.
//! Start reading at [`fit`].

use super::record::Record;
use super::{Random, TrainError, Watch};
use crate::eval::{
    CHANNELS, Evaluator, HIDDEN, Layers, PHASES, Patterns, PhaseWeights, ProbCut, Row, TERMS, WeightsFile, empties_of,
    rows_per_phase, terms,
};
use rayon::prelude::*;

/// How to fit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Options {
    /// Times that each position is learnt from.
    pub epochs: u32,
    /// Length of the first steps of rows.
    pub rate: f32,
    /// Length of the first steps of the layers behind them.
    pub layer_rate: f32,
    /// Errors beyond this, in discs, pull no harder.
    pub far: f32,
    /// Numbers of empty squares to both sides of a phase whose positions it learns from, too.
    pub margin: u32,
    /// Percentage of games held out.
    pub held_out: u32,
}

impl Default for Options {
    fn default() -> Self {
        Self { epochs: 5, rate: 0.02, layer_rate: 0.001, far: 3.0, margin: 5, held_out: 5 }
    }
}

/// Discs to a value of 1 inside the network.
const DISCS: f32 = 16.0;
/// What AdaGrad believes to have seen of every row: it shortens first steps.
const SEEN: f32 = 4.0;
/// How much RMSprop remembers.
const MEMORY: f32 = 0.9995;
/// Steps of the layers do not grow beyond this many times their rate.
const LEAST_DEVIATION: f32 = 0.01;
/// The last steps have this share of the length of the first ones.
const LAST_STEP: f32 = 0.01;

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
    /// The weights of every phase.
    pub weights: Vec<PhaseWeights>,
    /// Accuracy on held-out games by number of empty squares.
    pub accuracy: Vec<Accuracy>,
    /// Positions used for fitting, those of margins once for each phase.
    pub fitted: u64,
}

/// Whether a game is held out.
pub fn is_held_out(game: u32, percent: u32) -> bool {
    Random::new(0, game.into()).below(100) < percent.into()
}

/// Fits every phase. A phase without positions takes over the weights of the phase after it in the game, or else of
/// the one before it.
///
/// # Errors
/// If there are no positions, or it is stopped.
pub fn fit(records: &[Record], options: Options, watch: Watch<'_>) -> Result<Fitted, TrainError> {
    if records.is_empty() {
        return Err(TrainError::Nothing("positions"));
    }
    let fit_phase = |number: usize| -> Result<Option<(PhaseWeights, u64)>, TrainError> {
        let data = Data::of(records, number, options);
        let mut learner = Learner::new(number as u64);
        let weights = if data.train.labels.is_empty() { None } else { Some(learner.learn(&data, options, watch)?) };
        (watch.progress)(1);
        Ok(weights.map(|weights| (weights, data.train.labels.len() as u64)))
    };
    // One phase at a time for each thread: a phase keeps its positions in memory while it is fitted.
    let found: Vec<_> = (0..PHASES).into_par_iter().with_max_len(1).map(fit_phase).collect::<Result<_, _>>()?;
    let fitted = found.iter().flatten().map(|(_, count)| count).sum();
    let found: Vec<Option<PhaseWeights>> = found.into_iter().map(|found| Some(found?.0)).collect();
    let first = found.iter().flatten().next().cloned();
    let mut last = first.ok_or(TrainError::Nothing("positions that are not held out"))?;
    let mut or_neighbour = |found: Option<PhaseWeights>| {
        last = found.unwrap_or_else(|| last.clone());
        last.clone()
    };
    let weights: Vec<PhaseWeights> = found.into_iter().map(&mut or_neighbour).collect();
    let accuracy = measure(records, &weights, options.held_out);
    Ok(Fitted { weights, accuracy, fitted })
}

/// The accuracy of the weights, as an engine sees them, on the held-out positions.
fn measure(records: &[Record], weights: &[PhaseWeights], percent: u32) -> Vec<Accuracy> {
    let file = WeightsFile::pack(weights, ProbCut::FALLBACK, "");
    let patterns = Patterns::from_bytes(&file).expect("what was packed can be unpacked");
    let mut accuracy = vec![Accuracy::default(); 61];
    for record in records.iter().filter(|record| is_held_out(record.game(), percent)) {
        let position = record.position();
        let value = patterns.evaluate(&patterns.features(position), position);
        let error = f64::from(value.discs() - record.label().discs());
        let entry = &mut accuracy[record.empties() as usize];
        entry.count += 1;
        // Running means.
        entry.absolute += (error.abs() - entry.absolute) / entry.count as f64;
        entry.bias += (error - entry.bias) / entry.count as f64;
    }
    accuracy
}

/// Positions as the network sees them.
#[derive(Default)]
struct Examples {
    terms: Vec<[u32; TERMS]>,
    /// Values in 16 discs.
    labels: Vec<f32>,
}

/// Positions to learn from and positions to judge by.
struct Data {
    train: Examples,
    held_out: Examples,
}

impl Data {
    /// The positions of a phase: its margins are learnt from, too, but do not judge.
    fn of(records: &[Record], number: usize, options: Options) -> Self {
        let own = empties_of(number);
        let wide = own.start().saturating_sub(options.margin)..=own.end() + options.margin;
        let near = records.par_iter().filter(|record| wide.contains(&record.empties()));
        let (held_out, train): (Vec<&Record>, Vec<&Record>) =
            near.partition(|record| is_held_out(record.game(), options.held_out));
        let judged = held_out.into_iter().filter(|record| own.contains(&record.empties())).collect();
        Self { train: Examples::new(train), held_out: Examples::new(judged) }
    }
}

impl Examples {
    fn new(records: Vec<&Record>) -> Self {
        let labels = records.iter().map(|record| record.label().discs() / DISCS).collect();
        Self { terms: records.into_par_iter().map(|record| terms(record.position())).collect(), labels }
    }
}

type Channels = [f32; CHANNELS];

/// Numbers that are learnt, with what is remembered of the squares of their gradients: for a row, two lines of the cache.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Learnt<const N: usize> {
    values: [f32; N],
    squares: [f32; N],
}

impl<const N: usize> Learnt<N> {
    fn new(values: [f32; N]) -> Self {
        Self { values, squares: [0.0; N] }
    }

    /// A step of RMSprop.
    #[inline]
    fn step(&mut self, gradients: [f32; N], rate: f32) {
        for ((value, square), gradient) in self.values.iter_mut().zip(&mut self.squares).zip(gradients) {
            *square = MEMORY * *square + (1.0 - MEMORY) * gradient * gradient;
            *value -= rate * gradient / (square.sqrt() + LEAST_DEVIATION);
        }
    }
}

/// A network while it learns.
struct Learner {
    rows: Vec<Learnt<CHANNELS>>,
    hidden: [Learnt<CHANNELS>; HIDDEN],
    bias: Learnt<HIDDEN>,
    output: Learnt<HIDDEN>,
    skip: Learnt<CHANNELS>,
    random: Random,
}

/// What the network makes of a position, on the way to its value.
struct Forward {
    channels: Channels,
    clamped: Channels,
    active: [f32; HIDDEN],
    value: f32,
}

impl Learner {
    /// A network of rows of zeros and of small random numbers behind them.
    fn new(stream: u64) -> Self {
        let mut random = Random::new(0, stream);
        let mut small = |size: f32| (random.below(2001) as f32 / 1000.0 - 1.0) * size;
        Self {
            rows: vec![Learnt { values: [0.0; CHANNELS], squares: [SEEN; CHANNELS] }; rows_per_phase()],
            hidden: std::array::from_fn(|_| Learnt::new(std::array::from_fn(|_| small(0.4)))),
            bias: Learnt::new([0.1; HIDDEN]),
            output: Learnt::new(std::array::from_fn(|_| small(0.3))),
            skip: Learnt::new([0.0; CHANNELS]),
            random,
        }
    }

    /// Learns from the positions and gives the weights that were best on those held out.
    fn learn(&mut self, data: &Data, options: Options, watch: Watch<'_>) -> Result<PhaseWeights, TrainError> {
        let train = &data.train;
        let mut order: Vec<u32> = (0..train.labels.len() as u32).collect();
        let steps = order.len() as f32 * options.epochs as f32;
        let mut done = 0_u64;
        let mut best = (f64::INFINITY, self.weights());
        for _ in 0..options.epochs {
            self.shuffle(&mut order);
            for chunk in order.chunks(1 << 14) {
                watch.check()?;
                for &example in chunk {
                    let share = (1.0 - done as f32 / steps).max(LAST_STEP);
                    let rates = (options.rate * share, options.layer_rate * share);
                    let (terms, label) = (&train.terms[example as usize], train.labels[example as usize]);
                    self.step(terms, label, rates, options.far / DISCS);
                    done += 1;
                }
            }
            let error = self.mean_square(&data.held_out);
            if error < best.0 || data.held_out.labels.is_empty() {
                best = (error, self.weights());
            }
        }
        Ok(best.1)
    }

    fn shuffle(&mut self, order: &mut [u32]) {
        for i in (1..order.len()).rev() {
            order.swap(i, self.random.below(i as u64 + 1) as usize);
        }
    }

    #[inline]
    fn forward(&self, terms: &[u32; TERMS]) -> Forward {
        let mut channels = [0.0; CHANNELS];
        for &term in terms {
            let row = &self.rows[term as usize].values;
            channels.iter_mut().zip(row).for_each(|(channel, number)| *channel += number);
        }
        let clamped = channels.map(|channel| channel.clamp(-1.0, 1.0));
        let dot =
            |weights: &Channels| clamped.iter().zip(weights).map(|(channel, weight)| channel * weight).sum::<f32>();
        let active: [f32; HIDDEN] =
            std::array::from_fn(|unit| (dot(&self.hidden[unit].values) + self.bias.values[unit]).max(0.0));
        let output: f32 = active.iter().zip(&self.output.values).map(|(active, weight)| active * weight).sum();
        Forward { channels, clamped, active, value: channels[0] + dot(&self.skip.values) + output }
    }

    /// Moves every weight a little towards what would have given the label.
    #[inline]
    fn step(&mut self, terms: &[u32; TERMS], label: f32, (rate, layer_rate): (f32, f32), far: f32) {
        let Forward { channels, clamped, active, value } = self.forward(terms);
        let error = (value - label).clamp(-far, far);
        // The gradients of the clamped channels, then of the channels.
        let mut gradients = self.skip.values.map(|weight| error * weight);
        self.skip.step(clamped.map(|channel| error * channel), layer_rate);
        let back: [f32; HIDDEN] =
            std::array::from_fn(|unit| if active[unit] > 0.0 { error * self.output.values[unit] } else { 0.0 });
        for (unit, &back) in self.hidden.iter_mut().zip(&back).filter(|(_, back)| **back != 0.0) {
            gradients.iter_mut().zip(&unit.values).for_each(|(gradient, weight)| *gradient += back * weight);
            unit.step(clamped.map(|channel| back * channel), layer_rate);
        }
        self.bias.step(back, layer_rate);
        self.output.step(active.map(|active| error * active), layer_rate);
        for (gradient, channel) in gradients.iter_mut().zip(&channels) {
            *gradient = if channel.abs() < 1.0 { *gradient } else { 0.0 };
        }
        gradients[0] += error;
        for &term in terms {
            let row = &mut self.rows[term as usize];
            for ((value, square), gradient) in row.values.iter_mut().zip(&mut row.squares).zip(&gradients) {
                *square += gradient * gradient;
                *value = (*value - rate * gradient / square.sqrt()).clamp(-Row::LIMIT, Row::LIMIT);
            }
        }
    }

    /// The mean of the squares of the errors.
    fn mean_square(&self, examples: &Examples) -> f64 {
        let errors = examples.terms.iter().zip(&examples.labels);
        let squares = errors.map(|(terms, label)| f64::from(self.forward(terms).value - label).powi(2));
        squares.sum::<f64>() / examples.labels.len() as f64
    }

    /// The weights in fixed point.
    fn weights(&self) -> PhaseWeights {
        let layers = Layers {
            hidden: self.hidden.map(|unit| unit.values),
            bias: self.bias.values,
            output: self.output.values,
            skip: self.skip.values,
        };
        let rows = self.rows.iter().map(|row| Row::quantised(row.values)).collect();
        PhaseWeights { rows, layers: layers.quantised() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::score::{Draft, Eval, Selectivity};
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
        let options = Options { held_out: 20, epochs: 10, margin: 2, ..Options::default() };
        pool.install(|| fit(records, options, Watch { stop: &stop, progress: &|_| () })).unwrap()
    }

    #[test]
    fn a_simple_truth_is_learnt_and_threads_do_not_matter() {
        let records = simple_records(2000);
        let fitted = fit_with_threads(&records, 1);
        for empties in [10, 30, 50] {
            let accuracy = fitted.accuracy[empties];
            assert!(accuracy.count > 100 && accuracy.absolute < 2.0, "{empties} empty: {accuracy:?}");
        }
        assert_eq!(fit_with_threads(&records, 3).weights, fitted.weights);
    }
}
