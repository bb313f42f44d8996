//! `volte book`: make, look into, repair, join and move opening books.
//!
//! Each action has its file; what they share is here: reading a book and writing it back.

mod exchange;
mod grow;
mod learn;
mod look;
mod shape;

pub(super) use grow::parse_discs;

use crate::book::Book;
use crate::cli::NEGATIVE;
use crate::files::write_atomically;
use anyhow::Context;
use clap::Subcommand;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::process::ExitCode;

/// Arguments of `volte book`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand, Debug)]
enum Action {
    /// Count what is in a book
    Stats(look::StatsArgs),
    /// Show what a book knows of a position
    Show(look::ShowArgs),
    /// Check everything that must be true of a book
    Verify(look::VerifyArgs),
    /// Put a book right, searching where that is needed
    Fix(grow::FixArgs),
    /// Grow a book by search, or make a new one
    #[command(visible_alias = "build")]
    Grow(grow::Args),
    /// Add games: their positions, and how they ended
    Add(learn::Args),
    /// Join books
    Merge(shape::MergeArgs),
    /// Throw out what no good line leads to
    Prune(shape::PruneArgs),
    /// Write a book as text or for another program
    Export(exchange::ExportArgs),
    /// Read a book from text or from another program
    Import(exchange::ImportArgs),
}

/// Runs the action.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    match &args.action {
        Action::Stats(args) => look::stats(args),
        Action::Show(args) => look::show(args),
        Action::Verify(args) => look::verify(args),
        Action::Fix(args) => grow::fix(args),
        Action::Grow(args) => grow::run(args),
        Action::Add(args) => learn::run(args),
        Action::Merge(args) => shape::merge(args),
        Action::Prune(args) => shape::prune(args),
        Action::Export(args) => exchange::export(args),
        Action::Import(args) => exchange::import(args),
    }
}

/// Reads a book.
pub(super) fn read(path: &Path) -> anyhow::Result<Book> {
    let bytes = fs::read(path).with_context(|| path.display().to_string())?;
    Book::from_bytes(&bytes).with_context(|| path.display().to_string())
}

/// Reads a book, or gives an empty one if there is no such file.
fn read_or_new(path: &Path) -> anyhow::Result<Book> {
    match fs::metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Book::new()),
        _ => read(path),
    }
}

/// Writes a book as a whole, or leaves the older file as it was.
fn write(path: &Path, book: &Book) -> anyhow::Result<()> {
    write_atomically(path, &book.to_bytes()).with_context(|| format!("cannot write {}", path.display()))
}

/// The exit code for a book that was written: 1 if something is still wrong with it, and then says how to put it right.
fn verdict(book: &Book, path: &Path) -> ExitCode {
    let faults = book.verify().len();
    if faults == 0 {
        return ExitCode::SUCCESS;
    }
    let path = path.display();
    eprintln!("{faults} faults: `volte book verify {path}` shows them, `volte book fix {path}` puts them right");
    ExitCode::from(NEGATIVE)
}
