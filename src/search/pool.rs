//! Where idle workers find split points.

use super::split::SplitPoint;
use parking_lot::{Condvar, Mutex};
use std::sync::Arc;

/// The open split points of a search.
pub(super) struct Pool<F> {
    open: Mutex<Open<F>>,
    /// A split point was opened, a helper left one, or the search is over.
    changed: Condvar,
}

struct Open<F> {
    points: Vec<Arc<SplitPoint<F>>>,
    over: bool,
}

impl<F: Copy> Pool<F> {
    pub(super) const fn new() -> Self {
        Self { open: Mutex::new(Open { points: Vec::new(), over: false }), changed: Condvar::new() }
    }

    /// Shows a split point to idle workers.
    pub(super) fn open(&self, point: &Arc<SplitPoint<F>>) {
        self.open.lock().points.push(Arc::clone(point));
        self.changed.notify_all();
    }

    /// Takes a split point out of sight; nobody joins it after this.
    pub(super) fn close(&self, point: &Arc<SplitPoint<F>>) {
        self.open.lock().points.retain(|other| !Arc::ptr_eq(other, point));
    }

    /// Takes a helper off a split point.
    pub(super) fn leave(&self, point: &SplitPoint<F>) {
        let open = self.open.lock();
        point.leave();
        drop(open);
        self.changed.notify_all();
    }

    /// Ends the waiting of idle workers: the search is over.
    pub(super) fn finish(&self) {
        self.open.lock().over = true;
        self.changed.notify_all();
    }

    /// The next split point to help with, joined; waits for one, and gives `None` when the search is over.
    pub(super) fn next(&self) -> Option<Arc<SplitPoint<F>>> {
        let mut open = self.open.lock();
        loop {
            if open.over {
                return None;
            }
            if let Some(point) = largest(&open.points, |_| true) {
                return Some(point);
            }
            self.changed.wait(&mut open);
        }
    }

    /// The next split point below `ancestor` to help with, joined; waits for one as long as `ancestor` has helpers.
    pub(super) fn next_below(&self, ancestor: &SplitPoint<F>) -> Option<Arc<SplitPoint<F>>> {
        let mut open = self.open.lock();
        loop {
            if !ancestor.has_helpers() {
                return None;
            }
            if let Some(point) = largest(&open.points, |point| point.is_below(ancestor)) {
                return Some(point);
            }
            self.changed.wait(&mut open);
        }
    }
}

/// Joins the point with the deepest trees left, the oldest of equals.
fn largest<F: Copy>(
    points: &[Arc<SplitPoint<F>>],
    eligible: impl Fn(&SplitPoint<F>) -> bool,
) -> Option<Arc<SplitPoint<F>>> {
    let mut best: Option<&Arc<SplitPoint<F>>> = None;
    for point in points {
        if point.has_moves() && eligible(point) && best.is_none_or(|best| point.size() > best.size()) {
            best = Some(point);
        }
    }
    best.filter(|point| point.join()).cloned()
}
