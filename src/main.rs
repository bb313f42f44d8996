//! The `volte` binary: parses what was typed and runs it. Everything else is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    volte::cli::main()
}
