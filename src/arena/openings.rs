//! Lists of openings, and making a balanced one.
//!
//! Start reading at [`read_openings`] and [`Balance::openings`].

use crate::board::{Position, Setup, Square};
use crate::clock::WallClock;
use crate::eval::Evaluator;
use crate::game::{Game, openings, transcript};
use crate::score::Eval;
use crate::search::{Level, Limits, Resources, Searcher, StopSignal, Surroundings};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::HashSet;
use std::sync::Arc;
use thiserror::Error;

/// A start for the games of a pair.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opening {
    /// Its moves, lower case and without passes.
    pub text: String,
    /// The same as a game.
    pub game: Game,
}

/// Why a list of openings cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum OpeningsError {
    /// A line that is not the beginning of a game.
    #[error("the list of openings, {0}")]
    Line(#[from] openings::OpeningError),
    /// A line with a board of its own, which not every engine can be given.
    #[error("line {0} of the openings does not start at the start of the game")]
    Start(usize),
    /// A line after which there is nothing left to play.
    #[error("line {0} of the openings is a whole game")]
    Over(usize),
    /// No opening at all.
    #[error("the list of openings is empty")]
    Empty,
}

/// Reads a list of openings: a transcript a line; `#` begins a comment, blank lines are ignored.
///
/// # Errors
/// If a line is not the beginning of a game, or there is none.
pub fn read_openings(list: &str) -> Result<Vec<Opening>, OpeningsError> {
    let mut read = Vec::new();
    for opening in openings::parse(list) {
        let (line, game) = opening?;
        if game.start() != Setup::START {
            return Err(OpeningsError::Start(line));
        }
        if game.is_over() {
            return Err(OpeningsError::Over(line));
        }
        read.push(Opening { text: transcript::write(&game), game });
    }
    if read.is_empty() { Err(OpeningsError::Empty) } else { Ok(read) }
}

/// What openings to make: distinct ones (no position twice, up to symmetry) that are worth about nothing to either side.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Balance {
    /// Length in moves.
    pub plies: u32,
    /// Largest value for either side, in discs.
    pub within: f32,
    /// How hard each is searched.
    pub level: Level,
    /// How many to make, if there are so many.
    pub count: usize,
    /// Which to try first.
    pub seed: u64,
}

impl Balance {
    /// A shallow search that throws out what is far from balanced before the real search.
    const SIEVE: Level = Level::new(4).expect("4 is a level");
    /// How far the shallow search may be off, in discs.
    const SIEVE_SLACK: f32 = 6.0;
    /// Table of the search.
    const RESOURCES: Resources = Resources { threads: 1, table_megabytes: 64 };

    /// Balanced openings, sorted; the same ones for the same parameters and evaluation. `progress` is told how many are
    /// found and how many were tried. Stopped early, it gives what it has.
    pub fn openings<E: Evaluator>(
        &self,
        evaluator: Arc<E>,
        stop: &StopSignal,
        mut progress: impl FnMut(usize, usize),
    ) -> Vec<String> {
        let mut candidates: Vec<(Position, String)> = distinct_lines(self.plies);
        candidates.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(self.seed));
        let mut searcher = Searcher::new(evaluator, Self::RESOURCES);
        let mut found = Vec::new();
        for (tried, (position, line)) in candidates.into_iter().enumerate() {
            progress(found.len(), tried);
            if found.len() == self.count || stop.is_set() {
                break;
            }
            let mut is_within = |level, discs| {
                let value = value(&mut searcher, position, level, stop);
                value.is_some_and(|value| value.discs().abs() <= discs)
            };
            if is_within(Self::SIEVE, self.within + Self::SIEVE_SLACK) && is_within(self.level, self.within) {
                found.push(line);
            }
        }
        found.sort();
        found
    }
}

/// The positions after `plies` moves without a pass, one of each set of symmetric ones, and the first line to each in
/// the order of the alphabet, beginning with f5 as is the custom. Sorted by line.
fn distinct_lines(plies: u32) -> Vec<(Position, String)> {
    let mut lines = vec![(Position::START, String::new())];
    for ply in 0..plies {
        let mut seen = HashSet::new();
        let mut longer = Vec::new();
        for (position, line) in lines {
            let moves = if ply == 0 { Square::F5.bit() } else { position.moves() };
            let mut moves: Vec<Square> = moves.into_iter().collect();
            moves.sort_by_key(Square::to_string);
            for square in moves {
                let after = position.play(square).expect("the move is legal");
                let (canonical, _) = after.canonical();
                if !after.moves().is_empty() && seen.insert((canonical.own(), canonical.opp())) {
                    longer.push((after, format!("{line}{square}")));
                }
            }
        }
        lines = longer;
    }
    lines
}

/// The value of a position for the side to move, or `None` if the search was stopped.
fn value<E: Evaluator>(
    searcher: &mut Searcher<E>,
    position: Position,
    level: Level,
    stop: &StopSignal,
) -> Option<Eval> {
    let empties = u8::try_from(position.empty_count()).expect("a board has 64 squares");
    let limits = Limits::draft(level.draft(empties));
    let mut surroundings = Surroundings { clock: &WallClock::default(), stop, observer: &mut () };
    let outcome = searcher.search(position, &limits, &mut surroundings);
    outcome.lines.first().filter(|_| !outcome.stopped).map(|line| line.value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::HandMade;

    #[test]
    fn lists_are_read_with_comments_and_blank_lines() {
        let openings = read_openings("# a list\n\nf5d6c3\n F5F6 # diagonal\n").expect("the list is right");
        let texts: Vec<_> = openings.iter().map(|opening| opening.text.as_str()).collect();
        assert_eq!(texts, ["f5d6c3", "f5f6"]);
        assert_eq!(openings[0].game.len(), 3);
    }

    #[test]
    fn what_is_no_opening_is_named() {
        let error = read_openings("f5d6\nf5a1\n").expect_err("a1 is not legal").to_string();
        assert!(error.contains("line 2") && error.contains("a1"), "{error}");
        assert!(read_openings("f5d").is_err());
        assert_eq!(read_openings("# nothing\n"), Err(OpeningsError::Empty));
        // The shortest game there is.
        let whole = read_openings("e6f4e3f6g5d6e7f5c5");
        assert!(matches!(whole, Err(OpeningsError::Over(1))), "{whole:?}");
    }

    #[test]
    fn distinct_lines_are_counted_as_is_known() {
        // Positions after 1 to 5 moves, up to symmetry.
        let counts: Vec<usize> = (1..=5).map(|plies| distinct_lines(plies).len()).collect();
        assert_eq!(counts, [1, 3, 14, 60, 322]);
        assert!(distinct_lines(4).iter().all(|(_, line)| line.starts_with("f5") && line.len() == 8));
        assert!(distinct_lines(5).is_sorted_by_key(|(_, line)| line.clone()));
    }

    #[test]
    fn balanced_openings_are_balanced_and_always_the_same() {
        let level = Level::new(3).expect("3 is a level");
        let balance = Balance { plies: 5, within: 2.0, level, count: 20, seed: 1 };
        let make = || balance.openings(Arc::new(HandMade), &StopSignal::default(), |_, _| {});
        let lines = make();
        assert_eq!(lines.len(), 20);
        assert_eq!(lines, make());
        let openings = read_openings(&lines.join("\n")).expect("they are openings");
        assert!(openings.iter().all(|opening| opening.game.len() == 5));
        let stopped = StopSignal::default();
        stopped.stop();
        assert!(balance.openings(Arc::new(HandMade), &stopped, |_, _| {}).is_empty());
    }
}
