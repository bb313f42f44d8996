//! `volte best`: the best move of positions.

use super::engine_args::ThinkArgs;
use super::interrupt::stop_on_ctrl_c;
use super::positions::{POSITION_HELP, Questions};
use crate::analysis::json;
use crate::engine::Audience;
use std::process::ExitCode;

/// Arguments of `volte best`.
#[derive(clap::Args, Debug)]
#[command(after_help = POSITION_HELP)]
pub(crate) struct Args {
    /// The position; lines of standard input if not given
    #[arg(value_name = "POSITION", allow_hyphen_values = true)]
    position: Option<String>,
    #[command(flatten)]
    think: ThinkArgs,
    /// Print one JSON object a line (`volte schema`)
    #[arg(long)]
    json: bool,
}

/// Prints the best move of each position: a square, `pass`, or `-` if the game is over.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let stop = stop_on_ctrl_c()?;
    let mut engine = args.think.engine();
    let effort = args.think.effort();
    Questions::new(args.position.as_deref(), args.json).answer(|origin, game| {
        engine.set_game(game);
        let limits = effort.limits(engine.game().position());
        let outcome = engine.search(&limits, Audience { stop: &stop, observer: &mut () });
        if stop.is_set() {
            return None;
        }
        if args.json {
            return Some(json::best(origin, engine.game(), &outcome));
        }
        Some(outcome.lines.first().map_or_else(|| "-".to_owned(), |line| line.mv.to_string()))
    })
}
