//! The transposition table: what was learnt of positions, shared by all workers without locks.
//!
//! Owns the memory and its replacement; must not know search, games or time. Each slot holds the whole board, so a
//! hit is never a collision. Start reading at [`Table::probe`] and [`Table::store`].

mod entry;

pub use entry::Entry;

use crate::board::Position;
use crate::memory::{self, prefetch};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

/// Slots a position may lie in.
const WAYS: usize = 4;
/// Words of a slot: own discs, opponent's discs, entry.
const WORDS: usize = 3;
/// Words of the slots a position may lie in.
const BUCKET: usize = WAYS * WORDS;

/// A lock-free table of [`Entry`]s.
///
/// A slot is three words written with plain atomic stores. Each board word is stored XORed with a mix of the entry
/// word (Hyatt and Mann's trick, with two different mixes), so a slot torn between two writers matches no board.
pub struct Table {
    words: Box<[AtomicU64]>,
    buckets: usize,
    generation: AtomicU8,
}

impl Table {
    /// A table of at most `megabytes` MB (2²⁰ bytes), any size from 1 up. The memory is not touched before it is used.
    pub fn new(megabytes: usize) -> Self {
        let buckets = (megabytes.max(1) << 20) / (BUCKET * size_of::<AtomicU64>());
        Self { words: memory::zeroed(buckets * BUCKET), buckets, generation: AtomicU8::new(0) }
    }

    /// Empties the table, on all cores.
    pub fn clear(&mut self) {
        self.words.par_chunks_mut(1 << 16).for_each(|chunk| chunk.iter_mut().for_each(|word| *word.get_mut() = 0));
        self.generation = AtomicU8::new(0);
    }

    /// Ages every entry: from now on they give way to new ones.
    pub fn new_generation(&self) {
        // Relaxed: called between searches.
        self.generation.fetch_add(1, Ordering::Relaxed);
    }

    /// What is known of the position, whose hash is `hash`.
    #[inline]
    pub fn probe(&self, position: Position, hash: u64) -> Option<Entry> {
        self.bucket(hash).chunks_exact(WORDS).find_map(|slot| read(slot, position)).and_then(Entry::unpack)
    }

    /// Asks the memory for the bucket of the position whose hash is `hash`, ahead of a probe.
    #[inline]
    pub fn prefetch(&self, hash: u64) {
        let bucket = self.bucket(hash);
        prefetch(&bucket[0]);
        prefetch(&bucket[BUCKET - 1]);
    }

    /// Notes what a search found of the position.
    ///
    /// Bounds of one draft are intersected; a better searched entry of the same position stays.
    #[inline]
    pub fn store(&self, position: Position, hash: u64, found: Entry) {
        // Relaxed everywhere: a slot proves by itself that its words belong together.
        let generation = self.generation.load(Ordering::Relaxed);
        let bucket = self.bucket(hash);
        let mut victim = 0;
        let mut victim_worth = u32::MAX;
        for (way, slot) in bucket.chunks_exact(WORDS).enumerate() {
            if let Some(old) = read(slot, position).and_then(Entry::unpack) {
                write(slot, position, merged(old, found).pack(generation));
                return;
            }
            let worth = entry::worth(slot[2].load(Ordering::Relaxed), generation);
            if worth < victim_worth {
                (victim, victim_worth) = (way, worth);
            }
        }
        write(&bucket[victim * WORDS..][..WORDS], position, found.pack(generation));
    }

    #[inline]
    fn bucket(&self, hash: u64) -> &[AtomicU64] {
        // Multiply-shift maps the hash evenly onto any number of buckets (Lemire).
        let index = ((u128::from(hash) * self.buckets as u128) >> 64) as usize;
        &self.words[index * BUCKET..][..BUCKET]
    }
}

/// One entry from two of the same position.
#[inline]
fn merged(old: Entry, new: Entry) -> Entry {
    let moves = match new.moves[0] {
        Some(best) if old.moves[0] != Some(best) => [Some(best), old.moves[0]],
        _ => old.moves,
    };
    if old.draft == new.draft {
        let lower = old.lower.max(new.lower);
        let upper = old.upper.min(new.upper);
        // Selective searches may contradict each other; then the newer one is believed.
        let (lower, upper) = if lower <= upper { (lower, upper) } else { (new.lower, new.upper) };
        return Entry { lower, upper, draft: new.draft, moves };
    }
    if old.draft.covers(new.draft) { Entry { moves, ..old } } else { Entry { moves, ..new } }
}

/// The entry word of a slot if it holds the position.
#[inline]
fn read(slot: &[AtomicU64], position: Position) -> Option<u64> {
    let word = slot[2].load(Ordering::Relaxed);
    let own = slot[0].load(Ordering::Relaxed) ^ word;
    let opp = slot[1].load(Ordering::Relaxed) ^ word.rotate_left(32);
    (own == position.own().0 && opp == position.opp().0).then_some(word)
}

#[inline]
fn write(slot: &[AtomicU64], position: Position, word: u64) {
    slot[0].store(position.own().0 ^ word, Ordering::Relaxed);
    slot[1].store(position.opp().0 ^ word.rotate_left(32), Ordering::Relaxed);
    slot[2].store(word, Ordering::Relaxed);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Bitboard, Square};
    use crate::score::{Draft, Eval, Selectivity, Window};

    fn position(number: u64) -> Position {
        Position::new(Bitboard(number), Bitboard(!number)).unwrap()
    }

    fn entry(depth: u8, value: i32) -> Entry {
        let value = Eval::from_units(value);
        Entry::from_search(value, Window::FULL, Draft::new(depth, Selectivity::FULL), Some(Square::A1))
    }

    #[test]
    fn what_is_stored_is_found_and_nothing_else() {
        let table = Table::new(1);
        for number in 0..1000 {
            table.store(position(number), position(number).hash(), entry(5, number as i32));
        }
        for number in 0..1000 {
            assert_eq!(table.probe(position(number), position(number).hash()), Some(entry(5, number as i32)));
        }
        assert_eq!(table.probe(position(1000), position(1000).hash()), None);
    }

    #[test]
    fn a_shallow_result_does_not_replace_a_deep_one_of_the_same_position() {
        let table = Table::new(1);
        let (board, hash) = (position(7), position(7).hash());
        table.store(board, hash, entry(9, 100));
        table.store(board, hash, entry(3, -100));
        assert_eq!(table.probe(board, hash).unwrap().lower, Eval::from_units(100));
    }

    #[test]
    fn bounds_of_one_draft_are_intersected() {
        let table = Table::new(1);
        let (board, hash) = (position(7), position(7).hash());
        let bound =
            |lower, upper| Entry { lower: Eval::from_units(lower), upper: Eval::from_units(upper), ..entry(9, 0) };
        table.store(board, hash, bound(10, 8192));
        table.store(board, hash, bound(-8192, 20));
        assert_eq!(table.probe(board, hash), Some(bound(10, 20)));
    }

    #[test]
    fn any_size_works_and_a_full_table_keeps_the_deep_entries() {
        for megabytes in [0, 1, 3, 7] {
            let mut table = Table::new(megabytes);
            let count = (megabytes.max(1) << 20) / 24;
            for number in 0..count as u64 * 2 {
                table.store(position(number), position(number).hash(), entry((number % 40) as u8, 1));
            }
            let kept = |depth: u64| {
                (0..count as u64 * 2)
                    .filter(|number| number % 40 == depth)
                    .filter(|&number| table.probe(position(number), position(number).hash()).is_some())
                    .count()
            };
            assert!(kept(39) > 2 * kept(0));
            table.clear();
            assert_eq!(table.probe(position(39), position(39).hash()), None);
        }
    }
}
