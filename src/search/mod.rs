//! The search: the best move of a position, how much it is worth, and how sure that is.
//!
//! Owns searching; must not know protocols, books or files. It prints nothing: what it finds goes to an [`Observer`].
//! Start reading at [`Searcher::search`].

mod course;
mod endgame;
mod level;
mod midgame;
mod order;
mod params;
mod pool;
mod prune;
mod root;
mod split;
mod statics;
mod worker;

pub use level::Level;

use crate::board::{Bitboard, Move, Position};
use crate::clock::{Budget, Clock, Speed};
use crate::eval::Evaluator;
use crate::score::{Bound, Draft, Eval};
use crate::table::Table;
use prune::Margins;
use root::Root;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use worker::{Memory, Shared, Worker};

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

/// A search with its table and its worker threads' memories. It keeps what it learnt from one search to the next.
pub struct Searcher<E> {
    evaluator: Arc<E>,
    margins: Margins,
    table: Table,
    memories: Vec<Memory>,
    resources: Resources,
    speed: Speed,
}

impl<E: Evaluator> Searcher<E> {
    /// A searcher; no large memory is touched before the first search. Threads and megabytes are at least 1.
    pub fn new(evaluator: Arc<E>, resources: Resources) -> Self {
        let table = Table::new(resources.table_megabytes);
        let memories = (0..resources.threads.max(1)).map(|_| Memory::new()).collect();
        let margins = Margins::new(evaluator.probcut());
        Self { evaluator, margins, table, memories, resources, speed: Speed::default() }
    }

    /// The evaluation it goes by.
    pub const fn evaluator(&self) -> &Arc<E> {
        &self.evaluator
    }

    /// Threads and table size.
    pub fn resources(&self) -> Resources {
        self.resources
    }

    /// Changes threads and table size; a table of another size is empty.
    pub fn set_resources(&mut self, resources: Resources) {
        if resources.table_megabytes != self.resources.table_megabytes {
            self.table = Table::new(resources.table_megabytes);
        }
        if resources.threads != self.resources.threads {
            self.speed = Speed::default();
        }
        self.memories.resize_with(resources.threads.max(1), Memory::new);
        self.resources = resources;
    }

    /// How fast its searches were, the last ones above all.
    pub const fn speed(&self) -> Speed {
        self.speed
    }

    /// Forgets everything, so that the next search is as after [`Searcher::new`].
    pub fn clear(&mut self) {
        self.table.clear();
        self.memories.iter_mut().for_each(Memory::clear);
    }

    /// Searches `position` until `limits` are met or a stop is asked for.
    ///
    /// With one thread and a cleared searcher, equal positions and limits (time aside) give equal outcomes. Exact
    /// results are the same for any number of threads.
    pub fn search(&mut self, position: Position, limits: &Limits, around: &mut Surroundings<'_>) -> Outcome {
        if !position.moves().is_empty() {
            return self.search_moves(position, limits, around);
        }
        if position.is_over() {
            return Outcome { lines: Vec::new(), nodes: 0, elapsed: Duration::ZERO, stopped: false };
        }
        // A pass is the only line: the other side's best, turned around.
        let limits = Limits { lines: 1, root_moves: None, ..limits.clone() };
        let Surroundings { clock, stop, observer } = around;
        let mut observer = AfterPass(*observer);
        let mut inner = Surroundings { clock: *clock, stop, observer: &mut observer };
        let mut outcome = self.search_moves(position.pass(), &limits, &mut inner);
        outcome.lines = outcome.lines.iter().map(before_pass).collect();
        outcome.nodes += 1;
        outcome
    }

    fn search_moves(&mut self, position: Position, limits: &Limits, around: &mut Surroundings<'_>) -> Outcome {
        self.table.new_generation();
        let started = around.clock.now();
        let mut shared = Shared::new(
            (&*self.evaluator, &self.margins),
            &self.table,
            (around.clock, around.stop),
            self.memories.len(),
        );
        shared.deadline = limits.time.map(|budget| started + budget.hard);
        shared.node_limit = limits.nodes;
        shared.leaves_solved_from = params::leaves_solved_from(limits.target.depth);
        let shared = &shared;
        let (first, helpers) = self.memories.split_first_mut().expect("there is at least one thread");
        let speed = &mut self.speed;
        let mut run = || {
            let mut worker = Worker::new(shared, 0, first);
            Root::new(&mut worker, position, limits, started).run(around.observer, speed)
        };
        if helpers.is_empty() {
            return run();
        }
        crossbeam::scope(|scope| {
            for (index, memory) in helpers.iter_mut().enumerate() {
                scope
                    .builder()
                    .stack_size(STACK)
                    .spawn(move |_| help_until_over(shared, index + 1, memory))
                    .expect("a thread starts");
            }
            // Also when the search panics: helpers that wait for ever would hide the panic.
            let _finish = Finish(shared);
            run()
        })
        .expect("no worker panics")
    }
}

/// Bytes of stack that a thread needs to search: 60 nodes of a few kilobytes, with room.
pub const STACK: usize = 4 << 20;

fn help_until_over<E: Evaluator>(shared: &Shared<'_, E>, index: usize, memory: &mut Memory) {
    let mut worker = Worker::new(shared, index, memory);
    while let Some(point) = shared.pool.next() {
        worker.help(&point);
    }
}

/// Lets the helpers go when the search is left.
struct Finish<'a, 'b, E: Evaluator>(&'a Shared<'b, E>);

impl<E: Evaluator> Drop for Finish<'_, '_, E> {
    fn drop(&mut self) {
        self.0.pool.finish();
    }
}

/// Shows an observer the lines as they are before a forced pass.
struct AfterPass<'a>(&'a mut dyn Observer);

impl Observer for AfterPass<'_> {
    fn iteration(&mut self, report: &Report<'_>) -> Control {
        let lines: Vec<Line> = report.lines.iter().map(before_pass).collect();
        self.0.iteration(&Report { lines: &lines, ..*report })
    }
}

/// The line of a pass, from a line of the other side.
fn before_pass(line: &Line) -> Line {
    let pv = std::iter::once(Move::Pass).chain(line.pv.iter().copied()).collect();
    Line { mv: Move::Pass, value: -line.value, bound: line.bound.flipped(), pv, ..*line }
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
