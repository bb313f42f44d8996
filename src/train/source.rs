//! Where positions come from: real games, games left after a few random moves, and random openings played on.
//!
//! Owns the choice of positions; must not know labels. Start reading at [`positions`].

use super::record::Record;
use super::wthor::Game;
use super::{Random, TrainError, Watch};
use crate::board::{Position, Square};
use crate::eval::Evaluator;
use ahash::HashSet;
use rayon::prelude::*;
use std::ops::RangeInclusive;

/// A kind of positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Positions of real games.
    Games,
    /// Real games left after one to three random moves and then played on.
    Perturbed,
    /// Random openings of eight moves and more, played on.
    Random,
}

/// What positions are wanted.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// Their kind.
    pub kind: Kind,
    /// How many empty squares they may have.
    pub empties: RangeInclusive<u32>,
    /// Lines to play ([`Kind::Games`] takes each game once and ignores it).
    pub lines: u32,
    /// Seed of the random moves.
    pub seed: u64,
}

/// One move in so many of a line that is played on is random, so that lines differ and mistakes are seen.
const RANDOM_MOVE: u64 = 8;
/// Numbers of games that no one played have this bit, so that they are not taken for numbers of real ones.
pub(super) const INVENTED: u32 = 1 << 31;
/// Random openings have at least this many moves.
const SHORTEST_OPENING: u32 = 8;

/// Positions as wanted, each with a legal move and none twice (images count as the same), the nearest to the end of
/// the game first within a line.
///
/// # Errors
/// If it is stopped, or games are needed and there are none.
pub fn positions<E: Evaluator>(
    games: &[Game],
    wanted: &Wanted,
    evaluator: &E,
    watch: Watch<'_>,
) -> Result<Vec<Record>, TrainError> {
    if games.is_empty() && wanted.kind != Kind::Random {
        return Err(TrainError::Nothing("games"));
    }
    let lines = if wanted.kind == Kind::Games { games.len() as u32 } else { wanted.lines };
    let lines: Vec<(u32, Vec<Position>)> = (0..lines)
        .into_par_iter()
        .map(|number| {
            watch.check()?;
            (watch.progress)(1);
            let mut random = Random::new(wanted.seed, number.into());
            Ok(match wanted.kind {
                Kind::Games => (number, games[number as usize].plies.iter().map(|&(position, _)| position).collect()),
                Kind::Perturbed => {
                    let game = random.below(games.len() as u64) as u32;
                    (game, perturbed(&games[game as usize], wanted, evaluator, &mut random))
                }
                Kind::Random => (INVENTED | number, opening(wanted, evaluator, &mut random)),
            })
        })
        .collect::<Result<_, TrainError>>()?;
    let mut seen = HashSet::default();
    let mut records = Vec::new();
    for (game, line) in &lines {
        for &position in line.iter().rev() {
            let fits = wanted.empties.contains(&position.empty_count()) && !position.moves().is_empty();
            if fits && seen.insert(position.canonical().0) {
                records.push(Record::unlabelled(position, *game));
            }
        }
    }
    Ok(records)
}

/// The positions of a real game from where it is left, one to three random moves before a wanted position.
fn perturbed<E: Evaluator>(game: &Game, wanted: &Wanted, evaluator: &E, random: &mut Random) -> Vec<Position> {
    let (low, high) = (*wanted.empties.start(), *wanted.empties.end());
    let target = low + random.below(u64::from(high - low) + 1) as u32;
    let moves = 1 + random.below(3) as u32;
    let from = game.plies.iter().find(|(position, _)| position.empty_count() <= target + moves);
    let Some(&(mut position, _)) = from else { return Vec::new() };
    for _ in 0..moves {
        match random_move(position, random) {
            Some(next) => position = next,
            None => return Vec::new(),
        }
    }
    play_on(position, low, evaluator, random)
}

/// The positions after a random opening.
fn opening<E: Evaluator>(wanted: &Wanted, evaluator: &E, random: &mut Random) -> Vec<Position> {
    let longest = (60 - wanted.empties.start()).max(SHORTEST_OPENING + 1);
    let moves = SHORTEST_OPENING + random.below(u64::from(longest - SHORTEST_OPENING)) as u32;
    let mut position = Position::START;
    for _ in 0..moves {
        match random_move(position, random) {
            Some(next) => position = next,
            None => return Vec::new(),
        }
    }
    play_on(position, *wanted.empties.start(), evaluator, random)
}

/// The positions of a game played on to `low` empty squares: mostly the move that looks best at once, now and then
/// any move.
fn play_on<E: Evaluator>(mut position: Position, low: u32, evaluator: &E, random: &mut Random) -> Vec<Position> {
    let mut line = Vec::new();
    while position.empty_count() >= low {
        if position.must_pass() {
            position = position.pass();
        }
        if position.moves().is_empty() {
            break;
        }
        line.push(position);
        let next = if random.below(RANDOM_MOVE) == 0 {
            random_move(position, random)
        } else {
            let child = |square: Square| position.play_flips(square, position.flips(square));
            let children = position.moves().into_iter().map(child);
            children.min_by_key(|&child| evaluator.evaluate(&evaluator.features(child), child))
        };
        position = next.expect("the side to move has a move");
    }
    line
}

/// A position after a random move, passing first if need be; `None` if the game is over.
pub(super) fn random_move(position: Position, random: &mut Random) -> Option<Position> {
    let position = if position.must_pass() { position.pass() } else { position };
    let moves = position.moves();
    if moves.is_empty() {
        return None;
    }
    let square = moves.into_iter().nth(random.below(moves.count().into()) as usize)?;
    position.play(square)
}
