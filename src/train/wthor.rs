//! Games of the WTHOR collection as training sees them: positions, and the exact value at 24 empty squares.
//!
//! Each record holds Black's discs under perfect play from the position with 24 empty squares, which is an exact
//! label. Results of the human players are never used.

use super::record::Record;
use super::{TrainError, at};
use crate::board::{Position, Square};
use crate::score::{Eval, Score};
use std::ops::RangeInclusive;
use std::path::Path;

const HEADER: usize = 16;
const RECORD: usize = 68;
/// Where the number of empty squares of the theoretical score stands in the header.
const SOLVED_FROM: usize = 14;
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
    let wrong = |problem: &str| TrainError::Format { path: path.to_owned(), problem: problem.to_owned() };
    let (header, body) = bytes.split_at_checked(HEADER).ok_or_else(|| wrong("too short for a WTHOR file"))?;
    let count = u32::from_le_bytes([header[4], header[5], header[6], header[7]]) as usize;
    if body.len() != count * RECORD || header[SOLVED_FROM] != SOLVED_EMPTIES {
        return Err(wrong("not a file of WTHOR games solved from 24 empty squares"));
    }
    Ok(body.as_chunks::<RECORD>().0.iter().map(replay).collect())
}

/// Plays a record from the start as far as it is legal.
fn replay(record: &[u8; RECORD]) -> Game {
    let black_discs = i32::from(record[7]);
    let mut game = Game { plies: Vec::new(), solved: None };
    let (mut position, mut black) = (Position::START, true);
    for &code in &record[8..] {
        if position.must_pass() {
            (position, black) = (position.pass(), !black);
        }
        if position.empty_count() == u32::from(SOLVED_EMPTIES) && !position.moves().is_empty() {
            let for_black = 2 * black_discs - 64;
            let score = Score::from_discs(if black { for_black } else { -for_black });
            game.solved = Some((position, score.into()));
        }
        let (rank, file) = (usize::from(code / 10), usize::from(code % 10));
        let square = Square::from_file_rank(file.wrapping_sub(1), rank.wrapping_sub(1));
        let Some((square, next)) = square.and_then(|square| Some((square, position.play(square)?))) else { break };
        game.plies.push((position, square));
        (position, black) = (next, !black);
    }
    game
}

/// The positions with 24 empty squares and their exact values.
pub fn solved(games: &[Game]) -> Vec<Record> {
    let numbered = games.iter().enumerate();
    let known = numbered.filter_map(|(number, game)| game.solved.map(|solved| (number, solved)));
    known
        .map(|(number, (position, value))| Record::unlabelled(position, number as u32).labelled(value, SOLVED_EMPTIES))
        .collect()
}
