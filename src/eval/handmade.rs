//! The provisional evaluation: a few terms that every Othello player knows, tapered by the phase of the game.

use super::{Evaluator, ProbCut};
use crate::board::{Bitboard, Position, Square, legal_moves, potential_moves, stable_discs};
use crate::score::Eval;

/// Mobility, potential mobility, corners, X- and C-squares next to empty corners, stable discs and parity.
#[derive(Clone, Copy, Default, Debug)]
pub struct HandMade;

impl HandMade {
    /// The terms that depend on one side only, in units, for `own` with `empties` squares left.
    fn side(own: Bitboard, opp: Bitboard, empties: i32) -> i32 {
        let mobility = legal_moves(own, opp).count() as i32;
        let potential = potential_moves(own, opp).count() as i32;
        let corners = (own & Bitboard::CORNERS).count() as i32;
        let stable = stable_discs(own, opp).count() as i32;
        let (bad_x, bad_c) = Self::bad_neighbours(own, !(own | opp));
        let discs = own.count() as i32;
        // Mobility decides the middle of the game and fades; stable discs and discs decide the end.
        let early = empties;
        let late = 60 - empties;
        (mobility * (120 + 2 * early) + potential * (60 + early))
            + corners * 500
            + stable * (100 + 3 * late)
            + discs * (late - 40).max(0) * 4
            - bad_x * 500
            - bad_c * 150
    }

    /// X- and C-squares held next to an empty corner.
    fn bad_neighbours(own: Bitboard, empty: Bitboard) -> (i32, i32) {
        const AREAS: [(u64, u64, u64); 4] = [
            (0x01, 0x0200, 0x0102),
            (0x80, 0x4000, 0x8040),
            (0x0100_0000_0000_0000, 0x0002_0000_0000_0000, 0x0201_0000_0000_0000),
            (0x8000_0000_0000_0000, 0x0040_0000_0000_0000, 0x4080_0000_0000_0000),
        ];
        let mut bad = (0, 0);
        for (corner, x, c) in AREAS {
            if empty.0 & corner != 0 {
                bad.0 += (own.0 & x).count_ones() as i32;
                bad.1 += (own.0 & c).count_ones() as i32;
            }
        }
        bad
    }
}

impl Evaluator for HandMade {
    type Features = ();

    fn features(&self, _: Position) {}

    fn play(&self, (): &(), _: Position, _: Square, _: Bitboard) {}

    fn pass(&self, (): &()) {}

    fn evaluate(&self, (): &(), position: Position) -> Eval {
        let empties = position.empty_count() as i32;
        let (own, opp) = (position.own(), position.opp());
        let parity = if empties % 2 == 1 { 90 } else { -90 };
        let units = Self::side(own, opp, empties) - Self::side(opp, own, empties) + parity;
        let limit = Eval::MAX.units() - Eval::UNITS_PER_DISC;
        Eval::from_units(units.clamp(-limit, limit))
    }

    fn probcut(&self) -> ProbCut {
        ProbCut::FALLBACK
    }
}
