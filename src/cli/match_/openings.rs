//! `volte match openings`: make a list of balanced openings.

use crate::arena::Balance;
use crate::cli::interrupt::stop_on_ctrl_c;
use crate::engine::Evaluation;
use crate::search::Level;
use anyhow::{Context, ensure};
use indicatif::ProgressBar;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

/// The arguments of `volte match openings`.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Length in moves
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=20))]
    plies: u32,
    /// Largest value for either side, in discs
    #[arg(long, value_name = "DISCS", default_value_t = 2.0)]
    within: f32,
    /// Level of the search that finds the value
    #[arg(long, value_name = "LEVEL", default_value_t = 10, value_parser = clap::value_parser!(u8).range(0..=60))]
    level: u8,
    /// How many to make, if there are so many
    #[arg(long, value_name = "N", default_value_t = 2000)]
    count: usize,
    /// Which to try first
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
    /// Where to write them
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let level = Level::new(args.level).context("there is no such level")?;
    ensure!(args.within >= 0.0, "--within is a number of discs, not {}", args.within);
    let balance = Balance { plies: args.plies, within: args.within, level, count: args.count, seed: args.seed };
    let stop = stop_on_ctrl_c()?;
    let bar = ProgressBar::new(args.count as u64);
    let lines = balance.openings(Arc::new(Evaluation::default()), &stop, |found, tried| {
        bar.set_position(found as u64);
        bar.set_message(format!("{tried} tried"));
    });
    bar.finish_and_clear();
    ensure!(!stop.is_set(), "stopped: nothing was written");
    ensure!(!lines.is_empty(), "there is no opening of {} plies within {} discs", args.plies, args.within);
    let mut text = header(args, lines.len());
    for line in &lines {
        text.push_str(line);
        text.push('\n');
    }
    fs::write(&args.output, text).with_context(|| format!("cannot write {}", args.output.display()))?;
    Ok(ExitCode::SUCCESS)
}

/// What the list is and the command that made it.
fn header(args: &Args, lines: usize) -> String {
    let Args { plies, within, level, count, seed, .. } = args;
    let version = env!("CARGO_PKG_VERSION");
    format!(
        "# {lines} distinct openings of {plies} plies worth at most {within} discs to either side at level {level}.\n\
         # volte {version}: volte match openings --plies {plies} --within {within} --level {level} --count {count} \
         --seed {seed}\n"
    )
}
