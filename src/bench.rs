//! The bench: fixed searches whose total of visited positions is the signature of the search.
//!
//! Owns the positions and how they are searched; must not know how results are shown. The total changes exactly when
//! the search or its evaluation changes what it does. Start reading at [`run`].

use crate::clock::Clock;
use crate::eval::Evaluator;
use crate::game::board_text;
use crate::score::{Draft, Selectivity};
use crate::search::{Limits, Outcome, Resources, Searcher, StopSignal, Surroundings};
use std::sync::Arc;
use std::time::Duration;

/// The search is deterministic with one thread and a table of a fixed size.
const RESOURCES: Resources = Resources { threads: 1, table_megabytes: 16 };

/// A position with the search to make on it.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// The board, as in a problem file.
    pub board: &'static str,
    /// Plies to search; the number of empty squares solves the position.
    pub depth: u8,
    /// Confidence of the selective pruning in percent; 100 prunes nothing.
    pub percent: u8,
}

impl Case {
    /// Depth and selectivity.
    pub fn draft(&self) -> Draft {
        Draft::new(self.depth, Selectivity::from_percent(self.percent))
    }
}

const fn case(board: &'static str, depth: u8, percent: u8) -> Case {
    Case { board, depth, percent }
}

/// What is searched. The positions come from games of Volte against itself after a few random moves; the last ones are
/// from the endgame problems of the FFO.
#[rustfmt::skip]
pub const CASES: [Case; 40] = [
    // The middle of the game, to a depth.
    case("-------------------OO-----XOOXX---XOXX----OOX------------------- X", 14, 95),
    case("------------------XO------XXXO-----OXX-----OOXX-----OO--------O- X", 16, 73),
    case("--XXX------XOO-----OXOO---OOOOO----XXX-------------------------- X", 13, 98),
    case("-------------------XO-----OOOO----OXOOO---OOXO-----XX-------XXX- X", 16, 73),
    case("-----------------X-X------XXX-OO--OXXXXO--OOOOOO---OO-------O--- X", 15, 87),
    case("-----------OXX----XXXXO---XXOXOO--XOXXX----OOX-X---------------- O", 11, 100),
    case("----------XX------XXXO----XOOX--OXOOO---OOXOOO--O-OO------------ X", 16, 73),
    case("------------------OX-X-----OXXX---OOOXX---OOOXX---OOOX----XXXX-- O", 14, 95),
    case("------------------X-OX-O--OOOXX--OOOOOXX--OXOOXX--XOO--X-------- X", 16, 73),
    case("----------O-------OXXXXX--OOOXOO--OXOXX---OXXX-X--OXXO---------- O", 15, 87),
    case("------------------OXX----XOOXO--OXOOOO--O-OOOO--O-OOXO----XXXX-- X", 14, 95),
    case("--------O-X-----OOXOOO--OXOXXX--OOXXX---OOOXX-----XX------XXO--- O", 16, 73),
    case("-XXXXX----XOOOO---OXOOOO--OXOOX---OOOOOX---XXX------------------ X", 13, 98),
    case("-XXXXXX--OXXXX---OOXX---OOOXOO--OOOXO-----XXO------XO----------- O", 16, 73),
    case("----------OOO-----OOOOO--OOXXOO----XOOXO--XXOXXX--OOXX-----OXX-- X", 15, 87),
    case("-OOOOOO---OXXO---OXOOX--OOXOOX--OOXXXX--OOXXXX------------------ O", 11, 100),
    case("-XXXXX----XXXX--OOOXXXX---OOOOOO--OOXXX---OOXXO-----XX---------- X", 16, 73),
    case("--XXXX----XOXXX-OOXXOXX--OXOXOO-XOXXXOO--OXXXO--O--------------- O", 14, 95),
    case("---X-------XO-----XOO-O---OXOOX--OXOOX---XOXOXX--OXXXXX-OOOOOOO- X", 16, 73),
    case("-----------X------XXXXXO--XXXXOO--XOXOOO--XOOXOO---OOOOX-OOOOOOO O", 15, 87),
    case("--------X--XX---XXXXXXXXXOOOXO--XOXXOXOXXXOOOO-OX-O-O-----OOO--- X", 14, 95),
    case("----------------OOXXX--XXXXXXXXOXXOXXXOOXXXXXOXO--XXOO----OOOOO- O", 25, 73),
    case("--OOOO----OOOO-X-OOXXOXX-OOXXXOX-XOOXXXX-X-XXXXX--X-XX-X-------- X", 24, 87),
    case("-OOOOOO-X-OOOO--XXXXOXXXXOXXXOXXXXXXXXXOX-XXXXX----------------- O", 23, 73),
    // The end of the game, exactly.
    case("--------OX------OXXXXXOOOXOOOOOOOXXXOXXOOXXXXXOO--XXXOOO---XOOOO O", 19, 100),
    case("-XXXXX----XXOX--OOXXXOOOOOXOXXOOXXOOOOOOX-XXXXOO---XXX-O-----X-- O", 19, 100),
    case("X-XXXX--OOOOOO--XXXXOO--XXXOXOO-XOXXXOO-XOXOXO----XXXX----XXXXX- X", 18, 100),
    case("X-OOOO---OOOXX--OXXOOOX--XOXOOO-XOXXXOO-XXOXXOO-X-XXXO----XXX-O- X", 18, 100),
    case("--XXXX----XOXX-XOOOOOOOX-OXXXOOXOXOXOOOXXOXOXXXX--OXXX-X----XO-- O", 17, 100),
    case("--X--X----XXXX-O-OOOXXOOOOXOXXXOOOXOXXOOOOOOOXOO-OOXXX-OOO--XX-- X", 16, 100),
    case("--XXXX--X-XXXX--XXXXXXXOXXXOXXXOXOOOXOOOXOOOOOO---OOOO-O--XO-O-- X", 16, 100),
    case("XXXXXX----OOOOOX-OOXOOOX--OXOXOX--OOXOOXX-OXOOOX-XOOOOO--XXX-O-- X", 16, 100),
    case("--XXXXX-O-XXXXO--OXXXOO--OXOOXOO-XXXXXXXOXOOOXXXXOOOOO----OOOO-- O", 15, 100),
    case("--XXO---X--XXO--XXOXXOOXXXXXXXOXXXXOXXXXXXOOXOXXX-OXXX-X--XXXX-- O", 15, 100),
    case("--XOOXXXOOOOOOO-OOOXOO--OOXOOO--OOXXOO--OOXXO---O-XXXOOO-XXXXXXX X", 14, 100),
    case("---XXXX-X-XXXX--XXOXXOOOXOOXXO-OXOOOOXXOXXXOOXX-X-OXXO---OOOOOO- X", 14, 100),
    // FFO 1, 10, 29 and 40.
    case("--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X", 14, 100),
    case("-XXXX-----OXXX--XOXOXOXXOXOXXOXXOXXOXOOOXXXOXOOX--OXXO---OOOOO-- O", 15, 100),
    case("-OXXXX----OXXO--XXOOXOOOXXXOOXOOXXOOXOOOXXXXOO-XX-XXO----------- X", 20, 100),
    case("O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X", 20, 100),
];

/// Totals of a run.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Totals {
    /// Positions visited: the signature, if no search was stopped.
    pub nodes: u64,
    /// Time used.
    pub elapsed: Duration,
    /// Whether the run was stopped.
    pub stopped: bool,
}

/// Searches every case from an empty table and shows each outcome to `each`.
pub fn run<E: Evaluator>(
    evaluator: Arc<E>,
    clock: &dyn Clock,
    stop: &StopSignal,
    mut each: impl FnMut(&Case, &Outcome),
) -> Totals {
    let mut searcher = Searcher::new(evaluator, RESOURCES);
    let mut totals = Totals::default();
    for case in &CASES {
        let setup = board_text::parse(case.board).expect("the boards are fixed and good");
        let position = setup.position().expect("the boards are fixed and good");
        searcher.clear();
        let mut around = Surroundings { clock, stop, observer: &mut () };
        let outcome = searcher.search(position, &Limits::draft(case.draft()), &mut around);
        if outcome.stopped {
            totals.stopped = true;
            break;
        }
        totals.nodes += outcome.nodes;
        totals.elapsed += outcome.elapsed;
        each(case, &outcome);
    }
    totals
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cases_are_what_they_say() {
        for case in &CASES {
            let position = board_text::parse(case.board).unwrap().position().unwrap();
            let empties = position.empty_count();
            assert!(!position.moves().is_empty(), "{}", case.board);
            assert!(u32::from(case.depth) <= empties, "{}", case.board);
            assert_eq!(case.draft().selectivity.percent(), case.percent, "{}", case.board);
        }
    }
}
