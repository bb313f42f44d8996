//! How good an evaluation is: its values, by itself and at the head of a search, against better ones.
//!
//! Owns the comparison; must not know how it is shown. Start reading at [`compare`].

use super::record::Record;
use super::solver::Solver;
use super::{TrainError, Watch};
use crate::board::Move;
use crate::eval::Evaluator;
use crate::score::{Draft, Eval};
use rayon::prelude::*;
use std::sync::Arc;

/// How the values of one depth stand to the labels.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Row {
    /// Draft of the search; depth 0 is the evaluation by itself.
    pub draft: Draft,
    /// Mean absolute error in discs.
    pub absolute: f64,
    /// Mean error in discs, positive if the values are too high.
    pub bias: f64,
    /// Share of positions in which the search chooses the same move as the deepest search of the table; none for the
    /// evaluation by itself.
    pub agreement: Option<f64>,
}

/// The error in discs and the move of each depth.
type Found = Vec<(f64, Option<Move>)>;

/// Positions of one piece of work.
const PIECE: usize = 64;

/// Searches every position to every draft (the deepest last), or to the end of the game if that is nearer, and compares
/// the values with the labels.
///
/// # Errors
/// If there are no positions, or it is stopped.
pub fn compare<E: Evaluator>(
    records: &[Record],
    drafts: &[Draft],
    evaluator: &Arc<E>,
    watch: Watch<'_>,
) -> Result<Vec<Row>, TrainError> {
    if records.is_empty() {
        return Err(TrainError::Nothing("positions"));
    }
    let pieces: Vec<Vec<Found>> = records
        .par_chunks(PIECE)
        .map(|piece| {
            let mut solver = Solver::new(Arc::clone(evaluator), watch.stop);
            let mut found = Vec::with_capacity(piece.len());
            for record in piece {
                let label = record.label();
                let values = drafts.iter().map(|&draft| {
                    let (value, mv) = value(record, draft, &**evaluator, &mut solver)?;
                    Some((f64::from((value - label).units()) / f64::from(Eval::UNITS_PER_DISC), mv))
                });
                found.push(values.collect::<Option<Vec<_>>>().ok_or(TrainError::Stopped)?);
                (watch.progress)(1);
            }
            Ok(found)
        })
        .collect::<Result<_, TrainError>>()?;
    let positions: Vec<Found> = pieces.concat();
    let mean = |term: &dyn Fn(&Found) -> f64| positions.iter().map(term).sum::<f64>() / positions.len() as f64;
    let row = |(i, &draft): (usize, &Draft)| Row {
        draft,
        absolute: mean(&|values| values[i].0.abs()),
        bias: mean(&|values| values[i].0),
        agreement: (draft.depth > 0).then(|| mean(&|values| f64::from(values[i].1 == values[drafts.len() - 1].1))),
    };
    Ok(drafts.iter().enumerate().map(row).collect())
}

/// The value of a position at a draft, and the move it chooses, unless the search is stopped.
fn value<E: Evaluator>(
    record: &Record,
    draft: Draft,
    evaluator: &E,
    solver: &mut Solver<E>,
) -> Option<(Eval, Option<Move>)> {
    let position = record.position();
    if draft.depth == 0 {
        return Some((evaluator.evaluate(&evaluator.features(position), position), None));
    }
    let outcome = solver.search(position, draft);
    if outcome.stopped { None } else { outcome.lines.first().map(|line| (line.value, Some(line.mv))) }
}
