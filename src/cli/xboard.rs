//! `volte xboard`: the engine behind XBoard, WinBoard and scripts made for chess engines.

use super::engine_args::PlayerArgs;
use crate::protocol::xboard;
use std::io::{self, BufReader, BufWriter};
use std::process::ExitCode;

/// Speaks the protocol of XBoard on standard input and output.
pub(crate) fn run(args: &PlayerArgs) -> anyhow::Result<ExitCode> {
    let mut engine = args.engine(false)?;
    xboard::serve(&mut engine, BufReader::new(io::stdin()), &mut BufWriter::new(io::stdout().lock()))?;
    Ok(ExitCode::SUCCESS)
}
