//! `volte gtp`: the engine behind a graphical interface or a match runner.

use super::engine_args::PlayerArgs;
use crate::protocol::gtp;
use std::io::{self, BufReader, BufWriter};
use std::process::ExitCode;

/// Arguments of `volte gtp`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(flatten)]
    player: PlayerArgs,
    /// Think while the other side does (a client can change it)
    #[arg(long)]
    ponder: bool,
}

/// Speaks GTP on standard input and output.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut engine = args.player.engine(args.ponder)?;
    gtp::serve(&mut engine, BufReader::new(io::stdin()), &mut BufWriter::new(io::stdout().lock()))?;
    Ok(ExitCode::SUCCESS)
}
