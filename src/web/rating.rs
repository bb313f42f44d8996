//! The rating of a person, from games against levels.

use super::message::event::{Rating, RatingPoint};
use super::store::RatedGame;
use crate::search::Level;
use crate::stats::score_from_elo;

/// The rating of somebody who has not played yet.
const START: f64 = 1200.0;
/// How far a game may move the rating of a newcomer, in Elo per point.
const NEWCOMER_STEP: f64 = 64.0;
/// The same for others.
const STEP: f64 = 24.0;
/// Games of a newcomer.
const NEWCOMER_GAMES: usize = 12;

/// Elo of some levels; between them it is interpolated. Up to level 10 it was measured by 15 pairs of games between any
/// two of levels 0, 1, 2, 3, 4, 6, 8 and 10 (errors of 60 to 120), with 800 chosen for level 0; beyond it is a guess.
const LEVELS: [(u8, f64); 10] = [
    (0, 800.0),
    (1, 800.0),
    (2, 1110.0),
    (3, 1270.0),
    (4, 1390.0),
    (6, 1660.0),
    (8, 1810.0),
    (10, 2070.0),
    (21, 2500.0),
    (60, 3000.0),
];

/// Elo of a level.
pub(super) fn of_level(level: Level) -> i32 {
    let number = f64::from(level.number());
    let above = LEVELS.iter().position(|&(known, _)| f64::from(known) >= number).unwrap_or(LEVELS.len() - 1).max(1);
    let ((low, low_elo), (high, high_elo)) = (LEVELS[above - 1], LEVELS[above]);
    let (low, high) = (f64::from(low), f64::from(high));
    let share = ((number - low) / (high - low)).clamp(0.0, 1.0);
    rounded(low_elo + (high_elo - low_elo) * share)
}

/// The rating after these games, oldest first: after each it moves by what the result says beyond what was expected.
pub(super) fn of_games(games: &[RatedGame]) -> Rating {
    let mut elo = START;
    let mut course = Vec::with_capacity(games.len());
    for (index, game) in games.iter().enumerate() {
        let opponent = of_level(Level::new(game.level).unwrap_or(Level::MAX));
        let step = if index < NEWCOMER_GAMES { NEWCOMER_STEP } else { STEP };
        elo += step * (f64::from(game.half_points) / 2.0 - score_from_elo(elo - f64::from(opponent)));
        let RatedGame { game, time, half_points, .. } = *game;
        course.push(RatingPoint { game, time, opponent, half_points, elo: rounded(elo) });
    }
    Rating { elo: rounded(elo), games: u32::try_from(games.len()).unwrap_or(u32::MAX), course }
}

fn rounded(elo: f64) -> i32 {
    #[expect(clippy::cast_possible_truncation, reason = "ratings are a few thousand")]
    {
        elo.round() as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(level: u8, half_points: u8, count: usize) -> Vec<RatedGame> {
        vec![RatedGame { game: 1, time: 0, level, half_points }; count]
    }

    #[test]
    fn levels_grow_stronger() {
        let elos: Vec<_> = Level::all().map(of_level).collect();
        assert!(elos.is_sorted() && elos[0] == 800 && elos[60] == 3000 && elos[5] == 1525, "{elos:?}");
    }

    #[test]
    fn results_against_a_level_lead_to_its_rating_and_beyond() {
        assert_eq!(of_games(&[]).elo, 1200);
        let even = of_games(&games(4, 1, 200)).elo;
        assert!((even - of_level(Level::new(4).unwrap())).abs() <= 5, "{even}");
        let won = of_games(&games(4, 2, 10));
        assert!(won.elo > 1400 && won.course.is_sorted_by_key(|point| point.elo), "{won:?}");
        assert!(of_games(&games(0, 0, 10)).elo < 900);
    }
}
