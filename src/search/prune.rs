//! Cutoffs that save a whole search: enhanced transposition cutoff and ProbCut.

use super::midgame::Null;
use super::order::Candidates;
use super::params;
use super::worker::{Goal, Node, Stopped, Worker};
use crate::eval::Evaluator;
use crate::score::{Eval, Window};

impl<E: Evaluator> Worker<'_, E> {
    /// A lower bound of at least beta from the table entry of a child (Plaat et al., 1996). Sound: an entry is
    /// used only if its draft covers what a search of the child would have to reach.
    pub(super) fn enhanced_transposition_cutoff(
        &self,
        node: &Node<E::Features>,
        candidates: &mut Candidates,
        goal: Goal,
        window: Window,
    ) -> Option<Eval> {
        let needed = goal.next().draft;
        for candidate in candidates.from(0) {
            let child = node.position.play_flips(candidate.square, candidate.flips);
            if let Some(known) = self.shared.table.probe(child, child.hash())
                && known.draft.covers(needed)
                && -known.upper >= window.beta
            {
                return Some(-known.upper);
            }
        }
        None
    }

    /// Multi-ProbCut (Buro, 1995): bets that a search to a fraction of the depth errs by no more than some standard
    /// deviations of a normal distribution. Not sound: the selectivity level says how often the bet is lost.
    ///
    /// A probe is only made if the static value makes it likely to succeed (the gate published for Edax).
    pub(super) fn probcut(
        &mut self,
        node: &Node<E::Features>,
        goal: Goal,
        window: Window,
    ) -> Result<Option<Eval>, Stopped> {
        let Some(width) = params::probcut_width(goal.selectivity()) else { return Ok(None) };
        let depth = goal.depth();
        if depth < params::PROBCUT_MIN_DEPTH || goal.probes >= params::PROBCUT_MAX_NESTING {
            return Ok(None);
        }
        let probe = probe_depth(depth);
        let empties = node.empties();
        let sigma = self.shared.probcut.sigma(empties, depth, probe);
        let margin = Eval::from_discs(width * sigma);
        let gate = Eval::from_discs(width * (sigma + self.shared.probcut.sigma(empties, depth, 0)) / 2.0);
        let value = self.shared.evaluator.evaluate(&node.features, node.position);
        let high = window.beta + margin;
        if value >= window.beta - gate && high <= Eval::MAX {
            let found = self.search::<Null>(node, goal.probe(probe), Window::null(high - Eval::UNIT))?;
            if found >= high {
                return Ok(Some(window.beta));
            }
        }
        let low = window.alpha - margin;
        if value <= window.alpha + gate && low >= Eval::MIN {
            let found = self.search::<Null>(node, goal.probe(probe), Window::null(low))?;
            if found <= low {
                return Ok(Some(window.alpha));
            }
        }
        Ok(None)
    }
}

/// The depth of the probe for a search of `depth` plies: half of it in even steps, of the same parity.
const fn probe_depth(depth: u8) -> u8 {
    let probe = depth / 4 * 2 + (depth & 1);
    if probe + 2 > depth { depth - 2 } else { probe }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_probe_is_shallower_and_of_the_same_parity() {
        for depth in params::PROBCUT_MIN_DEPTH..=60 {
            assert!(probe_depth(depth) < depth);
            assert_eq!(probe_depth(depth) % 2, depth % 2);
        }
    }
}
