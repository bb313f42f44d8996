//! Making a book smaller, and one book of two.

use super::record::GamesRecord;
use super::shelf::{Filed, key, position};
use super::{Book, Entry, Leaf};
use crate::board::Position;
use crate::score::Eval;
use std::collections::HashSet;

impl Book {
    /// Throws out every position for which `keep` is false, and says how many. The best of the moves that lead out of the
    /// book afterwards is known from what was in it, so that nothing has to be searched.
    pub fn prune(&mut self, keep: impl Fn(Position) -> bool) -> usize {
        let gone: HashSet<(u64, u64)> =
            self.iter().filter(|(position, _)| !keep(*position)).map(|(position, _)| key(position)).collect();
        let mut changed = Vec::new();
        for (position, entry) in self.iter().filter(|(position, _)| !gone.contains(&key(*position))) {
            let lost = self.links(position).into_iter().filter(|link| {
                let next = super::Successor::of(position, link.mv);
                next.is_some_and(|next| gone.contains(&key(next.position.canonical().0)))
            });
            let best = lost.max_by_key(|link| link.value);
            let leaf = self.live_leaf(position, entry);
            if let Some(link) = best.filter(|link| leaf.is_none_or(|leaf| leaf.value < link.value)) {
                let error = (link.upper - link.value).max(link.value - link.lower).max(Eval::ZERO);
                let leaf = Some(Leaf { mv: link.mv, value: link.value, error });
                changed.push((position, Entry { leaf, ..entry }));
            }
        }
        self.positions.retain(|record| !gone.contains(&record.key()));
        self.games.retain(|record| !gone.contains(&record.key()));
        for (position, entry) in changed {
            self.put_entry(position, entry);
        }
        self.negamax();
        gone.len()
    }

    /// Adds what another book holds, and says how many positions are new. Of a position in both, the leaf with the higher
    /// level stays; results of games are added up. Positions may want a leaf afterwards: see [`Book::wants_leaf`].
    pub fn merge(&mut self, other: &Self) -> usize {
        let before = self.len();
        for (position, entry) in other.iter() {
            if self.get(position).is_none_or(|known| known.level < entry.level) {
                self.put_entry(position, entry);
            }
        }
        let games: Vec<GamesRecord> = other.games.iter().copied().collect();
        for (position, games) in games.iter().filter_map(|games| Some((position(games.key())?, games.games()))) {
            self.add_games(position, games);
        }
        let merged = self.len() - before;
        self.fix();
        merged
    }
}
