//! The tunables of the search, each once, with its reason.
//!
//! Depths are plies, values are units of [`Eval`] unless said otherwise.

use crate::score::{Eval, Selectivity};

/// Width of an error margin in standard deviations, per selectivity level (73 % to 99 %). The quantiles of a normal
/// distribution, two-sided, as published for Edax.
const WIDTH: [f32; 5] = [1.1, 1.5, 2.0, 2.6, 3.3];

/// How many standard deviations a ProbCut probe must lie beyond a bound; `None` at full selectivity.
#[inline]
pub(super) fn probcut_width(selectivity: Selectivity) -> Option<f32> {
    WIDTH.get(usize::from(selectivity.index())).copied()
}

/// Below this depth the static value takes the place of a probe (range 2–6).
pub(super) const PROBCUT_MIN_DEPTH: u8 = 3;
/// Probes inside probes, at most (range 1–3).
pub(super) const PROBCUT_MAX_NESTING: u8 = 2;

/// How far the static value may fall short of what a probe has to reach for the probe to be worth making.
pub(super) const fn probcut_gate(solving: bool) -> Eval {
    Eval::from_units(if solving { 4 } else { 2 } * Eval::UNITS_PER_DISC)
}

/// With how many empty squares or fewer a search to `depth` solves its leaves instead of evaluating them. Below depth 8
/// that would cost more than all the rest of the search, and make beginners' levels perfect near the end.
pub(super) const fn leaves_solved_from(depth: u8) -> u32 {
    if depth < 8 { 0 } else { 9 }
}

/// Up to this depth a search runs without table and orders moves by the replies alone (range 1–3).
pub(super) const QUICK_DEPTH: u8 = 2;

/// From this depth on the children's table entries are looked at before any is searched (range 3–16).
pub(super) const ETC_MIN_DEPTH: u8 = 4;

/// From this depth on the moves of a node are shared with other workers, when it does not reach the end …
pub(super) const SPLIT_MIN_DEPTH: u8 = 7;
/// … and when it does: there depth is the number of empty squares, and small ones are done in a moment.
pub(super) const SPLIT_MIN_EMPTIES: u8 = 16;

/// Half the width of the first window of an iteration around the value of the one before.
pub(super) const ASPIRATION: Eval = Eval::from_units(3 * Eval::UNITS_PER_DISC);
/// The same for solving, where values are even.
pub(super) const ASPIRATION_SOLVING: Eval = Eval::from_units(2 * Eval::UNITS_PER_DISC);

/// A forced move on the clock is searched this deep, for a value to show.
pub(super) const FORCED_MOVE_DEPTH: u8 = 6;
/// On the clock iterations grow by one ply from this depth on, by two before.
pub(super) const SINGLE_STEPS_FROM: u8 = 10;
/// Before solving, iterations go to this many plies short of the end (Edax does the same).
pub(super) const SOLVE_LAST_DEPTHS: u8 = 10;

/// The selective passes worth making before an exact solve: each orders the next, and the more there is to solve the
/// more of them pay (jump rules published for Edax).
pub(super) fn solve_ladder(empties: u8) -> impl Iterator<Item = Selectivity> {
    let steps = match empties {
        0..=14 => 0,
        15..=20 => 1,
        21..=23 => 2,
        24..=26 => 3,
        27..=29 => 4,
        _ => 5,
    };
    Selectivity::all().take(steps)
}

/// What foretells the cost of an iteration on the clock, fitted over positions from games by `scripts/clock_model.py`, and
/// what doubt is worth, fitted by matches.
pub(super) mod pacing {
    use crate::score::{Eval, Selectivity};

    /// A search of the middle game goes on up to so many plies before the end as long as no search to the end fits into
    /// the time.
    pub(crate) const LEAST_BEFORE_END: u8 = 3;
    /// What an iteration of the middle game takes per ply more than the one before.
    pub(crate) const GROWTH: f64 = 1.35;
    /// A search to the end may use this share of what lies between the soft and the hard limit.
    pub(crate) const SOLVING_SHARE: f64 = 0.35;
    /// Factors of the time if the best move changed in the last iteration or the one before that, or in none of the last
    /// so many.
    pub(crate) const CHANGED: f64 = 1.5;
    pub(crate) const CHANGED_BEFORE: f64 = 1.2;
    pub(crate) const STEADY: f64 = 0.85;
    pub(crate) const STEADY_FOR: usize = 5;
    /// From this share of the time on it is looked into whether any other move comes within so much of the best one, in
    /// a search of so many plies less; if none does, this factor stands in for that of a steady move.
    pub(crate) const ALONE_FROM: f64 = 0.3;
    pub(crate) const ALONE_MARGIN: Eval = Eval::from_units(5 * Eval::UNITS_PER_DISC);
    pub(crate) const ALONE_REDUCTION: u8 = 4;
    pub(crate) const ALONE: f64 = 0.4;
    /// Factor of the time if the value fell by so much.
    pub(crate) const FALLEN: f64 = 1.4;
    pub(crate) const FALL: Eval = Eval::from_units(Eval::UNITS_PER_DISC);

    /// Nodes of the first search to the end, after iterations of the middle game with `middle` nodes.
    pub(crate) fn first_solve(empties: f64, middle: f64, selectivity: Selectivity) -> f64 {
        let selective = (7.534 - 0.178 * empties + 0.91 * middle.ln()).exp();
        let exact = 6_600.0 * 2.15_f64.powf(empties - 12.0);
        if selectivity.is_full() { exact } else { selective.min(exact) }
    }

    /// By what factor a search to the end takes more nodes than the one before, of another selectivity.
    pub(crate) fn solve_step(empties: f64, from: Selectivity, to: Selectivity) -> f64 {
        if to.is_full() {
            // The more selective passes went before, the more of the tree is known.
            let factor = (-7.868 + 0.526 * empties).exp();
            return factor.min(50.0 / f64::from(1_u8 << from.index()).sqrt()).max(1.0);
        }
        if from == Selectivity::MIN {
            (-4.298 + 0.184 * empties).exp().clamp(0.3, 5.0)
        } else {
            (-1.085 + 0.069 * empties).exp().clamp(1.0, 4.0)
        }
    }
}

/// Weights of move ordering, in units per item.
pub(super) mod order {
    /// One reply of the opponent (corners count twice) in a search that does not reach the end.
    pub(crate) const MOBILITY: i32 = 64;
    /// The same when solving: many replies make large trees.
    pub(crate) const MOBILITY_SOLVING: i32 = 400;
    /// How many replies a corner is worth where only replies order moves.
    pub(crate) const CORNER_IN_REPLIES: i32 = 3;
    /// One empty neighbour of our discs, when solving.
    pub(crate) const POTENTIAL_SOLVING: i32 = 24;
    /// A move into a quadrant with an odd number of empty squares, when solving.
    pub(crate) const PARITY_SOLVING: i32 = 64;

    /// Up to this depth, when not reaching the end, replies alone order moves: evaluating every child costs more than
    /// the better order saves (range 2–5).
    pub(crate) const BY_REPLIES_DEPTH: u8 = 3;

    /// Plies of the search that orders moves of a node of this depth, not reaching the end.
    pub(crate) const fn depth(depth: u8) -> u8 {
        match depth {
            0..=9 => 0,
            10..=15 => 1,
            _ => 2,
        }
    }

    /// Plies of the search that orders moves of a node with this many empty squares, when solving.
    pub(crate) const fn depth_solving(empties: u8) -> u8 {
        match empties {
            0..=15 => 0,
            16..=20 => 1,
            _ => 2,
        }
    }
}
