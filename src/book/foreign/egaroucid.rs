//! The books of Egaroucid, version 3 (`.egbk3`).
//!
//! `EGAROUCID`, 3 (u8), number of positions (u32), then 25 bytes each, little endian: own and opposing discs (u64),
//! value (i8), level (u8), number of lines (u32), value (i8), move (u8) and level (u8) of the leaf. Squares are counted
//! from h8: bit 0 and move 0 are h8.

use super::{ForeignError, Reader, discs, import, leaf};
use crate::board::Square;
use crate::book::{Book, Entry};
use crate::score::Eval;

const MAGIC: &[u8; 9] = b"EGAROUCID";
const VERSION: u8 = 3;
/// How far off its values are taken to be.
const ERROR: Eval = Eval::from_units(2 * Eval::UNITS_PER_DISC);

/// Reads a book.
///
/// # Errors
/// If the bytes are not a whole book of the known version.
pub fn read(bytes: &[u8]) -> Result<Book, ForeignError> {
    let mut reader = Reader { bytes, number: 0 };
    if reader.take().ok() != Some(*MAGIC) {
        return Err(ForeignError::NotABook("Egaroucid"));
    }
    let version = reader.u8()?;
    if version != VERSION {
        return Err(ForeignError::Version { found: version, known: VERSION });
    }
    let count = reader.u32()?;
    let mut book = Book::new();
    for number in 1..=u64::from(count) {
        reader.number = number;
        let (own, opp) = (reader.u64()?.reverse_bits(), reader.u64()?.reverse_bits());
        let position = reader.position(own, opp)?;
        let (value, level, _lines) = (discs(reader.i8()?), reader.u8()?, reader.u32()?);
        let (leaf_value, mv, _leaf_level) = (discs(reader.i8()?), reader.u8()?, reader.u8()?);
        let square = (Square::COUNT as u8 - 1).checked_sub(mv);
        let leaf = square.and_then(|square| leaf(square, leaf_value, ERROR));
        let (lower, upper) = (value - ERROR, value + ERROR);
        import(&mut book, position, Entry { value, lower, upper, level, leaf });
    }
    reader.end()?;
    book.negamax();
    Ok(book)
}
