//! A small direct-mapped memory of bounds, private to a worker, that stays in the processor's cache.

use crate::board::{Position, Square};

/// Slots. 2¹⁶ of 24 bytes are 1.5 MB; see the ledger for other sizes.
const SLOTS: usize = 1 << 16;

#[derive(Clone, Copy)]
struct Slot {
    board: Option<Position>,
    lower: i8,
    upper: i8,
    best: Option<Square>,
}

const EMPTY: Slot = Slot { board: None, lower: -64, upper: 64, best: None };

/// What the cache knows of a position, in discs.
#[derive(Clone, Copy)]
pub(super) struct Known {
    pub(super) lower: i32,
    pub(super) upper: i32,
    pub(super) best: Option<Square>,
}

pub(super) struct Cache {
    /// Allocated at the first store: a process that never solves pays nothing.
    slots: Vec<Slot>,
}

impl Cache {
    pub(super) const fn new() -> Self {
        Self { slots: Vec::new() }
    }

    pub(super) fn clear(&mut self) {
        self.slots.fill(EMPTY);
    }

    #[inline]
    pub(super) fn probe(&self, board: Position) -> Option<Known> {
        let slot = self.slots.get(index(board))?;
        (slot.board == Some(board)).then_some(Known {
            lower: i32::from(slot.lower),
            upper: i32::from(slot.upper),
            best: slot.best,
        })
    }

    /// Notes the answer `value` to the null-window question `alpha`.
    #[inline]
    pub(super) fn store(&mut self, board: Position, alpha: i32, value: i32, best: Option<Square>) {
        if self.slots.is_empty() {
            self.slots = vec![EMPTY; SLOTS];
        }
        let slot = &mut self.slots[index(board)];
        if slot.board != Some(board) {
            *slot = Slot { board: Some(board), ..EMPTY };
        }
        slot.best = best;
        if value > alpha {
            slot.lower = value as i8;
        } else {
            slot.upper = value as i8;
        }
    }
}

#[inline]
fn index(board: Position) -> usize {
    // One multiplication a word is mixing enough for a cache.
    let mixed = board.own().0.wrapping_mul(0x9E37_79B9_7F4A_7C15)
        ^ board.opp().0.wrapping_mul(0xC2B2_AE3D_27D4_EB4F).rotate_left(29);
    (mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - SLOTS.trailing_zeros())) as usize
}
