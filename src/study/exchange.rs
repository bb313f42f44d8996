//! Books as text, position by position: lines of JSON with everything, or the plainer lines of Edax.
//!
//! Owns the spelling; which positions follow each other is not written, since it follows from the rules. The side to move
//! is written as X. Start reading at [`write_line`] and [`read_line`].

use crate::board::{Color, Move, Position, Setup, Square};
use crate::book::{Book, Entry, Games, Leaf};
use crate::game::board_text::{self, BoardTextError};
use crate::score::{Eval, Score};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A spelling.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spelling {
    /// `{"position":"… X","value":0.5,"lower":-1.5,"upper":2.5,"level":18,"leaf":{…},"games":{…}}`, values in discs.
    Json,
    /// `<64 cells> X,<level>,<best move out of the book>,<its score>`, as Edax writes and reads it; whole discs.
    Edax,
}

/// Why a line is no position of a book.
#[derive(Debug, Error)]
pub enum LineError {
    /// The JSON is none, or not of a position.
    #[error("not a position as JSON")]
    Json(#[from] serde_json::Error),
    /// The board is none.
    #[error(transparent)]
    Board(#[from] BoardTextError),
    /// A square holds two discs.
    #[error(transparent)]
    Setup(#[from] crate::board::SetupError),
    /// Nobody can place a disc.
    #[error("the side to move has no move")]
    NoMove,
    /// A field that is missing or means nothing.
    #[error("`{0}` is not `<board> <side>,<level>,<move>,<score>`")]
    Fields(String),
    /// The move cannot be played.
    #[error("the move {0} is not legal")]
    Illegal(String),
}

#[derive(Serialize, Deserialize)]
struct JsonPosition {
    position: String,
    value: f32,
    lower: f32,
    upper: f32,
    level: u8,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    leaf: Option<JsonLeaf>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    games: Option<JsonGames>,
}

#[derive(Serialize, Deserialize)]
struct JsonLeaf {
    #[serde(rename = "move")]
    mv: String,
    value: f32,
    error: f32,
}

#[derive(Serialize, Deserialize)]
struct JsonGames {
    wins: u64,
    draws: u64,
    losses: u64,
}

/// The line of a position of a book, without its end.
pub fn write_line(book: &Book, position: Position, entry: Entry, spelling: Spelling) -> String {
    let board = board_text::write(Setup::of(position, Color::Black));
    match spelling {
        Spelling::Json => {
            let Games { wins, draws, losses } = book.games(position);
            let games = (wins + draws + losses > 0).then_some(JsonGames { wins, draws, losses });
            let leaf = entry.leaf.map(|leaf| JsonLeaf {
                mv: leaf.mv.to_string(),
                value: leaf.value.discs(),
                error: leaf.error.discs(),
            });
            let (value, lower, upper) = (entry.value.discs(), entry.lower.discs(), entry.upper.discs());
            let line = JsonPosition { position: board, value, lower, upper, level: entry.level, leaf, games };
            serde_json::to_string(&line).expect("numbers and text can be written as JSON")
        }
        Spelling::Edax => match entry.leaf {
            Some(Leaf { mv, value, .. }) => format!("{board},{},{mv},{}", entry.level, value.to_score().discs()),
            None => format!("{board},{},--,0", entry.level),
        },
    }
}

/// Reads a line into a book: the leaf and the level of a position, and results of games, which are added to those that
/// are there. What follows from other positions is found by [`Book::negamax`] afterwards. Blank lines say nothing.
///
/// # Errors
/// If the line is not a position of a book; then nothing has changed.
pub fn read_line(book: &mut Book, line: &str) -> Result<(), LineError> {
    let line = line.trim();
    if line.is_empty() {
        return Ok(());
    }
    if line.starts_with('{') { read_json(book, line) } else { read_edax(book, line) }
}

fn read_json(book: &mut Book, line: &str) -> Result<(), LineError> {
    let read: JsonPosition = serde_json::from_str(line)?;
    let position = position(&read.position)?;
    let leaf = read.leaf.as_ref().map(|leaf| {
        let (value, error) = (Eval::from_discs(leaf.value), Eval::from_discs(leaf.error.abs()));
        Ok::<_, LineError>(Leaf { mv: legal(position, &leaf.mv)?, value, error })
    });
    book.put(position, read.level, leaf.transpose()?);
    if let Some(JsonGames { wins, draws, losses }) = read.games {
        book.add_games(position, Games { wins, draws, losses });
    }
    Ok(())
}

fn read_edax(book: &mut Book, line: &str) -> Result<(), LineError> {
    /// What a score that was not solved is worth, as Edax takes it.
    const ERROR: Score = Score::from_discs(2);
    let wrong = || LineError::Fields(line.to_owned());
    let mut fields = line.split(',').map(str::trim);
    let (board, level) = (fields.next().ok_or_else(wrong)?, fields.next().ok_or_else(wrong)?);
    let (mv, score) = (fields.next().ok_or_else(wrong)?, fields.next().ok_or_else(wrong)?);
    let (level, score): (u8, i32) = (level.parse().map_err(|_| wrong())?, score.parse().map_err(|_| wrong())?);
    let position = position(board)?;
    let leaf = match mv.parse::<Move>() {
        Ok(Move::Pass) => None,
        _ => Some(Leaf { mv: legal(position, mv)?, value: Score::from_discs(score).into(), error: ERROR.into() }),
    };
    book.put(position, level, leaf);
    Ok(())
}

fn position(board: &str) -> Result<Position, LineError> {
    let position = board_text::parse(board)?.position()?;
    if position.moves().is_empty() { Err(LineError::NoMove) } else { Ok(position) }
}

fn legal(position: Position, text: &str) -> Result<Square, LineError> {
    let square: Option<Square> = text.parse().ok();
    square.filter(|square| position.play(*square).is_some()).ok_or_else(|| LineError::Illegal(text.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A book of three positions with leaves and results.
    fn book() -> Book {
        let mut book = Book::new();
        let mut position = Position::START;
        for (mv, leaf, value) in [("f5", "d3", 0.5), ("d6", "f4", -0.25), ("c3", "c5", 1.125)] {
            let leaf = Leaf { mv: leaf.parse().unwrap(), value: Eval::from_discs(value), error: Eval::from_discs(2.0) };
            book.put(position, 18, (position != Position::START).then_some(leaf));
            book.add_games(position, Games { wins: u64::MAX / 4, draws: 1, losses: 2 });
            position = position.play(mv.parse().unwrap()).unwrap();
        }
        book.negamax();
        book
    }

    fn through(book: &Book, spelling: Spelling) -> Book {
        let mut read = Book::new();
        for (position, entry) in book.iter() {
            read_line(&mut read, &write_line(book, position, entry, spelling)).unwrap();
        }
        read.negamax();
        read
    }

    #[test]
    fn json_brings_a_book_back_as_it_was() {
        let book = book();
        assert_eq!(through(&book, Spelling::Json).to_bytes(), book.to_bytes());
    }

    #[test]
    fn the_lines_of_edax_bring_back_whole_discs() {
        let (book, read) = (book(), through(&book(), Spelling::Edax));
        for (position, entry) in book.iter() {
            let other = read.get(position).unwrap();
            assert_eq!((other.level, other.leaf.map(|leaf| leaf.mv)), (entry.level, entry.leaf.map(|leaf| leaf.mv)));
        }
        assert_eq!(read.get(Position::START).unwrap().value.discs().fract(), 0.0);
    }

    #[test]
    fn what_is_no_position_is_named() {
        let mut book = Book::new();
        let start = board_text::write(Setup::START);
        for (line, told) in [
            ("{}", "not a position as JSON"),
            ("nonsense", "`nonsense` is not"),
            (&format!("{start},18,a1,0"), "a1 is not legal"),
            (&format!("{start},x,f5,0"), "is not `<board>"),
            (&format!("{start},18"), "is not `<board>"),
        ] {
            let error = read_line(&mut book, line).unwrap_err().to_string();
            assert!(error.contains(told), "{line}: {error}");
        }
        assert!(book.is_empty());
        read_line(&mut book, "  ").unwrap();
        read_line(&mut book, &format!("{start},18,F5,-1\r")).unwrap();
        assert_eq!(book.moves(Position::START)[0].value.discs(), -1.0);
    }
}
