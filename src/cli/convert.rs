//! `volte convert`: games and positions from one format to another.

use super::NEGATIVE;
use crate::convert::{Sink, Summary, WthorSink, convert};
use crate::files::AtomicFile;
use crate::game::collection::{Format, Reader, TextWriter};
use crate::game::wthor::{self, NameKind, Names, Tables};
use anyhow::Context;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Cursor, Write};
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

Exit code: 0 if all was converted, 1 if something was skipped, 2 for bad usage and errors.";

/// Arguments of `volte convert`.
#[derive(clap::Args, Debug)]
#[command(after_help = FORMATS)]
pub(crate) struct Args {
    /// Files to read; `-` is standard input
    #[arg(value_name = "IN", required = true)]
    inputs: Vec<PathBuf>,
    /// File to write; `-` is standard output
    #[arg(value_name = "OUT")]
    output: PathBuf,
    /// Format of the input [default: by its extension]
    #[arg(long, value_name = "FORMAT")]
    from: Option<Format>,
    /// Format of the output [default: by its extension]
    #[arg(long, value_name = "FORMAT")]
    to: Option<Format>,
    /// Do not tell the number of games on standard error
    #[arg(long, short)]
    quiet: bool,
}

/// A file to read.
struct Source<'a> {
    path: &'a Path,
    format: Format,
}

/// Converts all inputs into the output. Nothing appears there unless every input could be read to its end.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let out = args.output.as_path();
    let to = format_of(out, args.to, "--to")?;
    let source = |path| Ok(Source { path, format: format_of(path, args.from, "--from")? });
    let sources: Vec<_> = args.inputs.iter().map(|path| source(path)).collect::<anyhow::Result<_>>()?;
    let summary = if to == Format::Wthor { to_wthor(&sources, out)? } else { to_text(&sources, out, to)? };
    if !args.quiet {
        let Summary { converted, unfinished, skipped } = summary;
        let told = "volte: converted";
        eprintln!("{told} {converted}, of which {unfinished} stop before the end of the game; skipped {skipped}");
    }
    Ok(if summary.skipped > 0 { ExitCode::from(NEGATIVE) } else { ExitCode::SUCCESS })
}

fn format_of(path: &Path, asked: Option<Format>, option: &str) -> anyhow::Result<Format> {
    let by_extension = || path.extension().and_then(|extension| extension.to_str()).and_then(Format::of_extension);
    let names = || Format::all().map(Format::name).collect::<Vec<_>>().join(", ");
    asked.or_else(by_extension).with_context(|| {
        format!("{}: the extension tells no format: give one with {option} ({})", path.display(), names())
    })
}

/// Whether the path stands for standard input or output.
fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

fn to_text(sources: &[Source<'_>], out: &Path, to: Format) -> anyhow::Result<Summary> {
    const IS_TEXT: &str = "all formats but WTHOR are text";
    if is_standard(out) {
        let mut writer = TextWriter::new(BufWriter::new(io::stdout().lock()), to).context(IS_TEXT)?;
        let summary = convert_all(sources, &mut writer)?;
        writer.finish().context("cannot write")?;
        return Ok(summary);
    }
    let file = create(out)?;
    let mut writer = TextWriter::new(file, to).context(IS_TEXT)?;
    let summary = convert_all(sources, &mut writer)?;
    writer.finish().and_then(AtomicFile::commit).with_context(|| cannot_write(out))?;
    Ok(summary)
}

/// Writes the file of games, and the files of names beside it. Names that are there already keep their numbers.
fn to_wthor(sources: &[Source<'_>], out: &Path) -> anyhow::Result<Summary> {
    let created = today();
    let known = sources.first().map(tables_of).transpose()?.flatten();
    let mut tables = known.unwrap_or_else(Tables::fresh);
    if is_standard(out) {
        let writer = wthor::Writer::new(Cursor::new(Vec::new()), created).context("cannot write")?;
        let mut sink = WthorSink { writer, tables: &mut tables };
        let summary = convert_all(sources, &mut sink)?;
        let bytes = sink.writer.finish().context("cannot write")?.into_inner();
        io::stdout().lock().write_all(&bytes).context("cannot write")?;
        return Ok(summary);
    }
    if let Some(there) = tables_of_stem(out)? {
        tables = there;
    }
    let writer = wthor::Writer::new(create(out)?, created).with_context(|| cannot_write(out))?;
    let mut sink = WthorSink { writer, tables: &mut tables };
    let summary = convert_all(sources, &mut sink)?;
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

fn create(path: &Path) -> anyhow::Result<AtomicFile> {
    AtomicFile::create(path).with_context(|| cannot_write(path))
}

fn cannot_write(path: &Path) -> String {
    format!("{}: cannot write", path.display())
}

fn convert_all(sources: &[Source<'_>], sink: &mut impl Sink) -> anyhow::Result<Summary> {
    let mut total = Summary::default();
    for source in sources {
        let path = source.path.display();
        let input: Box<dyn BufRead> = if is_standard(source.path) {
            Box::new(io::stdin().lock())
        } else {
            Box::new(BufReader::new(File::open(source.path).with_context(|| format!("{path}: cannot open"))?))
        };
        let tables = tables_of(source)?;
        if tables.is_none() && source.format == Format::Wthor {
            eprintln!("volte: {path}: no files of names (.jou, .trn) beside it: names are left out");
        }
        let tables = tables.unwrap_or_default();
        let reader = Reader::new(source.format, input, &tables).with_context(|| format!("{path}: cannot read"))?;
        let report = |place, bad: &_| eprintln!("volte: {path}: {place}: {bad}");
        total = total.plus(convert(reader, sink, report).with_context(|| path.to_string())?);
    }
    Ok(total)
}

/// The names that a WTHOR file leaves out: in the files called like it, or else in those of the whole database.
fn tables_of(source: &Source<'_>) -> anyhow::Result<Option<Tables>> {
    let path = source.path;
    if source.format != Format::Wthor || is_standard(path) {
        return Ok(None);
    }
    for stem in [path.file_stem().unwrap_or_default(), "WTHOR".as_ref(), "WTH".as_ref()] {
        if let Some(tables) = tables_of_stem(&path.with_file_name(stem).with_extension("wtb"))? {
            return Ok(Some(tables));
        }
    }
    Ok(None)
}

/// The names in the two files that are called like `path` but for the extension, if both are there.
fn tables_of_stem(path: &Path) -> anyhow::Result<Option<Tables>> {
    let (Some(players), Some(tournaments)) = (beside(path, "jou")?, beside(path, "trn")?) else { return Ok(None) };
    let read = |path: &Path, kind| -> anyhow::Result<Names> {
        let file = File::open(path).with_context(|| format!("{}: cannot open", path.display()))?;
        Names::read(BufReader::new(file), kind).with_context(|| format!("{}: cannot read", path.display()))
    };
    let players = read(&players, NameKind::Players)?;
    Ok(Some(Tables { players, tournaments: read(&tournaments, NameKind::Tournaments)? }))
}

/// The file that is called like `path` but for this extension, in any case.
fn beside(path: &Path, extension: &str) -> anyhow::Result<Option<PathBuf>> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let wanted = path.with_extension(extension);
    let wanted = wanted.file_name().unwrap_or_default();
    let Ok(entries) = fs::read_dir(folder) else { return Ok(None) };
    for entry in entries {
        let entry = entry.with_context(|| format!("{}: cannot read", folder.display()))?;
        if entry.file_name().eq_ignore_ascii_case(wanted) {
            return Ok(Some(entry.path()));
        }
    }
    Ok(None)
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

    #[test]
    fn the_extension_tells_the_format() {
        let format = |path: &str| format_of(Path::new(path), None, "--from").map_err(|error| error.to_string());
        assert_eq!(format("a/WTH_2000.WTB"), Ok(Format::Wthor));
        assert_eq!(format("x.ggf"), Ok(Format::Ggf));
        let error = format("-").unwrap_err();
        assert!(error.starts_with("-: the extension tells no format: give one with --from (transcript, "), "{error}");
        assert_eq!(format_of(Path::new("x.txt"), Some(Format::Obf), "--from").unwrap(), Format::Obf);
    }
}
