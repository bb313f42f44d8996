//! The time that passes unseen around each move: the other program, its pipes, the scheduler.
//!
//! It is learnt from what the arbiter's clock shows beyond our own; a user may set it instead. Start reading at
//! [`Overhead::observe`].

use std::time::Duration;

/// What is known of the time that passes unseen around each move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Overhead {
    set: Option<Duration>,
    /// What a move loses, more or less.
    usual: Duration,
    /// What it lost at the worst, fading.
    worst: Duration,
}

/// Before anything is known.
const FIRST_USUAL: Duration = Duration::from_millis(2);
const FIRST_WORST: Duration = Duration::from_millis(8);
/// What is never fallen below: no clock is told more exactly than this, and every scheduler is late now and then.
const LEAST_USUAL: Duration = Duration::from_micros(300);
const LEAST_WORST: Duration = Duration::from_millis(6);
/// More is no overhead, but another clock: somebody has set it.
const MOST: Duration = Duration::from_secs(2);
/// Part of the usual time that a new observation makes up.
const WEIGHT: u32 = 4;
/// Part of the worst time that is forgotten with each move.
const FADING: u32 = 12;

impl Default for Overhead {
    fn default() -> Self {
        Self { set: None, usual: FIRST_USUAL, worst: FIRST_WORST }
    }
}

impl Overhead {
    /// The time that somebody has set, if any; nothing is learnt then.
    pub const fn set_by_hand(&self) -> Option<Duration> {
        self.set
    }

    /// Sets it by hand, or lets it be learnt.
    pub const fn set(&mut self, time: Option<Duration>) {
        self.set = time;
    }

    /// The time that a move loses as a rule.
    pub fn usual(&self) -> Duration {
        self.set.unwrap_or(self.usual.max(LEAST_USUAL))
    }

    /// The time to have in hand for a move that loses more than most.
    pub fn worst(&self) -> Duration {
        self.set.unwrap_or(self.worst.max(LEAST_WORST))
    }

    /// Learns that the arbiter's clock has gone on by `behind` more than our own in one move, and shows `told` now.
    ///
    /// Clocks are told in whole seconds, hundredths or thousandths, so that a part of the difference may be rounding:
    /// it is not counted, and neither is what must be a clock set anew.
    pub fn observe(&mut self, behind: Duration, told: Duration) {
        let lost = behind.saturating_sub(resolution(told));
        if behind > MOST {
            return;
        }
        self.usual = (self.usual * (WEIGHT - 1) + lost) / WEIGHT;
        self.saw(lost);
    }

    /// Learns that a search ended so much after its time.
    pub fn was_late(&mut self, late: Duration) {
        if late <= MOST {
            self.saw(late);
        }
    }

    fn saw(&mut self, lost: Duration) {
        self.worst = (self.worst * (FADING - 1) / FADING).max(lost);
    }
}

/// What a time is rounded to, by its look.
fn resolution(time: Duration) -> Duration {
    match time.subsec_millis() {
        0 => Duration::from_secs(1),
        millis if millis % 10 == 0 => Duration::from_millis(10),
        _ => Duration::from_millis(1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    #[test]
    fn a_slow_client_is_found_out_within_a_few_moves_and_a_fast_one_too() {
        let mut overhead = Overhead::default();
        for told in [9_437, 9_233, 9_021, 8_817, 8_613, 8_411] {
            overhead.observe(ms(101), ms(told));
        }
        assert!(overhead.usual() > ms(80) && overhead.worst() >= ms(100), "{overhead:?}");
        for _ in 0..60 {
            overhead.observe(ms(1), ms(7_123));
        }
        assert_eq!((overhead.usual(), overhead.worst()), (LEAST_USUAL, LEAST_WORST));
    }

    #[test]
    fn rounding_and_clocks_that_are_set_are_no_overhead() {
        let mut overhead = Overhead::default();
        for _ in 0..40 {
            overhead.observe(ms(870), ms(59_000));
            overhead.observe(ms(8), ms(59_120));
            overhead.observe(ms(100_000), ms(12_345));
        }
        assert_eq!((overhead.usual(), overhead.worst()), (LEAST_USUAL, LEAST_WORST));
    }

    #[test]
    fn what_is_set_by_hand_holds() {
        let mut overhead = Overhead::default();
        overhead.set(Some(ms(50)));
        overhead.observe(ms(201), ms(9_437));
        assert_eq!((overhead.usual(), overhead.worst()), (ms(50), ms(50)));
        overhead.set(None);
        assert!(overhead.worst() >= ms(200));
    }

    #[test]
    fn a_late_end_of_a_search_counts_as_worst_alone() {
        let mut overhead = Overhead::default();
        overhead.was_late(ms(12));
        assert_eq!((overhead.usual(), overhead.worst()), (FIRST_USUAL, ms(12)));
    }
}
