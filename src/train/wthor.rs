//! Games of the WTHOR collection as training sees them: positions, and the exact value at 24 empty squares.
//!
//! Each record holds Black's discs under perfect play from the position with 24 empty squares, which is an exact
//! label. Results of the human players are never used.

use super::record::Record;
use super::{TrainError, at};
use crate::board::{Color, Position, Square};
use crate::game::record::GameRecord;
use crate::game::wthor::{Reader, Tables};
use crate::score::{Draft, Eval, Score, Selectivity};
use std::ops::RangeInclusive;
use std::path::Path;

/// Empty squares of the positions with a theoretical score.
const SOLVED_EMPTIES: u8 = 24;

/// Years that no training sees: they are kept for the final figures.
pub const HELD_OUT: RangeInclusive<u16> = 2015..=2025;

/// A game: the positions in which a disc was placed, and their movers.
#[derive(Clone, Debug)]
pub struct Game {
    /// Every position with a move, seen from its side to move, and the square played.
    pub plies: Vec<(Position, Square)>,
    /// The position with 24 empty squares and its exact value, if the game came that far.
    pub solved: Option<(Position, Eval)>,
}

/// Reads the games of the year files (`WTH_1999.wtb`, …) in a folder, for the years that `wanted` accepts.
///
/// # Errors
/// What the system says, and files that are no WTHOR games.
pub fn read_years(folder: &Path, wanted: impl Fn(u16) -> bool) -> Result<Vec<Game>, TrainError> {
    let entries = std::fs::read_dir(folder).map_err(at(folder))?;
    let mut paths =
        entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>().map_err(at(folder))?;
    paths.sort();
    let mut games = Vec::new();
    for path in paths {
        let name = path.file_stem().map(|name| name.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
        let year = name.strip_prefix("wth_").and_then(|year| year.parse().ok());
        if year.is_some_and(&wanted) {
            games.extend(read_file(&path)?);
        }
    }
    if games.is_empty() { Err(TrainError::Nothing("WTHOR games")) } else { Ok(games) }
}

fn read_file(path: &Path) -> Result<Vec<Game>, TrainError> {
    let bytes = std::fs::read(path).map_err(at(path))?;
    let wrong = |problem: String| TrainError::Format { path: path.to_owned(), problem };
    let tables = Tables::default();
    let reader = Reader::new(&bytes[..], &tables).map_err(|error| wrong(error.to_string()))?;
    if reader.header().depth != SOLVED_EMPTIES {
        return Err(wrong(format!("not a file of games solved from {SOLVED_EMPTIES} empty squares")));
    }
    let mut games = Vec::new();
    for record in reader {
        let record = record.map_err(|error| wrong(error.to_string()))?;
        games.push(replay(&record.map_err(|error| wrong(format!("game {}: {error}", games.len() + 1)))?));
    }
    Ok(games)
}

fn replay(record: &GameRecord) -> Game {
    let game = &record.game;
    let positions = (0..=game.len()).filter_map(|ply| Some((game.position_at(ply)?, game.side_at(ply))));
    let moves = positions.clone().zip(game.moves());
    let plies = moves.filter_map(|((position, _), mv)| Some((position, mv.square()?))).collect();
    let solved = positions.clone().find_map(|(position, color)| {
        let is_known = position.empty_count() == u32::from(SOLVED_EMPTIES) && !position.moves().is_empty();
        let fields = record.wthor.filter(|_| is_known)?;
        let for_black = 2 * i32::from(fields.theoretical) - Square::COUNT as i32;
        let score = Score::from_discs(if color == Color::Black { for_black } else { -for_black });
        Some((position, score.into()))
    });
    Game { plies, solved }
}

/// The positions with 24 empty squares and their exact values.
pub fn solved(games: &[Game]) -> Vec<Record> {
    let numbered = games.iter().enumerate();
    let known = numbered.filter_map(|(number, game)| game.solved.map(|solved| (number, solved)));
    known
        .map(|(number, (position, value))| {
            Record::unlabelled(position, number as u32).labelled(value, Draft::new(SOLVED_EMPTIES, Selectivity::FULL))
        })
        .collect()
}
