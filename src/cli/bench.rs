//! `volte bench`: the fixed searches whose total of visited positions is the signature of the search.

use super::NEGATIVE;
use super::eval_file::EvalFileArgs;
use super::interrupt::stop_on_ctrl_c;
use super::number::{grouped, rate};
use crate::bench::{CASES, Totals, run as run_bench};
use crate::clock::WallClock;
use std::io::{self, Write};
use std::process::ExitCode;

/// Arguments of `volte bench`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(flatten)]
    evaluation: EvalFileArgs,
}

/// Prints a row per search, and the signature last.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let stop = stop_on_ctrl_c()?;
    let mut out = io::stdout().lock();
    writeln!(out, "  # search  move    score         nodes   seconds       nodes/s")?;
    let (mut number, mut written) = (0, Ok(()));
    let totals = run_bench(args.evaluation.evaluation(), &WallClock::default(), &stop, |case, outcome| {
        number += 1;
        let best = &outcome.lines[0];
        let seconds = outcome.elapsed.as_secs_f64();
        let (search, score) = (case.draft().to_string(), format!("{:+.2}", best.value.discs()));
        let (mv, nodes, speed) = (best.mv, grouped(outcome.nodes), rate(outcome.nodes, seconds));
        let row = writeln!(out, "{number:>3} {search:<7} {mv:<4} {score:>8} {nodes:>13} {seconds:>9.3} {speed:>13}");
        if let Err(error) = row.and_then(|()| out.flush()) {
            written = Err(error);
            stop.stop();
        }
    });
    written?;
    write_totals(&mut out, totals, number)
}

fn write_totals(out: &mut impl Write, totals: Totals, searched: usize) -> anyhow::Result<ExitCode> {
    let Totals { nodes, elapsed, stopped } = totals;
    let seconds = elapsed.as_secs_f64();
    writeln!(out, "{seconds:.3} seconds, {} nodes/s", rate(nodes, seconds))?;
    if stopped {
        eprintln!("volte: stopped after {searched} of {} searches: no signature", CASES.len());
        return Ok(ExitCode::from(NEGATIVE));
    }
    writeln!(out, "Bench: {nodes}")?;
    Ok(ExitCode::SUCCESS)
}
