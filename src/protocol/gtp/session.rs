//! What each command does to the engine.
//!
//! Cheap commands are done at once; a search comes back as a [`Task`], because it runs under a signal to stop.

use super::analysis;
use super::book::{self, BookFailure};
use super::command::{self, Analysis, Command, CommandError, TimeLeft, read_level, read_switch};
use super::load::{LoadError, load};
use super::text;
use crate::board::{Color, Move, Setup, Square};
use crate::engine::{Audience, Engine, NotYourTurn, Options};
use crate::game::{Game, PlayError, board_text, named};
use crate::protocol::resources::{MOST_OVERHEAD, parse_table_megabytes, parse_threads, read_overhead};
use crate::search::StopSignal;
use std::io::{self, Write};
use std::str::FromStr;
use thiserror::Error;

/// The one game that is played here, as GoGui and Quarry call it.
const GAME: &str = "Othello";

/// What GoGui offers in its menu of analyses: kind, label, command.
const ANALYZE_COMMANDS: [&str; 9] = [
    "string/Volte Best Moves/volte-hint 5",
    "string/Volte Book/volte-book show",
    "string/Volte Opening/volte-opening",
    "string/Volte Board/showboard",
    "string/Volte Level/volte-level",
    "string/Volte Options/volte-options",
    "none/Volte Redo/volte-redo",
    "none/Volte Ponder On/volte-ponder on",
    "none/Volte Ponder Off/volte-ponder off",
];

/// A client's session with an engine.
pub(super) struct Session<'a> {
    engine: &'a mut Engine,
}

/// What is left to do for a command.
pub(super) enum Task {
    /// Nothing: this is the reply.
    Done(String),
    /// A search that gives the reply.
    Search(Search),
    /// A search whose reply grows with every iteration.
    Stream(Analysis),
}

/// A search that gives a reply.
pub(super) enum Search {
    /// The move that this side plays.
    Play(Color),
    /// The move that this side would play.
    Choose(Color),
    /// The best moves with their values.
    Hint(usize),
}

/// Why a command is refused. What it prints is the message of the reply.
#[derive(Debug, Error)]
pub(super) enum Failure {
    #[error(transparent)]
    Command(#[from] CommandError),
    #[error("illegal move")]
    IllegalMove(#[from] PlayError),
    #[error("illegal move")]
    Turn(#[from] NotYourTurn),
    #[error("unacceptable size")]
    Size(u32),
    #[error("cannot undo")]
    Undo,
    #[error("cannot redo")]
    Redo,
    #[error("cannot score")]
    Score,
    #[error("cannot load file")]
    Load(#[from] LoadError),
    #[error("unknown game: {0}")]
    Game(String),
    #[error("cannot set up the board: {0}")]
    Board(String),
    #[error("unknown option: {0}")]
    Option(String),
    #[error("option {name}: {reason}")]
    OptionValue { name: String, reason: String },
    #[error(transparent)]
    Book(#[from] BookFailure),
}

impl<'a> Session<'a> {
    /// A session that plays with `engine`.
    pub(super) const fn new(engine: &'a mut Engine) -> Self {
        Self { engine }
    }

    /// Does what `command` asks for, except for a search, which comes back as a task.
    pub(super) fn run(&mut self, command: Command) -> Result<Task, Failure> {
        match command {
            Command::GenMove(color) => self.generate(color, Search::Play(color)),
            Command::RegGenMove(color) => self.generate(color, Search::Choose(color)),
            Command::Hint(lines) => Ok(Task::Search(Search::Hint(lines))),
            Command::Analyze(analysis) => Ok(Task::Stream(analysis)),
            other => self.answer(other).map(Task::Done),
        }
    }

    fn answer(&mut self, command: Command) -> Result<String, Failure> {
        let reply = match command {
            Command::ProtocolVersion => "2".to_owned(),
            Command::Name => "Volte".to_owned(),
            Command::Version => env!("CARGO_PKG_VERSION").to_owned(),
            Command::Knows(name) => command::names().any(|known| known == name).to_string(),
            Command::ListCommands => command::names().collect::<Vec<_>>().join("\n"),
            Command::FinalScore => self.game().result().map(text::score).ok_or(Failure::Score)?,
            Command::ShowBoard => text::board(self.game()),
            Command::ListGames | Command::RulesGameId => GAME.to_owned(),
            Command::RulesBoard => text::rules_board(self.game().setup()),
            Command::RulesBoardSize => Square::SIDE.to_string(),
            Command::RulesLegalMoves => self.legal_moves(),
            Command::RulesSideToMove => self.game().side().to_string(),
            Command::RulesFinalResult => self.game().result().map(text::result).unwrap_or_default(),
            Command::AnalyzeCommands => ANALYZE_COMMANDS.join("\n"),
            Command::Book(command) => book::run(self.engine, command)?,
            Command::Opening => named::name_of(self.game()).map(text::opening).unwrap_or_default(),
            Command::ShowLevel => self.level(),
            Command::ShowOptions => self.options(),
            other => return self.change(other).map(|()| String::new()),
        };
        Ok(reply)
    }

    fn change(&mut self, command: Command) -> Result<(), Failure> {
        match command {
            Command::BoardSize(size) if size as usize != Square::SIDE => return Err(Failure::Size(size)),
            Command::BoardSize(_) | Command::ClearBoard => self.engine.set_game(Game::new()),
            Command::Play(color, mv) => self.play(color, mv)?,
            Command::PlaySequence(moves) => self.play_sequence(&moves)?,
            Command::Undo if self.engine.undo().is_none() => return Err(Failure::Undo),
            Command::Redo if self.engine.redo().is_none() => return Err(Failure::Redo),
            Command::TimeSettings(control) => {
                self.engine.set_time_control(control);
                self.engine.get_ready();
            }
            Command::TimeLeft(color, left) => self.tell_clock(color, left),
            Command::SetGame(game) if !game.eq_ignore_ascii_case(GAME) => return Err(Failure::Game(game)),
            Command::LoadSgf(file) => self.engine.set_game(load(&file)?),
            Command::Setup(discs) => self.set_board(setup(&discs)?)?,
            Command::SetupPlayer(side) => self.set_board(Setup { side, ..self.game().setup() })?,
            Command::SetBoard(board) => {
                let board = board_text::parse(&board).map_err(|error| Failure::Board(error.to_string()))?;
                self.set_board(board)?;
            }
            Command::New => {
                self.engine.set_game(Game::new());
                self.engine.forget();
            }
            Command::SetLevel(level) => self.set_options(|options| options.level = level),
            Command::Ponder(ponder) => self.set_options(|options| options.ponder = ponder),
            Command::SetOption(name, value) => self.set_option(&name, &value)?,
            // The stop has been heard when the line was read, and the loop ends after `quit`.
            _ => {}
        }
        Ok(())
    }

    fn tell_clock(&mut self, side: Color, left: TimeLeft) {
        let mut clock = self.engine.clock(side);
        if !clock.is_limited() {
            self.engine.get_ready();
        }
        match left {
            TimeLeft::Main(time) => clock.set_main(time),
            TimeLeft::Period(time, stones) => clock.set_period(time, stones),
        }
        self.engine.tell_clock(side, clock);
    }

    fn game(&self) -> &Game {
        self.engine.game()
    }

    fn play(&mut self, color: Color, mv: Move) -> Result<(), Failure> {
        // A pass after the end changes nothing: runners of matches end their games with two of them.
        if mv == Move::Pass && self.game().is_over() {
            return Ok(());
        }
        Ok(self.engine.play_as(color, mv)?)
    }

    /// Plays all moves or none.
    fn play_sequence(&mut self, moves: &[(Color, Move)]) -> Result<(), Failure> {
        let mut trial = self.game().clone();
        for &(color, mv) in moves {
            trial.play_as(color, mv)?;
        }
        for &(color, mv) in moves {
            self.play(color, mv)?;
        }
        Ok(())
    }

    /// Checks that `color` may be asked for a move now. A side without a move passes, whosever turn it is.
    fn generate(&self, color: Color, search: Search) -> Result<Task, Failure> {
        let position = self.game().position();
        let mine = if color == self.game().side() { position } else { position.pass() };
        if mine.moves().is_empty() && color != self.game().side() {
            return Ok(Task::Done(text::vertex(Move::Pass)));
        }
        Ok(Task::Search(search))
    }

    /// Runs a search and gives its reply.
    pub(super) fn search(&mut self, search: &Search, stop: &StopSignal) -> Result<String, Failure> {
        let audience = Audience { stop, observer: &mut () };
        Ok(match search {
            Search::Play(color) => text::vertex(self.engine.go(*color, audience)?.mv),
            Search::Choose(color) => text::vertex(self.engine.choose(*color, audience)?.mv),
            Search::Hint(lines) => {
                let outcome = self.engine.hint(*lines, audience);
                outcome.lines.iter().map(text::hint).collect::<Vec<_>>().join("\n")
            }
        })
    }

    /// Searches until it is stopped or all is known, and writes what it finds.
    pub(super) fn stream(&mut self, analysis: Analysis, stop: &StopSignal, output: &mut impl Write) -> io::Result<()> {
        analysis::stream(self.engine, analysis, stop, output)
    }

    /// Legal moves as GoGui wants them: `pass` if there is nothing else, nothing when the game is over.
    fn legal_moves(&self) -> String {
        let position = self.game().position();
        if position.must_pass() { text::vertex(Move::Pass) } else { text::vertices(position.moves()) }
    }

    fn set_board(&mut self, board: Setup) -> Result<(), Failure> {
        let game = Game::from_setup(board).map_err(|error| Failure::Board(error.to_string()))?;
        self.engine.set_game(game);
        Ok(())
    }

    fn level(&self) -> String {
        self.engine.options().level.map_or_else(|| "auto".to_owned(), |level| level.number().to_string())
    }

    fn options(&self) -> String {
        let Options { depth, nodes, resources, ponder, .. } = self.engine.options();
        let ponder = if ponder { "on" } else { "off" };
        let (level, threads, hash) = (self.level(), resources.threads, resources.table_megabytes);
        let or_auto = |limit: Option<u64>| limit.map_or_else(|| "auto".to_owned(), |limit| limit.to_string());
        let (depth, nodes) = (or_auto(depth.map(u64::from)), or_auto(nodes));
        let overhead = match self.engine.overhead().set_by_hand() {
            Some(time) => format!("{}", time.as_millis()),
            None => "auto".to_owned(),
        };
        format!(
            "level {level}\ndepth {depth}\nnodes {nodes}\nthreads {threads}\nhash {hash}\nponder {ponder}\n\
             overhead {overhead}"
        )
    }

    fn set_options(&mut self, change: impl FnOnce(&mut Options)) {
        let mut options = self.engine.options();
        change(&mut options);
        self.engine.set_options(options);
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), Failure> {
        let refuse = |reason: String| Failure::OptionValue { name: name.to_owned(), reason };
        let mut options = self.engine.options();
        match name {
            "level" => options.level = read_level(value).ok_or_else(|| refuse(format!("`{value}` is not a level")))?,
            "depth" => options.depth = read_limit(value).ok_or_else(|| refuse(format!("`{value}` is not a depth")))?,
            "nodes" => {
                options.nodes =
                    read_limit(value).ok_or_else(|| refuse(format!("`{value}` is not a number of nodes")))?;
            }
            "ponder" => {
                options.ponder = read_switch(value).ok_or_else(|| refuse(format!("`{value}` is not on or off")))?;
            }
            "threads" => options.resources.threads = parse_threads(value).map_err(|e| refuse(e.to_string()))?,
            "hash" => {
                options.resources.table_megabytes = parse_table_megabytes(value).map_err(|e| refuse(e.to_string()))?;
            }
            "overhead" => {
                let time = read_overhead(value).ok_or_else(|| {
                    refuse(format!("`{value}` is neither `auto` nor milliseconds up to {MOST_OVERHEAD}"))
                })?;
                self.engine.set_overhead(time);
            }
            _ => return Err(Failure::Option(name.to_owned())),
        }
        self.engine.set_options(options);
        Ok(())
    }
}

/// A limit of at least 1, or `auto` for none.
fn read_limit<T: FromStr + From<u8> + PartialOrd>(word: &str) -> Option<Option<T>> {
    if word.eq_ignore_ascii_case("auto") {
        return Some(None);
    }
    word.parse().ok().filter(|limit| *limit >= T::from(1)).map(Some)
}

/// The board with these discs and no others, black to move.
fn setup(discs: &[(Color, Square)]) -> Result<Setup, Failure> {
    let of = |side| discs.iter().filter(|(color, _)| *color == side).map(|(_, square)| *square).collect();
    let board = Setup { black: of(Color::Black), white: of(Color::White), side: Color::Black };
    board.position().map_err(|error| Failure::Board(error.to_string()))?;
    Ok(board)
}
