//! What of a clock's time the next move may use.
//!
//! A game falls into moves that nobody can foresee the end of and one that solves it; what comes after that costs
//! nothing. How many moves there are until then follows from the time and the speed, and they share the clock with the
//! solution. Start reading at [`of_game`].

use super::{Budget, Pace};
use std::time::Duration;

/// Parts of the clock that are kept for the move that solves the game, where each move before gets one.
///
/// Solving takes a third to three times what it takes as a rule, so that most of the last parts should be there still,
/// and what solving leaves is lost. Fitted by matches (see the ledger).
const SOLUTION: f64 = 3.0;
/// A move may take so many parts if its best move is in doubt, or if a whole iteration ends with that.
const MOST_PARTS: f64 = 3.5;
/// No move takes more of what there is than this: the next one has to be answered, too.
const MOST_OF_CLOCK: f64 = 0.75;
/// Nor aims at more than this.
const MOST_AIMED_AT: f64 = 0.6;
/// In byo-yomi a move may take so many times its part of a period.
const MOST_OF_PERIOD: f64 = 2.5;

/// The budget of a move of a game that goes on for `empties` squares, from `time` and what is added after each move.
pub(super) fn of_game(time: Duration, increment: Duration, empties: u8, pace: &Pace) -> Budget {
    let moves = own_moves(empties);
    let lags = pace.lag + pace.lag.saturating_sub(increment) * (moves - 1);
    let Some(spare) = time.checked_sub(lags).filter(|spare| !spare.is_zero()) else {
        // There is no time even for the lags, so they may be less than they seem.
        return Budget { soft: time / (16 * moves), hard: time / (8 * moves), saves: true };
    };
    let usable = spare.saturating_sub(pace.cushion.min(time / 8));
    let added = increment.saturating_sub(pace.lag);
    let parts = parts(usable, added, empties, pace);
    // The last of the clock is shared by all moves, so that each has a little, however thin the clock.
    shared(usable, parts, Duration::ZERO).at_least(spare / (2 * moves))
}

/// The budget of a move with `time` before the first of the periods, each of which brings `stones` moves.
pub(super) fn before_periods(time: Duration, (period, stones): (Duration, u32), empties: u8, pace: &Pace) -> Budget {
    // What runs over the main time comes out of the first period, of which each move owns a part.
    let part = of_period(period, stones, 2 * u8::try_from(stones.min(60)).unwrap_or(60), pace).soft;
    shared(time, parts(time, Duration::ZERO, empties, pace), part)
}

/// The budget of one of `stones` moves that share `time`.
pub(super) fn of_period(time: Duration, stones: u32, empties: u8, pace: &Pace) -> Budget {
    let moves = stones.clamp(1, own_moves(empties));
    let spare = time.checked_sub(pace.lag * moves).unwrap_or(time / 8);
    let usable = spare.saturating_sub(pace.cushion.min(time / 8)).max(spare / 2);
    if stones <= 1 {
        return Budget::fixed(usable);
    }
    let part = usable / moves;
    Budget { soft: part, hard: part.mul_f64(MOST_OF_PERIOD).min(usable.mul_f64(MOST_OF_CLOCK)).max(part), saves: true }
}

/// Moves of one side until the board is full, at least 1.
fn own_moves(empties: u8) -> u32 {
    u32::from(empties).div_ceil(2).max(1)
}

/// What is there to share, and how many parts it is shared in.
#[derive(Clone, Copy)]
struct Parts {
    pool: Duration,
    number: f64,
}

fn parts(usable: Duration, added: Duration, empties: u8, pace: &Pace) -> Parts {
    let solvable = pace.speed.solvable(usable);
    let before = ((f64::from(empties) - solvable) / 2.0).clamp(0.0, 30.0);
    Parts { pool: usable + added.mul_f64(before), number: before + SOLUTION }
}

/// A part of the pool and what belongs to the move alone, within what is usable.
fn shared(usable: Duration, Parts { pool, number }: Parts, own: Duration) -> Budget {
    let part = pool.div_f64(number);
    let of_usable = |share: f64| usable.mul_f64(share) + own;
    Budget {
        soft: (part + own).min(of_usable(MOST_AIMED_AT)),
        hard: (part.mul_f64(MOST_PARTS) + own).min(of_usable(MOST_OF_CLOCK)),
        saves: true,
    }
}

impl Budget {
    fn at_least(self, time: Duration) -> Self {
        Self { soft: self.soft.max(time / 2), hard: self.hard.max(time), ..self }
    }
}
