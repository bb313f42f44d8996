//! Who plays whom, from which opening, in which order.
//!
//! Start reading at [`Schedule`].

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;

/// How the engines are paired.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Pairing {
    /// Everyone against everyone.
    #[default]
    RoundRobin,
    /// The first engine against each of the others.
    Gauntlet,
}

/// How the openings follow each other. Each comes up once before any comes up again.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Order {
    /// As in the list.
    #[default]
    Sequential,
    /// Shuffled, and shuffled anew for each time through the list; the same seed gives the same order everywhere.
    Shuffled {
        /// The seed.
        seed: u64,
    },
}

/// A pair of games to be played: the same opening twice, with colours swapped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Job {
    /// Number of the pair in the match, from 0.
    pub pair: usize,
    /// Index of the opening.
    pub opening: usize,
    /// Index of the engine that has Black in the first game.
    pub first: usize,
    /// Index of the engine that has Black in the second game.
    pub second: usize,
}

/// The pairs of a match in order: round by round, in each round one opening for all pairings.
#[derive(Clone, Debug)]
pub struct Schedule {
    pairings: Vec<(usize, usize)>,
    openings: usize,
    order: Order,
    rounds: usize,
}

impl Schedule {
    /// A match of `engines` engines in which each pairing plays `rounds` pairs over a list of `openings` openings,
    /// at least 1.
    pub fn new(engines: usize, pairing: Pairing, rounds: usize, (openings, order): (usize, Order)) -> Self {
        let firsts = match pairing {
            Pairing::RoundRobin => 0..engines,
            Pairing::Gauntlet => 0..engines.min(1),
        };
        let pairings = firsts.flat_map(|first| (first + 1..engines).map(move |second| (first, second))).collect();
        Self { pairings, openings, order, rounds }
    }

    /// Number of pairs.
    pub fn len(&self) -> usize {
        self.pairings.len() * self.rounds
    }

    /// Whether there is nothing to play.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All pairs, in the order in which they are begun.
    pub fn jobs(&self) -> impl Iterator<Item = Job> + '_ {
        let openings = (0..).flat_map(|time| self.times_through(time));
        openings.take(self.rounds).enumerate().flat_map(move |(round, opening)| {
            self.pairings.iter().enumerate().map(move |(index, &(first, second))| Job {
                pair: round * self.pairings.len() + index,
                opening,
                first,
                second,
            })
        })
    }

    /// The openings in the order of one time through the list.
    fn times_through(&self, time: u64) -> Vec<usize> {
        let mut openings: Vec<usize> = (0..self.openings).collect();
        if let Order::Shuffled { seed } = self.order {
            openings.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(seed.wrapping_add(time)));
        }
        openings
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn everyone_meets_everyone_over_the_same_openings() {
        let schedule = Schedule::new(3, Pairing::RoundRobin, 2, (5, Order::Sequential));
        let jobs: Vec<_> = schedule.jobs().map(|job| (job.pair, job.opening, job.first, job.second)).collect();
        assert_eq!(jobs, [(0, 0, 0, 1), (1, 0, 0, 2), (2, 0, 1, 2), (3, 1, 0, 1), (4, 1, 0, 2), (5, 1, 1, 2)]);
        assert_eq!(schedule.len(), 6);
    }

    #[test]
    fn in_a_gauntlet_the_first_meets_the_others() {
        let schedule = Schedule::new(4, Pairing::Gauntlet, 1, (1, Order::Sequential));
        let pairings: Vec<_> = schedule.jobs().map(|job| (job.first, job.second)).collect();
        assert_eq!(pairings, [(0, 1), (0, 2), (0, 3)]);
    }

    #[test]
    fn each_opening_comes_once_before_any_comes_again() {
        for order in [Order::Sequential, Order::Shuffled { seed: 7 }] {
            let schedule = Schedule::new(2, Pairing::RoundRobin, 25, (10, order));
            let openings: Vec<_> = schedule.jobs().map(|job| job.opening).collect();
            assert_eq!(openings.len(), 25);
            for through in openings.chunks(10) {
                assert_eq!(through.iter().collect::<HashSet<_>>().len(), through.len(), "{through:?}");
            }
        }
    }

    #[test]
    fn a_seed_gives_one_order() {
        let order = |seed| {
            let schedule = Schedule::new(2, Pairing::RoundRobin, 20, (10, Order::Shuffled { seed }));
            schedule.jobs().map(|job| job.opening).collect::<Vec<_>>()
        };
        assert_eq!(order(1), order(1));
        assert_ne!(order(1), order(2));
        assert_ne!(order(1)[..10], order(1)[10..]);
        // Pinned: a match must be resumable by another build.
        assert_eq!(order(1)[..10], [4, 9, 8, 1, 6, 0, 3, 7, 5, 2]);
    }
}
