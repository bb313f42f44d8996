//! `--level`, `--eval-file`, `--threads` and `--hash`: an engine as a user wants it. Flattened into the arguments of every
//! subcommand that plays.

use super::book_args::BookArgs;
use super::eval_file::EvalFileArgs;
use super::resources::ResourceArgs;
use crate::clock::WallClock;
use crate::engine::{Effort, Engine, Options};
use crate::protocol::resources::{MOST_OVERHEAD, read_overhead};
use crate::search::Level;
use std::sync::Arc;
use std::time::Duration;

/// How the engine plays.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct EngineArgs {
    /// Playing strength, 0 to 60 (`volte levels`) [default: 21, or as high as a game clock allows]
    #[arg(long, value_name = "LEVEL", value_parser = parse_level, allow_negative_numbers = true)]
    level: Option<Level>,
    #[command(flatten)]
    evaluation: EvalFileArgs,
    #[command(flatten)]
    resources: ResourceArgs,
}

impl EngineArgs {
    /// A fresh engine.
    pub(crate) fn engine(&self, ponder: bool) -> Engine {
        let options =
            Options { level: self.level, depth: None, nodes: None, resources: self.resources.resources(), ponder };
        Engine::with_evaluation(options, self.evaluation.evaluation(), Arc::new(WallClock::default()))
    }
}

/// How the engine plays, and from which opening book.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct PlayerArgs {
    #[command(flatten)]
    engine: EngineArgs,
    #[command(flatten)]
    book: BookArgs,
    /// Milliseconds that a move on a clock loses outside of the engine, or `auto` to learn them from the clock
    #[arg(long, value_name = "MS", value_parser = parse_overhead, default_value = "auto")]
    overhead: OverheadArg,
}

/// What `--overhead` says.
#[derive(Clone, Copy, Debug)]
struct OverheadArg(Option<Duration>);

impl PlayerArgs {
    /// A fresh engine with its book.
    pub(crate) fn engine(&self, ponder: bool) -> anyhow::Result<Engine> {
        let mut engine = self.engine.engine(ponder);
        self.book.equip(&mut engine)?;
        engine.set_overhead(self.overhead.0);
        Ok(engine)
    }
}

/// How hard the engine thinks about positions one by one.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct ThinkArgs {
    #[command(flatten)]
    engine: EngineArgs,
    /// Think so many seconds about each position or turn, instead of what a level says
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, conflicts_with = "level")]
    #[arg(allow_negative_numbers = true)]
    time: Option<Duration>,
}

impl ThinkArgs {
    /// How hard to try.
    pub(crate) fn effort(&self) -> Effort {
        self.time.map_or(Effort::Level(self.engine.level.unwrap_or(Level::DEFAULT)), Effort::Time)
    }

    /// A fresh engine.
    pub(crate) fn engine(&self) -> Engine {
        self.engine.engine(false)
    }
}

/// Reads a time in seconds.
fn parse_seconds(text: &str) -> Result<Duration, String> {
    let time = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.filter(|time| !time.is_zero()).ok_or_else(|| format!("`{text}` is not a number of seconds above 0"))
}

fn parse_overhead(text: &str) -> Result<OverheadArg, String> {
    let wanted = || format!("`{text}` is neither `auto` nor milliseconds up to {MOST_OVERHEAD}");
    read_overhead(text).map(OverheadArg).ok_or_else(wanted)
}

/// Reads a level.
pub(crate) fn parse_level(text: &str) -> Result<Level, String> {
    let most = Level::MAX.number();
    text.parse().ok().and_then(Level::new).ok_or_else(|| format!("`{text}` is not a level: 0 to {most}"))
}
