//! The engine: a game, a search, and the choices that turn them into a player.
//!
//! Owns the current game, the clocks of both sides, the options, and when to search for how long; must not know how
//! anything is spelled on a wire. Protocols, pages and tools are its clients. Start reading at [`Engine::go`].

mod ponder;

use crate::board::{Color, Move, Position};
use crate::clock::{Clock, GameClock, TimeControl};
use crate::eval::HandMade;
use crate::game::{Game, PlayError, Turn};
use crate::search::{Level, Limits, Line, Observer, Outcome, Resources, Searcher, StopSignal, Surroundings};
use parking_lot::Mutex;
use ponder::Pondering;
use std::sync::Arc;
use thiserror::Error;

/// The evaluation that the engine plays with.
pub type Evaluation = HandMade;

/// What a user can choose.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// How hard to try. `None` means [`Level::DEFAULT`] without a clock, and as hard as time allows with one.
    pub level: Option<Level>,
    /// Threads and table size.
    pub resources: Resources,
    /// Whether to think while the other side does.
    pub ponder: bool,
}

/// A player of Othello with a game before it.
pub struct Engine {
    game: Game,
    clocks: [GameClock; 2],
    options: Options,
    // A pondering thread holds the lock while it runs; it is stopped before anything else searches.
    searcher: Arc<Mutex<Searcher<Evaluation>>>,
    pondering: Option<Pondering>,
    time: Arc<dyn Clock + Send + Sync>,
}

/// Who can end a search and who hears of it.
pub struct Audience<'a> {
    /// Ends the search early, with what it has.
    pub stop: &'a StopSignal,
    /// Hears of every iteration.
    pub observer: &'a mut dyn Observer,
}

/// A move with the reason for it.
#[derive(Clone, PartialEq, Debug)]
pub struct Choice {
    /// The move.
    pub mv: Move,
    /// What the search found; `None` if there was nothing to choose from.
    pub line: Option<Line>,
    /// Positions visited for it.
    pub nodes: u64,
}

/// A move was asked for from the side that is not to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("it is not the turn of {0}")]
pub struct NotYourTurn(pub Color);

impl Engine {
    /// An engine before the start of a game. No large memory is touched before its first search.
    pub fn new(options: Options, time: Arc<dyn Clock + Send + Sync>) -> Self {
        let searcher = Searcher::new(Arc::new(Evaluation::default()), options.resources);
        Self {
            game: Game::new(),
            clocks: [GameClock::default(); 2],
            options,
            searcher: Arc::new(Mutex::new(searcher)),
            pondering: None,
            time,
        }
    }

    /// The current game.
    pub const fn game(&self) -> &Game {
        &self.game
    }

    /// What the user chose.
    pub const fn options(&self) -> Options {
        self.options
    }

    /// The clock of a side.
    pub const fn clock(&self, side: Color) -> GameClock {
        self.clocks[side.index()]
    }

    /// The clock of a side, to be set right.
    pub const fn clock_mut(&mut self, side: Color) -> &mut GameClock {
        &mut self.clocks[side.index()]
    }

    /// Gives both sides this time, from now on.
    pub fn set_time_control(&mut self, control: TimeControl) {
        self.clocks = [GameClock::new(control); 2];
    }

    /// Changes the options. A table of another size is empty.
    pub fn set_options(&mut self, options: Options) {
        if options.resources != self.options.resources {
            self.stop_pondering();
            self.searcher.lock().set_resources(options.resources);
        }
        if !options.ponder {
            self.stop_pondering();
        }
        self.options = options;
    }

    /// Puts another game before the engine. Both clocks start again.
    pub fn set_game(&mut self, game: Game) {
        self.stop_pondering();
        self.game = game;
        for clock in &mut self.clocks {
            *clock = GameClock::new(clock.control());
        }
    }

    /// Forgets everything learnt from earlier searches.
    pub fn forget(&mut self) {
        self.stop_pondering();
        self.searcher.lock().clear();
    }

    /// Plays a move of the side to move.
    ///
    /// # Errors
    /// If it is not legal; then nothing has changed.
    pub fn play(&mut self, mv: Move) -> Result<(), PlayError> {
        self.game.play(mv)
    }

    /// Plays a move of `side`; if the other side is to move but has to pass, it passes first.
    ///
    /// # Errors
    /// If it is not legal; then nothing has changed.
    pub fn play_as(&mut self, side: Color, mv: Move) -> Result<(), PlayError> {
        self.game.play_as(side, mv)
    }

    /// Takes back the last move and returns it; see [`Game::undo`].
    pub fn undo(&mut self) -> Option<Turn> {
        self.game.undo()
    }

    /// Plays again what was taken back last and returns it; see [`Game::redo`].
    pub fn redo(&mut self) -> Option<Turn> {
        self.game.redo()
    }

    /// Goes back to the last turn in which `side` chose a move; see [`Game::undo_to_turn_of`].
    pub fn undo_to_turn_of(&mut self, side: Color) -> bool {
        self.game.undo_to_turn_of(side)
    }

    /// Chooses a move for `side` and plays it, past a forced pass of the other side. Its time is taken from the clock of
    /// `side`. Without a legal move this is a pass; if the game is over, it is a pass that is not played.
    ///
    /// # Errors
    /// If it is not the turn of `side`.
    pub fn go(&mut self, side: Color, audience: Audience<'_>) -> Result<Choice, NotYourTurn> {
        let start = self.time.now();
        let choice = self.choose(side, audience)?;
        if self.game.is_over() {
            return Ok(choice);
        }
        self.game.play_as(side, choice.mv).expect("a chosen move is legal");
        let used = self.time.now() - start;
        self.clocks[side.index()].spend(used);
        if self.options.ponder && !self.game.is_over() {
            self.ponder(&choice);
        }
        Ok(choice)
    }

    /// Chooses a move for `side` within its level and its time, and does not play it. A move without an alternative is
    /// chosen without a search.
    ///
    /// # Errors
    /// If it is not the turn of `side`.
    pub fn choose(&mut self, side: Color, audience: Audience<'_>) -> Result<Choice, NotYourTurn> {
        let position = self.turn_of(side).ok_or(NotYourTurn(side))?;
        let moves = position.moves();
        if moves.count() <= 1 {
            let mv = moves.first().map_or(Move::Pass, Move::Place);
            return Ok(Choice { mv, line: None, nodes: 0 });
        }
        let limits = self.limits(side, position);
        let outcome = self.search_position(position, &limits, audience);
        let line = outcome.lines.into_iter().next().expect("a search finds a move where there is one");
        Ok(Choice { mv: line.mv, line: Some(line), nodes: outcome.nodes })
    }

    /// The current position with `side` to move, past a forced pass of the other side. `None` if it is not the turn of
    /// `side`; when the game is over, it is everybody's.
    fn turn_of(&self, side: Color) -> Option<Position> {
        let position = self.game.position();
        if side == self.game.side() {
            Some(position)
        } else if position.moves().is_empty() {
            Some(position.pass())
        } else {
            None
        }
    }

    /// The best `lines` moves of the side to move with their values, at the level of the engine, whatever the clocks
    /// show. Empty if the game is over.
    pub fn hint(&mut self, lines: usize, audience: Audience<'_>) -> Outcome {
        let target = self.options.level.unwrap_or(Level::DEFAULT).draft(empties(self.game.position()));
        self.search(&Limits { lines, ..Limits::draft(target) }, audience)
    }

    /// Searches the current position within `limits`, and nothing else.
    pub fn search(&mut self, limits: &Limits, audience: Audience<'_>) -> Outcome {
        self.search_position(self.game.position(), limits, audience)
    }

    fn search_position(&mut self, position: Position, limits: &Limits, audience: Audience<'_>) -> Outcome {
        self.stop_pondering();
        let Audience { stop, observer } = audience;
        let mut surroundings = Surroundings { clock: &*self.time, stop, observer };
        self.searcher.lock().search(position, limits, &mut surroundings)
    }

    /// The limits of a move of `side` in `position`: its level and its clock.
    fn limits(&self, side: Color, position: Position) -> Limits {
        let empties = empties(position);
        let time = self.clock(side).budget(empties);
        let level = match (self.options.level, time) {
            (Some(level), _) => level,
            (None, Some(_)) => Level::MAX,
            (None, None) => Level::DEFAULT,
        };
        Limits { time, ..Limits::draft(level.draft(empties)) }
    }

    /// Thinks on in the background about the reply to the expected move, until something else is to be searched.
    fn ponder(&mut self, choice: &Choice) {
        let expected = choice.line.as_ref().and_then(|line| line.pv.get(1).copied());
        let here = self.game.position();
        let position = expected.and_then(|mv| here.make(mv)).unwrap_or(here);
        self.pondering = Some(Pondering::start(&self.searcher, position, Arc::clone(&self.time)));
    }

    fn stop_pondering(&mut self) {
        // Dropping waits until the thread has let go of the searcher.
        self.pondering = None;
    }
}

/// The number of empty squares.
fn empties(position: Position) -> u8 {
    u8::try_from(position.empty_count()).expect("a board has fewer squares than a byte has values")
}
