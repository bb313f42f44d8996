//! What a match is made of, as options and as a TOML file.

use crate::arena::{
    EngineEntry, Match, Order, Pairing, Paths, Schedule, Tests, Tolerance, parse_control, read_openings, tell_apart,
};
use crate::clock::TimeControl;
use crate::stats::{DiscSprt, EloModel, Sprt};
use anyhow::{Context, ensure};
use serde::Deserialize;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

/// Balanced openings made by this engine; the first lines tell the command.
const DEFAULT_OPENINGS: &str = include_str!("../../../book/openings.txt");
/// Pairs of each pairing when none are asked for.
const DEFAULT_PAIRS: usize = 100;
/// The same when a test ends the match.
const DEFAULT_TEST_PAIRS: usize = 50_000;
/// Alpha and beta when none are asked for.
const DEFAULT_RATE: f64 = 0.05;
/// Empty squares beyond which the exact check would take longer than the games.
const MAX_EXACT_CHECK: u8 = 24;

/// The settings of a match; all of them may stand in a file.
#[derive(clap::Args, Clone, Default, Debug, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Settings {
    /// An engine: `volte level=6`, or `command="gtp-rhino" name=GRhino time=60+1 start="…"`; further keys are
    /// directory, protocol (gtp, nboard), depth, nodes, threads, hash, passes (learn, told, omitted)
    #[arg(short, long, value_name = "DESCRIPTION", value_parser = EngineEntry::parse)]
    engine: Vec<EngineEntry>,
    /// Pairs of games for each pairing [default: 100; with a test, 50,000 at most]
    #[arg(short, long, value_name = "N")]
    pairs: Option<usize>,
    /// Games at a time [default: 1]
    #[arg(short, long, value_name = "N")]
    concurrency: Option<usize>,
    /// Openings, a transcript a line [default: a balanced list of Volte's own]
    #[arg(short, long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Shuffle the openings with this seed
    #[arg(long, value_name = "SEED")]
    shuffle: Option<u64>,
    /// The first engine against each of the others, instead of everyone against everyone
    #[arg(long)]
    gauntlet: bool,
    /// Time for engines without one of their own: `60+0.5` (game and increment), `2/move`, `60+30/5` (byo-yomi), `none`
    #[arg(short, long, value_name = "CONTROL")]
    time: Option<String>,
    /// Seconds over its time that an engine is forgiven on each move [default: 0.1]
    #[arg(long, value_name = "SECONDS")]
    margin: Option<f64>,
    /// Seconds that an engine without a clock may take for a move [default: 600]
    #[arg(long, value_name = "SECONDS")]
    silence: Option<f64>,
    /// End with a test on points between two Elo differences, such as 0,5
    #[arg(long, value_name = "ELO0,ELO1", value_parser = parse_bounds, allow_hyphen_values = true)]
    sprt: Option<[f64; 2]>,
    /// The bounds of --sprt are in normalised Elo
    #[arg(long)]
    sprt_normalised: bool,
    /// End with a test on discs between two mean differences per game, such as 0,0.5
    #[arg(long, value_name = "DISCS0,DISCS1", value_parser = parse_bounds, allow_hyphen_values = true)]
    sprt_discs: Option<[f64; 2]>,
    /// How often a test may pass what is no better than the lower value [default: 0.05]
    #[arg(long, value_name = "RATE")]
    alpha: Option<f64>,
    /// How often a test may fail what is as good as the upper value [default: 0.05]
    #[arg(long, value_name = "RATE")]
    beta: Option<f64>,
    /// Replay the last N empties of each game with the solver and count discs lost, N up to 24
    #[arg(long, value_name = "N")]
    exact_check: Option<u8>,
    /// Write a line of JSON per game and a summary
    #[arg(long, value_name = "FILE")]
    pub(super) json: Option<PathBuf>,
    /// Write a line per game: moves, players, result
    #[arg(long, value_name = "FILE")]
    pub(super) transcript: Option<PathBuf>,
    /// Write the games in GGF
    #[arg(long, value_name = "FILE")]
    pub(super) ggf: Option<PathBuf>,
    /// Write all that is said to and by the engines
    #[arg(long, value_name = "FILE")]
    pub(super) log: Option<PathBuf>,
    /// Go on with the match in the --json file
    #[arg(long)]
    pub(super) resume: bool,
    /// Start anew although the files hold a match (--resume is stronger)
    #[arg(long)]
    pub(super) overwrite: bool,
    /// Play even if more threads would be busy than there are cores
    #[arg(long)]
    pub(super) force: bool,
}

impl Settings {
    /// These settings, and where they say nothing those of `base`. Engines are added to those of `base`.
    pub(super) fn over(self, base: Self) -> Self {
        Self {
            engine: base.engine.into_iter().chain(self.engine).collect(),
            pairs: self.pairs.or(base.pairs),
            concurrency: self.concurrency.or(base.concurrency),
            openings: self.openings.or(base.openings),
            shuffle: self.shuffle.or(base.shuffle),
            gauntlet: self.gauntlet || base.gauntlet,
            time: self.time.or(base.time),
            margin: self.margin.or(base.margin),
            silence: self.silence.or(base.silence),
            sprt: self.sprt.or(base.sprt),
            sprt_normalised: self.sprt_normalised || base.sprt_normalised,
            sprt_discs: self.sprt_discs.or(base.sprt_discs),
            alpha: self.alpha.or(base.alpha),
            beta: self.beta.or(base.beta),
            exact_check: self.exact_check.or(base.exact_check),
            json: self.json.or(base.json),
            transcript: self.transcript.or(base.transcript),
            ggf: self.ggf.or(base.ggf),
            log: self.log.or(base.log),
            resume: self.resume || base.resume,
            overwrite: self.overwrite || base.overwrite,
            force: self.force || base.force,
        }
    }

    /// Where the match is written to.
    pub(super) fn paths(&self) -> Paths {
        Paths { json: self.json.clone(), transcript: self.transcript.clone(), ggf: self.ggf.clone() }
    }

    /// The match that is meant.
    pub(super) fn to_match(&self) -> anyhow::Result<Match> {
        ensure!(self.engine.len() >= 2, "a match needs two engines (--engine)");
        let tests = self.tests()?;
        ensure!(
            self.engine.len() == 2 || (tests.points.is_none() && tests.discs.is_none()),
            "a test compares two engines, not {}",
            self.engine.len()
        );
        let control = self.time.as_deref().map_or(Ok(TimeControl::Unlimited), parse_control)?;
        let volte = std::env::current_exe().context("cannot find this program")?;
        let mut contestants =
            self.engine.iter().map(|entry| entry.contestant(control, &volte)).collect::<Result<Vec<_>, _>>()?;
        tell_apart(&mut contestants);
        let openings = self.read_openings()?;
        let order = self.shuffle.map_or(Order::Sequential, |seed| Order::Shuffled { seed });
        let pairing = if self.gauntlet { Pairing::Gauntlet } else { Pairing::RoundRobin };
        let is_test = tests.points.is_some() || tests.discs.is_some();
        let pairs = self.pairs.unwrap_or(if is_test { DEFAULT_TEST_PAIRS } else { DEFAULT_PAIRS });
        let concurrency = self.concurrency.unwrap_or(1);
        let exact_check = self.exact_check.unwrap_or(0);
        ensure!(pairs > 0, "a match needs at least one pair (--pairs)");
        ensure!(concurrency > 0, "at least one game has to be played at a time (--concurrency)");
        ensure!(exact_check <= MAX_EXACT_CHECK, "--exact-check is at most {MAX_EXACT_CHECK}");
        Ok(Match {
            schedule: Schedule::new(contestants.len(), pairing, pairs, (openings.len(), order)),
            contestants,
            openings,
            concurrency,
            tolerance: self.tolerance()?,
            tests,
            exact_check,
        })
    }

    fn read_openings(&self) -> anyhow::Result<Vec<crate::arena::Opening>> {
        let Some(path) = &self.openings else { return Ok(read_openings(DEFAULT_OPENINGS)?) };
        let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        read_openings(&text).with_context(|| path.display().to_string())
    }

    fn tolerance(&self) -> anyhow::Result<Tolerance> {
        let usual = Tolerance::default();
        let seconds = |value: Option<f64>, usual| {
            value.map_or(Ok(usual), Duration::try_from_secs_f64).context("--margin and --silence are seconds")
        };
        Ok(Tolerance { margin: seconds(self.margin, usual.margin)?, silence: seconds(self.silence, usual.silence)? })
    }

    fn tests(&self) -> anyhow::Result<Tests> {
        let rates = [self.alpha.unwrap_or(DEFAULT_RATE), self.beta.unwrap_or(DEFAULT_RATE)];
        let model = if self.sprt_normalised { EloModel::Normalised } else { EloModel::Logistic };
        Ok(Tests {
            points: self.sprt.map(|bounds| Sprt::new(model, bounds, rates)).transpose()?,
            discs: self.sprt_discs.map(|bounds| DiscSprt::new(bounds, rates)).transpose()?,
        })
    }
}

/// Reads two numbers with a comma between them.
fn parse_bounds(text: &str) -> Result<[f64; 2], String> {
    let numbers: Result<Vec<f64>, _> = text.split(',').map(|number| number.trim().parse()).collect();
    match numbers.as_deref() {
        Ok(&[lower, upper]) => Ok([lower, upper]),
        _ => Err("expected two numbers with a comma between them, such as 0,5".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Typed {
        #[command(flatten)]
        settings: Settings,
    }

    fn typed(words: &[&str]) -> Settings {
        Typed::try_parse_from([&["match"], words].concat())
            .map(|typed| typed.settings)
            .unwrap_or_else(|e| panic!("{e}"))
    }

    const FILE: &str = r#"
        pairs = 10
        time = "60+1"
        sprt = [-3, 1.5]
        exact-check = 12
        gauntlet = true
        [[engine]]
        name = "six"
        command = "volte"
        level = 6
        [[engine]]
        command = "gtp-rhino"
        start = ["showboard"]
    "#;

    #[test]
    fn a_file_and_options_make_a_match() {
        let file: Settings = toml::from_str(FILE).expect("the file is right");
        let of = typed(&["--pairs", "7", "--margin", "0.5"]).over(file).to_match().expect("a match");
        assert_eq!(of.schedule.len(), 7);
        assert_eq!(of.contestants.iter().map(|engine| engine.name.as_str()).collect::<Vec<_>>(), ["six", "gtp-rhino"]);
        assert_eq!(of.contestants[1].command.start, ["showboard"]);
        assert_eq!(of.exact_check, 12);
        assert_eq!(of.tolerance.margin, Duration::from_millis(500));
        assert!(of.tests.points.is_some() && of.tests.discs.is_none());
    }

    #[test]
    fn options_alone_are_enough() {
        let of = typed(&["-e", "volte level=3", "-e", "volte level=3", "--sprt", "-5,0"]).to_match().expect("a match");
        assert_eq!(of.contestants[1].name, "volte-level3-2");
        assert_eq!(of.schedule.len(), DEFAULT_TEST_PAIRS);
        assert!(of.openings.len() > 100);
    }

    #[test]
    fn what_makes_no_match_is_refused() {
        let two = ["-e", "volte level=3", "-e", "volte"];
        let with = |more: &[&str]| typed(&[&two[..], more].concat()).to_match();
        assert!(typed(&["-e", "volte"]).to_match().is_err(), "one engine");
        assert!(with(&["-e", "volte", "--sprt", "0,5"]).is_err(), "three engines and a test");
        assert!(with(&["--sprt", "5,0"]).is_err());
        assert!(with(&["--alpha", "0.7", "--sprt", "0,5"]).is_err());
        assert!(with(&["--pairs", "0"]).is_err());
        assert!(with(&["--concurrency", "0"]).is_err());
        assert!(with(&["--margin=-1"]).is_err());
        assert!(with(&["--time", "fast"]).is_err());
        assert!(with(&["--exact-check", "40"]).is_err());
        assert!(toml::from_str::<Settings>("pears = 3").is_err());
        assert!(Typed::try_parse_from(["match", "--sprt", "5"]).is_err());
        assert!(Typed::try_parse_from(["match", "-e", "volte quickly"]).is_err());
    }
}
