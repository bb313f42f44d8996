//! A game: a start, the moves played from it, and the moves that can be redone; and the notations of games.
//!
//! Owns the order of turns, passes included, and every text or file format of positions and games. Must not know
//! evaluation, search, books, files on disk or time. Start reading at [`Game`].

pub mod board_text;
pub mod collection;
pub mod fen;
pub mod ggf;
mod move_error;
pub mod named;
pub mod obf;
pub mod openings;
pub mod pgn;
pub mod record;
pub mod sgf;
pub mod transcript;
pub mod wthor;

pub use move_error::MoveError;

use crate::board::{Color, Move, Position, Setup, SetupError, Square};
use crate::score::Score;
use thiserror::Error;

/// One turn of a game: a disc placed by a side, or its forced pass.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Turn {
    /// Who moved.
    pub color: Color,
    /// What was done.
    pub mv: Move,
    /// Whether the turn is a pass that nobody wrote: it was inserted for the move after it, and goes and comes with it.
    pub inserted: bool,
}

/// A game of Othello: a start, the turns since, and the turns that were undone and can be redone.
///
/// A side that has a move must move; one that has none passes while the other has one. A pass may be played
/// explicitly with [`Game::play`], or left out, in which case [`Game::play_as`] inserts it.
///
/// ```
/// use volte::board::{Color, Move, Square};
/// use volte::game::Game;
/// let mut game = Game::new();
/// game.play(Move::Place(Square::F5))?;
/// assert_eq!((game.side(), game.disc_counts()), (Color::White, (4, 1)));
/// let error = game.play(Move::Place(Square::F5)).unwrap_err();
/// assert_eq!(error.to_string(), "illegal move f5: the square is occupied");
/// # Ok::<(), volte::game::PlayError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    start: Position,
    start_side: Color,
    plies: Vec<Ply>,
    /// How many of `plies` are played; the rest can be redone.
    played: usize,
}

/// A turn and the position it leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Ply {
    turn: Turn,
    after: Position,
}

/// Why a move cannot be played. The game is as it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("illegal move {}: {}", self.mv(), self.reason())]
pub enum PlayError {
    /// There is a disc on the square.
    Occupied(Square),
    /// The disc would turn nothing.
    NoFlips {
        /// Where the disc was to go.
        square: Square,
        /// Whose disc.
        color: Color,
    },
    /// A pass by a side that has a move.
    PassWithMoves(Color),
    /// A move after the end of the game.
    GameOver(Move),
    /// A move by a side that is not to move, while the other side has a move.
    NotTurn {
        /// The move.
        mv: Move,
        /// Who wanted to play it.
        color: Color,
    },
}

impl PlayError {
    /// The move that was refused.
    pub const fn mv(self) -> Move {
        match self {
            Self::Occupied(square) | Self::NoFlips { square, .. } => Move::Place(square),
            Self::PassWithMoves(_) => Move::Pass,
            Self::GameOver(mv) | Self::NotTurn { mv, .. } => mv,
        }
    }

    /// Why it was refused, without the move.
    pub fn reason(self) -> String {
        match self {
            Self::Occupied(_) => "the square is occupied".to_owned(),
            Self::NoFlips { color, .. } => format!("it turns no disc for {color}"),
            Self::PassWithMoves(color) => format!("{color} has a move"),
            Self::GameOver(_) => "the game is over".to_owned(),
            Self::NotTurn { color, .. } => format!("it is not {color}'s turn"),
        }
    }
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct GameResult {
    /// Black's discs on the board.
    pub black: u32,
    /// White's discs on the board.
    pub white: u32,
    /// The final score from Black's view, empty squares counted for the winner.
    pub score: Score,
}

impl Default for Game {
    fn default() -> Self {
        Self::new()
    }
}

impl Game {
    /// A game at the standard start.
    pub const fn new() -> Self {
        Self { start: Position::START, start_side: Color::Black, plies: Vec::new(), played: 0 }
    }

    /// A game that starts from a set-up board.
    ///
    /// # Errors
    /// If the board is not a position.
    pub fn from_setup(setup: Setup) -> Result<Self, SetupError> {
        Ok(Self { start: setup.position()?, start_side: setup.side, plies: Vec::new(), played: 0 })
    }

    /// The board the game started from.
    pub const fn start(&self) -> Setup {
        Setup::of(self.start, self.start_side)
    }

    /// The position now, seen from [`Game::side`].
    pub fn position(&self) -> Position {
        self.played().last().map_or(self.start, |ply| ply.after)
    }

    /// Whose turn it is now. A side that must pass has its turn too, and so has one after the end of the game.
    pub fn side(&self) -> Color {
        self.side_at(self.played)
    }

    /// The board now.
    pub fn setup(&self) -> Setup {
        Setup::of(self.position(), self.side())
    }

    /// The side that places the next disc: the side to move, or the other one if that must pass; `None` when the
    /// game is over.
    pub fn next_to_place(&self) -> Option<Color> {
        let position = self.position();
        if !position.moves().is_empty() {
            Some(self.side())
        } else if !position.pass().moves().is_empty() {
            Some(!self.side())
        } else {
            None
        }
    }

    /// Number of turns played, passes included.
    pub const fn len(&self) -> usize {
        self.played
    }

    /// Whether no turn has been played.
    pub const fn is_empty(&self) -> bool {
        self.played == 0
    }

    /// The turns played, first one first, forced passes included.
    pub fn turns(&self) -> impl DoubleEndedIterator<Item = Turn> + ExactSizeIterator + '_ {
        self.played().iter().map(|ply| ply.turn)
    }

    /// The moves played, first one first, forced passes included.
    pub fn moves(&self) -> impl DoubleEndedIterator<Item = Move> + ExactSizeIterator + '_ {
        self.turns().map(|turn| turn.mv)
    }

    /// The turns that [`Game::redo`] would bring back, next one first.
    pub fn undone(&self) -> impl DoubleEndedIterator<Item = Turn> + ExactSizeIterator + '_ {
        self.plies[self.played..].iter().map(|ply| ply.turn)
    }

    /// The position after `ply` turns, seen from [`Game::side_at`] the same; `None` beyond the turns played.
    pub fn position_at(&self, ply: usize) -> Option<Position> {
        match ply.checked_sub(1) {
            None => Some(self.start),
            Some(last) => self.played().get(last).map(|ply| ply.after),
        }
    }

    /// Whose turn it is after `ply` turns.
    pub fn side_at(&self, ply: usize) -> Color {
        if ply.is_multiple_of(2) { self.start_side } else { !self.start_side }
    }

    /// The game as it was after `ply` turns, with nothing to redo; `None` beyond the turns played.
    pub fn branch_at(&self, ply: usize) -> Option<Self> {
        let plies = self.played().get(..ply)?.to_vec();
        Some(Self { start: self.start, start_side: self.start_side, plies, played: ply })
    }

    /// Plays a move of the side to move; a pass only when it is forced. What could be redone is dropped.
    ///
    /// # Errors
    /// If the move is not legal. Nothing changes then.
    pub fn play(&mut self, mv: Move) -> Result<(), PlayError> {
        self.play_as(self.side(), mv)
    }

    /// Plays a move of `color`. If the other side is to move but has no move, its pass is inserted first. What could
    /// be redone is dropped.
    ///
    /// # Errors
    /// If the move is not legal, or it is the other side's turn to choose. Nothing changes then.
    pub fn play_as(&mut self, color: Color, mv: Move) -> Result<(), PlayError> {
        let mut position = self.position();
        if position.is_over() {
            return Err(PlayError::GameOver(mv));
        }
        let passed = if color == self.side() {
            None
        } else if position.must_pass() {
            position = position.pass();
            Some(Ply { turn: Turn { color: !color, mv: Move::Pass, inserted: true }, after: position })
        } else {
            return Err(PlayError::NotTurn { mv, color });
        };
        let after = position.make(mv).ok_or_else(|| refusal(position, color, mv))?;
        self.plies.truncate(self.played);
        self.plies.extend(passed);
        self.plies.push(Ply { turn: Turn { color, mv, inserted: false }, after });
        self.played = self.plies.len();
        Ok(())
    }

    /// Plays a move of whichever side can move: the way notations that leave passes out are read. A pass is played
    /// for the side to move.
    ///
    /// # Errors
    /// If the move is not legal. Nothing changes then.
    pub fn play_next(&mut self, mv: Move) -> Result<(), PlayError> {
        let color = match mv {
            Move::Place(_) => self.next_to_place().unwrap_or(self.side()),
            Move::Pass => self.side(),
        };
        self.play_as(color, mv)
    }

    /// Takes the last turn back and returns it; a pass that was inserted for it goes too.
    pub fn undo(&mut self) -> Option<Turn> {
        // An inserted pass stands last only after going back to the turn it gave; it goes with the move before it.
        while self.played().last().is_some_and(|ply| ply.turn.inserted) {
            self.played -= 1;
        }
        let turn = self.played().last()?.turn;
        self.played -= 1;
        if self.played().last().is_some_and(|ply| ply.turn.inserted) {
            self.played -= 1;
        }
        Some(turn)
    }

    /// Plays the turn again that was undone last and returns it; a pass that was inserted for it comes too.
    pub fn redo(&mut self) -> Option<Turn> {
        let mut turn = self.plies.get(self.played)?.turn;
        self.played += 1;
        if turn.inserted {
            turn = self.plies.get(self.played)?.turn;
            self.played += 1;
        }
        Some(turn)
    }

    /// Goes back to the last position in which `color` chose a move, across passes of either side, and says whether
    /// there was one. Nothing changes otherwise. What is taken back can be redone.
    pub fn undo_to_turn_of(&mut self, color: Color) -> bool {
        let chosen = |ply: &Ply| ply.turn.color == color && ply.turn.mv != Move::Pass;
        match self.played().iter().rposition(chosen) {
            Some(ply) => {
                self.played = ply;
                true
            }
            None => false,
        }
    }

    /// Whether neither side can move.
    pub fn is_over(&self) -> bool {
        self.position().is_over()
    }

    /// Discs on the board now: Black's, White's.
    pub fn disc_counts(&self) -> (u32, u32) {
        let setup = self.setup();
        (setup.black.count(), setup.white.count())
    }

    /// How the game ended, if it is over.
    pub fn result(&self) -> Option<GameResult> {
        if !self.is_over() {
            return None;
        }
        let (black, white) = self.disc_counts();
        let score = self.position().final_score();
        let score = if self.side() == Color::Black { score } else { -score };
        Some(GameResult { black, white, score })
    }

    fn played(&self) -> &[Ply] {
        &self.plies[..self.played]
    }
}

/// Why `color`, who is to move in `position`, cannot play `mv`.
fn refusal(position: Position, color: Color, mv: Move) -> PlayError {
    match mv {
        Move::Pass => PlayError::PassWithMoves(color),
        Move::Place(square) if position.empties().contains(square) => PlayError::NoFlips { square, color },
        Move::Place(square) => PlayError::Occupied(square),
    }
}
