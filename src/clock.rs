//! Time: the clock that is handed to the core, the clocks of a game, and how much of a game's time a move may use.
//!
//! Owns clocks and budgets; must not know games, searches or protocols. Start reading at [`Clock`] for the running of
//! time and at [`GameClock::budget`] for its division among the moves of a game.

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

/// How time is given to a side for its game.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum TimeControl {
    /// As long as it takes.
    #[default]
    Unlimited,
    /// A main time, and an increment after each move (Fischer); the increment may be zero.
    Fischer {
        /// Time at the start of the game.
        main: Duration,
        /// Time added after each own move.
        increment: Duration,
    },
    /// A main time that may be zero, then again and again `stones` moves in each `period` (Canadian byo-yomi).
    ByoYomi {
        /// Time before the first period.
        main: Duration,
        /// Length of a period.
        period: Duration,
        /// Moves to make in a period, at least 1.
        stones: u32,
    },
}

/// The clock of one side in one game.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct GameClock {
    control: TimeControl,
    left: Left,
}

/// What a [`GameClock`] shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Left {
    /// Time left; in byo-yomi, before the first period.
    Main(Duration),
    /// Time left in a period and moves still to make in it.
    Period { time: Duration, stones: u32 },
}

impl Default for Left {
    fn default() -> Self {
        Self::Main(Duration::ZERO)
    }
}

/// Time that passes unseen around each move: the other program, its pipes, the scheduler.
const LAG: Duration = Duration::from_millis(20);
/// Time at which a position of [`SOLVE_BASE_EMPTIES`] empty squares is solved exactly on one thread, with room to spare.
/// Each further square doubles it.
const SOLVE_BASE: Duration = Duration::from_millis(300);
const SOLVE_BASE_EMPTIES: u8 = 20;
/// No clock shows more, whatever it is set to: sums of times stay far from what a [`Duration`] can hold.
const LONGEST: Duration = Duration::from_secs(1 << 32);
/// Squares that are searched out in no time: they get no share of the clock.
const FREE_EMPTIES: u8 = 12;

/// The time, or the longest that a clock shows.
const fn at_most_longest(time: Duration) -> Duration {
    if time.as_secs() < LONGEST.as_secs() { time } else { LONGEST }
}

impl TimeControl {
    /// The same control, with times that a clock can show.
    const fn bounded(self) -> Self {
        match self {
            Self::Unlimited => self,
            Self::Fischer { main, increment } => {
                Self::Fischer { main: at_most_longest(main), increment: at_most_longest(increment) }
            }
            Self::ByoYomi { main, period, stones } => {
                Self::ByoYomi { main: at_most_longest(main), period: at_most_longest(period), stones }
            }
        }
    }
}

impl GameClock {
    /// The clock at the start of a game.
    pub const fn new(control: TimeControl) -> Self {
        let control = control.bounded();
        let left = match control {
            TimeControl::Unlimited => Left::Main(Duration::ZERO),
            TimeControl::Fischer { main, .. } => Left::Main(main),
            TimeControl::ByoYomi { main, period, stones } if main.is_zero() => Left::Period { time: period, stones },
            TimeControl::ByoYomi { main, .. } => Left::Main(main),
        };
        Self { control, left }
    }

    /// How the time of this clock is given.
    pub const fn control(self) -> TimeControl {
        self.control
    }

    /// Whether the clock limits anything.
    pub const fn is_limited(self) -> bool {
        !matches!(self.control, TimeControl::Unlimited)
    }

    /// Time left: of the main time, or of the present period; `None` if time is not limited.
    pub const fn time_left(self) -> Option<Duration> {
        match (self.control, self.left) {
            (TimeControl::Unlimited, _) => None,
            (_, Left::Main(time) | Left::Period { time, .. }) => Some(time),
        }
    }

    /// Sets what an arbiter says is left of the main time. A clock without a time control becomes one without
    /// increment.
    pub const fn set_main(&mut self, time: Duration) {
        let time = at_most_longest(time);
        if !self.is_limited() {
            self.control = TimeControl::Fischer { main: time, increment: Duration::ZERO };
        }
        self.left = Left::Main(time);
    }

    /// Sets what an arbiter says is left of a byo-yomi period and of its moves, at least 1. A clock with another time
    /// control becomes one with such periods.
    pub const fn set_period(&mut self, time: Duration, stones: u32) {
        let time = at_most_longest(time);
        if !matches!(self.control, TimeControl::ByoYomi { .. }) {
            self.control = TimeControl::ByoYomi { main: Duration::ZERO, period: time, stones };
        }
        self.left = Left::Period { time, stones };
    }

    /// Takes the time of one own move.
    pub fn spend(&mut self, used: Duration) {
        match (self.control, self.left) {
            (TimeControl::Unlimited, _) => {}
            (TimeControl::Fischer { increment, .. }, Left::Main(time)) => {
                self.left = Left::Main(time.saturating_sub(used) + increment);
            }
            (TimeControl::ByoYomi { .. }, Left::Main(time)) if used < time => self.left = Left::Main(time - used),
            (TimeControl::ByoYomi { period, stones, .. }, Left::Main(time)) => {
                // The move that outlasts the main time is the first of the first period.
                self.left = Left::after_move(period, stones, used - time, (period, stones));
            }
            (TimeControl::ByoYomi { period, stones: all, .. }, Left::Period { time, stones }) => {
                self.left = Left::after_move(time, stones, used, (period, all));
            }
            (TimeControl::Fischer { .. }, Left::Period { time, .. }) => {
                self.left = Left::Main(time.saturating_sub(used));
            }
        }
    }

    /// The budget of the next own move with `empties` empty squares before it; `None` if time is not limited.
    ///
    /// A side that never thinks longer than `hard`, and loses up to 20 ms around each move, does not lose on time.
    pub fn budget(self, empties: u8) -> Option<Budget> {
        match (self.control, self.left) {
            (TimeControl::Unlimited, _) => None,
            (TimeControl::Fischer { increment, .. }, Left::Main(time)) => Some(share(time, increment, empties)),
            (TimeControl::ByoYomi { period, stones, .. }, Left::Main(time)) => {
                // What runs over the main time comes out of the first period, of which each move owns a part.
                let main = share(time, Duration::ZERO, empties);
                let part = period_share(period, stones);
                Some(Budget { soft: main.soft.max(part / 2), hard: main.hard.max(time + part) })
            }
            (_, Left::Period { time, stones }) => {
                let hard = period_share(time, stones);
                // The moves of a period share its time, so an unused rest is not lost unless this is the last one.
                let soft = if stones > 1 { hard * 2 / 3 } else { hard };
                Some(Budget { soft, hard })
            }
        }
    }
}

impl Left {
    /// The rest of a period after a move that took `used`; a full new one when its moves are made.
    fn after_move(time: Duration, stones: u32, used: Duration, (period, all): (Duration, u32)) -> Self {
        if stones > 1 {
            Self::Period { time: time.saturating_sub(used), stones: stones - 1 }
        } else {
            Self::Period { time: period, stones: all }
        }
    }
}

/// Time for one of `stones` moves that share `time`, less the lag and a twentieth.
fn period_share(time: Duration, stones: u32) -> Duration {
    let each = time / stones.max(1);
    let safe = each.saturating_sub(LAG * 2) * 19 / 20;
    safe.max(each / 2)
}

/// Time for one move of a game that goes on for `empties` squares, from `time` and what is added after each move.
///
/// Moves after the game can be solved cost little, so the moves before share the clock; a position that can be
/// solved with a good part of the clock gets that part at once (the practice of Edax and Egaroucid).
fn share(time: Duration, increment: Duration, empties: u8) -> Budget {
    let own_moves = u32::from(empties).div_ceil(2).max(1);
    let usable = time.saturating_sub(LAG * own_moves);
    let solvable = solvable_empties(usable / 3);
    if empties <= solvable {
        return Budget { soft: usable / 2, hard: usable * 3 / 5 };
    }
    let sharing = u32::from(empties - solvable.min(empties)).div_ceil(2) + 2;
    let part = usable / sharing + increment.saturating_sub(LAG);
    // An iteration takes about as long as all before it, so the last one may start at half the part; the end of it
    // is waited for within two parts, since a half-finished iteration is worth little.
    let most = usable * 2 / 5;
    Budget { soft: (part / 2).min(most), hard: (part * 2).min(most) }
}

/// The number of empty squares that can be solved in `time`.
fn solvable_empties(time: Duration) -> u8 {
    let mut empties = FREE_EMPTIES;
    let mut needed = SOLVE_BASE / (1 << (SOLVE_BASE_EMPTIES - FREE_EMPTIES));
    while needed * 2 <= time && empties < 60 {
        needed *= 2;
        empties += 1;
    }
    empties
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    /// Plays the own moves of a whole game, each as long as its budget allows, and tells what is left; `None` if the
    /// flag falls. The arbiter's clock also pays the lag.
    fn play_out(control: TimeControl, lag: Duration) -> Option<Duration> {
        let mut arbiter = GameClock::new(control);
        for empties in (1..=60).rev().step_by(2) {
            let used = arbiter.budget(empties).map_or(Duration::ZERO, |budget| budget.hard) + lag;
            let limit = match arbiter.left {
                Left::Period { time, .. } => time,
                Left::Main(time) => match control {
                    TimeControl::ByoYomi { period, .. } => time + period,
                    _ => time,
                },
            };
            if arbiter.is_limited() && used > limit {
                return None;
            }
            arbiter.spend(used);
        }
        Some(match arbiter.left {
            Left::Main(time) | Left::Period { time, .. } => time,
        })
    }

    #[test]
    fn no_whole_game_is_lost_on_time_even_if_every_move_uses_its_hard_limit() {
        for main in [700, 1_000, 2_500, 10_000, 60_000, 300_000, 3_600_000] {
            for increment in [0, 10, 100, 1_000, 12_000] {
                let control = TimeControl::Fischer { main: ms(main), increment: ms(increment) };
                assert!(play_out(control, LAG).is_some(), "{control:?}");
            }
        }
        for main in [0, 500, 10_000, 600_000] {
            for (period, stones) in [(100, 1), (1_000, 1), (15_000, 1), (10_000, 5), (300_000, 25)] {
                let control = TimeControl::ByoYomi { main: ms(main), period: ms(period), stones };
                assert!(play_out(control, LAG).is_some(), "{control:?}");
            }
        }
    }

    #[test]
    fn one_second_at_forty_empties_is_enough() {
        let mut clock = GameClock::new(TimeControl::Fischer { main: ms(300_000), increment: ms(0) });
        clock.set_main(ms(1_000));
        for empties in (1..=40).rev().step_by(2) {
            let budget = clock.budget(empties).expect("the clock is limited");
            assert!(budget.soft <= budget.hard);
            assert!(budget.hard > Duration::ZERO);
            let Left::Main(left) = clock.left else { panic!("there are no periods") };
            assert!(budget.hard + LAG <= left, "{empties} empties: {budget:?} of {left:?}");
            clock.spend(budget.hard + LAG);
        }
    }

    #[test]
    fn most_of_the_clock_is_used_and_none_of_it_too_early() {
        let five_minutes = TimeControl::Fischer { main: ms(300_000), increment: ms(0) };
        let left = play_out(five_minutes, LAG).expect("the game ends in time");
        assert!(left < ms(60_000), "{left:?} left unused");
        let opening = GameClock::new(five_minutes).budget(58).expect("the clock is limited");
        assert!(opening.hard < ms(60_000), "{opening:?} for a move of the opening");
    }

    #[test]
    fn an_unlimited_clock_has_no_budget_until_an_arbiter_tells_the_time() {
        let mut clock = GameClock::default();
        assert_eq!(clock.budget(60), None);
        clock.spend(ms(1_000_000));
        assert_eq!(clock, GameClock::default());
        clock.set_main(ms(10_000));
        assert!(clock.budget(60).expect("the clock is limited now").hard <= ms(10_000));
    }

    #[test]
    fn increments_are_added_and_used() {
        let mut clock = GameClock::new(TimeControl::Fischer { main: ms(1_000), increment: ms(2_000) });
        clock.spend(ms(400));
        assert_eq!(clock.left, Left::Main(ms(2_600)));
        let with = clock.budget(50).expect("limited");
        let without = share(ms(2_600), ms(0), 50);
        assert!(with.soft > without.soft);
    }

    #[test]
    fn a_period_starts_anew_when_its_moves_are_made() {
        let control = TimeControl::ByoYomi { main: ms(1_000), period: ms(10_000), stones: 2 };
        let mut clock = GameClock::new(control);
        clock.spend(ms(600));
        assert_eq!(clock.left, Left::Main(ms(400)));
        clock.spend(ms(1_400));
        assert_eq!(clock.left, Left::Period { time: ms(9_000), stones: 1 });
        assert!(clock.budget(40).expect("limited").hard < ms(9_000));
        clock.spend(ms(8_000));
        assert_eq!(clock.left, Left::Period { time: ms(10_000), stones: 2 });
        assert!(clock.budget(40).expect("limited").hard < ms(5_000));
    }

    #[test]
    fn a_flag_that_has_fallen_does_not_break_the_arithmetic() {
        for control in [
            TimeControl::Fischer { main: ms(0), increment: ms(0) },
            TimeControl::ByoYomi { main: ms(0), period: ms(0), stones: 1 },
        ] {
            let mut clock = GameClock::new(control);
            assert_eq!(clock.budget(60), Some(Budget::fixed(ms(0))));
            clock.spend(ms(5));
            assert_eq!(clock.budget(0).map(|budget| budget.hard), Some(ms(0)));
        }
    }

    #[test]
    fn huge_times_do_not_overflow() {
        let year = Duration::from_secs(365 * 24 * 3600);
        let clock = GameClock::new(TimeControl::Fischer { main: year, increment: year });
        assert!(clock.budget(60).expect("limited").hard <= year);
        for control in [
            TimeControl::Fischer { main: Duration::MAX, increment: Duration::MAX },
            TimeControl::ByoYomi { main: Duration::MAX, period: Duration::MAX, stones: u32::MAX },
        ] {
            let mut clock = GameClock::new(control);
            for _ in 0..60 {
                assert!(clock.budget(60).expect("limited").hard <= LONGEST * 100);
                clock.spend(Duration::ZERO);
            }
            clock.set_period(Duration::MAX, 1);
            clock.set_main(Duration::MAX);
            assert!(clock.budget(10).expect("limited").hard <= LONGEST * 100);
        }
    }
}
