//! `volte opening`: the names of openings.

use super::NEGATIVE;
use crate::board::Position;
use crate::book::Book;
use crate::game::named::{self, NamedOpening};
use crate::game::{Game, transcript};
use serde_json::json;
use std::io::{self, Write};
use std::process::ExitCode;

/// Arguments of `volte opening`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Moves from the start, such as f5d6c3d3c4 [default: list every opening that has a name]
    line: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Names the opening of a line; the exit code is 1 if it has none.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut out = io::stdout().lock();
    let book = Book::shipped();
    let found: Vec<NamedOpening> = match &args.line {
        None => named::all().collect(),
        Some(line) => named::name_of(&transcript::parse(line)?).into_iter().collect(),
    };
    if found.is_empty() {
        eprintln!("volte: no position of this line has a name");
        return Ok(ExitCode::from(NEGATIVE));
    }
    for NamedOpening { name, line } in found {
        let position = transcript::parse(line).map(|game: Game| game.position()).unwrap_or(Position::START);
        let value = book.get(position).map(|entry| entry.value.discs());
        if args.json {
            writeln!(out, "{}", json!({"name": name, "line": line, "value": value}))?;
        } else {
            let value = value.map_or_else(|| "     -".to_owned(), |value| format!("{value:>+6.2}"));
            writeln!(out, "{name:<34} {value}  {line}")?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
