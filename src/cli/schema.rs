//! `volte schema`: the JSON Schema of what the commands for scripts print.

use crate::analysis::json::SCHEMA;
use std::io::{self, Write};
use std::process::ExitCode;

/// Arguments of `volte schema`: none.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {}

/// Prints the schema of a line of `volte eval`, `hint`, `best` and `analyze` with `--json`.
pub(crate) fn run(_: &Args) -> anyhow::Result<ExitCode> {
    io::stdout().lock().write_all(SCHEMA.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}
