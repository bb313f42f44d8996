//! The game of a session as it is kept after each turn, and a session that goes on from there.
//!
//! Owns what has to be written for nothing to be lost; the store does not look inside. Clocks are kept as they stood at
//! the last turn: the time in which no server runs is nobody's.

use super::clocks::Clocks;
use super::lines::Lines;
use super::play::{KeptAs, Play};
use super::record;
use crate::game::transcript;
use crate::web::message::event::ResultView;
use crate::web::message::{Both, ClockSettings, Player};
use crate::web::refused::Refused;
use crate::web::store::{OpenSession, StoreError};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Everything of a session that outlives its server.
#[derive(Serialize, Deserialize)]
pub(super) struct Snapshot {
    /// Every line of the game as a transcript.
    lines: Vec<String>,
    line: usize,
    ply: usize,
    players: Both<Player>,
    clock: Option<ClockSettings>,
    left_ms: Option<Both<u64>>,
    running: bool,
    ended: Option<ResultView>,
    pace_ms: u32,
    #[serde(default)]
    ponder: bool,
    rated: bool,
    kept: Option<KeptAs>,
}

impl Play {
    /// Writes down how things stand, if that has changed. A store that fails is told of, and the game goes on.
    pub(super) fn save(&mut self) {
        if let Err(refused) = self.try_save() {
            self.tell_error(refused);
        }
    }

    fn try_save(&mut self) -> Result<(), Refused> {
        let text = serde_json::to_string(&self.snapshot()).expect("a snapshot is JSON");
        if self.saved.as_ref() == Some(&text) {
            return Ok(());
        }
        let game = self.lines.game();
        let open = OpenSession {
            name: self.name.clone(),
            snapshot: text.clone(),
            moves: record::discs_placed(game),
            is_over: self.result_of_line().is_some(),
            game: self.kept.as_ref().map(|kept| kept.game),
            time: 0,
        };
        self.common.store.save_session(&open, self.variations().as_ref())?;
        self.saved = Some(text);
        Ok(())
    }

    fn snapshot(&self) -> Snapshot {
        Snapshot {
            lines: self.lines.all().iter().map(|game| transcript::write(&record::whole(game))).collect(),
            line: self.lines.current(),
            ply: self.lines.game().len(),
            players: self.players,
            clock: self.clocks.settings(),
            left_ms: self.clocks.left_ms(),
            running: self.running,
            ended: self.ended,
            pace_ms: u32::try_from(self.pace.as_millis()).unwrap_or(u32::MAX),
            ponder: self.ponder,
            rated: self.rated,
            kept: self.kept.clone(),
        }
    }

    /// Goes on from a snapshot.
    ///
    /// # Errors
    /// If it makes no sense.
    pub(super) fn restore(&mut self, text: &str) -> Result<(), StoreError> {
        let snapshot = read(text)?;
        self.lines = lines(&snapshot)?;
        self.players = snapshot.players;
        self.clocks = Clocks::at(snapshot.clock, snapshot.left_ms);
        self.running = snapshot.running;
        self.ended = snapshot.ended;
        self.pace = Duration::from_millis(snapshot.pace_ms.into());
        self.ponder = snapshot.ponder;
        self.rated = snapshot.rated;
        self.kept = snapshot.kept;
        self.saved = Some(text.to_owned());
        Ok(())
    }
}

fn read(text: &str) -> Result<Snapshot, StoreError> {
    serde_json::from_str(text).map_err(|error| StoreError::Damaged(error.to_string()))
}

fn lines(snapshot: &Snapshot) -> Result<Lines, StoreError> {
    let parse = |text: &String| transcript::parse(text).map_err(|error| StoreError::Damaged(error.to_string()));
    let games = snapshot.lines.iter().map(parse).collect::<Result<Vec<_>, _>>()?;
    let mut lines = Lines::of(&games, snapshot.line).ok_or_else(|| StoreError::Damaged("no line".to_owned()))?;
    lines.go_to(snapshot.ply);
    Ok(lines)
}

/// The game of a snapshot as it stands on its board, and who plays it.
pub(in crate::web) fn glance(text: &str) -> Result<(crate::game::Game, Both<Player>), StoreError> {
    let snapshot = read(text)?;
    Ok((lines(&snapshot)?.game().clone(), snapshot.players))
}
