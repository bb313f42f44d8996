//! The root: which drafts are searched in which order, with which windows, and what is reported.

use super::course::{Course, Finished};
use super::endgame;
use super::midgame::{Null, Principal};
use super::params::{self, pacing};
use super::worker::{Goal, Node, Stopped, Worker};
use super::{Control, Limits, Line, Observer, Outcome, Report};
use crate::board::{Bitboard, Move, Position, Square};
use crate::clock::Speed;
use crate::eval::Evaluator;
use crate::score::{Bound, Draft, Eval, Selectivity, Window};
use std::time::Duration;

/// A search from the root, run by the first worker.
pub(super) struct Root<'a, 'w, E: Evaluator> {
    worker: &'a mut Worker<'w, E>,
    node: Node<E::Features>,
    limits: &'a Limits,
    started: Duration,
    /// The moves, best first as far as is known.
    lines: Vec<Line>,
}

impl<'a, 'w, E: Evaluator> Root<'a, 'w, E> {
    /// The root at `position`, which has a move.
    pub(super) fn new(
        worker: &'a mut Worker<'w, E>,
        position: Position,
        limits: &'a Limits,
        started: Duration,
    ) -> Self {
        let node = Node { position, features: worker.shared.evaluator.features(position) };
        let allowed = position.moves() & limits.root_moves.unwrap_or(Bitboard::ALL);
        let draft = Draft::new(0, Selectivity::FULL);
        let unsearched = |square| {
            let mv = Move::Place(square);
            Line { mv, value: Eval::MIN, bound: Bound::Lower, draft, solved: false, pv: vec![mv] }
        };
        Self { worker, node, limits, started, lines: allowed.into_iter().map(unsearched).collect() }
    }

    /// Searches draft after draft until the target, a limit or the observer ends it. `speed` learns from it.
    pub(super) fn run(mut self, observer: &mut dyn Observer, speed: &mut Speed) -> Outcome {
        self.order_statically();
        let wanted = self.limits.lines.clamp(1, self.lines.len().max(1));
        let forced = self.node.position.moves().count() == 1;
        let mut course = Course::new(self.limits, self.node.empties(), forced, *speed);
        let mut stopped = false;
        while let Some(draft) = course.next(self.elapsed()) {
            if self.iterate(draft, wanted).is_err() {
                self.worker.publish_nodes();
                course.measure(draft, self.worker.shared.nodes(), self.elapsed());
                stopped = true;
                break;
            }
            let report = self.report(wanted);
            if let Some(best) = report.lines.first() {
                course.finished(Finished { draft, best, nodes: report.nodes, elapsed: report.elapsed });
            }
            if observer.iteration(&report) == Control::Stop {
                stopped = true;
                break;
            }
            if wanted == 1 && course.asks_whether_alone(draft, self.elapsed()) {
                // A search that is stopped meanwhile has found out nothing, and ends at the next draft.
                course.is_alone(self.best_is_alone(draft).unwrap_or(false));
            }
        }
        *speed = course.speed();
        let best = self.lines.first().map_or(self.limits.target, |line| line.draft);
        stopped |= self.limits.time.is_some() && !best.covers(self.reachable_target());
        self.worker.publish_nodes();
        for index in 0..wanted.min(self.lines.len()) {
            self.complete_line(index);
        }
        let report = self.report(wanted);
        Outcome { lines: report.lines.to_vec(), nodes: report.nodes, elapsed: report.elapsed, stopped }
    }

    fn report(&self, wanted: usize) -> Report<'_> {
        self.worker.publish_nodes();
        Report {
            lines: &self.lines[..wanted.min(self.lines.len())],
            nodes: self.worker.shared.nodes(),
            elapsed: self.elapsed(),
        }
    }

    fn elapsed(&self) -> Duration {
        self.worker.shared.clock.now().saturating_sub(self.started)
    }

    /// What the search would have reached without a clock.
    fn reachable_target(&self) -> Draft {
        let Draft { depth, selectivity } = self.limits.target;
        Draft::new(depth.min(self.node.empties()), selectivity)
    }

    /// A first order, so that even a search that is stopped at once has a sensible move.
    fn order_statically(&mut self) {
        for line in &mut self.lines {
            let Move::Place(square) = line.mv else { continue };
            self.worker.solver.nodes.0 += 1;
            let child = self.node.play(self.worker.shared.evaluator, square, self.node.position.flips(square));
            line.value = -self.worker.static_value(&child);
        }
        self.lines.sort_by_key(|line| -line.value);
        let known = self.worker.shared.table.probe(self.node.position, self.node.position.hash());
        for square in known.iter().flat_map(|known| known.moves.into_iter().rev().flatten()) {
            if let Some(index) = self.lines.iter().position(|line| line.mv == Move::Place(square)) {
                self.lines[..=index].rotate_right(1);
            }
        }
    }

    /// One iteration: the best `wanted` moves, each by a search of the moves not yet better.
    fn iterate(&mut self, draft: Draft, wanted: usize) -> Result<(), Stopped> {
        for rank in 0..wanted.min(self.lines.len()) {
            self.search_rank(rank, draft)?;
        }
        let wanted = wanted.min(self.lines.len());
        self.lines[..wanted].sort_by_key(|line| -line.value);
        Ok(())
    }

    /// Finds the best of the moves from `rank` on and puts it there, in a window that widens until it holds the value.
    fn search_rank(&mut self, rank: usize, draft: Draft) -> Result<(), Stopped> {
        let solving = draft.depth >= self.node.empties();
        let expected = &self.lines[rank];
        let mut width = if solving { params::ASPIRATION_SOLVING } else { params::ASPIRATION };
        let mut window = if expected.draft.depth == 0 {
            Window::FULL
        } else {
            let center = if solving { round_even(expected.value) } else { expected.value };
            widened(Window { alpha: center, beta: center }, width, width)
        };
        loop {
            let value = self.search_moves(rank, draft, window)?;
            // Each end only moves out, and ever faster: selective searches that contradict each other come to an end.
            width = (width + width).min(Eval::MAX);
            if value <= window.alpha && window.alpha > Window::FULL.alpha {
                window = widened(Window { alpha: value, ..window }, width, Eval::ZERO);
            } else if value >= window.beta && window.beta < Window::FULL.beta {
                window = widened(Window { beta: value, ..window }, Eval::ZERO, width);
            } else {
                return Ok(());
            }
        }
    }

    /// Searches the moves from `rank` on in `window`, moves the best to `rank` and gives its value.
    fn search_moves(&mut self, rank: usize, draft: Draft, window: Window) -> Result<Eval, Stopped> {
        let solved = draft.depth >= self.node.empties() && draft.selectivity.is_full();
        let goal = Goal::new(draft);
        let mut best: Option<Eval> = None;
        let mut alpha = window.alpha;
        for index in rank..self.lines.len() {
            let Move::Place(square) = self.lines[index].mv else { continue };
            let value = self.search_child(square, goal, Window { alpha, beta: window.beta }, best.is_none())?;
            let first = best.is_none();
            best = best.max(Some(value));
            // Upper bounds of different moves say nothing about which is better: the order stays.
            if value <= alpha && !first {
                continue;
            }
            let bound = if value <= window.alpha {
                Bound::Upper
            } else if value >= window.beta {
                Bound::Lower
            } else {
                Bound::Exact
            };
            let mut line = self.lines.remove(index);
            line.pv = std::iter::once(line.mv).chain(self.worker.line.drain(..)).collect();
            (line.value, line.bound, line.draft) = (value, bound, draft);
            line.solved = solved && bound == Bound::Exact;
            self.lines.insert(rank, line);
            alpha = alpha.max(value);
            if value >= window.beta {
                break;
            }
        }
        Ok(best.unwrap_or(Eval::MIN))
    }

    fn search_child(&mut self, square: Square, goal: Goal, window: Window, first: bool) -> Result<Eval, Stopped> {
        let worker = &mut *self.worker;
        worker.count_node();
        let child = self.node.play(worker.shared.evaluator, square, self.node.position.flips(square));
        worker.line.clear();
        if !first {
            let value = -worker.search::<Null>(&child, goal.next(), Window::null(window.alpha).flipped())?;
            if value <= window.alpha || value >= window.beta {
                return Ok(value);
            }
        }
        Ok(-worker.search::<Principal>(&child, goal.next(), window.flipped())?)
    }

    /// Whether no other move comes near the best one, as far as a search of fewer plies can tell.
    fn best_is_alone(&mut self, draft: Draft) -> Result<bool, Stopped> {
        let goal = Goal::new(Draft::new(draft.depth - pacing::ALONE_REDUCTION, draft.selectivity));
        let alpha = self.lines[0].value - pacing::ALONE_MARGIN;
        for index in 1..self.lines.len() {
            let Move::Place(square) = self.lines[index].mv else { continue };
            let worker = &mut *self.worker;
            worker.count_node();
            let child = self.node.play(worker.shared.evaluator, square, self.node.position.flips(square));
            if -worker.search::<Null>(&child, goal.next(), Window::null(alpha).flipped())? > alpha {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Plays a solved line on to the end of the game: below the rim the search keeps no line.
    fn complete_line(&mut self, index: usize) {
        if !self.lines[index].solved {
            return;
        }
        let mut board = self.node.position;
        let mut value = self.lines[index].value.to_score().discs();
        let mut complete = Vec::new();
        let known = std::mem::take(&mut self.lines[index].pv);
        let mut known = known.into_iter();
        while !board.is_over() {
            let mv = match known.next() {
                Some(mv) if board.make(mv).is_some() => mv,
                _ if board.must_pass() => Move::Pass,
                _ if board.empty_count() > endgame::MAX_EMPTIES => break,
                _ => Move::Place(self.worker.solver.best_move(board, value)),
            };
            let Some(next) = board.make(mv) else { break };
            (board, value) = (next, -value);
            complete.push(mv);
        }
        self.lines[index].pv = complete;
    }
}

/// The window with its ends moved out, kept within all values.
fn widened(window: Window, below: Eval, above: Eval) -> Window {
    Window { alpha: (window.alpha - below).max(Window::FULL.alpha), beta: (window.beta + above).min(Window::FULL.beta) }
}

/// The nearest even number of discs.
fn round_even(value: Eval) -> Eval {
    let step = 2 * Eval::UNITS_PER_DISC;
    Eval::from_units((value.units() + step / 2).div_euclid(step) * step)
}
