//! Labels: what positions are worth by search, shard by shard.
//!
//! Owns which search labels what, and the shards; must not know where positions come from. Start reading at [`label`].

use super::record::{self, EXTENSION, Record};
use super::solver::Solver;
use super::{TrainError, Watch};
use crate::eval::Evaluator;
use crate::score::{Draft, Selectivity};
use rayon::prelude::*;
use std::path::Path;
use std::sync::Arc;

/// Positions in a shard: a shard is written as a whole, and a stop loses the shards that are not finished.
const SHARD: usize = 4096;

/// How deep labels search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    /// Depth of a search that does not reach the end.
    pub depth: u8,
    /// Positions with at most this many empty squares are solved.
    pub exact: u8,
    /// Positions with at most this many empty squares, and more than `exact`, are searched to the end of the game
    /// with `selectivity`: their values are nearly exact at a small part of the cost.
    pub to_the_end: u8,
    /// Selectivity of searches that are not exact.
    pub selectivity: Selectivity,
}

impl Effort {
    /// The draft for a position with this many empty squares.
    pub fn draft(self, empties: u32) -> Draft {
        let empties = empties as u8;
        if empties <= self.exact {
            return Draft::new(empties, Selectivity::FULL);
        }
        let depth = if empties <= self.to_the_end { empties } else { self.depth.min(empties) };
        Draft::new(depth, self.selectivity)
    }
}

/// Labels positions by search and writes them to shards in `folder`. Shards that are already there are kept, so that a
/// stopped run goes on where it was; each starts with an empty table, so that it is the same in any order.
///
/// # Errors
/// What the system says, and a stop.
pub fn label<E: Evaluator>(
    positions: &[Record],
    effort: Effort,
    evaluator: &Arc<E>,
    folder: &Path,
    watch: Watch<'_>,
) -> Result<(), TrainError> {
    positions.par_chunks(SHARD).enumerate().try_for_each(|(number, shard)| {
        let path = folder.join(format!("{number:05}.{EXTENSION}"));
        if path.exists() {
            (watch.progress)(shard.len() as u64);
            return Ok(());
        }
        watch.check()?;
        let mut solver = Solver::new(Arc::clone(evaluator), watch.stop);
        let mut labelled = Vec::with_capacity(shard.len());
        for (done, record) in shard.iter().enumerate() {
            let draft = effort.draft(record.empties());
            let value = solver.value(record.position(), draft).ok_or(TrainError::Stopped)?;
            labelled.push(record.labelled(value, draft));
            if done % 64 == 63 || done + 1 == shard.len() {
                (watch.progress)((done % 64 + 1) as u64);
            }
        }
        record::write(&path, &labelled)
    })
}
