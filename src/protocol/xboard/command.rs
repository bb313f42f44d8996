//! From a line of XBoard to a typed command.
//!
//! Owns the spelling of requests; pure, knows neither game nor engine. Start reading at [`parse`].

use crate::board::{Move, Setup};
use crate::clock::TimeControl;
use crate::game::fen::{self, FenError};
use crate::protocol::resources::{ResourceError, parse_table_megabytes, parse_threads, read_overhead};
use crate::search::Level;
use std::time::Duration;
use thiserror::Error;

/// The one variant that is played here.
pub(super) const VARIANT: &str = "reversi";

/// What a line asks for.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Command {
    /// Nothing that matters in Othello.
    Ignored,
    /// What the engine can do is to be told.
    Features,
    /// The start of a game; the engine plays the side that moves second.
    New,
    /// The variant `reversi`.
    Variant,
    Quit,
    /// The engine plays neither side.
    Force,
    /// The engine plays the side to move.
    Go,
    /// The engine plays the other side.
    PlayOther,
    TimeControl(TimeControl),
    /// Plies to search at most.
    Depth(u8),
    /// What the engine's clock shows, whichever side it plays next.
    Time(Duration),
    Move(Move),
    MoveNow,
    /// To be answered with this text.
    Ping(String),
    /// The game has ended.
    Result,
    SetBoard(Setup),
    Hint,
    /// What the book knows of the position.
    Book,
    Undo,
    /// Takes back a move of each side.
    Remove,
    Ponder(bool),
    Post(bool),
    Analyze,
    /// The end of analyze mode.
    Exit,
    /// How far the analysis is.
    Status,
    /// Size of the table in MB.
    Memory(usize),
    /// Worker threads.
    Cores(usize),
    Level(Level),
    /// How much time a move loses outside of the engine; `None` to learn it.
    Overhead(Option<Duration>),
}

impl Command {
    /// Whether a thought about a move ends with this command: because the game changes, or because it is time to move.
    pub(super) const fn ends_a_thought(&self) -> bool {
        use Command::{Analyze, Force, MoveNow, New, Quit, Remove, Result, SetBoard, Undo, Variant};
        matches!(self, MoveNow | New | Variant | SetBoard(_) | Undo | Remove | Force | Result | Analyze | Quit)
    }
}

/// Why a line is not obeyed. What it prints is what the protocol wants to be told.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub(super) enum CommandError {
    #[error("Error (unknown command): {0}")]
    Unknown(String),
    #[error("Error (bad argument, expected {usage}): {line}")]
    Argument { line: String, usage: &'static str },
    #[error("Error (unknown variant, only {VARIANT} is played here): {0}")]
    Variant(String),
    #[error("Error ({error}): {line}")]
    Resource { line: String, error: ResourceError },
    #[error("tellusererror Illegal position: {0}")]
    Board(#[from] FenError),
    #[error("Illegal move (not a move): {0}")]
    NotAMove(String),
}

/// What the line asks for; `None` if it is blank.
pub(super) fn parse(line: &str) -> Option<Result<Command, CommandError>> {
    let line = line.trim();
    let (name, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    (!name.is_empty()).then(|| read(line, name, rest.trim()))
}

fn read(line: &str, name: &str, rest: &str) -> Result<Command, CommandError> {
    let needs = |usage, command: Option<Command>| {
        command.ok_or_else(|| CommandError::Argument { line: line.to_owned(), usage })
    };
    let resource = |error| CommandError::Resource { line: line.to_owned(), error };
    Ok(match name {
        "protover" => Command::Features,
        "new" => Command::New,
        "variant" if rest == VARIANT => Command::Variant,
        "variant" => return Err(CommandError::Variant(rest.to_owned())),
        "quit" => Command::Quit,
        "force" => Command::Force,
        "go" => Command::Go,
        "playother" => Command::PlayOther,
        "level" => needs("level MOVES MINUTES[:SECONDS] INCREMENT", level(rest).map(Command::TimeControl))?,
        "st" => needs("st SECONDS", seconds(rest).map(per_move).map(Command::TimeControl))?,
        "sd" => needs("sd PLIES", rest.parse().ok().filter(|&depth| depth > 0).map(Command::Depth))?,
        "time" => needs("time CENTISECONDS", centiseconds(rest).map(Command::Time))?,
        "usermove" => Command::Move(read_move(rest).ok_or_else(|| CommandError::NotAMove(rest.to_owned()))?),
        "?" => Command::MoveNow,
        "ping" => Command::Ping(rest.to_owned()),
        "result" => Command::Result,
        "setboard" => Command::SetBoard(fen::parse(&without_holdings(rest))?),
        "hint" => Command::Hint,
        "bk" => Command::Book,
        "undo" => Command::Undo,
        "remove" => Command::Remove,
        "hard" => Command::Ponder(true),
        "easy" => Command::Ponder(false),
        "post" => Command::Post(true),
        "nopost" => Command::Post(false),
        "analyze" => Command::Analyze,
        "exit" => Command::Exit,
        "." => Command::Status,
        "memory" => Command::Memory(parse_table_megabytes(rest).map_err(resource)?),
        "cores" => Command::Cores(parse_threads(rest).map_err(resource)?),
        "option" => needs("option Level=0 to 60, or option Overhead=milliseconds or auto", option(rest))?,
        "xboard" | "otim" | "accepted" | "rejected" | "random" | "computer" | "name" | "rating" | "ics" | "draw" => {
            Command::Ignored
        }
        // The first version of the protocol sends the move alone.
        _ => Command::Move(read_move(line).ok_or_else(|| CommandError::Unknown(line.to_owned()))?),
    })
}

/// A disc that is dropped, `P@d3`, a bare square, or a pass: `@@@@`, as XBoard writes null moves, or any other
/// spelling.
fn read_move(text: &str) -> Option<Move> {
    if text == "@@@@" {
        return Some(Move::Pass);
    }
    let dropped = text.strip_prefix("P@").or_else(|| text.strip_prefix("p@"));
    match dropped {
        Some(square) => square.parse().ok().map(Move::Place),
        None => text.parse().ok(),
    }
}

/// A board without the discs that XBoard lists behind it, `8/…/8[PPPppp]`, because they are still to be dropped.
fn without_holdings(fen: &str) -> String {
    match (fen.split_once('['), fen.split_once(']')) {
        (Some((board, _)), Some((_, rest))) => format!("{board}{rest}"),
        _ => fen.to_owned(),
    }
}

/// So many moves in so many minutes, again and again; or, without a number of moves, a game with an increment.
fn level(text: &str) -> Option<TimeControl> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let [moves, base, increment] = words[..] else { return None };
    let (minutes, rest) = base.split_once(':').unwrap_or((base, "0"));
    let base = Duration::from_secs(60).checked_mul(minutes.parse().ok()?)?.checked_add(seconds(rest)?)?;
    let increment = seconds(increment)?;
    Some(match moves.parse().ok()? {
        0 if base.is_zero() && increment.is_zero() => TimeControl::Unlimited,
        0 => TimeControl::Fischer { main: base, increment },
        stones => TimeControl::ByoYomi { main: Duration::ZERO, period: base, stones },
    })
}

const fn per_move(period: Duration) -> TimeControl {
    TimeControl::ByoYomi { main: Duration::ZERO, period, stones: 1 }
}

fn seconds(text: &str) -> Option<Duration> {
    let seconds: f64 = text.parse().ok()?;
    Duration::try_from_secs_f64(seconds).ok()
}

/// A clock that has run out shows less than nothing.
fn centiseconds(text: &str) -> Option<Duration> {
    let centiseconds: i64 = text.parse().ok()?;
    Some(Duration::from_millis(centiseconds.max(0).unsigned_abs().saturating_mul(10)))
}

fn option(text: &str) -> Option<Command> {
    let (name, value) = text.split_once('=')?;
    let value = value.trim();
    match name.trim() {
        name if name.eq_ignore_ascii_case("level") => value.parse().ok().and_then(Level::new).map(Command::Level),
        name if name.eq_ignore_ascii_case("overhead") => read_overhead(value).map(Command::Overhead),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Square;

    fn command(line: &str) -> Command {
        parse(line).expect("the line is not blank").unwrap_or_else(|error| panic!("{error}"))
    }

    fn error(line: &str) -> String {
        parse(line).expect("the line is not blank").expect_err(line).to_string()
    }

    #[test]
    fn moves_are_drops_or_squares_or_passes() {
        for line in ["usermove P@d3", "usermove p@D3", "usermove d3", "P@d3", "D3"] {
            assert_eq!(command(line), Command::Move(Move::Place(Square::D3)), "{line}");
        }
        for line in ["usermove @@@@", "@@@@", "usermove pass", "usermove --"] {
            assert_eq!(command(line), Command::Move(Move::Pass), "{line}");
        }
        for line in ["usermove", "usermove e2e4", "usermove P@i9", "usermove N@d3", "usermove P@@@"] {
            assert!(error(line).starts_with("Illegal move (not a move): "), "{line}");
        }
        assert_eq!(error("e2e4"), "Error (unknown command): e2e4");
    }

    #[test]
    fn times_are_read_in_their_units() {
        let control = |line| match command(line) {
            Command::TimeControl(control) => control,
            other => panic!("{other:?}"),
        };
        let seconds = Duration::from_secs;
        let periods = |period, stones| TimeControl::ByoYomi { main: Duration::ZERO, period, stones };
        assert_eq!(control("level 40 5 0"), periods(seconds(300), 40));
        assert_eq!(control("level 0 2:30 12"), TimeControl::Fischer { main: seconds(150), increment: seconds(12) });
        let fractions = TimeControl::Fischer { main: seconds(60), increment: Duration::from_millis(500) };
        assert_eq!(control("level 0 1 0.5"), fractions);
        assert_eq!(control("level 0 0 0"), TimeControl::Unlimited);
        assert_eq!(control("st 7"), periods(seconds(7), 1));
        assert_eq!(command("time 1234"), Command::Time(Duration::from_millis(12_340)));
        assert_eq!(command("time -5"), Command::Time(Duration::ZERO));
        assert_eq!(command("sd 12"), Command::Depth(12));
    }

    #[test]
    fn what_is_wrong_is_told_as_the_protocol_wants_it() {
        assert_eq!(error("frobnicate 1"), "Error (unknown command): frobnicate 1");
        assert_eq!(error("variant chess"), "Error (unknown variant, only reversi is played here): chess");
        assert_eq!(error("sd 0"), "Error (bad argument, expected sd PLIES): sd 0");
        assert_eq!(error("cores none"), "Error (`none` is not a whole number): cores none");
        assert!(error("setboard 8/8 b").starts_with("tellusererror Illegal position: `8/8` does not have"));
        for line in [
            "level",
            "level 40 5",
            "level 40 -5 0",
            "level x 5 0",
            "level 0 1:x 0",
            "level 0 1 inf",
            "st",
            "st -1",
            "st x",
            "sd",
            "sd 300",
            "time",
            "time x",
            "time 1.5",
            "memory",
            "memory 0",
            "cores 0",
            "option Level=61",
            "option x=1",
            "option Level",
            "option Overhead=long",
        ] {
            assert!(error(line).starts_with("Error ("), "{line}");
        }
    }

    #[test]
    fn blank_lines_ask_for_nothing() {
        for line in ["", "  ", "\r", "\t"] {
            assert_eq!(parse(line), None);
        }
        assert_eq!(command("ping 7 \r"), Command::Ping("7".to_owned()));
        let board = "8/8/8/3pP3/3Pp3/8/8/8";
        assert_eq!(command(&format!("setboard {board}[PPPppp] b - - 0 1")), Command::SetBoard(Setup::START));
        assert_eq!(command(&format!("setboard {board} b")), Command::SetBoard(Setup::START));
        assert_eq!(command("option Overhead=25"), Command::Overhead(Some(Duration::from_millis(25))));
        assert_eq!(command("option overhead = auto"), Command::Overhead(None));
        assert_eq!(command("option Level = 7"), Command::Level(Level::new(7).unwrap()));
    }
}
