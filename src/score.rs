//! Units of value: final scores in discs, evaluations in fixed point, windows, bounds and drafts.
//!
//! Owns the arithmetic of values; must not know boards, games, threads or how a number is spelled for people.
//! Start reading at [`Score`] (whole discs) and [`Eval`] (fixed point).

use std::fmt;
use std::ops::{Add, Neg, Sub};

/// A final score in whole discs, −64 to +64, from the view of the side to move.
///
/// Empty squares count for the winner; a draw is 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
#[repr(transparent)]
pub struct Score(i32);

impl Score {
    /// The worst score: wiped out.
    pub const MIN: Self = Self(-64);
    /// The best score: the opponent wiped out.
    pub const MAX: Self = Self(64);
    /// A draw.
    pub const DRAW: Self = Self(0);

    /// The score of `discs`, clamped to −64..=64.
    #[inline]
    pub const fn from_discs(discs: i32) -> Self {
        if discs > 64 {
            Self::MAX
        } else if discs < -64 {
            Self::MIN
        } else {
            Self(discs)
        }
    }

    /// The score in discs, −64..=64.
    #[inline]
    pub const fn discs(self) -> i32 {
        self.0
    }
}

impl Neg for Score {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

/// `+18`, `-6`, `0` (never `-0`).
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == 0 { f.write_str("0") } else { write!(f, "{:+}", self.0) }
    }
}

/// An evaluation in fixed point, [`Eval::UNITS_PER_DISC`] units to the disc, from the view of the side to move.
///
/// Every search value is an `Eval`; a solved value is a whole number of discs in it. Values fit an `i16`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
#[repr(transparent)]
pub struct Eval(i32);

impl Eval {
    /// Units in one disc of final difference.
    pub const UNITS_PER_DISC: i32 = 128;
    /// The value of +64 discs.
    pub const MAX: Self = Self(64 * Self::UNITS_PER_DISC);
    /// The value of −64 discs.
    pub const MIN: Self = Self(-64 * Self::UNITS_PER_DISC);
    /// Equality.
    pub const ZERO: Self = Self(0);
    /// The smallest difference of two evaluations.
    pub const UNIT: Self = Self(1);

    /// The evaluation of `units` as they are; the caller keeps them within `MIN..=MAX` where it matters.
    #[inline]
    pub const fn from_units(units: i32) -> Self {
        Self(units)
    }

    /// The evaluation of a number of discs, rounded to the nearest unit and clamped to `MIN..=MAX`.
    #[inline]
    pub fn from_discs(discs: f32) -> Self {
        #[allow(clippy::cast_possible_truncation)]
        Self((discs * Self::UNITS_PER_DISC as f32).round() as i32).clamp(Self::MIN, Self::MAX)
    }

    /// The value in units.
    #[inline]
    pub const fn units(self) -> i32 {
        self.0
    }

    /// The value in discs.
    #[inline]
    pub fn discs(self) -> f32 {
        self.0 as f32 / Self::UNITS_PER_DISC as f32
    }

    /// The nearest whole score; exact for solved values.
    #[inline]
    pub const fn to_score(self) -> Score {
        let half = Self::UNITS_PER_DISC / 2;
        Score::from_discs((self.0 + half).div_euclid(Self::UNITS_PER_DISC))
    }

    /// The largest whole score that is not above this value.
    #[inline]
    pub const fn floor_score(self) -> Score {
        Score::from_discs(self.0.div_euclid(Self::UNITS_PER_DISC))
    }
}

impl From<Score> for Eval {
    #[inline]
    fn from(score: Score) -> Self {
        Self(score.0 * Self::UNITS_PER_DISC)
    }
}

impl Neg for Eval {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Add for Eval {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Sub for Eval {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

/// What a search asks: is the value at most `alpha`, at least `beta`, or between them?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    /// The value already secured by the side to move.
    pub alpha: Eval,
    /// The value the opponent can hold the side to move to.
    pub beta: Eval,
}

impl Window {
    /// Every value, with room outside it so that ±64 discs are inside.
    pub const FULL: Self = Self { alpha: Eval(Eval::MIN.0 - 1), beta: Eval(Eval::MAX.0 + 1) };

    /// The empty window just above `alpha`: it only asks whether the value is greater than `alpha`.
    #[inline]
    pub const fn null(alpha: Eval) -> Self {
        Self { alpha, beta: Eval(alpha.0 + 1) }
    }

    /// The same question from the other side.
    #[inline]
    pub const fn flipped(self) -> Self {
        Self { alpha: Eval(-self.beta.0), beta: Eval(-self.alpha.0) }
    }

    /// Whether no value lies strictly between the bounds.
    #[inline]
    pub const fn is_null(self) -> bool {
        self.beta.0 - self.alpha.0 <= 1
    }
}

/// How a value found by a search stands to the true one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Bound {
    /// The true value is at least this.
    Lower,
    /// The true value is at most this.
    Upper,
    /// The true value is this.
    Exact,
}

impl Bound {
    /// The same from the other side.
    #[inline]
    pub const fn flipped(self) -> Self {
        match self {
            Self::Lower => Self::Upper,
            Self::Upper => Self::Lower,
            Self::Exact => Self::Exact,
        }
    }
}

/// A confidence level of selective search (Multi-ProbCut): how wide an error margin its probes keep.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(transparent)]
pub struct Selectivity(u8);

impl Selectivity {
    /// Probability in percent that a probe of the level is right, per level.
    const PERCENT: [u8; 6] = [73, 87, 95, 98, 99, 100];
    /// The most selective level, 73 %.
    pub const MIN: Self = Self(0);
    /// No selective pruning at all, 100 %.
    pub const FULL: Self = Self(5);

    /// Every level from 73 % to 100 %.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> {
        (0..=Self::FULL.0).map(Self)
    }

    /// The level with this index, 0 (73 %) to 5 (100 %).
    pub const fn from_index(index: u8) -> Option<Self> {
        if index <= Self::FULL.0 { Some(Self(index)) } else { None }
    }

    /// The weakest level that is at least as safe as `percent`.
    pub fn from_percent(percent: u8) -> Self {
        Self::all().find(|level| level.percent() >= percent).unwrap_or(Self::FULL)
    }

    /// The index of the level, 0 to 5.
    #[inline]
    pub const fn index(self) -> u8 {
        self.0
    }

    /// The level as a percentage: 73, 87, 95, 98, 99 or 100.
    #[inline]
    pub const fn percent(self) -> u8 {
        Self::PERCENT[self.0 as usize]
    }

    /// Whether nothing is pruned on a guess.
    #[inline]
    pub const fn is_full(self) -> bool {
        self.0 == Self::FULL.0
    }
}

/// How well a position has been searched: plies and selectivity. A search that reaches the end of the game has
/// a depth equal to the number of empty squares.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Draft {
    /// Plies searched, 0 to 60; passes are not counted.
    pub depth: u8,
    /// Confidence level of the pruning below.
    pub selectivity: Selectivity,
}

impl Draft {
    /// A draft of `depth` plies at `selectivity`.
    #[inline]
    pub const fn new(depth: u8, selectivity: Selectivity) -> Self {
        Self { depth, selectivity }
    }

    /// Whether a result of this draft answers a request for `other`: at least as deep and at least as safe.
    #[inline]
    pub const fn covers(self, other: Self) -> bool {
        self.depth >= other.depth && self.selectivity.0 >= other.selectivity.0
    }
}

/// `12@73%`, or `12` without selectivity.
impl fmt::Display for Draft {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.selectivity.is_full() {
            write!(f, "{}", self.depth)
        } else {
            write!(f, "{}@{}%", self.depth, self.selectivity.percent())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_is_to_the_nearest_and_flooring_is_down() {
        for discs in -64..=64 {
            assert_eq!(Eval::from(Score::from_discs(discs)).to_score().discs(), discs);
            assert_eq!(Eval::from(Score::from_discs(discs)).floor_score().discs(), discs);
        }
        assert_eq!(Eval::from_units(-1).floor_score().discs(), -1);
        assert_eq!(Eval::from_units(-1).to_score().discs(), 0);
        assert_eq!(Eval::from_units(64).to_score().discs(), 1);
        assert_eq!(Eval::from_units(127).floor_score().discs(), 0);
    }

    #[test]
    fn a_score_never_prints_a_negative_zero() {
        assert_eq!((-Score::DRAW).to_string(), "0");
        assert_eq!(Score::from_discs(18).to_string(), "+18");
        assert_eq!(Score::from_discs(-99).to_string(), "-64");
    }

    #[test]
    fn percentages_find_the_next_safer_level() {
        assert_eq!(Selectivity::from_percent(0).percent(), 73);
        assert_eq!(Selectivity::from_percent(73).percent(), 73);
        assert_eq!(Selectivity::from_percent(88).percent(), 95);
        assert_eq!(Selectivity::from_percent(100), Selectivity::FULL);
    }
}
