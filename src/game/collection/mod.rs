//! Files of many games or positions, in any format: read and written one by one, in constant memory.
//!
//! Owns the names of the formats and where one game ends and the next begins; what a game looks like belongs to its
//! format. Start reading at [`Reader`].

mod guess;
mod split;
mod write;

pub use guess::read_any;
pub use write::TextWriter;

use super::board_text::{self, BoardTextError};
use super::fen::{self, FenError};
use super::ggf::{self, GgfError};
use super::obf::{self, LineError, Problem};
use super::openings;
use super::pgn::{self, PgnError};
use super::record::GameRecord;
use super::sgf::{self, SgfError};
use super::transcript::TranscriptError;
use super::wthor::{self, Tables, WthorError, WthorGameError};
use split::{Chunk, Chunks, Unit};
use std::fmt;
use std::io::{self, BufRead};
use std::str::FromStr;
use thiserror::Error;

/// A format of files.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Format {
    /// A transcript a line.
    Transcript,
    /// A board a line, or in rows.
    Board,
    /// A FEN a line.
    Fen,
    /// Problem files.
    Obf,
    /// The Generic Game Format.
    Ggf,
    /// The Smart Game Format. Both dialects are read, squares are written as two letters.
    Sgf,
    /// The Smart Game Format, with squares written as everywhere else.
    SgfAlgebraic,
    /// The Portable Game Notation.
    Pgn,
    /// A file of the WTHOR database.
    Wthor,
}

/// The name of each format, and the extensions of its files.
const FORMATS: [(Format, &str, &[&str]); 9] = [
    (Format::Transcript, "transcript", &["txt", "xot"]),
    (Format::Board, "board", &["board", "pos"]),
    (Format::Fen, "fen", &["fen", "epd"]),
    (Format::Obf, "obf", &["obf", "scr", "script"]),
    (Format::Ggf, "ggf", &["ggf"]),
    (Format::Sgf, "sgf", &["sgf"]),
    (Format::SgfAlgebraic, "sgf-algebraic", &[]),
    (Format::Pgn, "pgn", &["pgn"]),
    (Format::Wthor, "wthor", &["wtb"]),
];

impl Format {
    /// Every format.
    pub fn all() -> impl Iterator<Item = Self> {
        FORMATS.iter().map(|&(format, ..)| format)
    }

    /// The name of the format.
    pub fn name(self) -> &'static str {
        FORMATS.iter().find(|&&(format, ..)| format == self).map_or("", |&(_, name, _)| name)
    }

    /// The format that a text looks like, by its beginning; a board that something follows looks like a problem.
    pub fn of_text(text: &str) -> Self {
        guess::format_of(text)
    }

    /// The format of files with this extension (without its dot), in any case.
    pub fn of_extension(extension: &str) -> Option<Self> {
        let known = |extensions: &[&str]| extensions.iter().any(|known| known.eq_ignore_ascii_case(extension));
        FORMATS.iter().find(|(_, _, extensions)| known(extensions)).map(|&(format, ..)| format)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Not the name of a format.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{}` is not a format: expected one of {}", .0, FORMATS.map(|(_, name, _)| name).join(", "))]
pub struct UnknownFormat(pub String);

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(text: &str) -> Result<Self, UnknownFormat> {
        let named = FORMATS.iter().find(|(_, name, _)| name.eq_ignore_ascii_case(text));
        named.map(|&(format, ..)| format).ok_or_else(|| UnknownFormat(text.to_owned()))
    }
}

/// What a file holds.
#[derive(Clone, PartialEq, Debug)]
pub enum Entry {
    /// A game.
    Game(Box<GameRecord>),
    /// A position, with or without known scores.
    Problem(Problem),
}

impl Entry {
    /// The entry as a game; a problem is one without moves.
    pub fn into_record(self) -> GameRecord {
        match self {
            Self::Game(record) => *record,
            Self::Problem(problem) => GameRecord::of_problem(problem),
        }
    }

    /// The entry as a problem; a game is the position at its end.
    pub fn into_problem(self) -> Problem {
        match self {
            Self::Problem(problem) => problem,
            Self::Game(record) => Problem { comment: record.comment, ..Problem::new(record.game.setup()) },
        }
    }
}

/// Where in a file an entry stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// The line it starts on; the first one is 1.
    Line(usize),
    /// Which game it is; the first one is 1.
    Game(usize),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line) => write!(f, "line {line}"),
            Self::Game(game) => write!(f, "game {game}"),
        }
    }
}

/// Why an entry cannot be read or written. The others can.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[expect(missing_docs, reason = "each is the error of its format")]
pub enum BadEntry {
    #[error(transparent)]
    Transcript(#[from] TranscriptError),
    #[error(transparent)]
    Board(#[from] BoardTextError),
    #[error(transparent)]
    Fen(#[from] FenError),
    #[error(transparent)]
    Obf(#[from] LineError),
    #[error(transparent)]
    Ggf(#[from] GgfError),
    #[error(transparent)]
    Sgf(#[from] SgfError),
    #[error(transparent)]
    Pgn(#[from] PgnError),
    #[error(transparent)]
    Wthor(#[from] WthorGameError),
    /// Far longer than any game.
    #[error("more than {} bytes without an end", split::LIMIT)]
    TooLong,
}

/// Why a file cannot be read any further.
#[derive(Debug, Error)]
pub enum ReadError {
    /// The system says so.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file is not what it should be.
    #[error(transparent)]
    Wthor(#[from] WthorError),
}

/// An entry of a file, or why it is none, and where it stands.
#[derive(Clone, PartialEq, Debug)]
pub struct Located {
    /// Where it stands.
    pub place: Place,
    /// What stands there.
    pub entry: Result<Entry, BadEntry>,
}

/// Reads a file entry by entry. Memory is bounded whatever the input.
///
/// ```
/// use volte::game::collection::{Format, Place, Reader};
/// use volte::game::wthor::Tables;
/// let tables = Tables::default();
/// let found: Vec<_> = Reader::new(Format::Transcript, &b"f5d6\n\nf5f5\n"[..], &tables)?.collect::<Result<_, _>>()?;
/// assert!(found[0].entry.is_ok());
/// assert_eq!(found[1].place, Place::Line(3));
/// assert_eq!(found[1].entry.as_ref().unwrap_err().to_string(), "move 2: `f5` is illegal: the square is occupied");
/// # Ok::<(), volte::game::collection::ReadError>(())
/// ```
#[derive(Debug)]
pub struct Reader<'a, R>(Source<'a, R>);

#[derive(Debug)]
enum Source<'a, R> {
    Text(Format, Chunks<R>),
    Any(Chunks<R>),
    Wthor(Box<wthor::Reader<'a, R>>, usize),
}

impl<'a, R: BufRead> Reader<'a, R> {
    /// A reader of `input`; the tables hold the names that WTHOR files leave out.
    ///
    /// # Errors
    /// If the input cannot be read, or does not start as its format does.
    pub fn new(format: Format, input: R, tables: &'a Tables) -> Result<Self, ReadError> {
        let unit = match format {
            Format::Transcript => Unit::Transcript,
            Format::Fen | Format::Obf => Unit::Line,
            Format::Board => Unit::Board,
            Format::Ggf => Unit::Ggf,
            Format::Sgf | Format::SgfAlgebraic => Unit::Sgf,
            Format::Pgn => Unit::Pgn,
            Format::Wthor => return Ok(Self(Source::Wthor(Box::new(wthor::Reader::new(input, tables)?), 0))),
        };
        Ok(Self(Source::Text(format, Chunks::new(input, unit))))
    }

    /// A reader of lines, each a game or a position in whatever format it is; see [`read_any`].
    pub fn any(input: R) -> Self {
        Self(Source::Any(Chunks::new(input, Unit::Line)))
    }
}

impl<R: BufRead> Iterator for Reader<'_, R> {
    type Item = Result<Located, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        match &mut self.0 {
            Source::Text(format, chunks) => next_entry(chunks, |chunk| read_entry(*format, chunk)),
            Source::Any(chunks) => next_entry(chunks, guess::read_chunk),
            Source::Wthor(reader, count) => {
                *count += 1;
                let place = Place::Game(*count);
                let game = reader.next()?.map(|record| Located {
                    place,
                    entry: record.map(|record| Entry::Game(Box::new(record))).map_err(Into::into),
                });
                Some(game.map_err(Into::into))
            }
        }
    }
}

/// The next piece of a text that is no blank and no comment.
fn next_entry<R: BufRead>(
    chunks: &mut Chunks<R>,
    read: impl Fn(&Chunk) -> Result<Option<Entry>, BadEntry>,
) -> Option<Result<Located, ReadError>> {
    loop {
        let chunk = match chunks.next()? {
            Ok(chunk) => chunk,
            Err(error) => return Some(Err(error.into())),
        };
        if let Some(entry) = read(&chunk).transpose() {
            return Some(Ok(Located { place: Place::Line(chunk.line), entry }));
        }
    }
}

/// Reads one entry; `None` for blank lines and comments.
fn read_entry(format: Format, chunk: &Chunk) -> Result<Option<Entry>, BadEntry> {
    if chunk.is_cut {
        return Err(BadEntry::TooLong);
    }
    let game = |record| Some(Entry::Game(Box::new(record)));
    let text = chunk.text.as_str();
    Ok(match format {
        Format::Transcript => openings::parse_line(text)?.map(GameRecord::of).and_then(game),
        Format::Board => Some(Entry::Problem(Problem::new(board_text::parse(text)?))),
        Format::Fen => Some(Entry::Problem(Problem::new(fen::parse(text)?))),
        Format::Obf => obf::parse_line(text)?.map(Entry::Problem),
        Format::Ggf => game(GameRecord { pair: chunk.pair, ..ggf::parse(text)? }),
        Format::Sgf | Format::SgfAlgebraic => game(sgf::parse(text)?),
        Format::Pgn => game(pgn::parse(text)?),
        // Its records are not text.
        Format::Wthor => None,
    })
}
