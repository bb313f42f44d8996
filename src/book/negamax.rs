//! Values from the end of the book back to its root.

use super::record::Record;
use super::shelf::{Filed, position};
use super::{Book, Entry};
use crate::board::Position;
use crate::score::Eval;
use rayon::prelude::*;

impl Book {
    /// Gives every position the value and the bounds that follow from its leaf and the positions after it, and says how
    /// many changed. A position without either keeps what it has.
    pub fn negamax(&mut self) -> usize {
        let records = self.positions.settled();
        let mut layers: Vec<Vec<usize>> = Vec::new();
        for (index, record) in records.iter().enumerate() {
            let (own, opp) = record.key();
            let empties = (own | opp).count_zeros() as usize;
            if layers.len() <= empties {
                layers.resize_with(empties + 1, Vec::new);
            }
            layers[empties].push(index);
        }
        // A move leads to fewer empty squares, so each layer follows from those before it.
        let mut changed = 0;
        for layer in layers {
            let news: Vec<(usize, Record)> =
                layer.into_par_iter().filter_map(|index| Some((index, self.renewed(index)?))).collect();
            changed += news.len();
            let records = self.positions.settled();
            for (index, record) in news {
                records[index] = record;
            }
        }
        changed
    }

    fn renewed(&self, index: usize) -> Option<Record> {
        let record = self.positions.at(index);
        let position = position(record.key())?;
        let entry = record.entry();
        let (value, lower, upper) = self.backed_up(position, entry)?;
        let renewed = Entry { value, lower, upper, ..entry };
        (renewed != entry).then(|| Record::new(record.key(), renewed))
    }

    /// The value and the bounds that follow from the leaf and the positions after this one; `None` if there are neither.
    pub(super) fn backed_up(&self, position: Position, entry: Entry) -> Option<(Eval, Eval, Eval)> {
        let leaf = self.live_leaf(position, entry);
        let leaf = leaf.map(|leaf| (leaf.value, leaf.value - leaf.error, leaf.value + leaf.error));
        let links = self.links(position).into_iter().map(|link| (link.value, link.lower, link.upper));
        let clamp = |value: Eval| value.clamp(Eval::MIN, Eval::MAX);
        leaf.into_iter()
            .chain(links)
            .reduce(|a, b| (a.0.max(b.0), a.1.max(b.1), a.2.max(b.2)))
            .map(|(value, lower, upper)| (clamp(value), clamp(lower), clamp(upper)))
    }
}
