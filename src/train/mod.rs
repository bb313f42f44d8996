//! Training: positions, their labels, weights fitted to them, and how good the weights are.
//!
//! Owns the pipeline and its files; must not know protocols, games between engines or how a value is spelled for
//! people. The steps are functions that read files and write files; each can be stopped and run again, and gives the
//! same bytes whatever the number of threads. Start reading at [`record`] (what flows between the steps), then
//! [`source`] (positions), [`label`], [`selfplay`], [`fit`],
//! [`probcut`] and [`report`].

pub mod fit;
pub mod label;
pub mod probcut;
pub mod record;
pub mod report;
pub mod selfplay;
mod solver;
pub mod source;
pub mod wthor;

use crate::eval::WeightsError;
use crate::files;
use crate::search::StopSignal;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// A step of the training could not be done.
#[derive(Debug, Error)]
pub enum TrainError {
    /// A file could not be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A file is not what it should be.
    #[error("{}: {problem}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// A file of weights could not be read.
    #[error("{}: {source}", path.display())]
    Weights {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: WeightsError,
    },
    /// There is nothing to work on.
    #[error("no {0} to work on")]
    Nothing(&'static str),
    /// The step was stopped; what is done so far is kept, and running it again goes on from there.
    #[error("stopped; run the same command again to go on")]
    Stopped,
}

/// How a step is watched and stopped.
#[derive(Clone, Copy)]
pub struct Watch<'a> {
    /// Ends the step early.
    pub stop: &'a StopSignal,
    /// Hears of work done, in the units of the step.
    pub progress: &'a (dyn Fn(u64) + Sync),
}

impl Watch<'_> {
    /// An error once a stop was asked for.
    fn check(&self) -> Result<(), TrainError> {
        if self.stop.is_set() { Err(TrainError::Stopped) } else { Ok(()) }
    }
}

/// Adds the path to an error of the system.
fn at(path: &Path) -> impl FnOnce(io::Error) -> TrainError + '_ {
    move |source| TrainError::Io { path: path.to_owned(), source }
}

/// Writes a file as a whole or not at all, and the folder for it if it is missing.
///
/// # Errors
/// What the system says.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> Result<(), TrainError> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(at(folder))?;
    }
    files::write_atomically(path, bytes).map_err(at(path))
}

/// A small generator of random numbers (SplitMix64, Steele, Lea and Flood): the same in every run, on every machine.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A stream of its own for each pair of a seed and a number.
    pub fn new(seed: u64, stream: u64) -> Self {
        let mut random = Self(seed ^ stream.wrapping_mul(0xD134_2543_DE82_EF95));
        random.next();
        random
    }

    /// The next 64 bits.
    #[expect(clippy::should_implement_trait, reason = "it never ends, so it is no iterator")]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `bound`, which is not 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(bound)) >> 64) as u64
    }
}
