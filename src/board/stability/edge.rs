//! Which discs of an edge can never be turned, whatever happens on it: the answer for all 3⁸ edges.

use super::super::Square;

const SIDE: usize = Square::SIDE;
/// Sets of squares of one edge.
const SETS: usize = 1 << SIDE;

/// For a set of edge squares, the number with digit 1 in base 3 at each of them.
static BASE_3: [u16; SETS] = base_3();
/// For each edge (own digits 1, opponent's 2), the own discs that stay own.
static STABLE: [u8; 3_usize.pow(SIDE as u32)] = stable_edges();

/// The own discs of an edge that stay own whatever both sides place on it.
#[inline]
pub(super) fn stable_on_edge(own: u8, opp: u8) -> u8 {
    let number = BASE_3[usize::from(own)] + 2 * BASE_3[usize::from(opp)];
    // A disc of both sides would be digit 3; positions have none, so the number is below 3⁸.
    STABLE[usize::from(number)]
}

const fn base_3() -> [u16; SETS] {
    let mut numbers = [0; SETS];
    let mut set = 1;
    while set < SETS {
        let lowest = set.trailing_zeros();
        numbers[set] = numbers[set & (set - 1)] + 3_u16.pow(lowest);
        set += 1;
    }
    numbers
}

/// An edge disc can be turned along the edge only. Either side may come to place a disc on any empty square of it,
/// turning what it flanks there (or nothing: the move may turn discs elsewhere). What survives all of that, is stable.
/// Fuller edges come first, for they are what placing a disc leads to.
const fn stable_edges() -> [u8; 3_usize.pow(SIDE as u32)] {
    const NUMBERS: [u16; SETS] = base_3();
    let mut stable = [0; 3_usize.pow(SIDE as u32)];
    // A set has a greater number than its subsets, so counting down meets fuller edges first.
    let mut taken = SETS;
    while taken > 0 {
        taken -= 1;
        // Every split of the taken squares between the two sides.
        let mut own = taken;
        loop {
            let opp = taken & !own;
            let mut surviving = own;
            let mut square = 0;
            while square < SIDE {
                if taken >> square & 1 == 0 {
                    let (placed, gained) = (1 << square, turned(square, own, opp));
                    let next = (own | placed | gained, opp & !gained);
                    surviving &= stable[(NUMBERS[next.0] + 2 * NUMBERS[next.1]) as usize] as usize;
                    let lost = turned(square, opp, own);
                    let next = (own & !lost, opp | placed | lost);
                    surviving &= stable[(NUMBERS[next.0] + 2 * NUMBERS[next.1]) as usize] as usize;
                }
                square += 1;
            }
            stable[(NUMBERS[own] + 2 * NUMBERS[opp]) as usize] = surviving as u8;
            if own == 0 {
                break;
            }
            own = (own - 1) & taken;
        }
    }
    stable
}

/// The discs of `opp` on an edge that a disc of `own` placed on `square` turns along it.
const fn turned(square: usize, own: usize, opp: usize) -> usize {
    let placed = 1 << square;
    let mut turned = 0;
    let mut run = 0;
    let mut next = placed << 1;
    while next & opp != 0 {
        run |= next;
        next <<= 1;
    }
    if next & own != 0 {
        turned |= run;
    }
    run = 0;
    next = placed >> 1;
    while next & opp != 0 {
        run |= next;
        next >>= 1;
    }
    if next & own != 0 {
        turned |= run;
    }
    turned
}
