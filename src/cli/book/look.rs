//! `volte book stats`, `show` and `verify`: what is in a book.

use super::grow::ScopeArgs;
use super::read;
use crate::board::{Position, Setup};
use crate::book::Book;
use crate::cli::NEGATIVE;
use crate::cli::number::grouped;
use crate::game::{board_text, transcript};
use serde::Serialize;
use serde_json::json;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// Arguments of `volte book stats`.
#[derive(clap::Args, Debug)]
pub(super) struct StatsArgs {
    /// The book
    book: PathBuf,
    /// Which replies are counted as answered or open
    #[command(flatten)]
    scope: ScopeArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What is counted for each number of discs placed.
#[derive(Default, Serialize)]
struct Ply {
    /// Positions of the book.
    positions: usize,
    /// Replies within the scope that stay in the book.
    answered: usize,
    /// Replies within the scope that lead out of it.
    open: usize,
}

/// Counts the positions of a book by plies and levels, and the replies that it answers.
pub(super) fn stats(args: &StatsArgs) -> anyhow::Result<ExitCode> {
    let book = read(&args.book)?;
    let ply = |position: Position| Position::START.empty_count().saturating_sub(position.empty_count());
    let (mut plies, mut levels) = (BTreeMap::<u32, Ply>::new(), BTreeMap::<u8, usize>::new());
    for (position, entry) in book.iter() {
        plies.entry(ply(position)).or_default().positions += 1;
        *levels.entry(entry.level).or_default() += 1;
    }
    // A reply is one of the side that does not play well; a position may come up for both.
    for reach in args.scope.scope().survey(&book).into_iter().filter(|reach| !reach.plays_well) {
        let answered = reach.moves.iter().filter(|(known, _)| known.in_book).count();
        let counts = plies.entry(ply(reach.position)).or_default();
        counts.answered += answered;
        counts.open += reach.moves.len() - answered;
    }
    let value = book.get(Position::START).map(|entry| entry.value.discs());
    let mut out = io::stdout().lock();
    if args.json {
        let bytes = book.to_bytes();
        let stats = json!({
            "bytes": bytes.len(), "crc32": format!("{:08x}", crc32fast::hash(&bytes)), "positions": book.len(),
            "games": book.counted_games(), "value": value, "plies": plies, "levels": levels,
        });
        writeln!(out, "{stats}")?;
        return Ok(ExitCode::SUCCESS);
    }
    writeln!(out, "positions  {}", grouped(book.len() as u64))?;
    writeln!(out, "value      {}", value.map_or("-".to_owned(), |value| format!("{value:+.2}")))?;
    for (level, count) in levels {
        writeln!(out, "level {level:<4} {}", grouped(count as u64))?;
    }
    writeln!(out, "ply  positions  replies answered  open")?;
    for (ply, Ply { positions, answered, open }) in plies {
        writeln!(out, "{ply:>3}  {:>9}  {:>16}  {:>4}", grouped(positions as u64), answered, open)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Arguments of `volte book show`.
#[derive(clap::Args, Debug)]
pub(super) struct ShowArgs {
    /// The book
    book: PathBuf,
    /// Moves from the start, such as f5d6c3
    #[arg(default_value = "")]
    line: String,
    /// A board instead: 64 cells from a1 on and the side to move
    #[arg(long, value_name = "BOARD", conflicts_with = "line", allow_hyphen_values = true)]
    position: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Shows the moves that a book knows in a position.
pub(super) fn show(args: &ShowArgs) -> anyhow::Result<ExitCode> {
    let book = read(&args.book)?;
    let setup = match &args.position {
        Some(board) => board_text::parse(board)?,
        None if args.line.is_empty() => Setup::START,
        None => transcript::parse(&args.line)?.setup(),
    };
    let position = setup.position()?;
    let position = if position.must_pass() { position.pass() } else { position };
    let mut out = io::stdout().lock();
    let Some(entry) = book.get(position) else {
        writeln!(out, "not in the book")?;
        return Ok(ExitCode::from(NEGATIVE));
    };
    let moves = book.moves(position);
    if args.json {
        let moves: Vec<_> = moves
            .iter()
            .map(|known| {
                json!({
                    "move": known.mv.to_string(), "value": known.value.discs(), "lower": known.lower.discs(),
                    "upper": known.upper.discs(), "in_book": known.in_book,
                })
            })
            .collect();
        let (value, level) = (entry.value.discs(), entry.level);
        let board = board_text::write(setup);
        writeln!(out, "{}", json!({"position": board, "value": value, "level": level, "moves": moves}))?;
        return Ok(ExitCode::SUCCESS);
    }
    writeln!(out, "move   value   bounds           level {}", entry.level)?;
    for known in moves {
        let (value, lower, upper) = (known.value.discs(), known.lower.discs(), known.upper.discs());
        let place = if known.in_book { "in the book" } else { "leads out" };
        writeln!(out, "{}    {value:>+6.2}   {lower:>+6.2} {upper:>+6.2}   {place}", known.mv)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Arguments of `volte book verify`.
#[derive(clap::Args, Debug)]
pub(super) struct VerifyArgs {
    /// The book
    book: PathBuf,
    /// Show so many of the faults
    #[arg(long, value_name = "N", default_value_t = 20)]
    show: usize,
}

/// Checks a book; the exit code is 1 if something is wrong.
pub(super) fn verify(args: &VerifyArgs) -> anyhow::Result<ExitCode> {
    let book: Book = read(&args.book)?;
    let faults = book.verify();
    let mut out = io::stdout().lock();
    for fault in faults.iter().take(args.show) {
        let setup = Setup::of(fault.position, crate::board::Color::Black);
        writeln!(out, "{}: {}", board_text::write(setup), fault.kind)?;
    }
    writeln!(out, "{} positions, {} faults", grouped(book.len() as u64), faults.len())?;
    Ok(if faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(NEGATIVE) })
}
