//! Discs that can never be turned again.
//!
//! Three sources, each sound by itself: the edges, solved completely; discs all four of whose lines are full; and discs
//! that on each line are held by a stable disc, by a full line or by the border.

mod edge;

use super::{Bitboard, Square};
use edge::stable_on_edge;

const FILE_A: u64 = 0x0101_0101_0101_0101;
/// The squares off the edges: the edges are solved by themselves.
const INNER: u64 = 0x007E_7E7E_7E7E_7E00;
/// Takes the bit of file a on rank r to bit r of the highest byte.
const RANKS_TO_BITS: u64 = 0x0102_0408_1020_4080;
/// Takes bit r of a byte to file a on rank r, for ranks 2 to 7.
const BITS_TO_RANKS: u64 = 0x0002_0408_1020_4081;

/// Discs of `own` that are certainly stable whatever both sides play; some stable discs may be missing.
///
/// ```
/// use volte::board::{Bitboard, stable_discs};
/// // Own discs on e1 to h1, g2, h2 and e4; the rest of the board is empty.
/// let stable = stable_discs(Bitboard(0x1000_C0F0), Bitboard::EMPTY);
/// assert_eq!(format!("{stable:?}"), "
/// ....####
/// ......##
/// ........
/// ........
/// ........
/// ........
/// ........
/// ........");
/// ```
#[inline]
pub fn stable_discs(own: Bitboard, opp: Bitboard) -> Bitboard {
    let full = FullLines::of(own.0 | opp.0);
    let inner = own.0 & INNER;
    let mut stable = stable_edges(own.0, opp.0) | inner & full.rows & full.columns & full.rising & full.falling;
    if stable == 0 {
        return Bitboard::EMPTY;
    }
    loop {
        let held = (stable << 1 | stable >> 1 | full.rows)
            & (stable << 8 | stable >> 8 | full.columns)
            & (stable << 9 | stable >> 9 | full.rising)
            & (stable << 7 | stable >> 7 | full.falling)
            & inner
            & !stable;
        if held == 0 {
            return Bitboard(stable);
        }
        stable |= held;
    }
}

/// The stable discs of `own` on the four edges.
#[inline]
fn stable_edges(own: u64, opp: u64) -> u64 {
    let top = u64::from(stable_on_edge(own as u8, opp as u8));
    let bottom = u64::from(stable_on_edge((own >> 56) as u8, (opp >> 56) as u8)) << 56;
    let left = file_from_byte(stable_on_edge(byte_from_file(own), byte_from_file(opp)));
    let right = file_from_byte(stable_on_edge(byte_from_file(own >> 7), byte_from_file(opp >> 7))) << 7;
    top | bottom | left | right
}

/// File a as a byte, rank 1 lowest.
#[inline]
const fn byte_from_file(set: u64) -> u8 {
    ((set & FILE_A).wrapping_mul(RANKS_TO_BITS) >> 56) as u8
}

/// Ranks 2 to 7 of a byte as squares of file a; the corners belong to the ranks. (Without them nothing carries.)
#[inline]
const fn file_from_byte(byte: u8) -> u64 {
    (byte as u64 & 0x7E).wrapping_mul(BITS_TO_RANKS) & FILE_A
}

/// The squares whose line has no empty square, for each of the four directions.
struct FullLines {
    rows: u64,
    columns: u64,
    rising: u64,
    falling: u64,
}

impl FullLines {
    #[inline]
    const fn of(taken: u64) -> Self {
        Self {
            rows: full_rows(taken),
            columns: full_columns(taken),
            rising: full_rising(taken),
            falling: full_falling(taken),
        }
    }
}

#[inline]
const fn full_rows(mut taken: u64) -> u64 {
    taken &= taken >> 4;
    taken &= taken >> 2;
    taken &= taken >> 1;
    (taken & FILE_A).wrapping_mul(0xFF)
}

#[inline]
const fn full_columns(mut taken: u64) -> u64 {
    taken &= taken.rotate_right(32);
    taken &= taken.rotate_right(16);
    taken & taken.rotate_right(8)
}

/// Emptiness spreads along the diagonals on which files and ranks grow together, by 1, 2 and 4 squares each way.
#[inline]
const fn full_rising(taken: u64) -> u64 {
    let (mut up, mut down) = (!taken, !taken);
    up |= up << 9 & FROM_FILE[1];
    up |= up << 18 & FROM_FILE[2];
    up |= up << 36 & FROM_FILE[4];
    down |= down >> 9 & TO_FILE[6];
    down |= down >> 18 & TO_FILE[5];
    down |= down >> 36 & TO_FILE[3];
    !(up | down)
}

/// The same on the diagonals on which files grow while ranks shrink.
#[inline]
const fn full_falling(taken: u64) -> u64 {
    let (mut up, mut down) = (!taken, !taken);
    up |= up << 7 & TO_FILE[6];
    up |= up << 14 & TO_FILE[5];
    up |= up << 28 & TO_FILE[3];
    down |= down >> 7 & FROM_FILE[1];
    down |= down >> 14 & FROM_FILE[2];
    down |= down >> 28 & FROM_FILE[4];
    !(up | down)
}

/// The squares on this file or to the right of it.
const FROM_FILE: [u64; Square::SIDE] = {
    let mut sets = [!0; Square::SIDE];
    let mut file = 1;
    while file < Square::SIDE {
        sets[file] = sets[file - 1] & !(FILE_A << (file - 1));
        file += 1;
    }
    sets
};

/// The squares on this file or to the left of it.
const TO_FILE: [u64; Square::SIDE] = {
    let mut sets = [!0; Square::SIDE];
    let mut file = 0;
    while file + 1 < Square::SIDE {
        sets[file] = !FROM_FILE[file + 1];
        file += 1;
    }
    sets
};
