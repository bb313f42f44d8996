//! Exact solving of the last eleven empty squares, in whole discs and without an evaluation.
//!
//! Owns the order of play near the end; must not know time, threads or the shared table. [`Solver::solve`] answers
//! null-window questions; each step down changes method: a cache and mobility ordering from eleven empty squares,
//! parity ordering at six and five, named squares from four.

mod cache;
mod last;

pub(super) use last::odd_quadrants;

use super::order::mobility;
use crate::board::{Bitboard, Position, Square, potential_moves, stable_discs};
use cache::Cache;

/// The most empty squares that the solver takes over from the evaluation-ordered search.
pub(super) const MAX_EMPTIES: u32 = 11;
/// Down to this many empty squares moves are ordered by mobility; below, by parity alone.
const MOBILITY_ORDER_FROM: u32 = 7;

/// Positions entered by a move or a pass.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct Nodes(pub(super) u64);

/// A solver with a memory of its own; one per worker thread.
pub(super) struct Solver {
    cache: Cache,
    pub(super) nodes: Nodes,
}

/// A move with what is already known of it.
#[derive(Clone, Copy)]
struct Candidate {
    score: i32,
    square: Square,
    child: Position,
    replies: Bitboard,
}

/// More than the 33 moves that a position can have.
const MAX_MOVES: usize = 34;

impl Solver {
    pub(super) fn new() -> Self {
        Self { cache: Cache::new(), nodes: Nodes::default() }
    }

    /// Forgets every position.
    pub(super) fn clear(&mut self) {
        self.cache.clear();
    }

    /// Whether the final score of `board` is above `alpha`: a value above it that the score is at least, or one of at
    /// most `alpha` that it is at most.
    pub(super) fn solve(&mut self, board: Position, alpha: i32) -> i32 {
        self.solve_with_moves(board, board.moves(), alpha)
    }

    /// The exact final score of `board` if it lies strictly between `alpha` and `beta`, else a bound beyond them.
    pub(super) fn solve_window(&mut self, board: Position, alpha: i32, beta: i32) -> i32 {
        // Scores are even: halve the window by null-window questions until one value is left.
        let (mut lower, mut upper) = (-64, 64);
        let mut guess = (alpha.max(-64) + beta.min(64)) / 4 * 2;
        while lower < upper && lower < beta && upper > alpha {
            let value = self.solve(board, guess - 1);
            if value >= guess {
                lower = value;
                guess = value + 2;
            } else {
                upper = value;
                guess = value;
            }
        }
        if lower >= beta { lower } else { upper }
    }

    /// A move of `board`, which has one, that reaches the exact score `value`.
    pub(super) fn best_move(&mut self, board: Position, value: i32) -> Square {
        let moves = board.moves();
        let reaches = |solver: &mut Self, square: Square| {
            let child = board.play_flips(square, board.flips(square));
            solver.nodes.0 += 1;
            solver.solve(child, -value) <= -value
        };
        let fallback = moves.first().expect("the board has a move");
        moves.into_iter().find(|&square| reaches(self, square)).unwrap_or(fallback)
    }

    fn solve_with_moves(&mut self, board: Position, moves: Bitboard, alpha: i32) -> i32 {
        if board.empty_count() < MOBILITY_ORDER_FROM {
            self.by_parity(board, moves, alpha)
        } else {
            self.by_mobility(board, moves, alpha)
        }
    }

    /// Seven to eleven empty squares.
    fn by_mobility(&mut self, board: Position, moves: Bitboard, alpha: i32) -> i32 {
        if let Some(upper) = stability_cutoff(board, alpha) {
            return upper;
        }
        if moves.is_empty() {
            return self.pass(board, alpha);
        }
        let known = self.cache.probe(board);
        let mut first = None;
        if let Some(known) = known {
            if known.lower > alpha {
                return known.lower;
            }
            if known.upper <= alpha {
                return known.upper;
            }
            first = known.best;
        }
        let mut best = -65;
        let mut best_square = None;
        let mut candidates =
            [Candidate { score: 0, square: Square::A1, child: board, replies: Bitboard::EMPTY }; MAX_MOVES];
        let mut count = 0;
        let odd = last::odd_quadrants(board.empties());
        for square in moves {
            let turned = board.flips(square);
            if turned == board.opp() {
                return 64;
            }
            let child = board.play_flips(square, turned);
            let replies = child.moves();
            let mut score = order_score(square, replies, odd, child);
            if Some(square) == first {
                score += 1 << 16;
            }
            candidates[count] = Candidate { score, square, child, replies };
            count += 1;
        }
        let candidates = &mut candidates[..count];
        for index in 0..count {
            bring_best_forward(&mut candidates[index..]);
            let Candidate { square, child, replies, .. } = candidates[index];
            self.nodes.0 += 1;
            let value = -self.solve_with_moves(child, replies, -alpha - 1);
            if value > best {
                (best, best_square) = (value, Some(square));
                if value > alpha {
                    break;
                }
            }
        }
        self.cache.store(board, alpha, best, best_square);
        best
    }

    /// Five and six empty squares (and fewer, when a search starts there).
    fn by_parity(&mut self, board: Position, moves: Bitboard, alpha: i32) -> i32 {
        if moves.is_empty() {
            return self.pass(board, alpha);
        }
        let mut best = -65;
        let odd = last::odd_quadrants(board.empties());
        for part in [moves & odd, moves & !odd] {
            for square in part {
                let child = board.play_flips(square, board.flips(square));
                self.nodes.0 += 1;
                let empties = child.empties();
                let value = if empties.count() == 4 {
                    -last::solve_4(child, last::four_in_order(empties), -alpha - 1, &mut self.nodes)
                } else {
                    -self.by_parity(child, child.moves(), -alpha - 1)
                };
                if value > best {
                    best = value;
                    if value > alpha {
                        return best;
                    }
                }
            }
        }
        best
    }

    fn pass(&mut self, board: Position, alpha: i32) -> i32 {
        let passed = board.pass();
        let replies = passed.moves();
        if replies.is_empty() {
            return board.final_score().discs();
        }
        self.nodes.0 += 1;
        -self.solve_with_moves(passed, replies, -alpha - 1)
    }
}

/// Higher is tried earlier: few replies, corners counted twice; then a quadrant with an odd number of empty squares, a
/// corner, and few empty squares next to our own discs. Weights by node counts over FFO 20–31 (see the ledger).
#[inline]
fn order_score(square: Square, replies: Bitboard, odd: Bitboard, child: Position) -> i32 {
    let potential = potential_moves(child.own(), child.opp()).count() as i32;
    let corner = i32::from(Bitboard::CORNERS.contains(square));
    let parity = i32::from(odd.contains(square));
    -16 * mobility(replies) - 2 * potential + 8 * parity + 8 * corner
}

#[inline]
fn bring_best_forward(candidates: &mut [Candidate]) {
    let mut best = 0;
    for index in 1..candidates.len() {
        if candidates[index].score > candidates[best].score {
            best = index;
        }
    }
    candidates.swap(0, best);
}

/// An upper bound of at most `alpha` from discs of the opponent that can never be turned, if they suffice.
#[inline]
pub(super) fn stability_cutoff(board: Position, alpha: i32) -> Option<i32> {
    /// Below these values of alpha (by empty squares) there are hardly ever enough stable discs; figures published for Edax.
    const THRESHOLD: [i32; 65] = {
        let mut table = [64; 65];
        let known = [
            (4, 6),
            (5, 8),
            (6, 10),
            (7, 12),
            (8, 14),
            (9, 16),
            (10, 20),
            (12, 24),
            (16, 32),
            (20, 40),
            (24, 48),
            (30, 54),
            (40, 64),
        ];
        let mut empties = 0;
        while empties <= 40 {
            let mut index = 0;
            while index < known.len() && known[index].0 < empties {
                index += 1;
            }
            table[empties] = known[index].1;
            empties += 1;
        }
        table
    };
    if alpha < THRESHOLD[board.empty_count() as usize] {
        return None;
    }
    let upper = 64 - 2 * stable_discs(board.opp(), board.own()).count() as i32;
    (upper <= alpha).then_some(upper)
}

#[cfg(test)]
mod tests;
