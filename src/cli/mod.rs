//! The command line: what was typed becomes a typed request, runs, and ends in an exit code.
//!
//! Owns arguments and exit codes. One file per subcommand.

use std::process::ExitCode;

/// Runs the program with the arguments of the process.
pub fn main() -> ExitCode {
    ExitCode::SUCCESS
}
