//! `volte eval`: what positions are worth without looking ahead.

use super::eval_file::EvalFileArgs;
use super::positions::{POSITION_HELP, PositionArgs};
use crate::analysis::json;
use crate::clock::WallClock;
use crate::engine::{Engine, Options};
use crate::protocol::results::value;
use crate::search::Resources;
use std::process::ExitCode;
use std::sync::Arc;

/// Arguments of `volte eval`.
#[derive(clap::Args, Debug)]
#[command(after_help = POSITION_HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    asked: PositionArgs,
    #[command(flatten)]
    evaluation: EvalFileArgs,
}

/// Prints the expected final score of each position for the side to move, in discs.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    // Nothing is searched, so the least will do.
    let resources = Resources { threads: 1, table_megabytes: 1 };
    let options = Options { level: None, depth: None, nodes: None, resources, ponder: false };
    let evaluation = args.evaluation.evaluation();
    let mut engine = Engine::with_evaluation(options, evaluation, Arc::new(WallClock::default()));
    args.asked.questions().answer(|origin, game| {
        engine.set_game(game);
        let found = engine.evaluate();
        let game = engine.game();
        if args.asked.json { json::eval(origin, game, found) } else { value(found, game.is_over()) }
    })
}
