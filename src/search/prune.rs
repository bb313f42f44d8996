//! Cutoffs that save a whole search: enhanced transposition cutoff and ProbCut.

use super::midgame::Null;
use super::order::{Candidates, MAX_MOVES};
use super::params;
use super::worker::{Goal, Node, Stopped, Worker};
use crate::board::Position;
use crate::eval::{Evaluator, ProbCut};
use crate::score::{Draft, Eval, Window};

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
        let mut children = [(Position::START, 0); MAX_MOVES];
        let count = candidates.len();
        // The memory is asked for every child before the first answer is waited for.
        for (candidate, slot) in candidates.from(0).iter().zip(&mut children) {
            let child = node.position.play_flips(candidate.square, candidate.flips);
            *slot = (child, child.hash());
            self.shared.table.prefetch(slot.1);
        }
        for &(child, hash) in &children[..count] {
            if let Some(known) = self.shared.table.probe(child, hash)
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
    /// A probe is only made if the static value makes it likely to succeed (a gate like that published for Egaroucid).
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
        let Margin { probe, sigma } = self.shared.margins.at(node.empties(), depth);
        let margin = Eval::from_units((width * sigma) as i32);
        let value = self.static_value(node);
        let gate = params::probcut_gate(goal.solves(node.empties()));
        let high = window.beta + margin;
        if value >= high - gate && high <= Eval::MAX {
            let found = self.search::<Null>(node, goal.probe(probe), Window::null(high - Eval::UNIT))?;
            if found >= high {
                return Ok(Some(window.beta));
            }
        }
        let low = window.alpha - margin;
        if value <= low + gate && low >= Eval::MIN {
            let found = self.search::<Null>(node, goal.probe(probe), Window::null(low))?;
            if found <= low {
                return Ok(Some(window.alpha));
            }
        }
        Ok(None)
    }

    /// ProbCut where a probe would be no shallower than the search: the static value stands for it.
    #[inline]
    pub(super) fn static_cutoff(&mut self, node: &Node<E::Features>, draft: Draft, window: Window) -> Option<Eval> {
        if !window.is_null() {
            return None;
        }
        let width = params::probcut_width(draft.selectivity)?;
        let margin = Eval::from_units((width * self.shared.margins.at(node.empties(), draft.depth).sigma) as i32);
        let value = self.static_value(node);
        if value >= window.beta + margin {
            Some(window.beta)
        } else if value <= window.alpha - margin {
            Some(window.alpha)
        } else {
            None
        }
    }
}

/// A probe and how far it strays from the search that it stands for.
#[derive(Clone, Copy, Default)]
struct Margin {
    /// Depth of the probe.
    probe: u8,
    /// Standard deviation of the difference in units.
    sigma: f32,
}

/// The error model at every depth, computed once: its logarithms are too dear for a node.
pub(super) struct Margins(Vec<[Margin; Margins::DEPTHS]>);

impl Margins {
    const DEPTHS: usize = 61;

    /// The margins of an evaluation's model.
    pub(super) fn new(model: ProbCut) -> Self {
        let margin = |empties: u8, depth: u8| {
            let probe = probe_depth(depth);
            Margin { probe, sigma: model.sigma(empties, depth, probe) * Eval::UNITS_PER_DISC as f32 }
        };
        let row = |empties: usize| std::array::from_fn(|depth| margin(empties as u8, depth as u8));
        Self((0..Self::DEPTHS).map(row).collect())
    }

    #[inline]
    fn at(&self, empties: u8, depth: u8) -> Margin {
        self.0[usize::from(empties)][usize::from(depth)]
    }
}

/// The depth of the probe for a search of `depth` plies: a third of it, of the same parity. Just above the rim that is
/// the static value (of whatever parity).
const fn probe_depth(depth: u8) -> u8 {
    let probe = depth / 6 * 2 + (depth & 1);
    if probe + 2 > depth { depth.saturating_sub(2) } else { probe }
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
