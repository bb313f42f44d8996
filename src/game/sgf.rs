//! Games in the Smart Game Format (SGF) for Othello: `(;FF[4]GM[2]SZ[8]PB[a]PW[b];B[fe];W[df];B[cc])`.
//!
//! Two dialects exist: squares as two letters, column and row from the top left (`cd` is c4), with passes left out; and
//! squares as everywhere else (`c4`) with passes as `PA`. Each square says by itself which it is. Of variations the
//! first one is the game. Clocks and the times of moves are not kept. Start reading at [`parse`].

use super::record::{Ending, GameRecord, Outcome, Tag, TagOrigin, Verdict, append, one_line, seen_by_black, stated};
use super::{Game, MoveError};
use crate::board::{Bitboard, Color, Move, Setup, SetupError, Square};
use crate::score::Score;
use std::fmt::Write;
use thiserror::Error;

/// Why a text is not a game.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SgfError {
    /// The text does not start with `(;`.
    #[error("`{0}` is not a game: expected `(;`")]
    NoGame(String),
    /// The text ends within the game.
    #[error("the game is not closed by `)`")]
    Unclosed,
    /// Something that is no property.
    #[error("`{0}` is not a property such as B[f5]")]
    Property(String),
    /// Not a game of Othello.
    #[error("GM[{0}] is not Othello, which is GM[2]")]
    OtherGame(String),
    /// A board of another size.
    #[error("SZ[{0}] is not board size 8")]
    BoardSize(String),
    /// A square that is not one, in the set-up.
    #[error("{property}[{text}]: not a square")]
    SetupSquare {
        /// The property.
        property: String,
        /// Its value.
        text: String,
    },
    /// The set-up puts two discs on a square.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// The board is changed after a move.
    #[error("{0} sets up the board after the first move")]
    LateSetup(String),
    /// A move that is none or cannot be played.
    #[error(transparent)]
    Move(#[from] MoveError),
}

/// How a square is spelled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// Column and row letters from the top left, as in files of Go: c4 is `cd`. Passes are left out.
    Letters,
    /// As everywhere else: `c4`, a pass is `PA`.
    Algebraic,
}

/// Reads one game, the first variation of each choice.
///
/// ```
/// use volte::game::{sgf, transcript};
/// for text in ["(;GM[2];B[fe];W[df](;B[cc])(;B[dc]))", "(;GM[2]B[f5];W[d6];B[c3];)"] {
///     assert_eq!(transcript::write(&sgf::parse(text)?.game), "f5d6c3");
/// }
/// # Ok::<(), sgf::SgfError>(())
/// ```
///
/// # Errors
/// If the text is not a legal game of Othello.
pub fn parse(text: &str) -> Result<GameRecord, SgfError> {
    let text = text.trim();
    let no_game = || SgfError::NoGame(excerpt(text));
    let body =
        text.strip_prefix('(').map(str::trim_start).and_then(|rest| rest.strip_prefix(';')).ok_or_else(no_game)?;
    let mut lexer = Lexer(body);
    let mut builder = Builder::default();
    while let Some(item) = lexer.next_item()? {
        match item {
            Item::Node => builder.is_root = false,
            Item::Property(name, values) => builder.take(name, &values)?,
        }
    }
    builder.finish()
}

/// A piece of a game.
enum Item<'a> {
    /// The start of a node after the first one.
    Node,
    /// A property: its name and its values.
    Property(&'a str, Vec<String>),
}

/// The text of a game from its first property on.
struct Lexer<'a>(&'a str);

impl<'a> Lexer<'a> {
    /// The next piece on the first way through the variations; `None` at its end.
    fn next_item(&mut self) -> Result<Option<Item<'a>>, SgfError> {
        loop {
            self.0 = self.0.trim_start();
            match self.0.chars().next() {
                None => return Err(SgfError::Unclosed),
                // The first variation ends the game; the others start after it.
                Some(')') => return Ok(None),
                Some('(') => self.0 = &self.0[1..],
                Some(';') => {
                    self.0 = &self.0[1..];
                    return Ok(Some(Item::Node));
                }
                Some(_) => return self.property().map(Some),
            }
        }
    }

    fn property(&mut self) -> Result<Item<'a>, SgfError> {
        let whole = self.0;
        let bad = || SgfError::Property(excerpt(whole));
        let (name, mut rest) = whole.split_once('[').ok_or_else(bad)?;
        let name = name.trim_end();
        if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphabetic()) {
            return Err(bad());
        }
        let mut values = Vec::new();
        loop {
            let (value, after) = value(rest).ok_or(SgfError::Unclosed)?;
            values.push(value);
            self.0 = after;
            match after.trim_start().strip_prefix('[') {
                Some(next) => rest = next,
                None => return Ok(Item::Property(name, values)),
            }
        }
    }
}

/// The value that `text` starts with, its escapes resolved, and the text after its `]`.
fn value(text: &str) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut characters = text.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            ']' => return Some((value, &text[at + 1..])),
            '\\' => match characters.next()?.1 {
                // An escaped line end joins two lines.
                '\n' => {}
                '\r' => {
                    if characters.as_str().starts_with('\n') {
                        characters.next();
                    }
                }
                escaped => value.push(escaped),
            },
            other => value.push(other),
        }
    }
    None
}

/// The start of a text, for an error message.
fn excerpt(text: &str) -> String {
    text.chars().take(20).collect()
}

/// A record in the making: the set-up is gathered until the first move.
struct Builder {
    record: GameRecord,
    setup: Option<Setup>,
    side: Option<Color>,
    number: usize,
    is_root: bool,
}

impl Default for Builder {
    fn default() -> Self {
        Self { record: GameRecord::default(), setup: None, side: None, number: 0, is_root: true }
    }
}

impl Builder {
    fn take(&mut self, name: &str, values: &[String]) -> Result<(), SgfError> {
        // Old files spell names in full, and only the capitals count.
        let short: String = name.chars().filter(char::is_ascii_uppercase).collect();
        match short.as_str() {
            "B" => self.play(Color::Black, &values[0]),
            "W" => self.play(Color::White, &values[0]),
            "AB" | "AW" | "AE" => self.set_up(&short, values),
            "PL" => {
                // After a move the rules say whose turn it is.
                if self.number == 0 {
                    let is_white = values[0].trim().starts_with(['W', 'w', '2']);
                    self.side = Some(if is_white { Color::White } else { Color::Black });
                }
                Ok(())
            }
            "GM" if values[0].trim() != "2" => Err(SgfError::OtherGame(values[0].clone())),
            "SZ" if values[0].trim() != "8" => Err(SgfError::BoardSize(values[0].clone())),
            "C" => {
                self.record.add_comment(&values[0]);
                Ok(())
            }
            "V" => {
                self.note_eval(&values[0]);
                Ok(())
            }
            name => {
                if self.is_root && !name.is_empty() {
                    self.describe(name, values);
                }
                Ok(())
            }
        }
    }

    fn set_up(&mut self, name: &str, values: &[String]) -> Result<(), SgfError> {
        if self.number > 0 {
            return Err(SgfError::LateSetup(name.to_owned()));
        }
        let blank = Setup { black: Bitboard::EMPTY, white: Bitboard::EMPTY, side: Color::Black };
        let setup = self.setup.get_or_insert(if name == "AE" { Setup::START } else { blank });
        for text in values {
            let bad = || SgfError::SetupSquare { property: name.to_owned(), text: text.clone() };
            let squares = parse_squares(text).ok_or_else(bad)?;
            match name {
                "AB" => setup.black |= squares,
                "AW" => setup.white |= squares,
                _ => {
                    setup.black &= !squares;
                    setup.white &= !squares;
                }
            }
        }
        Ok(())
    }

    /// Plays a move. Passes after the end of the game count for nothing.
    fn play(&mut self, color: Color, text: &str) -> Result<(), SgfError> {
        if self.number == 0 {
            self.start(color)?;
        }
        self.number += 1;
        let number = self.number;
        let mv = parse_move(text).ok_or_else(|| MoveError::not_a_move(number, text))?;
        if mv == Move::Pass && self.record.game.is_over() {
            return Ok(());
        }
        let game = &mut self.record.game;
        Ok(game.play_as(color, mv).map_err(|error| MoveError::illegal(number, text, error))?)
    }

    /// Puts the set-up on the board; who moves first is to move if the file does not say.
    fn start(&mut self, first: Color) -> Result<(), SgfError> {
        if self.setup.is_some() || self.side.is_some() {
            let setup = self.setup.unwrap_or(Setup::START);
            self.record.game = Game::from_setup(Setup { side: self.side.unwrap_or(first), ..setup })?;
        }
        Ok(())
    }

    /// The value of a node is good for Black when positive.
    fn note_eval(&mut self, text: &str) {
        let eval = text.trim().parse().ok().filter(|eval: &f64| eval.is_finite());
        let (Some(eval), Some(turn)) = (eval, self.record.game.turns().next_back()) else { return };
        let eval = seen_by_black(eval, turn.color);
        self.record.notes.entry(self.record.game.len() - 1).or_default().eval = Some(eval);
    }

    fn describe(&mut self, name: &str, values: &[String]) {
        let record = &mut self.record;
        let value = one_line(&values[0]);
        match name {
            "FF" | "GM" | "SZ" | "CA" => {}
            "PB" => record.black.name = stated(&value),
            "PW" => record.white.name = stated(&value),
            "BR" => record.black.rating = stated(&value),
            "WR" => record.white.rating = stated(&value),
            "EV" => record.event = stated(&value),
            "PC" => record.place = stated(&value),
            "RO" => record.round = stated(&value),
            "DT" => record.date = stated(&value),
            "GC" => append(&mut record.comment, &values[0]),
            "RE" => record.verdict = parse_verdict(&value),
            _ => {
                let tag = |text: &String| Tag { origin: TagOrigin::Sgf, name: name.to_owned(), text: text.clone() };
                record.tags.extend(values.iter().map(tag));
            }
        }
    }

    fn finish(mut self) -> Result<GameRecord, SgfError> {
        if self.number == 0 {
            self.start(Color::Black)?;
        }
        Ok(self.record)
    }
}

/// A square in either dialect.
fn parse_square(text: &str) -> Option<Square> {
    let &[file, rank] = text.trim().as_bytes() else { return None };
    let letter = |byte: u8| usize::from(byte.to_ascii_lowercase().wrapping_sub(b'a'));
    let rank = if rank.is_ascii_digit() { usize::from(rank.wrapping_sub(b'1')) } else { letter(rank) };
    Square::from_file_rank(letter(file), rank)
}

/// A square, or a rectangle by two corners, `aa:bb`.
fn parse_squares(text: &str) -> Option<Bitboard> {
    let Some((from, to)) = text.split_once(':') else { return parse_square(text).map(Square::bit) };
    let (from, to) = (parse_square(from)?, parse_square(to)?);
    let within = |at: usize, a: usize, b: usize| (a.min(b)..=a.max(b)).contains(&at);
    let inside = |square: &Square| {
        within(square.file(), from.file(), to.file()) && within(square.rank(), from.rank(), to.rank())
    };
    Some(Square::ALL.into_iter().filter(inside).collect())
}

/// A square in either dialect, or a pass as nothing, `tt`, `PA` and its like.
fn parse_move(text: &str) -> Option<Move> {
    let text = text.trim();
    if text.is_empty() || text.eq_ignore_ascii_case("tt") {
        return Some(Move::Pass);
    }
    parse_square(text).map(Move::Place).or_else(|| text.parse().ok().filter(|&mv| mv == Move::Pass))
}

/// `B+12`, `W+R`, `0`, `Draw`; anything else states nothing.
fn parse_verdict(text: &str) -> Option<Verdict> {
    let text = text.trim();
    if text == "0" || text.eq_ignore_ascii_case("draw") {
        return Some(Verdict { outcome: Outcome::Score(Score::DRAW), ending: Ending::Normal });
    }
    let (winner, margin) = text.split_once('+')?;
    let winner = match winner {
        "B" | "b" => Color::Black,
        "W" | "w" => Color::White,
        _ => return None,
    };
    let ending = match margin.bytes().next().map(|byte| byte.to_ascii_uppercase()) {
        Some(b'R') => Ending::Resigned,
        Some(b'T') => Ending::TimeOut,
        Some(b'F') => Ending::Left,
        _ => Ending::Normal,
    };
    let outcome = match margin.parse::<i32>() {
        Ok(discs) if (1..=64).contains(&discs) => {
            Outcome::Score(Score::from_discs(if winner == Color::Black { discs } else { -discs }))
        }
        _ => Outcome::Win(winner),
    };
    Some(Verdict { outcome, ending })
}

/// Writes a game on one line, without the line end unless a comment holds one.
pub fn write(record: &GameRecord, dialect: Dialect) -> String {
    let mut text = String::from("(;");
    let mut property = |name: &str, value: &str| push_property(&mut text, name, value);
    for (name, value) in [("FF", "4"), ("GM", "2"), ("CA", "UTF-8"), ("SZ", "8")] {
        property(name, value);
    }
    let fields = [
        ("EV", &record.event),
        ("PC", &record.place),
        ("RO", &record.round),
        ("DT", &record.date),
        ("PB", &record.black.name),
        ("PW", &record.white.name),
        ("BR", &record.black.rating),
        ("WR", &record.white.rating),
    ];
    for (name, value) in fields {
        if let Some(value) = value {
            property(name, &one_line(value));
        }
    }
    if let Some(verdict) = record.written_verdict() {
        property("RE", &write_verdict(verdict));
    }
    if let Some(comment) = &record.comment {
        property("GC", comment);
    }
    let mut last = "";
    for Tag { name, text, .. } in record.tags_of(TagOrigin::Sgf) {
        // The values of one property stand together.
        property(if name == last { "" } else { name }, text);
        last = name;
    }
    push_setup(&mut text, record.game.start(), dialect);
    push_moves(&mut text, record, dialect);
    text + ")"
}

fn push_property(text: &mut String, name: &str, value: &str) {
    // A line of text that looks like the start of a game must not be taken for one.
    let value = value.replace('\\', "\\\\").replace(']', "\\]").replace("\n(;", "\n\\(;");
    write!(text, "{name}[{value}]").expect("a string takes any text");
}

fn push_setup(text: &mut String, setup: Setup, dialect: Dialect) {
    let mut placed = vec![("AB", setup.black), ("AW", setup.white)];
    if setup.black.is_empty() && setup.white.is_empty() {
        // A board that nobody sets up is the usual start.
        placed.push(("AE", Setup::START.black | Setup::START.white));
    }
    for (name, squares) in placed.into_iter().filter(|(_, squares)| !squares.is_empty()) {
        text.push_str(name);
        for square in squares {
            push_property(text, "", &write_square(square, dialect));
        }
    }
    push_property(text, "PL", if setup.side == Color::Black { "B" } else { "W" });
}

fn push_moves(text: &mut String, record: &GameRecord, dialect: Dialect) {
    let last = record.game.len().saturating_sub(1);
    for (ply, turn) in record.game.turns().enumerate() {
        let value = match (turn.mv, dialect) {
            (Move::Place(square), _) => write_square(square, dialect),
            (Move::Pass, Dialect::Algebraic) => "PA".to_owned(),
            // No move after it would tell of the last one, nor carry its note.
            (Move::Pass, Dialect::Letters) if ply == last || record.notes.contains_key(&ply) => String::new(),
            (Move::Pass, Dialect::Letters) => continue,
        };
        text.push(';');
        push_property(text, if turn.color == Color::Black { "B" } else { "W" }, &value);
        let Some(note) = record.notes.get(&ply) else { continue };
        if let Some(eval) = note.eval {
            push_property(text, "V", &seen_by_black(eval, turn.color).to_string());
        }
        if let Some(comment) = &note.comment {
            push_property(text, "C", comment);
        }
    }
}

fn write_square(square: Square, dialect: Dialect) -> String {
    match dialect {
        Dialect::Algebraic => square.to_string(),
        Dialect::Letters => [square.file(), square.rank()].iter().map(|&at| char::from(b'a' + at as u8)).collect(),
    }
}

fn write_verdict(verdict: Verdict) -> String {
    let Some(winner) = verdict.outcome.winner() else { return "0".to_owned() };
    let winner = if winner == Color::Black { 'B' } else { 'W' };
    match (verdict.ending, verdict.outcome) {
        (Ending::Resigned, _) => format!("{winner}+R"),
        (Ending::TimeOut, _) => format!("{winner}+T"),
        (Ending::Left, _) => format!("{winner}+F"),
        (_, Outcome::Score(score)) => format!("{winner}+{}", score.discs().abs()),
        (_, Outcome::Win(_)) => format!("{winner}+"),
    }
}
