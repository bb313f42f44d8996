//! Games in the Generic Game Format (GGF) of GGS and NBoard:
//! `(;GM[Othello]PC[NBoard]PB[a]PW[b]RE[?]TI[5:00]TY[8]BO[8 -…- *]B[F5//2.4]W[D6/1.2/3];)`.
//!
//! Start reading at [`parse`]. Tags that mean nothing to Volte, or whose text it cannot read, are kept as they are.

use super::board_text::{self, BoardTextError};
use super::record::{
    ClockSetting, Ending, GameRecord, Note, Outcome, Tag, TagOrigin, Verdict, one_line, parse_time, stated,
    write_seconds, write_time,
};
use super::{Game, MoveError};
use crate::board::{Color, Move};
use crate::score::Score;
use std::fmt::Write;
use thiserror::Error;

/// Why a text is not a game.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum GgfError {
    /// The text does not start with `(;`.
    #[error("`{0}` is not a game: expected `(;`")]
    NoGame(String),
    /// The text ends before `;)`.
    #[error("the game is not closed by `;)`")]
    Unclosed,
    /// Something that is no tag.
    #[error("`{0}` is not a tag such as PB[name]")]
    Tag(String),
    /// Something after the game.
    #[error("`{0}` follows the game")]
    Trailing(String),
    /// Not a game of Othello.
    #[error("the game is `{0}`, not Othello")]
    OtherGame(String),
    /// A board of another size.
    #[error("BO[{0}] does not start with board size 8")]
    BoardSize(String),
    /// The board is not one.
    #[error("BO: {0}")]
    Board(#[from] BoardTextError),
    /// A move that is none or cannot be played.
    #[error(transparent)]
    Move(#[from] MoveError),
}

/// Reads one game. A `1` before it counts for nothing, a `2` says that it is half of a synchro pair (number 0).
///
/// # Errors
/// If the text is not a legal game of Othello.
pub fn parse(text: &str) -> Result<GameRecord, GgfError> {
    let text = text.trim();
    let body = text.trim_start_matches(['1', '2', ' ']).strip_prefix("(;");
    let tags = tags(body.ok_or_else(|| GgfError::NoGame(excerpt(text)))?)?;
    let text_of = |wanted: &str| tags.iter().find(|(name, _)| name == wanted).map(|&(_, text)| text);
    if let Some(other) = text_of("GM").filter(|game| !game.trim().eq_ignore_ascii_case("othello")) {
        return Err(GgfError::OtherGame(other.to_owned()));
    }
    let mut record = GameRecord::of(text_of("BO").map_or(Ok(Game::new()), read_board)?);
    record.pair = text.starts_with('2').then_some(0);
    let mut number = 0;
    for (name, text) in &tags {
        match name.as_str() {
            "B" | "W" => {
                number += 1;
                let color = if name == "B" { Color::Black } else { Color::White };
                read_move(&mut record, number, color, text)?;
            }
            name => read_tag(&mut record, name, text),
        }
    }
    Ok(record)
}

/// The tags up to `;)`: name in capitals, text.
fn tags(mut text: &str) -> Result<Vec<(String, &str)>, GgfError> {
    let mut tags = Vec::new();
    loop {
        text = text.trim_start();
        if let Some(rest) = text.strip_prefix(";)").or_else(|| text.strip_prefix(')')) {
            let rest = rest.trim();
            return if rest.is_empty() { Ok(tags) } else { Err(GgfError::Trailing(excerpt(rest))) };
        }
        if text.is_empty() {
            return Err(GgfError::Unclosed);
        }
        let (name, rest) = text.split_once('[').ok_or_else(|| GgfError::Tag(excerpt(text)))?;
        let name = name.trim_end();
        if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphabetic()) {
            return Err(GgfError::Tag(excerpt(text)));
        }
        let (content, rest) = rest.split_once(']').ok_or(GgfError::Unclosed)?;
        tags.push((name.to_ascii_uppercase(), content));
        text = rest;
    }
}

/// The start of a text, for an error message.
fn excerpt(text: &str) -> String {
    text.chars().take(20).collect()
}

fn read_board(text: &str) -> Result<Game, GgfError> {
    let text = text.trim();
    let board = text.strip_prefix('8').filter(|rest| !rest.starts_with(|c: char| c.is_ascii_digit()));
    let setup = board_text::parse(board.ok_or_else(|| GgfError::BoardSize(excerpt(text)))?)?;
    Ok(Game::from_setup(setup).expect("a board read from text has one disc a square"))
}

/// A move with what its tag says about it.
#[derive(Clone, PartialEq, Debug)]
pub struct Step {
    /// The move.
    pub mv: Move,
    /// Its value and its time, as far as they are stated and readable.
    pub note: Note,
}

/// Reads the text of a move's tag, `SQ[/[eval][/[time]]]`; `None` if it does not begin with a move.
pub fn parse_step(text: &str) -> Option<Step> {
    let mut parts = text.splitn(3, '/').map(str::trim);
    let mv = parse_move(parts.next()?)?;
    let eval = parts.next().and_then(|eval| eval.parse().ok()).filter(|eval: &f64| eval.is_finite());
    let time = parts.next().and_then(parse_time);
    Some(Step { mv, note: Note { eval, time, comment: None } })
}

/// Plays the move of a tag. Passes after the end of the game count for nothing.
fn read_move(record: &mut GameRecord, number: usize, color: Color, text: &str) -> Result<(), GgfError> {
    let Step { mv, note } = parse_step(text).ok_or_else(|| MoveError::not_a_move(number, text))?;
    if mv == Move::Pass && record.game.is_over() {
        return Ok(());
    }
    let game = &mut record.game;
    game.play_as(color, mv).map_err(|error| MoveError::illegal(number, text, error))?;
    if !note.is_empty() {
        record.notes.insert(record.game.len() - 1, note);
    }
    Ok(())
}

/// Reads a move as GGF and NBoard spell it: a square, or a pass as `--` or any start of `PASS`, in any case.
pub fn parse_move(text: &str) -> Option<Move> {
    let is_pass = !text.is_empty() && "PASS".get(..text.len()).is_some_and(|pass| pass.eq_ignore_ascii_case(text));
    if is_pass { Some(Move::Pass) } else { text.parse().ok() }
}

fn read_tag(record: &mut GameRecord, name: &str, text: &str) {
    let mut read = || {
        match name {
            "GM" | "BO" => {}
            "PB" => record.black.name = stated(text),
            "PW" => record.white.name = stated(text),
            "RB" => record.black.rating = stated(text),
            "RW" => record.white.rating = stated(text),
            "PC" => record.place = stated(text),
            "DT" => record.date = stated(text),
            "CO" => record.add_comment(text),
            "TY" if text.trim() == "8" => {}
            "RE" if stated(text).is_none() => {}
            "RE" => record.verdict = Some(parse_verdict(text)?),
            "TB" => record.black.clock = Some(parse_clock(text)?),
            "TW" => record.white.clock = Some(parse_clock(text)?),
            "TI" => {
                let clock = Some(parse_clock(text)?);
                (record.black.clock, record.white.clock) = (clock, clock);
            }
            _ => return None,
        }
        Some(())
    };
    if read().is_none() {
        record.tags.push(Tag { origin: TagOrigin::Ggf, name: name.to_owned(), text: text.to_owned() });
    }
}

/// `main[/increment[/grace]]`.
fn parse_clock(text: &str) -> Option<ClockSetting> {
    let mut parts = text.split('/').map(str::trim);
    let main = parse_time(parts.next()?)?;
    let mut part = || match parts.next() {
        None | Some("") => Some(None),
        Some(time) => parse_time(time).map(Some),
    };
    let (increment, grace) = (part()?, part()?);
    parts.next().is_none().then_some(ClockSetting { main, increment, grace })
}

/// `+2.000`, with `:r`, `:t`, `:s` or `:l` for an early end.
fn parse_verdict(text: &str) -> Option<Verdict> {
    let (score, ending) = text.trim().split_once(':').unwrap_or((text.trim(), ""));
    let ending = match ending {
        "" => Ending::Normal,
        "r" => Ending::Resigned,
        "t" => Ending::TimeOut,
        "s" => Ending::Mutual,
        "l" => Ending::Left,
        _ => return None,
    };
    let score: f64 = score.trim().parse().ok()?;
    #[expect(clippy::cast_possible_truncation, reason = "checked to be a whole number of discs")]
    let discs = (score.fract() == 0.0 && score.abs() <= 64.0).then_some(score as i32)?;
    Some(Verdict { outcome: Outcome::Score(Score::from_discs(discs)), ending })
}

/// Writes a game on one line, without the line end and without a mark for a synchro pair. The format has no escape
/// for `]`, so it becomes `)`, and line ends become spaces.
pub fn write(record: &GameRecord) -> String {
    let mut text = String::from("(;");
    let mut tag = |name: &str, value: &str| {
        let value = one_line(value).replace(']', ")");
        write!(text, "{name}[{value}]").expect("a string takes any text");
    };
    let known = |value: &Option<String>| value.clone().unwrap_or_default();
    tag("GM", "Othello");
    tag("PC", &known(&record.place.clone().or_else(|| record.event.clone())));
    if let Some(date) = &record.date {
        tag("DT", date);
    }
    tag("PB", &known(&record.black.name));
    tag("PW", &known(&record.white.name));
    for (name, player) in [("RB", &record.black), ("RW", &record.white)] {
        if let Some(rating) = &player.rating {
            tag(name, rating);
        }
    }
    tag("RE", &record.written_verdict().and_then(write_verdict).unwrap_or_else(|| "?".to_owned()));
    match (record.black.clock, record.white.clock) {
        (Some(black), Some(white)) if black == white => tag("TI", &write_clock(black)),
        (black, white) => {
            for (name, clock) in [("TB", black), ("TW", white)] {
                if let Some(clock) = clock {
                    tag(name, &write_clock(clock));
                }
            }
        }
    }
    if !record.tags_of(TagOrigin::Ggf).any(|tag| tag.name == "TY") {
        tag("TY", "8");
    }
    let start = record.game.start();
    let side = if start.side == Color::Black { '*' } else { 'O' };
    tag("BO", &format!("8 {} {side}", board_text::cells(start, ['*', 'O', '-'])));
    for Tag { name, text, .. } in record.tags_of(TagOrigin::Ggf) {
        tag(name, text);
    }
    if let Some(comment) = &record.comment {
        tag("CO", comment);
    }
    for (ply, turn) in record.game.turns().enumerate() {
        let note = record.notes.get(&ply);
        tag(if turn.color == Color::Black { "B" } else { "W" }, &write_move(turn.mv, note));
        if let Some(comment) = note.and_then(|note| note.comment.as_ref()) {
            tag("CO", comment);
        }
    }
    text + ";)"
}

fn write_move(mv: Move, note: Option<&Note>) -> String {
    let mut text = mv.square().map_or_else(|| "PA".to_owned(), |square| square.to_string().to_uppercase());
    let Some(note) = note else { return text };
    if note.eval.is_some() || note.time.is_some() {
        text.push('/');
    }
    if let Some(eval) = note.eval {
        // Zero has no sign.
        text.push_str(&(eval + 0.0).to_string());
    }
    if let Some(time) = note.time {
        text.push('/');
        text.push_str(&write_seconds(time));
    }
    text
}

fn write_clock(clock: ClockSetting) -> String {
    let mut text = write_time(clock.main);
    if clock.increment.is_some() || clock.grace.is_some() {
        text.push('/');
        text.push_str(&clock.increment.map(write_time).unwrap_or_default());
    }
    if let Some(grace) = clock.grace {
        text.push('/');
        text.push_str(&write_time(grace));
    }
    text
}

/// The format has no word for a win by an unknown number of discs.
fn write_verdict(verdict: Verdict) -> Option<String> {
    let Outcome::Score(score) = verdict.outcome else { return None };
    let ending = match verdict.ending {
        Ending::Normal => "",
        Ending::Resigned => ":r",
        Ending::TimeOut => ":t",
        Ending::Mutual => ":s",
        Ending::Left => ":l",
    };
    Some(format!("{:+}.000{ending}", score.discs()))
}
