//! From a line of GTP to a typed command, and the table of all commands.
//!
//! Owns the spelling of requests; pure, knows neither game nor engine. Start reading at [`parse`].

use super::book::BookCommand;
use crate::board::{Color, Move, Square};
use crate::clock::TimeControl;
use crate::score::Eval;
use crate::search::Level;
use std::time::Duration;
use thiserror::Error;

/// A line that wants a reply.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Request {
    /// The id as it was written; it goes back with the reply.
    pub id: Option<String>,
    /// What is asked for.
    pub command: Result<Command, CommandError>,
}

/// Why a line is no command.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub(super) enum CommandError {
    /// There is no command of this name.
    #[error("unknown command")]
    Unknown(String),
    /// An argument is missing or means nothing.
    #[error("syntax error")]
    Syntax {
        /// The arguments as they were written.
        arguments: String,
        /// What would have been right.
        usage: &'static str,
    },
}

/// A command with its arguments.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Command {
    ProtocolVersion,
    Name,
    Version,
    Knows(String),
    ListCommands,
    Quit,
    BoardSize(u32),
    ClearBoard,
    Komi,
    Play(Color, Move),
    GenMove(Color),
    RegGenMove(Color),
    Undo,
    TimeSettings(TimeControl),
    TimeLeft(Color, TimeLeft),
    FinalScore,
    ShowBoard,
    ListGames,
    SetGame(String),
    LoadSgf(String),
    RulesGameId,
    RulesBoard,
    RulesBoardSize,
    RulesLegalMoves,
    RulesSideToMove,
    RulesFinalResult,
    PlaySequence(Vec<(Color, Move)>),
    Setup(Vec<(Color, Square)>),
    SetupPlayer(Color),
    AnalyzeCommands,
    Interrupt,
    Redo,
    Stop,
    ShowLevel,
    SetLevel(Option<Level>),
    Hint(usize),
    Analyze(Analysis),
    SetBoard(String),
    New,
    ShowOptions,
    SetOption(String, String),
    Ponder(bool),
    Book(BookCommand),
    Opening,
}

/// What `volte-analyze` is to tell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Analysis {
    /// How many of the best moves.
    pub lines: usize,
    /// Time between two updates, at least.
    pub interval: Duration,
    /// Whether in JSON instead of words.
    pub json: bool,
}

/// What `time_left` tells of a clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TimeLeft {
    /// Main time.
    Main(Duration),
    /// A byo-yomi period with this many moves to make.
    Period(Duration, u32),
}

/// How a command is written and read.
struct Syntax {
    name: &'static str,
    arguments: &'static str,
    read: fn(&mut Arguments<'_>) -> Option<Command>,
}

macro_rules! syntax {
    ($($name:literal $arguments:literal => $read:expr),* $(,)?) => {
        &[$(Syntax { name: $name, arguments: $arguments, read: $read }),*]
    };
}

/// Every command, in the order of `list_commands`.
const COMMANDS: &[Syntax] = syntax! {
    "protocol_version" "" => |_| Some(Command::ProtocolVersion),
    "name" "" => |_| Some(Command::Name),
    "version" "" => |_| Some(Command::Version),
    "known_command" "COMMAND" => |a| a.word().map(|name| Command::Knows(name.to_owned())),
    "list_commands" "" => |_| Some(Command::ListCommands),
    "quit" "" => |_| Some(Command::Quit),
    "boardsize" "8" => |a| a.value().map(Command::BoardSize),
    "clear_board" "" => |_| Some(Command::ClearBoard),
    "komi" "NUMBER" => |a| a.value::<f64>().map(|_| Command::Komi),
    "play" "COLOR VERTEX" => |a| Some(Command::Play(a.color()?, a.value()?)),
    "genmove" "COLOR" => |a| a.color().map(Command::GenMove),
    "reg_genmove" "COLOR" => |a| a.color().map(Command::RegGenMove),
    "undo" "" => |_| Some(Command::Undo),
    "time_settings" "MAIN BYOYOMI STONES" => |a| {
        Some(Command::TimeSettings(time_control(a.seconds()?, a.seconds()?, a.value()?)))
    },
    "time_left" "COLOR SECONDS STONES" => |a| Some(Command::TimeLeft(a.color()?, a.time_left()?)),
    "final_score" "" => |_| Some(Command::FinalScore),
    "showboard" "" => |_| Some(Command::ShowBoard),
    "list_games" "" => |_| Some(Command::ListGames),
    "set_game" "GAME" => |a| a.rest().map(Command::SetGame),
    "loadsgf" "FILE [MOVE]" => |a| a.rest().map(Command::LoadSgf),
    "gogui-rules_game_id" "" => |_| Some(Command::RulesGameId),
    "gogui-rules_board" "" => |_| Some(Command::RulesBoard),
    "gogui-rules_board_size" "" => |_| Some(Command::RulesBoardSize),
    "gogui-rules_legal_moves" "" => |_| Some(Command::RulesLegalMoves),
    "gogui-rules_side_to_move" "" => |_| Some(Command::RulesSideToMove),
    "gogui-rules_final_result" "" => |_| Some(Command::RulesFinalResult),
    "gogui-play_sequence" "[COLOR VERTEX]…" => |a| a.pairs().map(Command::PlaySequence),
    "gogui-setup" "[COLOR SQUARE]…" => |a| a.pairs().map(Command::Setup),
    "gogui-setup_player" "COLOR" => |a| a.color().map(Command::SetupPlayer),
    "gogui-analyze_commands" "" => |_| Some(Command::AnalyzeCommands),
    "gogui-interrupt" "" => |_| Some(Command::Interrupt),
    "volte-redo" "" => |_| Some(Command::Redo),
    "volte-stop" "" => |_| Some(Command::Stop),
    "volte-level" "[0–60 | auto]" => |a| a.level(),
    "volte-hint" "[N]" => |a| a.count().map(Command::Hint),
    "volte-analyze" "[N] [CENTISECONDS] [json]" => |a| a.analysis().map(Command::Analyze),
    "volte-setboard" "BOARD SIDE" => |a| a.rest().map(Command::SetBoard),
    "volte-new" "" => |_| Some(Command::New),
    "volte-options" "[NAME VALUE]" => |a| a.option(),
    "volte-book" "on | off | show | load FILE | save FILE | randomness DISCS" => |a| a.book().map(Command::Book),
    "volte-opening" "" => |_| Some(Command::Opening),
    "volte-ponder" "on|off" => |a| a.switch().map(Command::Ponder),
};

/// The names of all commands.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    COMMANDS.iter().map(|syntax| syntax.name)
}

/// What the line asks for; `None` if it is blank or a comment.
///
/// Comments and control characters are dropped, a tab is a space, and an id may come first.
pub(super) fn parse(line: &str) -> Option<Request> {
    let line = clean(line);
    let mut words = Arguments { text: line.trim() };
    let mut name = words.word()?;
    let id = is_id(name).then(|| name.to_owned());
    if id.is_some() {
        // An id alone is a command without a name.
        name = words.word().unwrap_or_default();
    }
    Some(Request { id, command: read(name, words) })
}

fn read(name: &str, mut arguments: Arguments<'_>) -> Result<Command, CommandError> {
    let Some(syntax) = COMMANDS.iter().find(|syntax| syntax.name == name) else {
        return Err(CommandError::Unknown(name.to_owned()));
    };
    let text = arguments.text;
    match (syntax.read)(&mut arguments) {
        Some(command) if arguments.is_empty() => Ok(command),
        _ => Err(CommandError::Syntax { arguments: text.to_owned(), usage: syntax.arguments }),
    }
}

/// The line without its comment and control characters.
fn clean(line: &str) -> String {
    let line = line.split_once('#').map_or(line, |(line, _)| line);
    line.chars()
        .filter_map(|character| match character {
            '\t' => Some(' '),
            _ if character.is_control() => None,
            _ => Some(character),
        })
        .collect()
}

fn is_id(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit())
}

/// The time control that GTP means with three numbers.
///
/// Period and no moves means no limit, after the protocol; after a main time it is an increment, after what runners
/// of matches mean by it.
fn time_control(main: Duration, period: Duration, stones: u32) -> TimeControl {
    match (main.is_zero(), period.is_zero(), stones) {
        (true, _, 0) => TimeControl::Unlimited,
        (false, _, 0) | (_, true, _) => TimeControl::Fischer { main, increment: period },
        _ => TimeControl::ByoYomi { main, period, stones },
    }
}

/// What is left of a line. Every method takes what it reads, and gives `None` if that is missing or means nothing.
struct Arguments<'a> {
    /// Without space at its ends.
    text: &'a str,
}

impl<'a> Arguments<'a> {
    const fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    fn word(&mut self) -> Option<&'a str> {
        let (word, rest) = self.text.split_once(char::is_whitespace).unwrap_or((self.text, ""));
        self.text = rest.trim_start();
        (!word.is_empty()).then_some(word)
    }

    /// Anything that reads from a word.
    fn value<T: std::str::FromStr>(&mut self) -> Option<T> {
        self.word()?.parse().ok()
    }

    /// Everything up to the end of the line.
    fn rest(&mut self) -> Option<String> {
        let rest = std::mem::take(&mut self.text);
        (!rest.is_empty()).then(|| rest.to_owned())
    }

    fn color(&mut self) -> Option<Color> {
        match self.word()?.to_ascii_lowercase().as_str() {
            "b" | "black" => Some(Color::Black),
            "w" | "white" => Some(Color::White),
            _ => None,
        }
    }

    /// Seconds, with a fraction or without. Less than none, as on a clock that has run out, is none.
    fn seconds(&mut self) -> Option<Duration> {
        let seconds: f64 = self.value()?;
        Duration::try_from_secs_f64(seconds.max(0.0)).ok().filter(|_| seconds.is_finite())
    }

    fn time_left(&mut self) -> Option<TimeLeft> {
        let time = self.seconds()?;
        let stones = if self.is_empty() { 0 } else { self.value()? };
        Some(if stones == 0 { TimeLeft::Main(time) } else { TimeLeft::Period(time, stones) })
    }

    /// Colours, each with something placed, to the end of the line.
    fn pairs<T: std::str::FromStr>(&mut self) -> Option<Vec<(Color, T)>> {
        let mut pairs = Vec::new();
        while !self.is_empty() {
            pairs.push((self.color()?, self.value()?));
        }
        Some(pairs)
    }

    /// A number of lines, 1 without an argument.
    fn count(&mut self) -> Option<usize> {
        let Some(word) = self.word() else { return Some(1) };
        word.parse().ok().filter(|&count| count > 0)
    }

    /// Numbers that may be left out, and then perhaps a word.
    fn analysis(&mut self) -> Option<Analysis> {
        let mut words: Vec<&str> = std::iter::from_fn(|| self.word()).collect();
        let json = words.pop_if(|word| word.eq_ignore_ascii_case("json")).is_some();
        let numbers: Vec<u32> = words.iter().map(|word| word.parse().ok()).collect::<Option<_>>()?;
        let (lines, centiseconds) = match numbers[..] {
            [] => (1, 0),
            [lines] => (lines, 0),
            [lines, centiseconds] => (lines, centiseconds),
            _ => return None,
        };
        let interval = Duration::from_millis(10) * centiseconds;
        (lines > 0).then_some(Analysis { lines: lines as usize, interval, json })
    }

    fn level(&mut self) -> Option<Command> {
        match self.word() {
            None => Some(Command::ShowLevel),
            Some(word) => read_level(word).map(Command::SetLevel),
        }
    }

    fn option(&mut self) -> Option<Command> {
        match self.word() {
            None => Some(Command::ShowOptions),
            Some(name) => Some(Command::SetOption(name.to_ascii_lowercase(), self.rest()?)),
        }
    }

    fn book(&mut self) -> Option<BookCommand> {
        Some(match self.word()? {
            "show" => BookCommand::Show,
            "load" => BookCommand::Load(self.rest()?),
            "save" => BookCommand::Save(self.rest()?),
            "randomness" => {
                let discs: f32 = self.value()?;
                BookCommand::Randomness(Some(discs).filter(|discs| (0.0..=64.0).contains(discs)).map(Eval::from_discs)?)
            }
            switch => BookCommand::Switch(read_switch(switch)?),
        })
    }

    fn switch(&mut self) -> Option<bool> {
        read_switch(self.word()?)
    }
}

/// A level from 0 to 60, or `auto` for none.
pub(super) fn read_level(word: &str) -> Option<Option<Level>> {
    if word.eq_ignore_ascii_case("auto") { Some(None) } else { word.parse().ok().and_then(Level::new).map(Some) }
}

/// `on` or `off`, in any case.
pub(super) fn read_switch(word: &str) -> Option<bool> {
    match word.to_ascii_lowercase().as_str() {
        "on" => Some(true),
        "off" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(line: &str) -> Command {
        parse(line).expect("the line is not blank").command.unwrap_or_else(|error| panic!("{line}: {error:?}"))
    }

    fn error(line: &str) -> CommandError {
        parse(line).expect("the line is not blank").command.expect_err(line)
    }

    const fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn blank_lines_and_comments_ask_for_nothing() {
        for line in ["", "   ", "\t", "# interrupt", "  # comment", "\r", "\u{1}\u{2}"] {
            assert_eq!(parse(line), None, "{line:?}");
        }
    }

    #[test]
    fn ids_come_back_as_they_were_written() {
        for (line, id) in
            [("1 name", Some("1")), ("007 name", Some("007")), ("name", None), ("12\tname # x", Some("12"))]
        {
            let request = parse(line).unwrap();
            assert_eq!(request.id.as_deref(), id);
            assert_eq!(request.command, Ok(Command::Name));
        }
        let request = parse("42").unwrap();
        assert_eq!(request.id.as_deref(), Some("42"));
        assert_eq!(request.command, Err(CommandError::Unknown(String::new())));
        assert_eq!(error("1x name"), CommandError::Unknown("1x".to_owned()));
        assert_eq!(error("-1 name"), CommandError::Unknown("-1".to_owned()));
    }

    #[test]
    fn arguments_come_in_any_case_with_any_space() {
        let move_f5 = Command::Play(Color::Black, Move::Place(Square::F5));
        for line in ["play b f5", "play BLACK F5\r", "  play\tBlack \t f5  ", "3 play B F5#now", "pl\u{7}ay b f5"] {
            assert_eq!(command(line), move_f5, "{line:?}");
        }
        assert_eq!(command("play w pass"), Command::Play(Color::White, Move::Pass));
        assert_eq!(command("play White PASS"), Command::Play(Color::White, Move::Pass));
        assert_eq!(command("genmove wHITE"), Command::GenMove(Color::White));
    }

    #[test]
    fn missing_and_senseless_arguments_are_syntax_errors() {
        for line in [
            "play",
            "play B",
            "play F5",
            "play B F9",
            "play red F5",
            "play B F5 F6",
            "genmove",
            "genmove 1",
            "boardsize",
            "boardsize x",
            "boardsize -8",
            "komi",
            "komi big",
            "known_command",
            "time_settings",
            "time_settings 1 2",
            "time_settings a b c",
            "time_settings 1 1 -1",
            "time_settings inf 0 0",
            "time_left",
            "time_left b",
            "time_left b x 0",
            "time_left b NaN 0",
            "set_game",
            "loadsgf",
            "volte-level 61",
            "volte-level -1",
            "volte-level high",
            "volte-hint 0",
            "volte-hint x",
            "volte-ponder",
            "volte-ponder maybe",
            "volte-options hash",
            "gogui-play_sequence b",
            "gogui-play_sequence b f5 w",
            "gogui-setup b pass",
        ] {
            assert!(matches!(error(line), CommandError::Syntax { .. }), "{line}");
        }
        let CommandError::Syntax { arguments, usage } = error("7 play  B\tF9") else { panic!("not a syntax error") };
        assert_eq!((arguments.as_str(), usage), ("B F9", "COLOR VERTEX"));
    }

    #[test]
    fn an_analysis_has_numbers_and_a_form_that_may_be_left_out() {
        let analysis =
            |lines, millis, json| Command::Analyze(Analysis { lines, interval: Duration::from_millis(millis), json });
        assert_eq!(command("volte-analyze"), analysis(1, 0, false));
        assert_eq!(command("volte-analyze 4"), analysis(4, 0, false));
        assert_eq!(command("volte-analyze 4 50"), analysis(4, 500, false));
        assert_eq!(command("volte-analyze 4 50 JSON"), analysis(4, 500, true));
        assert_eq!(command("volte-analyze json"), analysis(1, 0, true));
        for line in ["volte-analyze 0", "volte-analyze 1 2 3", "volte-analyze x", "volte-analyze json 1"] {
            assert!(matches!(error(line), CommandError::Syntax { .. }), "{line}");
        }
    }

    #[test]
    fn unknown_commands_keep_their_name() {
        assert_eq!(error("frobnicate 1"), CommandError::Unknown("frobnicate".to_owned()));
        assert_eq!(error("NAME"), CommandError::Unknown("NAME".to_owned()));
    }

    #[test]
    fn time_settings_follow_the_customs_of_gtp() {
        let control = |line| match command(line) {
            Command::TimeSettings(control) => control,
            other => panic!("{other:?}"),
        };
        assert_eq!(control("time_settings 0 1 0"), TimeControl::Unlimited);
        assert_eq!(control("time_settings 0 300 0"), TimeControl::Unlimited);
        assert_eq!(control("time_settings 0 0 0"), TimeControl::Unlimited);
        let fischer = |main, increment| TimeControl::Fischer { main: seconds(main), increment: seconds(increment) };
        assert_eq!(control("time_settings 300 0 0"), fischer(300, 0));
        assert_eq!(control("time_settings 300 0 1"), fischer(300, 0));
        assert_eq!(control("time_settings 60 2 0"), fischer(60, 2));
        let periods =
            |main, period, stones| TimeControl::ByoYomi { main: seconds(main), period: seconds(period), stones };
        assert_eq!(control("time_settings 0 15 1"), periods(0, 15, 1));
        assert_eq!(control("time_settings 600 300 25"), periods(600, 300, 25));
        let half = TimeControl::Fischer { main: Duration::from_millis(500), increment: Duration::ZERO };
        assert_eq!(control("time_settings 0.5 0 0"), half);
    }

    #[test]
    fn time_left_is_main_time_or_a_period() {
        assert_eq!(command("time_left b 17 0"), Command::TimeLeft(Color::Black, TimeLeft::Main(seconds(17))));
        assert_eq!(command("time_left b 17"), Command::TimeLeft(Color::Black, TimeLeft::Main(seconds(17))));
        assert_eq!(command("time_left w -3 0"), Command::TimeLeft(Color::White, TimeLeft::Main(Duration::ZERO)));
        let period = TimeLeft::Period(seconds(15), 1);
        assert_eq!(command("time_left black 15 1"), Command::TimeLeft(Color::Black, period));
    }

    #[test]
    fn names_are_unique() {
        let mut seen: Vec<_> = names().collect();
        let all = seen.len();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), all);
    }
}
