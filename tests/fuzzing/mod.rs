//! Damage for inputs that exist: what every fuzz test shares.

#![allow(dead_code, reason = "each test uses a part of this")]

use std::time::{Duration, Instant};

/// A generator of numbers (SplitMix64); equal seeds give equal inputs.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// A number from 0 to below `bound`; 0 if that is nothing.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % bound.max(1) as u64) as usize
    }

    /// One of some things.
    pub(crate) fn one<'a, T>(&mut self, things: &'a [T]) -> &'a T {
        &things[self.below(things.len())]
    }

    /// One kind of damage somewhere in `bytes`: a changed byte, a loss, a repetition, a part of `other`, a cut, or one
    /// of the `pieces`.
    pub(crate) fn damage(&mut self, bytes: &mut Vec<u8>, other: &[u8], pieces: &[&str]) {
        let at = self.below(bytes.len() + 1);
        let end = (at + self.below(40)).min(bytes.len());
        match self.below(7) {
            0 if at < bytes.len() => bytes[at] ^= 1 << self.below(8),
            1 if at < bytes.len() => bytes[at] = self.below(256) as u8,
            2 => drop(bytes.drain(at..end)),
            3 => {
                let copy = bytes[at..end].to_vec();
                bytes.splice(at..at, copy);
            }
            4 => {
                let from = self.below(other.len());
                let to = (from + self.below(80)).min(other.len());
                bytes.splice(at..end, other[from..to].iter().copied());
            }
            5 => bytes.truncate(at),
            _ => {
                let piece = self.one(pieces);
                bytes.splice(at..at, piece.bytes());
            }
        }
    }
}

/// How long to go on: for a number of inputs, or as long as `VOLTE_FUZZ_SECONDS` asks for.
pub(crate) struct Budget {
    inputs: usize,
    time: Option<Duration>,
    started: Instant,
    done: usize,
}

impl Budget {
    /// A budget of so many inputs if no time is asked for.
    pub(crate) fn new(inputs: usize) -> Self {
        let time = asked("VOLTE_FUZZ_SECONDS").map(Duration::from_secs);
        Self { inputs, time, started: Instant::now(), done: 0 }
    }

    /// Whether there is one more input.
    pub(crate) fn goes_on(&mut self) -> bool {
        let goes_on = self.time.map_or(self.done < self.inputs, |time| self.started.elapsed() < time);
        self.done += usize::from(goes_on);
        goes_on
    }

    /// Whether a run of minutes was asked for. Other runs look at no clock: their machine may be paused.
    pub(crate) const fn is_timed(&self) -> bool {
        self.time.is_some()
    }

    /// Tells how much was done.
    pub(crate) fn tell(&self, what: impl std::fmt::Display) {
        eprintln!("{what}: {} inputs in {:.1} s", self.done, self.started.elapsed().as_secs_f64());
    }
}

/// The seed that was asked for, or the same one every time.
pub(crate) fn seed() -> u64 {
    asked("VOLTE_FUZZ_SEED").unwrap_or(1)
}

/// A number from the environment.
fn asked(name: &str) -> Option<u64> {
    let value = std::env::var(name).ok()?;
    Some(value.parse().unwrap_or_else(|_| panic!("{name}={value} is not a number")))
}
