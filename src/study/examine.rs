//! Many searches, on all cores: the best of some moves of each position.

use super::{Stopped, Watch};
use crate::board::{Bitboard, Position};
use crate::book::Leaf;
use crate::clock::WallClock;
use crate::engine::leaf;
use crate::eval::Evaluator;
use crate::search::{Level, Limits, Resources, Searcher, StopSignal, Surroundings};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How positions of a book are searched.
///
/// Each search has one thread and an empty table, so its result does not depend on the number of threads or on what was
/// searched before.
pub struct Examiner<E> {
    /// The evaluation.
    pub evaluator: Arc<E>,
    /// The level of every search.
    pub level: Level,
    /// Searches at a time, at least 1.
    pub threads: usize,
    /// Table of each, in MB.
    pub table_megabytes: usize,
}

/// A position and the moves of which the best is wanted, at least one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Question {
    pub(super) position: Position,
    pub(super) moves: Bitboard,
}

/// So much lower is the level of searches that only sift, an even number of plies: odd and even depths differ.
const SIEVE_BELOW: u8 = 6;

impl<E: Evaluator> Examiner<E> {
    /// The best move of each question, in their order.
    pub(super) fn examine(&self, questions: &[Question], level: Level, watch: Watch<'_>) -> Result<Vec<Leaf>, Stopped> {
        // Relaxed: the counter hands out each index once, and carries no data.
        let next = AtomicUsize::new(0);
        let work = || {
            let resources = Resources { threads: 1, table_megabytes: self.table_megabytes };
            let mut searcher = Searcher::new(Arc::clone(&self.evaluator), resources);
            let mut answers = Vec::new();
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(&question) = questions.get(index) else { return Ok(answers) };
                if watch.stop.is_set() {
                    return Err(Stopped);
                }
                searcher.clear();
                answers.push((index, answer(&mut searcher, question, level, watch.stop)?));
                (watch.searched)();
            }
        };
        let threads = self.threads.clamp(1, questions.len().max(1));
        let answers: Result<Vec<_>, Stopped> = std::thread::scope(|scope| {
            let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
            workers.into_iter().map(|worker| worker.join().expect("a search does not panic")).collect()
        });
        let mut answers: Vec<(usize, Leaf)> = answers?.into_iter().flatten().collect();
        answers.sort_by_key(|(index, _)| *index);
        Ok(answers.into_iter().map(|(_, leaf)| leaf).collect())
    }

    /// The level of searches that only sift; `None` if the level is not much higher.
    pub(super) fn sieve(&self) -> Option<Level> {
        let sieve = self.level.number().checked_sub(SIEVE_BELOW)?;
        Level::new(sieve).filter(|level| level.selectivity() == self.level.selectivity())
    }
}

fn answer<E: Evaluator>(
    searcher: &mut Searcher<E>,
    question: Question,
    level: Level,
    stop: &StopSignal,
) -> Result<Leaf, Stopped> {
    let empties = question.position.empty_count() as u8;
    let limits = Limits { root_moves: Some(question.moves), ..Limits::draft(level.draft(empties)) };
    let mut around = Surroundings { clock: &WallClock::default(), stop, observer: &mut () };
    let outcome = searcher.search(question.position, &limits, &mut around);
    let best = outcome.lines.first().filter(|_| !outcome.stopped).ok_or(Stopped)?;
    Ok(leaf(best, question.position))
}
