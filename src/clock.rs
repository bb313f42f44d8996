//! Time: the clock that is handed to the core, and how much of a game's time a move may use.
//!
//! Owns clocks and budgets; must not know games, searches or protocols. Start reading at [`Clock`].

use std::time::{Duration, Instant};

/// A clock that only runs forward. The core never looks at the wall clock by itself: one of these is handed to it.
pub trait Clock: Sync {
    /// Time since some fixed moment.
    fn now(&self) -> Duration;
}

/// The machine's own monotonic clock.
#[derive(Clone, Copy, Debug)]
pub struct WallClock(Instant);

impl Default for WallClock {
    fn default() -> Self {
        Self(Instant::now())
    }
}

impl Clock for WallClock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

/// How long one search may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// No new iteration is started after this.
    pub soft: Duration,
    /// The search is stopped after this.
    pub hard: Duration,
}

impl Budget {
    /// A budget that uses all of `time`.
    pub const fn fixed(time: Duration) -> Self {
        Self { soft: time, hard: time }
    }
}
