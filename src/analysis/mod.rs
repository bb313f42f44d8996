//! Reports on games and positions: reviews of many games on all cores, as tables, graphs and JSON.
//!
//! Owns what is told of a review; the review of one game belongs to the engine, files and terminals to whoever calls.
//! Start reading at [`GameReview`].

mod graph;
pub mod json;
mod ordered;
mod run;
mod svg;
mod table;

pub use graph::graph;
pub use run::{Crew, review_all};
pub use svg::svg;
pub use table::table;

use crate::board::Color;
use crate::engine::Assessment;
use crate::game::record::GameRecord;
use crate::score::Eval;

/// A game and what its turns are worth.
#[derive(Clone, PartialEq, Debug)]
pub struct GameReview {
    /// The game.
    pub record: GameRecord,
    /// Its turns, in their order. If the review was stopped, the last ones are missing.
    pub turns: Vec<Assessment>,
    /// Whether no turn is missing.
    pub complete: bool,
}

/// What a side gave away in a game.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Loss {
    /// The sum over its turns.
    pub total: Eval,
    /// Turns in which it had a choice of moves or placed its only one; passes do not count.
    pub turns: usize,
    /// Turns that gave something away.
    pub errors: usize,
}

/// What a game is worth for Black at some moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moment {
    /// Turns played before it.
    pub ply: usize,
    /// The value for Black under best play from here on, or the result.
    pub value: Eval,
    /// What the turn that led here gave away, and who did; nothing for the first moment.
    pub loss: Option<(Color, Eval)>,
}

impl GameReview {
    /// What a side gave away.
    pub fn loss(&self, color: Color) -> Loss {
        let mut loss = Loss::default();
        for assessment in self.turns.iter().filter(|turn| turn.turn.color == color) {
            loss.total = loss.total + assessment.loss();
            loss.turns += usize::from(assessment.turn.mv.square().is_some());
            loss.errors += usize::from(assessment.loss() > Eval::ZERO);
        }
        loss
    }

    /// The course of the game up to the last assessed turn; empty if there is none.
    pub fn course(&self) -> Vec<Moment> {
        let for_black = |color, value: Eval| if color == Color::Black { value } else { -value };
        let mut course = Vec::new();
        let mut loss = None;
        for assessment in &self.turns {
            let color = assessment.turn.color;
            course.push(Moment { ply: assessment.ply, value: for_black(color, assessment.best.value), loss });
            loss = Some((color, assessment.loss()));
        }
        if let Some(last) = self.turns.last() {
            let value = for_black(last.turn.color, last.played.value);
            let result = self.record.game.result().filter(|_| self.complete);
            let value = result.map_or(value, |result| result.score.into());
            course.push(Moment { ply: last.ply + 1, value, loss });
        }
        course
    }
}

#[cfg(test)]
mod samples {
    use super::*;
    use crate::board::Move;
    use crate::game::transcript;
    use crate::score::{Bound, Draft, Selectivity};
    use crate::search::Line;
    use std::time::Duration;

    /// A review of a game whose turns are worth, in whole discs for their side, what was played and what was best.
    pub(super) fn review(moves: &str, worth: &[(f32, f32)], solved_from: usize) -> GameReview {
        let game = transcript::parse(moves).unwrap();
        let line = |mv: Move, discs: f32, solved| Line {
            mv,
            value: Eval::from_discs(discs),
            bound: Bound::Exact,
            draft: Draft::new(12, Selectivity::MIN),
            solved,
            pv: vec![mv, Move::Pass],
        };
        let turns = game.turns().zip(worth).enumerate();
        let turns = turns.map(|(ply, (turn, &(played, best)))| {
            let solved = ply >= solved_from;
            // The best other move is the first legal one, whatever it is worth.
            let moves = game.position_at(ply).unwrap().moves();
            let other = moves.into_iter().map(Move::Place).find(|mv| *mv != turn.mv).unwrap_or(turn.mv);
            Assessment {
                ply,
                turn,
                played: line(turn.mv, played, solved),
                best: line(if played < best { other } else { turn.mv }, best, solved),
                nodes: 100,
                elapsed: Duration::from_millis(1500),
            }
        });
        GameReview { turns: turns.collect(), record: GameRecord::of(game.clone()), complete: true }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses_are_summed_by_side_and_the_course_is_blacks() {
        let review = samples::review("f5f6e6f4", &[(0.5, 0.5), (-2.0, 1.0), (3.0, 3.0), (-4.0, -3.5)], 9);
        let total = |color| review.loss(color).total.discs();
        assert_eq!((total(Color::Black), total(Color::White)), (0.0, 3.5));
        let loss = review.loss(Color::White);
        assert_eq!((loss.turns, loss.errors), (2, 2));
        let values: Vec<_> = review.course().iter().map(|moment| moment.value.discs()).collect();
        assert_eq!(values, [0.5, -1.0, 3.0, 3.5, 4.0]);
        let losses: Vec<_> = review.course().iter().map(|moment| moment.loss.map(|(_, loss)| loss.discs())).collect();
        assert_eq!(losses, [None, Some(0.0), Some(3.0), Some(0.0), Some(0.5)]);
    }
}
