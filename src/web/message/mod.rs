//! The messages between a page and the server, as they stand on the wire.
//!
//! Owns their shape and nothing else: [`intent`] has what a client may ask for, [`event`] what the server tells, this file
//! what both use. Unknown fields are errors, so that a misspelt one is noticed. The JSON Schema of `docs` is made from
//! these types.

pub mod event;
pub mod intent;
pub mod reading;

pub use event::Event;
pub use intent::Intent;

use crate::board::{Color, Setup};
use crate::game::board_text;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Version of the interface; it grows when a client of the older one would stumble.
pub const VERSION: u32 = 1;

/// A request of a client: what it wants, and a number under which the answer comes back.
#[derive(Deserialize, JsonSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// Returned in the `done` or `error` that answers the request. Without it, only errors are answered.
    #[serde(default)]
    pub id: Option<u64>,
    /// What is wanted.
    pub intent: Intent,
}

/// A side.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// The side that begins.
    Black,
    /// The other side.
    White,
}

impl From<Color> for Side {
    fn from(color: Color) -> Self {
        match color {
            Color::Black => Self::Black,
            Color::White => Self::White,
        }
    }
}

impl From<Side> for Color {
    fn from(side: Side) -> Self {
        match side {
            Side::Black => Self::Black,
            Side::White => Self::White,
        }
    }
}

/// One thing for each side.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Copy, PartialEq, Eq, Default, Debug)]
#[serde(deny_unknown_fields)]
pub struct Both<T> {
    /// Black's.
    pub black: T,
    /// White's.
    pub white: T,
}

impl<T> Both<T> {
    /// The one of `color`.
    pub const fn of(&self, color: Color) -> &T {
        match color {
            Color::Black => &self.black,
            Color::White => &self.white,
        }
    }

    /// The one of `color`, to be changed.
    pub const fn of_mut(&mut self, color: Color) -> &mut T {
        match color {
            Color::Black => &mut self.black,
            Color::White => &mut self.white,
        }
    }
}

/// Who plays a side.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Player {
    /// A person at the page.
    Human,
    /// Volte.
    Engine {
        /// How hard it tries, 0 to 60; `null` for as hard as its time allows.
        #[serde(default)]
        level: Option<u8>,
        /// Milliseconds for each of its moves, 10 to 3 600 000; `null` if a level or the clock of the game limits it.
        #[serde(default)]
        move_ms: Option<u32>,
    },
}

/// Clocks of a game: the same for both sides.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct ClockSettings {
    /// Milliseconds at the start, 1000 to 86 400 000.
    pub main_ms: u32,
    /// Milliseconds added after each own move, up to 3 600 000.
    #[serde(default)]
    pub increment_ms: u32,
}

/// A board.
#[derive(Serialize, Deserialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct Board {
    /// The 64 squares row by row from a1: `X` black, `O` white, `-` empty.
    #[schemars(length(min = 64, max = 64))]
    pub cells: String,
    /// Whose turn it is.
    pub side: Side,
}

impl From<Setup> for Board {
    fn from(setup: Setup) -> Self {
        let mut cells = board_text::write(setup);
        cells.truncate(crate::board::Square::COUNT);
        Self { cells, side: setup.side.into() }
    }
}

/// A format in which games leave.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "snake_case")]
pub enum TextFormat {
    /// The moves in a line.
    Transcript,
    /// The Generic Game Format.
    Ggf,
    /// The Smart Game Format.
    Sgf,
    /// The Portable Game Notation.
    Pgn,
    /// The board alone.
    Board,
}

/// What a person has chosen for the page, kept by the server.
#[derive(Serialize, Deserialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Language of the page; `null` for that of the browser.
    #[schemars(length(max = 16))]
    pub language: Option<String>,
    /// The name of the person in records.
    #[schemars(length(max = 40))]
    pub name: String,
    /// Name of the colours of the board.
    #[schemars(length(max = 16))]
    pub board: String,
    /// Name of the colours of the discs.
    #[schemars(length(max = 16))]
    pub discs: String,
    /// `light`, `dark`, or `auto` for what the system has.
    #[schemars(length(max = 16))]
    pub theme: String,
    /// Whether moves sound.
    pub sound: bool,
    /// Whether discs turn visibly.
    pub animation: bool,
    /// Whether files and ranks are named at the border.
    pub coordinates: bool,
    /// Whether legal moves are marked.
    pub show_legal: bool,
    /// Whether the last move is marked.
    pub show_last: bool,
    /// Whether stable discs are marked.
    pub show_stable: bool,
    /// Whether the best line is shown.
    pub show_line: bool,
    /// How many squares show a score when analysis is on, 1 to 60.
    #[schemars(range(min = 1, max = 60))]
    pub hint_lines: u8,
    /// Whether forced passes happen by themselves.
    pub auto_pass: bool,
    /// Level of hints and of the graph of a game, 0 to 60.
    #[schemars(range(max = 60))]
    pub hint_level: u8,
    /// What the last new game was, to offer it again.
    pub last_game: Option<intent::NewGame>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            language: None,
            name: String::new(),
            board: "green".to_owned(),
            discs: "classic".to_owned(),
            theme: "auto".to_owned(),
            sound: true,
            animation: true,
            coordinates: true,
            show_legal: true,
            show_last: true,
            show_stable: false,
            show_line: true,
            hint_lines: 5,
            auto_pass: true,
            hint_level: 14,
            last_game: None,
        }
    }
}
