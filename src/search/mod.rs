//! The search: the best move of a position, how much it is worth, and how sure that is.
//!
//! Owns searching; must not know protocols, books or files. It prints nothing: what it finds goes to an [`Observer`].
//! Start reading at [`Searcher::search`].

mod level;

pub use level::Level;

use crate::board::{Bitboard, Move, Position};
use crate::clock::{Budget, Clock};
use crate::eval::Evaluator;
use crate::score::{Bound, Draft, Eval};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Tells a running search to stop. Clones share one signal.
#[derive(Clone, Default, Debug)]
pub struct StopSignal(Arc<AtomicBool>);

impl StopSignal {
    /// Asks the search to stop; it ends within milliseconds with the best result so far.
    pub fn stop(&self) {
        // Relaxed: the flag carries no data, and workers poll it.
        self.0.store(true, Ordering::Relaxed);
    }

    /// Takes the request back, before the next search.
    pub fn reset(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// Whether a stop was asked for.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// When a search is done.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The draft to reach. A depth of at least the number of empty squares solves the position, exactly if the
    /// selectivity is full. See [`Level::draft`].
    pub target: Draft,
    /// Time for this search, if limited.
    pub time: Option<Budget>,
    /// Nodes for this search, if limited (checked now and then: a few thousand more may be visited).
    pub nodes: Option<u64>,
    /// How many of the best moves get an exact value of their own (multi-PV); at least 1.
    pub lines: usize,
    /// Only these squares are considered at the root; `None` means all legal moves.
    pub root_moves: Option<Bitboard>,
}

impl Limits {
    /// Search to `target`, however long it takes.
    pub const fn draft(target: Draft) -> Self {
        Self { target, time: None, nodes: None, lines: 1, root_moves: None }
    }
}

/// A root move with what the search knows of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Line {
    /// The move.
    pub mv: Move,
    /// Its value for the side to move.
    pub value: Eval,
    /// How `value` stands to the true one.
    pub bound: Bound,
    /// How well it was searched.
    pub draft: Draft,
    /// Whether `value` is the exact final score.
    pub solved: bool,
    /// Expected play from `mv` on, passes included.
    pub pv: Vec<Move>,
}

/// What a search has found so far.
#[derive(Clone, Debug)]
pub struct Report<'a> {
    /// The best moves, best first; never empty.
    pub lines: &'a [Line],
    /// Positions entered by a move or a pass, ordering probes included.
    pub nodes: u64,
    /// Time since the start of the search.
    pub elapsed: Duration,
}

/// Whether to go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Control {
    /// Go on.
    Continue,
    /// Stop the search with what it has.
    Stop,
}

/// Someone who watches a search.
pub trait Observer {
    /// Called after each finished iteration (and each finished line of a multi-PV search).
    fn iteration(&mut self, report: &Report<'_>) -> Control;
}

/// An observer that looks away.
impl Observer for () {
    fn iteration(&mut self, _: &Report<'_>) -> Control {
        Control::Continue
    }
}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The best moves, best first, as many as asked for and as there are. A pass is a line of its own; empty only if
    /// the game is over.
    pub lines: Vec<Line>,
    /// Positions entered by a move or a pass, ordering probes included.
    pub nodes: u64,
    /// Time used.
    pub elapsed: Duration,
    /// Whether a limit or a signal ended the search before its target.
    pub stopped: bool,
}

/// Size of a searcher.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Resources {
    /// Worker threads, at least 1.
    pub threads: usize,
    /// Transposition table in MB (2²⁰ bytes), at least 1.
    pub table_megabytes: usize,
}

/// A search with its table and its worker threads. It keeps what it learnt from one search to the next.
pub struct Searcher<E> {
    evaluator: Arc<E>,
    resources: Resources,
}

impl<E: Evaluator> Searcher<E> {
    /// A searcher; no large memory is touched before the first search.
    pub fn new(evaluator: Arc<E>, resources: Resources) -> Self {
        Self { evaluator, resources }
    }

    /// Threads and table size.
    pub fn resources(&self) -> Resources {
        self.resources
    }

    /// Changes threads and table size; a table of another size is empty.
    pub fn set_resources(&mut self, resources: Resources) {
        self.resources = resources;
    }

    /// Forgets everything, so that the next search is as after [`Searcher::new`].
    pub fn clear(&mut self) {}

    /// Searches `position` until `limits` are met or `stop` is set.
    pub fn search(&mut self, position: Position, limits: &Limits, surroundings: &mut Surroundings<'_>) -> Outcome {
        placeholder::search(&*self.evaluator, position, limits, surroundings)
    }
}

/// The outside of one search: its clock, its stop signal and who watches.
pub struct Surroundings<'a> {
    /// Time for budgets and reports.
    pub clock: &'a dyn Clock,
    /// Ends the search early.
    pub stop: &'a StopSignal,
    /// Hears of every iteration.
    pub observer: &'a mut dyn Observer,
}

/// A plain fixed-depth search that stands in until the real one lands (same interface, a few plies).
mod placeholder {
    use super::{Limits, Line, Outcome, Report, Surroundings};
    use crate::board::{Move, Position};
    use crate::eval::Evaluator;
    use crate::score::{Bound, Draft, Eval, Selectivity};

    pub(super) fn search<E: Evaluator>(
        evaluator: &E,
        position: Position,
        limits: &Limits,
        around: &mut Surroundings<'_>,
    ) -> Outcome {
        let started = around.clock.now();
        let depth = limits.target.depth.min(4);
        let mut nodes = 0;
        let mut lines = Vec::new();
        let moves = position.moves() & limits.root_moves.unwrap_or(crate::board::Bitboard::ALL);
        let solved = u32::from(depth) >= position.empty_count();
        let mut children: Vec<(Move, Position)> =
            moves.into_iter().filter_map(|square| Some((Move::Place(square), position.play(square)?))).collect();
        if position.must_pass() {
            children.push((Move::Pass, position.pass()));
        }
        for (mv, child) in children {
            nodes += 1;
            let value = -negamax(evaluator, child, depth.saturating_sub(1), (Eval::MIN, Eval::MAX), &mut nodes);
            let draft = Draft::new(depth, Selectivity::FULL);
            lines.push(Line { mv, value, bound: Bound::Exact, draft, solved, pv: vec![mv] });
        }
        lines.sort_by_key(|line| -line.value);
        lines.truncate(limits.lines);
        let elapsed = around.clock.now() - started;
        if !lines.is_empty() {
            around.observer.iteration(&Report { lines: &lines, nodes, elapsed });
        }
        Outcome { lines, nodes, elapsed, stopped: around.stop.is_set() }
    }

    fn negamax<E: Evaluator>(
        e: &E,
        position: Position,
        depth: u8,
        (mut alpha, beta): (Eval, Eval),
        nodes: &mut u64,
    ) -> Eval {
        let moves = position.moves();
        if moves.is_empty() {
            if position.pass().moves().is_empty() {
                return position.final_score().into();
            }
            return -negamax(e, position.pass(), depth, (-beta, -alpha), nodes);
        }
        if depth == 0 {
            return e.evaluate(&e.features(position), position);
        }
        for square in moves {
            *nodes += 1;
            let child = position.play_flips(square, position.flips(square));
            alpha = alpha.max(-negamax(e, child, depth - 1, (-beta, -alpha), nodes));
            if alpha >= beta {
                break;
            }
        }
        alpha
    }
}
