//! The clocks of a game as NBoard tells them: the time control once with the game, then the time of each move.
//!
//! Owns what both sides have used; must not know the wire. Start reading at [`Times::clock`].

use crate::board::{Color, Move};
use crate::clock::{GameClock, TimeControl};
use crate::game::record::{ClockSetting, GameRecord};
use std::time::Duration;

/// Grace where a game does not state it, after the custom of GGS.
const DEFAULT_GRACE: Duration = Duration::from_secs(120);
/// What a side gets for each move when all its time is gone: NBoard lets it play on.
const AFTER_THE_FLAG: Duration = Duration::from_secs(1);

/// The time of both sides: what they were given and what they have used.
#[derive(Clone, Default, Debug)]
pub(super) struct Times([Side; 2]);

#[derive(Clone, Default, Debug)]
struct Side {
    setting: Option<ClockSetting>,
    used: Duration,
    moves: u32,
}

impl Times {
    /// The times of a game after its moves.
    pub(super) fn of(record: &GameRecord) -> Self {
        let mut times = Self::default();
        for color in [Color::Black, Color::White] {
            times.0[color.index()].setting = record.player(color).clock;
        }
        for (ply, turn) in record.game.turns().enumerate() {
            times.spend(turn.color, turn.mv, record.notes.get(&ply).and_then(|note| note.time));
        }
        times
    }

    /// Takes the time of a move of `color`; a pass adds nothing to the clock.
    pub(super) fn spend(&mut self, color: Color, mv: Move, used: Option<Duration>) {
        let side = &mut self.0[color.index()];
        side.used = side.used.saturating_add(used.unwrap_or_default());
        side.moves += u32::from(mv != Move::Pass);
    }

    /// The clock of a side as it shows now. Without main time and increment there is no limit.
    pub(super) fn clock(&self, color: Color) -> GameClock {
        let side = &self.0[color.index()];
        let Some(ClockSetting { main, increment, grace }) = side.setting else { return GameClock::default() };
        let increment = increment.unwrap_or_default();
        if main.is_zero() && increment.is_zero() {
            return GameClock::default();
        }
        let mut clock = GameClock::new(TimeControl::Fischer { main, increment });
        let given = main.saturating_add(increment.saturating_mul(side.moves));
        let with_grace = given.saturating_add(grace.unwrap_or(DEFAULT_GRACE));
        if let Some(left) = given.checked_sub(side.used).or_else(|| with_grace.checked_sub(side.used)) {
            clock.set_main(left);
        } else {
            clock.set_period(AFTER_THE_FLAG, 1);
        }
        clock
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Pace;
    use crate::game::ggf;

    fn times(ti: &str, moves: &str) -> Times {
        Times::of(&ggf::parse(&format!("(;GM[Othello]{ti}{moves};)")).unwrap())
    }

    fn main(control: (u64, u64), left: u64) -> GameClock {
        let (main, increment) = (Duration::from_secs(control.0), Duration::from_secs(control.1));
        let mut clock = GameClock::new(TimeControl::Fischer { main, increment });
        clock.set_main(Duration::from_secs(left));
        clock
    }

    #[test]
    fn moves_take_their_time_from_the_clock_of_their_side() {
        let times = times("TI[5:00]", "B[F5//20]W[D6/1.00/7]B[C3//30]");
        assert_eq!(times.clock(Color::Black), main((300, 0), 250));
        assert_eq!(times.clock(Color::White), main((300, 0), 293));
    }

    #[test]
    fn increments_come_with_each_move_and_sides_may_differ() {
        let times = times("TB[1:00/2]TW[2:00]", "B[F5//5]W[D6]B[C3//5]");
        assert_eq!(times.clock(Color::Black), main((60, 2), 54));
        assert_eq!(times.clock(Color::White), main((120, 0), 120));
    }

    #[test]
    fn behind_the_clock_there_is_grace_and_then_a_second_a_move() {
        assert_eq!(times("TI[0:10]", "B[F5//70]").clock(Color::Black), main((10, 0), 60));
        assert_eq!(times("TI[0:10//5]", "B[F5//12]").clock(Color::Black), main((10, 0), 3));
        let gone = times("TI[0:10//0]", "B[F5//1e9]W[D6//99999]").clock(Color::White);
        let budget = gone.budget(40, &Pace::default()).unwrap();
        assert!(budget.hard <= AFTER_THE_FLAG && budget.hard >= AFTER_THE_FLAG / 2, "{budget:?}");
    }

    #[test]
    fn no_time_is_no_limit() {
        assert_eq!(times("", "B[F5//5]").clock(Color::Black), GameClock::default());
        assert_eq!(times("TI[0//0]", "B[F5//5]").clock(Color::Black), GameClock::default());
    }
}
