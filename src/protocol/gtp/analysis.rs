//! `volte-analyze`: a search that tells what it finds while it runs, no more often than it is asked to.

use super::command::Analysis;
use super::text;
use crate::board::Square;
use crate::engine::{Audience, Engine};
use crate::search::{Control, Level, Limits, Observer, Report, StopSignal};
use crossbeam::channel::{self, Receiver, RecvTimeoutError, Sender};
use std::io::{self, Write};
use std::thread;
use std::time::{Duration, Instant};

/// Searches the current position until it is stopped or all is known, and writes what it finds.
///
/// # Errors
/// If the output cannot be written; that stops the search.
pub(super) fn stream(
    engine: &mut Engine,
    analysis: Analysis,
    stop: &StopSignal,
    output: &mut impl Write,
) -> io::Result<()> {
    let limits = Limits { lines: analysis.lines, ..Limits::draft(Level::MAX.draft(Square::COUNT as u8)) };
    let (updates, newest) = channel::unbounded();
    let mut forward = Forward { updates, json: analysis.json };
    // The search has a thread of its own, so that an update that came too early is not late.
    thread::scope(|scope| {
        scope.spawn(move || engine.search(&limits, Audience { stop, observer: &mut forward }));
        write_at_intervals(newest, analysis.interval, output)
    })
}

/// Hands on each iteration, unless nobody takes it.
struct Forward {
    updates: Sender<String>,
    json: bool,
}

impl Observer for Forward {
    fn iteration(&mut self, report: &Report<'_>) -> Control {
        let update = if self.json { text::analysis_json(report) } else { text::analysis(report) };
        if self.updates.send(update).is_ok() { Control::Continue } else { Control::Stop }
    }
}

/// Writes the newest update as soon as the interval since the last one is over, and the last one of all; without an
/// interval each of them. Takes the updates, so that the search ends when nobody writes any more.
fn write_at_intervals(updates: Receiver<String>, interval: Duration, output: &mut impl Write) -> io::Result<()> {
    let mut due = Instant::now();
    while let Ok(mut update) = updates.recv() {
        while !interval.is_zero() {
            match updates.recv_deadline(due) {
                Ok(newer) => update = newer,
                // If nothing can follow, this is the last one, and it need not wait.
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => break,
            }
        }
        writeln!(output, "{update}")?;
        output.flush()?;
        due = Instant::now() + interval;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(updates: &[(u64, &'static str)], interval: u64) -> String {
        let (sender, receiver) = channel::unbounded();
        let updates = updates.to_vec();
        let writer = thread::spawn(move || {
            for (pause, update) in updates {
                thread::sleep(Duration::from_millis(pause));
                sender.send(update.to_owned()).unwrap();
            }
        });
        let mut output = Vec::new();
        write_at_intervals(receiver, Duration::from_millis(interval), &mut output).unwrap();
        writer.join().unwrap();
        String::from_utf8(output).unwrap()
    }

    #[test]
    fn what_comes_too_fast_is_left_out_except_for_the_last() {
        let fast = [(0, "1"), (0, "2"), (0, "3"), (0, "4")];
        assert!(written(&fast, 60_000).ends_with("4\n"));
        assert!(written(&fast, 60_000).lines().count() <= 2);
        assert_eq!(written(&[], 10), "");
    }

    #[test]
    fn an_early_update_comes_when_it_is_due_and_not_with_the_next() {
        let text = written(&[(0, "1"), (5, "2"), (600, "3")], 100);
        // On a busy machine who reads may come so late that the first one is old already.
        assert!(["1\n2\n3\n", "2\n3\n"].contains(&text.as_str()), "{text}");
    }
}
