//! What is kept of a game.
//!
//! Owns the forms in which finished games are written down and read again. Start reading at [`GameRecord`].

use crate::board::Color;
use crate::game::{ggf, record, transcript};
use crate::score::Score;
use crate::stats::GamePoints;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::Duration;

/// Why a game ended.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Reason {
    /// Neither side could move: the discs decide.
    Board,
    /// The loser's time ran out.
    Time,
    /// The loser played a move that is not legal.
    Illegal,
    /// The loser gave up.
    Resigned,
    /// The loser's program ended.
    Crash,
    /// The loser, who has no clock, did not answer.
    Silence,
    /// The loser answered what means nothing.
    Garbage,
    /// The loser refused a command or a legal move.
    Refusal,
}

impl Reason {
    /// Whether the engine that lost is in a state unknown and has to be restarted.
    pub const fn needs_restart(self) -> bool {
        !matches!(self, Self::Board | Self::Resigned)
    }

    /// How a win for this reason is written after the winner's letter, if not with discs.
    const fn letter(self) -> char {
        match self {
            Self::Time => 'T',
            Self::Resigned => 'R',
            _ => 'F',
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Board => "board",
            Self::Time => "time",
            Self::Illegal => "illegal",
            Self::Resigned => "resigned",
            Self::Crash => "crash",
            Self::Silence => "silence",
            Self::Garbage => "garbage",
            Self::Refusal => "refusal",
        })
    }
}

/// A turn of a game after its opening.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TurnRecord {
    /// The move, `pass` for a forced pass.
    #[serde(rename = "move")]
    pub mv: String,
    /// Seconds it took.
    pub seconds: f64,
    /// What the engine thought the final score would be, for itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opinion: Option<f64>,
}

/// Discs lost by inaccurate moves late in the game.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct ExactLoss {
    /// Moves with at most this many empty squares before them were checked.
    pub empties: u8,
    /// Discs lost by Black.
    pub black: u32,
    /// Discs lost by White.
    pub white: u32,
    /// Moves of Black that were checked.
    pub black_moves: u32,
    /// Moves of White that were checked.
    pub white_moves: u32,
}

/// A finished game: a line of the JSON file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameRecord {
    /// Number of the pair, from 1.
    pub pair: usize,
    /// Number of the game, from 1; a pair has two consecutive ones.
    pub game: usize,
    /// Black's name.
    pub black: String,
    /// White's name.
    pub white: String,
    /// The opening.
    pub opening: String,
    /// All moves, the opening's too, without passes.
    pub moves: String,
    /// `B+12`, `W+4`, `0`; `B+T` on time, `B+R` if the opponent resigned, `B+F` for another fault of the opponent.
    pub result: String,
    /// The winner's name; none if the game was drawn.
    pub winner: Option<String>,
    /// The final score from Black's view, empty squares counted for the winner; none unless the board decided.
    pub discs: Option<i32>,
    /// Why the game ended.
    pub reason: Reason,
    /// What exactly went wrong, if something did.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
    /// Seconds Black used.
    pub black_seconds: f64,
    /// Seconds White used.
    pub white_seconds: f64,
    /// Seconds Black was given, increments included; none without a clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub black_given: Option<f64>,
    /// Seconds White was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub white_given: Option<f64>,
    /// The turns after the opening.
    pub turns: Vec<TurnRecord>,
    /// Discs lost late in the game, if that was checked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exact_check: Option<ExactLoss>,
}

impl GameRecord {
    /// How the game went for `color`.
    pub fn points(&self, color: Color) -> GamePoints {
        match &self.winner {
            None => GamePoints::Draw,
            Some(winner) if winner == self.name(color) => GamePoints::Win,
            Some(_) => GamePoints::Loss,
        }
    }

    /// The name of who has `color`.
    pub fn name(&self, color: Color) -> &str {
        match color {
            Color::Black => &self.black,
            Color::White => &self.white,
        }
    }

    /// Seconds used by `color`.
    pub const fn seconds(&self, color: Color) -> f64 {
        match color {
            Color::Black => self.black_seconds,
            Color::White => self.white_seconds,
        }
    }

    /// Seconds that `color` was given; `None` without a clock.
    pub const fn given(&self, color: Color) -> Option<f64> {
        match color {
            Color::Black => self.black_given,
            Color::White => self.white_given,
        }
    }

    /// Discs that `color` won by, if the board decided.
    pub fn discs(&self, color: Color) -> Option<i32> {
        self.discs.map(|discs| if color == Color::Black { discs } else { -discs })
    }

    /// The result in the terms of game files.
    fn verdict(&self) -> Option<record::Verdict> {
        let ending = match self.reason {
            Reason::Board => record::Ending::Normal,
            Reason::Resigned => record::Ending::Resigned,
            Reason::Time => record::Ending::TimeOut,
            _ => record::Ending::Left,
        };
        let outcome = match (self.discs, self.points(Color::Black)) {
            (Some(discs), _) => record::Outcome::Score(Score::from_discs(discs)),
            // The format wants a number; a forfeited game counts as lost by all discs.
            (None, GamePoints::Win) => record::Outcome::Score(Score::MAX),
            (None, GamePoints::Loss) => record::Outcome::Score(Score::MIN),
            (None, GamePoints::Draw) => return None,
        };
        Some(record::Verdict { outcome, ending })
    }

    /// A line of the transcript file: the moves, and the rest as a comment.
    pub fn transcript_line(&self) -> String {
        let Self { pair, game, black, white, opening, moves, result, reason, .. } = self;
        let (black_seconds, white_seconds) = (self.black_seconds, self.white_seconds);
        let detail = if self.detail.is_empty() { String::new() } else { format!(", {}", one_line(&self.detail)) };
        format!(
            "{moves} # game {game}, pair {pair}: {black} v {white}, {result}, {reason}, opening {opening}, \
             {black_seconds:.3} s v {white_seconds:.3} s{detail}"
        )
    }
}

/// A game in GGF on one line: names, result, moves with times and the engines' own evaluations.
pub(super) fn ggf_line(record: &GameRecord) -> String {
    // A record read back from a file is trusted only as far as its moves are legal.
    let game = transcript::parse(&record.moves).unwrap_or_default();
    let player = |name: &str| record::Player { name: Some(name.to_owned()), ..record::Player::default() };
    let opening = game.len().saturating_sub(record.turns.len());
    let notes = record.turns.iter().enumerate().map(|(index, turn)| {
        let time = Duration::try_from_secs_f64(turn.seconds).ok();
        (opening + index, record::Note { eval: turn.opinion, time, comment: None })
    });
    ggf::write(&record::GameRecord {
        black: player(&record.black),
        white: player(&record.white),
        place: Some("Volte".to_owned()),
        verdict: record.verdict(),
        notes: notes.collect(),
        game,
        ..record::GameRecord::default()
    })
}

/// The result as text: who won, and by what.
pub(super) fn result_text(winner: Option<Color>, discs: Option<i32>, reason: Reason) -> String {
    let Some(winner) = winner else { return "0".to_owned() };
    let letter = if winner == Color::Black { 'B' } else { 'W' };
    match discs {
        Some(discs) => format!("{letter}+{}", discs.abs()),
        None => format!("{letter}+{}", reason.letter()),
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A finished pair: the same opening twice, with colours swapped.
#[derive(Clone, PartialEq, Debug)]
pub struct PairRecord {
    /// The two games, in order.
    pub games: [GameRecord; 2],
}

impl PairRecord {
    /// The pair's number, from 1.
    pub const fn number(&self) -> usize {
        self.games[0].pair
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A game between `black` and `white` that ended on the board.
    pub(in super::super) fn on_board(number: usize, black: &str, white: &str, discs: i32) -> GameRecord {
        let winner = match discs {
            ..0 => Some(Color::White),
            0 => None,
            1.. => Some(Color::Black),
        };
        GameRecord {
            pair: number.div_ceil(2),
            game: number,
            black: black.to_owned(),
            white: white.to_owned(),
            opening: "f5d6".to_owned(),
            moves: "f5d6c3".to_owned(),
            result: result_text(winner, Some(discs), Reason::Board),
            winner: winner.map(|winner| if winner == Color::Black { black } else { white }.to_owned()),
            discs: Some(discs),
            reason: Reason::Board,
            detail: String::new(),
            black_seconds: 1.5,
            white_seconds: 0.25,
            black_given: None,
            white_given: None,
            turns: vec![TurnRecord { mv: "c3".to_owned(), seconds: 0.1, opinion: None }],
            exact_check: None,
        }
    }

    #[test]
    fn a_game_comes_back_from_its_line() {
        let mut game = on_board(3, "a", "b", -12);
        game.exact_check = Some(ExactLoss { empties: 10, black: 2, white: 0, black_moves: 5, white_moves: 5 });
        game.turns[0].opinion = Some(-3.5);
        let line = serde_json::to_string(&game).expect("records are JSON");
        assert!(!line.contains('\n'));
        assert_eq!(serde_json::from_str::<GameRecord>(&line).expect("the line is a record"), game);
    }

    #[test]
    fn both_sides_see_the_same_result() {
        let game = on_board(1, "a", "b", -12);
        assert_eq!((game.points(Color::Black), game.points(Color::White)), (GamePoints::Loss, GamePoints::Win));
        assert_eq!((game.discs(Color::Black), game.discs(Color::White)), (Some(-12), Some(12)));
        assert_eq!(on_board(1, "a", "b", 0).points(Color::White), GamePoints::Draw);
    }

    #[test]
    fn results_name_the_winner_and_the_reason() {
        assert_eq!(result_text(Some(Color::White), Some(-4), Reason::Board), "W+4");
        assert_eq!(result_text(None, Some(0), Reason::Board), "0");
        assert_eq!(result_text(Some(Color::Black), None, Reason::Time), "B+T");
        assert_eq!(result_text(Some(Color::Black), None, Reason::Resigned), "B+R");
        assert_eq!(result_text(Some(Color::White), None, Reason::Crash), "W+F");
    }

    #[test]
    fn a_ggf_line_holds_names_result_times_and_opinions() {
        let mut game = on_board(1, "a", "b", -12);
        game.turns[0].opinion = Some(-3.5);
        let line = ggf_line(&game);
        for part in ["PB[a]PW[b]RE[-12.000]", "B[F5]W[D6]B[C3/-3.5/0.1];)"] {
            assert!(line.contains(part), "{part} in {line}");
        }
        game.discs = None;
        game.reason = Reason::Time;
        assert!(ggf_line(&game).contains("RE[-64.000:t]"));
    }

    #[test]
    fn a_transcript_line_is_moves_and_a_comment() {
        let mut game = on_board(2, "a b", "c", 6);
        game.detail = "what\nhappened".to_owned();
        let line = game.transcript_line();
        assert_eq!(
            line,
            "f5d6c3 # game 2, pair 1: a b v c, B+6, board, opening f5d6, 1.500 s v 0.250 s, what happened"
        );
    }
}
