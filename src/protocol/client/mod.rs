//! A client that drives another engine, as a process that speaks GTP or NBoard.
//!
//! Owns what is said to such an engine and what its answers mean; must not know matches or rules: whether a move is
//! legal is for the caller to judge. Start reading at [`Client`].

mod gtp;
mod nboard;
mod process;

use crate::board::{Color, Move};
use crate::clock::TimeControl;
use crate::game::{Game, Turn};
use crate::search::StopSignal;
use process::Process;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use thiserror::Error;

/// What an engine speaks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Language {
    /// The Go Text Protocol, version 2.
    #[default]
    Gtp,
    /// The NBoard protocol, version 2.
    NBoard,
}

/// How a GTP engine hears of a forced pass.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Passes {
    /// It is told, until it refuses to hear it; from then on it is not told.
    #[default]
    Learn,
    /// It is told: `play b pass`.
    Told,
    /// It is not told: the other colour just moves twice.
    Omitted,
}

/// How hard an engine tries, besides its clock. Not every engine can be told.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Effort {
    /// A level of the engine's own.
    Level(u32),
    /// A depth in plies.
    Depth(u32),
    /// A number of nodes.
    Nodes(u64),
}

/// An engine: how to start it and how to speak with it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct EngineCommand {
    /// The program and its arguments. A path is looked up in the engine's working folder first, then in ours.
    pub words: Vec<String>,
    /// The working folder, if it is not ours.
    pub directory: Option<PathBuf>,
    /// What it speaks.
    pub language: Language,
    /// Lines to send after the start, as they are; a GTP engine has to accept each.
    pub start: Vec<String>,
    /// What to set after that, if anything.
    pub effort: Option<Effort>,
    /// How it hears of passes (GTP).
    pub passes: Passes,
}

/// What goes over the wire, for a log.
pub trait Listener: Send + Sync {
    /// A line, without its end.
    fn line(&self, heard: Heard, line: &str);
}

/// Which way a line went.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Heard {
    /// To the engine.
    Sent,
    /// From the engine.
    Received,
}

/// Why an engine cannot go on. After any of these it is best restarted.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ClientError {
    /// The command line is empty.
    #[error("the engine has no command")]
    NoCommand,
    /// The program does not start.
    #[error("cannot start `{program}`: {reason}")]
    Start {
        /// What was to be started.
        program: String,
        /// What the system says.
        reason: String,
    },
    /// The process ended or closed its output.
    #[error("the engine ended at `{request}` ({status}) {complaints}")]
    Died {
        /// What was asked of it.
        request: String,
        /// How it ended.
        status: String,
        /// The last it wrote to stderr.
        complaints: String,
    },
    /// No answer in time.
    #[error("no answer to `{request}` in time")]
    Silent {
        /// What was asked of it.
        request: String,
    },
    /// The engine answered that it cannot or will not.
    #[error("the engine refuses `{request}`: {reply}")]
    Refused {
        /// What was asked of it.
        request: String,
        /// Its words.
        reply: String,
    },
    /// The answer means nothing.
    #[error("the answer to `{request}` means nothing: `{reply}`")]
    Garbage {
        /// What was asked of it.
        request: String,
        /// Its words.
        reply: String,
    },
    /// The engine has no way to set this.
    #[error("the engine cannot be told its {0}: use a start command")]
    Effort(&'static str),
    /// The stop signal was set while waiting.
    #[error("stopped")]
    Stopped,
}

/// What a clock shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeLeft {
    /// Time left of the main time or the period.
    pub time: Duration,
    /// Moves to make in the period; 0 in the main time.
    pub stones: u32,
}

/// An engine's move.
#[derive(Clone, PartialEq, Debug)]
pub struct Thought {
    /// What it decided.
    pub decision: Decision,
    /// From the request's last byte to the first line of its answer.
    pub used: Duration,
    /// What it thinks the final score will be, for itself, if it says so.
    pub opinion: Option<f64>,
}

/// What an engine decided to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decision {
    /// A move, legal or not.
    Move(Move),
    /// To give up.
    Resign,
}

/// A running engine that can be asked for moves.
///
/// ```no_run
/// use volte::board::Color;
/// use volte::clock::TimeControl;
/// use volte::game::Game;
/// use volte::protocol::client::{Client, EngineCommand};
/// use volte::search::StopSignal;
/// let command = EngineCommand { words: vec!["gtp-rhino".to_owned()], ..EngineCommand::default() };
/// let mut engine = Client::start(&command, StopSignal::default(), None)?;
/// engine.begin(&Game::new(), TimeControl::Unlimited)?;
/// let thought = engine.think(Color::Black, None, None)?;
/// println!("{:?} after {:?}", thought.decision, thought.used);
/// engine.end();
/// # Ok::<(), volte::protocol::client::ClientError>(())
/// ```
pub struct Client {
    process: Process,
    dialect: Dialect,
}

/// What is known of an engine that speaks this or that language.
enum Dialect {
    Gtp(gtp::Gtp),
    NBoard(nboard::NBoard),
}

impl Client {
    /// Starts an engine and sends its start commands. While it runs, setting `stop` ends every wait for it.
    ///
    /// # Errors
    /// If it does not start, does not speak its language, or refuses a start command.
    pub fn start(
        command: &EngineCommand,
        stop: StopSignal,
        listener: Option<Arc<dyn Listener>>,
    ) -> Result<Self, ClientError> {
        let mut process = Process::start(&command.words, command.directory.as_ref(), stop, listener)?;
        let dialect = match command.language {
            Language::Gtp => Dialect::Gtp(gtp::Gtp::open(&mut process, command)?),
            Language::NBoard => Dialect::NBoard(nboard::NBoard::open(&mut process, command)?),
        };
        Ok(Self { process, dialect })
    }

    /// What the engine calls itself; empty if it does not say.
    pub fn name(&self) -> &str {
        match &self.dialect {
            Dialect::Gtp(gtp) => gtp.name(),
            Dialect::NBoard(nboard) => nboard.name(),
        }
    }

    /// Sets up a game as it stands, with the time control of both sides.
    ///
    /// # Errors
    /// If the engine fails at it.
    pub fn begin(&mut self, game: &Game, control: TimeControl) -> Result<(), ClientError> {
        match &mut self.dialect {
            Dialect::Gtp(gtp) => gtp.begin(&mut self.process, game, control),
            Dialect::NBoard(nboard) => nboard.begin(&mut self.process, game, control),
        }
    }

    /// Tells the engine of a turn that was played, its own ones and forced passes included.
    ///
    /// # Errors
    /// If the engine fails at it.
    pub fn tell(&mut self, turn: Turn, used: Duration) -> Result<(), ClientError> {
        match &mut self.dialect {
            Dialect::Gtp(gtp) => gtp.tell(&mut self.process, turn),
            Dialect::NBoard(nboard) => nboard.tell(&mut self.process, turn, used),
        }
    }

    /// Asks for a move of `color`, which is to move and has a move. `clocks` are Black's and White's; the engine is
    /// waited for no longer than `limit`.
    ///
    /// # Errors
    /// If no move comes; [`ClientError::Silent`] after `limit`.
    pub fn think(
        &mut self,
        color: Color,
        clocks: Option<[TimeLeft; 2]>,
        limit: Option<Duration>,
    ) -> Result<Thought, ClientError> {
        match &mut self.dialect {
            Dialect::Gtp(gtp) => gtp.think(&mut self.process, color, clocks, limit),
            Dialect::NBoard(nboard) => nboard.think(&mut self.process, limit),
        }
    }

    /// Ends the engine: politely, and by force if that does not help within half a second. Dropping a client ends it
    /// by force at once.
    pub fn end(self) {
        self.process.end("quit");
    }
}
