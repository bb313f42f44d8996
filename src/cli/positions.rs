//! Positions one by one, from an argument or from the lines of standard input, each with its answer.

use super::FAILURE;
use crate::analysis::json::{self, Origin};
use crate::game::Game;
use crate::game::collection::{Entry, Located, Place, ReadError, Reader, read_any};
use anyhow::Context;
use std::io::{self, Write};
use std::process::ExitCode;

/// What a position may look like; for the help of the commands that read them.
pub(super) const POSITION_HELP: &str = "\
A position is the end of a transcript (f5d6c3), a board (64 cells from a1, X, O and -, then the side to move), with \
scores (OBF) or moves after it or not, a FEN, or a game in GGF, SGF or PGN. Without one, or with -, each line of \
standard input is one, and is answered before the next is read.

Exit code: 0 if all were answered, 2 if something could not be read, and for bad usage.";

/// One position, or those of standard input.
#[derive(clap::Args, Debug)]
pub(super) struct PositionArgs {
    /// The position; lines of standard input if not given
    #[arg(value_name = "POSITION", allow_hyphen_values = true)]
    position: Option<String>,
    /// Print one JSON object a line (`volte schema`)
    #[arg(long)]
    pub json: bool,
}

impl PositionArgs {
    /// Where the positions come from.
    pub(super) fn questions(&self) -> Questions<'_> {
        Questions::new(self.position.as_deref(), self.json)
    }
}

/// Where positions come from and how they are answered.
#[derive(Clone, Copy, Debug)]
pub(super) struct Questions<'a> {
    /// The position, if it is an argument.
    position: Option<&'a str>,
    /// Whether the answers are objects of JSON.
    json: bool,
}

impl<'a> Questions<'a> {
    /// The argument, or else standard input.
    pub(super) fn new(position: Option<&'a str>, json: bool) -> Self {
        Self { position: position.filter(|text| *text != "-"), json }
    }

    /// Writes the answer to each position as soon as it is known, so that Ctrl-C may end the program at any time.
    ///
    /// # Errors
    /// If standard input cannot be read or standard output cannot be written.
    pub(super) fn answer(self, mut answer: impl FnMut(Origin<'_>, Game) -> String) -> anyhow::Result<ExitCode> {
        let mut out = io::stdout().lock();
        let mut code = ExitCode::SUCCESS;
        for located in self.positions() {
            let Located { place, entry } = located.context("cannot read standard input")?;
            let origin = Origin::new(None, place);
            let text = match entry {
                Ok(entry) => answer(origin, entry.into_record().game),
                Err(error) => {
                    code = ExitCode::from(FAILURE);
                    if self.position.is_some() {
                        eprintln!("volte: {error}")
                    } else {
                        eprintln!("volte: {place}: {error}")
                    }
                    if !self.json {
                        continue;
                    }
                    json::error(origin, &error.to_string())
                }
            };
            writeln!(out, "{text}")?;
        }
        Ok(code)
    }

    fn positions(&self) -> Box<dyn Iterator<Item = Result<Located, ReadError>>> {
        match self.position {
            Some(text) => {
                // A text that holds nothing is the start of a game.
                let entry = read_any(text).map(|entry| entry.unwrap_or_else(|| Entry::Game(Box::default())));
                Box::new(std::iter::once(Ok(Located { place: Place::Line(1), entry })))
            }
            None => Box::new(Reader::any(io::stdin().lock())),
        }
    }
}
