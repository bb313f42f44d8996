//! The clocks of a game, one of which may be running.

use crate::board::Color;
use crate::clock::{GameClock, TimeControl};
use crate::web::message::{Both, ClockSettings};
use std::time::{Duration, Instant};

/// Both clocks. Without settings they never run.
pub(super) struct Clocks {
    settings: Option<ClockSettings>,
    clocks: [GameClock; 2],
    running: Option<(Color, Instant)>,
}

impl Clocks {
    /// Clocks at the start of a game.
    pub(super) fn new(settings: Option<ClockSettings>) -> Self {
        let control = settings.map_or(TimeControl::Unlimited, |settings| TimeControl::Fischer {
            main: Duration::from_millis(settings.main_ms.into()),
            increment: Duration::from_millis(settings.increment_ms.into()),
        });
        Self { settings, clocks: [GameClock::new(control); 2], running: None }
    }

    /// Clocks as they stood.
    pub(super) fn at(settings: Option<ClockSettings>, left_ms: Option<Both<u64>>) -> Self {
        let mut clocks = Self::new(settings);
        if let Some(left) = left_ms {
            for side in [Color::Black, Color::White] {
                clocks.clocks[side.index()].set_main(Duration::from_millis(*left.of(side)));
            }
        }
        clocks
    }

    pub(super) const fn settings(&self) -> Option<ClockSettings> {
        self.settings
    }

    /// The clock of `side` as it would stand if it were stopped now.
    pub(super) fn clock(&self, side: Color) -> GameClock {
        let mut clock = self.clocks[side.index()];
        if let (Some(left), Some((running, since))) = (clock.time_left(), self.running)
            && running == side
        {
            clock.set_main(left.saturating_sub(since.elapsed()));
        }
        clock
    }

    /// The side whose clock runs.
    pub(super) fn running(&self) -> Option<Color> {
        self.running.map(|(side, _)| side)
    }

    /// Lets the clock of `side` run, and the other one stand. A clock that already runs goes on.
    pub(super) fn run(&mut self, side: Option<Color>) {
        let side = side.filter(|_| self.settings.is_some());
        if side != self.running() {
            if let Some(stopped) = self.running() {
                self.clocks[stopped.index()] = self.clock(stopped);
            }
            self.running = side.map(|side| (side, Instant::now()));
        }
    }

    /// Takes the time of a move of `side`, and gives the increment.
    pub(super) fn moved(&mut self, side: Color) {
        if let Some((running, since)) = self.running.take_if(|(running, _)| *running == side) {
            self.clocks[running.index()].spend(since.elapsed());
        }
    }

    /// The side whose time has run out.
    pub(super) fn fallen(&self) -> Option<Color> {
        self.running().filter(|&side| self.clock(side).time_left().is_some_and(|left| left.is_zero()))
    }

    /// Milliseconds left.
    pub(super) fn left_ms(&self) -> Option<Both<u64>> {
        let left = |side| self.clock(side).time_left().map(|left| u64::try_from(left.as_millis()).unwrap_or(u64::MAX));
        Some(Both { black: left(Color::Black)?, white: left(Color::White)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread::sleep;

    #[test]
    fn only_the_running_clock_loses_time_and_a_move_gives_the_increment() {
        let mut clocks = Clocks::new(Some(ClockSettings { main_ms: 1000, increment_ms: 5000 }));
        clocks.run(Some(Color::Black));
        sleep(Duration::from_millis(20));
        let left = clocks.left_ms().unwrap();
        assert!(left.black < 990 && left.white == 1000, "{left:?}");
        clocks.run(None);
        let stopped = clocks.left_ms();
        sleep(Duration::from_millis(5));
        assert_eq!(clocks.left_ms(), stopped);
        clocks.run(Some(Color::Black));
        clocks.moved(Color::Black);
        assert!(clocks.left_ms().unwrap().black > 5000);
        assert_eq!((clocks.running(), clocks.fallen()), (None, None));
    }

    #[test]
    fn a_clock_falls_and_games_without_clocks_have_none() {
        let mut clocks = Clocks::new(Some(ClockSettings { main_ms: 10, increment_ms: 0 }));
        clocks.run(Some(Color::White));
        sleep(Duration::from_millis(15));
        assert_eq!(clocks.fallen(), Some(Color::White));
        let mut none = Clocks::new(None);
        none.run(Some(Color::White));
        assert_eq!((none.running(), none.left_ms()), (None, None));
    }
}
