//! The format of a text that does not say it.

use super::{BadEntry, Chunk, Entry, Format, read_entry};
use crate::game::board_text;

/// Reads one game or position, in whatever format it is; `None` if the text is blank or a comment. A GGF, SGF or PGN is
/// a game, a board without moves a problem, everything else that is no board and no FEN a transcript.
///
/// ```
/// use volte::game::collection::read_any;
/// let start = "---------------------------OX------XO--------------------------- X";
/// for text in ["f5d6c3", "8/8/8/3pP3/3Pp3/8/8/8 w - - 0 1", start] {
///     assert!(read_any(text)?.is_some());
/// }
/// # Ok::<(), volte::game::collection::BadEntry>(())
/// ```
///
/// # Errors
/// What is wrong with it as a text of the format that it looks like.
pub fn read_any(text: &str) -> Result<Option<Entry>, BadEntry> {
    read_chunk(&Chunk { line: 1, text: text.to_owned(), pair: None, is_cut: false })
}

/// As [`read_any`], a piece of a file.
pub(super) fn read_chunk(chunk: &Chunk) -> Result<Option<Entry>, BadEntry> {
    let (text, format) = (&chunk.text, format_of(&chunk.text));
    // What follows a board may be its moves instead of their scores.
    let has_moves = || board_text::parse_prefix(text).is_ok() && !text.contains(':');
    match read_entry(format, chunk) {
        Err(_) if format == Format::Obf && has_moves() => read_entry(Format::Transcript, chunk),
        result => result,
    }
}

/// The format that a text looks like.
pub(super) fn format_of(text: &str) -> Format {
    let text = text.trim_start_matches(|character: char| character.is_whitespace() || character == '\u{feff}');
    let is_like = |word: &str| text.to_ascii_lowercase().contains(word);
    if text.starts_with("(;") {
        return if is_like("gm[othello") { Format::Ggf } else { Format::Sgf };
    }
    if text.starts_with('[') {
        return Format::Pgn;
    }
    if text.split_whitespace().next().is_some_and(|word| word.contains('/')) {
        return Format::Fen;
    }
    if text.starts_with('%') || looks_like_cells(text) { Format::Obf } else { Format::Transcript }
}

/// Whether a text is meant to be a board: even one with a cell too few is no game.
fn looks_like_cells(text: &str) -> bool {
    const ENOUGH: usize = 8;
    let mut cells = text.chars().filter(|character| !character.is_whitespace()).take(ENOUGH);
    board_text::starts_with_cells(text) || cells.all(|cell| "-.XxOo*BbWw".contains(cell)) && text.len() >= ENOUGH
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOARD: &str = "---------------------------OX------XO--------------------------- X";

    /// The position that a text leads to, or the error.
    fn position(text: &str) -> String {
        match read_any(text) {
            Ok(None) => "nothing".to_owned(),
            Ok(Some(entry)) => board_text::write(entry.into_record().game.setup()),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn one_position_in_any_format() {
        let rows = BOARD.as_bytes()[..64].chunks(8).map(|row| std::str::from_utf8(row).unwrap()).collect::<Vec<_>>();
        for text in [
            BOARD.to_owned(),
            BOARD.replace(' ', ""),
            BOARD.to_lowercase(),
            BOARD.replace('-', "."),
            format!("{BOARD};"),
            format!("{BOARD}; F5:+0; D3:0; % the start"),
            format!("{BOARD}; -12;"),
            format!("{}\nX", rows.join("\n")),
            "8/8/8/3pP3/3Pp3/8/8/8 b - - 0 1".to_owned(),
            format!("(;GM[Othello]PB[a]PW[b]BO[8 {} *];)", BOARD[..64].replace('X', "*")),
            "(;GM[2])".to_owned(),
        ] {
            assert_eq!(position(&text), BOARD, "{text}");
        }
        let after = position("f5d6c3");
        for text in ["F5 D6 C3", "1. f5 d6 2. c3", "[Black \"x\"]\n\n1. f5 d6 2. c3 *", "(;GM[2];B[fe];W[df];B[cc])"] {
            assert_eq!(position(text), after, "{text}");
        }
        assert_eq!(position(&format!("{BOARD}; f5d6c3")), after);
        assert_eq!(position(&format!("{BOARD} f5 d6 c3")), after);
        for text in ["", " \r\n", "% comment", "# comment"] {
            assert_eq!(position(text), "nothing");
        }
    }

    #[test]
    fn errors_are_those_of_the_format_it_looks_like() {
        assert_eq!(position("f5f5"), "move 2: `f5` is illegal: the square is occupied");
        assert_eq!(position("hello"), "move 1: `hello` is not a move");
        assert_eq!(position(&BOARD[..60]), "the board has 60 cells, not 64");
        assert_eq!(position(&BOARD[..64]), "the side to move is missing after the cells");
        assert_eq!(
            position(&BOARD.replacen('-', "?", 20).replacen('?', "-", 19)),
            "`?` on d3 is neither a disc (X, O) nor an empty square (-)"
        );
        assert_eq!(position(&format!("{BOARD}; A1:+70;")), "`A1:+70` has no score from -64 to +64");
        assert!(position("8/8/8/9/8/8/8/8 w").contains('9'), "{}", position("8/8/8/9/8/8/8/8 w"));
    }
}
