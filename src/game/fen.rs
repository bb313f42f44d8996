//! Boards in the manner of chess (FEN): `8/8/8/3pP3/3Pp3/8/8/8 b - - 0 1`.
//!
//! Row 8 comes first, `p` is a black disc, `P` a white one, a digit a run of empty squares; `b` or `w` is to move.

use crate::board::{Bitboard, Color, Setup, Square};
use thiserror::Error;

/// Why a text is not a FEN.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum FenError {
    /// A wrong number of rows.
    #[error("`{0}` does not have 8 rows separated by `/`")]
    Rows(String),
    /// A row that is not one.
    #[error("`{0}` is not a row of 8 squares (p, P, or digits for empty ones)")]
    Row(String),
    /// No side to move, or none that is known.
    #[error("`{0}` is not a side to move: expected b or w after the board")]
    Side(String),
}

/// Reads a FEN. What follows the side to move counts for nothing.
///
/// ```
/// use volte::{board::Setup, game::fen};
/// assert_eq!(fen::parse("8/8/8/3pP3/3Pp3/8/8/8 b - - 0 1"), Ok(Setup::START));
/// ```
///
/// # Errors
/// If the text does not start with a board and a side to move.
pub fn parse(text: &str) -> Result<Setup, FenError> {
    let mut fields = text.split_whitespace();
    let board = fields.next().unwrap_or("");
    if board.split('/').count() != Square::SIDE {
        return Err(FenError::Rows(board.to_owned()));
    }
    let mut setup = Setup { black: Bitboard::EMPTY, white: Bitboard::EMPTY, side: Color::Black };
    for (row, rank) in board.split('/').zip((0..Square::SIDE).rev()) {
        read_row(&mut setup, row, rank).ok_or_else(|| FenError::Row(row.to_owned()))?;
    }
    setup.side = match fields.next().unwrap_or("") {
        "b" | "B" => Color::Black,
        "w" | "W" => Color::White,
        other => return Err(FenError::Side(other.to_owned())),
    };
    Ok(setup)
}

fn read_row(setup: &mut Setup, row: &str, rank: usize) -> Option<()> {
    let mut file = 0;
    for cell in row.chars() {
        if let Some(empty) = cell.to_digit(10) {
            file += empty as usize;
            continue;
        }
        let square = Square::from_file_rank(file, rank)?;
        match cell {
            'p' => setup.black |= square.bit(),
            'P' => setup.white |= square.bit(),
            _ => return None,
        }
        file += 1;
    }
    (file == Square::SIDE).then_some(())
}

/// Writes a FEN. A square that holds two discs is written as a black one.
pub fn write(setup: Setup) -> String {
    let mut text = String::new();
    for rank in (0..Square::SIDE).rev() {
        let mut empty = 0;
        for square in (0..Square::SIDE).filter_map(|file| Square::from_file_rank(file, rank)) {
            let disc = if setup.black.contains(square) {
                'p'
            } else if setup.white.contains(square) {
                'P'
            } else {
                empty += 1;
                continue;
            };
            push_run(&mut text, empty);
            text.push(disc);
            empty = 0;
        }
        push_run(&mut text, empty);
        text.push(if rank > 0 { '/' } else { ' ' });
    }
    text + if setup.side == Color::Black { "b" } else { "w" } + " - - 0 1"
}

fn push_run(text: &mut String, empty: usize) {
    if empty > 0 {
        text.push_str(&empty.to_string());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_row_is_row_8() {
        let game = crate::game::transcript::parse("f5f6").unwrap();
        assert_eq!(write(game.setup()), "8/8/5P2/3pPp2/3Pp3/8/8/8 b - - 0 1");
        assert_eq!(write(Setup::START), "8/8/8/3pP3/3Pp3/8/8/8 b - - 0 1");
        assert_eq!(parse("8/8/8/3pP3/3Pp3/8/8/8 w"), Ok(Setup { side: Color::White, ..Setup::START }));
    }

    #[test]
    fn errors_name_what_is_wrong() {
        let error = |text: &str| parse(text).unwrap_err().to_string();
        assert_eq!(error(""), "`` does not have 8 rows separated by `/`");
        assert_eq!(error("8/8/8/3pP3/3Pp3/8/8 b"), "`8/8/8/3pP3/3Pp3/8/8` does not have 8 rows separated by `/`");
        assert_eq!(
            error("8/8/8/3pP4/3Pp3/8/8/8 b"),
            "`3pP4` is not a row of 8 squares (p, P, or digits for empty ones)"
        );
        assert_eq!(
            error("8/8/8/3qP3/3Pp3/8/8/8 b"),
            "`3qP3` is not a row of 8 squares (p, P, or digits for empty ones)"
        );
        assert_eq!(error("8/8/8/3pP3/3Pp3/8/8/8"), "`` is not a side to move: expected b or w after the board");
        assert_eq!(error("8/8/8/3pP3/3Pp3/8/8/8 x"), "`x` is not a side to move: expected b or w after the board");
    }
}
