//! The patterns: which squares each looks at, where they lie on the board, and which of their configurations are
//! mirror images of each other.
//!
//! Owns geometry only; must not know weights or how they are stored. A *shape* is a set of squares; its *instances*
//! are its distinct images under the eight symmetries of the board, one *lane* each; its *classes* are its
//! configurations up to the mirror symmetries of the shape itself, so that weights kept per class are exactly
//! symmetric. The family of shapes that tell discs follows Edax and Logistello (Michael Buro's patterns), with the 2×5
//! corner that Logistello has; those that also tell who may move are smaller. Start reading at [`SHAPES`].

use crate::board::{Square, Symmetry};
use std::sync::LazyLock;

/// Room for instances of shapes that tell discs: four vectors of sixteen 16-bit lanes.
pub(super) const DISC_LANES: usize = 64;
/// Room for instances of shapes that tell moves, too: two vectors, behind the others.
pub(super) const MOVE_LANES: usize = 32;
/// Room for all pattern instances.
pub(super) const LANES: usize = DISC_LANES + MOVE_LANES;

/// What the digit of a square grows by if only the side to move may move there.
pub(super) const OWN_MOVE: i16 = 2;
/// What the digit of a square grows by if only the opponent may move there.
pub(super) const OPP_MOVE: i16 = -2;
/// What the digit of a square grows by if both sides may move there.
pub(super) const BOTH_MOVE: i16 = 3;

/// What a shape knows of each of its squares.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Tells {
    /// Own disc, opponent's disc or none.
    Discs,
    /// For empty squares also who may move there: the side to move, the opponent, both or none.
    Moves,
}

impl Tells {
    /// Things that may be told of a square.
    const fn base(self) -> usize {
        match self {
            Self::Discs => 3,
            Self::Moves => 6,
        }
    }

    /// By how much the smallest digit lies below 0, which is an empty square.
    const fn below(self) -> usize {
        match self {
            Self::Discs => 1,
            Self::Moves => 2,
        }
    }
}

/// A set of squares, named after its image at a1.
pub(super) struct Shape {
    pub(super) tells: Tells,
    /// The squares, the least significant digit first.
    pub(super) squares: &'static [Square],
}

impl Shape {
    const fn discs(squares: &'static [Square]) -> Self {
        Self { tells: Tells::Discs, squares }
    }

    const fn moves(squares: &'static [Square]) -> Self {
        Self { tells: Tells::Moves, squares }
    }

    /// Configurations of the shape.
    pub(super) const fn size(&self) -> usize {
        self.tells.base().pow(self.squares.len() as u32)
    }

    /// Configurations before the one of index 0: empty squares without moves.
    const fn centre(&self) -> usize {
        (self.size() - 1) / (self.tells.base() - 1) * self.tells.below()
    }
}

/// Every shape, those that tell moves last.
#[rustfmt::skip]
pub(super) const SHAPES: [Shape; 18] = {
    use Square::*;
    [
        // 3×3 corner
        Shape::discs(&[A1, B1, C1, A2, B2, C2, A3, B3, C3]),
        // the two arms of a corner, with its X-square
        Shape::discs(&[A5, A4, A3, A2, A1, B2, B1, C1, D1, E1]),
        // an edge with both X-squares
        Shape::discs(&[B2, A1, B1, C1, D1, E1, F1, G1, H1, G2]),
        // an edge without its C-squares, with the block in front of it
        Shape::discs(&[A1, C1, D1, E1, F1, H1, C2, D2, E2, F2]),
        // the inner lines
        Shape::discs(&[A2, B2, C2, D2, E2, F2, G2, H2]),
        Shape::discs(&[A3, B3, C3, D3, E3, F3, G3, H3]),
        Shape::discs(&[A4, B4, C4, D4, E4, F4, G4, H4]),
        // the diagonals
        Shape::discs(&[A1, B2, C3, D4, E5, F6, G7, H8]),
        Shape::discs(&[A2, B3, C4, D5, E6, F7, G8]),
        Shape::discs(&[A3, B4, C5, D6, E7, F8]),
        Shape::discs(&[A4, B5, C6, D7, E8]),
        Shape::discs(&[A5, B6, C7, D8]),
        // 2×5 corner
        Shape::discs(&[A1, B1, C1, D1, E1, A2, B2, C2, D2, E2]),
        // with moves: 2×3 blocks in a corner, at an edge and behind a corner
        Shape::moves(&[A1, B1, C1, A2, B2, C2]),
        Shape::moves(&[C1, D1, E1, C2, D2, E2]),
        Shape::moves(&[B2, C2, D2, B3, C3, D3]),
        // with moves: the inner six of an edge and of a third line
        Shape::moves(&[B1, C1, D1, E1, F1, G1]),
        Shape::moves(&[B3, C3, D3, E3, F3, G3]),
    ]
};

/// Most squares in a shape: an index must fit an `i16`, as ten digits of ±1 do, or six of −2 to 3.
const MAX_SQUARES: usize = 10;

/// One image of a shape on the board.
#[derive(Clone, Copy)]
pub(super) struct Instance {
    /// Which of [`SHAPES`].
    pub(super) shape: usize,
    /// The squares in the order of the shape's digits, as indices.
    squares: [u8; MAX_SQUARES],
}

/// The instance in each lane, and how many there are.
const fn instances() -> ([Option<Instance>; LANES], usize) {
    let mut found = [None; LANES];
    let mut lane = 0;
    let mut count = 0;
    let mut shape = 0;
    while shape < SHAPES.len() {
        if matches!(SHAPES[shape].tells, Tells::Moves) && lane < DISC_LANES {
            lane = DISC_LANES;
        }
        let mut sets = [0_u64; Symmetry::ALL.len()];
        let mut symmetry = 0;
        while symmetry < Symmetry::ALL.len() {
            let (squares, set) = image(&SHAPES[shape], Symmetry::ALL[symmetry]);
            let mut known = 0;
            while known < symmetry && sets[known] != set {
                known += 1;
            }
            if known == symmetry {
                found[lane] = Some(Instance { shape, squares });
                lane += 1;
                count += 1;
            }
            sets[symmetry] = set;
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

const FOUND: ([Option<Instance>; LANES], usize) = instances();

/// Number of lanes in use.
pub(super) const INSTANCES: usize = FOUND.1;

/// Lanes that are read for the shapes that tell discs: those in use, up to a multiple of eight.
pub(super) const DISC_LANES_READ: usize = {
    let mut end = 0;
    while end < DISC_LANES && FOUND.0[end].is_some() {
        end += 1;
    }
    end.next_multiple_of(8)
};

/// The instance in each lane in use.
pub(super) const ALL_INSTANCES: [Option<Instance>; LANES] = FOUND.0;

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
    while lane < LANES {
        if let Some(instance) = ALL_INSTANCES[lane] {
            let shape = &SHAPES[instance.shape];
            let mut digit = 0;
            let mut power = 1_i16;
            while digit < shape.squares.len() {
                deltas[instance.squares[digit] as usize].0[lane] = power;
                digit += 1;
                power = power.wrapping_mul(shape.tells.base() as i16);
            }
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

/// Where index 0 (no disc, no move) of each lane lies in a table of all configurations; for unused lanes, behind it.
pub(super) static LANE_CENTRE: [i32; LANES] = {
    let mut centres = [CONFIGURATIONS as i32; LANES];
    let mut lane = 0;
    while lane < LANES {
        if let Some(instance) = ALL_INSTANCES[lane] {
            centres[lane] = (SHAPE_START[instance.shape] + SHAPES[instance.shape].centre()) as i32;
        }
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
            let smallest = mirrors
                .iter()
                .map(|mirror| mirrored(configuration, shape.tells.base(), mirror))
                .min()
                .unwrap_or(configuration);
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

/// The symmetries that map a shape's squares onto themselves in another order: for each digit, the power of the
/// base that it moves to.
fn mirrors(shape: &Shape) -> Vec<Vec<usize>> {
    let (home, set) = image(shape, Symmetry::IDENTITY);
    let home = &home[..shape.squares.len()];
    let mut mirrors = Vec::new();
    for symmetry in Symmetry::ALL {
        let (squares, image_set) = image(shape, symmetry);
        let squares = &squares[..shape.squares.len()];
        if image_set == set && squares != home {
            let place = |square| home.iter().position(|&other| other == square).expect("the sets are equal");
            mirrors.push(squares.iter().map(|&square| shape.tells.base().pow(place(square) as u32)).collect());
        }
    }
    mirrors
}

/// The configuration with its digits moved.
fn mirrored(mut configuration: usize, base: usize, places: &[usize]) -> usize {
    let mut image = 0;
    for place in places {
        image += configuration % base * place;
        configuration /= base;
    }
    image
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shape_has_its_distinct_images_and_no_more() {
        let count = |shape| ALL_INSTANCES.iter().flatten().filter(|instance| instance.shape == shape).count();
        let counts: Vec<usize> = (0..SHAPES.len()).map(count).collect();
        assert_eq!(counts, [4, 4, 4, 4, 4, 4, 4, 2, 4, 4, 4, 4, 8, 8, 8, 8, 4, 4]);
        assert_eq!(counts.iter().sum::<usize>(), INSTANCES);
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
