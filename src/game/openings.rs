//! Lists of openings: a transcript a line, such as the lists of XOT; `#` starts a comment, blank lines count for
//! nothing.

use super::Game;
use super::transcript::{self, TranscriptError};
use thiserror::Error;

/// A line that is not an opening.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}: {error}")]
pub struct OpeningError {
    /// Which line; the first one is 1.
    pub line: usize,
    /// What is wrong with it.
    pub error: TranscriptError,
}

/// Reads a list: the openings with the numbers of their lines, and an error for each bad line.
pub fn parse(text: &str) -> impl Iterator<Item = Result<(usize, Game), OpeningError>> + '_ {
    text.lines().enumerate().filter_map(|(index, text)| {
        let line = index + 1;
        match parse_line(text) {
            Ok(game) => game.map(|game| Ok((line, game))),
            Err(error) => Some(Err(OpeningError { line, error })),
        }
    })
}

/// Reads a line; `None` if it is blank or a comment.
///
/// # Errors
/// If the line is not a legal game.
pub fn parse_line(line: &str) -> Result<Option<Game>, TranscriptError> {
    let text = line.split_once('#').map_or(line, |(text, _)| text);
    let text = text.trim_matches(|character: char| character.is_whitespace() || character == '\u{feff}');
    if text.is_empty() { Ok(None) } else { transcript::parse(text).map(Some) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_blank_lines_count_for_nothing() {
        let text = "\u{feff}# list\r\n\r\nf5d6c4 # tiger\r\nF5 F4\nf5f5\n\n  # end\nf5d6";
        let (good, bad): (Vec<_>, Vec<_>) = parse(text).partition(Result::is_ok);
        let good: Vec<_> =
            good.into_iter().map(Result::unwrap).map(|(n, game)| (n, transcript::write(&game))).collect();
        assert_eq!(good, [(3, "f5d6c4".to_owned()), (4, "f5f4".to_owned()), (8, "f5d6".to_owned())]);
        let bad: Vec<_> = bad.into_iter().map(|error| error.unwrap_err().to_string()).collect();
        assert_eq!(bad, ["line 5: move 2: `f5` is illegal: the square is occupied"]);
    }
}
