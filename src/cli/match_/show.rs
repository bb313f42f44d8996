//! A match on the screen: while it runs, and its report; and the log of what engines say.

use crate::arena::{PairRecord, Standing, Tally, Tests};
use crate::clock::{Clock, WallClock};
use crate::protocol::client::{Heard, Listener};
use crate::stats::{Estimate, SprtState, Verdict};
use anyhow::Context;
use indicatif::{ProgressBar, ProgressStyle};
use parking_lot::Mutex;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// A match while it runs: a bar and the standing below it on a terminal, a line now and then elsewhere.
pub(super) struct Live {
    bar: ProgressBar,
    tests: Tests,
    pairs: usize,
    clock: WallClock,
    told: Duration,
}

impl Live {
    /// Time between two lines where there is no terminal.
    const EVERY: Duration = Duration::from_secs(30);

    /// A match of `pairs` pairs of which some are `done`.
    pub(super) fn new(pairs: usize, done: usize, tests: Tests) -> Self {
        let bar = ProgressBar::new(pairs as u64).with_position(done as u64);
        let style = ProgressStyle::with_template("{bar:30} {pos}/{len} pairs  {elapsed_precise}  {eta} left\n{msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.reset_eta();
        Self { bar, tests, pairs, clock: WallClock::default(), told: Duration::ZERO }
    }

    /// Shows the standing after a pair.
    pub(super) fn show(&mut self, pair: &PairRecord, tally: &Tally) {
        self.bar.set_position(tally.pairs());
        self.bar.set_message(report(tally, self.tests));
        for game in &pair.games {
            if !game.detail.is_empty() {
                self.say(&format!(
                    "game {}: {} v {}: {} ({}): {}",
                    game.game, game.black, game.white, game.result, game.reason, game.detail
                ));
            }
        }
        let now = self.clock.now();
        if self.bar.is_hidden() && now - self.told >= Self::EVERY {
            self.told = now;
            self.say(&one_line(tally, self.pairs));
        }
    }

    /// Says something on stderr.
    pub(super) fn say(&self, text: &str) {
        if self.bar.is_hidden() {
            // Nobody may be listening; the match goes on.
            let _ = writeln!(std::io::stderr(), "{text}");
        } else {
            self.bar.println(text);
        }
    }

    /// Takes the bar away.
    pub(super) fn close(&self) {
        self.bar.finish_and_clear();
    }
}

fn one_line(tally: &Tally, pairs: usize) -> String {
    let mut line = format!("{}/{pairs} pairs", tally.pairs());
    for (standing, elo) in tally.standings().iter().zip(tally.elo()) {
        let _ = write!(
            line,
            "  {} +{} ={} -{} Elo {} discs {}",
            standing.name,
            standing.wins,
            standing.draws,
            standing.losses,
            estimate(elo),
            estimate(standing.discs.estimate())
        );
    }
    line
}

/// The standing as a table with everything that follows from it.
pub(super) fn report(tally: &Tally, tests: Tests) -> String {
    let mut text = String::new();
    let width = tally.standings().iter().map(|standing| standing.name.chars().count()).max().unwrap_or(0).max(6);
    let checked = tally.standings().iter().any(|standing| standing.checked_moves > 0);
    let _ = write!(
        text,
        "{:width$}  {:>6} {:>6} {:>6} {:>6}  {:>6}  {:>16}  {:>16}  {:>9}  {:>8}",
        "Engine", "games", "won", "drawn", "lost", "score", "Elo", "discs", "seconds", "of clock"
    );
    text.push_str(if checked { "  discs lost/100 moves\n" } else { "\n" });
    for (standing, elo) in tally.standings().iter().zip(tally.elo()) {
        let Standing { name, wins, draws, losses, seconds, .. } = standing;
        let score = standing.pairs.score().map_or("-".to_owned(), |score| format!("{:.1}%", 100.0 * score));
        let _ = write!(
            text,
            "{name:width$}  {:>6} {wins:>6} {draws:>6} {losses:>6}  {score:>6}  {:>16}  {:>16}  {seconds:>9.1}  {:>8}",
            standing.games(),
            estimate(elo),
            estimate(standing.discs.estimate()),
            standing.clock_share().map_or("-".to_owned(), |share| format!("{:.0}%", 100.0 * share)),
        );
        if standing.checked_moves > 0 {
            let rate = 100.0 * standing.discs_lost as f64 / standing.checked_moves as f64;
            let _ = write!(text, "  {:>20}", format!("{rate:.1}"));
        }
        text.push('\n');
    }
    add_details(&mut text, tally, tests);
    text
}

fn add_details(text: &mut String, tally: &Tally, tests: Tests) {
    let Some(first) = tally.standings().first() else { return };
    let [ll, ld, even, wd, ww] = first.pairs.counts();
    let superiority = first.pairs.superiority().map_or("-".to_owned(), |share| format!("{:.1}%", 100.0 * share));
    let _ = writeln!(
        text,
        "{}: pairs {}, pentanomial {ll}, {ld}, {even}, {wd}, {ww}, normalised Elo {}, likelihood of superiority {superiority}",
        first.name,
        first.pairs.pairs(),
        estimate(first.pairs.normalised_elo()),
    );
    let [points, discs] = tally.test_states(tests);
    for (what, state) in [("points", points), ("discs", discs)] {
        if let Some(SprtState { llr, lower, upper, verdict }) = state {
            let verdict = match verdict {
                Verdict::Open => "open",
                Verdict::Lower => "the lower value is accepted",
                Verdict::Upper => "the upper value is accepted",
            };
            let _ = writeln!(text, "Test on {what}: LLR {llr:.2} ({lower:.2}, {upper:.2}), {verdict}");
        }
    }
    for standing in tally.standings() {
        let faults: Vec<_> = standing.faults.iter().map(|(reason, count)| format!("{count} by {reason}")).collect();
        if !faults.is_empty() {
            let _ = writeln!(text, "{} lost {}", standing.name, faults.join(", "));
        }
    }
    for idle in tally.standings().iter().filter(|standing| standing.idles()) {
        let share = 100.0 * idle.clock_share().unwrap_or_default();
        let _ = writeln!(text, "Warning: {} used only {share:.0}% of its time", idle.name);
    }
    if tally.dropped() > 0 {
        let _ = writeln!(text, "Pairs dropped: {}", tally.dropped());
    }
}

/// `+12.3 ± 4.5`, or `-` if there is nothing to say.
fn estimate(value: Option<Estimate>) -> String {
    value.map_or("-".to_owned(), |Estimate { value, error }| format!("{value:+.1} ± {error:.1}"))
}

/// A file of all that is said to and by engines.
#[derive(Clone)]
pub(super) struct TrafficLog {
    file: Arc<Mutex<BufWriter<File>>>,
    clock: WallClock,
}

impl TrafficLog {
    pub(super) fn create(path: &Path) -> anyhow::Result<Self> {
        let file = File::create(path).with_context(|| format!("cannot write {}", path.display()))?;
        Ok(Self { file: Arc::new(Mutex::new(BufWriter::new(file))), clock: WallClock::default() })
    }

    /// Notes what one engine hears and says.
    pub(super) fn listener(&self, engine: &str) -> Arc<dyn Listener> {
        Arc::new(Ear { log: self.clone(), engine: engine.to_owned() })
    }
}

struct Ear {
    log: TrafficLog,
    engine: String,
}

impl Listener for Ear {
    fn line(&self, heard: Heard, line: &str) {
        let sign = match heard {
            Heard::Sent => '<',
            Heard::Received => '>',
        };
        let seconds = self.log.clock.now().as_secs_f64();
        // A log that cannot be written must not end the match.
        let mut file = self.log.file.lock();
        let _ = writeln!(file, "{seconds:.3} {} {sign} {line}", self.engine).and_then(|()| file.flush());
    }
}
