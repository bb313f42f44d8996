//! Positions with labels, and the files they are kept in.
//!
//! A file is a 16-byte header (magic, version, size of a record) and records of 24 bytes, little-endian.

use super::{TrainError, at, write_atomically};
use crate::board::{Bitboard, Position};
use crate::score::{Draft, Eval};
use bytemuck::{Pod, Zeroable};
use rayon::prelude::*;
use std::path::{Path, PathBuf};

const MAGIC: [u8; 8] = *b"VoltePos";
const VERSION: u32 = 1;
const HEADER: usize = 16;
/// The ending of record files.
pub const EXTENSION: &str = "pos";

/// A position and what it is worth.
#[derive(Clone, Copy, PartialEq, Eq, Pod, Zeroable, Debug)]
#[repr(C)]
pub struct Record {
    own: u64,
    opp: u64,
    label: i16,
    depth: u8,
    /// What the selectivity of the search lacks to 100 percent.
    doubt: u8,
    game: u32,
}

const _: () = assert!(std::mem::size_of::<Record>() == 24);

impl Record {
    /// A position of a game whose value is not known yet.
    pub fn unlabelled(position: Position, game: u32) -> Self {
        Self { own: position.own().0, opp: position.opp().0, label: 0, depth: 0, doubt: 0, game }
    }

    /// The same position with its value for the side to move and the draft of the search that found it.
    #[must_use]
    pub fn labelled(self, value: Eval, draft: Draft) -> Self {
        let doubt = 100 - draft.selectivity.percent();
        Self { label: value.units() as i16, depth: draft.depth, doubt, ..self }
    }

    /// The position.
    pub fn position(&self) -> Position {
        Position::new(Bitboard(self.own), Bitboard(self.opp)).expect("records are checked when they are read")
    }

    /// Its value for the side to move.
    pub fn label(&self) -> Eval {
        Eval::from_units(self.label.into())
    }

    /// Depth of the search behind the label.
    pub fn depth(&self) -> u8 {
        self.depth
    }

    /// Whether the label is the value of perfect play.
    pub fn is_exact(&self) -> bool {
        u32::from(self.depth) == self.empties() && self.doubt == 0
    }

    /// The game (or line) that the position comes from: what is held out is held out by game.
    pub fn game(&self) -> u32 {
        self.game
    }

    /// Number of empty squares.
    pub fn empties(&self) -> u32 {
        (self.own | self.opp).count_zeros()
    }
}

/// Writes records to a file, atomically.
///
/// # Errors
/// What the system says.
pub fn write(path: &Path, records: &[Record]) -> Result<(), TrainError> {
    let mut bytes = Vec::with_capacity(HEADER + std::mem::size_of_val(records));
    bytes.extend_from_slice(&MAGIC);
    bytes.extend_from_slice(&VERSION.to_le_bytes());
    bytes.extend_from_slice(&(std::mem::size_of::<Record>() as u32).to_le_bytes());
    bytes.extend_from_slice(bytemuck::cast_slice(records));
    write_atomically(path, &bytes)
}

/// Reads the records of a file.
///
/// # Errors
/// What the system says, and files that hold something else.
pub fn read(path: &Path) -> Result<Vec<Record>, TrainError> {
    let bytes = std::fs::read(path).map_err(at(path))?;
    let wrong = |problem: &str| TrainError::Format { path: path.to_owned(), problem: problem.to_owned() };
    let (header, body) = bytes.split_at_checked(HEADER).ok_or_else(|| wrong("too short for a file of positions"))?;
    if !header.starts_with(&MAGIC) {
        return Err(wrong("not a file of training positions"));
    }
    if header[8..12] != VERSION.to_le_bytes() || header[12..16] != 24_u32.to_le_bytes() {
        return Err(wrong("training positions of another version"));
    }
    if body.len() % std::mem::size_of::<Record>() != 0 {
        return Err(wrong("truncated inside a position"));
    }
    let records: Vec<Record> = bytemuck::pod_collect_to_vec(body);
    if records.iter().any(|record| record.own & record.opp != 0) {
        return Err(wrong("a square holds two discs"));
    }
    Ok(records)
}

/// A checksum of records, in hexadecimal.
pub fn checksum(records: &[Record]) -> String {
    format!("{:08x}", crc32fast::hash(bytemuck::cast_slice(records)))
}

/// Every record file among `paths` and in folders among them, in the order of their names.
///
/// # Errors
/// What the system says.
pub fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, TrainError> {
    let mut found = Vec::new();
    for path in paths {
        if path.is_dir() {
            let entries = std::fs::read_dir(path).map_err(at(path))?;
            let mut inside: Vec<PathBuf> =
                entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>().map_err(at(path))?;
            inside.retain(|path| path.is_dir() || path.extension().is_some_and(|ending| ending == EXTENSION));
            inside.sort();
            found.extend(files(&inside)?);
        } else {
            found.push(path.clone());
        }
    }
    Ok(found)
}

/// Reads all records of the files among `paths` and in folders among them.
///
/// # Errors
/// As [`read`].
pub fn read_all(paths: &[PathBuf]) -> Result<Vec<Record>, TrainError> {
    let parts: Vec<Vec<Record>> = files(paths)?.par_iter().map(|path| read(path)).collect::<Result<_, _>>()?;
    Ok(parts.concat())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::Selectivity;

    #[test]
    fn records_survive_the_file_and_damaged_files_do_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("some.pos");
        let record = Record::unlabelled(Position::START, 7);
        let records = [record, record.labelled(Eval::from_discs(-3.5), Draft::new(6, Selectivity::FULL))];
        write(&path, &records).unwrap();
        assert_eq!(read_all(&[folder.path().to_owned()]).unwrap(), records);
        assert_eq!((records[1].label().discs(), records[1].depth(), records[1].game()), (-3.5, 6, 7));
        let good = std::fs::read(&path).unwrap();
        let mut overlapping = good.clone();
        overlapping[HEADER..HEADER + 16].fill(0xFF);
        for bad in [&good[..10], &good[..good.len() - 1], b"something else entirely", &overlapping] {
            std::fs::write(&path, bad).unwrap();
            assert!(matches!(read(&path), Err(TrainError::Format { .. })));
        }
    }
}
