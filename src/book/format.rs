//! The file of a book: a header, the positions and the results of games, each in order, and a checksum.
//!
//! All numbers are little endian. A header of 32 bytes: `VOLTEBK1`, the number of positions (u64), the number of
//! positions with results of games (u64), the CRC-32 of all that follows (u32), zero (u32). Then the positions, 32 bytes
//! each: own and opposing discs (u64 each, bit 0 = a1; the smallest of the eight images), value, lower and upper bound,
//! value of the leaf (i16 each) and its possible error (u16), all in 1/128 disc for the side to move, square of the leaf
//! (u8, 255 for none), level (u8), four zeros. Then the results, 40 bytes each: own and opposing discs, won, drawn and
//! lost games (u64 each). Both are sorted by own, then opposing discs.

use super::Book;
use super::record::{GamesRecord, Record};
use super::shelf::{Filed, Shelf};
use thiserror::Error;

const MAGIC: &[u8; 8] = b"VOLTEBK1";
/// The part of the magic word that all versions share.
const FAMILY: usize = 7;
pub(super) const HEADER: usize = 32;

/// Why bytes are no book.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BookError {
    /// They begin with something else.
    #[error("not a book of Volte")]
    NotABook,
    /// A format that this program does not know.
    #[error("the book has format `{0}`, and this version of Volte reads format 1 only")]
    Version(char),
    /// They end too early, or too late.
    #[error("the book has {found} bytes instead of {expected}: it is not whole")]
    Length {
        /// The length by the header.
        expected: u128,
        /// The length.
        found: usize,
    },
    /// They were changed.
    #[error("the checksum of the book is wrong: it is damaged")]
    Checksum,
    /// A position that cannot be one.
    #[error("position {0} of the book is malformed")]
    Malformed(usize),
    /// Positions in the wrong order.
    #[error("position {0} of the book is out of order")]
    Order(usize),
}

impl Book {
    /// The book as the bytes of a file. The same book always gives the same bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut body = Vec::with_capacity(self.len() * size_of::<Record>());
        for mut record in self.positions.iter().copied() {
            record.swap();
            body.extend_from_slice(bytemuck::bytes_of(&record));
        }
        for mut record in self.games.iter().copied() {
            record.swap();
            body.extend_from_slice(bytemuck::bytes_of(&record));
        }
        let mut bytes = Vec::with_capacity(HEADER + body.len());
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(&(self.positions.len() as u64).to_le_bytes());
        bytes.extend_from_slice(&(self.games.len() as u64).to_le_bytes());
        bytes.extend_from_slice(&crc32fast::hash(&body).to_le_bytes());
        bytes.extend_from_slice(&[0; 4]);
        bytes.extend_from_slice(&body);
        bytes
    }

    /// Reads the bytes of a file.
    ///
    /// # Errors
    /// If they are not a whole and undamaged book.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, BookError> {
        if bytes.get(..FAMILY) != Some(&MAGIC[..FAMILY]) {
            return Err(BookError::NotABook);
        }
        match bytes.get(FAMILY) {
            Some(version) if *version == MAGIC[FAMILY] => {}
            other => return Err(BookError::Version(char::from(other.copied().unwrap_or(b'?')))),
        }
        let word =
            |at: usize| bytes.get(at..at + 8).map(|word| u64::from_le_bytes(word.try_into().unwrap_or_default()));
        let short = BookError::Length { expected: HEADER as u128, found: bytes.len() };
        let (Some(positions), Some(games), Some(last)) = (word(8), word(16), word(24)) else { return Err(short) };
        let size = |count: u64, each: usize| u128::from(count) * each as u128;
        let split = size(positions, size_of::<Record>());
        let expected = HEADER as u128 + split + size(games, size_of::<GamesRecord>());
        if expected != bytes.len() as u128 {
            return Err(BookError::Length { expected, found: bytes.len() });
        }
        let body = &bytes[HEADER..];
        if u64::from(crc32fast::hash(body)) != last {
            return Err(BookError::Checksum);
        }
        let (positions, games) = body.split_at(split as usize);
        let mut positions: Vec<Record> = bytemuck::pod_collect_to_vec(positions);
        let mut games: Vec<GamesRecord> = bytemuck::pod_collect_to_vec(games);
        positions.iter_mut().for_each(Record::swap);
        games.iter_mut().for_each(GamesRecord::swap);
        if let Some(index) = positions.iter().position(|record| !record.is_well_formed()) {
            return Err(BookError::Malformed(index));
        }
        if let Some(index) = first_disorder(&positions).or_else(|| first_disorder(&games)) {
            return Err(BookError::Order(index));
        }
        Ok(Self { positions: Shelf::of(positions), games: Shelf::of(games) })
    }
}

/// The first thing that does not come after the one before it.
fn first_disorder<T: Filed>(things: &[T]) -> Option<usize> {
    things.windows(2).position(|pair| pair[0].key() >= pair[1].key()).map(|index| index + 1)
}
