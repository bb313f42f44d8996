//! Sharing the moves of a node between workers (young brothers wait: the first move is always done alone).
//!
//! The owner of a split point takes moves like everyone else, late helpers may join as long as moves are left, and a
//! cutoff reaches everyone below. While the owner waits for its last helpers it works on their own split points
//! (helpful master), so it never sleeps while there is work it may do.

use super::midgame::{Kind, Null, Principal};
use super::order::{Candidate, bring_best_forward};
use super::pool::Pool;
use super::worker::{Goal, Node, Stopped, Worker};
use crate::board::{Move, Square};
use crate::eval::Evaluator;
use crate::score::{Eval, Window};
use parking_lot::Mutex;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// What the moves tried so far have given.
#[derive(Clone, Debug)]
pub(super) struct Progress {
    /// What is still asked: alpha is the best value so far.
    pub(super) window: Window,
    /// The best value, fail-soft; below every value before the first move.
    pub(super) best: Eval,
    /// The move that gave it.
    pub(super) square: Option<Square>,
    /// Expected play, on the principal variation.
    pub(super) line: Vec<Move>,
}

impl Progress {
    pub(super) const fn new(window: Window) -> Self {
        Self { window, best: Eval::from_units(Eval::MIN.units() - 1), square: None, line: Vec::new() }
    }

    /// Whether the opponent would not let this node happen.
    #[inline]
    pub(super) fn is_cut(&self) -> bool {
        self.best >= self.window.beta
    }

    /// Notes that `square` is worth `value`, with the play that follows it. `line` may be taken.
    #[inline]
    pub(super) fn update(&mut self, square: Square, value: Eval, line: &mut Vec<Move>) {
        if value <= self.best {
            return;
        }
        self.best = value;
        self.square = Some(square);
        if value > self.window.alpha {
            if !self.window.is_null() {
                self.line.clear();
                self.line.push(Move::Place(square));
                self.line.append(line);
            }
            // Capped below beta so that the window stays one.
            self.window.alpha = value.min(self.window.beta - Eval::UNIT);
        }
    }
}

/// A node whose remaining moves are shared.
pub(super) struct SplitPoint<F> {
    node: Node<F>,
    goal: Goal,
    principal: bool,
    candidates: Vec<Candidate>,
    next: AtomicUsize,
    cut: AtomicBool,
    parent: Option<Arc<SplitPoint<F>>>,
    progress: Mutex<Progress>,
    /// Workers at it besides its owner; changed only with the pool locked.
    helpers: AtomicUsize,
}

impl<F: Copy> SplitPoint<F> {
    /// Whether the work below this point has become worthless. Relaxed: a flag that carries no data.
    #[inline]
    pub(super) fn is_cut(&self) -> bool {
        self.cut.load(Ordering::Relaxed) || self.parent.as_ref().is_some_and(|parent| parent.is_cut())
    }

    /// Whether a move is left that nobody has taken.
    pub(super) fn has_moves(&self) -> bool {
        self.next.load(Ordering::Relaxed) < self.candidates.len() && !self.is_cut()
    }

    /// How large the trees below are.
    pub(super) fn size(&self) -> u8 {
        self.goal.depth()
    }

    /// Whether this point lies below `ancestor`.
    pub(super) fn is_below(&self, ancestor: &Self) -> bool {
        let mut point = self.parent.as_deref();
        while let Some(above) = point {
            if std::ptr::eq(above, ancestor) {
                return true;
            }
            point = above.parent.as_deref();
        }
        false
    }

    /// Registers a helper if there is work. Called only with the pool locked.
    pub(super) fn join(&self) -> bool {
        let open = self.has_moves();
        self.helpers.fetch_add(usize::from(open), Ordering::Relaxed);
        open
    }

    /// Takes a helper off. Called only with the pool locked.
    pub(super) fn leave(&self) {
        self.helpers.fetch_sub(1, Ordering::Relaxed);
    }

    /// Whether a helper is still at work. Called only with the pool locked.
    pub(super) fn has_helpers(&self) -> bool {
        self.helpers.load(Ordering::Relaxed) > 0
    }

    /// Notes what a worker found out about `square`, if it is better than what the others found meanwhile.
    fn merge(&self, square: Square, mine: Progress) {
        let mut progress = self.progress.lock();
        if mine.square == Some(square) && mine.best > progress.best {
            *progress = mine;
            if progress.is_cut() {
                self.cut.store(true, Ordering::Relaxed);
            }
        }
    }
}

/// Takes a helper off its split point when it is done.
struct Leaving<'a, F: Copy>(&'a Pool<F>, &'a SplitPoint<F>);

impl<F: Copy> Drop for Leaving<'_, F> {
    fn drop(&mut self) {
        self.0.leave(self.1);
    }
}

impl<E: Evaluator> Worker<'_, E> {
    /// Searches the remaining moves of a node together with whoever is idle.
    pub(super) fn share<K: Kind>(
        &mut self,
        node: &Node<E::Features>,
        candidates: &mut [Candidate],
        goal: Goal,
        progress: Progress,
    ) -> Result<Progress, Stopped> {
        for index in 0..candidates.len() {
            bring_best_forward(&mut candidates[index..]);
        }
        let point = Arc::new(SplitPoint {
            node: *node,
            goal,
            principal: K::PV,
            candidates: candidates.to_vec(),
            next: AtomicUsize::new(0),
            cut: AtomicBool::new(false),
            parent: self.split.clone(),
            progress: Mutex::new(progress),
            helpers: AtomicUsize::new(0),
        });
        self.shared.pool.open(&point);
        let outer = self.split.replace(Arc::clone(&point));
        let result = self.take_moves::<K>(&point);
        self.shared.pool.close(&point);
        if result.is_err() {
            // Nobody will ask for the value any more: let the helpers go.
            point.cut.store(true, Ordering::Relaxed);
        }
        self.wait_for_helpers(&point);
        self.split = outer;
        result?;
        // A cutoff of this point is a result; a stop from above is not.
        let above = self.split.as_ref().is_some_and(|above| above.is_cut());
        if above || self.shared.aborted() {
            return Err(Stopped);
        }
        let progress = point.progress.lock().clone();
        Ok(progress)
    }

    /// Works on a split point that [`SplitPoint::join`] let this worker into.
    pub(super) fn help(&mut self, point: &Arc<SplitPoint<E::Features>>) {
        // Also when this worker panics: an owner that waits for ever would hide the panic.
        let _leaving = Leaving(&self.shared.pool, point);
        let outer = self.split.replace(Arc::clone(point));
        // A helper that is stopped has nothing to hand over: its owner learns of the stop by itself.
        let _ = if point.principal { self.take_moves::<Principal>(point) } else { self.take_moves::<Null>(point) };
        self.split = outer;
        self.publish_nodes();
    }

    /// Takes moves of the point until none is left or one cuts.
    fn take_moves<K: Kind>(&mut self, point: &SplitPoint<E::Features>) -> Result<(), Stopped> {
        loop {
            let index = point.next.fetch_add(1, Ordering::Relaxed);
            let Some(&candidate) = point.candidates.get(index) else { return Ok(()) };
            let mut mine = point.progress.lock().clone();
            if mine.is_cut() {
                return Ok(());
            }
            match self.try_move::<K>(&point.node, candidate, point.goal, &mut mine) {
                Ok(()) => point.merge(candidate.square, mine),
                // Cut off by a brother: the point has its result.
                Err(Stopped) if point.cut.load(Ordering::Relaxed) && !self.stopped_above(point) => return Ok(()),
                Err(Stopped) => return Err(Stopped),
            }
            if point.cut.load(Ordering::Relaxed) {
                return Ok(());
            }
        }
    }

    fn stopped_above(&self, point: &SplitPoint<E::Features>) -> bool {
        self.shared.aborted() || point.parent.as_ref().is_some_and(|parent| parent.is_cut())
    }

    /// Waits until every helper has left, working below the point meanwhile.
    fn wait_for_helpers(&mut self, point: &Arc<SplitPoint<E::Features>>) {
        while let Some(below) = self.shared.pool.next_below(point) {
            self.help(&below);
        }
    }
}
