//! The search of a node: principal variation search with null windows, to a depth or to the end of the game.
//!
//! One function serves both: a goal at least as deep as there are empty squares solves. Values are in units; a solved
//! one is a whole number of discs in them. Start reading at [`Worker::search`], a list of numbered steps.

use super::endgame::{self, stability_cutoff};
use super::order::{Candidate, Candidates, score_by_replies};
use super::params;
use super::split::Progress;
use super::worker::{Found, Goal, Node, Stopped, Worker};
use crate::board::Move;
use crate::eval::Evaluator;
use crate::score::{Draft, Eval, Score, Window};
use crate::table::Entry;

/// The kind of a node: whether it lies on the principal variation, and what its first child is.
pub(super) trait Kind {
    /// Whether the window is open, so that the value may turn out exact and the line is kept.
    const PV: bool;
    /// The kind of the first child.
    type First: Kind;
}

/// A node of the principal variation.
pub(super) struct Principal;
/// A node with a null window.
pub(super) struct Null;

impl Kind for Principal {
    const PV: bool = true;
    type First = Self;
}

impl Kind for Null {
    const PV: bool = false;
    type First = Self;
}

impl<E: Evaluator> Worker<'_, E> {
    /// The value of `node`, fail-soft: inside `window` it is what the goal asks for, outside a bound. On the
    /// principal variation `self.line` is left at the expected play.
    pub(super) fn search<K: Kind>(&mut self, node: &Node<E::Features>, goal: Goal, window: Window) -> Found {
        let empties = node.empties();
        let solving = goal.solves(empties);
        let goal = if solving { Goal { draft: Draft::new(empties, goal.selectivity()), ..goal } } else { goal };

        // Step 1. The rim: the last squares are solved, the last plies are searched without table and ordering.
        if K::PV {
            self.line.clear();
        }
        let solver_from = if solving { endgame::MAX_EMPTIES } else { self.shared.leaves_solved_from };
        if u32::from(empties) <= solver_from {
            return Ok(self.solve_rim(node, window));
        }
        if !solving && goal.depth() <= params::QUICK_DEPTH {
            return Ok(self.quick(node, goal.draft, window));
        }

        // Step 2. Stop if asked to. Meanwhile the memory brings what step 5 needs.
        let hash = node.position.hash();
        self.shared.table.prefetch(hash);
        self.check()?;

        // Step 3. Stability: discs of the opponent that stay his for ever bound the value from above.
        if !K::PV
            && let Some(upper) = stability_cutoff(node.position, window.alpha.floor_score().discs())
        {
            return Ok(Score::from_discs(upper).into());
        }

        // Step 4. No move: pass, or the game is over.
        let moves = node.position.moves();
        if moves.is_empty() {
            return self.pass::<K>(node, goal, window);
        }

        // Step 5. The table: what is known well enough ends the search here.
        let known = self.shared.table.probe(node.position, hash);
        if let Some(value) = known.and_then(|known| table_cutoff::<K>(known, goal, window)) {
            return Ok(value);
        }

        // Step 6. A move that leaves no opposing disc wins everything.
        let mut candidates = Candidates::new(node.position, moves);
        if let Some(square) = candidates.wipe_out(node.position) {
            if K::PV {
                self.line = vec![Move::Place(square)];
            }
            return Ok(Eval::MAX);
        }

        if !K::PV {
            // Step 7. Enhanced transposition cutoff: a child whose known bound refutes this node.
            if goal.depth() >= params::ETC_MIN_DEPTH
                && let Some(value) = self.enhanced_transposition_cutoff(node, &mut candidates, goal, window)
            {
                return Ok(value);
            }
            // Step 8. ProbCut: a shallow search far outside the window predicts the deep one.
            if let Some(value) = self.probcut(node, goal, window)? {
                return Ok(value);
            }
        }

        // Step 9. The table's moves first, the rest in order of promise, which is found out only if they do not cut.
        let mut progress = Progress::new(window);
        let known_moves = candidates.table_moves_first(known.map_or([None; 2], |known| known.moves));
        let mut next = 0;
        if known_moves > 0 {
            self.try_move::<K>(node, candidates.at(0), goal, &mut progress)?;
            next = 1;
        }
        if !progress.is_cut() {
            self.order(node, candidates.from(known_moves), goal)?;
        }

        // Step 10. The moves, one after the other, or shared with other workers once the first is done.
        while next < candidates.len() && !progress.is_cut() {
            if next > 0 && self.worth_sharing(goal, solving) {
                progress = self.share::<K>(node, candidates.from(next), goal, progress)?;
                break;
            }
            candidates.bring_best_forward(next.max(known_moves));
            self.try_move::<K>(node, candidates.at(next), goal, &mut progress)?;
            next += 1;
        }

        // Step 11. Note what was found.
        let found = Entry::from_search(progress.best, window, goal.draft, progress.square);
        self.shared.table.store(node.position, hash, found);
        if K::PV {
            self.line = progress.line;
        }
        Ok(progress.best)
    }

    /// Searches one move and notes what it gives: the first with the whole window, the others with a null window and
    /// again with what is left of the window if they turn out better.
    pub(super) fn try_move<K: Kind>(
        &mut self,
        node: &Node<E::Features>,
        candidate: Candidate,
        goal: Goal,
        progress: &mut Progress,
    ) -> Result<(), Stopped> {
        self.count_node();
        let child = node.play(self.shared.evaluator, candidate.square, candidate.flips);
        let window = progress.window;
        let value = if progress.square.is_none() {
            -self.search::<K::First>(&child, goal.next(), window.flipped())?
        } else {
            let value = -self.search::<Null>(&child, goal.next(), Window::null(window.alpha).flipped())?;
            if K::PV && value > window.alpha && value < window.beta {
                -self.search::<Principal>(&child, goal.next(), window.flipped())?
            } else {
                if K::PV {
                    self.line.clear();
                }
                value
            }
        };
        progress.update(candidate.square, value, &mut self.line);
        Ok(())
    }

    /// Few enough empty squares to be solved without evaluation.
    fn solve_rim(&mut self, node: &Node<E::Features>, window: Window) -> Eval {
        let alpha = window.alpha.floor_score().discs();
        let board = node.position;
        let discs = if window.is_null() {
            // `floor_score` clamps, so a question below −64 is asked at −64 − 1.
            let alpha = if window.alpha < Eval::MIN { -65 } else { alpha };
            self.solver.solve(board, alpha)
        } else {
            let beta = -(-window.beta).floor_score().discs();
            let alpha = if window.alpha < Eval::MIN { -65 } else { alpha };
            let beta = if window.beta > Eval::MAX { 65 } else { beta };
            self.solver.solve_window(board, alpha, beta)
        };
        Score::from_discs(discs).into()
    }

    /// The last plies of a search that does not reach the end: alpha-beta without table, moves that leave few replies
    /// first, cut short where the static value lies far outside the window.
    pub(super) fn quick(&mut self, node: &Node<E::Features>, draft: Draft, window: Window) -> Eval {
        if node.position.empty_count() <= self.shared.leaves_solved_from {
            return self.solve_rim(node, window);
        }
        if draft.depth == 0 {
            return self.static_value(node);
        }
        let moves = node.position.moves();
        if moves.is_empty() {
            if node.position.pass().moves().is_empty() {
                return node.position.final_score().into();
            }
            self.count_node();
            return -self.quick(&node.pass(self.shared.evaluator), draft, window.flipped());
        }
        if let Some(bound) = self.static_cutoff(node, draft, window) {
            return bound;
        }
        let mut best = Eval::MIN;
        let mut window = window;
        let mut candidates = Candidates::new(node.position, moves);
        if candidates.wipe_out(node.position).is_some() {
            return Eval::MAX;
        }
        score_by_replies(node.position, candidates.from(0));
        let next = Draft { depth: draft.depth - 1, ..draft };
        for index in 0..candidates.len() {
            candidates.bring_best_forward(index);
            let Candidate { square, flips, .. } = candidates.at(index);
            self.count_node();
            let child = node.play(self.shared.evaluator, square, flips);
            let value = -self.quick(&child, next, window.flipped());
            if value > best {
                best = value;
                window.alpha = window.alpha.max(value);
                if value >= window.beta {
                    break;
                }
            }
        }
        best
    }

    /// The side to move has no move: the other side's turn at the same depth, or the end.
    fn pass<K: Kind>(&mut self, node: &Node<E::Features>, goal: Goal, window: Window) -> Found {
        if node.position.pass().moves().is_empty() {
            return Ok(node.position.final_score().into());
        }
        self.count_node();
        let value = -self.search::<K>(&node.pass(self.shared.evaluator), goal, window.flipped())?;
        if K::PV {
            self.line.insert(0, Move::Pass);
        }
        Ok(value)
    }

    /// The plies that a worker needs below a node before it is worth telling the others of it.
    fn worth_sharing(&self, goal: Goal, solving: bool) -> bool {
        let least = if solving { params::SPLIT_MIN_EMPTIES } else { params::SPLIT_MIN_DEPTH };
        self.shared.threads() > 1 && goal.depth() >= least
    }
}

/// The value of a node whose table entry answers the question. On the principal variation nothing is cut, so that
/// the line stays whole.
#[inline]
fn table_cutoff<K: Kind>(known: Entry, goal: Goal, window: Window) -> Option<Eval> {
    if K::PV || !known.draft.covers(goal.draft) {
        return None;
    }
    if known.lower >= window.beta || known.lower == known.upper {
        Some(known.lower)
    } else if known.upper <= window.alpha {
        Some(known.upper)
    } else {
        None
    }
}
