//! The trained evaluation: a sum of weights of patterns, mobility and parity.
//!
//! Owns how weights become a value; must not know where they come from. Start reading at [`Patterns::from_bytes`] and
//! the [`Evaluator`] implementation.

use super::lanes::{Features, Table};
use super::shapes::{CLASSES, INSTANCES, LANE_CENTRE};
use super::weights::{CONSTANTS, PHASES, SCALAR_VALUES, SCALARS, WeightsError, WeightsFile, phase, weights_per_phase};
use super::{Evaluator, ProbCut};
use crate::board::{Bitboard, Position, Square, legal_moves, potential_moves};
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
    /// A weight per configuration of each shape; mirror images hold the same one.
    patterns: Box<Table>,
    scalars: [[i16; SCALAR_VALUES]; SCALARS],
    constants: [i16; CONSTANTS],
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
    fn new(weights: &[i16]) -> Self {
        let classes = &*CLASSES;
        let patterns: Box<[i16]> = classes.of.iter().map(|&class| weights[class as usize]).chain([0; 2]).collect();
        let patterns = patterns.try_into().unwrap_or_else(|_| unreachable!("there is a class per configuration"));
        let rest = &weights[classes.count..];
        Self {
            patterns,
            scalars: std::array::from_fn(|term| std::array::from_fn(|value| rest[term * SCALAR_VALUES + value])),
            constants: std::array::from_fn(|parity| rest[SCALARS * SCALAR_VALUES + parity]),
        }
    }

    #[inline]
    fn sum(&self, features: &Features, position: Position) -> i32 {
        let mut sum = i32::from(self.constants[position.empty_count() as usize % CONSTANTS]);
        sum += features.sum(&self.patterns);
        for (weights, value) in self.scalars.iter().zip(scalars(position)) {
            sum += i32::from(weights[value]);
        }
        sum
    }
}

/// The scalar terms: legal moves of both sides, then potential moves of both sides.
#[inline]
fn scalars(position: Position) -> [usize; SCALARS] {
    let (own, opp) = (position.own(), position.opp());
    [legal_moves(own, opp), legal_moves(opp, own), potential_moves(own, opp), potential_moves(opp, own)]
        .map(|squares| squares.count() as usize % SCALAR_VALUES)
}

/// Terms in the sum of a position.
pub const TERMS: usize = INSTANCES + SCALARS + 1;

/// The weights whose sum is the value of a position, as places in the weights of its [`phase`].
pub fn terms(position: Position) -> [u32; TERMS] {
    let classes = &*CLASSES;
    let features = Features::of(position);
    let scalars = scalars(position);
    std::array::from_fn(|term| {
        if term < INSTANCES {
            classes.of[(LANE_CENTRE[term] + i32::from(features.0[term])) as usize]
        } else if term < INSTANCES + SCALARS {
            let scalar = term - INSTANCES;
            (classes.count + scalar * SCALAR_VALUES + scalars[scalar]) as u32
        } else {
            (weights_per_phase() - CONSTANTS) as u32 + position.empty_count() % CONSTANTS as u32
        }
    })
}

/// The value of a sum of weights: strictly inside ±64 discs, which only the rules may give.
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
        clamped(self.phase(position.empty_count()).sum(features, position))
    }

    fn probcut(&self) -> ProbCut {
        self.file.probcut()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Symmetry;

    /// Weights without any pattern in them, from a fixed generator.
    fn noise() -> (Vec<Vec<i16>>, Patterns) {
        let mut state = 1_u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((state >> 40) % 201) as i16 - 100
        };
        let phases: Vec<Vec<i16>> = (0..PHASES).map(|_| (0..weights_per_phase()).map(|_| next()).collect()).collect();
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
    fn the_value_is_the_sum_of_the_terms() {
        let (phases, patterns) = noise();
        for position in random_games(5) {
            let weights = &phases[phase(position.empty_count())];
            let sum: i32 = terms(position).iter().map(|&term| i32::from(weights[term as usize])).sum();
            assert_eq!(patterns.evaluate(&patterns.features(position), position), clamped(sum));
        }
    }
}
