//! What each request does to the game of a session.
//!
//! Each method checks, changes, and leaves the consequences to [`Play::settle`]; an error has changed nothing.

use super::lines::Lines;
use super::play::Play;
use super::worker::Work;
use super::{record, start};
use crate::board::{Color, Move, ParseMoveError};
use crate::game::transcript;
use crate::search::Level;
use crate::web::common;
use crate::web::message::event::{Ending, Event, Notice, Purpose, RefusalCode, ResultView, Review};
use crate::web::message::intent::NewGame;
use crate::web::message::{Both, Player, Side, TextFormat};
use crate::web::refused::Refused;
use std::time::Duration;

/// The engine agrees to a draw only if at most this many squares are empty.
const DRAW_EMPTIES: u32 = 40;

const DRAW: ResultView = ResultView { winner: None, score: None, ending: Ending::Agreed };

impl Play {
    pub(super) fn new_game(&mut self, new: &NewGame) -> Result<(), Refused> {
        start::check_players(&new.players)?;
        start::check_clock(new.clock)?;
        start::check_pace(new.pace_ms)?;
        let game = start::game(&new.start)?;
        self.put(&game, new.players, new.clock);
        self.pace = Duration::from_millis(new.pace_ms.into());
        self.ponder = new.ponder;
        self.rate(&new.start);
        Ok(())
    }

    pub(super) fn play(&mut self, mv: &str, at: Option<usize>) -> Result<(), Refused> {
        let here = self.lines.game().len();
        let mv: Move =
            mv.parse().map_err(|error: ParseMoveError| Refused::new(RefusalCode::IllegalMove, error.to_string()))?;
        if at.is_some_and(|at| at != here) {
            return Err(not_your_turn(format!("`{mv}` comes too late: the game has gone on")));
        }
        if self.is_over() {
            return Err(Refused::new(RefusalCode::GameOver, format!("illegal move {mv}: the game is over")));
        }
        let side = self.lines.game().side();
        if self.is_engine(side) {
            return Err(not_your_turn(format!("`{mv}` cannot be played: it is the turn of Volte ({side})")));
        }
        self.lines.game().clone().play(mv)?;
        self.rated &= self.lines.is_at_end();
        self.halt();
        self.make(mv)
    }

    /// Goes to a turn of a person, or, if only engines play, to any.
    fn step(&mut self, to: Option<usize>) -> Result<(), Refused> {
        let ply = to.ok_or_else(|| Refused::new(RefusalCode::NoSuchTurn, "there is no such turn in this line"))?;
        self.halt();
        self.clocks.run(None);
        self.lines.go_to(ply);
        let is_persons = !self.is_engine(self.lines.game().side());
        self.running = is_persons || self.lines.is_at_end();
        Ok(())
    }

    pub(super) fn undo(&mut self) -> Result<(), Refused> {
        let to = self.lines.previous_choice(|color| self.rests_at(color));
        self.step(to)?;
        self.reopen();
        self.rated = false;
        Ok(())
    }

    pub(super) fn redo(&mut self) -> Result<(), Refused> {
        let to = self.lines.next_choice(|color| self.rests_at(color));
        self.step(to)
    }

    pub(super) fn go_to(&mut self, ply: usize) -> Result<(), Refused> {
        let total = self.lines.total();
        if ply > total {
            let message = format!("turn `{ply}` is beyond the line, which has {total}");
            return Err(Refused::new(RefusalCode::NoSuchTurn, message));
        }
        self.step(Some(ply))?;
        self.running = self.lines.is_at_end();
        Ok(())
    }

    pub(super) fn line(&mut self, line: usize) -> Result<(), Refused> {
        if line >= self.lines.all().len() {
            return Err(Refused::new(RefusalCode::NoSuchTurn, format!("there is no line `{line}`")));
        }
        self.halt();
        self.clocks.run(None);
        self.lines.switch(line);
        self.reopen();
        self.rated = false;
        self.running = self.lines.is_at_end();
        Ok(())
    }

    /// Plays moves as another line, and waits there.
    pub(super) fn explore(&mut self, moves: &[String], at: usize) -> Result<(), Refused> {
        let mut line = record::whole(self.lines.game()).branch_at(at).ok_or_else(|| {
            Refused::new(
                RefusalCode::NoSuchTurn,
                format!("turn `{at}` is beyond the line, which has {}", self.lines.total()),
            )
        })?;
        for mv in moves {
            let mv: Move = mv
                .parse()
                .map_err(|error: ParseMoveError| Refused::new(RefusalCode::IllegalMove, error.to_string()))?;
            line.play_next(mv)?;
        }
        self.step(Some(at))?;
        for mv in line.moves().skip(at) {
            self.lines.play(mv).expect("the moves have been tried");
        }
        self.reopen();
        self.rated = false;
        self.running = false;
        Ok(())
    }

    pub(super) fn resume(&mut self) -> Result<(), Refused> {
        if self.is_over() {
            return Err(Refused::new(RefusalCode::GameOver, "the game is over"));
        }
        if self.busy() != Some(Purpose::Move) {
            self.halt();
        }
        self.running = true;
        Ok(())
    }

    pub(super) fn stop(&mut self) {
        let busy = self.busy();
        self.halt();
        self.end_review();
        self.analysis = 0;
        if self.is_engine(self.lines.game().side()) {
            self.running = false;
        }
        if let Some(purpose) = busy {
            self.tell(&Event::ThinkingDone { purpose });
        }
    }

    pub(super) fn resign(&mut self) -> Result<(), Refused> {
        let person = self.open_to_end()?;
        self.end(ResultView { winner: Some(Side::from(!person)), score: None, ending: Ending::Resigned });
        Ok(())
    }

    /// The person who may end the game now.
    fn open_to_end(&self) -> Result<Color, Refused> {
        if self.is_over() {
            return Err(Refused::new(RefusalCode::GameOver, "the game is over"));
        }
        if !self.lines.is_at_end() {
            return Err(Refused::new(
                RefusalCode::NoSuchTurn,
                "an earlier position is on the board: go to the end first",
            ));
        }
        self.person()
    }

    pub(super) fn offer_draw(&mut self) -> Result<(), Refused> {
        let person = self.open_to_end()?;
        if !self.is_engine(!person) {
            self.end(DRAW);
        } else if self.busy() == Some(Purpose::Move) {
            return Err(not_your_turn("a draw can be offered when it is your turn"));
        } else {
            let game = self.lines.game().clone();
            self.begin(Purpose::Draw, game, Work::Best { lines: 1, level: self.hint_level() });
        }
        Ok(())
    }

    pub(super) fn set_players(&mut self, players: Both<Player>) -> Result<(), Refused> {
        start::check_players(&players)?;
        self.halt();
        self.players = players;
        self.rated = false;
        Ok(())
    }

    pub(super) fn hint(&mut self, lines: usize) -> Result<(), Refused> {
        if self.is_over() {
            return Err(Refused::new(RefusalCode::GameOver, "the game is over: there is nothing to play"));
        }
        if lines == 0 {
            return Err(start::out_of_range("lines", lines, "at least 1"));
        }
        if self.busy() == Some(Purpose::Move) {
            return Err(not_your_turn("the engine is thinking about its own move"));
        }
        self.rated = false;
        self.analysed = None;
        self.begin(Purpose::Hint, self.lines.game().clone(), Work::Best { lines, level: self.hint_level() });
        Ok(())
    }

    pub(super) fn set_analysis(&mut self, lines: usize) {
        if self.busy() == Some(Purpose::Analysis) {
            self.halt();
            self.tell(&Event::ThinkingDone { purpose: Purpose::Analysis });
        }
        self.analysis = lines;
        self.analysed = None;
        self.rated &= lines == 0;
    }

    pub(super) fn review(&mut self) -> Result<(), Refused> {
        let game = record::whole(self.lines.game());
        self.rated &= self.is_over();
        self.begin_review(game.clone(), self.hint_level());
        let review = Review { turns: game.len(), finished: false, running: true, points: Vec::new() };
        self.tell(&Event::Review(review.clone()));
        self.review = Some(review);
        Ok(())
    }

    pub(super) fn open(&mut self, game: i64) -> Result<(), Refused> {
        let number = game;
        let (kept, _) = self.common.store.game(number)?;
        let read = |text: &String| {
            transcript::parse(text).map_err(|error| Refused::new(RefusalCode::Storage, error.to_string()))
        };
        let game = read(&kept.transcript)?;
        let lines =
            std::iter::once(&kept.transcript).chain(&kept.variations).map(read).collect::<Result<Vec<_>, _>>()?;
        let nobody = Both { black: Player::Human, white: Player::Human };
        self.put(&game, kept.players.unwrap_or(nobody), None);
        self.lines = Lines::of(&lines, 0).expect("a kept game has a line");
        if !game.is_over() && kept.ending != Ending::Unfinished {
            self.ended = Some(ResultView { winner: kept.winner, score: kept.score, ending: kept.ending });
        }
        self.running = false;
        self.is_kept_already(number);
        Ok(())
    }

    pub(super) fn export(&self, format: TextFormat) -> Result<Event, Refused> {
        let today = self.common.store.today()?;
        let game = record::whole(self.lines.game());
        let kept = record::kept(&game, self.players, &self.common.settings().name, self.result_of_line());
        let record = record::of_kept(&kept, today).expect("a game that was written can be read");
        Ok(common::exported(vec![record], format))
    }

    /// What the end of a task brings.
    pub(super) fn finish(&mut self, purpose: Purpose, value: Option<f64>) {
        if purpose == Purpose::Draw {
            self.answer_offer(value);
        }
        if let Some(review) = self.review.as_mut().filter(|_| purpose == Purpose::Review) {
            (review.finished, review.running) = (true, false);
            let review = review.clone();
            self.tell(&Event::Review(review));
        }
        if purpose != Purpose::Ponder {
            self.tell(&Event::ThinkingDone { purpose });
        }
    }

    /// The engine agrees to a draw late in the game if it expects no more; `value` is for the side to move.
    fn answer_offer(&mut self, value: Option<f64>) {
        let game = self.lines.game();
        let engines = value.map(|value| if self.is_engine(game.side()) { value } else { -value });
        let agrees = engines.is_some_and(|value| value < 0.5) && game.position().empty_count() <= DRAW_EMPTIES;
        if agrees {
            self.end(DRAW);
        } else {
            self.tell(&Event::Notice(Notice::DrawDeclined));
        }
    }

    fn hint_level(&self) -> Level {
        Level::new(self.common.settings().hint_level).unwrap_or(Level::DEFAULT)
    }
}

pub(super) fn not_your_turn(message: impl Into<String>) -> Refused {
    Refused::new(RefusalCode::NotYourTurn, message)
}
