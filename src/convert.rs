//! Converting files of games from one format to another, game by game, in constant memory.
//!
//! Owns what happens to an entry between reading and writing; files are opened, and reports shown, by whoever calls.
//! Start reading at [`convert`].

use crate::game::collection::{BadEntry, Entry, Located, Place, ReadError, TextWriter};
use crate::game::wthor::{self, Tables};
use std::io::{self, Seek, Write};
use thiserror::Error;

/// Where converted entries go.
pub trait Sink {
    /// Writes an entry.
    ///
    /// # Errors
    /// If the output cannot be written; inside, if the format has no place for the entry.
    fn write(&mut self, entry: Entry) -> io::Result<Result<(), BadEntry>>;

    /// Ends a file of input; what belongs together has come together.
    ///
    /// # Errors
    /// If the output cannot be written.
    fn end_input(&mut self) -> io::Result<()>;
}

impl<W: Write> Sink for TextWriter<W> {
    fn write(&mut self, entry: Entry) -> io::Result<Result<(), BadEntry>> {
        Self::write(self, entry).map(Ok)
    }

    fn end_input(&mut self) -> io::Result<()> {
        Self::end_input(self)
    }
}

/// A WTHOR file in the making, and the names its numbers stand for.
#[derive(Debug)]
pub struct WthorSink<'a, W> {
    /// The file of games.
    pub writer: wthor::Writer<W>,
    /// The names; new ones are added.
    pub tables: &'a mut Tables,
    /// Games written whose score is made up: see [`wthor::is_score_guessed`].
    pub guessed: usize,
}

impl<W: Write + Seek> Sink for WthorSink<'_, W> {
    fn write(&mut self, entry: Entry) -> io::Result<Result<(), BadEntry>> {
        let record = entry.into_record();
        let written = self.writer.write(&record, self.tables)?;
        self.guessed += usize::from(written.is_ok() && wthor::is_score_guessed(&record));
        Ok(written.map_err(BadEntry::from))
    }

    fn end_input(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What became of the entries of a file.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Summary {
    /// Entries written.
    pub converted: usize,
    /// Games among them whose moves stop before the end of the game.
    pub unfinished: usize,
    /// Entries that could not be read or written.
    pub skipped: usize,
}

impl Summary {
    /// Both together.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self {
            converted: self.converted + other.converted,
            unfinished: self.unfinished + other.unfinished,
            skipped: self.skipped + other.skipped,
        }
    }
}

/// Why a conversion cannot go on.
#[derive(Debug, Error)]
pub enum ConvertError {
    /// The input cannot be read any further.
    #[error("cannot read")]
    Read(#[from] ReadError),
    /// The output cannot be written.
    #[error("cannot write")]
    Write(#[source] io::Error),
}

/// Writes to `sink` what `entries` hold. Each entry that cannot be converted is reported and skipped.
///
/// # Errors
/// If the input cannot be read any further or the output cannot be written.
pub fn convert(
    entries: impl Iterator<Item = Result<Located, ReadError>>,
    sink: &mut impl Sink,
    mut report: impl FnMut(Place, &BadEntry),
) -> Result<Summary, ConvertError> {
    let mut summary = Summary::default();
    for located in entries {
        let Located { place, entry } = located?;
        let is_unfinished = matches!(&entry, Ok(Entry::Game(record)) if record.is_unfinished());
        let written = match entry {
            Ok(entry) => sink.write(entry).map_err(ConvertError::Write)?,
            Err(bad) => Err(bad),
        };
        match written {
            Ok(()) => {
                summary.converted += 1;
                summary.unfinished += usize::from(is_unfinished);
            }
            Err(bad) => {
                summary.skipped += 1;
                report(place, &bad);
            }
        }
    }
    sink.end_input().map_err(ConvertError::Write)?;
    Ok(summary)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::collection::{Format, Reader};

    /// Converts a text, and tells what was skipped.
    fn converted(text: &str, from: Format, to: Format) -> (String, Vec<String>) {
        let tables = Tables::default();
        let mut writer = TextWriter::new(Vec::new(), to).unwrap();
        let mut skipped = Vec::new();
        let reader = Reader::new(from, text.as_bytes(), &tables).unwrap();
        convert(reader, &mut writer, |place, bad| skipped.push(format!("{place}: {bad}"))).unwrap();
        (String::from_utf8(writer.finish().unwrap()).unwrap(), skipped)
    }

    #[test]
    fn a_bad_game_is_skipped_and_the_others_are_converted() {
        let text = "f5d6c3\n# list\nf5f5\nhello\nf5f4\n";
        let (games, skipped) = converted(text, Format::Transcript, Format::Ggf);
        assert_eq!(games.lines().count(), 2);
        assert_eq!(
            skipped,
            ["line 3: move 2: `f5` is illegal: the square is occupied", "line 4: move 1: `hello` is not a move"]
        );
        let (back, skipped) = converted(&games, Format::Ggf, Format::Transcript);
        assert_eq!((back.as_str(), skipped.len()), ("f5d6c3\nf5f4\n", 0));
    }

    #[test]
    fn any_text_becomes_any_other_and_comes_back() {
        let text = "f5d6c3d3c4\nd3c3b3b2f5a3a1c1\ne6f4e3f6g5d6e7f5c5\n";
        for format in Format::all().filter(|format| *format != Format::Wthor) {
            let (there, skipped) = converted(text, Format::Transcript, format);
            assert_eq!(skipped.len(), 0, "{format}");
            let (back, skipped) = converted(&there, format, Format::Transcript);
            assert_eq!((back.lines().count(), skipped.len()), (3, 0), "{format}: {there}");
            if !matches!(format, Format::Board | Format::Fen | Format::Obf) {
                assert_eq!(back, text, "{format}");
            }
            assert_eq!(converted(&there, format, format).0, there, "{format}");
        }
    }

    #[test]
    fn pairs_stay_together() {
        let game = |mv: &str| {
            let board = "---------------------------O*------*O---------------------------";
            format!("(;GM[Othello]PC[]PB[]PW[]RE[?]TY[8]BO[8 {board} *]B[{mv}];)")
        };
        let (a, b, c, d) = (game("F5"), game("D3"), game("C4"), game("E6"));
        let text = format!("2 {a}{b}\n1 {c}\n2 {a} {d}\n");
        let (written, _) = converted(&text, Format::Ggf, Format::Ggf);
        assert_eq!(written, format!("2 {a}{b}\n{c}\n2 {a}{d}\n"));
        // A pair with a bad half is a game.
        let (written, skipped) = converted(&format!("2 {a}{}\n2 {c}{d}", game("A1")), Format::Ggf, Format::Ggf);
        assert_eq!((written, skipped.len()), (format!("{a}\n2 {c}{d}\n"), 1));
    }

    #[test]
    fn problems_keep_their_scores() {
        let line = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; G8:+18; H1:+12; % FFO 40\n";
        assert_eq!(converted(line, Format::Obf, Format::Obf).0, line);
        assert_eq!(converted(line, Format::Obf, Format::Board).0, format!("{}\n", &line[..66]));
        assert_eq!(converted(line, Format::Obf, Format::Transcript).0, format!("{};\n", &line[..66]));
    }
}
