//! `volte best`: the best move of positions.

use super::engine_args::ThinkArgs;
use super::positions::{POSITION_HELP, PositionArgs};
use crate::analysis::json;
use crate::engine::Audience;
use crate::search::StopSignal;
use std::process::ExitCode;

/// Arguments of `volte best`.
#[derive(clap::Args, Debug)]
#[command(after_help = POSITION_HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    asked: PositionArgs,
    #[command(flatten)]
    think: ThinkArgs,
}

/// Prints the best move of each position: a square, `pass`, or `-` if the game is over.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut engine = args.think.engine();
    let effort = args.think.effort();
    args.asked.questions().answer(|origin, game| {
        engine.set_game(game);
        let limits = effort.limits(engine.game().position());
        let outcome = engine.search(&limits, Audience { stop: &StopSignal::default(), observer: &mut () });
        if args.asked.json {
            return json::best(origin, engine.game(), &outcome);
        }
        outcome.lines.first().map_or_else(|| "-".to_owned(), |line| line.mv.to_string())
    })
}
