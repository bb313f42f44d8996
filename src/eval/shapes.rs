//! The patterns: which squares each looks at, where they lie on the board, and which of their configurations are
//! mirror images of each other.
//!
//! Owns geometry only; must not know weights or how they are stored. A *shape* is a set of squares; its *instances*
//! are its distinct images under the eight symmetries of the board, one *lane* each; its *classes* are its
//! configurations up to the mirror symmetries of the shape itself, so that weights kept per class are exactly
//! symmetric. The family of shapes follows Edax and Logistello (Michael Buro's patterns), with the 2×5 corner that
//! Logistello has and two shapes inside the board. Start reading at [`SHAPES`].

use crate::board::{Square, Symmetry};
use std::sync::LazyLock;

/// Room for pattern instances: four vectors of sixteen 16-bit lanes.
pub(super) const LANES: usize = 64;

/// A set of squares, named after its image at a1.
pub(super) struct Shape {
    /// The squares, the least significant ternary digit first.
    pub(super) squares: &'static [Square],
}

impl Shape {
    /// Configurations of the shape: 3 to the number of squares.
    pub(super) const fn size(&self) -> usize {
        3_usize.pow(self.squares.len() as u32)
    }
}

/// Every shape.
#[rustfmt::skip]
pub(super) const SHAPES: [Shape; 15] = {
    use Square::*;
    [
        // 3×3 corner
        Shape { squares: &[A1, B1, C1, A2, B2, C2, A3, B3, C3] },
        // the two arms of a corner, with its X-square
        Shape { squares: &[A5, A4, A3, A2, A1, B2, B1, C1, D1, E1] },
        // an edge with both X-squares
        Shape { squares: &[B2, A1, B1, C1, D1, E1, F1, G1, H1, G2] },
        // an edge without its C-squares, with the block in front of it
        Shape { squares: &[A1, C1, D1, E1, F1, H1, C2, D2, E2, F2] },
        // the inner lines
        Shape { squares: &[A2, B2, C2, D2, E2, F2, G2, H2] },
        Shape { squares: &[A3, B3, C3, D3, E3, F3, G3, H3] },
        Shape { squares: &[A4, B4, C4, D4, E4, F4, G4, H4] },
        // the diagonals
        Shape { squares: &[A1, B2, C3, D4, E5, F6, G7, H8] },
        Shape { squares: &[A2, B3, C4, D5, E6, F7, G8] },
        Shape { squares: &[A3, B4, C5, D6, E7, F8] },
        Shape { squares: &[A4, B5, C6, D7, E8] },
        Shape { squares: &[A5, B6, C7, D8] },
        // 2×5 corner
        Shape { squares: &[A1, B1, C1, D1, E1, A2, B2, C2, D2, E2] },
        // the inner six of a second line with the block in front of them
        Shape { squares: &[B2, C2, D2, E2, F2, G2, C3, D3, E3, F3] },
        // the 3×3 block behind a corner
        Shape { squares: &[B2, C2, D2, B3, C3, D3, B4, C4, D4] },
    ]
};

/// Most squares in a shape: an index with all digits ±1 must fit an `i16`.
const MAX_SQUARES: usize = 10;

/// One image of a shape on the board.
#[derive(Clone, Copy)]
pub(super) struct Instance {
    /// Which of [`SHAPES`].
    pub(super) shape: usize,
    /// The squares in the order of the shape's digits, as indices.
    squares: [u8; MAX_SQUARES],
}

/// The instances in lane order, and how many there are.
const fn instances() -> ([Instance; LANES], usize) {
    let mut found = [Instance { shape: 0, squares: [0; MAX_SQUARES] }; LANES];
    let mut sets = [0_u64; LANES];
    let mut count = 0;
    let mut shape = 0;
    while shape < SHAPES.len() {
        let mut symmetry = 0;
        while symmetry < Symmetry::ALL.len() {
            let (squares, set) = image(&SHAPES[shape], Symmetry::ALL[symmetry]);
            let mut known = 0;
            while known < count && sets[known] != set {
                known += 1;
            }
            if known == count {
                found[count] = Instance { shape, squares };
                sets[count] = set;
                count += 1;
            }
            symmetry += 1;
        }
        shape += 1;
    }
    (found, count)
}

/// The squares of a shape's image, in digit order and as a set.
const fn image(shape: &Shape, symmetry: Symmetry) -> ([u8; MAX_SQUARES], u64) {
    let mut squares = [0; MAX_SQUARES];
    let mut set = 0;
    let mut digit = 0;
    while digit < shape.squares.len() {
        let bit = symmetry.apply(shape.squares[digit].bit()).0;
        squares[digit] = bit.trailing_zeros() as u8;
        set |= bit;
        digit += 1;
    }
    (squares, set)
}

const FOUND: ([Instance; LANES], usize) = instances();

/// Number of lanes in use.
pub(super) const INSTANCES: usize = FOUND.1;

/// Every instance, in lane order.
pub(super) const ALL_INSTANCES: [Instance; LANES] = FOUND.0;

/// By how much each lane's index grows when the side to move gets a disc on a square.
pub(super) type Deltas = [i16; LANES];

/// The deltas of each square; unused lanes stay 0.
pub(super) static DELTAS: [Aligned; Square::COUNT] = deltas();

/// A vector register's worth of alignment.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct Aligned(pub(super) Deltas);

const fn deltas() -> [Aligned; Square::COUNT] {
    let mut deltas = [Aligned([0; LANES]); Square::COUNT];
    let mut lane = 0;
    while lane < INSTANCES {
        let instance = ALL_INSTANCES[lane];
        let mut digit = 0;
        let mut power = 1;
        while digit < SHAPES[instance.shape].squares.len() {
            deltas[instance.squares[digit] as usize].0[lane] = power;
            digit += 1;
            power = power.wrapping_mul(3);
        }
        lane += 1;
    }
    deltas
}

/// Configurations of all shapes together.
pub(super) const CONFIGURATIONS: usize = SHAPE_START[SHAPES.len()];

/// Where each shape's configurations start in a table of all of them; the last entry is the end.
pub(super) const SHAPE_START: [usize; SHAPES.len() + 1] = {
    let mut starts = [0; SHAPES.len() + 1];
    let mut shape = 0;
    while shape < SHAPES.len() {
        starts[shape + 1] = starts[shape] + SHAPES[shape].size();
        shape += 1;
    }
    starts
};

/// Where index 0 (no disc at all) of each lane lies in a table of all configurations; for unused lanes, behind it.
pub(super) static LANE_CENTRE: [i32; LANES] = {
    let mut centres = [CONFIGURATIONS as i32; LANES];
    let mut lane = 0;
    while lane < INSTANCES {
        let shape = ALL_INSTANCES[lane].shape;
        centres[lane] = (SHAPE_START[shape] + SHAPES[shape].size() / 2) as i32;
        lane += 1;
    }
    centres
};

/// The classes of configurations that are mirror images of each other, numbered over all shapes.
pub(super) struct Classes {
    /// The class of each configuration, in the order of a table of all configurations.
    pub(super) of: Vec<u32>,
    /// Number of classes.
    pub(super) count: usize,
}

/// The classes, worked out at first use (a few milliseconds).
pub(super) static CLASSES: LazyLock<Classes> = LazyLock::new(|| {
    let mut of = Vec::with_capacity(CONFIGURATIONS);
    let mut count = 0;
    for shape in &SHAPES {
        let start = of.len();
        let mirrors = mirrors(shape);
        for configuration in 0..shape.size() {
            // The images of a configuration come in any order; the smallest of them opens the class.
            let smallest = mirrors.iter().map(|mirror| mirrored(configuration, mirror)).min().unwrap_or(configuration);
            if smallest < configuration {
                of.push(of[start + smallest]);
            } else {
                of.push(count);
                count += 1;
            }
        }
    }
    Classes { of, count: count as usize }
});

/// The symmetries that map a shape's squares onto themselves in another order: for each digit, the power of three
/// that it moves to.
fn mirrors(shape: &Shape) -> Vec<Vec<usize>> {
    let (home, set) = image(shape, Symmetry::IDENTITY);
    let home = &home[..shape.squares.len()];
    let mut mirrors = Vec::new();
    for symmetry in Symmetry::ALL {
        let (squares, image_set) = image(shape, symmetry);
        let squares = &squares[..shape.squares.len()];
        if image_set == set && squares != home {
            let place = |square| home.iter().position(|&other| other == square).expect("the sets are equal");
            mirrors.push(squares.iter().map(|&square| 3_usize.pow(place(square) as u32)).collect());
        }
    }
    mirrors
}

/// The configuration with its digits moved.
fn mirrored(mut configuration: usize, places: &[usize]) -> usize {
    let mut image = 0;
    for place in places {
        image += configuration % 3 * place;
        configuration /= 3;
    }
    image
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shape_has_its_distinct_images_and_no_more() {
        let count = |shape| ALL_INSTANCES[..INSTANCES].iter().filter(|instance| instance.shape == shape).count();
        let counts: Vec<usize> = (0..SHAPES.len()).map(count).collect();
        assert_eq!(counts, [4, 4, 4, 4, 4, 4, 4, 2, 4, 4, 4, 4, 8, 4, 4]);
    }

    #[test]
    fn classes_halve_the_shapes_with_a_mirror_and_leave_the_others_alone() {
        let classes_of = |shape: usize| {
            let range = SHAPE_START[shape]..SHAPE_START[shape + 1];
            let mut classes = CLASSES.of[range].to_vec();
            classes.sort_unstable();
            classes.dedup();
            classes.len()
        };
        // A line of eight has 3^8 configurations, 3^4 of them their own mirror image.
        assert_eq!(classes_of(4), (6561 + 81) / 2);
        assert_eq!(classes_of(12), SHAPES[12].size());
        assert_eq!(CLASSES.of.iter().max().map(|&last| last as usize + 1), Some(CLASSES.count));
    }
}
