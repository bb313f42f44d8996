//! What the table knows of a position, packed into 64 bits.

use crate::board::Square;
use crate::score::{Draft, Eval, Selectivity, Window};

/// What is known of a position: bounds on its value, how well it was searched, its best moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The value is at least this.
    pub lower: Eval,
    /// The value is at most this.
    pub upper: Eval,
    /// How well the bounds were searched.
    pub draft: Draft,
    /// The best move and the one that was best before it.
    pub moves: [Option<Square>; 2],
}

/// Bits of the packed word, lowest first: lower 16, upper 16, first move 7, second move 7, depth 6, selectivity 3,
/// generation 8, and one bit that tells a used slot from a fresh one.
const UPPER: u32 = 16;
const FIRST: u32 = 32;
const SECOND: u32 = 39;
const DEPTH: u32 = 46;
const SELECTIVITY: u32 = 52;
const GENERATION: u32 = 55;
const USED: u64 = 1 << 63;

impl Entry {
    /// The entry for a fail-soft search value: inside the window exact, outside it a bound.
    #[inline]
    pub fn from_search(value: Eval, window: Window, draft: Draft, best: Option<Square>) -> Self {
        Self {
            lower: if value > window.alpha { value } else { Eval::MIN },
            upper: if value < window.beta { value } else { Eval::MAX },
            draft,
            moves: [best, None],
        }
    }

    #[inline]
    pub(super) fn pack(self, generation: u8) -> u64 {
        let half = |value: Eval| u64::from(value.units() as i16 as u16);
        let square = |square: Option<Square>| square.map_or(64, |square| square.index() as u64);
        half(self.lower)
            | half(self.upper) << UPPER
            | square(self.moves[0]) << FIRST
            | square(self.moves[1]) << SECOND
            | u64::from(self.draft.depth & 63) << DEPTH
            | u64::from(self.draft.selectivity.index()) << SELECTIVITY
            | u64::from(generation) << GENERATION
            | USED
    }

    /// The entry in a packed word, unless the slot was never used or the word is torn.
    #[inline]
    pub(super) fn unpack(word: u64) -> Option<Self> {
        if word & USED == 0 {
            return None;
        }
        let half = |shift: u32| Eval::from_units(i32::from((word >> shift) as u16 as i16));
        let square = |shift: u32| Square::from_index((word >> shift & 127) as usize);
        Some(Self {
            lower: half(0),
            upper: half(UPPER),
            draft: Draft::new((word >> DEPTH & 63) as u8, Selectivity::from_index((word >> SELECTIVITY & 7) as u8)?),
            moves: [square(FIRST), square(SECOND)],
        })
    }
}

/// How much a slot is worth keeping: deep before shallow, safe before selective, this search before older ones.
#[inline]
pub(super) const fn worth(word: u64, generation: u8) -> u32 {
    if word & USED == 0 {
        return 0;
    }
    let depth_and_selectivity = (word >> DEPTH & 63) as u32 * 8 + (word >> SELECTIVITY & 7) as u32;
    let current = (word >> GENERATION) as u8 == generation;
    1 + depth_and_selectivity + if current { 1 << 16 } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packing_keeps_every_field() {
        for (lower, upper) in [(Eval::MIN, Eval::MAX), (Eval::from_units(-1), Eval::ZERO), (Eval::MAX, Eval::MAX)] {
            for selectivity in Selectivity::all() {
                for moves in [[None, None], [Some(Square::H8), None], [Some(Square::A1), Some(Square::F5)]] {
                    let entry = Entry { lower, upper, draft: Draft::new(60, selectivity), moves };
                    assert_eq!(Entry::unpack(entry.pack(200)), Some(entry));
                }
            }
        }
        assert_eq!(Entry::unpack(0), None);
    }

    #[test]
    fn a_deep_old_slot_is_worth_less_than_a_shallow_new_one() {
        let entry = |depth| Entry {
            lower: Eval::ZERO,
            upper: Eval::ZERO,
            draft: Draft::new(depth, Selectivity::FULL),
            moves: [None, None],
        };
        assert!(worth(entry(30).pack(1), 2) < worth(entry(1).pack(2), 2));
        assert!(worth(entry(3).pack(2), 2) < worth(entry(4).pack(2), 2));
        assert!(worth(0, 2) < worth(entry(0).pack(1), 2));
    }
}
