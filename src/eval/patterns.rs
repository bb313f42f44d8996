//! The trained evaluation: patterns, mobility and the number of empty squares through a small network.
//!
//! Owns how weights become a value; must not know where they come from. Start reading at [`Patterns::from_bytes`] and
//! the [`Evaluator`] implementation.

use super::lanes::{Features, LayerTable, Moves, Table};
use super::network::{PhaseWeights, Row};
use super::shapes::{ALL_INSTANCES, CLASSES, INSTANCES, LANE_CENTRE};
use super::weights::{EMPTIES, PHASES, SCALAR_VALUES, SCALARS, WeightsError, WeightsFile, phase};
use super::{Evaluator, ProbCut};
use crate::board::{Bitboard, Position, Square, potential_moves};
use crate::memory;
use crate::score::Eval;
use std::sync::OnceLock;

/// The pattern evaluation. Phases are unpacked when they are first needed.
#[derive(Debug)]
pub struct Patterns {
    file: WeightsFile<'static>,
    phases: [OnceLock<Box<Phase>>; PHASES],
}

/// The weights of one phase, ready for look-up.
#[derive(Debug)]
struct Phase {
    /// A row per configuration of each shape; mirror images hold the same one.
    patterns: Box<Table>,
    scalars: Box<[[Row; SCALAR_VALUES]; SCALARS]>,
    empties: [Row; EMPTIES],
    layers: LayerTable,
}

/// The weights that travel inside the program; `default.json` says how they came to be.
static DEFAULT_WEIGHTS: &[u8] = include_bytes!("default.weights");

/// The weights that travel inside the program.
impl Default for Patterns {
    fn default() -> Self {
        Self::from_static(DEFAULT_WEIGHTS).expect("the embedded weights are whole")
    }
}

impl Patterns {
    /// Weights from the bytes of a file, every phase of it checked.
    ///
    /// # Errors
    /// Foreign, truncated, damaged and differently versioned files.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, WeightsError> {
        let file = WeightsFile::parse(bytes.to_vec())?;
        for phase in 0..PHASES {
            file.unpack(phase)?;
        }
        Ok(Self::new(file))
    }

    /// Weights from a file that is part of the program: phases are trusted until they are used.
    ///
    /// # Errors
    /// As [`Patterns::from_bytes`].
    pub fn from_static(bytes: &'static [u8]) -> Result<Self, WeightsError> {
        WeightsFile::parse(bytes).map(Self::new)
    }

    /// Unpacks all phases now, so that no search has to wait for one.
    pub fn unpack(&self) {
        for empties in 0..=60 {
            self.phase(empties);
        }
    }

    /// What the trainer noted about the weights.
    pub fn note(&self) -> &str {
        self.file.note()
    }

    fn new(file: WeightsFile<'static>) -> Self {
        Self { file, phases: [const { OnceLock::new() }; PHASES] }
    }

    #[inline]
    fn phase(&self, empties: u32) -> &Phase {
        let number = phase(empties);
        self.phases[number].get_or_init(|| self.load(number))
    }

    #[cold]
    fn load(&self, number: usize) -> Box<Phase> {
        let weights = self.file.unpack(number).expect("the checksum of the file was right");
        Box::new(Phase::new(&weights))
    }
}

impl Phase {
    /// Spreads the weights of a phase over tables.
    fn new(weights: &PhaseWeights) -> Self {
        let (classes, rows) = (&*CLASSES, &weights.rows);
        let mut patterns: Box<[Row]> = memory::zeroed(classes.of.len() + 1);
        patterns.iter_mut().zip(&classes.of).for_each(|(row, &class)| *row = rows[class as usize]);
        let patterns = patterns.try_into().unwrap_or_else(|_| unreachable!("there is a class per configuration"));
        let scalar = |term: usize, count: usize| rows[scalar_row(term, count)];
        Self {
            patterns,
            scalars: Box::new(std::array::from_fn(|term| std::array::from_fn(|count| scalar(term, count)))),
            empties: std::array::from_fn(|empties| rows[empties_row(empties)]),
            layers: LayerTable::new(&weights.layers),
        }
    }

    #[inline]
    fn value(&self, features: &Features, position: Position) -> i32 {
        let moves = Moves::of(position);
        let mut sum =
            features.sum(moves, &self.patterns).plus(&self.empties[position.empty_count() as usize % EMPTIES]);
        for (rows, count) in self.scalars.iter().zip(scalars(position, moves)) {
            sum = sum.plus(&rows[count]);
        }
        self.layers.value(sum)
    }
}

/// Where the row of a scalar term lies among the rows of a phase.
fn scalar_row(term: usize, count: usize) -> usize {
    CLASSES.count + term * SCALAR_VALUES + count
}

/// Where the row of a number of empty squares lies among the rows of a phase.
fn empties_row(empties: usize) -> usize {
    scalar_row(SCALARS, empties % EMPTIES)
}

/// The scalar terms: legal moves of both sides, then potential moves of both sides.
#[inline]
fn scalars(position: Position, moves: Moves) -> [usize; SCALARS] {
    let (own, opp) = (position.own(), position.opp());
    [moves.own, moves.opp, potential_moves(own, opp), potential_moves(opp, own)]
        .map(|squares| squares.count() as usize % SCALAR_VALUES)
}

/// Terms in the sum of a position.
pub const TERMS: usize = INSTANCES + SCALARS + 1;

/// The terms of a position, as places of their rows in the weights of its [`phase`].
pub fn terms(position: Position) -> [u32; TERMS] {
    let classes = &*CLASSES;
    let moves = Moves::of(position);
    let indices = Features::of(position).indices(moves);
    let lanes = (0..indices.len()).filter(|&lane| ALL_INSTANCES[lane].is_some());
    let patterns = lanes.map(|lane| classes.of[(LANE_CENTRE[lane] + i32::from(indices[lane])) as usize]);
    let scalars = scalars(position, moves).into_iter().enumerate().map(|(term, count)| scalar_row(term, count) as u32);
    let mut rows = patterns.chain(scalars).chain([empties_row(position.empty_count() as usize) as u32]);
    std::array::from_fn(|_| rows.next().expect("there is a row per term"))
}

/// A value in units, strictly inside ±64 discs, which only the rules may give.
#[inline]
fn clamped(sum: i32) -> Eval {
    let limit = Eval::MAX.units() - Eval::UNITS_PER_DISC;
    Eval::from_units(sum.clamp(-limit, limit))
}

impl Evaluator for Patterns {
    type Features = Features;

    #[inline]
    fn features(&self, position: Position) -> Features {
        Features::of(position)
    }

    #[inline]
    fn play(&self, features: &Features, _: Position, square: Square, flips: Bitboard) -> Features {
        features.play(square, flips)
    }

    #[inline]
    fn pass(&self, features: &Features) -> Features {
        features.pass()
    }

    #[inline]
    fn evaluate(&self, features: &Features, position: Position) -> Eval {
        clamped(self.phase(position.empty_count()).value(features, position))
    }

    fn probcut(&self) -> ProbCut {
        self.file.probcut()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Symmetry;
    use crate::eval::network::Channels;

    /// Weights without any meaning in them, from a fixed generator.
    fn noise() -> (Vec<PhaseWeights>, Patterns) {
        let mut state = 1_u64;
        let mut next = |size: i16| -> i16 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((state >> 40) % (2 * size as u64 + 1)) as i16 - size
        };
        let mut phases = vec![PhaseWeights::zero(); PHASES];
        for phase in &mut phases {
            phase.rows.iter_mut().for_each(|row| *row = Row(std::array::from_fn(|_| next(100) as i8)));
            bytemuck::cast_slice_mut::<_, i16>(std::slice::from_mut(&mut phase.layers))
                .iter_mut()
                .for_each(|number| *number = next(1000));
        }
        let bytes = WeightsFile::pack(&phases, ProbCut::FALLBACK, "noise");
        let patterns = Patterns::from_bytes(&bytes).unwrap();
        (phases, patterns)
    }

    fn random_games(count: usize) -> Vec<Position> {
        let mut state = 99_u64;
        let mut positions = Vec::new();
        for _ in 0..count {
            let mut position = Position::START;
            while !position.is_over() {
                positions.push(position);
                let moves: Vec<Square> = position.moves().into_iter().collect();
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                position = match moves.len() {
                    0 => position.pass(),
                    n => position.play(moves[(state >> 33) as usize % n]).unwrap(),
                };
            }
        }
        positions
    }

    #[test]
    fn the_eight_images_of_a_position_have_the_same_value() {
        let (_, patterns) = noise();
        for position in random_games(20) {
            let value = patterns.evaluate(&patterns.features(position), position);
            for symmetry in Symmetry::ALL {
                let image = position.transform(symmetry);
                assert_eq!(patterns.evaluate(&patterns.features(image), image), value, "{position:?}");
            }
        }
    }

    #[test]
    fn the_value_comes_from_the_rows_of_the_terms() {
        let (phases, patterns) = noise();
        let mut values = std::collections::HashSet::new();
        for position in random_games(5) {
            let weights = &phases[phase(position.empty_count())];
            let sum =
                terms(position).iter().fold(Channels::default(), |sum, &term| sum.plus(&weights.rows[term as usize]));
            let value = patterns.evaluate(&patterns.features(position), position);
            assert_eq!(value, clamped(LayerTable::new(&weights.layers).value(sum)));
            values.insert(value.units());
        }
        assert!(values.len() > 100, "the noise gives {} values only", values.len());
    }
}
