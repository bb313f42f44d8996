//! One thread's search for labels: many small searches with one small table.

use crate::board::Position;
use crate::clock::WallClock;
use crate::eval::Evaluator;
use crate::score::{Draft, Eval};
use crate::search::{Limits, Outcome, Resources, Searcher, StopSignal, Surroundings};
use std::sync::Arc;

/// Table of one thread: small enough to stay in the caches.
const TABLE_MEGABYTES: usize = 4;

/// A searcher with what surrounds it.
pub(super) struct Solver<E: Evaluator> {
    searcher: Searcher<E>,
    clock: WallClock,
    stop: StopSignal,
}

impl<E: Evaluator> Solver<E> {
    pub(super) fn new(evaluator: Arc<E>, stop: &StopSignal) -> Self {
        let resources = Resources { threads: 1, table_megabytes: TABLE_MEGABYTES };
        Self { searcher: Searcher::new(evaluator, resources), clock: WallClock::default(), stop: stop.clone() }
    }

    /// A search to `draft`, or to the end of the game if that is nearer.
    pub(super) fn search(&mut self, position: Position, draft: Draft) -> Outcome {
        let depth = draft.depth.min(position.empty_count() as u8);
        let limits = Limits::draft(Draft::new(depth, draft.selectivity));
        let (clock, stop) = (&self.clock, &self.stop);
        self.searcher.search(position, &limits, &mut Surroundings { clock, stop, observer: &mut () })
    }

    /// The value of a position with a move, unless the search was stopped.
    pub(super) fn value(&mut self, position: Position, draft: Draft) -> Option<Eval> {
        let outcome = self.search(position, draft);
        if outcome.stopped { None } else { outcome.lines.first().map(|line| line.value) }
    }
}
