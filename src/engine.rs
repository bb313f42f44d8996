//! The engine: a game, a search, and the choices that turn them into a player.
//!
//! Owns the current game, the clocks of both sides, the options, and when to search for how long; must not know how
//! anything is spelled on a wire. Protocols, pages and tools are its clients. Start reading at [`Engine::go`].

mod opening;
mod ponder;
mod review;

pub use opening::{BookUse, Keeper, NotKept, leaf};
pub use review::{Assessment, Effort};

use crate::board::{Color, Move, Position};
use crate::clock::{Budget, Clock, GameClock, Overhead, Pace, TimeControl};
use crate::eval::{Evaluator, Patterns};
use crate::game::{Game, PlayError, Turn};
use crate::score::{Draft, Eval, Selectivity};
use crate::search::{Level, Limits, Line, Observer, Outcome, Resources, Searcher, StopSignal, Surroundings};
use opening::Opening;
use parking_lot::Mutex;
use ponder::Pondering;
use std::sync::Arc;
use std::time::Duration;
use thiserror::Error;

/// The evaluation that the engine plays with.
pub type Evaluation = Patterns;

/// What a user can choose.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// How hard to try. `None` means [`Level::DEFAULT`] without a clock, and as hard as time allows with one.
    pub level: Option<Level>,
    /// Plies to search, without selectivity, instead of what a level says; `None` to go by the level.
    pub depth: Option<u8>,
    /// Nodes for a move, if they are limited; without a level or a depth nothing else limits the search then.
    pub nodes: Option<u64>,
    /// Threads and table size.
    pub resources: Resources,
    /// Whether to think while the other side does.
    pub ponder: bool,
}

/// A player of Othello with a game before it.
pub struct Engine {
    game: Game,
    clocks: [GameClock; 2],
    /// What each clock shows by our own measure after the moves since it was last told, and how many those are.
    measured: [Option<(GameClock, u32)>; 2],
    overhead: Overhead,
    options: Options,
    // A pondering thread holds the lock while it runs; it is stopped before anything else searches.
    searcher: Arc<Mutex<Searcher<Evaluation>>>,
    pondering: Option<Pondering>,
    opening: Opening,
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
    /// What the search found, or what the book says; `None` if there was nothing to choose from.
    pub line: Option<Line>,
    /// Positions visited for it.
    pub nodes: u64,
    /// Whether it comes from the book.
    pub from_book: bool,
}

/// A move was asked for from the side that is not to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("it is not the turn of {0}")]
pub struct NotYourTurn(pub Color);

impl Engine {
    /// An engine before the start of a game. No large memory is touched before its first search.
    pub fn new(options: Options, time: Arc<dyn Clock + Send + Sync>) -> Self {
        Self::with_evaluation(options, Arc::default(), time)
    }

    /// As [`Engine::new`], with an evaluation of one's own.
    pub fn with_evaluation(options: Options, evaluation: Arc<Evaluation>, time: Arc<dyn Clock + Send + Sync>) -> Self {
        let searcher = Searcher::new(evaluation, options.resources);
        Self {
            game: Game::new(),
            clocks: [GameClock::default(); 2],
            measured: [None; 2],
            overhead: Overhead::default(),
            options,
            searcher: Arc::new(Mutex::new(searcher)),
            pondering: None,
            opening: Opening::default(),
            time,
        }
    }

    /// An engine before the start of a game, with the evaluation and the options of this one but other resources.
    #[must_use]
    pub fn sibling(&self, resources: Resources) -> Self {
        let evaluation = Arc::clone(self.searcher.lock().evaluator());
        Self::with_evaluation(Options { resources, ..self.options }, evaluation, Arc::clone(&self.time))
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

    /// Hears what the clock of a side shows. From what it shows beyond our own measure, the engine learns how much time is
    /// lost around each move.
    pub fn tell_clock(&mut self, side: Color, told: GameClock) {
        if let Some((measured, moves)) = self.measured[side.index()].take()
            && let (Some(behind), Some(left)) = (measured.behind(told), told.time_left())
        {
            self.overhead.observe(behind / moves, left);
        }
        self.clocks[side.index()] = told;
    }

    /// Gives both sides this time, from now on.
    pub fn set_time_control(&mut self, control: TimeControl) {
        self.clocks = [GameClock::new(control); 2];
        self.measured = [None; 2];
    }

    /// The time that is lost around each move.
    pub const fn overhead(&self) -> Overhead {
        self.overhead
    }

    /// Sets the time that is lost around each move; `None` to learn it from what clocks show.
    pub const fn set_overhead(&mut self, time: Option<Duration>) {
        self.overhead.set(time);
    }

    /// Does now what would take time from the clock of a first move.
    pub fn get_ready(&mut self) {
        self.stop_pondering();
        self.searcher.lock().evaluator().unpack();
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
        self.measured = [None; 2];
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
        let choice = self.choose(side, audience)?;
        if self.game.is_over() {
            return Ok(choice);
        }
        self.game.play_as(side, choice.mv).expect("a chosen move is legal");
        if let Some((clock, _)) = self.measured[side.index()] {
            self.clocks[side.index()] = clock;
        }
        if self.options.ponder && !self.game.is_over() {
            self.ponder(&choice);
        }
        Ok(choice)
    }

    /// Chooses a move for `side` within its level and its time, and does not play it. A move without an alternative is
    /// chosen without a search, and so is one from the book.
    ///
    /// # Errors
    /// If it is not the turn of `side`.
    pub fn choose(&mut self, side: Color, audience: Audience<'_>) -> Result<Choice, NotYourTurn> {
        let asked = self.time.now();
        let choice = self.choose_since(asked, side, audience)?;
        let clock = self.clock(side);
        if clock.is_limited() && !self.game.is_over() {
            let (mut measured, moves) = self.measured[side.index()].unwrap_or((clock, 0));
            measured.spend(self.time.now().saturating_sub(asked));
            self.measured[side.index()] = Some((measured, moves + 1));
        }
        Ok(choice)
    }

    fn choose_since(&mut self, asked: Duration, side: Color, audience: Audience<'_>) -> Result<Choice, NotYourTurn> {
        let position = self.turn_of(side).ok_or(NotYourTurn(side))?;
        let moves = position.moves();
        if moves.count() <= 1 {
            let mv = moves.first().map_or(Move::Pass, Move::Place);
            return Ok(Choice { mv, line: None, nodes: 0, from_book: false });
        }
        if let Some(choice) = self.book_choice(side, position) {
            return Ok(choice);
        }
        self.stop_pondering();
        let mut limits = self.limits(side, position);
        if let Some(time) = &mut limits.time {
            *time = time.less(self.time.now().saturating_sub(asked));
        }
        let outcome = self.search_position(position, &limits, audience);
        if let Some(Budget { hard, .. }) = limits.time {
            self.overhead.was_late(outcome.elapsed.saturating_sub(hard));
        }
        let line = outcome.lines.into_iter().next().expect("a search finds a move where there is one");
        Ok(Choice { mv: line.mv, line: Some(line), nodes: outcome.nodes, from_book: false })
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
        self.hint_at(self.game.position(), lines, audience)
    }

    /// The same as [`Engine::hint`] for any position; the game stays as it is.
    pub fn hint_at(&mut self, position: Position, lines: usize, audience: Audience<'_>) -> Outcome {
        let target = self.options.level.unwrap_or(Level::DEFAULT).draft(empties(position));
        self.search_position(position, &Limits { lines, ..Limits::draft(target) }, audience)
    }

    /// Searches the current position within `limits`, and nothing else.
    pub fn search(&mut self, limits: &Limits, audience: Audience<'_>) -> Outcome {
        self.search_position(self.game.position(), limits, audience)
    }

    /// What the current position is worth for the side to move, without looking ahead; of a finished game the score.
    pub fn evaluate(&mut self) -> Eval {
        self.stop_pondering();
        let position = self.game.position();
        if position.is_over() {
            return position.final_score().into();
        }
        let searcher = self.searcher.lock();
        let of = |position| {
            let evaluator = searcher.evaluator();
            evaluator.evaluate(&evaluator.features(position), position)
        };
        // Before a forced pass, what counts is the side that moves next.
        if position.must_pass() { -of(position.pass()) } else { of(position) }
    }

    fn search_position(&mut self, position: Position, limits: &Limits, audience: Audience<'_>) -> Outcome {
        self.stop_pondering();
        let Audience { stop, observer } = audience;
        let mut surroundings = Surroundings { clock: &*self.time, stop, observer };
        self.searcher.lock().search(position, limits, &mut surroundings)
    }

    /// The limits of a move of `side` in `position`: its level or depth, its clock and its nodes.
    fn limits(&self, side: Color, position: Position) -> Limits {
        let empties = empties(position);
        let Options { level, depth, nodes, .. } = self.options;
        let (lag, cushion) = (self.overhead.usual(), self.overhead.worst());
        let pace = Pace { lag, cushion, speed: self.searcher.lock().speed() };
        let time = self.clock(side).budget(empties, &pace);
        let level = match (level, time, nodes) {
            (Some(level), _, _) => level,
            (None, None, None) => Level::DEFAULT,
            (None, _, _) => Level::MAX,
        };
        let target = depth.map_or(level.draft(empties), |depth| Draft::new(depth.min(empties), Selectivity::FULL));
        Limits { time, nodes, ..Limits::draft(target) }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Square;
    use crate::clock::WallClock;
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::thread;
    use std::time::{Duration, Instant};

    fn engine(level: Option<u8>) -> Engine {
        let level = level.map(|number| Level::new(number).expect("the level exists"));
        let resources = Resources { threads: 2, table_megabytes: 4 };
        Engine::new(
            Options { level, depth: None, nodes: None, resources, ponder: false },
            Arc::new(WallClock::default()),
        )
    }

    fn go(engine: &mut Engine, side: Color) -> Result<Move, NotYourTurn> {
        let choice = engine.go(side, Audience { stop: &StopSignal::default(), observer: &mut () })?;
        Ok(choice.mv)
    }

    fn play(engine: &mut Engine, moves: &str) {
        for text in moves.split(' ') {
            let side = engine.game().next_to_place().unwrap();
            engine.play_as(side, text.parse().unwrap()).unwrap();
        }
    }

    /// A clock that advances by ten milliseconds whenever it is read.
    #[derive(Default)]
    struct Ticking(AtomicU64);

    impl Clock for Ticking {
        fn now(&self) -> Duration {
            Duration::from_millis(self.0.fetch_add(10, Ordering::Relaxed))
        }
    }

    #[test]
    fn both_sides_play_in_turn_and_nobody_out_of_turn() {
        let mut engine = engine(Some(1));
        assert_eq!(go(&mut engine, Color::White), Err(NotYourTurn(Color::White)));
        assert!(engine.game().is_empty());
        assert!(go(&mut engine, Color::Black).is_ok());
        assert_eq!(go(&mut engine, Color::Black), Err(NotYourTurn(Color::Black)));
        assert!(go(&mut engine, Color::White).is_ok());
        assert_eq!(engine.game().len(), 2);
    }

    #[test]
    fn a_side_that_must_pass_passes_and_the_other_may_move_past_it() {
        let forced = "d3 c3 b3 b2 f5 a3 a1 c1";
        let mut engine = engine(Some(1));
        play(&mut engine, forced);
        assert_eq!(go(&mut engine, Color::Black), Ok(Move::Pass));
        assert_eq!((engine.game().side(), engine.game().len()), (Color::White, 9));
        engine.undo();
        let mv = go(&mut engine, Color::White).unwrap();
        assert!(mv.square().is_some());
        assert_eq!((engine.game().side(), engine.game().len()), (Color::Black, 10));
        engine.undo();
        assert_eq!((engine.game().side(), engine.game().len()), (Color::Black, 8));
    }

    #[test]
    fn after_the_end_everybody_passes_and_nothing_changes() {
        let mut engine = engine(Some(1));
        play(&mut engine, "e6 f4 e3 f6 g5 d6 e7 f5 c5");
        for side in [Color::Black, Color::White] {
            assert_eq!(go(&mut engine, side), Ok(Move::Pass));
        }
        assert_eq!(engine.game().len(), 9);
        assert!(engine.hint(3, Audience { stop: &StopSignal::default(), observer: &mut () }).lines.is_empty());
    }

    #[test]
    fn a_move_takes_its_time_from_the_clock_of_its_side_alone() {
        let resources = Resources { threads: 1, table_megabytes: 1 };
        let options = Options { level: Level::new(2), depth: None, nodes: None, resources, ponder: false };
        let mut engine = Engine::new(options, Arc::new(Ticking::default()));
        let control = TimeControl::Fischer { main: Duration::from_secs(60), increment: Duration::ZERO };
        engine.set_time_control(control);
        let fresh = GameClock::new(control);
        go(&mut engine, Color::Black).unwrap();
        assert_ne!(engine.clock(Color::Black), fresh);
        assert_eq!(engine.clock(Color::White), fresh);
        engine.set_game(Game::new());
        assert_eq!(engine.clock(Color::Black), fresh);
    }

    #[test]
    fn a_stop_ends_a_deep_search_with_a_legal_move() {
        let mut engine = engine(Some(60));
        let stop = StopSignal::default();
        let signal = stop.clone();
        let stopper = thread::spawn(move || {
            thread::sleep(Duration::from_millis(200));
            signal.stop();
            Instant::now()
        });
        let choice = engine.choose(Color::Black, Audience { stop: &stop, observer: &mut () }).unwrap();
        let delay = stopper.join().unwrap().elapsed();
        assert!(engine.game().position().make(choice.mv).is_some());
        assert!(delay < Duration::from_secs(1), "{delay:?}");
    }

    #[test]
    fn pondering_gives_way_to_whatever_comes_next() {
        let mut engine = engine(Some(4));
        engine.set_options(Options { ponder: true, ..engine.options() });
        for _ in 0..3 {
            for side in [Color::Black, Color::White] {
                go(&mut engine, side).unwrap();
                thread::sleep(Duration::from_millis(20));
            }
        }
        assert!(engine.pondering.is_some());
        let start = Instant::now();
        engine.set_options(Options { ponder: false, ..engine.options() });
        assert!(engine.pondering.is_none());
        engine.set_options(Options { ponder: true, ..engine.options() });
        go(&mut engine, Color::Black).unwrap();
        engine.set_game(Game::new());
        assert!(engine.pondering.is_none());
        go(&mut engine, Color::Black).unwrap();
        engine.forget();
        drop(engine);
        assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    }

    #[test]
    fn a_clock_lifts_the_default_level_and_keeps_a_chosen_one() {
        let mut timed = engine(None);
        let position = timed.game().position();
        assert_eq!(timed.limits(Color::Black, position).target, Level::DEFAULT.draft(60));
        let mut ten_seconds = GameClock::default();
        ten_seconds.set_main(Duration::from_secs(10));
        timed.tell_clock(Color::Black, ten_seconds);
        assert_eq!(timed.limits(Color::Black, position).target, Level::MAX.draft(60));
        assert!(timed.limits(Color::Black, position).time.is_some());
        assert_eq!(timed.limits(Color::White, position).time, None);
        let mut leveled = engine(Some(3));
        let mut ten_seconds = GameClock::default();
        ten_seconds.set_main(Duration::from_secs(10));
        leveled.tell_clock(Color::Black, ten_seconds);
        assert_eq!(leveled.limits(Color::Black, position).target.depth, 3);
        leveled.set_options(Options { depth: Some(5), nodes: Some(1000), ..leveled.options() });
        let limits = leveled.limits(Color::Black, position);
        assert_eq!((limits.target, limits.nodes), (Draft::new(5, Selectivity::FULL), Some(1000)));
        leveled.set_options(Options { depth: None, level: None, ..leveled.options() });
        assert_eq!(leveled.limits(Color::Black, position).target, Level::MAX.draft(60), "only the nodes limit it");
    }

    #[test]
    fn a_hint_gives_as_many_lines_as_there_are_moves() {
        let mut engine = engine(Some(3));
        let outcome = engine.hint(10, Audience { stop: &StopSignal::default(), observer: &mut () });
        let mut squares: Vec<_> = outcome.lines.iter().filter_map(|line| line.mv.square()).collect();
        squares.sort();
        assert_eq!(squares, [Square::D3, Square::C4, Square::F5, Square::E6]);
        assert!(outcome.lines.is_sorted_by(|a, b| a.value >= b.value));
    }
}
