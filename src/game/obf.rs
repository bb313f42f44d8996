//! Problem files (OBF): a board a line, the scores that are known for its moves, and a comment, such as
//! `--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; G8:+18; H1:+12; % FFO 40`.
//!
//! Start reading at [`parse`] for a file and at [`parse_line`] for a line.

use super::board_text::{self, BoardTextError};
use crate::board::{Move, ParseMoveError, Position, Setup};
use crate::score::Score;
use std::fmt::Write;
use thiserror::Error;

/// A position with what is known about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// The board; one disc a square.
    pub setup: Setup,
    /// Legal moves with their scores, from the view of the side to move, in the order of the file. Not always all
    /// moves, and not always the best first.
    pub moves: Vec<(Move, Score)>,
    /// The score of the position, where it is given without a move.
    pub score: Option<Score>,
    /// Whether the file says that there are other moves, of which it knows no score.
    pub has_others: bool,
    /// The comment, without its `%`.
    pub comment: Option<String>,
}

/// Why a line of a file is not a problem.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}: {error}")]
pub struct ObfError {
    /// Which line; the first one is 1.
    pub line: usize,
    /// What is wrong with it.
    pub error: LineError,
}

/// Why a line is not a problem.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LineError {
    /// The board is not one.
    #[error(transparent)]
    Board(#[from] BoardTextError),
    /// A field that belongs to no move.
    #[error("`{field}`: {error}")]
    Move {
        /// The field.
        field: String,
        /// What is wrong with its move.
        error: ParseMoveError,
    },
    /// A field with a move that cannot be played.
    #[error("`{0}`: the move is not legal")]
    Illegal(String),
    /// A field without a score.
    #[error("`{0}` has no score from -64 to +64")]
    Score(String),
}

impl Problem {
    /// A position of which nothing is known yet.
    pub const fn new(setup: Setup) -> Self {
        Self { setup, moves: Vec::new(), score: None, has_others: false, comment: None }
    }

    /// The score of the position: that of the best listed move, or the one given for the position itself.
    pub fn best_score(&self) -> Option<Score> {
        self.moves.iter().map(|&(_, score)| score).max().or(self.score)
    }

    /// The listed score of a move.
    pub fn score_of(&self, mv: Move) -> Option<Score> {
        self.moves.iter().find(|&&(listed, _)| listed == mv).map(|&(_, score)| score)
    }
}

/// Reads a file: the problems with the numbers of their lines, and an error for each bad line. Blank lines and lines of
/// comment are left out.
pub fn parse(text: &str) -> impl Iterator<Item = Result<(usize, Problem), ObfError>> + '_ {
    text.trim_start_matches('\u{feff}').lines().enumerate().filter_map(|(index, text)| {
        let line = index + 1;
        match parse_line(text) {
            Ok(problem) => problem.map(|problem| Ok((line, problem))),
            Err(error) => Some(Err(ObfError { line, error })),
        }
    })
}

/// Reads a line; `None` if it is blank or a comment.
///
/// # Errors
/// If the line is anything else but a board with fields of known scores.
pub fn parse_line(line: &str) -> Result<Option<Problem>, LineError> {
    let (line, comment) = match line.split_once('%') {
        Some((line, comment)) => (line, Some(comment.trim().to_owned())),
        None => (line, None),
    };
    if line.trim().is_empty() {
        return Ok(None);
    }
    let (setup, rest) = board_text::parse_prefix(line)?;
    let (junk, fields) = rest.split_once(';').unwrap_or((rest, ""));
    if !junk.trim().is_empty() {
        return Err(BoardTextError::Trailing(junk.trim().to_owned()).into());
    }
    let mut problem = Problem { comment, ..Problem::new(setup) };
    let position = setup.position().expect("a board read from text has one disc a square");
    for field in fields.split(';').map(str::trim).filter(|field| !field.is_empty()) {
        read_field(&mut problem, position, field)?;
    }
    Ok(Some(problem))
}

/// Takes one field: `move:score`, `:score` or `score`.
fn read_field(problem: &mut Problem, position: Position, field: &str) -> Result<(), LineError> {
    let (mv, score) = field.split_once(':').unwrap_or(("", field));
    let (mv, score) = (mv.trim(), read_score(score.trim()));
    if mv == "--" && !position.must_pass() && !position.is_over() {
        // Here the score is a placeholder that says nothing, usually -127.
        problem.has_others = true;
        return Ok(());
    }
    let score = score.ok_or_else(|| LineError::Score(field.to_owned()))?;
    if mv.is_empty() {
        problem.score = Some(score);
        return Ok(());
    }
    let mv: Move = mv.parse().map_err(|error| LineError::Move { field: field.to_owned(), error })?;
    if mv == Move::Pass && position.is_over() {
        problem.score = Some(score);
    } else if position.make(mv).is_some() {
        problem.moves.push((mv, score));
    } else {
        return Err(LineError::Illegal(field.to_owned()));
    }
    Ok(())
}

fn read_score(text: &str) -> Option<Score> {
    let discs: i32 = text.parse().ok()?;
    (Score::MIN.discs()..=Score::MAX.discs()).contains(&discs).then(|| Score::from_discs(discs))
}

/// Writes a problem as one line, without the line end.
pub fn write(problem: &Problem) -> String {
    let mut text = board_text::write(problem.setup);
    text.push(';');
    let mut field = |mv: &str, score: i32| {
        let separator = if mv.is_empty() { "" } else { ":" };
        write!(text, " {mv}{separator}{score:+};").expect("a string takes any text");
    };
    for (mv, score) in &problem.moves {
        let mv = mv.square().map_or_else(|| "PS".to_owned(), |square| square.to_string().to_uppercase());
        field(&mv, score.discs());
    }
    if let Some(score) = problem.score {
        field("", score.discs());
    }
    if problem.has_others {
        field("--", UNSCORED);
    }
    if let Some(comment) = &problem.comment {
        let comment = comment.replace(['\r', '\n'], " ");
        write!(text, " % {comment}").expect("a string takes any text");
    }
    text
}

/// What files give as the score of moves whose score is not known.
const UNSCORED: i32 = -127;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Color, Square};

    const FFO40: &str = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X";

    #[test]
    fn a_problem_has_scores_and_a_comment() {
        let line = format!("{FFO40}; G8:+18; H1:+12; H7:-6; % FFO 40");
        let problem = parse_line(&line).unwrap().unwrap();
        assert_eq!(problem.setup.side, Color::Black);
        assert_eq!(problem.best_score(), Some(Score::from_discs(18)));
        assert_eq!(problem.score_of(Move::Place(Square::H7)), Some(Score::from_discs(-6)));
        assert_eq!(problem.score_of(Move::Place(Square::A2)), None);
        assert_eq!(problem.comment.as_deref(), Some("FFO 40"));
        assert_eq!(write(&problem), line);
    }

    #[test]
    fn lines_of_the_wild_are_read() {
        let glued = FFO40.replace(' ', "");
        for line in [
            FFO40.to_owned(),
            format!("{FFO40};"),
            format!("{glued}; % x"),
            format!("{}     x ;  +4 ;\r", &FFO40[..64]),
            format!("{FFO40};:+4;"),
            format!("{FFO40}; g8:18;H1 : +12 ; --:-127;% tail"),
        ] {
            let problem = parse_line(&line).unwrap().unwrap();
            assert_eq!(problem.setup, board_text::parse(FFO40).unwrap(), "{line}");
            assert_eq!(problem.has_others, line.contains("127"), "{line}");
            assert_eq!(problem.score.is_some(), line.contains("+4"), "{line}");
        }
        for line in ["", "\r", "   ", "% a comment", "  %", "%"] {
            assert_eq!(parse_line(line), Ok(None), "{line:?}");
        }
    }

    #[test]
    fn a_forced_pass_can_be_listed() {
        let game = crate::game::transcript::parse("d3c3b3b2f5a3a1c1").unwrap();
        let board = board_text::write(game.setup());
        for pass in ["PS", "pa", "PASS", "--"] {
            let problem = parse_line(&format!("{board}; {pass}:-4;")).unwrap().unwrap();
            assert_eq!(problem.moves, [(Move::Pass, Score::from_discs(-4))]);
            assert_eq!(write(&problem), format!("{board}; PS:-4;"));
        }
    }

    #[test]
    fn a_bad_line_is_reported_and_the_others_are_read() {
        let text = format!(
            "% set\r\n{FFO40}; G8:+18;\r\n\r\nhello\n{FFO40}; G8\n{FFO40}; A1:+70;\n{FFO40}; Z9:+2;\n{FFO40}; C1:+2;\n{FFO40} X;\n{FFO40}; H1:+12;"
        );
        let (good, bad): (Vec<_>, Vec<_>) = parse(&text).partition(Result::is_ok);
        let lines: Vec<_> = good.into_iter().map(|problem| problem.unwrap().0).collect();
        assert_eq!(lines, [2, 10]);
        let errors: Vec<_> = bad.into_iter().map(|error| error.unwrap_err().to_string()).collect();
        assert_eq!(
            errors,
            [
                "line 4: `h` on a1 is neither a disc (X, O) nor an empty square (-)",
                "line 5: `G8` has no score from -64 to +64",
                "line 6: `A1:+70` has no score from -64 to +64",
                "line 7: `Z9:+2`: `Z9` is not a move: expected a square such as f5, or pass",
                "line 8: `C1:+2`: the move is not legal",
                "line 9: `X` follows the side to move",
            ]
        );
    }
}
