//! `volte xboard`: the engine behind XBoard, WinBoard and scripts made for chess engines.

use super::book_args::BookArgs;
use super::engine_args::EngineArgs;
use crate::protocol::xboard;
use std::io::{self, BufReader, BufWriter};
use std::process::ExitCode;

/// Arguments of `volte xboard`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(flatten)]
    engine: EngineArgs,
    #[command(flatten)]
    book: BookArgs,
}

/// Speaks the protocol of XBoard on standard input and output.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut engine = args.engine.engine(false);
    args.book.equip(&mut engine)?;
    xboard::serve(&mut engine, BufReader::new(io::stdin()), &mut BufWriter::new(io::stdout().lock()))?;
    Ok(ExitCode::SUCCESS)
}
