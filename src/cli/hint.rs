//! `volte hint`: the best moves of positions, with what they are worth.

use super::engine_args::ThinkArgs;
use super::positions::{POSITION_HELP, Questions};
use crate::analysis::json;
use crate::engine::Audience;
use crate::game::named;
use crate::protocol::results::{play, value};
use crate::search::{Limits, Line, StopSignal};
use anyhow::bail;
use std::process::ExitCode;

/// Arguments of `volte hint`.
#[derive(clap::Args, Debug)]
#[command(after_help = POSITION_HELP, override_usage = "volte hint [OPTIONS] [N] [POSITION]")]
pub(crate) struct Args {
    /// How many of the best moves to find [default: 5]
    #[arg(value_name = "N", allow_hyphen_values = true)]
    count_or_position: Option<String>,
    /// The position; lines of standard input if not given
    #[arg(value_name = "POSITION", allow_hyphen_values = true)]
    position: Option<String>,
    #[command(flatten)]
    think: ThinkArgs,
    /// Print one JSON object a line (`volte schema`)
    #[arg(long)]
    json: bool,
}

/// The number of moves when none is asked for.
const DEFAULT_COUNT: usize = 5;

impl Args {
    /// The number of moves and the position. No position is a number, so either may be left out.
    fn count_and_position(&self) -> anyhow::Result<(usize, Option<&str>)> {
        let (first, second) = (self.count_or_position.as_deref(), self.position.as_deref());
        let number = first.filter(|text| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()));
        match (number, second) {
            (Some(number), position) => match number.parse() {
                Ok(count) if count > 0 => Ok((count, position)),
                _ => bail!("`{number}` is not a number of moves from 1 on"),
            },
            (None, None) => Ok((DEFAULT_COUNT, first)),
            (None, Some(_)) => bail!(
                "`{}` is not a number of moves; a position is one argument, with quotes around it",
                first.unwrap_or_default()
            ),
        }
    }
}

/// Prints the best moves of each position, a line each, then the name of the opening if it has one, and a blank line after
/// each position but an argument. Of a game that is over there is nothing to say.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let (lines, position) = args.count_and_position()?;
    let mut engine = args.think.engine();
    let effort = args.think.effort();
    Questions::new(position, args.json).answer(|origin, game| {
        engine.set_game(game);
        let limits = Limits { lines, ..effort.limits(engine.game().position()) };
        let outcome = engine.search(&limits, Audience { stop: &StopSignal::default(), observer: &mut () });
        if args.json {
            return json::hint(origin, engine.game(), &outcome);
        }
        let opening = named::name_of(engine.game()).filter(|_| !outcome.lines.is_empty());
        let opening = opening.map(|opening| format!("opening: {}", opening.name));
        let rows: Vec<_> = outcome.lines.iter().map(row).chain(opening).collect();
        let end = if position.is_some() { "" } else { "\n" };
        rows.join("\n") + end
    })
}

/// Move, value, draft, expected play.
fn row(line: &Line) -> String {
    let (mv, draft) = (line.mv.to_string(), line.draft.to_string());
    format!("{mv:<4} {:>7}  {draft:<7} {}", value(line.value, line.solved), play(&line.pv))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Typed {
        #[command(flatten)]
        args: Args,
    }

    fn typed(words: &[&str]) -> Result<(usize, Option<String>), String> {
        let typed = Typed::try_parse_from([&["hint"], words].concat()).map_err(|error| error.to_string())?;
        let found = typed.args.count_and_position();
        found.map(|(count, position)| (count, position.map(str::to_owned))).map_err(|error| error.to_string())
    }

    #[test]
    fn the_number_and_the_position_may_be_left_out() {
        let board = "---------------------------OX------XO--------------------------- X";
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(typed(&[]), Ok((5, None)));
        assert_eq!(typed(&["3"]), Ok((3, None)));
        assert_eq!(typed(&["3", "-"]), Ok((3, some("-"))));
        assert_eq!(typed(&["f5d6"]), Ok((5, some("f5d6"))));
        assert_eq!(typed(&["3", board, "--json"]), Ok((3, some(board))));
        assert_eq!(typed(&[board, "--level", "3"]), Ok((5, some(board))));
        assert_eq!(typed(&["--level", "3", board]), Ok((5, some(board))));
        assert!(typed(&["0"]).unwrap_err().contains("`0` is not a number of moves"));
        assert!(typed(&["f5", "d6"]).unwrap_err().contains("`f5` is not a number of moves"));
    }
}
