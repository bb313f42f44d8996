//! Games as a line of moves, such as `f5d6c3d3c4`.
//!
//! The reader is liberal: any case, move numbers, separators, passes written or left out, and a board to start from.
//! The writer has one form. Start reading at [`parse`].

use super::board_text::{self, BoardTextError};
use super::{Game, MoveError};
use crate::board::{Move, Setup, Square};
use std::fmt::Write;
use thiserror::Error;

/// Why a text is not a game.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TranscriptError {
    /// The text starts with 64 cells, but not with a board.
    #[error("the board before the moves: {0}")]
    Board(#[from] BoardTextError),
    /// A move that is none or cannot be played.
    #[error(transparent)]
    Move(#[from] MoveError),
}

/// Reads a game: moves in any case, with or without separators (white space and `, ; - |`) and move numbers (`12.`).
/// Passes are `pass`, `pa`, `ps`, `--` or `@@`, or left out. The board to start from may stand before the moves.
///
/// ```
/// use volte::game::transcript;
/// let game = transcript::parse("1. F5 d6 2. c3")?;
/// assert_eq!(transcript::write(&game), "f5d6c3");
/// let error = transcript::parse("d3d4d5").unwrap_err();
/// assert_eq!(error.to_string(), "move 2: `d4` is illegal: the square is occupied");
/// # Ok::<(), transcript::TranscriptError>(())
/// ```
///
/// # Errors
/// If the text is not a legal game. The error names the first move that is wrong.
pub fn parse(text: &str) -> Result<Game, TranscriptError> {
    if !board_text::starts_with_cells(text) {
        return parse_from(Game::new(), text);
    }
    let (setup, moves) = board_text::parse_prefix(text)?;
    let game = Game::from_setup(setup).expect("a board read from text has one disc a square");
    parse_from(game, moves)
}

/// Reads moves and plays them on `game`. Move numbers in errors count from the first move of the text.
///
/// # Errors
/// If the text is not a legal continuation of the game.
pub fn parse_from(mut game: Game, text: &str) -> Result<Game, TranscriptError> {
    for (index, token) in Tokens(text).enumerate() {
        let number = index + 1;
        let not_a_move = |text: &str| MoveError::not_a_move(number, text);
        let (token, mv) = token.map_err(not_a_move)?;
        game.play_next(mv).map_err(|error| MoveError::illegal(number, token, error))?;
    }
    Ok(game)
}

/// Writes a game: lower case, nothing between the moves. Passes are left out, but for one that ends the text, because
/// no move after it would tell. A start that is not the usual one stands before the moves, with a semicolon.
pub fn write(game: &Game) -> String {
    let mut text = String::new();
    if game.start() != Setup::START {
        text = board_text::write(game.start());
        text.push(';');
    }
    for square in game.moves().filter_map(Move::square) {
        write!(text, "{square}").expect("a string takes any text");
    }
    if game.moves().next_back() == Some(Move::Pass) {
        text.push_str("pa");
    }
    text
}

/// The moves of a text as written and as read; what is no move is an error with the text that stands there.
struct Tokens<'a>(&'a str);

impl<'a> Iterator for Tokens<'a> {
    type Item = Result<(&'a str, Move), &'a str>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if self.0.is_empty() {
                return None;
            }
            if let Some((length, mv)) = leading_move(self.0) {
                let token = self.take(length);
                return Some(Ok((token, mv)));
            }
            match leading_filler(self.0) {
                0 => {
                    let token = self.take(leading_word(self.0));
                    return Some(Err(token));
                }
                length => _ = self.take(length),
            }
        }
    }
}

impl<'a> Tokens<'a> {
    fn take(&mut self, length: usize) -> &'a str {
        let (token, rest) = self.0.split_at(length);
        self.0 = rest;
        token
    }
}

/// The move that `text` starts with, and its length.
fn leading_move(text: &str) -> Option<(usize, Move)> {
    if let Some(square) = leading_square(text) {
        return Some((2, Move::Place(square)));
    }
    // A run of more than two signs is a line someone drew.
    for sign in ["--", "@@"] {
        if text.strip_prefix(sign).is_some_and(|rest| !rest.starts_with(&sign[..1])) {
            return Some((2, Move::Pass));
        }
    }
    // The longest word first, and only when no other word goes on from it.
    let word = ["pass", "pa", "ps"].into_iter().find(|word| starts_with_ignore_case(text, word))?;
    let rest = &text[word.len()..];
    let ends = !rest.starts_with(char::is_alphanumeric) || leading_square(rest).is_some();
    ends.then_some((word.len(), Move::Pass))
}

fn leading_square(text: &str) -> Option<Square> {
    text.get(..2)?.parse().ok()
}

fn starts_with_ignore_case(text: &str, prefix: &str) -> bool {
    text.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix))
}

/// Length of the separators or the one move number that `text` starts with.
fn leading_filler(text: &str) -> usize {
    // A run of dashes is taken whole, so that its end does not look like a pass.
    let dashes = run(text, |character| character == '-');
    let separators = run(text, |character| is_separator(character) && character != '-');
    let digits = run(text, |character| character.is_ascii_digit());
    let dots = run(&text[digits..], |character| character == '.');
    let number = if digits > 0 && dots > 0 { digits + dots } else { 0 };
    dashes.max(separators).max(number)
}

/// Length of the run of such characters that `text` starts with.
fn run(text: &str, of: impl Fn(char) -> bool) -> usize {
    text.find(|character| !of(character)).unwrap_or(text.len())
}

fn is_separator(character: char) -> bool {
    character.is_whitespace() || matches!(character, ',' | ';' | '-' | '|' | '\u{feff}')
}

/// Length of the text up to the next separator, for an error message; not empty, and short.
fn leading_word(text: &str) -> usize {
    const LONGEST: usize = 16;
    let ends = |(at, character): &(usize, char)| *at > 0 && is_separator(*character);
    text.char_indices()
        .take(LONGEST)
        .find(ends)
        .map_or_else(|| text.char_indices().nth(LONGEST).map_or(text.len(), |(at, _)| at), |(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> String {
        parse(text).map_or_else(|error| error.to_string(), |game| write(&game))
    }

    #[test]
    fn pasted_games_are_read() {
        for text in [
            "f5d6c3",
            "F5D6C3",
            "F5d6C3",
            " f5 d6\tc3 \r\n",
            "1. F5 d6 2. c3",
            "1.f5 1...d6 2.c3",
            "f5-d6-c3",
            "f5, d6, c3;",
            "f5|d6|c3",
            "|f5---d6 - c3",
            "\u{feff}f5d6c3",
        ] {
            assert_eq!(written(text), "f5d6c3", "{text:?}");
        }
        assert_eq!(written(""), "");
        assert_eq!(written(" \r\n"), "");
    }

    #[test]
    fn passes_may_be_written_or_left_out() {
        let game = "d3c3b3b2f5a3a1c1";
        for pass in ["pa", "ps", "PASS", " pass ", "--", " -- ", "@@", "|Pa|", "", "9. pa 10."] {
            let text = format!("{game}{pass}e3");
            assert_eq!(written(&text), "d3c3b3b2f5a3a1c1e3", "{text}");
        }
        assert_eq!(written(&format!("{game}ps")), format!("{game}pa"));
        assert_eq!(written(&format!("{game}ps pa")), "move 10: `pa` is illegal: white has a move");
    }

    #[test]
    fn errors_name_the_move_the_text_and_the_reason() {
        assert_eq!(written("d3d4d5"), "move 2: `d4` is illegal: the square is occupied");
        assert_eq!(written("1. F5 2. F6 A1"), "move 3: `A1` is illegal: it turns no disc for black");
        assert_eq!(written("f5 -- d6"), "move 2: `--` is illegal: white has a move");
        assert_eq!(written("f5password"), "move 2: `password` is not a move");
        assert_eq!(written("f5d9"), "move 2: `d9` is not a move");
        assert_eq!(written("f5 12 d6"), "move 2: `12` is not a move");
        assert_eq!(written("f5 d6 (0:12) c3"), "move 3: `(0:12)` is not a move");
        assert_eq!(
            written("オセロのゲームと言うものは面白いものである"),
            "move 1: `オセロのゲームと言うものは面白い` is not a move"
        );
        assert_eq!(written("e6f4e3f6g5d6e7f5c5a1"), "move 10: `a1` is illegal: the game is over");
    }

    #[test]
    fn a_board_may_stand_before_the_moves() {
        let board = "---------------------------OX------XO--------------------------- O";
        assert_eq!(written(&format!("{board};C5 e6")), format!("{board};c5e6"));
        assert_eq!(written(&format!("{} c5e6", board.to_lowercase())), format!("{board};c5e6"));
        assert_eq!(written(&format!("{board};c5c5")), "move 2: `c5` is illegal: the square is occupied");
        assert_eq!(
            written(&format!("{};c5", &board[..64])),
            "the board before the moves: `;` is not a side to move: expected X or O after 64 cells"
        );
    }
}
