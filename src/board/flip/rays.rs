//! For each square, the eight rays that leave it.

use crate::board::Square;

/// The rays of one square, without the square itself. Four lead to higher indices, four to lower ones; ray `i` of one
/// half and ray `i` of the other lie on the same line.
#[repr(align(64))]
pub(super) struct Rays {
    /// To the right, and down to the left, straight and to the right.
    pub(super) up: [u64; 4],
    /// To the left, and up to the right, straight and to the left.
    pub(super) down: [u64; 4],
}

/// The rays of every square, by index. One cache line each.
pub(super) static RAYS: [Rays; Square::COUNT] = all();

const fn all() -> [Rays; Square::COUNT] {
    const NONE: Rays = Rays { up: [0; 4], down: [0; 4] };
    let mut rays = [NONE; Square::COUNT];
    let mut index = 0;
    while index < Square::COUNT {
        let square = Square::ALL[index];
        rays[index] = Rays {
            up: [ray(square, 1, 0), ray(square, -1, 1), ray(square, 0, 1), ray(square, 1, 1)],
            down: [ray(square, -1, 0), ray(square, 1, -1), ray(square, 0, -1), ray(square, -1, -1)],
        };
        index += 1;
    }
    rays
}

/// The squares that are met from `square` in steps of (`files`, `ranks`).
const fn ray(square: Square, files: isize, ranks: isize) -> u64 {
    let mut squares = 0;
    let mut here = square;
    while let (Some(file), Some(rank)) = (here.file().checked_add_signed(files), here.rank().checked_add_signed(ranks))
    {
        match Square::from_file_rank(file, rank) {
            Some(next) => {
                squares |= next.bit().0;
                here = next;
            }
            None => break,
        }
    }
    squares
}
