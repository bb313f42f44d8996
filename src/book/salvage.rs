//! What is whole in a damaged book.
//!
//! A record tells of itself whether it can be one; nothing tells of a number whether it was changed into another possible
//! one. Start reading at [`Book::salvage`].

use super::format::HEADER;
use super::record::{GamesRecord, Record};
use super::shelf::{Filed, Key, Shelf, key, position};
use super::{Book, BookError, Successor};
use crate::board::Position;
use std::collections::BTreeMap;

/// What was found in a damaged book.
#[derive(Clone, Debug)]
pub struct Salvage {
    /// The book of what is whole. It may want repairs: see [`Book::fix`].
    pub book: Book,
    /// How many positions are whole.
    pub kept: usize,
    /// How many positions are not: damaged, or beyond the end of the bytes.
    pub dropped: usize,
    /// How many positions were put back, without what searches told of them, since others follow from them.
    pub restored: usize,
}

impl Book {
    /// Takes every position and every result out of a damaged book that can be one: canonical, with its four middle
    /// squares taken, a move to make, and bounds in order.
    ///
    /// # Errors
    /// If there is no such position, or the bytes are of another format.
    pub fn salvage(bytes: &[u8]) -> Result<Salvage, BookError> {
        if let Err(error @ BookError::Version(_)) = Self::from_bytes(bytes) {
            return Err(error);
        }
        let word = |at: usize| Some(u64::from_le_bytes(bytes.get(at..at + size_of::<u64>())?.try_into().ok()?));
        let body = bytes.get(HEADER..).unwrap_or_default();
        let fits = body.len() / size_of::<Record>();
        let promised = word(8).and_then(|count| usize::try_from(count).ok());
        // More positions than any book has are a damaged number.
        let promised = promised.filter(|count| *count <= MOST_POSITIONS).unwrap_or(fits);
        let (positions, games) = body.split_at(promised.min(fits) * size_of::<Record>());
        let mut positions: Vec<Record> = whole_records(positions);
        positions.iter_mut().for_each(Record::swap);
        positions.retain(|record| record.is_well_formed() && record.has_order() && is_plausible(record.key()));
        if positions.is_empty() {
            return Err(BookError::NotABook);
        }
        let mut games: Vec<GamesRecord> = whole_records(games);
        games.iter_mut().for_each(GamesRecord::swap);
        games.retain(|record| record.is_possible() && is_plausible(record.key()));
        let mut book = Self { positions: Shelf::of(positions), games: Shelf::of(games) };
        let kept = book.len();
        book.bridge();
        let restored = book.len() - kept;
        Ok(Salvage { book, kept, dropped: promised.saturating_sub(kept), restored })
    }

    /// Puts positions back that are missing between the start and those that are there.
    fn bridge(&mut self) {
        if !self.contains(Position::START) {
            self.put(Position::START, 0, None);
        }
        loop {
            let reachable = self.reachable();
            let cut_off = |key: &Key| !reachable.contains(key) && self.positions.get(*key).is_some();
            let mut missing: BTreeMap<Key, Position> = BTreeMap::new();
            for next in reachable.iter().filter_map(|key| position(*key)).flat_map(successors) {
                let leads_on = || successors(next).any(|after| cut_off(&key(after)));
                if !self.contains(next) && leads_on() {
                    missing.insert(key(next), next);
                }
            }
            if missing.is_empty() {
                return;
            }
            for position in missing.into_values() {
                self.put(position, 0, None);
            }
        }
    }
}

/// A damaged header may tell of any number of positions; no book has more than this.
const MOST_POSITIONS: usize = 1 << 30;

/// The canonical positions after each move.
fn successors(position: Position) -> impl Iterator<Item = Position> {
    position.moves().into_iter().filter_map(move |square| Some(Successor::of(position, square)?.position.canonical().0))
}

/// The records that are not cut short.
fn whole_records<T: Filed>(bytes: &[u8]) -> Vec<T> {
    bytemuck::pod_collect_to_vec(&bytes[..bytes.len() - bytes.len() % size_of::<T>()])
}

/// Whether play may lead there, and something may be filed there.
fn is_plausible(key: Key) -> bool {
    let start = Position::START;
    let middle = start.own().0 | start.opp().0;
    (key.0 | key.1) & middle == middle
        && position(key).is_some_and(|position| position.canonical().0 == position && !position.moves().is_empty())
}
