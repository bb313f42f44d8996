//! Damaged files for every reader: no panic, no hang, nothing that grows beyond its input, and what is read can be
//! written and read again.
//!
//! Each format gets a number of inputs in every test run, the same on every machine; `scripts/fuzz.sh` gives it minutes.

mod fuzzing;

use fuzzing::{Budget, Random, seed};
use std::fs;
use std::panic::RefUnwindSafe;
use std::path::Path;
use std::time::{Duration, Instant};
use volte::game::collection::{Entry, Format, Reader, TextWriter, read_any};
use volte::game::wthor::Tables;

/// Inputs for each format when no time is asked for.
const INPUTS: usize = 1000;
/// Inputs do not get longer than this.
const LONGEST: usize = 20_000;
/// No input of a run of minutes may take longer than this. A test run looks at no clock: its machine may be paused.
const PATIENCE: Duration = Duration::from_secs(5);

/// Pieces that mean something to some reader.
const PIECES: [&str; 40] = [
    "(;",
    ";)",
    ")",
    "(",
    "[",
    "]",
    "{",
    "}",
    ";",
    "%",
    "#",
    "\\",
    "\"",
    "\n",
    "\r\n",
    "f5",
    "F5",
    "pa",
    "PASS",
    "--",
    "@@",
    "B[",
    "W[",
    "BO[8 ",
    "AB[aa:hh]",
    "PL[W]",
    "RE[-1e9]",
    "TI[1:2:3:4/5//6]",
    "GM[2]",
    "2 (;",
    "1. ",
    "1-0",
    "[FEN \"",
    "/8",
    ":+64",
    ":-127",
    "99999999999999999999",
    "NaN",
    "\u{feff}",
    "オ",
];

/// The files to damage for a format, undamaged, and one of another format.
fn corpus(format: Format) -> Vec<Vec<u8>> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let mut files = Vec::new();
    for folder in ["games", "sgf", "wthor"] {
        for entry in fs::read_dir(data.join(folder)).expect("the folder is there") {
            let path = entry.expect("a folder can be listed").path();
            let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or("");
            let like = if format == Format::SgfAlgebraic { Format::Sgf } else { format };
            if Format::of_extension(extension) == Some(like) {
                let mut bytes = fs::read(path).expect("the file can be read");
                bytes.truncate(LONGEST);
                files.push(bytes);
            }
        }
    }
    assert!(!files.is_empty(), "no file of format {format}");
    files
}

/// What the reader makes of an input; nothing if it is refused as a whole.
fn entries(format: Format, input: &[u8]) -> Vec<Entry> {
    let tables = Tables::default();
    let Ok(reader) = Reader::new(format, input, &tables) else { return Vec::new() };
    let located: Vec<_> = reader.collect();
    assert!(located.len() <= input.len(), "more entries than bytes");
    located.into_iter().filter_map(|located| located.ok()?.entry.ok()).collect()
}

fn written(format: Format, entries: Vec<Entry>) -> Option<Vec<u8>> {
    let mut writer = TextWriter::new(Vec::new(), format)?;
    for entry in entries {
        writer.write(entry).expect("a vector takes any bytes");
    }
    Some(writer.finish().expect("a vector takes any bytes"))
}

fn try_input(format: Format, input: &[u8]) {
    let read = entries(format, input);
    let count = read.len();
    if let Some(once) = written(format, read) {
        assert!(once.len() <= 1000 * (input.len() + 1), "the output is far longer than the input");
        let again = entries(format, &once);
        assert_eq!(again.len(), count, "what was written is not read again: {}", String::from_utf8_lossy(&once));
        let twice = written(format, again).expect("the format is text");
        assert!(once == twice, "{}\nbecame\n{}", String::from_utf8_lossy(&once), String::from_utf8_lossy(&twice));
    }
}

/// What has no name of its format is read somehow, or refused.
fn try_any(input: &[u8]) {
    let lines = Reader::<&[u8]>::any(input).count();
    assert!(lines <= input.len(), "more entries than bytes");
    // An error is as good as an entry here.
    let _ = read_any(&String::from_utf8_lossy(input));
}

/// Damages files for a while. An input that fails is kept in a file, whose name is told.
fn fuzz(name: &str, corpus: &[Vec<u8>], try_input: impl Fn(&[u8]) + RefUnwindSafe) {
    let mut random = Random(seed());
    let mut budget = Budget::new(INPUTS);
    while budget.goes_on() {
        let mut input = corpus[random.below(corpus.len())].clone();
        let other = &corpus[random.below(corpus.len())];
        for _ in 0..=random.below(8) {
            random.damage(&mut input, other, &PIECES);
            input.truncate(LONGEST);
        }
        let begun = Instant::now();
        let failed = std::panic::catch_unwind(|| try_input(&input)).is_err();
        let took = begun.elapsed();
        if failed || (budget.is_timed() && took > PATIENCE) {
            let path = std::env::temp_dir().join(format!("volte-fuzz.{name}"));
            fs::write(&path, &input).expect("the folder for temporary files takes a file");
            panic!("{} breaks the reader of {name} (it took {took:?})", path.display());
        }
    }
    budget.tell(name);
}

macro_rules! targets {
    ($($name:ident $format:ident),*) => {$(
        #[test]
        fn $name() {
            fuzz(stringify!($name), &corpus(Format::$format), |input| try_input(Format::$format, input));
        }
    )*};
}

targets!(
    transcript Transcript, board Board, fen Fen, obf Obf, ggf Ggf, sgf Sgf, sgf_algebraic SgfAlgebraic, pgn Pgn, wthor Wthor
);

#[test]
fn any_format() {
    let corpus: Vec<_> = Format::all().flat_map(corpus).collect();
    fuzz("any_format", &corpus, try_any);
}

#[test]
fn the_undamaged_files_are_read_whole() {
    for format in Format::all() {
        for input in corpus(format) {
            try_input(format, &input);
            if format == Format::Wthor || input.starts_with(b"(;") {
                continue;
            }
            let tables = Tables::default();
            let bad: Vec<_> = Reader::new(format, &input[..], &tables)
                .expect("the file is of its format")
                .filter(|located| located.as_ref().is_ok_and(|located| located.entry.is_err()))
                .collect();
            assert!(bad.is_empty(), "{format}: {bad:?}");
        }
    }
}
