//! `volte completions`: what a shell needs to complete command lines.

use super::Cli;
use clap::CommandFactory;
use clap_complete::Shell;
use std::io::{self, Write};
use std::process::ExitCode;

/// Arguments of `volte completions`.
#[derive(clap::Args, Debug)]
#[command(after_help = "For bash, in ~/.bashrc: source <(volte completions bash)")]
pub(crate) struct Args {
    /// The shell
    shell: Shell,
}

/// Prints the completions.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "volte", &mut script);
    io::stdout().lock().write_all(&script)?;
    Ok(ExitCode::SUCCESS)
}
