//! Self-play: the engine plays itself from random openings, and every search on the way is a label.
//!
//! Owns the games and their labels; must not know how weights are fitted. Start reading at [`play`].

use super::label::Effort;
use super::record::{self, EXTENSION, Record};
use super::solver::Solver;
use super::source::{INVENTED, random_move};
use super::{Random, TrainError, Watch};
use crate::board::Position;
use crate::eval::Evaluator;
use crate::score::{Draft, Eval};
use rayon::prelude::*;
use std::path::Path;
use std::sync::Arc;

/// Games in a shard.
const SHARD: u32 = 64;
/// Lengths of random openings: from the shortest on, below the longest.
const OPENING: std::ops::Range<u64> = 8..46;
/// How much of a label is the value of the search; the rest is how the game ended.
const SEARCH_SHARE: f32 = 0.7;

/// Plays `games` games and writes their labelled positions to shards in `folder`, keeping those that are there.
///
/// # Errors
/// What the system says, and a stop.
pub fn play<E: Evaluator>(
    (games, seed): (u32, u64),
    effort: Effort,
    evaluator: &Arc<E>,
    folder: &Path,
    watch: Watch<'_>,
) -> Result<(), TrainError> {
    (0..games.div_ceil(SHARD)).into_par_iter().try_for_each(|shard| {
        let path = folder.join(format!("{shard:05}.{EXTENSION}"));
        let numbers = shard * SHARD..((shard + 1) * SHARD).min(games);
        if !path.exists() {
            let mut solver = Solver::new(Arc::clone(evaluator), watch.stop);
            let mut records = Vec::new();
            for number in numbers.clone() {
                watch.check()?;
                let game = play_game(&mut Random::new(seed, number.into()), effort, &mut solver);
                // Numbers of games differ between runs with different seeds.
                let name = INVENTED | (Random::new(seed, number.into()).next() as u32);
                records.extend(labelled(&game.ok_or(TrainError::Stopped)?, name));
            }
            record::write(&path, &records)?;
        }
        (watch.progress)(numbers.len() as u64);
        Ok(())
    })
}

/// A position of a game, the value its search found, and the draft of that.
struct Ply {
    position: Position,
    value: Eval,
    draft: Draft,
    /// Whether the side to move of the next ply is the same one, after a pass.
    keeps_turn: bool,
}

/// One game from a random opening; `None` if it was stopped.
fn play_game<E: Evaluator>(random: &mut Random, effort: Effort, solver: &mut Solver<E>) -> Option<Vec<Ply>> {
    let mut position = Position::START;
    for _ in 0..OPENING.start + random.below(OPENING.end - OPENING.start) {
        position = random_move(position, random).unwrap_or(position);
    }
    if position.must_pass() {
        position = position.pass();
    }
    let mut plies: Vec<Ply> = Vec::new();
    while !position.moves().is_empty() {
        let draft = effort.draft(position.empty_count());
        let outcome = solver.search(position, draft);
        if outcome.stopped {
            return None;
        }
        let line = outcome.lines.first().expect("there is a move");
        let next = position.make(line.mv).expect("the search plays legal moves");
        let keeps_turn = next.must_pass();
        plies.push(Ply { position, value: line.value, draft, keeps_turn });
        position = if keeps_turn { next.pass() } else { next };
    }
    Some(plies)
}

/// The positions of a game with labels: exact values as they are, others mixed with how the game ended.
fn labelled(game: &[Ply], name: u32) -> Vec<Record> {
    let mut records = Vec::with_capacity(game.len());
    let mut ending: Option<Eval> = None;
    for ply in game.iter().rev() {
        // A selective search to the end counts as exact: it errs less than the game would.
        let exact = u32::from(ply.draft.depth) == ply.position.empty_count();
        // How the game ended is known to the side to move here once it is turned around the next ply.
        let result = ending.map(|value| if ply.keeps_turn { value } else { -value });
        let result = if exact { ply.value } else { result.unwrap_or(ply.value) };
        let label = SEARCH_SHARE * ply.value.discs() + (1.0 - SEARCH_SHARE) * result.discs();
        records.push(Record::unlabelled(ply.position, name).labelled(Eval::from_discs(label), ply.draft));
        ending = Some(result);
    }
    records
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::HandMade;
    use crate::score::Selectivity;
    use crate::search::StopSignal;

    #[test]
    fn exact_labels_agree_along_a_game_and_shards_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let stop = StopSignal::default();
        let watch = Watch { stop: &stop, progress: &|_| () };
        let effort = Effort { depth: 2, exact: 8, to_the_end: 0, selectivity: Selectivity::FULL };
        let run = || play((10, 5), effort, &Arc::new(HandMade), folder.path(), watch).unwrap();
        run();
        let records = record::read_all(&[folder.path().to_owned()]).unwrap();
        assert!(records.len() > 100);
        for pair in records.windows(2).filter(|pair| pair[0].game() == pair[1].game() && pair[1].empties() <= 8) {
            // Played out perfectly, the value only changes its sign with the turn.
            assert_eq!(pair[0].label().units().abs(), pair[1].label().units().abs());
        }
        let written = std::fs::metadata(folder.path().join("00000.pos")).unwrap().modified().unwrap();
        run();
        assert_eq!(std::fs::metadata(folder.path().join("00000.pos")).unwrap().modified().unwrap(), written);
    }
}
