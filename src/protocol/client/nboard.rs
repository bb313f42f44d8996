//! Speaking NBoard's protocol as NBoard does.
//!
//! Owns what was said to an NBoard engine. Start reading at [`NBoard::open`].

use super::process::{Deadline, Process};
use super::{ClientError, Decision, Effort, EngineCommand, Thought};
use crate::board::Move;
use crate::clock::TimeControl;
use crate::game::record::{ClockSetting, GameRecord, Player};
use crate::game::{Game, Turn, ggf};
use std::time::Duration;

/// What was said to an NBoard engine.
pub(super) struct NBoard {
    name: String,
    pings: u64,
}

impl NBoard {
    pub(super) fn open(process: &mut Process, command: &EngineCommand) -> Result<Self, ClientError> {
        let mut nboard = Self { name: String::new(), pings: 0 };
        process.send("nboard 2")?;
        for line in &command.start {
            process.send(line)?;
        }
        match command.effort {
            // A level of the protocol is a depth.
            Some(Effort::Depth(depth) | Effort::Level(depth)) => {
                process.send(&format!("set depth {depth}"))?;
            }
            Some(Effort::Nodes(_)) => return Err(ClientError::Effort("number of nodes")),
            None => {}
        }
        nboard.ping(process)?;
        Ok(nboard)
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn begin(
        &mut self,
        process: &mut Process,
        game: &Game,
        control: TimeControl,
    ) -> Result<(), ClientError> {
        process.send(&format!("set game {}", game_text(game, control)))?;
        self.ping(process)
    }

    #[expect(clippy::unused_self, reason = "telling a turn changes nothing here, unlike in other languages")]
    pub(super) fn tell(&mut self, process: &mut Process, turn: Turn, used: Duration) -> Result<(), ClientError> {
        let line = match turn.mv {
            Move::Place(square) => format!("move {}//{:.2}", square.to_string().to_uppercase(), used.as_secs_f64()),
            Move::Pass => "move PA".to_owned(),
        };
        process.send(&line).map(|_| ())
    }

    pub(super) fn think(&mut self, process: &mut Process, limit: Option<Duration>) -> Result<Thought, ClientError> {
        self.ping(process)?;
        let sent = process.send("go")?;
        let deadline = Deadline { at: limit.map(|limit| sent + limit), request: "go" };
        loop {
            let line = process.next(deadline)?;
            let Some(answer) = line.text.trim().strip_prefix("===") else { continue };
            let mut parts = answer.trim().split('/');
            let garbage = || ClientError::Garbage { request: "go".to_owned(), reply: line.text.clone() };
            let mv = parts.next().unwrap_or_default().trim().parse().map_err(|_| garbage())?;
            let opinion = parts.next().and_then(|eval| eval.trim().parse().ok()).filter(|eval: &f64| eval.is_finite());
            let used = line.at.saturating_sub(sent);
            return Ok(Thought { decision: Decision::Move(mv), used, opinion });
        }
    }

    /// Waits until the engine has done with everything said before.
    fn ping(&mut self, process: &mut Process) -> Result<(), ClientError> {
        self.pings += 1;
        let request = format!("ping {}", self.pings);
        process.send(&request)?;
        let deadline = process.soon(&request);
        loop {
            let line = process.next(deadline)?;
            let text = line.text.trim();
            if let Some(name) = text.strip_prefix("set myname ") {
                self.name = name.trim().to_owned();
            }
            if text.strip_prefix("pong ").is_some_and(|number| number.trim().parse() == Ok(self.pings)) {
                return Ok(());
            }
        }
    }
}

/// A game on one line, as NBoard writes it.
fn game_text(game: &Game, control: TimeControl) -> String {
    let clock = |main, increment| Some(ClockSetting { main, increment: Some(increment), grace: None });
    let clock = match control {
        TimeControl::Unlimited => None,
        TimeControl::Fischer { main, increment } => clock(main, increment),
        // The format has no periods; an increment of a move's share comes closest.
        TimeControl::ByoYomi { main, period, stones } => clock(main, period / stones.max(1)),
    };
    let player = Player { clock, ..Player::default() };
    let place = Some("Volte".to_owned());
    ggf::write(&GameRecord { game: game.clone(), black: player.clone(), white: player, place, ..GameRecord::default() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Square;

    #[test]
    fn a_game_is_written_as_nboard_writes_it() {
        let mut game = Game::new();
        game.play(Move::Place(Square::F5)).expect("legal");
        game.play(Move::Place(Square::D6)).expect("legal");
        let control = TimeControl::Fischer { main: Duration::from_secs(300), increment: Duration::from_millis(500) };
        assert_eq!(
            game_text(&game, control),
            "(;GM[Othello]PC[Volte]PB[]PW[]RE[?]TI[5:00/0:00.5]TY[8]\
             BO[8 ---------------------------O*------*O--------------------------- *]B[F5]W[D6];)"
        );
    }
}
