//! `volte book add`: games go into a book.

use super::grow::ExaminerArgs;
use super::{read_or_new, write};
use crate::book::Book;
use crate::cli::FAILURE;
use crate::cli::game_files::Source;
use crate::cli::interrupt::stop_on_ctrl_c;
use crate::game::collection::{Entry, Format, Reader};
use crate::game::wthor::Tables;
use crate::study::learn::{Lessons, count, learn};
use crate::study::{Stopped, Watch};
use anyhow::{Context, bail};
use indicatif::ProgressBar;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Arguments of `volte book add`.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// The book; a new one is made if there is none
    book: PathBuf,
    /// Files of games, in any format that `volte convert` reads
    #[arg(required = true)]
    games: Vec<PathBuf>,
    /// Format of the files [default: by their extensions]
    #[arg(long, value_name = "FORMAT")]
    from: Option<Format>,
    /// How many moves of each game
    #[arg(long, value_name = "N", default_value_t = 16)]
    plies: usize,
    /// Only positions that came up in so many of the games
    #[arg(long, value_name = "N", default_value_t = 1)]
    often: u64,
    /// Add no positions, only results to those that are there
    #[arg(long)]
    results_only: bool,
    #[command(flatten)]
    examiner: ExaminerArgs,
}

/// Adds games. Stopped, it keeps the positions that are done, and counts no results before the end.
pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut book = read_or_new(&args.book)?;
    let (mut lessons, mut skipped) = (Lessons::default(), 0);
    for path in &args.games {
        skipped += read_games(&mut lessons, path, args)?;
    }
    if lessons.games() == 0 && skipped > 0 {
        bail!("none of the {skipped} games could be read; {} is as it was", args.book.display());
    }
    let before = book.len();
    if args.results_only {
        count(&mut book, &lessons);
        write(&args.book, &book)?;
    } else {
        let stop = stop_on_ctrl_c()?;
        let bar = ProgressBar::new(lessons.new_to(&book, args.often).len() as u64);
        let watch = Watch { stop: &stop, searched: &|| bar.tick() };
        let (examiner, path) = (args.examiner.examiner(), &args.book);
        let save = |book: &Book| {
            bar.set_position((book.len() - before) as u64);
            write(path, book)
        };
        let learnt = learn(&mut book, (&lessons, args.often), &examiner, watch, save);
        bar.finish_and_clear();
        if learnt.as_ref().err().is_some_and(|error| error.is::<Stopped>()) {
            write(&args.book, &book)?;
        }
        learnt?;
    }
    let (games, new) = (lessons.games(), book.len() - before);
    eprintln!("{games} games, {skipped} skipped, {new} new positions; {} in {}", book.len(), args.book.display());
    Ok(if skipped > 0 { ExitCode::from(FAILURE) } else { ExitCode::SUCCESS })
}

/// Reads a file of games and says how many of its entries were none.
fn read_games(lessons: &mut Lessons, path: &Path, args: &Args) -> anyhow::Result<usize> {
    let source = Source::new(path, args.from)?;
    let tables = Tables::default();
    let mut skipped = 0;
    for located in Reader::new(source.format, source.open()?, &tables).with_context(|| path.display().to_string())? {
        let located = located.with_context(|| path.display().to_string())?;
        let reason = match located.entry {
            Ok(Entry::Game(record)) if lessons.add(&record, args.plies) => continue,
            Ok(_) => "it does not begin at the start of the game".to_owned(),
            Err(error) => error.to_string(),
        };
        eprintln!("volte: {}: {}: {reason}", path.display(), located.place);
        skipped += 1;
    }
    Ok(skipped)
}
