//! What each command of XBoard does to the engine, and what the engine does by itself.

use super::command::{Command, CommandError};
use super::text;
use crate::board::{Color, Move, Position, Setup, Square};
use crate::clock::{Budget, TimeControl};
use crate::engine::{Audience, Engine, Options};
use crate::game::Game;
use crate::score::Draft;
use crate::search::{Control, Level, Limits, Observer, Report, StopSignal};
use std::fmt::Display;
use std::io::{self, Write};
use std::time::Duration;

/// How long a hint is thought about.
const HINT_TIME: Duration = Duration::from_secs(1);

/// A client's session with an engine.
pub(super) struct Session<'a, W> {
    engine: &'a mut Engine,
    output: &'a mut W,
    /// The side that the engine plays.
    side: Option<Color>,
    /// What the engine's clock shows, if that was said since it last moved.
    time: Option<Duration>,
    posting: bool,
    analysis: Option<Analysis>,
}

/// What becomes of a thought that was stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Verdict {
    /// Its best move is played.
    Move,
    /// It is forgotten.
    Drop,
}

/// What has been told in analyze mode.
#[derive(Debug)]
struct Analysis {
    position: Position,
    /// Drafts whose results were told: an analysis that goes on after a line does not repeat them.
    told: Vec<Draft>,
    elapsed: Duration,
    nodes: u64,
}

impl<'a, W: Write> Session<'a, W> {
    /// A session before its first `new`.
    pub(super) fn new(engine: &'a mut Engine, output: &'a mut W) -> Self {
        Self { engine, output, side: None, time: None, posting: false, analysis: None }
    }

    /// Whether the current position is to be analysed.
    pub(super) const fn is_analyzing(&self) -> bool {
        self.analysis.is_some()
    }

    /// Whether it is the engine's turn.
    pub(super) fn is_to_move(&self) -> bool {
        self.side == Some(self.engine.game().side()) && !self.engine.game().is_over()
    }

    /// Tells what was wrong with a line.
    pub(super) fn complain(&mut self, error: &CommandError) -> io::Result<()> {
        self.say(error)
    }

    fn say(&mut self, line: impl Display) -> io::Result<()> {
        writeln!(self.output, "{line}")?;
        self.output.flush()
    }

    /// Does what `command` asks for at once; under `stop` if it has to search.
    pub(super) fn obey(&mut self, command: Command, stop: &StopSignal) -> io::Result<()> {
        match command {
            Command::Features => {
                let level = self.engine.options().level.unwrap_or(Level::DEFAULT);
                self.say(text::features(level, self.engine.overhead().set_by_hand()))
            }
            Command::Variant => {
                self.start(Game::from_setup(text::START).expect("the start is a position"));
                self.say(text::setup())
            }
            Command::Move(mv) => self.play(mv),
            Command::Ping(text) => self.say(format_args!("pong {text}")),
            Command::SetBoard(board) if self.is_forwarded_pass(board) => self.play(Move::Pass),
            Command::SetBoard(board) => match Game::from_setup(board) {
                Ok(game) => {
                    self.engine.set_game(game);
                    Ok(())
                }
                Err(error) => self.say(format_args!("tellusererror Illegal position: {error}")),
            },
            Command::Hint => self.hint(stop),
            Command::Book => self.tell_book(),
            Command::Undo => self.take_back(1),
            Command::Remove => self.take_back(2),
            Command::Status => self.tell_status(),
            Command::Analyze | Command::Exit => {
                self.side = None;
                self.rest();
                let position = self.engine.game().position();
                self.analysis = (command == Command::Analyze).then(|| Analysis::of(position));
                Ok(())
            }
            other => {
                self.change(other);
                Ok(())
            }
        }
    }

    /// Does what needs no answer.
    fn change(&mut self, command: Command) {
        match command {
            Command::New => {
                self.start(Game::new());
                self.set_options(|options| options.depth = None);
            }
            Command::Force | Command::Result => {
                self.side = None;
                self.rest();
            }
            Command::Go => self.side = Some(self.engine.game().side()),
            Command::PlayOther => self.side = Some(!self.engine.game().side()),
            Command::TimeControl(control) => {
                self.engine.set_time_control(control);
                self.engine.get_ready();
                self.time = None;
            }
            Command::Depth(depth) => self.set_options(|options| options.depth = Some(depth)),
            Command::Time(left) => self.time = Some(left),
            Command::Ponder(ponder) => self.set_options(|options| options.ponder = ponder),
            Command::Post(post) => self.posting = post,
            Command::Memory(megabytes) => self.set_options(|options| options.resources.table_megabytes = megabytes),
            Command::Cores(threads) => self.set_options(|options| options.resources.threads = threads),
            Command::Level(level) => self.set_options(|options| options.level = Some(level)),
            Command::Overhead(time) => self.engine.set_overhead(time),
            // A line that only stops a thought has done so when it was read.
            _ => {}
        }
    }

    fn set_options(&mut self, change: impl FnOnce(&mut Options)) {
        let mut options = self.engine.options();
        change(&mut options);
        self.engine.set_options(options);
    }

    /// A new game, in which the engine plays the side that moves second.
    fn start(&mut self, game: Game) {
        self.side = (!self.is_analyzing()).then_some(!game.side());
        self.engine.set_game(game);
        self.time = None;
    }

    /// Ends thinking in the other side's time, until the next own move.
    fn rest(&mut self) {
        let options = self.engine.options();
        self.engine.set_options(Options { ponder: false, ..options });
        self.engine.set_options(options);
    }

    /// Sets the clock of `side` to what the client last said that the engine's clock shows.
    fn set_clock(&mut self, side: Color) {
        let Some(left) = self.time.take() else { return };
        let mut clock = self.engine.clock(side);
        match clock.control() {
            // Each move has the whole of its time.
            TimeControl::ByoYomi { stones: 1, .. } => return,
            TimeControl::ByoYomi { stones, .. } => {
                let made = self.engine.game().turns().filter(|turn| turn.color == side).count();
                let made = u32::try_from(made).unwrap_or_default() % stones;
                clock.set_period(left, stones - made);
            }
            TimeControl::Fischer { .. } | TimeControl::Unlimited => clock.set_main(left),
        }
        self.engine.tell_clock(side, clock);
    }

    /// Whether a board is how XBoard hands on a pass: the same squares are taken, the other side is to move, and the
    /// colours may be anybody's, since XBoard turns no discs.
    fn is_forwarded_pass(&self, board: Setup) -> bool {
        let now = self.engine.game().setup();
        let same_squares = (board.black | board.white) == (now.black | now.white);
        same_squares && board.side != now.side && self.engine.game().position().must_pass()
    }

    /// Plays a move of the other side, or in force mode of any.
    fn play(&mut self, mv: Move) -> io::Result<()> {
        let game = self.engine.game();
        let side = match mv {
            Move::Place(_) => game.next_to_place().unwrap_or(game.side()),
            Move::Pass => game.side(),
        };
        match self.engine.play_as(side, mv) {
            Ok(()) => self.tell_result(),
            Err(error) => self.say(format_args!("Illegal move ({}): {}", error.reason(), text::mv(mv))),
        }
    }

    fn tell_result(&mut self) -> io::Result<()> {
        match self.engine.game().result() {
            Some(end) => self.say(text::result(end)),
            None => Ok(()),
        }
    }

    fn take_back(&mut self, moves: usize) -> io::Result<()> {
        if self.engine.game().len() < moves {
            let name = if moves == 1 { "undo" } else { "remove" };
            return self.say(format_args!("Error (command not legal now): {name}"));
        }
        for _ in 0..moves {
            self.engine.undo();
        }
        self.rest();
        Ok(())
    }

    fn hint(&mut self, stop: &StopSignal) -> io::Result<()> {
        if self.engine.game().is_over() {
            return Ok(());
        }
        let limits = Limits { time: Some(Budget::fixed(HINT_TIME)), ..Limits::draft(deepest()) };
        let outcome = self.engine.search(&limits, Audience { stop, observer: &mut () });
        match outcome.lines.first() {
            Some(line) => self.say(format_args!("Hint: {}", text::mv(line.mv))),
            None => Ok(()),
        }
    }

    /// The moves of the book with their values, each behind a space as XBoard wants it, and a blank line.
    fn tell_book(&mut self) -> io::Result<()> {
        let moves = self.engine.book_moves(self.engine.game().position());
        for known in &moves {
            self.say(format_args!(" {} {:+.2}", text::mv(Move::Place(known.mv)), known.value.discs()))?;
        }
        self.say(if moves.is_empty() { " the book has no move here\n" } else { "" })
    }

    /// Thinks and moves. A stopped thought asks for the `verdict` on it.
    pub(super) fn think(&mut self, stop: &StopSignal, verdict: impl FnOnce() -> Verdict) -> io::Result<()> {
        let side = self.engine.game().side();
        self.set_clock(side);
        let mut thoughts = Thoughts { output: self.output, posting: self.posting, told: None, result: Ok(()) };
        let choice = self.engine.go(side, Audience { stop, observer: &mut thoughts });
        thoughts.result?;
        let choice = choice.expect("it is the turn of the side that thinks");
        if stop.is_set() && verdict() == Verdict::Drop {
            self.engine.undo();
            self.rest();
            return Ok(());
        }
        self.say(format_args!("move {}", text::mv(choice.mv)))?;
        self.tell_result()
    }

    /// Analyses the current position until it is stopped or all is known.
    pub(super) fn analyze(&mut self, stop: &StopSignal) -> io::Result<()> {
        let position = self.engine.game().position();
        let Some(analysis) = &mut self.analysis else { return Ok(()) };
        if analysis.position != position {
            *analysis = Analysis::of(position);
        }
        let mut thoughts = Thoughts { output: self.output, posting: true, told: Some(analysis), result: Ok(()) };
        self.engine.search(&Limits::draft(deepest()), Audience { stop, observer: &mut thoughts });
        thoughts.result
    }

    /// `stat01: time nodes ply moves-left moves`: all moves are looked at together, so none is left.
    fn tell_status(&mut self) -> io::Result<()> {
        let Some(analysis) = &self.analysis else { return Ok(()) };
        let centiseconds = analysis.elapsed.as_millis() / 10;
        let depth = analysis.told.last().map_or(0, |draft| draft.depth);
        let (nodes, moves) = (analysis.nodes, analysis.position.moves().count());
        self.say(format_args!("stat01: {centiseconds} {nodes} {depth} 0 {moves}"))
    }
}

impl Analysis {
    const fn of(position: Position) -> Self {
        Self { position, told: Vec::new(), elapsed: Duration::ZERO, nodes: 0 }
    }
}

/// The draft that solves any position.
fn deepest() -> Draft {
    Level::MAX.draft(Square::COUNT as u8)
}

/// Posts the iterations of a search.
struct Thoughts<'a, W> {
    output: &'a mut W,
    posting: bool,
    /// What is not to be told again.
    told: Option<&'a mut Analysis>,
    result: io::Result<()>,
}

impl<W: Write> Observer for Thoughts<'_, W> {
    fn iteration(&mut self, report: &Report<'_>) -> Control {
        let draft = report.lines.first().map(|line| line.draft);
        let mut posting = self.posting;
        if let (Some(analysis), Some(draft)) = (&mut self.told, draft) {
            (analysis.elapsed, analysis.nodes) = (report.elapsed, report.nodes);
            if analysis.told.contains(&draft) {
                posting = false;
            } else {
                analysis.told.push(draft);
            }
        }
        if let Some(thought) = text::thought(report).filter(|_| posting) {
            self.result = writeln!(self.output, "{thought}").and_then(|()| self.output.flush());
        }
        if self.result.is_ok() { Control::Continue } else { Control::Stop }
    }
}
