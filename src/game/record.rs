//! A game with all that its file says about it, whatever the format.
//!
//! Each format reads into a [`GameRecord`] and writes from one; what a format has no place for is left out.

use super::Game;
use super::obf::Problem;
use crate::board::Color;
use crate::score::Score;
use std::collections::BTreeMap;
use std::time::Duration;

/// A game, who played it, when and where, what became of it, and notes on its turns.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct GameRecord {
    /// The game.
    pub game: Game,
    /// Who played Black.
    pub black: Player,
    /// Who played White.
    pub white: Player,
    /// The tournament or match.
    pub event: Option<String>,
    /// The place, or the server.
    pub place: Option<String>,
    /// The round of the event.
    pub round: Option<String>,
    /// The date as written, in any form.
    pub date: Option<String>,
    /// The result that the file states. The moves are trusted more: see [`GameRecord::outcome`].
    pub verdict: Option<Verdict>,
    /// A comment on the whole game.
    pub comment: Option<String>,
    /// Notes on turns, by their index from 0, passes included.
    pub notes: BTreeMap<usize, Note>,
    /// What a WTHOR file knows beyond this.
    pub wthor: Option<WthorFields>,
    /// Which synchro pair of its file the game is half of: two games with the same start, played at once with colours
    /// swapped, that stand next to each other.
    pub pair: Option<u32>,
    /// Tags that no field above stands for. Each is written again in the format it comes from.
    pub tags: Vec<Tag>,
}

/// One of the players.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Player {
    /// The name.
    pub name: Option<String>,
    /// The rating as written.
    pub rating: Option<String>,
    /// The clock at the start of the game.
    pub clock: Option<ClockSetting>,
}

/// A clock as game files state it; what is not stated is left to the reader.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClockSetting {
    /// Time at the start.
    pub main: Duration,
    /// Time added after each move.
    pub increment: Option<Duration>,
    /// Time given once when the rest has run out.
    pub grace: Option<Duration>,
}

/// A note on a turn.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Note {
    /// The value of the turn in discs, from the view of the side that moved. Finite.
    pub eval: Option<f64>,
    /// The time taken.
    pub time: Option<Duration>,
    /// A comment.
    pub comment: Option<String>,
}

/// A result that a file states.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// Who won, and by how much.
    pub outcome: Outcome,
    /// How the game came to its end.
    pub ending: Ending,
}

/// Who won a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The score from Black's view; 0 is a draw.
    Score(Score),
    /// A win by nobody knows how much.
    Win(Color),
}

/// How a game came to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Ending {
    /// It was played out, or nothing else is known.
    #[default]
    Normal,
    /// One side resigned.
    Resigned,
    /// One side ran out of time.
    TimeOut,
    /// The sides agreed.
    Mutual,
    /// One side left.
    Left,
}

/// What a WTHOR file knows of a game beyond other formats.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WthorFields {
    /// Number of the tournament.
    pub tournament: u16,
    /// Number of the player of Black.
    pub black: u16,
    /// Number of the player of White.
    pub white: u16,
    /// Black's discs after perfect play from [`WthorFields::depth`] empty squares on.
    pub theoretical: u8,
    /// Empty squares from which the theoretical score holds.
    pub depth: u8,
}

/// A tag that only its own format understands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tag {
    /// The format.
    pub origin: TagOrigin,
    /// The name of the tag.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// The formats that have tags.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TagOrigin {
    /// The Generic Game Format.
    Ggf,
    /// The Smart Game Format.
    Sgf,
    /// The Portable Game Notation.
    Pgn,
}

impl GameRecord {
    /// A record of a game of which nothing else is known.
    pub fn of(game: Game) -> Self {
        Self { game, ..Self::default() }
    }

    /// A game without moves at the position of a problem.
    pub fn of_problem(problem: Problem) -> Self {
        let game = Game::from_setup(problem.setup).unwrap_or_default();
        Self { comment: problem.comment, ..Self::of(game) }
    }

    /// Whether the moves stop before the end of the game.
    pub fn is_unfinished(&self) -> bool {
        !self.game.is_over()
    }

    /// How the game ended: by its moves if they lead to its end, or else as the file states.
    pub fn outcome(&self) -> Option<Outcome> {
        match self.game.result() {
            Some(result) => Some(Outcome::Score(result.score)),
            None => self.verdict.map(|verdict| verdict.outcome),
        }
    }

    /// The player of a colour.
    pub const fn player(&self, color: Color) -> &Player {
        match color {
            Color::Black => &self.black,
            Color::White => &self.white,
        }
    }

    /// The player of a colour.
    pub const fn player_mut(&mut self, color: Color) -> &mut Player {
        match color {
            Color::Black => &mut self.black,
            Color::White => &mut self.white,
        }
    }

    /// What a writer says about the end of the game: the outcome by the moves, or else the stated one.
    pub(crate) fn written_verdict(&self) -> Option<Verdict> {
        let ending = self.verdict.map_or(Ending::Normal, |verdict| verdict.ending);
        self.outcome().map(|outcome| Verdict { outcome, ending })
    }

    /// The tags that come from `origin`.
    pub(crate) fn tags_of(&self, origin: TagOrigin) -> impl Iterator<Item = &Tag> {
        self.tags.iter().filter(move |tag| tag.origin == origin)
    }

    /// Adds a comment to the last turn, or to the game before the first one.
    pub(crate) fn add_comment(&mut self, text: &str) {
        match self.game.len().checked_sub(1) {
            Some(ply) if stated(text).is_some() => append(&mut self.notes.entry(ply).or_default().comment, text),
            Some(_) => {}
            None => append(&mut self.comment, text),
        }
    }
}

impl Outcome {
    /// The side that won; `None` is a draw.
    pub fn winner(self) -> Option<Color> {
        match self {
            Self::Win(color) => Some(color),
            Self::Score(score) if score > Score::DRAW => Some(Color::Black),
            Self::Score(score) if score < Score::DRAW => Some(Color::White),
            Self::Score(_) => None,
        }
    }
}

impl Note {
    /// Whether the note says nothing.
    pub const fn is_empty(&self) -> bool {
        self.eval.is_none() && self.time.is_none() && self.comment.is_none()
    }
}

/// A value of a turn by this colour as Black sees it, or back again. Zero has no sign, which files would show as `-0`.
pub(crate) fn seen_by_black(eval: f64, color: Color) -> f64 {
    if color == Color::Black { eval + 0.0 } else { 0.0 - eval }
}

/// A field as it is kept: without outer white space, and only if anything is stated; many files write `?` for nothing.
pub(crate) fn stated(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty() && text != "?").then(|| text.to_owned())
}

/// Adds a line to a comment.
pub(crate) fn append(comment: &mut Option<String>, text: &str) {
    let Some(text) = stated(text) else { return };
    match comment {
        Some(comment) => {
            comment.push('\n');
            comment.push_str(&text);
        }
        None => *comment = Some(text),
    }
}

/// Text on one line.
pub(crate) fn one_line(text: &str) -> String {
    text.replace("\r\n", " ").replace(['\r', '\n'], " ")
}

/// Reads a time: seconds with or without a fraction, or `[[d.]h:]m:s`.
pub(crate) fn parse_time(text: &str) -> Option<Duration> {
    let text = text.trim();
    let (days, rest) = match (text.find('.'), text.find(':')) {
        (Some(dot), Some(colon)) if dot < colon => (text[..dot].parse::<u32>().ok()?, &text[dot + 1..]),
        _ => (0, text),
    };
    let mut parts = rest.rsplit(':');
    let seconds = parts.next()?;
    if !seconds.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
        return None;
    }
    let mut time = Duration::try_from_secs_f64(seconds.parse().ok()?).ok()?;
    for unit in [60, 3600] {
        let Some(part) = parts.next() else { break };
        time = time.checked_add(Duration::from_secs(unit).checked_mul(part.parse().ok()?)?)?;
    }
    let days = Duration::from_secs(24 * 3600).checked_mul(days)?;
    let time = time.checked_add(days)?;
    (parts.next().is_none() && time <= LONGEST_TIME).then_some(time)
}

/// What is longer than this is no time of a game.
const LONGEST_TIME: Duration = Duration::from_secs(1_000_000_000);

/// Writes a time as `m:ss` or `h:mm:ss`, with a fraction if it has one.
pub(crate) fn write_time(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let whole =
        if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") };
    whole + &fraction(time)
}

/// Writes a time in seconds, with a fraction if it has one.
pub(crate) fn write_seconds(time: Duration) -> String {
    time.as_secs().to_string() + &fraction(time)
}

/// The part of a second, with its point; nothing if there is none.
fn fraction(time: Duration) -> String {
    match time.subsec_nanos() {
        0 => String::new(),
        nanos => format!(".{nanos:09}").trim_end_matches('0').to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_in_every_form() {
        for (text, millis) in [
            ("15:00", 900_000),
            ("0", 0),
            ("5", 5_000),
            ("2.5", 2_500),
            ("1:02:03", 3_723_000),
            ("1:02.25", 62_250),
            ("1.00:00:01", 86_401_000),
        ] {
            assert_eq!(parse_time(text), Some(Duration::from_millis(millis)), "{text}");
            let time = Duration::from_millis(millis);
            assert_eq!(parse_time(&write_time(time)), Some(time), "{text}");
        }
        for text in
            ["", "x", "-5", "1:2:3:4", "1e9", "inf", "nan", "99999999999999999999999", "4294967295.1193046:0:0", ":"]
        {
            let read = parse_time(text);
            assert!(read.is_none(), "{text}: {read:?}");
        }
    }
}
