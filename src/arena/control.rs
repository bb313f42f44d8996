//! Time controls as they are written, and the clock of the arbiter, which decides who lost on time.
//!
//! Start reading at [`ArbiterClock`].

use crate::clock::TimeControl;
use crate::protocol::client::TimeLeft;
use std::time::Duration;
use thiserror::Error;

/// The text is not a time control.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "`{0}` is not a time control: expected `none`, `5:00` or `300` (a game), `60+0.5` (with an increment), \
     `2/move` (each move), `60+30/5` (then 30 s for each 5 moves)"
)]
pub struct ControlError(pub String);

/// Reads a time control: `none`; `5:00` or `300` for a game; `60+0.5` with an increment; `2/move` for each move;
/// `60+30/5` for byo-yomi of 30 s for each 5 moves after the first 60 s.
///
/// # Errors
/// If it is none of these, or gives no time at all.
pub fn parse_control(text: &str) -> Result<TimeControl, ControlError> {
    read_control(text.trim()).ok_or_else(|| ControlError(text.to_owned()))
}

fn read_control(text: &str) -> Option<TimeControl> {
    if text == "none" {
        return Some(TimeControl::Unlimited);
    }
    let (main, rest) = match text.split_once('+') {
        Some((main, rest)) => (read_time(main)?, Some(rest)),
        None if text.contains('/') => (Duration::ZERO, Some(text)),
        None => (read_time(text)?, None),
    };
    match rest.map(|rest| rest.split_once('/').map_or((rest, None), |(time, stones)| (time, Some(stones)))) {
        None => (!main.is_zero()).then_some(TimeControl::Fischer { main, increment: Duration::ZERO }),
        Some((increment, None)) => {
            let increment = read_time(increment)?;
            (!main.is_zero()).then_some(TimeControl::Fischer { main, increment })
        }
        Some((period, Some(stones))) => {
            let period = read_time(period).filter(|period| !period.is_zero())?;
            let stones = if stones == "move" { 1 } else { stones.parse().ok().filter(|&stones| stones > 0)? };
            Some(TimeControl::ByoYomi { main, period, stones })
        }
    }
}

/// Reads `[[h:]m:]s`, the seconds with a fraction or without.
fn read_time(text: &str) -> Option<Duration> {
    let mut seconds = 0.0;
    for part in text.split(':') {
        if !part.starts_with(|first: char| first.is_ascii_digit() || first == '.') {
            return None;
        }
        seconds = seconds * 60.0 + part.parse::<f64>().ok()?;
    }
    Duration::try_from_secs_f64(seconds).ok()
}

/// One engine's clock in one game, as the arbiter keeps it. Unlike the clock inside an engine it can be overrun.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ArbiterClock {
    control: TimeControl,
    left: TimeLeft,
    /// All that the side was given up to now.
    given: Duration,
}

impl ArbiterClock {
    /// The clock at the start of a game.
    pub(super) const fn new(control: TimeControl) -> Self {
        let left = match control {
            TimeControl::Unlimited => TimeLeft { time: Duration::ZERO, stones: 0 },
            TimeControl::Fischer { main, .. } => TimeLeft { time: main, stones: 0 },
            TimeControl::ByoYomi { main, period, stones } if main.is_zero() => TimeLeft { time: period, stones },
            TimeControl::ByoYomi { main, .. } => TimeLeft { time: main, stones: 0 },
        };
        let given = if left.stones == 0 { left.time } else { Duration::ZERO };
        Self { control, left, given }
    }

    /// The time that the side was given up to now: the main time, the increments of its moves, and for each move in a
    /// period its part of that; `None` without a limit.
    pub(super) fn given(self) -> Option<Duration> {
        self.limit().map(|_| self.given)
    }

    /// What the clock shows; a side without a limit has a day left.
    pub(super) const fn left(self) -> TimeLeft {
        const DAY: Duration = Duration::from_secs(24 * 60 * 60);
        match self.control {
            TimeControl::Unlimited => TimeLeft { time: DAY, stones: 0 },
            _ => self.left,
        }
    }

    /// The longest the next move may take; `None` without a limit.
    pub(super) fn limit(self) -> Option<Duration> {
        match (self.control, self.left) {
            (TimeControl::Unlimited, _) => None,
            (TimeControl::ByoYomi { period, .. }, TimeLeft { time, stones: 0 }) => Some(time + period),
            (_, left) => Some(left.time),
        }
    }

    /// Takes the time of a move that was made within the limit (a little more is forgiven and leaves nothing).
    pub(super) fn spend(&mut self, used: Duration) {
        let TimeLeft { time, stones } = self.left;
        self.left = match self.control {
            TimeControl::Unlimited => return,
            TimeControl::Fischer { increment, .. } => {
                self.given += increment;
                TimeLeft { time: time.saturating_sub(used) + increment, stones: 0 }
            }
            TimeControl::ByoYomi { .. } if stones == 0 && used < time => TimeLeft { time: time - used, stones: 0 },
            TimeControl::ByoYomi { period, stones: all, .. } => {
                self.given += period / all;
                // The move that outlasts the main time is the first of the first period.
                let (time, stones) = if stones == 0 { (time + period, all) } else { (time, stones) };
                if stones > 1 {
                    TimeLeft { time: time.saturating_sub(used), stones: stones - 1 }
                } else {
                    TimeLeft { time: period, stones: all }
                }
            }
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    #[test]
    fn time_controls_are_read() {
        let fischer = |main, increment| TimeControl::Fischer { main: ms(main), increment: ms(increment) };
        let periods = |main, period, stones| TimeControl::ByoYomi { main: ms(main), period: ms(period), stones };
        for (text, control) in [
            ("none", TimeControl::Unlimited),
            ("300", fischer(300_000, 0)),
            ("5:00", fischer(300_000, 0)),
            ("1:00:00.5", fischer(3_600_500, 0)),
            ("60+0.5", fischer(60_000, 500)),
            (" .5+0.01 ", fischer(500, 10)),
            ("2/move", periods(0, 2_000, 1)),
            ("10/25", periods(0, 10_000, 25)),
            ("1:00+30/5", periods(60_000, 30_000, 5)),
        ] {
            assert_eq!(parse_control(text), Ok(control), "{text}");
        }
        for text in
            ["", "0", "0+1", "x", "-5", "5+", "+5", "5/", "5/0", "0/move", "inf", "nan", "5:x", "1+2+3", "1/2/3"]
        {
            assert_eq!(parse_control(text), Err(ControlError(text.to_owned())), "{text}");
        }
    }

    #[test]
    fn increments_come_after_the_move() {
        let mut clock = ArbiterClock::new(TimeControl::Fischer { main: ms(1_000), increment: ms(100) });
        assert_eq!(clock.limit(), Some(ms(1_000)));
        clock.spend(ms(900));
        assert_eq!(clock.limit(), Some(ms(200)));
        clock.spend(ms(230));
        assert_eq!(clock.left(), TimeLeft { time: ms(100), stones: 0 });
        assert_eq!(clock.given(), Some(ms(1_200)));
    }

    #[test]
    fn periods_follow_the_main_time_and_start_anew() {
        let mut clock = ArbiterClock::new(TimeControl::ByoYomi { main: ms(1_000), period: ms(300), stones: 2 });
        assert_eq!(clock.limit(), Some(ms(1_300)));
        clock.spend(ms(900));
        assert_eq!(clock.left(), TimeLeft { time: ms(100), stones: 0 });
        clock.spend(ms(150));
        assert_eq!(clock.left(), TimeLeft { time: ms(250), stones: 1 });
        assert_eq!(clock.limit(), Some(ms(250)));
        clock.spend(ms(250));
        assert_eq!(clock.left(), TimeLeft { time: ms(300), stones: 2 });
        assert_eq!(clock.given(), Some(ms(1_300)));
        let mut each = ArbiterClock::new(TimeControl::ByoYomi { main: ms(0), period: ms(300), stones: 1 });
        each.spend(ms(299));
        assert_eq!(each.left(), TimeLeft { time: ms(300), stones: 1 });
    }

    #[test]
    fn without_a_limit_nothing_is_spent() {
        let mut clock = ArbiterClock::new(TimeControl::Unlimited);
        clock.spend(ms(1_000_000_000));
        assert_eq!((clock.limit(), clock.given()), (None, None));
        assert!(clock.left().time > ms(1_000_000));
    }
}
