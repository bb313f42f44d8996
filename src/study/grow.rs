//! Growing a book: which positions come next, their searches, and what follows from them, step by step.
//!
//! A step adds some positions, searches the best move of each, and then the best remaining way out of every position
//! whose way out now stays in the book. What a step does follows from the book alone, so a book that was stopped
//! between steps and grown on is the same as one that was grown at once, whatever the number of threads. Start reading at [`grow`].

use super::examine::Question;
use super::survey::{Exit, Scope};
use super::{Examiner, Stopped, Watch};
use crate::board::{Bitboard, Position};
use crate::book::Book;
use crate::eval::Evaluator;

/// Which positions a book gets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Every move within the scope, the cheapest first.
    Deviate,
    /// The best moves of positions within the scope, so that every line gets a move longer.
    Extend,
    /// Moves within the scope that may turn out best, by their error bounds.
    Enhance,
    /// No new ones; those within the scope that were searched at a lower level are searched again.
    Deepen,
}

/// How a book grows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plan {
    /// Which positions it gets.
    pub mode: Mode,
    /// Which play they come from.
    pub scope: Scope,
    /// It grows until it has so many positions.
    pub positions: usize,
}

/// How growing ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Growth {
    /// There is nothing left to add within the scope.
    Complete,
    /// The book has as many positions as were wanted.
    Full,
}

/// Positions that are added, or searched again, in a step.
const STEP: usize = 96;

/// Grows a book. After each step, `done` is given the book, in which then everything follows; an error of `done` ends it.
///
/// # Errors
/// If it was stopped, or by `done`. The book is then as it was after the last step.
pub fn grow<E: Evaluator, F: From<Stopped>>(
    book: &mut Book,
    plan: &Plan,
    examiner: &Examiner<E>,
    watch: Watch<'_>,
    mut done: impl FnMut(&Book) -> Result<(), F>,
) -> Result<Growth, F> {
    refresh(book, examiner, watch)?;
    let lines_to_extend = if plan.mode == Mode::Extend { ways_on(book, plan) } else { Vec::new() };
    let mut lines_to_extend = lines_to_extend.chunks(STEP);
    loop {
        let next = match plan.mode {
            Mode::Deepen => shallow(book, plan, examiner.level.number()),
            Mode::Extend => lines_to_extend.next().unwrap_or_default().to_vec(),
            Mode::Deviate | Mode::Enhance => ways_on(book, plan),
        };
        let room = if plan.mode == Mode::Deepen { STEP } else { plan.positions.saturating_sub(book.len()).min(STEP) };
        if next.is_empty() {
            return Ok(Growth::Complete);
        }
        if room == 0 {
            return Ok(Growth::Full);
        }
        step(book, &next[..room.min(next.len())], examiner, watch)?;
        done(book)?;
    }
}

/// The positions that the book would get, the most wanted first.
fn ways_on(book: &Book, plan: &Plan) -> Vec<Position> {
    if !book.contains(Position::START) {
        return vec![Position::START];
    }
    let wanted = |exit: &Exit| match plan.mode {
        Mode::Extend => exit.is_best,
        Mode::Enhance => exit.may_be_best,
        Mode::Deviate | Mode::Deepen => true,
    };
    plan.scope.exits(book).into_iter().filter(wanted).map(|exit| exit.to).collect()
}

/// The positions within the scope whose searches were of a lower level.
fn shallow(book: &Book, plan: &Plan, level: u8) -> Vec<Position> {
    let mut seen = std::collections::HashSet::new();
    let reached = plan.scope.survey(book).into_iter().map(|reach| reach.position);
    reached
        .filter(|position| book.get(*position).is_some_and(|entry| entry.level < level))
        .filter(|position| !book.outside(*position).is_empty())
        .filter(|position| seen.insert((position.own(), position.opp())))
        .collect()
}

/// Searches these positions and puts them into the book, with all that follows; all of it or nothing.
fn step<E: Evaluator>(
    book: &mut Book,
    positions: &[Position],
    examiner: &Examiner<E>,
    watch: Watch<'_>,
) -> Result<(), Stopped> {
    let mut grown = book.clone();
    search(&mut grown, positions, examiner, watch)?;
    refresh(&mut grown, examiner, watch)?;
    *book = grown;
    Ok(())
}

/// Searches the best way out of every position whose way out is not known, and lets everything follow from that.
///
/// A shallow search is enough for a way out that is far worse than the best move within the book.
///
/// # Errors
/// If it was stopped; then the book is as it was.
pub fn refresh<E: Evaluator>(book: &mut Book, examiner: &Examiner<E>, watch: Watch<'_>) -> Result<(), Stopped> {
    let wanting = book.iter().filter(|&(position, entry)| book.wants_leaf(position, entry));
    let wanting: Vec<Position> = wanting.map(|(position, _)| position).collect();
    let (known, unknown): (Vec<_>, Vec<_>) =
        wanting.into_iter().partition(|position| !book.links(*position).is_empty());
    let mut grown = book.clone();
    let close = sift(&mut grown, &known, examiner, watch)?;
    search(&mut grown, &[unknown, close].concat(), examiner, watch)?;
    *book = grown;
    book.negamax();
    Ok(())
}

/// Searches the best way out of each of these positions, which come into the book if they are not there.
pub(super) fn search<E: Evaluator>(
    book: &mut Book,
    positions: &[Position],
    examiner: &Examiner<E>,
    watch: Watch<'_>,
) -> Result<(), Stopped> {
    let (questions, closed) = questions(book, positions);
    let answers = examiner.examine(&questions, examiner.level, watch)?;
    let level = examiner.level.number();
    for (question, leaf) in questions.iter().zip(answers) {
        book.put(question.position, level, Some(leaf));
    }
    for position in closed {
        book.put(position, level, None);
    }
    Ok(())
}

/// Searches shallowly the best way out of each of these positions, which have moves within the book, and gives back those
/// where it may be the best move.
fn sift<E: Evaluator>(
    book: &mut Book,
    positions: &[Position],
    examiner: &Examiner<E>,
    watch: Watch<'_>,
) -> Result<Vec<Position>, Stopped> {
    let Some(sieve) = examiner.sieve() else { return Ok(positions.to_vec()) };
    let (questions, closed) = questions(book, positions);
    let answers = examiner.examine(&questions, sieve, watch)?;
    let mut close = closed;
    for (question, leaf) in questions.iter().zip(answers) {
        let best = book.links(question.position).into_iter().map(|link| link.value).max();
        if best.is_some_and(|best| leaf.value + leaf.error < best) {
            book.put(question.position, examiner.level.number(), Some(leaf));
        } else {
            close.push(question.position);
        }
    }
    Ok(close)
}

/// What to ask about these positions, and those that have no way out of the book.
fn questions(book: &Book, positions: &[Position]) -> (Vec<Question>, Vec<Position>) {
    let asked = positions.iter().map(|&position| Question { position, moves: book.outside(position) });
    let (questions, closed): (Vec<_>, Vec<_>) = asked.partition(|question| question.moves != Bitboard::EMPTY);
    (questions, closed.into_iter().map(|question| question.position).collect())
}
