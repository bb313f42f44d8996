//! `volte solve`: solves the positions of a problem file and compares the answers with what the file says.

use super::engine_args::parse_level;
use super::eval_file::EvalFileArgs;
use super::interrupt::stop_on_ctrl_c;
use super::number::{grouped, rate};
use super::progress::progress_bar;
use super::resources::ResourceArgs;
use super::{FAILURE, NEGATIVE};
use crate::clock::WallClock;
use crate::game::{board_text, obf, obf::Problem};
use crate::protocol::results::{play, value, value_json};
use crate::score::{Draft, Selectivity};
use crate::search::{Control, Level, Observer, Report, Searcher, StopSignal, Surroundings};
use crate::solve::{Answer, Goal, Summary, solve};
use anyhow::Context;
use indicatif::ProgressBar;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Arguments of `volte solve`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Problem file (OBF): a board a line, then the known scores of its moves; `-` reads standard input
    file: PathBuf,
    #[command(flatten)]
    goal: GoalArgs,
    #[command(flatten)]
    evaluation: EvalFileArgs,
    #[command(flatten)]
    resources: ResourceArgs,
    /// Print one JSON object a line instead of a table
    #[arg(long)]
    json: bool,
}

/// How hard to try.
#[derive(clap::Args, Clone, Copy, Debug)]
struct GoalArgs {
    /// Find the exact score (this is the default)
    #[arg(long, conflicts_with_all = ["level", "depth"])]
    exact: bool,
    /// Search as this level does
    #[arg(long, value_name = "N", value_parser = parse_level, conflicts_with = "depth")]
    level: Option<Level>,
    /// Search so many plies
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u8).range(1..=60))]
    depth: Option<u8>,
    /// Prune selectively at this confidence in percent: 73, 87, 95, 98, 99 or 100
    #[arg(long, value_name = "P", requires = "depth", value_parser = parse_selectivity, default_value = "100")]
    selectivity: Selectivity,
}

impl GoalArgs {
    fn goal(self) -> Goal {
        match (self.level, self.depth) {
            (Some(level), _) => Goal::Level(level),
            (None, Some(depth)) => Goal::Draft(Draft::new(depth, self.selectivity)),
            (None, None) => Goal::Exact,
        }
    }
}

fn parse_selectivity(text: &str) -> Result<Selectivity, String> {
    let percent: Option<u8> = text.trim_end_matches('%').parse().ok();
    let level = percent.and_then(|percent| Selectivity::all().find(|level| level.percent() == percent));
    level.ok_or_else(|| format!("`{text}` is not one of 73, 87, 95, 98, 99 and 100"))
}

/// Solves the file. Exit code 0 if all answers agree, 1 if some differ or the run was stopped, 2 if a line is bad.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let text = read(&args.file)?;
    let stop = stop_on_ctrl_c()?;
    let lines: Vec<_> = obf::parse(&text).collect();
    let bar = progress_bar(lines.len());
    let mut searcher = Searcher::new(args.evaluation.evaluation(), args.resources.resources());
    let mut printer = Printer { out: io::stdout().lock(), json: args.json, bar: &bar };
    let clock = WallClock::default();
    let mut summary = Summary::default();
    let mut bad_lines = 0;

    printer.header()?;
    for (index, line) in lines.iter().enumerate() {
        bar.set_position(index as u64);
        match line {
            Ok((_, problem)) => {
                bar.set_message("");
                let mut around = Surroundings { clock: &clock, stop: &stop, observer: &mut Progress(&bar) };
                let Some(answer) = solve(&mut searcher, problem, args.goal.goal(), &mut around) else { break };
                summary.add(&answer);
                printer.row(index + 1, problem, &answer)?;
            }
            Err(error) => {
                bad_lines += 1;
                bar.suspend(|| eprintln!("volte: {}: {error}", args.file.display()));
            }
        }
    }
    bar.finish_and_clear();
    printer.summary(&summary)?;
    Ok(exit_code(&summary, bad_lines, &stop))
}

fn exit_code(summary: &Summary, bad_lines: usize, stop: &StopSignal) -> ExitCode {
    if stop.is_set() {
        eprintln!("volte: stopped; the totals are of the problems solved before");
    }
    if bad_lines > 0 {
        ExitCode::from(FAILURE)
    } else if stop.is_set() || !summary.all_agree() {
        ExitCode::from(NEGATIVE)
    } else {
        ExitCode::SUCCESS
    }
}

/// The text of a file. Bytes that are not UTF-8 are shown as replacement characters, so that their line is a bad one.
fn read(file: &Path) -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    if file == Path::new("-") {
        io::stdin().read_to_end(&mut bytes).context("cannot read standard input")?;
    } else {
        bytes = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Shows on the bar how far the current problem is.
struct Progress<'a>(&'a ProgressBar);

impl Observer for Progress<'_> {
    fn iteration(&mut self, report: &Report<'_>) -> Control {
        let best = &report.lines[0];
        self.0.set_message(format!("{} {:+.2} depth {}", best.mv, best.value.discs(), best.draft));
        Control::Continue
    }
}

/// Writes rows and totals, past the bar.
struct Printer<'a, W> {
    out: W,
    json: bool,
    bar: &'a ProgressBar,
}

impl<W: Write> Printer<'_, W> {
    fn header(&mut self) -> io::Result<()> {
        let titles = "  # move    score  expected             nodes      time       nodes/s";
        if self.json { Ok(()) } else { self.line(titles) }
    }

    fn row(&mut self, number: usize, problem: &Problem, answer: &Answer) -> io::Result<()> {
        let row = if self.json {
            serde_json::to_string(&JsonRow::new(number, problem, answer)).expect("numbers and text are JSON")
        } else {
            table_row(number, problem, answer)
        };
        self.line(&row)
    }

    fn summary(&mut self, summary: &Summary) -> io::Result<()> {
        let seconds = summary.elapsed.as_secs_f64();
        if self.json {
            let Summary { problems, agree, nodes, .. } = *summary;
            let totals =
                serde_json::json!({ "problems": problems, "agree": agree, "nodes": nodes, "seconds": seconds });
            return self.line(&serde_json::json!({ "summary": totals }).to_string());
        }
        let (nodes, speed) = (grouped(summary.nodes), rate(summary.nodes, seconds));
        self.line(&format!(
            "{} problems, {} of {} agree; {nodes} nodes in {seconds:.3} s, {speed} nodes/s",
            summary.problems, summary.agree, summary.compared
        ))
    }

    fn line(&mut self, text: &str) -> io::Result<()> {
        self.bar.suspend(|| writeln!(self.out, "{text}").and_then(|()| self.out.flush()))
    }
}

fn table_row(number: usize, problem: &Problem, answer: &Answer) -> String {
    let mv = answer.mv.map_or_else(|| "-".to_owned(), |mv| mv.to_string());
    let score = value(answer.value, answer.solved);
    let seconds = answer.elapsed.as_secs_f64();
    let (nodes, speed) = (grouped(answer.nodes), rate(answer.nodes, seconds));
    let mark = if answer.agrees == Some(false) { "  differs" } else { "" };
    let expected = expected(problem);
    format!("{number:>3} {mv:<4} {score:>8}  {expected:<13} {nodes:>12} {seconds:>9.3} {speed:>13}{mark}")
}

/// The best listed score with the moves that have it.
fn expected(problem: &Problem) -> String {
    let Some(best) = problem.best_score() else { return "-".to_owned() };
    let moves: Vec<_> =
        problem.moves.iter().filter(|(_, score)| *score == best).map(|(mv, _)| mv.to_string()).collect();
    format!("{best} {}", moves.join("/")).trim_end().to_owned()
}

/// A row as JSON. Scores are from the side to move, in discs.
#[derive(Serialize)]
struct JsonRow<'a> {
    problem: usize,
    position: String,
    r#move: Option<String>,
    score: serde_json::Number,
    depth: u8,
    selectivity: u8,
    nodes: u64,
    seconds: f64,
    pv: String,
    expected: Expected<'a>,
    agrees: Option<bool>,
}

impl<'a> JsonRow<'a> {
    fn new(number: usize, problem: &'a Problem, answer: &Answer) -> Self {
        Self {
            problem: number,
            position: board_text::write(problem.setup),
            r#move: answer.mv.map(|mv| mv.to_string()),
            score: value_json(answer.value, answer.solved),
            depth: answer.draft.depth,
            selectivity: answer.draft.selectivity.percent(),
            nodes: answer.nodes,
            seconds: answer.elapsed.as_secs_f64(),
            pv: play(&answer.pv),
            expected: Expected(problem),
            agrees: answer.agrees,
        }
    }
}

/// Listed scores by move, in the order of the file. A score that is listed without a move stands under `score`.
struct Expected<'a>(&'a Problem);

impl Serialize for Expected<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (mv, score) in &self.0.moves {
            map.serialize_entry(&mv.to_string(), &score.discs())?;
        }
        if let Some(score) = self.0.score {
            map.serialize_entry("score", &score.discs())?;
        }
        map.end()
    }
}
