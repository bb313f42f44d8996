//! Things filed under a canonical position, in order: found by bisection, added beside and merged in now and then.
//!
//! Owns the order; must not know what the things mean. Start reading at [`Shelf`].

use crate::board::{Bitboard, Position};
use bytemuck::Pod;
use std::collections::BTreeMap;

/// Own and opposing discs of a canonical position.
pub(super) type Key = (u64, u64);

/// The key of a position, which is canonical.
pub(super) const fn key(position: Position) -> Key {
    (position.own().0, position.opp().0)
}

/// The position of a key; `None` if a square holds two discs.
pub(super) const fn position((own, opp): Key) -> Option<Position> {
    Position::new(Bitboard(own), Bitboard(opp))
}

/// Something that is filed under a position, as it stands in a file.
pub(super) trait Filed: Pod {
    /// Where it is filed.
    fn key(&self) -> Key;
}

/// Things in the order of their keys, each key once.
#[derive(Clone, Debug)]
pub(super) struct Shelf<T> {
    sorted: Vec<T>,
    /// What came since: disjoint from `sorted`.
    fresh: BTreeMap<Key, T>,
}

impl<T> Default for Shelf<T> {
    fn default() -> Self {
        Self { sorted: Vec::new(), fresh: BTreeMap::new() }
    }
}

impl<T: Filed> Shelf<T> {
    /// So many things may lie beside the sorted ones before they are merged in, or a quarter as many as are sorted.
    const MOST_FRESH: usize = 1024;

    /// A shelf of things in any order; of two with one key the later stays.
    pub(super) fn of(mut things: Vec<T>) -> Self {
        if !things.is_sorted_by(|a, b| a.key() < b.key()) {
            things.reverse();
            things.sort_by_key(Filed::key);
            things.dedup_by_key(|thing| thing.key());
        }
        Self { sorted: things, fresh: BTreeMap::new() }
    }

    pub(super) fn len(&self) -> usize {
        self.sorted.len() + self.fresh.len()
    }

    #[inline]
    pub(super) fn get(&self, key: Key) -> Option<&T> {
        match self.sorted.binary_search_by_key(&key, Filed::key) {
            Ok(index) => Some(&self.sorted[index]),
            Err(_) => self.fresh.get(&key),
        }
    }

    /// Files a thing, in place of what is there under its key.
    pub(super) fn put(&mut self, thing: T) {
        match self.sorted.binary_search_by_key(&thing.key(), Filed::key) {
            Ok(index) => self.sorted[index] = thing,
            Err(_) => {
                self.fresh.insert(thing.key(), thing);
                if self.fresh.len() > Self::MOST_FRESH.max(self.sorted.len() / 4) {
                    self.settle();
                }
            }
        }
    }

    pub(super) fn retain(&mut self, keep: impl FnMut(&T) -> bool) {
        self.settle();
        self.sorted.retain(keep);
    }

    /// Everything, in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = &T> + '_ {
        let (mut sorted, mut fresh) = (self.sorted.iter().peekable(), self.fresh.values().peekable());
        std::iter::from_fn(move || match (sorted.peek(), fresh.peek()) {
            (Some(a), Some(b)) if b.key() < a.key() => fresh.next(),
            (None, _) => fresh.next(),
            _ => sorted.next(),
        })
    }

    /// The thing at a place among the settled ones.
    pub(super) fn at(&self, index: usize) -> &T {
        &self.sorted[index]
    }

    /// Everything, in order and in one piece.
    pub(super) fn settled(&mut self) -> &mut [T] {
        self.settle();
        &mut self.sorted
    }

    fn settle(&mut self) {
        if !self.fresh.is_empty() {
            self.sorted.extend(std::mem::take(&mut self.fresh).into_values());
            // Two sorted runs: the stable sort merges them.
            self.sorted.sort_by_key(Filed::key);
        }
    }
}
