//! `--book`, `--no-book` and how the book is played from. Flattened into the arguments of every subcommand that plays.

use super::book::{parse_discs, read};
use crate::book::Book;
use crate::engine::{BookUse, Engine};
use crate::files::write_atomically;
use crate::score::Eval;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;

/// The opening book of an engine.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct BookArgs {
    /// Opening book to play from, and to keep what is learnt [default: the one that comes with the program]
    #[arg(long, value_name = "FILE", conflicts_with = "no_book")]
    book: Option<PathBuf>,
    /// Search from the first move on
    #[arg(long)]
    no_book: bool,
    /// Choose book moves at random that in a game cost up to so many discs; 0 plays the best
    #[arg(long, value_name = "DISCS", value_parser = parse_discs, default_value = "0")]
    book_randomness: Eval,
    /// Play from the book up to this move [default: as far as it goes]
    #[arg(long, value_name = "N")]
    book_plies: Option<u32>,
}

impl BookArgs {
    /// Gives an engine its book. What it learns is kept in the file, if there is one.
    pub(crate) fn equip(&self, engine: &mut Engine) -> anyhow::Result<()> {
        let book = match &self.book {
            Some(path) => read(path)?,
            None => Book::shipped(),
        };
        engine.set_book(Some(Arc::new(book)));
        engine.set_book_use(BookUse { on: !self.no_book, randomness: self.book_randomness, plies: self.book_plies });
        let since = SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default();
        engine.seed_book(Xoshiro256PlusPlus::seed_from_u64(since.as_nanos() as u64));
        if let Some(path) = self.book.clone() {
            engine.set_book_keeper(Box::new(move |book| {
                write_atomically(&path, &book.to_bytes())
                    .map_err(|error| format!("cannot write {}: {error}", path.display()))
            }));
        }
        Ok(())
    }
}
