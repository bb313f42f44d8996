//! From a line of NBoard to a typed command.
//!
//! Owns the spelling of requests; pure, knows neither game nor engine. Start reading at [`parse`].

use crate::game::ggf::{self, Step};
use crate::protocol::resources::read_overhead;
use std::time::Duration;
use thiserror::Error;

/// What a line asks for.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Command {
    /// The client introduces itself.
    Hello,
    /// A game in GGF, moves included, is the game from now on.
    SetGame(String),
    /// How hard to try.
    SetDepth(u64),
    /// What a draw is worth to Black, in hundredths of a disc, −100 to 100.
    SetContempt(i32),
    /// How much time a move loses outside of the engine; `None` to learn it. A word of Volte's own.
    SetOverhead(Option<Duration>),
    /// The next move of the game.
    Move(Step),
    /// Stop, and answer with this number.
    Ping(u64),
    /// Values for the best so many moves, at least 1.
    Hint(usize),
    /// A move to play.
    Go,
    /// Values for every position of the game.
    Analyze,
    /// Learn from the game.
    Learn,
    /// Leave.
    Quit,
}

/// A known command with an argument that means nothing.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("cannot read `{line}`: expected {usage}")]
pub(super) struct ArgumentError {
    line: String,
    usage: &'static str,
}

/// What the line asks for; `None` if it is no command, which the protocol wants to be ignored.
pub(super) fn parse(line: &str) -> Option<Result<Command, ArgumentError>> {
    let line = line.trim();
    let (name, rest) = split(line);
    let (usage, command) = match name {
        "nboard" => ("nboard VERSION", Some(Command::Hello)),
        "set" => setting(rest)?,
        "move" => ("move SQUARE[/EVAL[/SECONDS]], or PA for a pass", ggf::parse_step(rest).map(Command::Move)),
        "ping" => ("ping NUMBER", rest.parse().ok().map(Command::Ping)),
        "hint" => ("hint NUMBER", rest.parse().ok().map(|lines: usize| Command::Hint(lines.max(1)))),
        "go" => ("go", Some(Command::Go)),
        "analyze" => ("analyze", Some(Command::Analyze)),
        "learn" => ("learn", Some(Command::Learn)),
        "quit" => ("quit", Some(Command::Quit)),
        // Version 1 sends the move alone.
        _ => ("a move", Some(Command::Move(ggf::parse_step(line)?))),
    };
    Some(command.ok_or_else(|| ArgumentError { line: line.to_owned(), usage }))
}

fn setting(text: &str) -> Option<(&'static str, Option<Command>)> {
    let (name, value) = split(text);
    Some(match name {
        "game" => ("set game GGF", Some(Command::SetGame(value.to_owned()))),
        "depth" => ("set depth NUMBER", value.parse().ok().map(Command::SetDepth)),
        "contempt" => ("set contempt NUMBER from -100 to 100", contempt(value).map(Command::SetContempt)),
        "overhead" => ("set overhead MILLISECONDS, or auto", read_overhead(value).map(Command::SetOverhead)),
        _ => return None,
    })
}

/// A contempt beyond its bounds is at them.
fn contempt(text: &str) -> Option<i32> {
    text.parse().ok().map(|contempt: i32| contempt.clamp(-100, 100))
}

/// The first word and the rest of the text.
fn split(text: &str) -> (&str, &str) {
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (word, rest.trim_start())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Move, Square};

    fn command(line: &str) -> Command {
        parse(line).unwrap_or_else(|| panic!("{line} is ignored")).unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn lines_of_both_versions_are_understood() {
        assert_eq!(command("nboard 2"), Command::Hello);
        assert_eq!(command("set depth 12\r"), Command::SetDepth(12));
        assert_eq!(command("set contempt -100"), Command::SetContempt(-100));
        assert_eq!(command("set overhead 25"), Command::SetOverhead(Some(Duration::from_millis(25))));
        assert_eq!(command("set overhead auto"), Command::SetOverhead(None));
        assert_eq!(command("set contempt 7000"), Command::SetContempt(100));
        assert_eq!(command("set game (;GM[Othello];)"), Command::SetGame("(;GM[Othello];)".to_owned()));
        assert_eq!(command("  ping\t17 "), Command::Ping(17));
        assert_eq!(command("hint 0"), Command::Hint(1));
        for (line, expected) in
            [("go", Command::Go), ("analyze", Command::Analyze), ("learn", Command::Learn), ("quit", Command::Quit)]
        {
            assert_eq!(command(line), expected);
        }
    }

    #[test]
    fn moves_come_with_and_without_the_word_and_their_notes() {
        for line in ["move F5", "move f5/", "move F5//", "F5", "f5"] {
            let Command::Move(step) = command(line) else { panic!("{line}") };
            assert_eq!((step.mv, step.note.is_empty()), (Move::Place(Square::F5), true), "{line}");
        }
        let Command::Move(step) = command("move F5/-1.25/2.5") else { panic!("not a move") };
        assert_eq!((step.note.eval, step.note.time), (Some(-1.25), Some(Duration::from_millis(2500))));
        for line in ["move PA", "move PA/0.00", "move pass", "move --", "PA"] {
            let Command::Move(step) = command(line) else { panic!("{line}") };
            assert_eq!(step.mv, Move::Pass, "{line}");
        }
    }

    #[test]
    fn unknown_lines_are_ignored_and_bad_arguments_are_named() {
        for line in ["", "   ", "info", "set", "set noise 3", "gone", "Z9", "F5 d6", "=== F5", "\u{1}", "オセロ"] {
            assert_eq!(parse(line), None, "{line}");
        }
        for line in [
            "ping",
            "ping x",
            "ping -1",
            "hint",
            "hint many",
            "set depth",
            "set depth x",
            "set depth -1",
            "set contempt big",
            "set overhead 5s",
            "move",
            "move Z9",
            "move F5 d6",
        ] {
            let error = parse(line).expect("a command").expect_err(line);
            assert!(error.to_string().starts_with(&format!("cannot read `{line}`: expected ")), "{error}");
        }
    }
}
