//! Reviewing many games at once.

use super::GameReview;
use super::ordered::in_order;
use crate::engine::{Audience, Effort, Engine};
use crate::game::record::GameRecord;
use crate::search::{Control, StopSignal};
use std::io;

/// Who reviews games, and how.
pub struct Crew<'a> {
    /// The engines; each reviews a game at a time.
    pub engines: Vec<Engine>,
    /// How hard they try.
    pub effort: Effort,
    /// Ends the reviews; those begun are handed out as far as they got.
    pub stop: &'a StopSignal,
    /// Is called after each turn.
    pub turn_done: &'a (dyn Fn() + Sync),
}

/// Reviews games and hands each review to `take`, in the order of the games, together with what came with the game. What
/// is no game is handed on in its place.
///
/// # Errors
/// What `take` says, or if a thread cannot start.
pub fn review_all<K: Send, X: Send, E: From<io::Error>>(
    games: impl Iterator<Item = (K, Result<GameRecord, X>)> + Send,
    crew: Crew<'_>,
    mut take: impl FnMut(K, Result<GameReview, X>) -> Result<(), E>,
) -> Result<(), E> {
    let Crew { engines, effort, stop, turn_done } = crew;
    let games = games.take_while(|_| !stop.is_set());
    let work = |engine: &mut Engine, (key, game): (K, Result<GameRecord, X>)| {
        (key, game.map(|record| review(engine, record, effort, (stop, turn_done))))
    };
    in_order(games, engines, work, |(key, review)| match review {
        // Stopped before its first turn was done: there is nothing to tell.
        Ok(GameReview { complete: false, turns, .. }) if turns.is_empty() => Ok(()),
        review => take(key, review),
    })
}

fn review(
    engine: &mut Engine,
    record: GameRecord,
    effort: Effort,
    (stop, turn_done): (&StopSignal, &(dyn Fn() + Sync)),
) -> GameReview {
    let mut turns = Vec::with_capacity(record.game.len());
    let complete = engine.review(&record.game, effort, Audience { stop, observer: &mut () }, |assessment| {
        turns.push(assessment.clone());
        turn_done();
        Control::Continue
    });
    GameReview { record, turns, complete }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::WallClock;
    use crate::engine::Options;
    use crate::game::transcript;
    use crate::search::{Level, Resources};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn engines(count: usize) -> Vec<Engine> {
        let resources = Resources { threads: 1, table_megabytes: 1 };
        let options = Options { level: None, depth: None, nodes: None, resources, ponder: false };
        let first = Engine::new(options, Arc::new(WallClock::default()));
        (0..count).map(|_| first.sibling(resources)).collect()
    }

    /// Node counts by turn of each game, or the error in its place.
    fn nodes(count: usize, stop: &StopSignal) -> (Vec<Result<Vec<u64>, &'static str>>, usize) {
        let texts = ["f5d6c3d3c4", "", "f5f6e6f4", "d3c3b3b2f5a3a1c1", "f5d6c3d3c4"];
        let games = texts.into_iter().enumerate().map(|(key, text)| {
            let game = if text.is_empty() { Err("bad") } else { Ok(transcript::parse(text).unwrap()) };
            (key, game.map(GameRecord::of))
        });
        let turns = AtomicUsize::new(0);
        let turn_done = || _ = turns.fetch_add(1, Ordering::Relaxed);
        let effort = Effort::Level(Level::new(4).unwrap());
        let crew = Crew { engines: engines(count), effort, stop, turn_done: &turn_done };
        let mut found = Vec::new();
        let result: io::Result<()> = review_all(games, crew, |key, review| {
            assert_eq!(key, found.len());
            found.push(review.map(|review| review.turns.iter().map(|turn| turn.nodes).collect()));
            Ok(())
        });
        result.unwrap();
        (found, turns.into_inner())
    }

    #[test]
    fn any_number_of_engines_finds_the_same() {
        let (alone, turns) = nodes(1, &StopSignal::default());
        assert_eq!((alone.len(), turns), (5, 22));
        assert_eq!(alone[1], Err("bad"));
        assert_eq!(alone[0], alone[4], "no game profits from another");
        assert_eq!(nodes(3, &StopSignal::default()).0, alone);
    }

    #[test]
    fn nothing_is_told_after_a_stop() {
        let stop = StopSignal::default();
        stop.stop();
        assert_eq!(nodes(2, &stop), (vec![], 0));
    }
}
