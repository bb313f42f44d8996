//! Static values that a worker has already worked out.
//!
//! A position is evaluated again and again: when its parent orders moves, as a leaf, before a probe, and in the next
//! iteration. Looking its value up costs a fraction of the evaluation, most of which is waiting for rows of weights.

use crate::board::Position;
use crate::score::Eval;

/// Slots. 2¹⁵ of 8 bytes are 256 KB, half of a common second-level cache; a third to a half of all look-ups hit (see the
/// ledger for other sizes).
const SLOTS: usize = 1 << 15;
/// Bits of a slot that hold the value; the rest is the upper part of the hash.
const VALUE: u64 = 0xffff;

/// A direct-mapped memory of static values, private to a worker.
///
/// A slot knows its position by 48 bits of the hash. Another position passes for it once in 2⁴⁸ look-ups, and then a
/// move is ordered, or a selective search pruned, by a wrong value; exact scores never depend on static values.
pub(super) struct Statics {
    /// Allocated at the first store: a process that never searches pays nothing.
    slots: Vec<u64>,
}

impl Statics {
    pub(super) const fn new() -> Self {
        Self { slots: Vec::new() }
    }

    /// Forgets every value.
    pub(super) fn clear(&mut self) {
        self.slots.fill(0);
    }

    /// The value of `position`, from `evaluate` if it is not known.
    #[inline]
    pub(super) fn value(&mut self, position: Position, evaluate: impl FnOnce() -> Eval) -> Eval {
        if self.slots.is_empty() {
            self.slots = vec![0; SLOTS];
        }
        let hash = position.hash();
        let slot = &mut self.slots[hash as usize % SLOTS];
        if *slot & !VALUE == hash & !VALUE {
            return Eval::from_units(i32::from(*slot as u16 as i16));
        }
        let value = evaluate();
        *slot = hash & !VALUE | u64::from(value.units() as i16 as u16);
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_worked_out_once_and_again_after_clearing() {
        let mut statics = Statics::new();
        for value in [-8192, -1, 0, 77, 8192] {
            let value = Eval::from_units(value);
            assert_eq!(statics.value(Position::START, || value), value);
            assert_eq!(statics.value(Position::START, || panic!("the value is known")), value);
            statics.clear();
        }
    }

    #[test]
    fn a_position_in_the_slot_of_another_gets_its_own_value() {
        let mut statics = Statics::new();
        let child = |square: crate::board::Square| Position::START.play(square).expect("a legal move");
        let positions: Vec<Position> = Position::START.moves().into_iter().map(child).collect();
        for _ in 0..2 {
            for (units, &position) in positions.iter().enumerate() {
                let value = Eval::from_units(units as i32);
                assert_eq!(statics.value(position, || value), value);
            }
        }
    }
}
