//! The study of openings: growing a book by search, adding games to it, and moving it in and out of text.
//!
//! Owns which positions a book gets and how they are searched; must not know protocols, or how a book is kept on disk.
//! Start reading at [`grow::grow`].

mod examine;
pub mod exchange;
pub mod grow;
pub mod learn;
mod survey;

pub use examine::Examiner;
pub use survey::{Reach, Scope};

use crate::search::StopSignal;
use thiserror::Error;

/// The study was stopped. The book is as it was after the last finished step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("stopped; run the same command again to go on")]
pub struct Stopped;

/// How a study is watched and stopped.
#[derive(Clone, Copy)]
pub struct Watch<'a> {
    /// Ends the study early.
    pub stop: &'a StopSignal,
    /// Hears of every finished search.
    pub searched: &'a (dyn Fn() + Sync),
}

#[cfg(test)]
mod tests;
