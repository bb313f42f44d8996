//! The eight symmetries of the board.

use super::{Bitboard, Square};

/// A symmetry of the square board: a reflection or a rotation.
///
/// Each is "transpose first (if it does), then mirror the files, then mirror the ranks".
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Symmetry(u8);

impl Symmetry {
    /// The symmetry that moves nothing.
    pub const IDENTITY: Self = Self(0);
    /// All eight, the identity first.
    pub const ALL: [Self; 8] = [Self(0), Self(1), Self(2), Self(3), Self(4), Self(5), Self(6), Self(7)];

    const MIRROR_FILES: u8 = 1;
    const MIRROR_RANKS: u8 = 2;
    const TRANSPOSE: u8 = 4;

    /// The image of a set of squares.
    #[inline]
    pub const fn apply(self, set: Bitboard) -> Bitboard {
        let mut bits = set.0;
        if self.0 & Self::TRANSPOSE != 0 {
            bits = transpose(bits);
        }
        if self.0 & Self::MIRROR_FILES != 0 {
            bits = bits.swap_bytes().reverse_bits();
        }
        if self.0 & Self::MIRROR_RANKS != 0 {
            bits = bits.swap_bytes();
        }
        Bitboard(bits)
    }

    /// The image of a square.
    pub fn apply_square(self, square: Square) -> Square {
        self.apply(square.bit()).first().expect("the image of a square is a square")
    }

    /// The symmetry that takes images back.
    #[must_use]
    pub const fn inverse(self) -> Self {
        // Quarter turns are their own inverses' mirror; with a transposition the two mirrors change places.
        if self.0 & Self::TRANSPOSE == 0 {
            return self;
        }
        let files = self.0 & Self::MIRROR_FILES;
        let ranks = (self.0 & Self::MIRROR_RANKS) >> 1;
        Self(Self::TRANSPOSE | files << 1 | ranks)
    }
}

/// Swaps files and ranks, by three rounds of block exchanges (Hacker's Delight, 7-3).
const fn transpose(mut x: u64) -> u64 {
    let mut t = (x ^ (x >> 7)) & 0x00AA_00AA_00AA_00AA;
    x ^= t ^ (t << 7);
    t = (x ^ (x >> 14)) & 0x0000_CCCC_0000_CCCC;
    x ^= t ^ (t << 14);
    t = (x ^ (x >> 28)) & 0x0000_0000_F0F0_F0F0;
    x ^ t ^ (t << 28)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_symmetry_is_undone_by_its_inverse_and_all_differ() {
        let asymmetric = Bitboard(0x0000_0000_0102_0407);
        let mut images = Vec::new();
        for symmetry in Symmetry::ALL {
            let image = symmetry.apply(asymmetric);
            assert_eq!(symmetry.inverse().apply(image), asymmetric);
            assert!(!images.contains(&image));
            images.push(image);
        }
    }

    #[test]
    fn transposition_swaps_files_and_ranks() {
        for square in Square::ALL {
            let image = Symmetry(Symmetry::TRANSPOSE).apply_square(square);
            assert_eq!((image.file(), image.rank()), (square.rank(), square.file()));
        }
    }
}
