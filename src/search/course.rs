//! The course of a search: which draft comes next, and on the clock whether it can still end.
//!
//! Without a clock the drafts follow from the target alone. On a clock they follow from what the search has cost so far:
//! the cost of the next iteration is foretold from the last ones, and it is not begun if it cannot end. Start reading at
//! [`Course::next`].

use super::params::{self, pacing};
use super::{Limits, Line};
use crate::board::Move;
use crate::clock::{Budget, Speed};
use crate::score::{Draft, Eval, Selectivity};
use std::time::Duration;

/// Which drafts a search goes through.
pub(super) struct Course {
    target: Draft,
    empties: u8,
    kind: Kind,
    /// How fast positions are searched, this search included.
    speed: Speed,
    /// Nodes and time when the last iteration ended.
    mark: (u64, Duration),
}

enum Kind {
    /// Drafts that were laid down before.
    Planned(std::vec::IntoIter<Draft>),
    /// Drafts as they fit into the time.
    Timed(Timed),
}

/// What a search on the clock has been through.
struct Timed {
    budget: Budget,
    /// Depth and nodes of each iteration of the middle game.
    middle: Vec<(u8, f64)>,
    /// Selectivity and nodes of each iteration to the end of the game.
    solving: Vec<(Selectivity, f64)>,
    /// The best move and its value after each iteration.
    best: Vec<(Move, Eval)>,
    /// Whether no other move can catch up, once that was looked into.
    alone: Option<bool>,
}

/// What an iteration found, and the nodes and the time since the start of the search.
#[derive(Clone, Copy)]
pub(super) struct Finished<'a> {
    pub(super) draft: Draft,
    pub(super) best: &'a Line,
    pub(super) nodes: u64,
    pub(super) elapsed: Duration,
}

impl Course {
    /// The course of a search of a position with so many empty squares, which is `forced` if it has but one legal move.
    pub(super) fn new(limits: &Limits, empties: u8, forced: bool, speed: Speed) -> Self {
        let kind = match limits.time {
            // On the clock a forced move needs no thought.
            Some(_) if forced => {
                let depth = limits.target.depth.min(empties).min(params::FORCED_MOVE_DEPTH);
                Kind::Planned(vec![Draft::new(depth, limits.target.selectivity)].into_iter())
            }
            Some(budget) => {
                Kind::Timed(Timed { budget, middle: Vec::new(), solving: Vec::new(), best: Vec::new(), alone: None })
            }
            None => Kind::Planned(plan(limits.target, empties).into_iter()),
        };
        Self { target: limits.target, empties, kind, speed, mark: (0, Duration::ZERO) }
    }

    /// The next draft to search, `elapsed` after the start; `None` if the target is reached or there is no time for more.
    pub(super) fn next(&mut self, elapsed: Duration) -> Option<Draft> {
        let Self { target, empties, kind, speed, .. } = self;
        match kind {
            Kind::Planned(drafts) => drafts.next(),
            Kind::Timed(timed) => timed.next(*target, *empties, elapsed, speed),
        }
    }

    /// Takes note of a finished iteration.
    pub(super) fn finished(&mut self, iteration: Finished<'_>) {
        let Finished { draft, best, nodes, elapsed } = iteration;
        let cost = (nodes - self.mark.0) as f64;
        self.measure(draft, nodes, elapsed);
        if let Kind::Timed(timed) = &mut self.kind {
            timed.best.push((best.mv, best.value));
            if draft.depth >= self.empties {
                timed.solving.push((draft.selectivity, cost));
            } else {
                timed.middle.push((draft.depth, cost));
            }
        }
    }

    /// Learns how fast an iteration was that may not have come to its end.
    pub(super) fn measure(&mut self, draft: Draft, nodes: u64, elapsed: Duration) {
        let (nodes_then, then) = std::mem::replace(&mut self.mark, (nodes, elapsed));
        let (count, time) = (nodes.saturating_sub(nodes_then), elapsed.saturating_sub(then));
        if draft.depth >= self.empties {
            self.speed.saw_solving(count, time);
        } else {
            self.speed.saw_middle(count, time);
        }
    }

    /// Whether it is time to look into whether the other moves can still catch up: once in a search, when its best move
    /// has been the same for a while.
    pub(super) fn asks_whether_alone(&self, draft: Draft, elapsed: Duration) -> bool {
        let Kind::Timed(timed) = &self.kind else { return false };
        let Budget { soft, saves, .. } = timed.budget;
        let ripe = elapsed >= soft.mul_f64(pacing::ALONE_FROM) && elapsed < soft;
        let middle = draft.depth < self.empties && draft.depth > pacing::ALONE_REDUCTION;
        saves && ripe && middle && timed.alone.is_none() && timed.is_steady()
    }

    /// Takes note of whether the best move stands alone.
    pub(super) fn is_alone(&mut self, alone: bool) {
        if let Kind::Timed(timed) = &mut self.kind {
            timed.alone = Some(alone);
        }
    }

    /// The speed as it is known by now.
    pub(super) const fn speed(&self) -> Speed {
        self.speed
    }
}

impl Timed {
    fn next(&self, target: Draft, empties: u8, elapsed: Duration, speed: &Speed) -> Option<Draft> {
        let solves = target.depth >= empties;
        let deepest = if solves { empties.saturating_sub(pacing::LEAST_BEFORE_END) } else { target.depth };
        let selectivity = if solves { Selectivity::MIN } else { target.selectivity };
        let middle = self.next_depth(deepest).filter(|_| self.solving.is_empty());
        let middle = middle.map(|depth| Draft::new(depth, selectivity));
        let solve = Some(empties).filter(|_| solves && self.is_deep_enough(empties));
        let solve = solve.and_then(|empties| Some(Draft::new(empties, self.next_selectivity(empties, target)?)));
        if self.best.is_empty() {
            // Something has to be searched, however short the time is.
            return middle.or(solve);
        }
        let left = |limit: Duration| limit.saturating_sub(elapsed).as_secs_f64();
        let urgency = self.urgency();
        let Budget { soft, hard, saves } = self.budget;
        let (aim, aim_solving) = if saves {
            let aim = soft.mul_f64(urgency).min(hard);
            (aim, aim + (hard - aim).mul_f64(pacing::SOLVING_SHARE))
        } else {
            (hard, hard)
        };
        let fits = |seconds: f64, limit| seconds <= left(limit);
        if let Some(draft) = solve
            && fits(self.solving_nodes(draft) / speed.solving(), aim_solving)
        {
            return Some(draft);
        }
        if let Some(draft) = middle
            && (fits(self.middle_nodes(draft) / speed.middle(), aim) || !saves)
        {
            return Some(draft);
        }
        // Time that cannot be kept is used up, whether an iteration ends in it or not.
        solve.filter(|_| !saves && elapsed < hard)
    }

    /// The next depth of the middle game.
    fn next_depth(&self, deepest: u8) -> Option<u8> {
        let Some(&(last, _)) = self.middle.last() else {
            // Odd and even depths evaluate differently: of the target's parity as long as the steps are two.
            let first = if deepest.is_multiple_of(2) { 2 } else { 1 };
            return Some(first).filter(|&first| first <= deepest);
        };
        let step = if last >= params::SINGLE_STEPS_FROM { 1 } else { 2 };
        if last >= deepest { None } else { Some((last + step).min(deepest)) }
    }

    /// Whether the moves are ordered well enough for a search to the end.
    fn is_deep_enough(&self, empties: u8) -> bool {
        let depth = self.middle.last().map_or(0, |&(depth, _)| depth);
        depth + params::SOLVE_LAST_DEPTHS >= empties
    }

    fn next_selectivity(&self, empties: u8, target: Draft) -> Option<Selectivity> {
        let last = self.solving.last().map(|&(selectivity, _)| selectivity);
        let mut steps = params::solve_ladder(empties).chain([target.selectivity]);
        steps.find(|&step| step <= target.selectivity && last.is_none_or(|last| step > last))
    }

    /// How many nodes an iteration of the middle game will take.
    fn middle_nodes(&self, draft: Draft) -> f64 {
        let Some((&(last, nodes), before)) = self.middle.split_last() else { return 0.0 };
        let plies = f64::from(draft.depth - last);
        // Iterations are cheap and dear by turns: the last two together say more than the last.
        let steady = match before.last() {
            Some(&(depth, earlier)) => {
                let grown = earlier.max(1.0) * pacing::GROWTH.powf(f64::from(last - depth));
                (grown * nodes.max(1.0)).sqrt()
            }
            None => nodes,
        };
        steady * pacing::GROWTH.powf(plies)
    }

    /// How many nodes an iteration to the end of the game will take.
    fn solving_nodes(&self, draft: Draft) -> f64 {
        let empties = f64::from(draft.depth);
        match self.solving.last() {
            Some(&(last, nodes)) => nodes * pacing::solve_step(empties, last, draft.selectivity),
            None => {
                let middle: f64 = self.middle.iter().map(|&(_, nodes)| nodes).sum();
                pacing::first_solve(empties, middle.max(1.0), draft.selectivity)
            }
        }
    }

    /// Whether the best move has been the same for a while.
    fn is_steady(&self) -> bool {
        let mut recent = self.best.iter().rev().map(|&(mv, _)| mv).take(pacing::STEADY_FOR);
        let last = recent.next();
        self.best.len() >= pacing::STEADY_FOR && recent.all(|mv| Some(mv) == last)
    }

    /// By what factor the doubt about the best move changes what it may cost.
    fn urgency(&self) -> f64 {
        let mut recent = self.best.iter().rev();
        let (Some(&(mv, value)), Some(&(before, value_before))) = (recent.next(), recent.next()) else { return 1.0 };
        let earlier = recent.next().map_or(before, |&(mv, _)| mv);
        let mut factor = 1.0;
        if mv != before {
            factor *= pacing::CHANGED;
        } else if before != earlier {
            factor *= pacing::CHANGED_BEFORE;
        } else if self.is_steady() {
            factor *= if self.alone == Some(true) { pacing::ALONE } else { pacing::STEADY };
        }
        if value + pacing::FALL <= value_before {
            factor *= pacing::FALLEN;
        }
        factor
    }
}

/// The drafts to search without a clock, in order.
fn plan(target: Draft, empties: u8) -> Vec<Draft> {
    let mut plan = Vec::new();
    let solving = target.depth >= empties;
    let top = if solving { empties.saturating_sub(params::SOLVE_LAST_DEPTHS) } else { target.depth };
    let selectivity = if solving { Selectivity::MIN } else { target.selectivity };
    // In steps of two, of the target's parity: odd and even depths evaluate differently.
    let first = if top.is_multiple_of(2) { 2 } else { 1 };
    plan.extend((first..=top).step_by(2).map(|depth| Draft::new(depth, selectivity)));
    if target.depth == 0 {
        plan.push(Draft::new(1.min(empties), Selectivity::FULL));
    }
    if solving {
        let ladder = params::solve_ladder(empties);
        plan.extend(ladder.filter(|&step| step < target.selectivity).map(|step| Draft::new(empties, step)));
        plan.push(Draft::new(empties, target.selectivity));
    }
    plan
}
