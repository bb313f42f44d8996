//! Thinking while the other side does: a search on a thread of its own that leaves its findings in the table.

use super::{Evaluation, empties};
use crate::board::Position;
use crate::clock::Clock;
use crate::search::{Level, Limits, Searcher, StopSignal, Surroundings};
use parking_lot::Mutex;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

/// A running background search. Dropping it stops the search and waits for its end.
pub(super) struct Pondering {
    stop: StopSignal,
    thread: Option<JoinHandle<()>>,
}

impl Pondering {
    /// Starts to search `position`.
    pub(super) fn start(
        searcher: &Arc<Mutex<Searcher<Evaluation>>>,
        position: Position,
        clock: Arc<dyn Clock + Send + Sync>,
    ) -> Self {
        let stop = StopSignal::default();
        let signal = stop.clone();
        let searcher = Arc::clone(searcher);
        let limits = Limits::draft(Level::MAX.draft(empties(position)));
        let thread = thread::spawn(move || {
            let mut surroundings = Surroundings { clock: &*clock, stop: &signal, observer: &mut () };
            searcher.lock().search(position, &limits, &mut surroundings);
        });
        Self { stop, thread: Some(thread) }
    }
}

impl Drop for Pondering {
    fn drop(&mut self) {
        self.stop.stop();
        if let Some(thread) = self.thread.take() {
            // A search that panicked has nothing to hand over; the next search reports its own trouble.
            let _ = thread.join();
        }
    }
}
