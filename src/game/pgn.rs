//! Games in the manner of chess (PGN): tags such as `[Black "name"]`, then `1. f5 d6 2. c3 {a comment} … 1-0`.
//!
//! There is no standard for Othello. Here, as in Edax, `1-0` is a win of Black, who moves first; a pass is `pass`, or
//! left out. Clocks are not kept. Start reading at [`parse`].

use super::fen::{self, FenError};
use super::record::{
    Ending, GameRecord, Note, Outcome, Tag, TagOrigin, Verdict, one_line, parse_time, seen_by_black, stated, write_time,
};
use super::{Game, MoveError};
use crate::board::{Color, Move, Setup, SetupError};
use crate::score::Score;
use std::fmt::Write;
use thiserror::Error;

/// Holds the score, in discs from Black's view, of a game that stops before its end; the result tells only who won.
const SCORE_TAG: &str = "Score";

/// Why a text is not a game.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PgnError {
    /// Nothing but white space.
    #[error("there is no game")]
    NoGame,
    /// Something that is no tag.
    #[error("`{0}` is not a tag such as [Black \"name\"]")]
    Tag(String),
    /// The board to start from is not one.
    #[error("FEN: {0}")]
    Fen(#[from] FenError),
    /// The board to start from has two discs on a square.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// A comment or a variation without an end.
    #[error("`{0}` is not closed")]
    Unclosed(char),
    /// A move that is none or cannot be played.
    #[error(transparent)]
    Move(#[from] MoveError),
}

/// Reads one game: tags, then moves. Variations and numbers such as `$3` count for nothing.
///
/// ```
/// use volte::game::{pgn, transcript};
/// let record = pgn::parse("[Black \"Ōno\"]\n\n1. f5 d6 {as ever} 2. c3 *")?;
/// assert_eq!(record.black.name.as_deref(), Some("Ōno"));
/// assert_eq!(transcript::write(&record.game), "f5d6c3");
/// # Ok::<(), pgn::PgnError>(())
/// ```
///
/// # Errors
/// If the text is not a legal game.
pub fn parse(text: &str) -> Result<GameRecord, PgnError> {
    let mut record = GameRecord::default();
    let mut rest = text.trim_start_matches('\u{feff}').trim();
    if rest.is_empty() {
        return Err(PgnError::NoGame);
    }
    while rest.starts_with('[') {
        let bad = || PgnError::Tag(rest.lines().next().unwrap_or("").to_owned());
        let (name, value, after) = leading_tag(rest).ok_or_else(bad)?;
        read_tag(&mut record, name, value)?;
        rest = after.trim_start();
    }
    read_moves(&mut record, rest)?;
    read_score(&mut record);
    Ok(record)
}

/// Takes the score of a game whose moves do not tell it, unless the result names another winner.
fn read_score(record: &mut GameRecord) {
    let Some(at) = record.tags.iter().position(|tag| tag.name == SCORE_TAG) else { return };
    let discs = record.tags[at].text.trim().parse().ok().filter(|discs| (-64..=64).contains(discs));
    let (Some(discs), Some(verdict), true) = (discs, &mut record.verdict, record.game.result().is_none()) else {
        return;
    };
    let outcome = Outcome::Score(Score::from_discs(discs));
    if outcome.winner() == verdict.outcome.winner() {
        verdict.outcome = outcome;
        record.tags.remove(at);
    }
}

/// The tag that `text` starts with, and the text after it.
fn leading_tag(text: &str) -> Option<(&str, String, &str)> {
    let (name, rest) = text.strip_prefix('[')?.split_once('"')?;
    let name = name.trim();
    if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
        return None;
    }
    let mut value = String::new();
    let mut characters = rest.chars();
    loop {
        match characters.next()? {
            '"' => break,
            '\\' => value.push(characters.next()?),
            other => value.push(other),
        }
    }
    let after = characters.as_str().trim_start().strip_prefix(']')?;
    Some((name, value, after))
}

fn read_tag(record: &mut GameRecord, name: &str, value: String) -> Result<(), PgnError> {
    let known = stated(&value).filter(|value| value != "????.??.??");
    match name {
        "Event" => record.event = known,
        "Site" => record.place = known,
        "Date" => record.date = known,
        "Round" => record.round = known,
        "Black" => record.black.name = known,
        "White" => record.white.name = known,
        "BlackElo" => record.black.rating = known,
        "WhiteElo" => record.white.rating = known,
        "Result" => record.verdict = parse_verdict(value.trim()),
        "FEN" => record.game = Game::from_setup(fen::parse(&value)?)?,
        _ => record.tags.push(Tag { origin: TagOrigin::Pgn, name: name.to_owned(), text: value }),
    }
    Ok(())
}

/// The outcome of a result; `*` and what is no result state none.
fn parse_verdict(text: &str) -> Option<Verdict> {
    let outcome = match text {
        "1-0" => Outcome::Win(Color::Black),
        "0-1" => Outcome::Win(Color::White),
        "1/2-1/2" => Outcome::Score(Score::DRAW),
        _ => return None,
    };
    Some(Verdict { outcome, ending: Ending::Normal })
}

fn read_moves(record: &mut GameRecord, mut text: &str) -> Result<(), PgnError> {
    let mut number = 0;
    loop {
        text = text.trim_start();
        let Some(first) = text.chars().next() else { return Ok(()) };
        match first {
            '{' => {
                let (comment, rest) = text[1..].split_once('}').ok_or(PgnError::Unclosed('{'))?;
                read_comment(record, comment);
                text = rest;
                continue;
            }
            ';' => {
                let (comment, rest) = text[1..].split_once('\n').unwrap_or((&text[1..], ""));
                read_comment(record, comment);
                text = rest;
                continue;
            }
            '(' => {
                text = after_variation(text).ok_or(PgnError::Unclosed('('))?;
                continue;
            }
            _ => {}
        }
        let ends = |character: char| character.is_whitespace() || "{};()".contains(character);
        let length = text.find(ends).unwrap_or(text.len()).max(first.len_utf8());
        let (token, rest) = text.split_at(length);
        text = rest;
        if let Some(verdict) = parse_verdict(token) {
            record.verdict = Some(verdict);
        } else if token != "*" && !token.starts_with('$') {
            // A move number may touch its move: `1.f5`, `1...d6`.
            let token = token.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
            if !token.is_empty() {
                number += 1;
                read_move(record, number, token)?;
            }
        }
    }
}

/// Plays a move. Passes after the end of the game count for nothing.
fn read_move(record: &mut GameRecord, number: usize, token: &str) -> Result<(), PgnError> {
    let bare = token.trim_end_matches(['!', '?']);
    let mv: Move = bare.parse().map_err(|_| MoveError::not_a_move(number, token))?;
    if mv == Move::Pass && record.game.is_over() {
        return Ok(());
    }
    Ok(record.game.play_next(mv).map_err(|error| MoveError::illegal(number, token, error))?)
}

/// The text after the variation that `text` starts with; variations nest, and comments may hold parentheses.
fn after_variation(text: &str) -> Option<&str> {
    let mut depth = 0usize;
    let mut in_comment = false;
    for (at, character) in text.char_indices() {
        match character {
            '{' => in_comment = true,
            '}' => in_comment = false,
            '(' if !in_comment => depth += 1,
            ')' if !in_comment => {
                depth -= 1;
                if depth == 0 {
                    return Some(&text[at + 1..]);
                }
            }
            _ => {}
        }
    }
    None
}

/// Takes a comment on the last move; `[%eval 1.5]` (discs, Black's view) and `[%emt 0:12.5]` in it are its value and
/// its time.
fn read_comment(record: &mut GameRecord, comment: &str) {
    let mut words = String::new();
    let mut rest = comment;
    while let Some((before, command)) = rest.split_once("[%") {
        let Some((command, after)) = command.split_once(']') else { break };
        if !read_command(record, command) {
            break;
        }
        words.push_str(before);
        rest = after;
    }
    words.push_str(rest);
    record.add_comment(&words);
}

/// Whether a command is understood.
fn read_command(record: &mut GameRecord, command: &str) -> bool {
    let Some(turn) = record.game.turns().next_back() else { return false };
    let Some((name, value)) = command.split_once(' ') else { return false };
    let mut note = Note::default();
    match name {
        "eval" => {
            let eval = value.trim().parse().ok().filter(|eval: &f64| eval.is_finite());
            note.eval = eval.map(|eval| seen_by_black(eval, turn.color));
        }
        "emt" => note.time = parse_time(value),
        _ => {}
    }
    if note.is_empty() {
        return false;
    }
    let known = record.notes.entry(record.game.len() - 1).or_default();
    known.eval = note.eval.or(known.eval);
    known.time = note.time.or(known.time);
    true
}

/// Writes a game: the seven tags of every PGN and those that are known beyond, an empty line, the moves in lines of
/// at most 80 characters (long comments apart), a line end.
pub fn write(record: &GameRecord) -> String {
    let mut text = String::new();
    let result = record.written_verdict().map_or("*", |verdict| match verdict.outcome.winner() {
        Some(Color::Black) => "1-0",
        Some(Color::White) => "0-1",
        None => "1/2-1/2",
    });
    let or = |value: &Option<String>, unknown: &str| value.clone().unwrap_or_else(|| unknown.to_owned());
    let mut tag = |name: &str, value: &str| {
        let value = one_line(value).replace('\\', "\\\\").replace('"', "\\\"");
        writeln!(text, "[{name} \"{value}\"]").expect("a string takes any text");
    };
    tag("Event", &or(&record.event, "?"));
    tag("Site", &or(&record.place, "?"));
    tag("Date", &or(&record.date, "????.??.??"));
    tag("Round", &or(&record.round, "?"));
    tag("Black", &or(&record.black.name, "?"));
    tag("White", &or(&record.white.name, "?"));
    tag("Result", result);
    for (name, player) in [("BlackElo", &record.black), ("WhiteElo", &record.white)] {
        if let Some(rating) = &player.rating {
            tag(name, rating);
        }
    }
    if record.game.start() != Setup::START {
        tag("FEN", &fen::write(record.game.start()));
    }
    if let (Some(Outcome::Score(score)), true) = (record.outcome(), record.is_unfinished()) {
        tag(SCORE_TAG, &score.discs().to_string());
    }
    for Tag { name, text, .. } in record.tags_of(TagOrigin::Pgn) {
        tag(name, text);
    }
    text.push('\n');
    push_lines(&mut text, move_words(record).chain([result.to_owned()]));
    text
}

/// The words of the moves: numbers, moves, comments.
fn move_words(record: &GameRecord) -> impl Iterator<Item = String> + '_ {
    let opening = record.comment.as_ref().map(|comment| braced(comment));
    let shift = usize::from(record.game.start().side == Color::White);
    let mut is_interrupted = true;
    let turns = record.game.turns().enumerate().flat_map(move |(ply, turn)| {
        let number = (ply + shift) / 2 + 1;
        let label = match turn.color {
            Color::Black => Some(format!("{number}.")),
            Color::White if is_interrupted => Some(format!("{number}...")),
            Color::White => None,
        };
        let note = record.notes.get(&ply).and_then(|note| write_note(note, turn.color));
        is_interrupted = note.is_some();
        [label, Some(turn.mv.to_string()), note].into_iter().flatten()
    });
    opening.into_iter().chain(turns)
}

fn write_note(note: &Note, color: Color) -> Option<String> {
    let eval = note.eval.map(|eval| format!("[%eval {}]", seen_by_black(eval, color)));
    let time = note.time.map(|time| format!("[%emt {}]", write_time(time)));
    let parts: Vec<_> = [eval, time, note.comment.clone()].into_iter().flatten().collect();
    if parts.is_empty() { None } else { Some(braced(&parts.join(" "))) }
}

/// A comment. The format has no escape for its end, and a line of it must not look like the start of a game.
fn braced(comment: &str) -> String {
    format!("{{{}}}", comment.replace('}', ")").replace("\n[", "\n ["))
}

fn push_lines(text: &mut String, words: impl Iterator<Item = String>) {
    const WIDTH: usize = 80;
    let mut column = 0;
    for word in words {
        let width = word.chars().count();
        if column > 0 && column + 1 + width > WIDTH {
            text.push('\n');
            column = 0;
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(&word);
        column += width;
    }
    text.push('\n');
}
