//! Pasted text: which format it is in, the games it holds; and games as text again.

use super::message::TextFormat;
use crate::game::collection::{Entry, Format, Located, Reader, TextWriter};
use crate::game::record::GameRecord;
use crate::game::wthor::Tables;
use thiserror::Error;

/// What a text holds.
#[derive(Debug)]
pub(super) struct Contents {
    /// The format it is in.
    pub(super) format: Format,
    /// The games; a position is one without moves.
    pub(super) games: Vec<GameRecord>,
    /// What could not be read, each with its place.
    pub(super) skipped: Vec<String>,
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
    },
}

/// Reads a text in the format that it looks like; of formats that look alike, the one in which most of it makes sense.
///
/// # Errors
/// If nothing in it can be read.
pub(super) fn read(text: &str) -> Result<Contents, Unreadable> {
    let readings = candidates(text).iter().map(|&format| read_as(format, text));
    // Of equal ones the first counts: `max_by_key` would give the last.
    let best = readings.reduce(|best, next| if next.skipped.len() < best.skipped.len() { next } else { best });
    let mut contents = best.ok_or(Unreadable::Empty)?;
    // A transcript may begin with a board; without a move it is one.
    if contents.format == Format::Transcript && contents.games.iter().all(|record| record.game.is_empty()) {
        contents.format = Format::Board;
    }
    match contents.skipped.first() {
        _ if !contents.games.is_empty() => Ok(contents),
        Some(reason) => Err(Unreadable::Bad { format: contents.format, reason: reason.clone() }),
        None => Err(Unreadable::Empty),
    }
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

fn read_as(format: Format, text: &str) -> Contents {
    let tables = Tables::default();
    let mut contents = Contents { format, games: Vec::new(), skipped: Vec::new() };
    // Text in memory can always be read on.
    let entries = Reader::new(format, text.as_bytes(), &tables).into_iter().flatten().map_while(Result::ok);
    for Located { place, entry } in entries {
        match entry.map(Entry::into_record) {
            Ok(record) => contents.games.push(record),
            Err(error) => contents.skipped.push(format!("{place}: {error}")),
        }
    }
    contents
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
