//! The error model of shallow searches, fitted to searches without ProbCut.
//!
//! Owns the measurement and the fit of [`ProbCut`]; must not know how the search uses it. Start reading at [`fit`].

use super::record::Record;
use super::solver::Solver;
use super::{TrainError, Watch};
use crate::eval::{Evaluator, ProbCut};
use crate::score::{Draft, Eval, Selectivity};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Positions of one piece of work.
const PIECE: usize = 16;
/// Empty squares that are counted together.
const EMPTIES_STEP: u8 = 4;
/// Cells with fewer errors than this say little about a deviation.
const FEWEST: u32 = 3;

/// What is counted together: empty squares (rounded), the depth, and the depth of the probe.
type Cell = (u8, u8, u8);

/// The errors in a cell.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Errors {
    /// How many.
    pub count: u32,
    /// Sum of their squares, in discs.
    pub squares: f64,
}

impl Errors {
    /// Their standard deviation around zero.
    pub fn deviation(&self) -> f64 {
        (self.squares / f64::from(self.count)).sqrt()
    }
}

/// A fitted model and the deviations it was fitted to.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// The model.
    pub model: ProbCut,
    /// Errors by empty squares, depth and probe.
    pub cells: BTreeMap<Cell, Errors>,
}

/// Searches every position to every depth up to `deepest` (and, where labels are exact, takes them for the value of a
/// solving search) and fits the deviations of shallow values from deep ones.
///
/// # Errors
/// If there are no positions, or it is stopped.
pub fn fit<E: Evaluator>(
    records: &[Record],
    deepest: u8,
    evaluator: &Arc<E>,
    watch: Watch<'_>,
) -> Result<Fitted, TrainError> {
    let pieces: Vec<BTreeMap<Cell, Errors>> = records
        .par_chunks(PIECE)
        .map(|piece| {
            let mut cells = BTreeMap::new();
            let mut solver = Solver::new(Arc::clone(evaluator), watch.stop);
            for record in piece {
                let values = values(record, deepest, &**evaluator, &mut solver).ok_or(TrainError::Stopped)?;
                count(record, &values, &mut cells);
                (watch.progress)(1);
            }
            Ok(cells)
        })
        .collect::<Result<_, TrainError>>()?;
    let mut cells: BTreeMap<Cell, Errors> = BTreeMap::new();
    for (cell, errors) in pieces.into_iter().flatten() {
        let sum = cells.entry(cell).or_default();
        sum.count += errors.count;
        sum.squares += errors.squares;
    }
    cells.retain(|_, errors| errors.count >= FEWEST && errors.squares > 0.0);
    if cells.len() < ProbCut::TERMS {
        return Err(TrainError::Nothing("positions"));
    }
    Ok(Fitted { model: model(&cells), cells })
}

/// The values of a position by depth, the static one first, in discs; and the exact one by its depth, if known.
fn values<E: Evaluator>(record: &Record, deepest: u8, evaluator: &E, solver: &mut Solver<E>) -> Option<Vec<(u8, f64)>> {
    let position = record.position();
    let discs = |value: Eval| f64::from(value.units()) / f64::from(Eval::UNITS_PER_DISC);
    let exact = record.is_exact();
    let deepest = if exact { deepest.min(record.depth() - 1) } else { deepest };
    let mut values = vec![(0, discs(evaluator.evaluate(&evaluator.features(position), position)))];
    for depth in 1..=deepest {
        values.push((depth, discs(solver.value(position, Draft::new(depth, Selectivity::FULL))?)));
    }
    if exact {
        values.push((record.depth(), discs(record.label())));
    }
    Some(values)
}

/// Counts the errors of a position: between depths of the same parity, of the static value, and of everything against
/// the solution.
fn count(record: &Record, values: &[(u8, f64)], cells: &mut BTreeMap<Cell, Errors>) {
    let empties = (record.empties() as u8).div_ceil(EMPTIES_STEP) * EMPTIES_STEP;
    for (i, &(depth, deep)) in values.iter().enumerate() {
        let solves = u32::from(depth) == record.empties();
        for &(probe, shallow) in &values[..i] {
            if probe == 0 || solves || (depth - probe).is_multiple_of(2) {
                // A solution keeps its depth at the number of empty squares when these are rounded.
                let depth = if solves { empties } else { depth };
                let errors = cells.entry((empties, depth, probe)).or_default();
                errors.count += 1;
                errors.squares += (deep - shallow).powi(2);
            }
        }
    }
}

/// The model nearest to the logarithms of the deviations, weighed by how well each is known.
fn model(cells: &BTreeMap<Cell, Errors>) -> ProbCut {
    const N: usize = ProbCut::TERMS;
    /// Keeps factors of terms that the data do not tell apart small.
    const RIDGE: f64 = 1e-3;
    let mut equations = [[0.0; N + 1]; N];
    for (&(empties, depth, probe), errors) in cells {
        let terms = ProbCut::terms(empties, depth, probe).map(f64::from);
        let weight = f64::from(errors.count);
        for (row, &term) in equations.iter_mut().zip(&terms) {
            for (entry, &other) in row.iter_mut().zip(&terms) {
                *entry += weight * term * other;
            }
            row[N] += weight * term * errors.deviation().ln();
        }
    }
    for (i, row) in equations.iter_mut().enumerate() {
        row[i] += RIDGE;
    }
    ProbCut { factors: solve(equations).map(|factor| factor as f32) }
}

/// Solves linear equations (coefficients, then the right side) by elimination; they are positive definite, so that no
/// row needs exchanging.
fn solve<const N: usize, const W: usize>(mut rows: [[f64; W]; N]) -> [f64; N] {
    for i in 0..N {
        let pivot = rows[i];
        for (j, row) in rows.iter_mut().enumerate() {
            if j != i {
                let factor = row[i] / pivot[i];
                row.iter_mut().zip(pivot).for_each(|(entry, other)| *entry -= factor * other);
            }
        }
    }
    std::array::from_fn(|i| rows[i][W - 1] / rows[i][i])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_is_recovered_from_its_own_deviations() {
        let truth = ProbCut { factors: [0.9, 1.2, -1.4, -0.25, 0.3, 0.15] };
        let mut cells = BTreeMap::new();
        for empties in (8..=48).step_by(4) {
            for depth in (2..=8).chain([empties]) {
                for probe in 0..depth.min(6) {
                    let deviation = f64::from(truth.sigma(empties, depth, probe));
                    cells.insert((empties, depth, probe), Errors { count: 100, squares: 100.0 * deviation.powi(2) });
                }
            }
        }
        for (found, expected) in model(&cells).factors.iter().zip(truth.factors) {
            assert!((found - expected).abs() < 0.01, "{found} {expected}");
        }
    }
}
