//! `volte train`: the steps from games to weights. Each can be stopped and run again.

use super::interrupt::stop_on_ctrl_c;
use crate::eval::{HandMade, PHASES, Patterns, ProbCut, WeightsFile};
use crate::score::{Draft, Selectivity};
use crate::train::fit::{self, Accuracy};
use crate::train::label::{self, Effort};
use crate::train::source::{self, Kind, Wanted};
use crate::train::{TrainError, Watch, probcut, record, report, selfplay, write_atomically, wthor};
use anyhow::Context;
use clap::{Subcommand, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;
use std::fs;
use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

/// Arguments of `volte train`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(subcommand)]
    step: Step,
}

#[derive(Subcommand, Debug)]
enum Step {
    /// Collect positions from games or random openings, without labels
    Positions(PositionsArgs),
    /// Collect the positions of WTHOR games with 24 empty squares and their exact values
    Solved(SolvedArgs),
    /// Label positions by search
    Label(LabelArgs),
    /// Play games from random openings; every search on the way is a label
    Selfplay(SelfplayArgs),
    /// Fit weights to labelled positions
    Fit(FitArgs),
    /// Fit the error model of shallow searches and put it into a weights file
    Probcut(ProbcutArgs),
    /// Compare an evaluation with labels, by itself and at the head of searches
    Report(ReportArgs),
}

/// Where positions come from.
#[derive(Clone, Copy, ValueEnum, Debug)]
enum Source {
    /// Positions of the WTHOR games
    Games,
    /// WTHOR games left after one to three random moves and played on
    Perturbed,
    /// Random openings, played on
    Random,
}

#[derive(clap::Args, Debug)]
struct PositionsArgs {
    /// Kind of positions
    #[arg(long, value_enum)]
    source: Source,
    /// Folder of the WTHOR year files
    #[arg(long, value_name = "DIR")]
    wthor: Option<PathBuf>,
    /// Take the years that are held out of training instead of the others
    #[arg(long)]
    held_out: bool,
    /// Take only so many of the games
    #[arg(long, value_name = "N")]
    games: Option<usize>,
    /// Empty squares of the positions, as LOW-HIGH
    #[arg(long, value_name = "LOW-HIGH", value_parser = parse_range)]
    empties: RangeInclusive<u32>,
    /// Lines to play
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    lines: u32,
    /// Seed of the random moves
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Weights that choose the moves of lines that are played on [default: the provisional evaluation]
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// File to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

#[derive(clap::Args, Debug)]
struct SolvedArgs {
    /// Folder of the WTHOR year files
    #[arg(long, value_name = "DIR")]
    wthor: PathBuf,
    /// Take the years that are held out of training instead of the others
    #[arg(long)]
    held_out: bool,
    /// Take only so many of the games
    #[arg(long, value_name = "N")]
    games: Option<usize>,
    /// File to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// How hard labels are searched for.
#[derive(clap::Args, Debug)]
struct EffortArgs {
    /// Depth of searches that do not reach the end of the game [default: 4; in self-play 6]
    #[arg(long, value_name = "N")]
    depth: Option<u8>,
    /// Solve positions with at most so many empty squares [default: 14; in self-play 16]
    #[arg(long, value_name = "N")]
    exact: Option<u8>,
    /// Search positions with at most so many empty squares to the end of the game, with --selectivity
    #[arg(long, value_name = "N", default_value_t = 0)]
    to_the_end: u8,
    /// Selectivity of searches that are not exact, in percent
    #[arg(long, value_name = "PERCENT", default_value_t = 100)]
    selectivity: u8,
}

impl EffortArgs {
    /// The effort, with this depth and this number of empty squares unless others were asked for.
    fn effort(&self, depth: u8, exact: u8) -> Effort {
        Effort {
            depth: self.depth.unwrap_or(depth),
            exact: self.exact.unwrap_or(exact),
            to_the_end: self.to_the_end,
            selectivity: Selectivity::from_percent(self.selectivity),
        }
    }
}

#[derive(clap::Args, Debug)]
struct LabelArgs {
    /// File of positions to label
    positions: PathBuf,
    #[command(flatten)]
    effort: EffortArgs,
    /// Weights of the searches [default: the provisional evaluation]
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// Folder for the labelled positions
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

#[derive(clap::Args, Debug)]
struct SelfplayArgs {
    /// Games to play
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    games: u32,
    /// Seed of the random openings
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    effort: EffortArgs,
    /// Weights that play
    #[arg(long, value_name = "FILE")]
    weights: PathBuf,
    /// Folder for the labelled positions
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

#[derive(clap::Args, Debug)]
struct FitArgs {
    /// Files of labelled positions, or folders of them
    #[arg(required = true)]
    data: Vec<PathBuf>,
    /// Times that each position is learnt from
    #[arg(long, value_name = "N", default_value_t = fit::Options::default().epochs)]
    epochs: u32,
    /// Length of the first steps of pattern weights
    #[arg(long, value_name = "X", default_value_t = fit::Options::default().rate)]
    rate: f32,
    /// Length of the first steps of the layers behind the patterns
    #[arg(long, value_name = "X", default_value_t = fit::Options::default().layer_rate)]
    layer_rate: f32,
    /// Errors beyond so many discs pull no harder
    #[arg(long, value_name = "DISCS", default_value_t = fit::Options::default().far)]
    far: f32,
    /// Empty squares to both sides of a phase whose positions it learns from, too
    #[arg(long, value_name = "N", default_value_t = fit::Options::default().margin)]
    margin: u32,
    /// Percentage of games held out
    #[arg(long, value_name = "PERCENT", default_value_t = fit::Options::default().held_out)]
    held_out: u32,
    /// Weights file whose ProbCut model is kept
    #[arg(long, value_name = "FILE")]
    probcut_of: Option<PathBuf>,
    /// Commit of the program, for the manifest
    #[arg(long, value_name = "HASH")]
    commit: Option<String>,
    /// Weights file to write; its manifest goes beside it
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

#[derive(clap::Args, Debug)]
struct ProbcutArgs {
    /// Files of positions, or folders of them; exact labels count as values of solving searches
    #[arg(required = true)]
    data: Vec<PathBuf>,
    /// Weights file whose model is fitted, and which gets it [default: show that of the provisional evaluation]
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// Deepest search
    #[arg(long, value_name = "N", default_value_t = 8)]
    deepest: u8,
    /// Take every so-manieth position only
    #[arg(long, value_name = "N", default_value_t = 1)]
    every: usize,
}

#[derive(clap::Args, Debug)]
struct ReportArgs {
    /// Files of labelled positions, or folders of them
    #[arg(required = true)]
    data: Vec<PathBuf>,
    /// Weights to judge [default: the provisional evaluation]
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// Depths to search, the deepest last; 0 is the evaluation by itself
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_value = "0,2,6")]
    depths: Vec<u8>,
    /// Selectivity of the searches, in percent
    #[arg(long, value_name = "PERCENT", default_value_t = 100)]
    selectivity: u8,
    /// Take every so-manieth position only
    #[arg(long, value_name = "N", default_value_t = 1)]
    every: usize,
}

/// Runs a step of the training.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    match &args.step {
        Step::Positions(args) => positions(args)?,
        Step::Solved(args) => solved(args)?,
        Step::Label(args) => label(args)?,
        Step::Selfplay(args) => selfplay(args)?,
        Step::Fit(args) => fit(args)?,
        Step::Probcut(args) => probcut(args)?,
        Step::Report(args) => report(args)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn positions(args: &PositionsArgs) -> anyhow::Result<()> {
    let games = match &args.wthor {
        Some(folder) => wthor_games(folder, args.held_out, args.games)?,
        None => Vec::new(),
    };
    let kind = match args.source {
        Source::Games => Kind::Games,
        Source::Perturbed => Kind::Perturbed,
        Source::Random => Kind::Random,
    };
    let wanted = Wanted { kind, empties: args.empties.clone(), lines: args.lines, seed: args.seed };
    let records = watched(args.lines.into(), "lines", |watch| match &args.weights {
        Some(path) => source::positions(&games, &wanted, &load(path)?, watch),
        None => source::positions(&games, &wanted, &HandMade, watch),
    })?;
    record::write(&args.out, &records)?;
    writeln!(io::stdout(), "{} positions in {}", records.len(), args.out.display())?;
    Ok(())
}

/// The games of the training years, or of those that are held out of training.
fn wthor_games(folder: &Path, held_out: bool, count: Option<usize>) -> Result<Vec<wthor::Game>, TrainError> {
    let mut games = wthor::read_years(folder, |year| wthor::HELD_OUT.contains(&year) == held_out)?;
    games.truncate(count.unwrap_or(games.len()));
    Ok(games)
}

fn solved(args: &SolvedArgs) -> anyhow::Result<()> {
    let games = wthor_games(&args.wthor, args.held_out, args.games)?;
    let records = wthor::solved(&games);
    record::write(&args.out, &records)?;
    writeln!(io::stdout(), "{} positions in {}", records.len(), args.out.display())?;
    Ok(())
}

fn label(args: &LabelArgs) -> anyhow::Result<()> {
    let records = record::read(&args.positions)?;
    let effort = args.effort.effort(4, 14);
    watched(records.len() as u64, "positions", |watch| match &args.weights {
        Some(path) => label::label(&records, effort, &Arc::new(load(path)?), &args.out, watch),
        None => label::label(&records, effort, &Arc::new(HandMade), &args.out, watch),
    })?;
    Ok(())
}

fn selfplay(args: &SelfplayArgs) -> anyhow::Result<()> {
    let effort = args.effort.effort(6, 16);
    let evaluator = Arc::new(load(&args.weights)?);
    watched(args.games.into(), "games", |watch| {
        selfplay::play((args.games, args.seed), effort, &evaluator, &args.out, watch)
    })
}

fn fit(args: &FitArgs) -> anyhow::Result<()> {
    let probcut = match &args.probcut_of {
        Some(path) => weights_file(path)?.probcut(),
        None => ProbCut::FALLBACK,
    };
    let mut records = Vec::new();
    let mut data = Vec::new();
    for path in &args.data {
        let part = record::read_all(std::slice::from_ref(path))?;
        data.push(json!({ "name": path, "positions": part.len(), "crc32": record::checksum(&part) }));
        records.extend(part);
    }
    let options = fit::Options {
        epochs: args.epochs,
        rate: args.rate,
        layer_rate: args.layer_rate,
        far: args.far,
        margin: args.margin,
        held_out: args.held_out,
    };
    let fitted = watched(PHASES as u64, "phases", |watch| fit::fit(&records, options, watch))?;
    let exact = records.iter().filter(|record| record.is_exact()).count();
    let note = json!({
        "positions": records.len(),
        "data": data,
        "commit": args.commit,
        "exact positions": exact,
        "options": format!("{options:?}"),
        "held-out mean absolute error by empty squares": by_empties(&fitted.accuracy),
    });
    let bytes = WeightsFile::pack(&fitted.weights, probcut, &note.to_string());
    write_atomically(&args.out, &bytes)?;
    write_manifest(&args.out, &bytes, &note)?;
    write_accuracy(&mut io::stdout().lock(), &fitted.accuracy)?;
    Ok(())
}

fn by_empties(accuracy: &[Accuracy]) -> serde_json::Value {
    let known = accuracy.iter().enumerate().filter(|(_, accuracy)| accuracy.count > 0);
    known.map(|(empties, accuracy)| (empties.to_string(), json!((accuracy.absolute * 100.0).round() / 100.0))).collect()
}

fn write_accuracy(out: &mut impl Write, accuracy: &[Accuracy]) -> io::Result<()> {
    writeln!(out, "empties  held out  mean abs. error    bias")?;
    for (empties, accuracy) in accuracy.iter().enumerate().filter(|(_, accuracy)| accuracy.count > 0) {
        let Accuracy { count, absolute, bias } = accuracy;
        writeln!(out, "{empties:>7}  {count:>8}  {absolute:>15.2}  {bias:>+6.2}")?;
    }
    Ok(())
}

/// Writes beside a weights file how it came to be.
fn write_manifest(path: &Path, bytes: &[u8], note: &serde_json::Value) -> anyhow::Result<()> {
    let command: Vec<String> = std::iter::once("volte".to_owned()).chain(std::env::args().skip(1)).collect();
    let manifest = json!({
        "command": command.join(" "),
        "version": env!("CARGO_PKG_VERSION"),
        "crc32": format!("{:08x}", crc32fast::hash(bytes)),
        "bytes": bytes.len(),
        "training": note,
    });
    let text = serde_json::to_string_pretty(&manifest)? + "\n";
    write_atomically(&path.with_extension("json"), text.as_bytes())?;
    Ok(())
}

fn probcut(args: &ProbcutArgs) -> anyhow::Result<()> {
    let records: Vec<_> = record::read_all(&args.data)?.into_iter().step_by(args.every.max(1)).collect();
    let fitted = watched(records.len() as u64, "positions", |watch| match &args.weights {
        Some(path) => probcut::fit(&records, args.deepest, &Arc::new(load(path)?), watch),
        None => probcut::fit(&records, args.deepest, &Arc::new(HandMade), watch),
    })?;
    let mut out = io::stdout().lock();
    writeln!(out, "empties  depth  probe   count  deviation  model")?;
    for (&(empties, depth, probe), errors) in &fitted.cells {
        let (count, deviation) = (errors.count, errors.deviation());
        let model = fitted.model.sigma(empties, depth, probe);
        writeln!(out, "{empties:>7}  {depth:>5}  {probe:>5}  {count:>6}  {deviation:>9.2}  {model:>5.2}")?;
    }
    writeln!(out, "factors {:?}", fitted.model.factors)?;
    if let Some(path) = &args.weights {
        let file = weights_file(path)?;
        let phases = (0..PHASES).map(|phase| file.unpack(phase)).collect::<Result<Vec<_>, _>>()?;
        let mut note: serde_json::Value = serde_json::from_str(file.note()).context("the note of the weights")?;
        note["ProbCut factors"] = json!(fitted.model.factors);
        let bytes = WeightsFile::pack(&phases, fitted.model, &note.to_string());
        write_atomically(path, &bytes)?;
        write_manifest(path, &bytes, &note)?;
    }
    Ok(())
}

fn report(args: &ReportArgs) -> anyhow::Result<()> {
    let records: Vec<_> = record::read_all(&args.data)?.into_iter().step_by(args.every.max(1)).collect();
    let selectivity = Selectivity::from_percent(args.selectivity);
    let drafts: Vec<Draft> = args.depths.iter().map(|&depth| Draft::new(depth, selectivity)).collect();
    let rows = watched(records.len() as u64, "positions", |watch| match &args.weights {
        Some(path) => report::compare(&records, &drafts, &Arc::new(load(path)?), watch),
        None => report::compare(&records, &drafts, &Arc::new(HandMade), watch),
    })?;
    let mut out = io::stdout().lock();
    writeln!(out, "{} positions", records.len())?;
    writeln!(out, "depth  mean abs. error    bias  same move")?;
    for row in rows {
        let agreement = row.agreement.map_or("-".to_owned(), |share| format!("{:.1}%", 100.0 * share));
        writeln!(out, "{:>5}  {:>15.3}  {:>+6.2}  {agreement:>9}", row.draft.depth, row.absolute, row.bias)?;
    }
    Ok(())
}

fn load(path: &Path) -> Result<Patterns, TrainError> {
    let bytes = fs::read(path).map_err(|source| TrainError::Io { path: path.to_owned(), source })?;
    Patterns::from_bytes(&bytes).map_err(|source| TrainError::Weights { path: path.to_owned(), source })
}

fn weights_file(path: &Path) -> anyhow::Result<WeightsFile<'static>> {
    let bytes = fs::read(path).with_context(|| path.display().to_string())?;
    WeightsFile::parse(bytes).with_context(|| path.display().to_string())
}

/// Runs a step with a progress bar; Ctrl-C stops it.
fn watched<T>(length: u64, unit: &str, step: impl FnOnce(Watch<'_>) -> Result<T, TrainError>) -> anyhow::Result<T> {
    let stop = stop_on_ctrl_c()?;
    let style = format!("{{wide_bar}} {{pos}}/{{len}} {unit} ({{per_sec}}, {{eta}} left)");
    let bar = ProgressBar::new(length).with_style(ProgressStyle::with_template(&style)?);
    let result = step(Watch { stop: &stop, progress: &|done| bar.inc(done) });
    bar.finish_and_clear();
    Ok(result?)
}

/// Reads `LOW-HIGH`.
fn parse_range(text: &str) -> Result<RangeInclusive<u32>, String> {
    let numbers = text.split_once('-').and_then(|(low, high)| Some((low.parse().ok()?, high.parse().ok()?)));
    match numbers {
        Some((low, high)) if 1 <= low && low <= high && high <= 60 => Ok(low..=high),
        _ => Err("expected LOW-HIGH with numbers from 1 to 60, such as 1-16".to_owned()),
    }
}
