//! One game between two running engines, under the arbiter's rules.
//!
//! Owns the course of a game and who is at fault when it goes wrong:
//!
//! - Only the arbiter's own board counts. The game ends when neither side can move; empty squares count for the winner.
//! - A side without a move passes without being asked; both engines are told in the way each understands.
//! - Whoever fails to answer as it should loses the game: time overrun, an illegal move, nonsense, a refusal, a crash,
//!   or (without a clock) silence. It does not matter whose turn it was.
//! - Such a game has no disc difference.
//!
//! Start reading at [`play`].

use super::control::ArbiterClock;
use super::record::{GameRecord, Reason, TurnRecord, result_text};
use crate::board::{Color, Move};
use crate::clock::TimeControl;
use crate::game::{Game, transcript};
use crate::protocol::client::{Client, ClientError, Decision, Thought};
use std::time::Duration;

/// What an arbiter forgives and how long he waits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tolerance {
    /// Time over its clock that an engine is forgiven on each move, for pipes and schedulers.
    pub margin: Duration,
    /// How long an engine without a clock may think about a move.
    pub silence: Duration,
}

impl Default for Tolerance {
    fn default() -> Self {
        Self { margin: Duration::from_millis(100), silence: Duration::from_secs(600) }
    }
}

/// One side of a game.
pub(super) struct Seat<'a> {
    pub name: &'a str,
    pub client: &'a mut Client,
    pub control: TimeControl,
}

/// The whole of a game that is being played.
struct Table<'a> {
    seats: [Seat<'a>; 2],
    clocks: [ArbiterClock; 2],
    used: [Duration; 2],
    tolerance: Tolerance,
    game: Game,
    turns: Vec<TurnRecord>,
}

/// An engine's failure.
struct Fault {
    loser: Color,
    reason: Reason,
    detail: String,
}

/// The match was stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stopped;

/// What interrupts a game.
enum Break {
    Fault(Fault),
    Stopped,
}

/// Plays a game from `opening` to its end. The record's numbers are those given.
pub(super) fn play(
    seats: [Seat<'_>; 2],
    opening: (&Game, &str),
    (pair, number): (usize, usize),
    tolerance: Tolerance,
) -> Result<GameRecord, Stopped> {
    let clocks = [0, 1].map(|side| ArbiterClock::new(seats[side].control));
    let (game, opening) = opening;
    let mut table =
        Table { seats, clocks, used: [Duration::ZERO; 2], tolerance, game: game.clone(), turns: Vec::new() };
    let fault = match table.run() {
        Ok(()) => None,
        Err(Break::Fault(fault)) => Some(fault),
        Err(Break::Stopped) => return Err(Stopped),
    };
    Ok(table.record(fault, opening, (pair, number)))
}

impl Table<'_> {
    fn run(&mut self) -> Result<(), Break> {
        for color in [Color::Black, Color::White] {
            let seat = &mut self.seats[color.index()];
            seat.client.begin(&self.game, seat.control).map_err(|error| self.blame(color, error))?;
        }
        while !self.game.is_over() {
            let color = self.game.side();
            if self.game.position().must_pass() {
                self.advance(Move::Pass, None)?;
                continue;
            }
            let thought = self.ask(color)?;
            match thought.decision {
                Decision::Resign => return Err(fault(color, Reason::Resigned, String::new())),
                Decision::Move(mv) => self.advance(mv, Some(&thought))?,
            }
        }
        Ok(())
    }

    /// Asks `color` for a move and takes the time from its clock.
    fn ask(&mut self, color: Color) -> Result<Thought, Break> {
        let clock = self.clocks[color.index()];
        let limited = self.clocks.iter().any(|clock| clock.limit().is_some());
        let clocks = limited.then(|| self.clocks.map(ArbiterClock::left));
        let limit = clock.limit().map_or(self.tolerance.silence, |limit| limit + self.tolerance.margin);
        let thought = match self.seats[color.index()].client.think(color, clocks, Some(limit)) {
            Err(ClientError::Silent { .. }) => {
                self.used[color.index()] += limit;
                let reason = if clock.limit().is_some() { Reason::Time } else { Reason::Silence };
                return Err(fault(color, reason, format!("no move within {:.3} s", limit.as_secs_f64())));
            }
            Err(error) => return Err(self.blame(color, error)),
            Ok(thought) => thought,
        };
        self.used[color.index()] += thought.used;
        self.clocks[color.index()].spend(thought.used);
        Ok(thought)
    }

    /// Plays a move of the side to move and tells both engines.
    fn advance(&mut self, mv: Move, thought: Option<&Thought>) -> Result<(), Break> {
        let color = self.game.side();
        self.game.play(mv).map_err(|error| fault(color, Reason::Illegal, error.to_string()))?;
        let used = thought.map_or(Duration::ZERO, |thought| thought.used);
        self.turns.push(TurnRecord {
            mv: mv.to_string(),
            seconds: seconds(used),
            opinion: thought.and_then(|thought| thought.opinion),
        });
        let turn = self.game.turns().next_back().expect("a turn was played");
        for side in [color, !color] {
            self.seats[side.index()].client.tell(turn, used).map_err(|error| self.blame(side, error))?;
        }
        Ok(())
    }

    fn blame(&self, loser: Color, error: ClientError) -> Break {
        let reason = match error {
            ClientError::Stopped => return Break::Stopped,
            ClientError::Silent { .. } => Reason::Silence,
            ClientError::Garbage { .. } => Reason::Garbage,
            ClientError::Refused { .. } | ClientError::Effort(_) => Reason::Refusal,
            ClientError::Died { .. } | ClientError::Start { .. } | ClientError::NoCommand => Reason::Crash,
        };
        fault(loser, reason, error.to_string())
    }

    fn record(self, fault: Option<Fault>, opening: &str, (pair, number): (usize, usize)) -> GameRecord {
        let discs = self.game.result().filter(|_| fault.is_none()).map(|result| result.score.discs());
        let (winner, reason, detail) = match fault {
            Some(Fault { loser, reason, detail }) => (Some(!loser), reason, detail),
            None => {
                let winner = discs.filter(|&discs| discs != 0);
                (winner.map(|discs| if discs > 0 { Color::Black } else { Color::White }), Reason::Board, String::new())
            }
        };
        let [black, white] = &self.seats;
        GameRecord {
            pair,
            game: number,
            black: black.name.to_owned(),
            white: white.name.to_owned(),
            opening: opening.to_owned(),
            moves: transcript::write(&self.game),
            result: result_text(winner, discs, reason),
            winner: winner.map(|winner| self.seats[winner.index()].name.to_owned()),
            discs,
            reason,
            detail,
            black_seconds: seconds(self.used[0]),
            white_seconds: seconds(self.used[1]),
            black_given: self.clocks[0].given().map(seconds),
            white_given: self.clocks[1].given().map(seconds),
            turns: self.turns,
            exact_check: None,
        }
    }
}

const fn fault(loser: Color, reason: Reason, detail: String) -> Break {
    Break::Fault(Fault { loser, reason, detail })
}

/// Seconds, to the microsecond: more is not measured.
fn seconds(time: Duration) -> f64 {
    time.as_micros() as f64 / 1e6
}
