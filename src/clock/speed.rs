//! How fast positions are searched, and how many of them it takes to solve a position.
//!
//! Speeds are measured in the searches of the game itself; the numbers of positions are fitted (`scripts/clock_model.py`
//! makes them again). Start reading at [`Speed::solvable`].

use std::time::Duration;

/// Positions per second in searches of the middle game and in those to the end of the game, as last measured.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Speed {
    middle: Rate,
    solving: Rate,
}

/// Positions and the seconds they took, older ones counting less.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Rate {
    nodes: f64,
    seconds: f64,
}

/// Before anything is measured: a cautious guess for one thread, worth a millisecond of measurement.
const FIRST_MIDDLE: Rate = Rate { nodes: 3_000.0, seconds: 0.001 };
const FIRST_SOLVING: Rate = Rate { nodes: 10_000.0, seconds: 0.001 };
/// What is measured in half a second outweighs all before it: the machine's load changes during a game.
const MEMORY: f64 = 0.5;

/// Positions to search until one of [`SOLVE_EMPTIES`] empty squares is solved exactly, those of all the passes before
/// the exact one included: the median of positions from games.
const SOLVE_NODES: f64 = 1_300_000.0;
const SOLVE_EMPTIES: f64 = 20.0;
/// Each further empty square multiplies that.
const SOLVE_GROWTH: f64 = 2.1;

impl Default for Speed {
    fn default() -> Self {
        Self { middle: FIRST_MIDDLE, solving: FIRST_SOLVING }
    }
}

impl Speed {
    /// Positions per second in the middle game.
    pub fn middle(&self) -> f64 {
        self.middle.per_second()
    }

    /// Positions per second in searches to the end of the game.
    pub fn solving(&self) -> f64 {
        self.solving.per_second()
    }

    /// Learns that a search of the middle game went through so many positions in a time.
    pub fn saw_middle(&mut self, nodes: u64, time: Duration) {
        self.middle.add(nodes, time);
    }

    /// Learns that a search to the end of the game went through so many positions in a time.
    pub fn saw_solving(&mut self, nodes: u64, time: Duration) {
        self.solving.add(nodes, time);
    }

    /// How many empty squares can be solved exactly in `time`, as a rule.
    pub fn solvable(&self, time: Duration) -> f64 {
        let nodes = (time.as_secs_f64() * self.solving()).max(1.0);
        SOLVE_EMPTIES + (nodes / SOLVE_NODES).ln() / SOLVE_GROWTH.ln()
    }
}

impl Rate {
    fn per_second(self) -> f64 {
        self.nodes / self.seconds
    }

    fn add(&mut self, nodes: u64, time: Duration) {
        let seconds = time.as_secs_f64();
        if nodes == 0 || seconds <= 0.0 {
            return;
        }
        let kept = (-seconds / MEMORY).exp();
        self.nodes = self.nodes * kept + nodes as f64;
        self.seconds = self.seconds * kept + seconds;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_speed_follows_what_is_measured() {
        let mut speed = Speed::default();
        let before = speed.solvable(Duration::from_secs(1));
        for _ in 0..20 {
            speed.saw_solving(8_000_000, Duration::from_millis(200));
            speed.saw_middle(100_000, Duration::from_millis(10));
        }
        assert!((speed.solving() / 40e6 - 1.0).abs() < 0.05, "{}", speed.solving());
        assert!((speed.middle() / 10e6 - 1.0).abs() < 0.05, "{}", speed.middle());
        assert!(speed.solvable(Duration::from_secs(1)) > before + 1.0);
        // A machine that has become slow is noticed within a second.
        speed.saw_solving(8_000_000, Duration::from_secs(1));
        assert!(speed.solving() < 15e6, "{}", speed.solving());
    }

    #[test]
    fn nothing_in_no_time_teaches_nothing() {
        let mut speed = Speed::default();
        speed.saw_middle(0, Duration::from_secs(1));
        speed.saw_solving(1_000, Duration::ZERO);
        assert_eq!(speed, Speed::default());
        assert!(speed.solvable(Duration::ZERO).is_finite());
    }
}
