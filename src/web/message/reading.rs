//! What the server tells of a text that it was given: the games in it, and what is wrong with it.

use super::{Both, Side};
use schemars::JsonSchema;
use serde::Serialize;

/// A game of a text.
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct TextGame {
    /// Names of the players, as far as the text tells.
    pub names: Both<Option<String>>,
    /// Its turns.
    pub moves: usize,
    /// The final score from Black's view, if it has one.
    pub score: Option<i32>,
    /// When it was played, if the text tells.
    pub date: Option<String>,
}

/// What is wrong with a text, or with a part of it.
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The kind.
    pub kind: FaultKind,
    /// The line of the text, if lines count; the first one is 1.
    pub line: Option<usize>,
    /// The game of the text, if games count; the first one is 1.
    pub game: Option<usize>,
    /// The move, if it is about one; the first one is 1.
    pub number: Option<usize>,
    /// The offending text, if it is short enough to be shown.
    pub text: Option<String>,
    /// The side that it is about.
    pub side: Option<Side>,
}

/// Kinds of faults in a text.
#[derive(Serialize, JsonSchema, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "snake_case")]
pub enum FaultKind {
    /// There is nothing in it.
    Empty,
    /// Something stands where a move should.
    NotAMove,
    /// A move to a square that has a disc.
    Occupied,
    /// A move that turns no disc.
    NoFlips,
    /// A pass by a side that has a move.
    PassWithMoves,
    /// A move after the end of the game.
    GameOver,
    /// A move of the side that is not to move.
    NotTurn,
    /// A board whose cells are too few.
    Cells,
    /// A board with something that is no cell.
    Cell,
    /// A board that does not say whose turn it is.
    NoSide,
    /// Neither a game nor a board.
    Other,
}
