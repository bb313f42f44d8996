//! `volte book grow` and `volte book fix`: what needs searches.

use super::{read_or_new, write};
use crate::book::{Book, Salvage};
use crate::cli::NEGATIVE;
use crate::cli::engine_args::parse_level;
use crate::cli::eval_file::EvalFileArgs;
use crate::cli::interrupt::stop_on_ctrl_c;
use crate::engine::Evaluation;
use crate::files::write_atomically;
use crate::protocol::resources::{default_resources, parse_table_megabytes, parse_threads};
use crate::score::Eval;
use crate::search::Level;
use crate::study::grow::{Growth, Mode, Plan, grow, refresh};
use crate::study::{Examiner, Scope, Stopped, Watch};
use anyhow::{Context, bail};
use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressStyle};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// How the positions of a book are searched.
#[derive(clap::Args, Debug)]
pub(super) struct ExaminerArgs {
    #[command(flatten)]
    evaluation: EvalFileArgs,
    /// Level of the searches (`volte levels`)
    #[arg(long, value_name = "LEVEL", value_parser = parse_level, default_value = "18")]
    level: Level,
    /// Searches at a time [default: one per core]
    #[arg(long, value_name = "N", value_parser = parse_threads)]
    threads: Option<usize>,
    /// Transposition table of each search, in MB
    #[arg(long, value_name = "MB", value_parser = parse_table_megabytes, default_value = "32")]
    hash: usize,
}

impl ExaminerArgs {
    pub(super) fn examiner(&self) -> Examiner<Evaluation> {
        Examiner {
            evaluator: self.evaluation.evaluation(),
            level: self.level,
            threads: self.threads.unwrap_or_else(|| default_resources().threads),
            table_megabytes: self.hash,
        }
    }
}

/// How the best moves out of a book are found where they are not known.
#[derive(clap::Args, Debug)]
pub(super) struct CompletionArgs {
    #[command(flatten)]
    examiner: ExaminerArgs,
    /// Do not search the best moves out of the book where they are not known
    #[arg(long)]
    no_search: bool,
}

impl CompletionArgs {
    /// Searches what is missing, unless that is not wanted.
    pub(super) fn complete(&self, book: &mut Book) -> anyhow::Result<()> {
        let wanting = book.iter().filter(|&(position, entry)| book.wants_leaf(position, entry)).count();
        if wanting == 0 || self.no_search {
            return Ok(());
        }
        let stop = stop_on_ctrl_c()?;
        let bar = ProgressBar::new(wanting as u64);
        let searched = refresh(book, &self.examiner.examiner(), Watch { stop: &stop, searched: &|| bar.inc(1) });
        bar.finish_and_clear();
        Ok(searched?)
    }
}

/// Which positions are added.
#[derive(Clone, Copy, ValueEnum, Debug)]
enum How {
    /// Every move that costs little, the cheapest first
    Deviate,
    /// The best moves, so that every line gets one longer
    Extend,
    /// Moves that may turn out best, by their error bounds
    Enhance,
    /// None; positions that were searched at a lower level are searched again
    Deepen,
}

/// Which lines are followed, in discs.
#[derive(clap::Args, Debug)]
pub(super) struct ScopeArgs {
    /// What a move of the side that plays well may cost, in discs
    #[arg(long, value_name = "DISCS", value_parser = parse_discs, default_value = "0.5")]
    choice: Eval,
    /// What a move of the other side may cost
    #[arg(long, value_name = "DISCS", value_parser = parse_discs, default_value = "3")]
    deviation: Eval,
    /// What all moves of a line together may cost
    #[arg(long, value_name = "DISCS", value_parser = parse_discs, default_value = "6")]
    total: Eval,
    /// How many moves a line may have
    #[arg(long, value_name = "N", default_value_t = 24, value_parser = clap::value_parser!(u32).range(0..=60))]
    plies: u32,
}

impl ScopeArgs {
    pub(super) fn scope(&self) -> Scope {
        Scope { choice: self.choice, deviation: self.deviation, total: self.total, plies: self.plies }
    }
}

/// Arguments of `volte book grow`.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// The book; a new one is made if there is none
    book: PathBuf,
    /// Which positions are added
    #[arg(long, value_enum, default_value_t = How::Deviate)]
    mode: How,
    /// Grow until the book has so many positions
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    positions: usize,
    #[command(flatten)]
    scope: ScopeArgs,
    #[command(flatten)]
    examiner: ExaminerArgs,
    /// Write the book every so many seconds, and at the end
    #[arg(long, value_name = "SECONDS", default_value_t = 30)]
    save_every: u64,
}

/// Grows a book. It is written now and then, and at the end; run again, it goes on.
pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut book = read_or_new(&args.book)?;
    let mode = match args.mode {
        How::Deviate => Mode::Deviate,
        How::Extend => Mode::Extend,
        How::Enhance => Mode::Enhance,
        How::Deepen => Mode::Deepen,
    };
    let plan = Plan { mode, scope: args.scope.scope(), positions: args.positions };
    let stop = stop_on_ctrl_c()?;
    let bar = ProgressBar::new(args.positions as u64).with_style(style()?).with_position(book.len() as u64);
    let watch = Watch { stop: &stop, searched: &|| bar.tick() };
    let mut saved = Instant::now();
    let grown = grow(&mut book, &plan, &args.examiner.examiner(), watch, |book: &Book| {
        bar.set_position(book.len() as u64);
        if saved.elapsed() >= Duration::from_secs(args.save_every) {
            write(&args.book, book)?;
            saved = Instant::now();
        }
        anyhow::Ok(())
    });
    bar.finish_and_clear();
    let stopped = grown.as_ref().err().is_some_and(|error| error.is::<Stopped>());
    if grown.is_ok() || stopped {
        write(&args.book, &book)?;
    }
    eprintln!("{} positions in {}", book.len(), args.book.display());
    match grown? {
        Growth::Full => {}
        Growth::Complete => eprintln!("there is nothing more to add: widen --choice, --deviation, --total or --plies"),
    }
    Ok(ExitCode::SUCCESS)
}

fn style() -> anyhow::Result<ProgressStyle> {
    Ok(ProgressStyle::with_template("{spinner} {wide_bar} {pos}/{len} positions ({eta} left)")?)
}

/// Arguments of `volte book fix`.
#[derive(clap::Args, Debug)]
pub(super) struct FixArgs {
    /// The book
    book: PathBuf,
    /// Write the book to this file, and leave the one that is read as it is
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Take what is whole out of a damaged book, and keep that beside it as BOOK.damaged, or as it is with --out
    #[arg(long)]
    salvage: bool,
    #[command(flatten)]
    completion: CompletionArgs,
}

/// Puts a book right and says what was wrong.
pub(super) fn fix(args: &FixArgs) -> anyhow::Result<ExitCode> {
    let (mut book, damaged) = read_or_salvage(args)?;
    let repairs = book.fix();
    println_repairs(&repairs)?;
    args.completion.complete(&mut book)?;
    if let (Some(bytes), None) = (&damaged, &args.out) {
        let kept = kept_beside(&args.book);
        write_atomically(&kept, bytes).with_context(|| format!("cannot write {}", kept.display()))?;
        eprintln!("the damaged book is kept as {}", kept.display());
    }
    write(args.out.as_deref().unwrap_or(&args.book), &book)?;
    let left = book.verify().len();
    eprintln!("{} positions, {left} faults left", book.len());
    Ok(if left == 0 { ExitCode::SUCCESS } else { ExitCode::from(NEGATIVE) })
}

/// The book, and if it is damaged and to be salvaged, its bytes as they were.
fn read_or_salvage(args: &FixArgs) -> anyhow::Result<(Book, Option<Vec<u8>>)> {
    let name = || args.book.display().to_string();
    let bytes = fs::read(&args.book).with_context(name)?;
    let error = match Book::from_bytes(&bytes) {
        Ok(book) => return Ok((book, None)),
        Err(error) => error,
    };
    if !args.salvage {
        return Err(error).with_context(name).context("--salvage takes out of a damaged book what is whole");
    }
    let kept = kept_beside(&args.book);
    if args.out.is_none() && fs::exists(&kept).with_context(|| kept.display().to_string())? {
        bail!("{} is there already: move it away, or write the book elsewhere with --out", kept.display());
    }
    let Salvage { book, kept, dropped, restored } = Book::salvage(&bytes).with_context(name)?;
    eprintln!("volte: {}: {error}", args.book.display());
    eprintln!("{kept} positions are whole, {dropped} are not; {restored} are put back, since others follow from them");
    Ok((book, Some(bytes)))
}

/// Where a damaged book is kept.
fn kept_beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".damaged");
    name.into()
}

fn println_repairs(repairs: &crate::book::Repairs) -> anyhow::Result<()> {
    use std::io::Write;
    let mut out = std::io::stdout().lock();
    writeln!(out, "positions removed      {}", repairs.removed)?;
    writeln!(out, "positions turned       {}", repairs.turned)?;
    writeln!(out, "wrong ways out removed {}", repairs.leaves)?;
    writeln!(out, "values changed         {}", repairs.values)?;
    writeln!(out, "ways out to search     {}", repairs.wanting)?;
    Ok(())
}

/// Reads a number of discs that is not negative.
pub(crate) fn parse_discs(text: &str) -> Result<Eval, String> {
    let discs: Option<f32> = text.parse().ok().filter(|discs| (0.0..=64.0).contains(discs));
    discs.map(Eval::from_discs).ok_or_else(|| format!("`{text}` is not a number of discs from 0 to 64"))
}
