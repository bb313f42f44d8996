//! `volte nboard`: the engine behind NBoard and what speaks its protocol.

use super::book_args::BookArgs;
use super::engine_args::EngineArgs;
use crate::protocol::nboard;
use std::io::{self, BufReader, BufWriter};
use std::process::ExitCode;

/// Arguments of `volte nboard`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// NBoard sets the level itself, by `set depth`
    #[command(flatten)]
    engine: EngineArgs,
    #[command(flatten)]
    book: BookArgs,
}

/// Speaks NBoard's protocol on standard input and output.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut engine = args.engine.engine(false);
    args.book.equip(&mut engine)?;
    nboard::serve(&mut engine, BufReader::new(io::stdin()), &mut BufWriter::new(io::stdout().lock()))?;
    Ok(ExitCode::SUCCESS)
}
