//! `--level`, `--eval-file`, `--threads` and `--hash`: an engine as a user wants it. Flattened into the arguments of every
//! subcommand that plays.

use super::eval_file::EvalFileArgs;
use super::resources::ResourceArgs;
use crate::clock::WallClock;
use crate::engine::{Engine, Options};
use crate::search::Level;
use std::sync::Arc;

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

/// Reads a level.
pub(crate) fn parse_level(text: &str) -> Result<Level, String> {
    let most = Level::MAX.number();
    text.parse().ok().and_then(Level::new).ok_or_else(|| format!("`{text}` is not a level: 0 to {most}"))
}
