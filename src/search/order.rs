//! The moves of a node and the order in which they are tried.

use super::params::order as weight;
use super::worker::{Goal, Node, Stopped, Worker};
use crate::board::{Bitboard, Position, Square, potential_moves};
use crate::eval::Evaluator;
use crate::score::{Draft, Selectivity, Window};
use arrayvec::ArrayVec;

/// More than the 33 moves that a position can have.
pub(super) const MAX_MOVES: usize = 34;

/// A move that may be tried.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) square: Square,
    pub(super) flips: Bitboard,
    /// Higher is tried earlier.
    pub(super) score: i32,
}

/// The legal moves of a position.
pub(super) struct Candidates(ArrayVec<Candidate, MAX_MOVES>);

impl Candidates {
    /// The candidates for `moves`, in the order of the squares.
    #[inline]
    pub(super) fn new(position: Position, moves: Bitboard) -> Self {
        Self(moves.into_iter().map(|square| Candidate { square, flips: position.flips(square), score: 0 }).collect())
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// The candidate at `index` as they are ordered now.
    #[inline]
    pub(super) fn at(&self, index: usize) -> Candidate {
        self.0[index]
    }

    /// The candidates from `index` on.
    #[inline]
    pub(super) fn from(&mut self, index: usize) -> &mut [Candidate] {
        &mut self.0[index..]
    }

    /// A move that turns every disc of the opponent.
    #[inline]
    pub(super) fn wipe_out(&self, position: Position) -> Option<Square> {
        self.0.iter().find(|candidate| candidate.flips == position.opp()).map(|best| best.square)
    }

    /// Puts the moves that the table knows first, the better one at the head, and returns how many there are.
    #[inline]
    pub(super) fn table_moves_first(&mut self, known: [Option<Square>; 2]) -> usize {
        let mut placed = 0;
        for square in known.into_iter().flatten() {
            if let Some(index) = self.0[placed..].iter().position(|candidate| candidate.square == square) {
                self.0.swap(placed, placed + index);
                placed += 1;
            }
        }
        placed
    }

    /// Brings the most promising candidate from `index` on to `index`.
    #[inline]
    pub(super) fn bring_best_forward(&mut self, index: usize) {
        bring_best_forward(self.from(index));
    }
}

/// Scores candidates by the replies that they leave, corners twice, and by being a corner itself.
#[inline]
pub(super) fn score_by_replies(position: Position, candidates: &mut [Candidate]) {
    for candidate in candidates {
        let child = position.play_flips(candidate.square, candidate.flips);
        let corner = Bitboard::CORNERS.contains(candidate.square);
        candidate.score = weight::CORNER_IN_REPLIES * i32::from(corner) - mobility(child.moves());
    }
}

/// The number of replies, corners twice.
#[inline]
pub(super) fn mobility(replies: Bitboard) -> i32 {
    (replies.count() + (replies & Bitboard::CORNERS).count()) as i32
}

/// Brings the most promising candidate to the head; of equals the earlier one.
#[inline]
pub(super) fn bring_best_forward(candidates: &mut [Candidate]) {
    let mut best = 0;
    for index in 1..candidates.len() {
        if candidates[index].score > candidates[best].score {
            best = index;
        }
    }
    if best > 0 {
        candidates.swap(0, best);
    }
}

impl<E: Evaluator> Worker<'_, E> {
    /// Scores candidates by a shallow search and by what they leave to the opponent.
    pub(super) fn order(
        &mut self,
        node: &Node<E::Features>,
        candidates: &mut [Candidate],
        goal: Goal,
    ) -> Result<(), Stopped> {
        if candidates.len() < 2 {
            return Ok(());
        }
        let solving = goal.solves(node.empties());
        if !solving && goal.depth() <= weight::BY_REPLIES_DEPTH {
            score_by_replies(node.position, candidates);
            return Ok(());
        }
        let depth = if solving { weight::depth_solving(node.empties()) } else { weight::depth(goal.depth()) };
        let odd = super::endgame::odd_quadrants(node.position.empties());
        for candidate in candidates {
            self.count_node();
            let child = node.play(self.shared.evaluator, candidate.square, candidate.flips);
            let mobility = mobility(child.position.moves());
            let value = match depth {
                0 => -self.static_value(&child),
                _ => -self.quick(&child, Draft::new(depth, Selectivity::FULL), Window::FULL),
            };
            candidate.score = if solving {
                let (own, opp) = (child.position.own(), child.position.opp());
                value.units()
                    - weight::MOBILITY_SOLVING * mobility
                    - weight::POTENTIAL_SOLVING * potential_moves(own, opp).count() as i32
                    + weight::PARITY_SOLVING * i32::from(odd.contains(candidate.square))
            } else {
                value.units() - weight::MOBILITY * mobility
            };
        }
        Ok(())
    }
}
