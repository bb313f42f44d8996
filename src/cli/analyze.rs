//! `volte analyze`: what each move of games was worth.

use super::engine_args::ThinkArgs;
use super::game_files::Source;
use super::interrupt::stop_on_ctrl_c;
use super::number::{grouped, rate};
use super::progress::progress_bar;
use super::{FAILURE, NEGATIVE};
use crate::analysis::json::{self, Origin, Totals};
use crate::analysis::{Crew, GameReview, graph, review_all, svg, table};
use crate::clock::{Clock, WallClock};
use crate::engine::Engine;
use crate::files::write_atomically;
use crate::game::collection::{BadEntry, Entry, Format, Located, Place, Reader};
use crate::game::record::GameRecord;
use crate::game::wthor::Tables;
use crate::search::{Resources, StopSignal};
use anyhow::Context;
use indicatif::ProgressBar;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// Review games: what each move was worth, and what was better.
///
/// Each position is searched for its best move and for the move that was played. Values are in discs, from the view of
/// the side that moves: whole numbers if they are final scores under perfect play, decimals if they are estimates.
/// Several games are reviewed at once, a core each.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Exit code: 0 if all games were reviewed, 1 if Ctrl-C stopped it (what is done is printed), 2 if a game could not be \
read (the others are reviewed), and for bad usage and errors.")]
pub(crate) struct Args {
    /// Files of games, in any format that `volte convert` reads; `-` is standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    think: ThinkArgs,
    /// Format of the files [default: by their extensions]
    #[arg(long, value_name = "FORMAT")]
    from: Option<Format>,
    /// Print one JSON object a game, and one with totals, instead of tables (`volte schema`)
    #[arg(long)]
    json: bool,
    /// Draw the course of the game into this file; with several games, NAME-1.svg, NAME-2.svg and so on
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

/// A file in memory.
struct Loaded {
    path: PathBuf,
    format: Format,
    bytes: Vec<u8>,
    tables: Tables,
}

/// An entry of a file, and what it holds.
type Found<'a> = ((&'a Loaded, Place), Result<GameRecord, BadEntry>);

impl Loaded {
    fn read(source: Source<'_>) -> anyhow::Result<Self> {
        let mut bytes = Vec::new();
        let path = source.path.to_owned();
        source.open()?.read_to_end(&mut bytes).with_context(|| format!("{}: cannot read", path.display()))?;
        Ok(Self { path, format: source.format, bytes, tables: source.names_or_none()? })
    }

    fn entries(&self) -> anyhow::Result<impl Iterator<Item = anyhow::Result<Found<'_>>> + Send> {
        let unreadable = || format!("{}: cannot read", self.path.display());
        let reader = Reader::new(self.format, &self.bytes[..], &self.tables).with_context(unreadable)?;
        Ok(reader.map(move |located| {
            let Located { place, entry } = located.with_context(unreadable)?;
            Ok(((self, place), entry.map(Entry::into_record)))
        }))
    }
}

/// Reviews all games.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let sources = args.files.iter().map(|path| Source::new(path, args.from));
    let sources: Vec<_> = sources.collect::<anyhow::Result<_>>()?;
    let files: Vec<_> = sources.into_iter().map(Loaded::read).collect::<anyhow::Result<_>>()?;
    // Games are counted first, which takes next to no time, for the bar and to share out the cores.
    let (mut games, mut turns) = (0, 0);
    for file in &files {
        for entry in file.entries()? {
            let (_, record) = entry?;
            games += usize::from(record.is_ok());
            turns += record.map_or(0, |record| record.game.len());
        }
    }
    let stop = stop_on_ctrl_c()?;
    let bar = progress_bar(turns);
    let mut desk = Desk {
        out: io::stdout().lock(),
        args,
        bar: &bar,
        has_many: games > 1,
        totals: Totals { complete: true, ..Totals::default() },
        nodes: 0,
    };
    let clock = WallClock::default();
    // Whatever cannot be read has ended the run while games were counted.
    let entries = files.iter().flat_map(|file| file.entries().into_iter().flatten()).filter_map(Result::ok);
    let crew = Crew {
        engines: engines(&args.think.engine(), games),
        effort: args.think.effort(),
        stop: &stop,
        turn_done: &|| bar.inc(1),
    };
    let result = review_all(entries, crew, |at, review| {
        // An output that fails ends the reviews that are under way.
        desk.take(at, review).inspect_err(|_| stop.stop())
    });
    bar.finish_and_clear();
    result?;
    desk.finish(&stop, clock.now())
}

/// Engines that share the cores and the memory of the one that was asked for: as many as there is work for.
fn engines(whole: &Engine, games: usize) -> Vec<Engine> {
    let Resources { threads, table_megabytes } = whole.options().resources;
    let count = threads.min(games).max(1);
    let part = Resources { threads: threads / count, table_megabytes: (table_megabytes / count).max(1) };
    (0..count).map(|_| whole.sibling(part)).collect()
}

/// Where reviews arrive.
struct Desk<'a, W> {
    out: W,
    args: &'a Args,
    bar: &'a ProgressBar,
    has_many: bool,
    totals: Totals,
    nodes: u64,
}

impl<W: Write> Desk<'_, W> {
    fn take(&mut self, at: (&Loaded, Place), review: Result<GameReview, BadEntry>) -> anyhow::Result<()> {
        let (file, place) = at;
        let path = file.path.display().to_string();
        let origin = Origin::new(Some(&path), place);
        let text = match review {
            Ok(review) => {
                self.totals.games += 1;
                self.totals.positions += review.turns.len();
                self.totals.complete &= review.complete;
                self.nodes += review.turns.iter().map(|turn| turn.nodes).sum::<u64>();
                let heading = heading(&format!("{path}, {place}"), &review.record);
                if let Some(svg_path) = &self.args.svg {
                    draw(&self.numbered(svg_path), &svg(&review, &heading))?;
                }
                if self.args.json { json::game(origin, &review) } else { page(&heading, &review) }
            }
            Err(error) => {
                self.totals.bad += 1;
                self.bar.suspend(|| eprintln!("volte: {path}: {place}: {error}"));
                if !self.args.json {
                    return Ok(());
                }
                json::error(origin, &error.to_string())
            }
        };
        Ok(self.bar.suspend(|| writeln!(self.out, "{text}").and_then(|()| self.out.flush()))?)
    }

    /// The file of the drawing of the latest game.
    fn numbered(&self, path: &Path) -> PathBuf {
        if !self.has_many {
            return path.to_owned();
        }
        let mut name = path.file_stem().unwrap_or_default().to_owned();
        name.push(format!("-{}", self.totals.games));
        if let Some(extension) = path.extension() {
            name.push(".");
            name.push(extension);
        }
        path.with_file_name(name)
    }

    fn finish(mut self, stop: &StopSignal, time: Duration) -> anyhow::Result<ExitCode> {
        if stop.is_set() {
            self.totals.complete = false;
            eprintln!("volte: stopped; what is missing was not reviewed");
        }
        let Totals { games, positions, bad, complete } = self.totals;
        if self.args.json {
            writeln!(self.out, "{}", json::summary(self.totals, (self.nodes, time)))?;
        } else {
            let seconds = time.as_secs_f64();
            let (nodes, speed) = (grouped(self.nodes), rate(self.nodes, seconds));
            writeln!(
                self.out,
                "{games} games, {positions} positions; {nodes} nodes in {seconds:.3} s, {speed} nodes/s"
            )?;
        }
        Ok(match (bad, complete) {
            (0, true) => ExitCode::SUCCESS,
            (0, false) => ExitCode::from(NEGATIVE),
            _ => ExitCode::from(FAILURE),
        })
    }
}

/// Where a game stands, who played it, and when.
fn heading(place: &str, record: &GameRecord) -> String {
    let name = |name: &Option<String>| name.clone().unwrap_or_else(|| "?".to_owned());
    let mut text = place.to_owned();
    if record.black.name.is_some() || record.white.name.is_some() {
        text += &format!(": {} (black) - {} (white)", name(&record.black.name), name(&record.white.name));
    }
    for detail in [&record.event, &record.date].into_iter().flatten() {
        text += &format!(", {detail}");
    }
    text
}

/// A review for people.
fn page(heading: &str, review: &GameReview) -> String {
    let mut text = format!("{heading}\n{}", table(review));
    if !review.complete {
        text += "the review was stopped: the last moves are missing\n";
    }
    text + &graph(review)
}

fn draw(path: &Path, drawing: &str) -> anyhow::Result<()> {
    write_atomically(path, drawing.as_bytes()).with_context(|| format!("{}: cannot write", path.display()))
}
