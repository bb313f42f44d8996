//! A position and the rules on it.

use super::{Bitboard, Move, Square, Symmetry, flips, hash, legal_moves};
use crate::score::Score;
use std::fmt;

/// A board seen from the side to move: its own discs and the opponent's.
///
/// Legal by construction: no square holds two discs. A pass swaps the sides and places nothing.
///
/// ```
/// use volte::board::{Position, Square};
/// let start = Position::START;
/// assert_eq!(format!("{start:?}"), "
/// --------
/// --------
/// --------
/// ---OX---
/// ---XO---
/// --------
/// --------
/// --------");
/// let next = start.play(Square::F5).expect("f5 flips e5");
/// // White is to move now, so `X` is white.
/// assert_eq!(format!("{next:?}"), "
/// --------
/// --------
/// --------
/// ---XO---
/// ---OOO--
/// --------
/// --------
/// --------");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    own: Bitboard,
    opp: Bitboard,
}

impl Position {
    /// The start of the game, black to move: black on d5 and e4, white on d4 and e5.
    pub const START: Self = Self { own: Bitboard(0x0000_0008_1000_0000), opp: Bitboard(0x0000_0010_0800_0000) };

    /// The position with these discs, unless a square holds both.
    #[inline]
    pub const fn new(own: Bitboard, opp: Bitboard) -> Option<Self> {
        if own.0 & opp.0 == 0 { Some(Self { own, opp }) } else { None }
    }

    /// Discs of the side to move.
    #[inline]
    pub const fn own(self) -> Bitboard {
        self.own
    }

    /// Discs of the opponent.
    #[inline]
    pub const fn opp(self) -> Bitboard {
        self.opp
    }

    /// The empty squares.
    #[inline]
    pub const fn empties(self) -> Bitboard {
        Bitboard(!(self.own.0 | self.opp.0))
    }

    /// Number of empty squares.
    #[inline]
    pub const fn empty_count(self) -> u32 {
        self.empties().count()
    }

    /// The squares on which the side to move may place a disc.
    #[inline]
    pub fn moves(self) -> Bitboard {
        legal_moves(self.own, self.opp)
    }

    /// The discs that a disc of the side to move on the empty square `square` turns; empty if the move is not legal.
    #[inline]
    pub fn flips(self, square: Square) -> Bitboard {
        flips(square, self.own, self.opp)
    }

    /// The position after placing a disc on `square`, or `None` if that is not legal.
    #[inline]
    pub fn play(self, square: Square) -> Option<Self> {
        if !self.empties().contains(square) {
            return None;
        }
        let flips = self.flips(square);
        if flips.is_empty() { None } else { Some(self.play_flips(square, flips)) }
    }

    /// The position after placing a disc on `square` when its `flips` are already known.
    #[inline]
    pub const fn play_flips(self, square: Square, flips: Bitboard) -> Self {
        Self { own: Bitboard(self.opp.0 ^ flips.0), opp: Bitboard(self.own.0 ^ flips.0 ^ square.bit().0) }
    }

    /// The position with the other side to move.
    #[inline]
    pub const fn pass(self) -> Self {
        Self { own: self.opp, opp: self.own }
    }

    /// The position after `mv`, or `None` if it is not legal. A pass is legal only for a side that has no move
    /// while the game is not over.
    pub fn make(self, mv: Move) -> Option<Self> {
        match mv {
            Move::Place(square) => self.play(square),
            Move::Pass if self.must_pass() => Some(self.pass()),
            Move::Pass => None,
        }
    }

    /// Whether the side to move has no move but the opponent has.
    pub fn must_pass(self) -> bool {
        self.moves().is_empty() && !self.pass().moves().is_empty()
    }

    /// Whether neither side can move.
    pub fn is_over(self) -> bool {
        self.moves().is_empty() && self.pass().moves().is_empty()
    }

    /// Own discs less the opponent's discs.
    #[inline]
    pub const fn disc_difference(self) -> i32 {
        self.own.count() as i32 - self.opp.count() as i32
    }

    /// The score if the game ended here: the disc difference, with the empty squares counted for the winner.
    #[inline]
    pub const fn final_score(self) -> Score {
        let difference = self.disc_difference();
        let empties = self.empty_count() as i32;
        Score::from_discs(if difference > 0 {
            difference + empties
        } else if difference < 0 {
            difference - empties
        } else {
            0
        })
    }

    /// A 64-bit hash of the position; the same in every run, on every machine.
    #[inline]
    pub const fn hash(self) -> u64 {
        hash::hash(self.own, self.opp)
    }

    /// The image of the position under a symmetry of the board.
    pub fn transform(self, symmetry: Symmetry) -> Self {
        Self { own: symmetry.apply(self.own), opp: symmetry.apply(self.opp) }
    }

    /// The smallest of the eight images of the position, by own discs, then the opponent's, and the symmetry that
    /// leads to it.
    pub fn canonical(self) -> (Self, Symmetry) {
        Symmetry::ALL
            .into_iter()
            .map(|symmetry| (self.transform(symmetry), symmetry))
            .min_by_key(|(image, _)| (image.own.0, image.opp.0))
            .expect("there are eight symmetries")
    }
}

/// Draws the board, rank 1 first: `X` for the side to move, `O` for the opponent, `-` for empty.
impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for square in Square::ALL {
            if square.file() == 0 {
                writeln!(f)?;
            }
            f.write_str(if self.own.contains(square) {
                "X"
            } else if self.opp.contains(square) {
                "O"
            } else {
                "-"
            })?;
        }
        Ok(())
    }
}
