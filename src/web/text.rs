//! Pasted text: which format it is in, the games it holds; and games as text again.

use super::message::event::{Fault, FaultKind};
use super::message::{Side, TextFormat};
use crate::game::board_text::BoardTextError;
use crate::game::collection::{BadEntry, Entry, Format, Located, Place, Reader, TextWriter, read_any};
use crate::game::ggf::GgfError;
use crate::game::obf::LineError;
use crate::game::pgn::PgnError;
use crate::game::record::GameRecord;
use crate::game::sgf::SgfError;
use crate::game::transcript::TranscriptError;
use crate::game::wthor::Tables;
use crate::game::{MoveError, PlayError};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use thiserror::Error;

/// Faults of a text that are told.
const MOST_FAULTS: usize = 5;
/// Longest piece of a text that is shown, in characters.
const LONGEST_SHOWN: usize = 24;
/// Longer lines than this, in turns, are games of their own.
const SHORT_LINE: usize = 2;

/// What a text holds.
#[derive(Debug)]
pub(super) struct Contents {
    /// The format it is in.
    pub(super) format: Format,
    /// The games; a position is one without moves.
    pub(super) games: Vec<GameRecord>,
    /// What could not be read, each with its place.
    pub(super) skipped: Vec<String>,
    /// The first few of those.
    pub(super) faults: Vec<Fault>,
}

/// A text that holds no game.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub(super) enum Unreadable {
    /// There is nothing in it.
    #[error("the text is empty")]
    Empty,
    /// It cannot be read in the format that it looks like.
    #[error("not a game or a board ({format}): {reason}")]
    Bad {
        /// The format that fits best.
        format: Format,
        /// What is wrong.
        reason: String,
        /// The same, for a page in another language.
        fault: Fault,
    },
}

impl Unreadable {
    /// What is wrong, for a page in any language.
    pub(super) fn fault(&self) -> Fault {
        match self {
            Self::Empty => fault_of_kind(FaultKind::Empty),
            Self::Bad { fault, .. } => fault.clone(),
        }
    }
}

/// Reads a text in the format that it looks like; of formats that look alike, the one in which most of it makes sense.
/// A link of the page is the game that it holds, and a `data:` URL the file that it holds.
///
/// # Errors
/// If nothing in it can be read.
pub(super) fn read(text: &str) -> Result<Contents, Unreadable> {
    if let Some(game) = game_of_link(text) {
        return read(&game);
    }
    if let Some(file) = file_of_url(text) {
        return match String::from_utf8(file) {
            Ok(text) => read(&text),
            Err(error) => checked(read_as(Format::Wthor, error.as_bytes())),
        };
    }
    let readings = candidates(text).iter().map(|&format| read_as(format, text.as_bytes()));
    // Of equal ones the first counts: `max_by_key` would give the last.
    let best = readings.reduce(|best, next| if next.skipped.len() < best.skipped.len() { next } else { best });
    let lines = best.ok_or(Unreadable::Empty)?;
    checked(one_game(text, &lines).unwrap_or(lines))
}

fn checked(mut contents: Contents) -> Result<Contents, Unreadable> {
    // A transcript may begin with a board; without a move it is one.
    if contents.format == Format::Transcript && contents.games.iter().all(|record| record.game.is_empty()) {
        contents.format = Format::Board;
    }
    match (contents.skipped.first(), contents.faults.first()) {
        _ if !contents.games.is_empty() => Ok(contents),
        (Some(reason), Some(fault)) => {
            Err(Unreadable::Bad { format: contents.format, reason: reason.clone(), fault: fault.clone() })
        }
        _ => Err(Unreadable::Empty),
    }
}

/// A text of several lines that is one game: lines that are no games by themselves, or of a move or two.
fn one_game(text: &str, lines: &Contents) -> Option<Contents> {
    let is_one_a_line = lines.format == Format::Transcript
        && lines.games.len() + lines.skipped.len() > 1
        && (!lines.skipped.is_empty() || lines.games.iter().all(|record| record.game.len() <= SHORT_LINE));
    if !is_one_a_line {
        return None;
    }
    let record = read_any(text).ok()??.into_record();
    Some(Contents { format: Format::Transcript, games: vec![record], skipped: Vec::new(), faults: Vec::new() })
}

/// The game in a link of the page, wherever its server is: `…#game=f5d6c3`.
fn game_of_link(text: &str) -> Option<String> {
    let text = text.trim();
    if text.contains(char::is_whitespace) {
        return None;
    }
    let (_, values) = text.split_once('#')?;
    let game = values.split('&').find_map(|value| value.strip_prefix("game="))?;
    Some(game.replace("%3B", ";").replace("%3b", ";").replace("%20", " ").replace('+', " "))
}

/// The file in a `data:` URL.
fn file_of_url(text: &str) -> Option<Vec<u8>> {
    let (kind, data) = text.trim().strip_prefix("data:")?.split_once(',')?;
    if !kind.ends_with(";base64") {
        return None;
    }
    BASE64_STANDARD.decode(data).ok()
}

/// The formats that a text may be in, the likeliest first.
fn candidates(text: &str) -> &'static [Format] {
    // Before the first game of a GGF file may stand how many belong together.
    let text = text.find("(;").filter(|&at| at < 4).map_or(text, |at| &text[at..]);
    match Format::of_text(text) {
        Format::Ggf => &[Format::Ggf, Format::Sgf],
        Format::Sgf | Format::SgfAlgebraic => &[Format::Sgf, Format::Ggf],
        Format::Pgn => &[Format::Pgn],
        Format::Fen => &[Format::Fen],
        _ => &[Format::Transcript, Format::Board, Format::Obf],
    }
}

fn read_as(format: Format, text: &[u8]) -> Contents {
    let tables = Tables::default();
    let mut contents = Contents { format, games: Vec::new(), skipped: Vec::new(), faults: Vec::new() };
    let reader = match Reader::new(format, text, &tables) {
        Ok(reader) => reader,
        Err(error) => {
            contents.skipped.push(error.to_string());
            contents.faults.push(fault_of_kind(FaultKind::Other));
            return contents;
        }
    };
    // Text in memory can always be read on.
    for Located { place, entry } in reader.map_while(Result::ok) {
        match entry.map(Entry::into_record) {
            Ok(record) => contents.games.push(record),
            Err(error) => {
                if contents.faults.len() < MOST_FAULTS {
                    contents.faults.push(fault(place, &error));
                }
                contents.skipped.push(format!("{place}: {error}"));
            }
        }
    }
    contents
}

fn fault_of_kind(kind: FaultKind) -> Fault {
    Fault { kind, line: None, game: None, number: None, text: None, side: None }
}

/// What is wrong with an entry, in a form that can be said in any language.
fn fault(place: Place, error: &BadEntry) -> Fault {
    let fault = match error {
        BadEntry::Transcript(TranscriptError::Move(error))
        | BadEntry::Pgn(PgnError::Move(error))
        | BadEntry::Ggf(GgfError::Move(error))
        | BadEntry::Sgf(SgfError::Move(error)) => fault_of_move(error),
        BadEntry::Transcript(TranscriptError::Board(error))
        | BadEntry::Board(error)
        | BadEntry::Obf(LineError::Board(error))
        | BadEntry::Ggf(GgfError::Board(error)) => fault_of_board(error),
        _ => fault_of_kind(FaultKind::Other),
    };
    match place {
        Place::Line(line) => Fault { line: Some(line), ..fault },
        Place::Game(game) => Fault { game: Some(game), ..fault },
    }
}

fn fault_of_move(error: &MoveError) -> Fault {
    let shown = |text: &str| Some(text.chars().take(LONGEST_SHOWN).collect());
    match error {
        MoveError::NotAMove { number, token } => {
            Fault { number: Some(*number), text: shown(token), ..fault_of_kind(FaultKind::NotAMove) }
        }
        MoveError::Illegal { number, token, error } => {
            let (kind, side) = match *error {
                PlayError::Occupied(_) => (FaultKind::Occupied, None),
                PlayError::NoFlips { color, .. } => (FaultKind::NoFlips, Some(color)),
                PlayError::PassWithMoves(color) => (FaultKind::PassWithMoves, Some(color)),
                PlayError::GameOver(_) => (FaultKind::GameOver, None),
                PlayError::NotTurn { color, .. } => (FaultKind::NotTurn, Some(color)),
            };
            Fault { number: Some(*number), text: shown(token), side: side.map(Side::from), ..fault_of_kind(kind) }
        }
    }
}

fn fault_of_board(error: &BoardTextError) -> Fault {
    match error {
        BoardTextError::Short(cells) => Fault { number: Some(*cells), ..fault_of_kind(FaultKind::Cells) },
        BoardTextError::Cell { found, square } => {
            let text = Some(format!("{found} ({square})"));
            Fault { text, ..fault_of_kind(FaultKind::Cell) }
        }
        BoardTextError::NoSide => fault_of_kind(FaultKind::NoSide),
        _ => fault_of_kind(FaultKind::Other),
    }
}

/// Games as text.
pub(super) fn write(records: Vec<GameRecord>, format: TextFormat) -> String {
    let format = match format {
        TextFormat::Transcript => Format::Transcript,
        TextFormat::Ggf => Format::Ggf,
        TextFormat::Sgf => Format::Sgf,
        TextFormat::Pgn => Format::Pgn,
        TextFormat::Board => Format::Board,
    };
    let mut writer = TextWriter::new(Vec::new(), format).expect("the formats are text");
    for record in records {
        writer.write(Entry::Game(Box::new(record))).expect("memory takes any text");
    }
    String::from_utf8(writer.finish().expect("memory takes any text")).expect("text is written as UTF-8")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_is_recognised() {
        let game = "f5d6c3d3c4";
        let record = read(game).unwrap().games.remove(0);
        for format in [TextFormat::Transcript, TextFormat::Ggf, TextFormat::Sgf, TextFormat::Pgn] {
            let text = write(vec![record.clone(), record.clone()], format);
            let contents = read(&format!("\n {text}")).unwrap();
            assert_eq!((contents.games.len(), contents.skipped.len()), (2, 0), "{text}");
            assert!(contents.games.iter().all(|read| read.game == record.game), "{text}");
        }
    }

    #[test]
    fn boards_problems_and_fen_are_recognised() {
        let cells = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X";
        let rows: String =
            cells.as_bytes()[..64].chunks(8).map(|row| format!("{}\n", std::str::from_utf8(row).unwrap())).collect();
        let wanted = read(cells).unwrap().games[0].game.setup();
        for text in [format!("{cells}; G8:+18; H1:+12; % FFO 40"), format!("{rows}X"), format!("{cells};g8")] {
            assert_eq!(read(&text).unwrap().games[0].game.start(), wanted, "{text}");
        }
        let fen = read("8/8/8/3pP3/3Pp3/8/8/8 b - - 0 1").unwrap();
        assert_eq!(fen.games[0].game.start(), crate::board::Setup::START);
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        assert_eq!(read(" \n").unwrap_err(), Unreadable::Empty);
        let error = read("d3d4d5").unwrap_err().to_string();
        assert!(error.contains("`d4` is illegal: the square is occupied"), "{error}");
        let contents = read("f5d6\nf5f5\n").unwrap();
        assert_eq!((contents.games.len(), contents.skipped.len()), (1, 1));
    }
}
