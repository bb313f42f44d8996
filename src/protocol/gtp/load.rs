//! `loadsgf`: a game from a file.

use crate::game::{Game, sgf};
use std::fs::{self, File};
use std::io::{self, Read as _};
use thiserror::Error;

/// Why a file is not loaded.
#[derive(Debug, Error)]
pub(super) enum LoadError {
    #[error("{0}")]
    Read(#[from] io::Error),
    #[error("{0}")]
    Sgf(#[from] sgf::SgfError),
    #[error("move numbers start at 1")]
    MoveNumber,
}

/// Loads what the arguments of `loadsgf` name: a file, whose name may hold spaces, and perhaps the number of the move
/// before which to stop.
pub(super) fn load(arguments: &str) -> Result<Game, LoadError> {
    let whole = match read(arguments) {
        Ok(text) => return Ok(sgf::parse(&text)?.game),
        Err(error) => error,
    };
    // Only if there is no file of the whole name, its last word is the number.
    let Some((path, number)) = arguments.rsplit_once(' ') else { return Err(whole.into()) };
    let Ok(number) = number.parse::<usize>() else { return Err(whole.into()) };
    if number == 0 {
        return Err(LoadError::MoveNumber);
    }
    Ok(before_move(&sgf::parse(&read(path.trim_end())?)?.game, number))
}

/// Bytes that are read of a file with a game: none is that long.
const LONGEST_GAME: u64 = 16 << 20;

/// The text of a file; bytes that are not UTF-8 stand in names and comments, where they do no harm.
fn read(path: &str) -> io::Result<String> {
    Ok(String::from_utf8_lossy(&read_file(path, LONGEST_GAME)?).into_owned())
}

/// The first `longest` bytes of a file. What is no file, such as a device without an end, is not read.
pub(super) fn read_file(path: &str, longest: u64) -> io::Result<Vec<u8>> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("not a file"));
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(longest).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The game up to the turn that gets `number`; passes that nobody wrote have no number. A game that is shorter is
/// whole.
fn before_move(game: &Game, number: usize) -> Game {
    let turns: Vec<_> = game.turns().collect();
    let mut written = turns.iter().enumerate().filter(|(_, turn)| !turn.inserted).map(|(ply, _)| ply);
    let ply = written.nth(number - 1).unwrap_or(turns.len());
    let ply = if ply > 0 && turns[ply - 1].inserted { ply - 1 } else { ply };
    game.branch_at(ply).expect("a turn of the game is within it")
}
