//! `volte match`: engines against each other.

mod openings;
mod settings;
mod show;

use super::interrupt::stop_on_ctrl_c;
use super::{FAILURE, NEGATIVE};
use crate::arena::{self, Files, MatchError, Outcome, OutputError, PairRecord, Spectator, Tally, Tests};
use crate::protocol::client::{ClientError, Listener};
use crate::stats::Verdict;
use anyhow::{Context, ensure};
use settings::Settings;
use show::{Live, TrafficLog};
use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

/// Play engines against each other.
///
/// Each opening is played twice with colours swapped; ratings and tests count such pairs. Engines come from `--engine`, from a TOML file (`--config`, with
/// the same names and a table `[[engine]]` for each), or both; what is given here overrides the file.
#[derive(clap::Args, Debug)]
#[command(args_conflicts_with_subcommands = true, args_override_self = true)]
pub(super) struct Args {
    /// A TOML file with settings and engines
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    #[command(flatten)]
    settings: Settings,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(clap::Subcommand, Debug)]
enum Command {
    /// Make a list of balanced openings
    Openings(openings::Args),
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    if let Some(Command::Openings(args)) = &args.command {
        return openings::run(args);
    }
    let settings = match &args.config {
        Some(path) => {
            let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
            let file: Settings =
                toml::from_str(&text).with_context(|| format!("{} is not understood", path.display()))?;
            args.settings.clone().over(file)
        }
        None => args.settings.clone(),
    };
    play(&settings)
}

fn play(settings: &Settings) -> anyhow::Result<ExitCode> {
    let of = settings.to_match()?;
    if !settings.force {
        let cores = std::thread::available_parallelism().map_or(1, Into::into);
        of.check_cores::<OutputError>(cores).context("use --force to play all the same")?;
    }
    let done = finished_before(settings)?;
    let log = settings.log.as_deref().map(TrafficLog::create).transpose()?;
    let stop = stop_on_ctrl_c()?;
    let files = Files::create(&settings.paths(), &done)?;
    let mut desk = Desk { files, live: Live::new(of.schedule.len(), done.len(), of.tests), log };
    let result = arena::run(&of, &done, &stop, &mut desk);
    desk.live.close();
    let Outcome { tally, complete } = match result {
        Ok(outcome) => outcome,
        Err(MatchError::Spectator(error)) => return Err(error.into()),
        Err(error) => return Err(error.into()),
    };
    desk.files.finish(&tally.summary(of.tests, complete))?;
    let mut out = io::stdout().lock();
    write!(out, "{}", show::report(&tally, of.tests))?;
    if !complete {
        let hint = if settings.json.is_some() { "; --resume goes on" } else { "" };
        writeln!(out, "Stopped after {} of {} pairs{hint}", tally.pairs(), of.schedule.len())?;
    }
    Ok(exit_code(&tally, of.tests, complete))
}

/// The pairs that a match to be resumed has already.
fn finished_before(settings: &Settings) -> anyhow::Result<Vec<PairRecord>> {
    if !settings.resume {
        // A file that holds a match is not lost by a slip.
        for path in [&settings.json, &settings.transcript, &settings.ggf].into_iter().flatten() {
            let holds_something = fs::metadata(path).is_ok_and(|file| file.is_file() && file.len() > 0);
            ensure!(
                !holds_something || settings.overwrite,
                "{} exists: --resume goes on with that match, --overwrite starts anew",
                path.display()
            );
        }
        return Ok(Vec::new());
    }
    let path = settings.json.as_deref().context("--resume needs the --json FILE of the match")?;
    Ok(arena::read_finished(path)?)
}

/// 0 for a match that came to its end, 1 for a test that accepted the lower value or a match that was stopped.
fn exit_code(tally: &Tally, tests: Tests, complete: bool) -> ExitCode {
    let failed = tally.test_states(tests).into_iter().flatten().any(|state| state.verdict == Verdict::Lower);
    let nothing = tally.pairs() == 0;
    match (complete, failed, nothing) {
        (true, false, false) => ExitCode::SUCCESS,
        (true, false, true) => ExitCode::from(FAILURE),
        _ => ExitCode::from(NEGATIVE),
    }
}

/// Where the news of a match arrive: files and screen.
struct Desk {
    files: Files,
    live: Live,
    log: Option<TrafficLog>,
}

impl Spectator for Desk {
    type Error = OutputError;

    fn finished(&mut self, pair: &PairRecord, tally: &Tally) -> Result<(), OutputError> {
        self.files.add(pair)?;
        self.live.show(pair, tally);
        Ok(())
    }

    fn dropped(&mut self, engine: &str, error: &ClientError) {
        self.live.say(&format!("a pair is dropped: {engine} does not start: {error}"));
    }

    fn line_listener(&self, engine: &str) -> Option<Arc<dyn Listener>> {
        self.log.as_ref().map(|log| log.listener(engine))
    }
}
