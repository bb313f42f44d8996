//! Solving problem files: each position is searched to a goal, and the answer is compared with what is listed.
//!
//! Owns goals, answers, agreement and totals; must not know how they are shown or where problems come from. Start
//! reading at [`solve`].

use crate::board::Move;
use crate::eval::Evaluator;
use crate::game::obf::Problem;
use crate::score::{Draft, Eval, Selectivity};
use crate::search::{Level, Limits, Searcher, Surroundings};
use std::time::Duration;

/// How hard to try on each problem.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// The exact final score.
    Exact,
    /// What a level does.
    Level(Level),
    /// A search of this draft, or to the end of the game if that comes first.
    Draft(Draft),
}

impl Goal {
    /// The draft to reach with so many empty squares.
    pub fn draft(self, empties: u8) -> Draft {
        match self {
            Self::Exact => Draft::new(empties, Selectivity::FULL),
            Self::Level(level) => level.draft(empties),
            Self::Draft(draft) => Draft::new(draft.depth.min(empties), draft.selectivity),
        }
    }
}

/// What was found out about a problem.
#[derive(Clone, PartialEq, Debug)]
pub struct Answer {
    /// The best move; `None` if the game is over.
    pub mv: Option<Move>,
    /// The value of the position for the side to move.
    pub value: Eval,
    /// Whether `value` is the exact final score.
    pub solved: bool,
    /// How well the position was searched.
    pub draft: Draft,
    /// Expected play, passes included.
    pub pv: Vec<Move>,
    /// Positions visited.
    pub nodes: u64,
    /// Time used.
    pub elapsed: Duration,
    /// Whether the value equals the best listed score and the move, if listed, has that score. `None` if no score is
    /// listed.
    pub agrees: Option<bool>,
}

/// Totals over the problems answered so far.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Summary {
    /// Problems answered.
    pub problems: usize,
    /// Of these, the ones with listed scores.
    pub compared: usize,
    /// Of these, the ones whose answers agree.
    pub agree: usize,
    /// Positions visited.
    pub nodes: u64,
    /// Time used.
    pub elapsed: Duration,
}

impl Summary {
    /// Adds one more answer.
    pub fn add(&mut self, answer: &Answer) {
        self.problems += 1;
        self.compared += usize::from(answer.agrees.is_some());
        self.agree += usize::from(answer.agrees == Some(true));
        self.nodes += answer.nodes;
        self.elapsed += answer.elapsed;
    }

    /// Whether no answer differs from what is listed.
    pub const fn all_agree(&self) -> bool {
        self.agree == self.compared
    }
}

/// Searches the position of `problem` to `goal` with an empty table, so that no answer and no count depends on the
/// problems before it. `None` if the search was stopped.
pub fn solve<E: Evaluator>(
    searcher: &mut Searcher<E>,
    problem: &Problem,
    goal: Goal,
    around: &mut Surroundings<'_>,
) -> Option<Answer> {
    let position = problem.setup.position().expect("a problem has one disc a square");
    let empties = position.empty_count() as u8;
    searcher.clear();
    let outcome = searcher.search(position, &Limits::draft(goal.draft(empties)), around);
    if outcome.stopped {
        return None;
    }
    let mut answer = Answer {
        mv: None,
        value: position.final_score().into(),
        solved: true,
        draft: Draft::new(0, Selectivity::FULL),
        pv: Vec::new(),
        nodes: outcome.nodes,
        elapsed: outcome.elapsed,
        agrees: None,
    };
    if let Some(best) = outcome.lines.into_iter().next() {
        answer = Answer {
            mv: Some(best.mv),
            value: best.value,
            solved: best.solved,
            draft: best.draft,
            pv: best.pv,
            ..answer
        };
    }
    answer.agrees = agrees(problem, answer.mv, answer.value);
    Some(answer)
}

fn agrees(problem: &Problem, mv: Option<Move>, value: Eval) -> Option<bool> {
    let best = problem.best_score()?;
    let listed = mv.and_then(|mv| problem.score_of(mv));
    Some(value == Eval::from(best) && listed.is_none_or(|score| score == best))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::WallClock;
    use crate::eval::HandMade;
    use crate::game::obf;
    use crate::score::Score;
    use crate::search::{Resources, StopSignal};
    use std::sync::Arc;

    fn answer(line: &str, goal: Goal, stop: &StopSignal) -> Option<Answer> {
        let problem = obf::parse_line(line).unwrap().unwrap();
        let mut searcher = Searcher::new(Arc::new(HandMade), Resources { threads: 1, table_megabytes: 1 });
        let mut around = Surroundings { clock: &WallClock::default(), stop, observer: &mut () };
        solve(&mut searcher, &problem, goal, &mut around)
    }

    /// FFO 20, six empty squares.
    const BOARD: &str = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X";

    #[test]
    fn the_score_and_the_move_must_both_be_right() {
        let solve = |scores: &str| answer(&format!("{BOARD};{scores}"), Goal::Exact, &StopSignal::default()).unwrap();
        let right = solve(" H5:+6; G6:-2; F6:-4; H6:-10;");
        assert_eq!((right.mv, right.value), (Some("h5".parse().unwrap()), Score::from_discs(6).into()));
        assert_eq!((right.agrees, right.solved, right.pv.first().copied()), (Some(true), true, right.mv));
        assert_eq!(solve(" H5:+8;").agrees, Some(false), "another score");
        assert_eq!(solve(" H5:+4; G6:+6;").agrees, Some(false), "the right score by a move that is listed as worse");
        assert_eq!(solve(" G6:+6;").agrees, Some(true), "a move that is not listed is not compared");
        assert_eq!(solve(" +6;").agrees, Some(true), "a score without a move");
        assert_eq!(solve("").agrees, None, "nothing to compare");
    }

    #[test]
    fn a_finished_game_is_answered_without_a_move() {
        let over = format!("{}{} X; +64;", "X".repeat(60), "-".repeat(4));
        let answer = answer(&over, Goal::Exact, &StopSignal::default()).unwrap();
        assert_eq!((answer.mv, answer.value.to_score(), answer.agrees), (None, Score::MAX, Some(true)));
    }

    #[test]
    fn a_stopped_problem_has_no_answer() {
        let stop = StopSignal::default();
        stop.stop();
        let board = "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X";
        assert_eq!(answer(board, Goal::Exact, &stop), None);
    }

    #[test]
    fn totals_count_what_was_compared() {
        let mut summary = Summary::default();
        let solved = answer(BOARD, Goal::Exact, &StopSignal::default()).unwrap();
        for agrees in [None, Some(true), Some(true)] {
            summary.add(&Answer { agrees, ..solved.clone() });
        }
        assert_eq!((summary.problems, summary.compared, summary.agree), (3, 2, 2));
        assert!(summary.all_agree());
        summary.add(&Answer { agrees: Some(false), ..solved.clone() });
        assert!(!summary.all_agree());
        assert_eq!(summary.nodes, 4 * solved.nodes);
    }

    #[test]
    fn goals_do_not_look_beyond_the_end() {
        let draft = Draft::new(30, Selectivity::MIN);
        assert_eq!(Goal::Draft(draft).draft(20), Draft::new(20, Selectivity::MIN));
        assert_eq!(Goal::Exact.draft(20), Draft::new(20, Selectivity::FULL));
        assert_eq!(Goal::Level(Level::DEFAULT).draft(40), Level::DEFAULT.draft(40));
    }
}
