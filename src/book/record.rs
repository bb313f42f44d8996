//! What stands in a book under a position, as it is kept in memory and in files: fixed-size little-endian records.
//!
//! Start reading at [`Record`].

use super::shelf::{Filed, Key};
use super::{Entry, Games, Leaf};
use crate::board::Square;
use crate::score::Eval;
use bytemuck::{Pod, Zeroable};

/// A position of a book.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Record {
    own: u64,
    opp: u64,
    value: i16,
    lower: i16,
    upper: i16,
    leaf_value: i16,
    leaf_error: u16,
    /// A square, or [`NO_LEAF`].
    leaf_move: u8,
    level: u8,
    reserved: [u8; 4],
}

/// Results of the games through a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable)]
#[repr(C)]
pub(super) struct GamesRecord {
    own: u64,
    opp: u64,
    wins: u64,
    draws: u64,
    losses: u64,
}

const NO_LEAF: u8 = u8::MAX;

impl Filed for Record {
    fn key(&self) -> Key {
        (self.own, self.opp)
    }
}

impl Filed for GamesRecord {
    fn key(&self) -> Key {
        (self.own, self.opp)
    }
}

impl Record {
    pub(super) fn new((own, opp): Key, entry: Entry) -> Self {
        let leaf = entry.leaf;
        Self {
            own,
            opp,
            value: units(entry.value),
            lower: units(entry.lower),
            upper: units(entry.upper),
            leaf_value: leaf.map_or(0, |leaf| units(leaf.value)),
            leaf_error: leaf.map_or(0, |leaf| units(leaf.error).unsigned_abs()),
            leaf_move: leaf.map_or(NO_LEAF, |leaf| leaf.mv as u8),
            level: entry.level,
            reserved: [0; 4],
        }
    }

    /// What it says; a leaf on no square counts as none.
    pub(super) fn entry(&self) -> Entry {
        let eval = |units: i16| Eval::from_units(units.into());
        let leaf = Square::from_index(self.leaf_move.into()).map(|mv| Leaf {
            mv,
            value: eval(self.leaf_value),
            error: Eval::from_units(self.leaf_error.into()),
        });
        Entry { value: eval(self.value), lower: eval(self.lower), upper: eval(self.upper), level: self.level, leaf }
    }

    /// Whether nothing stands where nothing may stand.
    pub(super) fn is_well_formed(&self) -> bool {
        let in_range = |units: i16| (Eval::MIN.units()..=Eval::MAX.units()).contains(&units.into());
        self.own & self.opp == 0
            && (self.leaf_move == NO_LEAF || usize::from(self.leaf_move) < Square::COUNT)
            && [self.value, self.lower, self.upper, self.leaf_value].into_iter().all(in_range)
            && self.reserved == [0; 4]
    }

    /// Whether the value lies within the bounds.
    pub(super) const fn has_order(&self) -> bool {
        self.lower <= self.value && self.value <= self.upper
    }

    /// From the byte order of files to that of the machine, and back.
    pub(super) fn swap(&mut self) {
        for word in [&mut self.own, &mut self.opp] {
            *word = word.to_le();
        }
        for half in [&mut self.value, &mut self.lower, &mut self.upper, &mut self.leaf_value] {
            *half = half.to_le();
        }
        self.leaf_error = self.leaf_error.to_le();
    }
}

impl GamesRecord {
    pub(super) const fn new((own, opp): Key, games: Games) -> Self {
        let Games { wins, draws, losses } = games;
        Self { own, opp, wins, draws, losses }
    }

    pub(super) const fn games(&self) -> Games {
        Games { wins: self.wins, draws: self.draws, losses: self.losses }
    }

    /// Whether so many games can have been played.
    pub(super) fn is_possible(&self) -> bool {
        const MOST: u64 = 1 << 40;
        [self.wins, self.draws, self.losses].into_iter().all(|count| count <= MOST)
    }

    /// From the byte order of files to that of the machine, and back.
    pub(super) fn swap(&mut self) {
        for word in [&mut self.own, &mut self.opp, &mut self.wins, &mut self.draws, &mut self.losses] {
            *word = word.to_le();
        }
    }
}

fn units(value: Eval) -> i16 {
    let clamped = value.clamp(Eval::MIN, Eval::MAX).units();
    i16::try_from(clamped).expect("an evaluation fits 16 bits")
}
