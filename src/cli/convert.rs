//! `volte convert`: games and positions from one format to another.

use super::FAILURE;
use super::game_files::{Source, beside, format_of, is_standard, tables_of_stem};
use crate::convert::{Sink, Summary, WthorSink, convert};
use crate::files::AtomicFile;
use crate::game::collection::{Entry, Format, Located, Reader, TextWriter};
use crate::game::wthor::{self, NameKind, Tables};
use anyhow::Context;
use std::io::{self, BufWriter, Cursor, Seek, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

const FORMATS: &str = "\
Formats and their extensions:
  transcript     .txt .xot          a game a line, such as f5d6c3
  board          .board .pos        a position a line, or in rows
  fen            .fen .epd          a position a line
  obf            .obf .scr .script  problem files
  ggf            .ggf
  sgf            .sgf               squares written as two letters; both kinds are read
  sgf-algebraic                     squares written as f5
  pgn            .pgn
  wthor          .wtb               the names are in a .jou and a .trn beside it

Exit code: 0 if all was converted, 2 if something was skipped, and for bad usage and errors.";

const USAGE: &str = "volte convert [OPTIONS] <IN>... <OUT>";

/// Arguments of `volte convert`.
#[derive(clap::Args, Debug)]
#[command(after_help = FORMATS, override_usage = USAGE)]
pub(crate) struct Args {
    /// Files to read, and last the file to write; `-` is standard input or output
    // One list, split after parsing: two would not let options stand between files.
    #[arg(value_name = "IN... OUT", required = true)]
    paths: Vec<PathBuf>,
    /// Format of the input [default: by its extension]
    #[arg(long, value_name = "FORMAT")]
    from: Option<Format>,
    /// Format of the output [default: by its extension]
    #[arg(long, value_name = "FORMAT")]
    to: Option<Format>,
    /// Do not tell the number of games on standard error
    #[arg(long, short)]
    quiet: bool,
    /// Name each game that stops before its end on standard error
    #[arg(long, short)]
    verbose: bool,
}

/// Converts all inputs into the output. Nothing appears there unless every input could be read to its end.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let Some((out, inputs)) = args.paths.split_last().filter(|(_, inputs)| !inputs.is_empty()) else {
        let only = args.paths.first().map_or(Path::new(""), PathBuf::as_path).display();
        anyhow::bail!("{only}: the file to write is missing\nUsage: {USAGE}");
    };
    let to = format_of(out, args.to, "--to")?;
    let sources = inputs.iter().map(|path| Source::new(path, args.from));
    let sources: Vec<_> = sources.collect::<anyhow::Result<_>>()?;
    let summary =
        if to == Format::Wthor { to_wthor(&sources, out, args)? } else { to_text(&sources, args, (out, to))? };
    if !args.quiet {
        let Summary { converted, unfinished, skipped } = summary;
        let told = "volte: converted";
        eprintln!("{told} {converted}, of which {unfinished} stop before the end of the game; skipped {skipped}");
    }
    Ok(if summary.skipped > 0 { ExitCode::from(FAILURE) } else { ExitCode::SUCCESS })
}

fn to_text(sources: &[Source<'_>], args: &Args, (out, to): (&Path, Format)) -> anyhow::Result<Summary> {
    const IS_TEXT: &str = "all formats but WTHOR are text";
    if is_standard(out) {
        let mut writer = TextWriter::new(BufWriter::new(io::stdout().lock()), to).context(IS_TEXT)?;
        let summary = convert_all(sources, args, &mut writer)?;
        writer.finish().context("cannot write")?;
        return Ok(summary);
    }
    let file = create(out)?;
    let mut writer = TextWriter::new(file, to).context(IS_TEXT)?;
    let summary = convert_all(sources, args, &mut writer)?;
    writer.finish().and_then(AtomicFile::commit).with_context(|| cannot_write(out))?;
    Ok(summary)
}

/// Writes the file of games, and the files of names beside it. Names that are there already keep their numbers.
fn to_wthor(sources: &[Source<'_>], out: &Path, args: &Args) -> anyhow::Result<Summary> {
    let created = today();
    let known = sources.first().map(Source::names).transpose()?.flatten();
    let mut tables = known.unwrap_or_else(Tables::fresh);
    if is_standard(out) {
        let writer = wthor::Writer::new(Cursor::new(Vec::new()), created).context("cannot write")?;
        let mut sink = WthorSink { writer, tables: &mut tables, guessed: 0 };
        let summary = convert_all(sources, args, &mut sink)?;
        tell_changes(&sink);
        let bytes = sink.writer.finish().context("cannot write")?.into_inner();
        io::stdout().lock().write_all(&bytes).context("cannot write")?;
        return Ok(summary);
    }
    if let Some(there) = tables_of_stem(out)? {
        tables = there;
    }
    let writer = wthor::Writer::new(create(out)?, created).with_context(|| cannot_write(out))?;
    let mut sink = WthorSink { writer, tables: &mut tables, guessed: 0 };
    let summary = convert_all(sources, args, &mut sink)?;
    tell_changes(&sink);
    let games = sink.writer.finish().with_context(|| cannot_write(out))?;
    let kinds = [("jou", NameKind::Players, &tables.players), ("trn", NameKind::Tournaments, &tables.tournaments)];
    for (extension, kind, names) in kinds {
        let path = beside(out, extension)?.unwrap_or_else(|| out.with_extension(extension));
        let mut file = create(&path)?;
        names.write(&mut file, kind, created).with_context(|| cannot_write(&path))?;
        file.commit().with_context(|| cannot_write(&path))?;
    }
    games.commit().with_context(|| cannot_write(out))?;
    Ok(summary)
}

/// Tells on standard error what WTHOR cannot hold as it was read.
fn tell_changes<W: Write + Seek>(sink: &WthorSink<'_, W>) {
    if sink.guessed > 0 {
        let games = sink.guessed;
        eprintln!(
            "volte: WTHOR has no unknown score: {games} unfinished games got that of their last position or winner"
        );
    }
    if sink.writer.misdated() > 0 {
        let year = match sink.writer.year() {
            0 => "no year".to_owned(),
            year => format!("the year {year}"),
        };
        let games = sink.writer.misdated();
        eprintln!("volte: a WTHOR file has one year: {games} games of other dates got {year}, that of the first game");
    }
    let (players, tournaments) = (&sink.tables.players, &sink.tables.tournaments);
    let unfit = players.unfit(NameKind::Players).chain(tournaments.unfit(NameKind::Tournaments));
    let unfit: Vec<_> = unfit.collect();
    if let Some(first) = unfit.first() {
        let names = unfit.len();
        eprintln!(
            "volte: {names} names changed, as WTHOR takes 19 (tournaments 25) Latin-1 characters; first `{first}`"
        );
    }
}

fn create(path: &Path) -> anyhow::Result<AtomicFile> {
    AtomicFile::create(path).with_context(|| cannot_write(path))
}

fn cannot_write(path: &Path) -> String {
    format!("{}: cannot write", path.display())
}

fn convert_all(sources: &[Source<'_>], args: &Args, sink: &mut impl Sink) -> anyhow::Result<Summary> {
    let mut total = Summary::default();
    for source in sources {
        let path = source.path.display();
        let (input, tables) = (source.open()?, source.names_or_none()?);
        let reader = Reader::new(source.format, input, &tables).with_context(|| format!("{path}: cannot read"))?;
        let reader = reader.inspect(|located| {
            if let Ok(Located { place, entry: Ok(Entry::Game(record)) }) = located
                && args.verbose
                && record.is_unfinished()
            {
                eprintln!("volte: {path}: {place}: stops before the end of the game, at turn {}", record.game.len());
            }
        });
        let report = |place, bad: &_| eprintln!("volte: {path}: {place}: {bad}");
        total = total.plus(convert(reader, sink, report).with_context(|| path.to_string())?);
    }
    Ok(total)
}

/// Today's date (UTC): year, month, day.
fn today() -> (u16, u8, u8) {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    date_of_day(seconds / 86_400)
}

/// The date that is so many days after 1 January 1970.
fn date_of_day(mut day: u64) -> (u16, u8, u8) {
    let mut year = 1970;
    let is_leap = |year: u16| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    while day >= 365 + u64::from(is_leap(year)) {
        day -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let february = 28 + u64::from(is_leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30] {
        if day < length {
            break;
        }
        day -= length;
        month += 1;
    }
    (year, month, day as u8 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_become_dates() {
        assert_eq!(date_of_day(0), (1970, 1, 1));
        assert_eq!(date_of_day(59), (1970, 3, 1));
        assert_eq!(date_of_day(11_016), (2000, 2, 29));
        assert_eq!(date_of_day(19_722), (2023, 12, 31));
        assert_eq!(date_of_day(19_723), (2024, 1, 1));
    }
}
