//! The real binary spoken to in GTP: golden transcripts, and what cannot be told by a transcript (stops, time, size).
//!
//! A transcript in `tests/data/gtp` holds what a client sent (`<`) and what Volte answers (`>`). The ones named after
//! programs are recordings of these; every `genmove` in them has become a `play` of the move the recorded engine
//! chose, so that the rest stays legal. `VOLTE_BLESS=1 cargo test --test gtp` writes new answers.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// Nothing that is waited for takes this long, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

fn volte(arguments: &[&str]) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("volte"));
    command.args(arguments).arg("--no-book").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// What Volte answers to `input`, which may end without `quit`.
fn talk(input: &str) -> String {
    let mut child = volte(&["gtp", "--threads", "1", "--hash", "1"]).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_owned();
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    String::from_utf8(output.stdout).unwrap()
}

/// The replies in `output`, each without its blank line.
fn replies(output: &str) -> Vec<&str> {
    output.split_terminator("\n\n").collect()
}

/// Whether a line of input gets a reply.
fn wants_reply(line: &str) -> bool {
    !line.split('#').next().unwrap_or_default().trim().is_empty()
}

fn transcript(path: &Path) -> String {
    let recorded = fs::read_to_string(path).unwrap();
    let sent: Vec<_> = recorded.lines().filter_map(|line| line.strip_prefix("< ")).collect();
    // Control characters are written as `\r` and `\t`.
    let spoken: Vec<_> = sent.iter().map(|line| line.replace("\\r", "\r").replace("\\t", "\t")).collect();
    let output = talk(&(spoken.join("\n") + "\n"));
    let mut replies = replies(&output).into_iter();
    let mut text = String::new();
    for (line, spoken) in sent.iter().zip(&spoken) {
        writeln!(text, "< {line}").unwrap();
        if wants_reply(spoken) {
            let reply = replies.next().unwrap_or_else(|| panic!("no reply to `{line}` in {}", path.display()));
            for line in reply.lines() {
                writeln!(text, "> {line}").unwrap();
            }
        }
    }
    assert_eq!(replies.next(), None, "more replies than commands in {}", path.display());
    text
}

#[test]
fn golden_transcripts_are_answered_as_written() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/gtp");
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(paths.len() >= 5, "{paths:?}");
    for path in paths {
        let found = transcript(&path);
        if std::env::var_os("VOLTE_BLESS").is_some() {
            fs::write(&path, found).unwrap();
        } else {
            assert_eq!(found, fs::read_to_string(&path).unwrap(), "{}", path.display());
        }
    }
}

/// A running engine with its pipes.
struct Engine {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Engine {
    fn start() -> Self {
        let mut child = volte(&["gtp", "--threads", "2", "--hash", "16"]).spawn().unwrap();
        let input = child.stdin.take().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        Self { child, input, output }
    }

    fn send(&mut self, lines: &str) {
        self.input.write_all(lines.as_bytes()).unwrap();
    }

    /// The next reply, without its blank line.
    fn reply(&mut self) -> String {
        let mut text = String::new();
        loop {
            let mut line = String::new();
            assert_ne!(self.output.read_line(&mut line).unwrap(), 0, "the output ended after `{text}`");
            if line == "\n" {
                return text.trim_end().to_owned();
            }
            text += &line;
        }
    }

    fn ask(&mut self, line: &str) -> String {
        self.send(&format!("{line}\n"));
        self.reply()
    }

    /// Closes the input and waits for the end.
    fn end(self) -> ExitStatus {
        let Self { mut child, input, output } = self;
        drop(input);
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = child.try_wait().unwrap() {
                drop(output);
                return status;
            }
            assert!(Instant::now() < deadline, "the engine does not end");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

/// A move that takes minutes: the start of the game at the highest level.
const LONG_THOUGHT: &str = "volte-level 60\ngenmove b\n";

fn assert_is_opening(reply: &str, sign: &str) {
    let squares = ["D3", "C4", "F5", "E6"].map(|square| format!("{sign} {square}"));
    assert!(squares.iter().any(|opening| opening == reply), "{reply}");
}

#[test]
fn a_stop_while_thinking_gets_the_best_move_so_far_and_then_its_own_reply() {
    let mut engine = Engine::start();
    engine.send(&format!("{LONG_THOUGHT}name\n"));
    assert_eq!(engine.reply(), "=");
    std::thread::sleep(Duration::from_millis(300));
    let asked = Instant::now();
    engine.send("8 volte-stop\nversion\n");
    assert_is_opening(&engine.reply(), "=");
    eprintln!("the move came {:?} after the stop", asked.elapsed());
    assert!(asked.elapsed() < Duration::from_secs(2));
    assert_eq!(engine.reply(), "= Volte");
    assert_eq!(engine.reply(), "=8");
    assert!(engine.reply().starts_with("= "));
    assert!(engine.end().success());
}

#[test]
fn an_interrupt_comment_stops_a_thought_and_gets_no_reply() {
    let mut engine = Engine::start();
    engine.send(LONG_THOUGHT);
    assert_eq!(engine.reply(), "=");
    std::thread::sleep(Duration::from_millis(100));
    engine.send("# interrupt\n3 name\n");
    assert_is_opening(&engine.reply(), "=");
    assert_eq!(engine.reply(), "=3 Volte");
    assert!(engine.end().success());
}

#[test]
fn a_stop_is_not_lost_when_it_arrives_together_with_the_command() {
    for _ in 0..10 {
        let output = talk(&format!("{LONG_THOUGHT}volte-stop\nname\nquit\n"));
        assert_is_opening(replies(&output)[1], "=");
        assert_eq!(replies(&output)[2..], ["= ", "= Volte", "= "]);
    }
}

#[test]
fn the_end_of_input_stops_a_thought_and_the_engine_exits_well() {
    let mut engine = Engine::start();
    engine.send(LONG_THOUGHT);
    assert_eq!(engine.reply(), "=");
    std::thread::sleep(Duration::from_millis(100));
    let closed = Instant::now();
    assert!(engine.end().success());
    assert!(closed.elapsed() < Duration::from_secs(3), "{:?}", closed.elapsed());
}

#[test]
fn what_comes_before_quit_is_thought_through() {
    let output = talk("volte-level 3\n1 genmove b\n2 volte-hint 4\nquit\n");
    let replies = replies(&output);
    assert_is_opening(replies[1], "=1");
    let hints: Vec<_> = replies[2].lines().collect();
    assert_eq!(hints.len(), 3, "white has three replies: {hints:?}");
    for hint in hints {
        let fields: Vec<_> = hint.trim_start_matches("=2 ").split(' ').collect();
        assert_eq!(fields.len(), 4, "{hint}");
        assert!(fields[1].parse::<f64>().unwrap().abs() <= 64.0, "{hint}");
        assert!(fields[2].starts_with("3@") && fields[2].ends_with('%'), "{hint}");
        assert!(fields[3].starts_with(&fields[0].to_lowercase()), "{hint}");
    }
}

/// A line of the output, which is no end of a reply.
fn line(engine: &mut Engine) -> String {
    let mut line = String::new();
    engine.output.read_line(&mut line).unwrap();
    assert_ne!(line, "\n");
    line.trim_end().to_owned()
}

#[test]
fn an_analysis_tells_a_line_for_each_move_until_any_line_arrives() {
    // What arrives, and its own replies.
    for (further, replies) in [("volte-stop", &["="][..]), ("name", &["= Volte"]), ("", &[]), ("# a comment", &[])] {
        let mut engine = Engine::start();
        engine.send("5 volte-analyze 2\n");
        assert_eq!(line(&mut engine), "=5");
        for _ in 0..4 {
            let info = line(&mut engine);
            let words: Vec<_> = info.split(' ').collect();
            let keys: Vec<_> = words[1..].iter().step_by(2).take(6).copied().collect();
            assert_eq!((words[0], &keys[..]), ("info", &["move", "score", "depth", "selectivity", "nodes", "pv"][..]));
            assert_eq!(words[2], words[12], "{info}");
            for number in [words[4], words[6], words[8], words[10]] {
                assert!(number.parse::<f64>().is_ok(), "{info}");
            }
        }
        engine.send(&format!("{further}\n9 name\n"));
        assert!(engine.reply().lines().all(|line| line.starts_with("info move ")));
        for reply in replies {
            assert_eq!(engine.reply(), *reply);
        }
        assert_eq!(engine.reply(), "=9 Volte");
        assert!(engine.end().success());
    }
}

#[test]
fn a_complete_analysis_stands_until_a_line_arrives() {
    let mut engine = Engine::start();
    engine.ask(&format!("volte-setboard -OX{} X", "X".repeat(61)));
    for (request, beginning) in [("volte-analyze 3", "info move A1 score +64"), ("volte-analyze json", "{")] {
        engine.send(&format!("{request}\n"));
        assert_eq!(line(&mut engine), "=");
        assert!(line(&mut engine).starts_with(beginning));
        std::thread::sleep(Duration::from_millis(50));
        engine.send("\n");
        assert_eq!(engine.reply().lines().filter(|line| !line.starts_with(beginning)).count(), 0);
    }
    engine.ask("play b a1");
    engine.send("volte-analyze\nname\n");
    assert_eq!(engine.reply(), "=");
    assert_eq!(engine.reply(), "= Volte");
    // The end of the input ends an analysis too.
    engine.send("volte-new\nvolte-analyze 60\n");
    engine.reply();
    assert!(engine.end().success());
}

#[test]
fn an_analysis_may_be_json_and_rare() {
    let mut engine = Engine::start();
    engine.send("5 volte-analyze 2 json\n");
    assert_eq!(line(&mut engine), "=5");
    let report: serde_json::Value = serde_json::from_str(&line(&mut engine)).unwrap();
    assert_eq!(report["lines"].as_array().unwrap().len(), 2);
    assert!(report["lines"][0]["score"].is_number() && report["lines"][0]["depth"].is_number(), "{report}");
    engine.send("volte-stop\n");
    engine.reply();
    assert_eq!(engine.reply(), "=");
    engine.send("volte-analyze 1 360000\n");
    assert_eq!(line(&mut engine), "=");
    line(&mut engine);
    std::thread::sleep(Duration::from_millis(100));
    engine.send("name\n");
    // At most the last update, which has waited for its time.
    assert!(engine.reply().lines().count() <= 1);
    assert_eq!(engine.reply(), "= Volte");
    assert!(engine.end().success());
}

#[test]
fn a_closed_output_is_no_crash() {
    let mut child = volte(&["gtp"]).spawn().unwrap();
    drop(child.stdout.take());
    let mut input = child.stdin.take().unwrap();
    // The engine may be gone before all of it is written.
    for _ in 0..1000 {
        if input.write_all(b"list_commands\nname\n").is_err() {
            break;
        }
    }
    drop(input);
    let mut errors = String::new();
    child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
    assert!(child.wait().unwrap().success());
    assert_eq!(errors, "");
}

#[test]
fn thirteen_thousand_cheap_commands_cost_little() {
    let game = "clear_board\nplay B F5\nplay W D6\nplay B C3\nplay W D3\nplay B C4\ngogui-rules_board\n\
                gogui-rules_legal_moves\ngogui-rules_side_to_move\ngogui-rules_final_result\nplay W F4\nundo\n\
                gogui-rules_game_id\n";
    let Engine { mut child, mut input, mut output } = Engine::start();
    let commands = game.repeat(1000) + "name\n";
    let start = Instant::now();
    let writer = std::thread::spawn(move || input.write_all(commands.as_bytes()).map(|()| input));
    let mut replies = 0;
    let mut line = String::new();
    while line != "= Volte\n" {
        line.clear();
        assert_ne!(output.read_line(&mut line).unwrap(), 0);
        assert!(!line.starts_with('?'), "{line}");
        replies += usize::from(line.starts_with('='));
    }
    let (time, engine_time) = (start.elapsed(), processor_time(child.id()));
    assert_eq!(replies, 13_001);
    eprintln!("13,000 commands in {time:?}, of the engine {engine_time:?}");
    assert!(engine_time.unwrap_or(time) < Duration::from_secs(1), "{engine_time:?} of {time:?}");
    drop(writer.join().unwrap().unwrap());
    assert!(child.wait().unwrap().success());
}

/// Processor time that a process has used, where the system tells it in the usual hundredths of a second.
fn processor_time(process: u32) -> Option<Duration> {
    let status = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let fields: Vec<_> = status.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks: u64 = fields[11].parse::<u64>().ok()? + fields[12].parse::<u64>().ok()?;
    Some(Duration::from_millis(10 * ticks))
}

#[test]
fn a_fresh_engine_answers_at_once_and_is_small() {
    let mut fastest = Duration::MAX;
    for _ in 0..5 {
        let start = Instant::now();
        let mut child = volte(&["gtp", "--hash", "1024"]).spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        input.write_all(b"clear_board\n").unwrap();
        output.read_line(&mut String::new()).unwrap();
        fastest = fastest.min(start.elapsed());
        if let Some(resident) = resident_kilobytes(child.id()) {
            assert!(resident < 50_000, "{resident} kB are resident before the first search");
        }
        drop(input);
        assert!(child.wait().unwrap().success());
    }
    eprintln!("first answer after {fastest:?}");
    assert!(fastest < Duration::from_millis(50), "{fastest:?}");
}

/// Resident memory of a process, where the system tells it.
fn resident_kilobytes(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}

#[test]
fn a_second_is_enough_for_the_rest_of_a_game() {
    // Another program may hold the machine for a while: no more than two games may be lost to that.
    let left: Vec<_> = (0..3).map(|_| left_of_a_second()).take_while(Result::is_err).collect();
    assert!(left.len() < 3, "every game is lost on time: {left:?}");
}

/// Plays a game in which each side has a second for the moves after the tenth; what is left of it, or who loses on time.
fn left_of_a_second() -> Result<[Duration; 2], String> {
    let mut engine = Engine::start();
    let opening = ["b f5", "w d6", "b c3", "w d3", "b c4", "w f4", "b f6", "w f3", "b e6", "w e7"];
    for mv in opening {
        assert_eq!(engine.ask(&format!("play {mv}")), "=");
    }
    assert_eq!(engine.ask("time_settings 300 0 0"), "=");
    let mut left = [Duration::from_secs(1); 2];
    let (mut side, mut passes) = (0, 0);
    while passes < 2 {
        let color = ["b", "w"][side];
        // Whole seconds would round the last one away.
        assert_eq!(engine.ask(&format!("time_left {color} {:.3} 0", left[side].as_secs_f64())), "=");
        let start = Instant::now();
        let reply = engine.ask(&format!("genmove {color}"));
        assert!(reply.starts_with("= "), "{reply}");
        let before = left[side];
        left[side] =
            before.checked_sub(start.elapsed()).ok_or_else(|| format!("{color} loses on time with {before:?} left"))?;
        passes = if reply == "= pass" { passes + 1 } else { 0 };
        side = 1 - side;
    }
    assert!(engine.ask("final_score").starts_with("= "));
    eprintln!("left of a second: {left:?}");
    assert!(engine.end().success());
    Ok(left)
}

#[test]
fn both_conventions_of_passing_lead_through_whole_games() {
    for explicit in [true, false] {
        let mut engine = Engine::start();
        engine.ask("volte-level 1");
        // Weak random-like openings make passes likely.
        for opening in ["", "b d3 w c3 b b3 w b2 b f5 w a3 b a1 w c1"] {
            engine.ask("clear_board");
            engine.ask(&format!("gogui-play_sequence {opening}"));
            play_to_the_end(&mut engine, explicit);
        }
        assert!(engine.end().success());
    }
}

fn play_to_the_end(engine: &mut Engine, explicit_passes: bool) {
    for _ in 0..130 {
        let legal = engine.ask("gogui-rules_legal_moves").to_lowercase();
        let side = engine.ask("gogui-rules_side_to_move").trim_start_matches("= ").to_owned();
        if legal == "=" {
            assert!(engine.ask("final_score").starts_with("= "));
            assert_ne!(engine.ask("gogui-rules_final_result"), "=");
            return;
        }
        let mover = match (legal.as_str(), side.as_str()) {
            ("= pass", "black") if !explicit_passes => "white",
            ("= pass", "white") if !explicit_passes => "black",
            _ => side.as_str(),
        };
        let reply = engine.ask(&format!("genmove {mover}"));
        let chosen = reply.trim_start_matches("= ").to_lowercase();
        assert!(mover != side || legal.split(' ').any(|mv| mv == chosen), "{mover}: {reply} of {legal}");
        assert!(explicit_passes || chosen != "pass");
    }
    panic!("the game does not end");
}

#[test]
fn the_readme_explains_every_command() {
    let readme = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap();
    for name in volte::protocol::gtp::command_names() {
        assert!(readme.contains(&format!("`{name}")), "{name} is not in the README");
    }
}
