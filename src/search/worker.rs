//! One thread of a search: what it owns, what it shares, and when it must stop.

use super::StopSignal;
use super::endgame::Solver;
use super::pool::Pool;
use super::prune::Margins;
use super::split::SplitPoint;
use super::statics::Statics;
use crate::board::{Bitboard, Move, Position, Square};
use crate::clock::Clock;
use crate::eval::Evaluator;
use crate::score::{Draft, Eval, Selectivity};
use crate::table::Table;
use crossbeam::utils::CachePadded;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// The search was ended, or a split point above was cut off: whatever was being computed is worthless.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stopped;

/// The value of a node, unless the search was stopped.
pub(super) type Found = Result<Eval, Stopped>;

/// What all workers of one search share.
pub(super) struct Shared<'a, E: Evaluator> {
    pub(super) evaluator: &'a E,
    pub(super) margins: &'a Margins,
    pub(super) table: &'a Table,
    pub(super) pool: Pool<E::Features>,
    pub(super) clock: &'a dyn Clock,
    pub(super) stop: &'a StopSignal,
    /// Time on `clock` at which the search ends.
    pub(super) deadline: Option<Duration>,
    pub(super) node_limit: Option<u64>,
    /// With this many empty squares or fewer, positions at the rim of a search that does not reach the end are solved.
    pub(super) leaves_solved_from: u32,
    /// Set once when a limit or a signal ends the search.
    abort: AtomicBool,
    /// Nodes of each worker, as last published.
    counters: Vec<CachePadded<AtomicU64>>,
}

impl<'a, E: Evaluator> Shared<'a, E> {
    pub(super) fn new(
        (evaluator, margins): (&'a E, &'a Margins),
        table: &'a Table,
        around: (&'a dyn Clock, &'a StopSignal),
        threads: usize,
    ) -> Self {
        Self {
            evaluator,
            margins,
            table,
            pool: Pool::new(),
            clock: around.0,
            stop: around.1,
            deadline: None,
            node_limit: None,
            leaves_solved_from: 0,
            abort: AtomicBool::new(false),
            counters: (0..threads).map(|_| CachePadded::default()).collect(),
        }
    }

    /// Whether the search has ended. Relaxed: a flag that carries no data.
    #[inline]
    pub(super) fn aborted(&self) -> bool {
        self.abort.load(Ordering::Relaxed)
    }

    /// Ends the search for all workers.
    pub(super) fn abort(&self) {
        self.abort.store(true, Ordering::Relaxed);
    }

    pub(super) fn threads(&self) -> usize {
        self.counters.len()
    }

    /// Nodes of all workers, as last published.
    pub(super) fn nodes(&self) -> u64 {
        self.counters.iter().map(|counter| counter.load(Ordering::Relaxed)).sum()
    }
}

/// A position of the search tree with what the evaluation knows of it.
#[derive(Clone, Copy)]
pub(super) struct Node<F> {
    pub(super) position: Position,
    pub(super) features: F,
}

impl<F: Copy> Node<F> {
    #[inline]
    pub(super) fn empties(&self) -> u8 {
        self.position.empty_count() as u8
    }

    #[inline]
    pub(super) fn play<E: Evaluator<Features = F>>(&self, evaluator: &E, square: Square, flips: Bitboard) -> Self {
        Self {
            position: self.position.play_flips(square, flips),
            features: evaluator.play(&self.features, self.position, square, flips),
        }
    }

    #[inline]
    pub(super) fn pass<E: Evaluator<Features = F>>(&self, evaluator: &E) -> Self {
        Self { position: self.position.pass(), features: evaluator.pass(&self.features) }
    }
}

/// What a search of a node has to reach.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Goal {
    pub(super) draft: Draft,
    /// How many ProbCut probes this search is inside of.
    pub(super) probes: u8,
}

impl Goal {
    pub(super) const fn new(draft: Draft) -> Self {
        Self { draft, probes: 0 }
    }

    pub(super) const fn depth(self) -> u8 {
        self.draft.depth
    }

    pub(super) const fn selectivity(self) -> Selectivity {
        self.draft.selectivity
    }

    /// Whether the search reaches the end of a game with `empties` empty squares.
    #[inline]
    pub(super) const fn solves(self, empties: u8) -> bool {
        self.draft.depth >= empties
    }

    /// The goal of the children.
    #[inline]
    pub(super) const fn next(self) -> Self {
        Self { draft: Draft::new(self.draft.depth - 1, self.draft.selectivity), probes: self.probes }
    }

    /// The goal of a ProbCut probe of `depth` plies.
    #[inline]
    pub(super) const fn probe(self, depth: u8) -> Self {
        Self { draft: Draft::new(depth, self.draft.selectivity), probes: self.probes + 1 }
    }
}

/// What a thread keeps from one search to the next.
pub(super) struct Memory {
    solver: Solver,
    statics: Statics,
}

impl Memory {
    pub(super) fn new() -> Self {
        Self { solver: Solver::new(), statics: Statics::new() }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.solver.clear();
        self.statics.clear();
    }
}

/// One thread of a search.
pub(super) struct Worker<'a, E: Evaluator> {
    pub(super) shared: &'a Shared<'a, E>,
    pub(super) index: usize,
    pub(super) solver: &'a mut Solver,
    statics: &'a mut Statics,
    /// Expected play from the node of the principal variation that was finished last.
    pub(super) line: Vec<Move>,
    /// The innermost split point that this worker is working for.
    pub(super) split: Option<Arc<SplitPoint<E::Features>>>,
    /// The node count at which the clock is looked at again.
    next_look: u64,
}

impl<'a, E: Evaluator> Worker<'a, E> {
    pub(super) fn new(shared: &'a Shared<'a, E>, index: usize, memory: &'a mut Memory) -> Self {
        let Memory { solver, statics } = memory;
        solver.nodes.0 = 0;
        Self { shared, index, solver, statics, line: Vec::new(), split: None, next_look: 0 }
    }

    /// The static value of a node.
    #[inline]
    pub(super) fn static_value(&mut self, node: &Node<E::Features>) -> Eval {
        let evaluator = self.shared.evaluator;
        self.statics.value(node.position, || evaluator.evaluate(&node.features, node.position))
    }

    /// Counts a position entered by a move or a pass.
    #[inline]
    pub(super) fn count_node(&mut self) {
        self.solver.nodes.0 += 1;
    }

    /// Whether to go on.
    #[inline]
    pub(super) fn check(&mut self) -> Result<(), Stopped> {
        /// Nodes between two looks at the clock: a tenth of a millisecond. Those of a rim that is solved come at once,
        /// a millisecond at the worst.
        const PERIOD: u64 = 1024;
        if self.solver.nodes.0 >= self.next_look {
            self.next_look = self.solver.nodes.0 + PERIOD;
            self.look_around();
        }
        let cut = self.split.as_ref().is_some_and(|split| split.is_cut());
        if cut || self.shared.aborted() { Err(Stopped) } else { Ok(()) }
    }

    /// Publishes the node count and ends the search if a limit is reached or a stop was asked for.
    pub(super) fn look_around(&mut self) {
        let shared = self.shared;
        self.publish_nodes();
        let late = shared.deadline.is_some_and(|deadline| shared.clock.now() >= deadline);
        let full = shared.node_limit.is_some_and(|limit| shared.nodes() >= limit);
        if late || full || shared.stop.is_set() {
            shared.abort();
        }
    }

    pub(super) fn publish_nodes(&self) {
        self.shared.counters[self.index].store(self.solver.nodes.0, Ordering::Relaxed);
    }
}
