//! Boards as text: 64 cells row by row from a1, then the side to move, such as
//! `---------------------------OX------XO--------------------------- X`.
//!
//! The reader takes every spelling of the field, the writer has one. Start reading at [`parse`].

use crate::board::{Bitboard, Color, Setup, Square};
use thiserror::Error;

/// Why a text is not a board.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BoardTextError {
    /// A character in the cells that is none.
    #[error("`{found}` on {square} is neither a disc (X, O) nor an empty square (-)")]
    Cell {
        /// The character.
        found: char,
        /// The square it stands for.
        square: Square,
    },
    /// The text ends within the cells.
    #[error("the board has {0} cells, not {cells}", cells = Square::COUNT)]
    Short(usize),
    /// The text ends before the side to move.
    #[error("the side to move is missing after the cells")]
    NoSide,
    /// Something else where the side to move belongs.
    #[error("`{0}` is not a side to move: expected X or O after {cells} cells", cells = Square::COUNT)]
    Side(char),
    /// Something after the side to move.
    #[error("`{0}` follows the side to move")]
    Trailing(String),
}

/// Reads a board. Black is any of `X x * B b`, White any of `O o W w`, an empty square `-` or `.`; white space counts
/// for nothing. A board that has no disc but `0` and `1` is read with 0 for Black.
///
/// ```
/// use volte::{board::Setup, game::board_text};
/// let text = "---------------------------OX------XO--------------------------- X";
/// assert_eq!(board_text::parse(text), Ok(Setup::START));
/// assert_eq!(board_text::write(Setup::START), text);
/// ```
///
/// # Errors
/// If the text is not a board and nothing else.
pub fn parse(text: &str) -> Result<Setup, BoardTextError> {
    let (setup, rest) = parse_prefix(text)?;
    match rest.trim() {
        "" => Ok(setup),
        rest => Err(BoardTextError::Trailing(rest.to_owned())),
    }
}

/// Reads the board that a text starts with, and returns what follows its side to move.
///
/// # Errors
/// If the text does not start with a board.
pub fn parse_prefix(text: &str) -> Result<(Setup, &str), BoardTextError> {
    let mut characters = text.char_indices().filter(|(_, found)| !found.is_whitespace());
    let (mut black, mut white) = (Bitboard::EMPTY, Bitboard::EMPTY);
    let mut alphabet = None;
    for square in Square::ALL {
        let (_, found) = characters.next().ok_or(BoardTextError::Short(square.index()))?;
        if matches!(found, '-' | '.') {
            continue;
        }
        let color = color_of(found, &mut alphabet).ok_or(BoardTextError::Cell { found, square })?;
        match color {
            Color::Black => black |= square.bit(),
            Color::White => white |= square.bit(),
        }
    }
    let (at, found) = characters.next().ok_or(BoardTextError::NoSide)?;
    let side = color_of(found, &mut alphabet).ok_or(BoardTextError::Side(found))?;
    Ok((Setup { black, white, side }, &text[at + found.len_utf8()..]))
}

/// Whether a text starts with the cells of a board, whatever follows.
pub(crate) fn starts_with_cells(text: &str) -> bool {
    !matches!(parse_prefix(text), Err(BoardTextError::Cell { .. } | BoardTextError::Short(_)))
}

/// The two ways to write discs. `0` looks like `O` but is black, so a text may use only one of them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Alphabet {
    Letters,
    Digits,
}

fn color_of(found: char, alphabet: &mut Option<Alphabet>) -> Option<Color> {
    let (color, used) = match found {
        'X' | 'x' | '*' | 'B' | 'b' => (Color::Black, Alphabet::Letters),
        'O' | 'o' | 'W' | 'w' => (Color::White, Alphabet::Letters),
        '0' => (Color::Black, Alphabet::Digits),
        '1' => (Color::White, Alphabet::Digits),
        _ => return None,
    };
    (*alphabet.get_or_insert(used) == used).then_some(color)
}

/// Writes a board on one line: `X` black, `O` white, `-` empty, a space, the side to move. A square that holds two
/// discs is written as a black one.
pub fn write(setup: Setup) -> String {
    let mut text = cells(setup, ['X', 'O', '-']);
    text.push(' ');
    text.push(if setup.side == Color::Black { 'X' } else { 'O' });
    text
}

/// The 64 cells from a1 to h8 in the given characters for black, white and empty.
pub(crate) fn cells(setup: Setup, [black, white, empty]: [char; 3]) -> String {
    let cell = |square| {
        if setup.black.contains(square) {
            black
        } else if setup.white.contains(square) {
            white
        } else {
            empty
        }
    };
    Square::ALL.into_iter().map(cell).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "---------------------------OX------XO--------------------------- X";

    #[test]
    fn every_spelling_of_the_field_is_read() {
        for (x, o, empty) in [('x', 'o', '.'), ('*', 'O', '-'), ('b', 'w', '-'), ('B', 'W', '.'), ('0', '1', '-')] {
            let text: String = START
                .chars()
                .map(|c| match c {
                    'X' => x,
                    'O' => o,
                    '-' => empty,
                    other => other,
                })
                .collect();
            assert_eq!(parse(&text), Ok(Setup::START), "{text}");
        }
        let glued = START.replace(' ', "");
        assert_eq!(parse(&glued), Ok(Setup::START));
        let rows: String =
            START.as_bytes()[..64].chunks(8).map(|row| format!("{}\r\n", String::from_utf8_lossy(row))).collect();
        assert_eq!(parse(&format!("\n{rows}   O\r\n")), Ok(Setup { side: Color::White, ..Setup::START }));
    }

    #[test]
    fn errors_name_what_is_wrong() {
        let error = |text: &str| parse(text).unwrap_err().to_string();
        assert_eq!(error(""), "the board has 0 cells, not 64");
        assert_eq!(error(&START[..64]), "the side to move is missing after the cells");
        assert_eq!(error(&START[..30]), "the board has 30 cells, not 64");
        assert_eq!(error(&START.replacen('X', "?", 1)), "`?` on e4 is neither a disc (X, O) nor an empty square (-)");
        assert_eq!(error(&format!("-{START}")), "`-` is not a side to move: expected X or O after 64 cells");
        assert_eq!(error(&format!("{START} X; ")), "`X;` follows the side to move");
        // A nought among the letters is a slip of the pen for O, not a black disc.
        assert_eq!(error(&START.replacen('O', "0", 1)), "`X` on e4 is neither a disc (X, O) nor an empty square (-)");
    }
}
