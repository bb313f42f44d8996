//! The command line: what was typed becomes a typed request, runs, and ends in an exit code.
//!
//! Owns arguments and exit codes. One file per subcommand, each with an `Args` struct and a
//! `run(&Args) -> anyhow::Result<ExitCode>`; everything a subcommand does beyond that belongs to the library.
//!
//! Conventions: exit 0 when all is well, 1 for a negative result (a problem not solved, a match lost), 2 for bad usage
//! and errors. Output is written with `writeln!(…)?`, so a reader who closes the pipe ends the program quietly.

mod analyze;
mod bench;
mod best;
mod book;
mod book_args;
mod completions;
mod convert;
mod cpu;
mod engine_args;
mod eval;
mod eval_file;
mod game_files;
mod gtp;
mod hint;
mod interrupt;
mod levels;
mod man;
mod match_;
mod nboard;
mod number;
mod opening;
mod perft;
mod play;
mod positions;
mod progress;
mod resources;
mod schema;
mod serve;
mod solve;
mod train;
mod xboard;

use clap::{Parser, Subcommand};
use std::io;
use std::process::ExitCode;

/// Exit code of a run whose answer is no.
pub(crate) const NEGATIVE: u8 = 1;
/// Exit code of bad usage and of errors.
pub(crate) const FAILURE: u8 = 2;

/// Volte, an Othello engine.
#[derive(Parser, Debug)]
#[command(name = "volte", version, about, max_term_width = 110)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Speak GTP, the protocol of graphical interfaces and match runners
    Gtp(gtp::Args),
    /// Speak the protocol of NBoard, versions 1 and 2
    Nboard(engine_args::PlayerArgs),
    /// Speak the protocol of XBoard and WinBoard, variant reversi
    Xboard(engine_args::PlayerArgs),
    /// Play a game in the terminal
    Play(play::Args),
    /// Show what each level means
    Levels(levels::Args),
    /// Review games: what each move was worth, and what was better
    Analyze(analyze::Args),
    /// Tell what positions are worth without looking ahead
    Eval(eval::Args),
    /// Find the best moves of positions, with what they are worth
    Hint(hint::Args),
    /// Find the best move of positions
    Best(best::Args),
    /// Solve the positions of a problem file and compare with what it says
    Solve(solve::Args),
    /// Search fixed positions; the last line is the signature of the search
    Bench(bench::Args),
    /// Count the lines of play, to prove and time the rules
    Perft(perft::Args),
    /// Play engines against each other
    Match(Box<match_::Args>),
    /// Convert games and positions from one format to another
    Convert(convert::Args),
    /// Make, look into and repair opening books
    Book(book::Args),
    /// Name the opening of a line, or list those with names
    Opening(opening::Args),
    /// Train the evaluation
    Train(train::Args),
    /// Play in the browser
    Serve(serve::Args),
    /// Print the JSON Schema of what analyze, eval, hint and best print
    Schema(schema::Args),
    /// Print what a shell needs to complete command lines
    Completions(completions::Args),
    /// Print or write manual pages
    Man(man::Args),
}

impl Command {
    fn run(&self) -> anyhow::Result<ExitCode> {
        match self {
            Self::Gtp(args) => gtp::run(args),
            Self::Nboard(args) => nboard::run(args),
            Self::Xboard(args) => xboard::run(args),
            Self::Play(args) => play::run(args),
            Self::Levels(args) => levels::run(args),
            Self::Analyze(args) => analyze::run(args),
            Self::Eval(args) => eval::run(args),
            Self::Hint(args) => hint::run(args),
            Self::Best(args) => best::run(args),
            Self::Solve(args) => solve::run(args),
            Self::Bench(args) => bench::run(args),
            Self::Perft(args) => perft::run(args),
            Self::Match(args) => match_::run(args),
            Self::Convert(args) => convert::run(args),
            Self::Book(args) => book::run(args),
            Self::Opening(args) => opening::run(args),
            Self::Train(args) => train::run(args),
            Self::Serve(args) => serve::run(args),
            Self::Schema(args) => schema::run(args),
            Self::Completions(args) => completions::run(args),
            Self::Man(args) => man::run(args),
        }
    }
}

/// Runs the program with the arguments of the process.
pub fn main() -> ExitCode {
    let missing = cpu::missing_features();
    if !missing.is_empty() {
        eprintln!("volte: this binary was compiled for a CPU with {}, which this one lacks", missing.join(", "));
        return ExitCode::from(FAILURE);
    }
    match Cli::try_parse() {
        Ok(cli) => finish(cli.command.run()),
        Err(error) => {
            // Help that nobody reads is no failure.
            let _ = error.print();
            if error.use_stderr() { ExitCode::from(FAILURE) } else { ExitCode::SUCCESS }
        }
    }
}

/// The exit code of a run; an error is told on stderr, except that nobody is left to read.
fn finish(result: anyhow::Result<ExitCode>) -> ExitCode {
    match result {
        Ok(code) => code,
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("volte: {error:#}");
            ExitCode::from(FAILURE)
        }
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .any(|cause| cause.downcast_ref::<io::Error>().is_some_and(|io| io.kind() == io::ErrorKind::BrokenPipe))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_arguments_are_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn the_readme_names_every_subcommand() {
        let readme = include_str!("../../README.md");
        for command in Cli::command().get_subcommands() {
            let name = format!("`volte {}", command.get_name());
            assert!(readme.contains(&name), "{name}` is not in README.md");
        }
    }

    #[test]
    fn a_closed_pipe_is_no_failure() {
        let closed = anyhow::Error::from(io::Error::from(io::ErrorKind::BrokenPipe)).context("cannot write");
        assert_eq!(format!("{:?}", finish(Err(closed))), format!("{:?}", ExitCode::SUCCESS));
        let other = anyhow::anyhow!("something else");
        assert_eq!(format!("{:?}", finish(Err(other))), format!("{:?}", ExitCode::from(FAILURE)));
    }
}
