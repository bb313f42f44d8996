//! Time: the clock that is handed to the core, the clocks of a game, and how much of a game's time a move may use.
//!
//! Owns clocks and budgets; must not know games, searches or protocols. Start reading at [`Clock`] for the running of
//! time, at [`GameClock`] for the clock of a side, and at [`GameClock::budget`] for the division of its time among moves.

mod overhead;
mod share;
mod speed;

pub use overhead::Overhead;
pub use speed::Speed;

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
    /// What it should take, more or less; more if its best move is in doubt, less if it is not.
    pub soft: Duration,
    /// The search is stopped after this.
    pub hard: Duration,
    /// Whether time that is not used now can be used later. Without that a search goes on to the end of its time.
    pub saves: bool,
}

impl Budget {
    /// A budget that uses all of `time`.
    pub const fn fixed(time: Duration) -> Self {
        Self { soft: time, hard: time, saves: false }
    }

    /// The same if some of it has passed already.
    #[must_use]
    pub const fn less(self, passed: Duration) -> Self {
        Self { soft: self.soft.saturating_sub(passed), hard: self.hard.saturating_sub(passed), ..self }
    }

    /// The same with half the time.
    #[must_use]
    pub fn halved(self) -> Self {
        Self { soft: self.soft / 2, hard: self.hard / 2, ..self }
    }
}

/// What the division of a clock's time among moves depends on besides the clock.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Pace {
    /// Time that passes unseen around each move.
    pub lag: Duration,
    /// Time that may pass unseen once more, at the worst moment.
    pub cushion: Duration,
    /// How fast positions are searched.
    pub speed: Speed,
}

/// As before anything is measured.
impl Default for Pace {
    fn default() -> Self {
        let overhead = Overhead::default();
        Self { lag: overhead.usual(), cushion: overhead.worst(), speed: Speed::default() }
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

/// No clock shows more, whatever it is set to: sums of times stay far from what a [`Duration`] can hold.
const LONGEST: Duration = Duration::from_secs(1 << 32);
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

    /// How much more the clock of an arbiter has gone on than this one, which shows what is left by our own measure;
    /// `None` if they cannot be compared.
    pub fn behind(self, told: Self) -> Option<Duration> {
        match (self.left, told.left) {
            (Left::Main(own), Left::Main(told)) => Some(own.saturating_sub(told)),
            (Left::Period { time: own, stones }, Left::Period { time: told, stones: left }) if stones == left => {
                Some(own.saturating_sub(told))
            }
            _ => None,
        }
        .filter(|_| self.is_limited() && self.control == told.control)
    }

    /// The budget of the next own move with `empties` empty squares before it; `None` if time is not limited.
    ///
    /// A side that never thinks longer than `hard`, and loses no more than the lag of `pace` around each move, does not
    /// lose on time, if there is time for the lags at all.
    pub fn budget(self, empties: u8, pace: &Pace) -> Option<Budget> {
        match (self.control, self.left) {
            (TimeControl::Unlimited, _) => None,
            (TimeControl::Fischer { increment, .. }, Left::Main(time)) => {
                Some(share::of_game(time, increment, empties, pace))
            }
            (TimeControl::ByoYomi { period, stones, .. }, Left::Main(time)) => {
                Some(share::before_periods(time, (period, stones), empties, pace))
            }
            (_, Left::Period { time, stones }) => Some(share::of_period(time, stones, empties, pace)),
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    /// What a game is played under: a fast machine, and a client that loses `lag` around each move.
    fn pace(lag: Duration) -> Pace {
        let mut speed = Speed::default();
        speed.saw_solving(30_000_000, Duration::from_secs(1));
        Pace { lag, cushion: lag, speed }
    }

    const LAG: Duration = ms(2);

    /// Plays the own moves of a game from `empties` on, each as long as `share` of its hard limit, and tells what is left;
    /// `None` if the flag falls. The arbiter's clock also pays the lag.
    fn play_out(mut arbiter: GameClock, empties: u8, pace: &Pace, share: f64) -> Option<Duration> {
        for empties in (1..=empties).rev().step_by(2) {
            let budget = arbiter.budget(empties, pace);
            if let Some(budget) = budget {
                assert!(budget.soft <= budget.hard, "{budget:?} of {arbiter:?} at {empties}");
            }
            let used = budget.map_or(Duration::ZERO, |budget| budget.hard.mul_f64(share)) + pace.lag;
            let limit = match (arbiter.control, arbiter.left) {
                (TimeControl::ByoYomi { period, .. }, Left::Main(time)) => time + period,
                (_, Left::Main(time) | Left::Period { time, .. }) => time,
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

    proptest! {
        #[test]
        fn no_game_is_lost_on_time_even_if_every_move_uses_its_hard_limit(
            main in prop_oneof![0_u64..2_000, 0_u64..400_000], extra in prop_oneof![0_u64..20, 0_u64..20_000],
            stones in 0_u32..30, empties in 1_u8..=60, lag in prop_oneof![0_u64..3_000, 0_u64..300_000],
            share in 0.0..=1.0_f64, set in proptest::option::of(0_u64..100_000),
        ) {
            let lag = Duration::from_micros(lag);
            let pace = pace(lag);
            let (main, extra) = (ms(main), ms(extra));
            let control = match stones {
                0 => TimeControl::Fischer { main, increment: extra },
                stones => TimeControl::ByoYomi { main, period: extra, stones },
            };
            let mut clock = GameClock::new(control);
            if let Some(left) = set {
                clock.set_main(ms(left));
            }
            // With less there is no way to stay on time.
            let moves = u32::from(empties).div_ceil(2);
            let possible = match (clock.control, clock.left) {
                (TimeControl::ByoYomi { period, stones, .. }, _) => period > lag * (2 * stones),
                (TimeControl::Fischer { increment, .. }, Left::Main(time)) => {
                    time > lag + lag.saturating_sub(increment) * (moves - 1)
                }
                _ => true,
            };
            for share in [share, 1.0] {
                prop_assert!(!possible || play_out(clock, empties, &pace, share).is_some(), "{clock:?} {lag:?}");
            }
        }

        #[test]
        fn a_move_has_time_to_think_where_there_is_any(main in 2_000_u64..600_000, empties in 1_u8..=60) {
            let clock = GameClock::new(TimeControl::Fischer { main: ms(main), increment: ms(0) });
            let budget = clock.budget(empties, &pace(LAG)).expect("the clock is limited");
            prop_assert!(budget.soft * (u32::from(empties) + 2) >= ms(main) / 2, "{budget:?} of {main} at {empties}");
        }
    }

    #[test]
    fn one_second_at_forty_empties_is_enough() {
        let mut clock = GameClock::new(TimeControl::Fischer { main: ms(300_000), increment: ms(0) });
        clock.set_main(ms(1_000));
        assert!(play_out(clock, 40, &pace(LAG), 1.0).is_some());
    }

    #[test]
    fn most_of_the_clock_is_used_and_none_of_it_too_early() {
        for main in [300, 1_000, 60_000, 300_000] {
            let clock = GameClock::new(TimeControl::Fischer { main: ms(main), increment: ms(0) });
            let left = play_out(clock, 52, &pace(Duration::from_micros(300)), 0.4).expect("the game ends in time");
            assert!(left < ms(main / 5), "{left:?} of {main} left unused");
            let opening = clock.budget(52, &pace(LAG)).expect("the clock is limited");
            assert!(opening.soft < ms(main / 8), "{opening:?} for a move of the opening");
        }
    }

    #[test]
    fn a_faster_machine_solves_earlier_and_so_shares_the_clock_among_fewer_moves() {
        let clock = GameClock::new(TimeControl::Fischer { main: ms(10_000), increment: ms(0) });
        let slow = pace(LAG);
        let mut fast = slow;
        for _ in 0..9 {
            fast.speed.saw_solving(300_000_000, Duration::from_secs(1));
        }
        let soft = |pace: &Pace| clock.budget(40, pace).expect("limited").soft;
        assert!(soft(&fast) > soft(&slow));
    }

    #[test]
    fn an_unlimited_clock_has_no_budget_until_an_arbiter_tells_the_time() {
        let mut clock = GameClock::default();
        assert_eq!(clock.budget(60, &pace(LAG)), None);
        clock.spend(ms(1_000_000));
        assert_eq!(clock, GameClock::default());
        clock.set_main(ms(10_000));
        assert!(clock.budget(60, &pace(LAG)).expect("the clock is limited now").hard <= ms(10_000));
    }

    #[test]
    fn increments_are_added_and_used() {
        let mut clock = GameClock::new(TimeControl::Fischer { main: ms(1_000), increment: ms(2_000) });
        clock.spend(ms(400));
        assert_eq!(clock.left, Left::Main(ms(2_600)));
        let with = clock.budget(50, &pace(LAG)).expect("limited");
        let without = share::of_game(ms(2_600), ms(0), 50, &pace(LAG));
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
        // Nothing of the last move's time is good for anything else.
        let last = clock.budget(40, &pace(LAG)).expect("limited");
        assert!(last.hard < ms(9_000) && last.soft > ms(8_900) && !last.saves, "{last:?}");
        clock.spend(ms(8_000));
        assert_eq!(clock.left, Left::Period { time: ms(10_000), stones: 2 });
        let first = clock.budget(40, &pace(LAG)).expect("limited");
        assert!(first.soft < ms(5_000) && first.hard < ms(8_000) && first.saves, "{first:?}");
    }

    #[test]
    fn clocks_are_compared_only_where_they_measure_the_same() {
        let control = TimeControl::Fischer { main: ms(1_000), increment: ms(0) };
        let (mut own, mut told) = (GameClock::new(control), GameClock::new(control));
        own.set_main(ms(500));
        told.set_main(ms(480));
        assert_eq!(own.behind(told), Some(ms(20)));
        assert_eq!(told.behind(own), Some(ms(0)));
        told.set_period(ms(480), 3);
        assert_eq!(own.behind(told), None);
        assert_eq!(GameClock::default().behind(GameClock::default()), None);
    }

    #[test]
    fn a_flag_that_has_fallen_does_not_break_the_arithmetic() {
        for control in [
            TimeControl::Fischer { main: ms(0), increment: ms(0) },
            TimeControl::ByoYomi { main: ms(0), period: ms(0), stones: 1 },
        ] {
            let mut clock = GameClock::new(control);
            assert_eq!(clock.budget(60, &pace(LAG)).map(|budget| budget.hard), Some(ms(0)));
            clock.spend(ms(5));
            assert_eq!(clock.budget(0, &pace(LAG)).map(|budget| budget.hard), Some(ms(0)));
        }
    }

    #[test]
    fn huge_times_do_not_overflow() {
        let year = Duration::from_secs(365 * 24 * 3600);
        let clock = GameClock::new(TimeControl::Fischer { main: year, increment: year });
        assert!(clock.budget(60, &pace(LAG)).expect("limited").hard <= year);
        for control in [
            TimeControl::Fischer { main: Duration::MAX, increment: Duration::MAX },
            TimeControl::ByoYomi { main: Duration::MAX, period: Duration::MAX, stones: u32::MAX },
        ] {
            let mut clock = GameClock::new(control);
            for _ in 0..60 {
                assert!(clock.budget(60, &pace(Duration::from_secs(3600))).expect("limited").hard <= LONGEST * 100);
                clock.spend(Duration::ZERO);
            }
            clock.set_period(Duration::MAX, 1);
            clock.set_main(Duration::MAX);
            assert!(clock.budget(10, &pace(LAG)).expect("limited").hard <= LONGEST * 100);
        }
    }
}
