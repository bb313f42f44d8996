//! Which discs a move turns.
//!
//! The back-end is chosen when Volte is compiled, so that [`flips`] inlines into the search; all of them give the
//! same answer.

mod portable;
mod rays;

cfg_select! {
    all(target_feature = "avx512vl", target_feature = "avx512cd") => {
        mod avx512;
        #[cfg(test)]
        mod avx2;
        use avx512 as backend;
    }
    target_feature = "avx2" => {
        mod avx2;
        use avx2 as backend;
    }
    _ => {
        use portable as backend;
    }
}

use super::{Bitboard, Square};

/// The discs of `opp` that a disc of `own` placed on the empty `square` turns; empty if it turns none.
///
/// ```
/// use volte::board::{Position, Square, flips};
/// let start = Position::START;
/// let turned = flips(Square::F5, start.own(), start.opp());
/// assert_eq!(format!("{turned:?}"), "
/// ........
/// ........
/// ........
/// ........
/// ....#...
/// ........
/// ........
/// ........");
/// ```
#[inline(always)]
pub fn flips(square: Square, own: Bitboard, opp: Bitboard) -> Bitboard {
    backend::flips(square, own, opp)
}

/// The portable twin of [`flips`]: the same answer without SIMD, on every machine.
#[inline]
pub fn portable_flips(square: Square, own: Bitboard, opp: Bitboard) -> Bitboard {
    portable::flips(square, own, opp)
}

#[cfg(all(test, target_feature = "avx2"))]
mod tests {
    use super::*;

    /// Where AVX-512 is chosen, nothing else runs the AVX2 back-end.
    #[test]
    fn avx2_agrees_with_the_portable_twin() {
        let mut random = 1_u64;
        let mut next = || {
            // Marsaglia, xorshift64.
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            random
        };
        for round in 0..20_000 {
            let (own, taken) = (next(), next() | if round % 2 == 0 { next() } else { 0 });
            let (own, opp) = (Bitboard(own & taken), Bitboard(!own & taken));
            for square in !(own | opp) {
                assert_eq!(
                    avx2::flips(square, own, opp),
                    portable::flips(square, own, opp),
                    "{square} {own:?} {opp:?}"
                );
            }
        }
    }
}
