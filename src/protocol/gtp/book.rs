//! The opening book as GTP speaks of it: `volte-book`.
//!
//! Owns the spelling and the files a client names; how a book is played from belongs to the engine.

use super::load::read_file;
use super::text;
use crate::board::Move;
use crate::book::{Book, BookError};
use crate::engine::{BookUse, Engine};
use crate::files::write_atomically;
use crate::protocol::results::{discs, value};
use crate::score::Eval;
use std::io;
use std::sync::Arc;
use thiserror::Error;

/// What is to be done with the book.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum BookCommand {
    /// Play from it, or do not.
    Switch(bool),
    /// Show what it knows of the position.
    Show,
    /// Take the one in this file.
    Load(String),
    /// Write it to this file.
    Save(String),
    /// What random choices may cost in a game.
    Randomness(Eval),
}

/// Why it cannot be done.
#[derive(Debug, Error)]
pub(super) enum BookFailure {
    #[error("there is no book")]
    None,
    #[error("cannot read {path}: {reason}")]
    Read { path: String, reason: io::Error },
    #[error("cannot read {path}: {reason}")]
    Book { path: String, reason: BookError },
    #[error("cannot write {path}: {reason}")]
    Write { path: String, reason: io::Error },
}

/// Does it, and gives the reply.
pub(super) fn run(engine: &mut Engine, command: BookCommand) -> Result<String, BookFailure> {
    match command {
        BookCommand::Switch(on) => engine.set_book_use(BookUse { on, ..engine.book_use() }),
        BookCommand::Randomness(randomness) => engine.set_book_use(BookUse { randomness, ..engine.book_use() }),
        BookCommand::Show => return show(engine),
        BookCommand::Load(path) => {
            let bytes =
                read_file(&path, u64::MAX).map_err(|reason| BookFailure::Read { path: path.clone(), reason })?;
            let book = Book::from_bytes(&bytes).map_err(|reason| BookFailure::Book { path, reason })?;
            engine.set_book(Some(Arc::new(book)));
        }
        BookCommand::Save(path) => {
            let bytes = engine.book().ok_or(BookFailure::None)?.to_bytes();
            write_atomically(path.as_ref(), &bytes).map_err(|reason| BookFailure::Write { path, reason })?;
        }
    }
    Ok(String::new())
}

/// How the book is used, and a line for each move it knows: the move, its value, and whether it stays in the book.
fn show(engine: &Engine) -> Result<String, BookFailure> {
    let book = engine.book().ok_or(BookFailure::None)?;
    let BookUse { on, randomness, .. } = engine.book_use();
    let switch = if on { "on" } else { "off" };
    let mut reply = format!("{switch} randomness {} positions {}", discs(randomness), book.len());
    for known in book.moves(engine.game().position()) {
        let place = if known.in_book { "book" } else { "leaf" };
        reply += &format!("\n{} {} {place}", text::vertex(Move::Place(known.mv)), value(known.value, false));
    }
    Ok(reply)
}
