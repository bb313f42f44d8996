//! `volte nboard`: the engine behind NBoard and what speaks its protocol.

use super::engine_args::PlayerArgs;
use crate::protocol::nboard;
use std::io::{self, BufReader, BufWriter};
use std::process::ExitCode;

/// Speaks NBoard's protocol on standard input and output.
pub(crate) fn run(args: &PlayerArgs) -> anyhow::Result<ExitCode> {
    let mut engine = args.engine(false)?;
    nboard::serve(&mut engine, BufReader::new(io::stdin()), &mut BufWriter::new(io::stdout().lock()))?;
    Ok(ExitCode::SUCCESS)
}
