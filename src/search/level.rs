//! Levels: one number from 0 to 60 for how hard the engine tries.

use crate::score::{Draft, Selectivity};

/// A playing strength from 0 (one look at the board) to 60 (solve everything exactly).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Level(u8);

impl Level {
    /// The highest level.
    pub const MAX: Self = Self(60);
    /// The level used when none is asked for.
    pub const DEFAULT: Self = Self(21);

    /// The level with this number, 0 to 60.
    pub const fn new(number: u8) -> Option<Self> {
        if number <= Self::MAX.0 { Some(Self(number)) } else { None }
    }

    /// Every level.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..=Self::MAX.0).map(Self)
    }

    /// The number of the level.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// Depth of a search that does not reach the end of the game.
    pub const fn depth(self) -> u8 {
        self.0
    }

    /// Selectivity of a search that does not reach the end of the game.
    pub const fn selectivity(self) -> Selectivity {
        if self.0 <= 10 { Selectivity::FULL } else { Selectivity::MIN }
    }

    /// The number of empty squares from which on the level solves with this selectivity; `Selectivity::FULL` gives
    /// the number from which on it plays perfectly.
    pub const fn solves_from(self, selectivity: Selectivity) -> u8 {
        let exact = match self.0 {
            level @ 0..=10 => 2 * level,
            level @ 11..=20 => 20 + (level - 10) / 3,
            21..=24 => 24,
            level => level,
        };
        let earlier = match self.0 {
            0..=10 => 0,
            _ => Selectivity::FULL.index() - selectivity.index(),
        };
        let from = exact + earlier + earlier / 2;
        if from > 60 { 60 } else { from }
    }

    /// What a search of this level aims at in a position with this many empty squares.
    pub fn draft(self, empties: u8) -> Draft {
        let solving = Selectivity::all().rev().find(|&selectivity| empties <= self.solves_from(selectivity));
        match solving {
            Some(selectivity) => Draft::new(empties, selectivity),
            None => Draft::new(self.depth().min(empties), self.selectivity()),
        }
    }
}
