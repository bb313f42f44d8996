//! `volte perft`: counts the lines of play from a position, to prove and to time the rules.

use super::number::{grouped, rate};
use crate::board::{Position, perft};
use crate::clock::{Clock, WallClock};
use crate::game::board_text;
use std::io::{self, Write};
use std::process::ExitCode;

/// Arguments of `volte perft`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Count lines of up to so many plies; a pass is a ply
    #[arg(value_parser = clap::value_parser!(u32).range(0..=MAX_DEPTH))]
    depth: u32,
    /// Count from this board (64 cells from a1, X, O and -, then the side to move) instead of the start
    #[arg(long, value_name = "BOARD", value_parser = parse_position, allow_hyphen_values = true)]
    position: Option<Position>,
}

/// Depths above this take longer than anyone waits, and their counts leave 64 bits.
const MAX_DEPTH: i64 = 20;

/// Prints a row per depth.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let position = args.position.unwrap_or(Position::START);
    write_counts(&mut io::stdout().lock(), position, args.depth, &WallClock::default())?;
    Ok(ExitCode::SUCCESS)
}

fn write_counts(out: &mut impl Write, position: Position, depth: u32, clock: &impl Clock) -> io::Result<()> {
    writeln!(out, "depth               leaves   seconds       leaves/s")?;
    for depth in depth.min(1)..=depth {
        let started = clock.now();
        let leaves = perft(position, depth);
        let seconds = (clock.now() - started).as_secs_f64();
        writeln!(out, "{depth:>5} {:>20} {seconds:>9.3} {:>14}", grouped(leaves), rate(leaves, seconds))?;
        out.flush()?;
    }
    Ok(())
}

fn parse_position(text: &str) -> Result<Position, String> {
    let setup = board_text::parse(text).map_err(|error| error.to_string())?;
    setup.position().map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    /// A clock on which a second passes between two looks.
    struct Ticking(std::sync::atomic::AtomicU64);

    impl Clock for Ticking {
        fn now(&self) -> Duration {
            Duration::from_secs(self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed))
        }
    }

    #[test]
    fn a_row_per_depth_has_count_time_and_speed() {
        let mut text = Vec::new();
        write_counts(&mut text, Position::START, 6, &Ticking(0.into())).unwrap();
        let text = String::from_utf8(text).unwrap();
        let rows: Vec<Vec<&str>> = text.lines().skip(1).map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(rows.len(), 6);
        assert_eq!(rows[5], ["6", "8,200", "1.000", "8,200"]);
    }
}
