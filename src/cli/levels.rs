//! `volte levels`: what each level means.

use crate::score::Selectivity;
use crate::search::Level;
use std::io::{self, Write};
use std::process::ExitCode;

/// Arguments of `volte levels`: none.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {}

/// Prints the table of levels.
pub(crate) fn run(_: &Args) -> anyhow::Result<ExitCode> {
    write_table(&mut io::stdout().lock())?;
    Ok(ExitCode::SUCCESS)
}

fn write_table(out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "Until the end is in reach, a level searches to a depth; from a number of empty squares on")?;
    writeln!(out, "it plays out the rest, first selectively (the percentages), then exactly (100%).")?;
    writeln!(out)?;
    write!(out, "level  search    solves from")?;
    writeln!(out)?;
    write!(out, "                ")?;
    for selectivity in Selectivity::all() {
        write!(out, "{:>5}%", selectivity.percent())?;
    }
    writeln!(out)?;
    for level in Level::all() {
        let search = crate::score::Draft::new(level.depth(), level.selectivity());
        let mark = if level == Level::DEFAULT { "  (default)" } else { "" };
        write!(out, "{:>5}  {:<9}", level.number(), search.to_string())?;
        for selectivity in Selectivity::all() {
            write!(out, "{:>6}", level.solves_from(selectivity))?;
        }
        writeln!(out, "{mark}")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_a_row_per_level() {
        let mut text = Vec::new();
        write_table(&mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        let rows = text.lines().filter(|line| line.trim_start().starts_with(|c: char| c.is_ascii_digit())).count();
        // The header row of percentages starts with a digit too.
        assert_eq!(rows, Level::all().count() + 1);
        assert_eq!(text.matches("(default)").count(), 1);
    }
}
