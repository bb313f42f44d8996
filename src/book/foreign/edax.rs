//! The books of Edax, version 4 of `book.dat`.
//!
//! Little endian. A header of 42 bytes: `XADE`, `KOOB`, version and release (u8 each), date (8 bytes), level, empty
//! squares, error of midgame and of endgame searches, verbosity, number of positions (i32 each). Then each position: own
//! and opposing discs (u64), wins, draws, losses and lines (u32), value and bounds (i16), number of links and level (u8),
//! the links and then the leaf, each as score (i8) and move (u8; 64 is a pass, 65 none). A position in which the side to
//! move has to pass is one with a pass as its only link; in our books it stands as the one after the pass.

use super::{ForeignError, Reader, discs, import, leaf, whole};
use crate::board::Position;
use crate::book::shelf::key;
use crate::book::{Book, Entry, Games, Leaf, Successor};
use crate::score::Eval;
use std::collections::{BTreeMap, HashMap};

const MAGIC: &[u8; 8] = b"XADEKOOB";
const VERSION: u8 = 4;
const PASS: u8 = 64;
const NO_MOVE: u8 = 65;
/// The score of a move that is none.
const NO_SCORE: i8 = -127;
/// What Edax assumes of its searches, in discs.
const MIDGAME_ERROR: i32 = 2;
const ENDGAME_ERROR: i32 = 1;

/// Reads a book.
///
/// # Errors
/// If the bytes are not a whole book of the known version.
pub fn read(bytes: &[u8]) -> Result<Book, ForeignError> {
    let mut reader = Reader { bytes, number: 0 };
    if reader.take().ok() != Some(*MAGIC) {
        return Err(ForeignError::NotABook("Edax"));
    }
    let version = reader.u8()?;
    if version != VERSION {
        return Err(ForeignError::Version { found: version, known: VERSION });
    }
    let (_release, _date) = (reader.u8()?, reader.take::<8>()?);
    let (_level, _empties, midgame_error) = (reader.i32()?, reader.i32()?, reader.i32()?);
    let (_endgame_error, _verbosity, count) = (reader.i32()?, reader.i32()?, reader.i32()?);
    let mut book = Book::new();
    for number in 1..=u64::try_from(count).unwrap_or(0) {
        reader.number = number;
        read_position(&mut reader, &mut book, discs(midgame_error.clamp(0, 64)))?;
    }
    reader.end()?;
    book.negamax();
    Ok(book)
}

fn read_position(reader: &mut Reader<'_>, book: &mut Book, error: Eval) -> Result<(), ForeignError> {
    let (own, opp) = (reader.u64()?, reader.u64()?);
    let position = reader.position(own, opp)?;
    let [wins, draws, losses, _lines] = [reader.u32()?, reader.u32()?, reader.u32()?, reader.u32()?];
    let (value, lower, upper) = (discs(reader.i16()?), discs(reader.i16()?), discs(reader.i16()?));
    let (links, level) = (reader.u8()?, reader.u8()?);
    for _ in 0..links {
        reader.take::<2>()?;
    }
    let (score, mv) = (discs(reader.i8()?), reader.u8()?);
    // Without links, the bounds are those of the leaf.
    let error = if links == 0 { (upper - score).max(score - lower).max(Eval::ZERO) } else { error };
    import(book, position, Entry { value, lower, upper, level, leaf: leaf(mv, score, error) });
    let games = Games { wins: wins.into(), draws: draws.into(), losses: losses.into() };
    if games.count() > 0 {
        book.add_games(position, games);
    }
    Ok(())
}

/// Writes a book. Values become whole discs, and counts beyond 32 bits the largest that fits. The bounds are those that
/// [`read`] finds again, so that a book that was read is written as it was.
pub fn write(book: &Book) -> Vec<u8> {
    let book = &in_whole_discs(book);
    let lines = lines(book);
    let mut body = Vec::new();
    let mut count: i32 = 0;
    let mut passes = BTreeMap::new();
    for (position, entry) in book.iter() {
        let links: Vec<ScoredMove> =
            book.links(position).iter().map(|link| (whole(link.value), link.mv as u8)).collect();
        let leaf = entry.leaf.map(|leaf| (whole(leaf.value), leaf.mv as u8));
        write_position(&mut body, (position, entry), book.games(position), lines[&key(position)], (&links, leaf));
        count += 1;
        for link in book.links(position) {
            let (Some(next), Some(passing)) = (Successor::of(position, link.mv), position.play(link.mv)) else {
                continue;
            };
            if next.passed {
                passes.insert(key(passing.canonical().0), (passing.canonical().0, next.position));
            }
        }
    }
    for (before, after) in passes.into_values() {
        let Some(entry) = book.get(after) else { continue };
        let (value, lower, upper) = (-entry.value, -entry.upper, -entry.lower);
        let Games { wins, draws, losses } = book.games(after);
        let games = Games { wins: losses, draws, losses: wins };
        let passed = Entry { value, lower, upper, ..entry };
        let links = [(whole(value), PASS)];
        write_position(&mut body, (before, passed), games, lines[&key(after.canonical().0)], (&links, None));
        count += 1;
    }
    let level = book.iter().map(|(_, entry)| entry.level).max().unwrap_or(0);
    let empties =
        book.iter().map(|(position, _)| position.empty_count()).min().unwrap_or(Position::START.empty_count());
    let mut bytes = MAGIC.to_vec();
    bytes.extend([VERSION, 0]);
    bytes.extend([0; 8]);
    for number in [i32::from(level), empties as i32, MIDGAME_ERROR, ENDGAME_ERROR, 0, count] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend(body);
    bytes
}

/// The book as it can be written: its leaves in whole discs, and their errors those that a reader takes them to have.
fn in_whole_discs(book: &Book) -> Book {
    let rounded = |value: Eval| discs(whole(value));
    let mut written = book.clone();
    for (position, entry) in book.iter() {
        let has_links = !book.links(position).is_empty();
        let error = |error: Eval| if has_links { discs(MIDGAME_ERROR) } else { rounded(error) };
        let leaf = entry.leaf.map(|leaf| Leaf { value: rounded(leaf.value), error: error(leaf.error), ..leaf });
        let [value, lower, upper] = [entry.value, entry.lower, entry.upper].map(rounded);
        written.put_entry(position, Entry { value, lower, upper, level: entry.level, leaf });
    }
    written.negamax();
    written
}

/// A score and a move, as they are written.
type ScoredMove = (i8, u8);

fn write_position(
    out: &mut Vec<u8>,
    (position, entry): (Position, Entry),
    games: Games,
    lines: u64,
    (links, leaf): (&[ScoredMove], Option<ScoredMove>),
) {
    out.extend(position.own().0.to_le_bytes());
    out.extend(position.opp().0.to_le_bytes());
    for number in [games.wins, games.draws, games.losses, lines] {
        out.extend(u32::try_from(number).unwrap_or(u32::MAX).to_le_bytes());
    }
    for value in [entry.value, entry.lower, entry.upper] {
        out.extend(i16::from(whole(value)).to_le_bytes());
    }
    out.push(u8::try_from(links.len()).expect("a position has fewer moves than a byte has values"));
    out.push(entry.level);
    for &(score, mv) in links.iter().chain([&leaf.unwrap_or((NO_SCORE, NO_MOVE))]) {
        out.extend(score.to_le_bytes());
        out.push(mv);
    }
}

/// How many lines of the book begin at each position: one for its leaf, and those of the positions after it.
fn lines(book: &Book) -> HashMap<(u64, u64), u64> {
    let mut positions: Vec<(Position, Entry)> = book.iter().collect();
    positions.sort_by_key(|(position, _)| position.empty_count());
    let mut lines: HashMap<(u64, u64), u64> = HashMap::with_capacity(positions.len());
    for (position, entry) in positions {
        let successors = position.moves().into_iter().filter_map(|square| Successor::of(position, square));
        let below = successors.filter_map(|next| lines.get(&key(next.position.canonical().0)).copied());
        let count = below.fold(u64::from(entry.leaf.is_some()), u64::saturating_add);
        lines.insert(key(position), count);
    }
    lines
}
