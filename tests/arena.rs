//! `volte match` from outside: matches of Volte against itself and against engines that misbehave.

#[path = "arena/bad_engine.rs"]
mod bad_engine;

use assert_cmd::Command;
use serde_json::Value;
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use volte::board::Color;
use volte::game::transcript;

/// How long the child of a bad engine sleeps: a number that no other process has on its command line.
const CHILD_SECONDS: &str = "1234.56789";

#[test]
#[ignore = "this is the engine that the other tests start"]
fn act_as_bad_engine() {
    bad_engine::act();
}

/// A folder with the files of one match.
struct Files(TempDir);

impl Files {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// `volte match` with its JSON going here.
    fn volte_match(&self, arguments: &[&str]) -> Command {
        let mut command = Command::cargo_bin("volte").expect("the program is built");
        command.arg("match").args(arguments).arg("--json").arg(self.path("match.json"));
        command.timeout(Duration::from_secs(300));
        command
    }

    fn games(&self) -> Vec<Value> {
        let mut lines = json_lines(&self.path("match.json"));
        assert!(lines.pop().is_some_and(|last| last.get("summary").is_some()), "the last line is the summary");
        lines
    }

    fn summary(&self) -> Value {
        json_lines(&self.path("match.json")).pop().expect("there are lines")["summary"].take()
    }
}

fn json_lines(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).expect("the match was written");
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))).collect()
}

/// The description of an engine that misbehaves.
fn bad(mode: &str, more: &str) -> String {
    format!("command=\"{}\" name=bad {more}", bad_engine::command(mode))
}

/// Plays `bad` against a weak Volte and returns the games, all of which have to be there.
fn match_against(files: &Files, bad: &str, more: &[&str]) -> Vec<Value> {
    let engines = ["--engine", bad, "--engine", "volte level=1 name=volte hash=1", "--pairs", "2"];
    files.volte_match(&[&engines, more].concat()).assert().success();
    let games = files.games();
    assert_eq!(games.len(), 4);
    games
}

/// Every game was lost by the bad engine for this reason.
fn assert_lost_by(games: &[Value], reason: &str) {
    for game in games {
        assert_eq!(game["reason"], reason, "{game}");
        assert_eq!(game["winner"], "volte", "{game}");
        assert!(game["discs"].is_null(), "{game}");
    }
}

#[test]
fn volte_plays_itself_and_everything_is_written() {
    let files = Files::new();
    let (transcripts, ggf) = (files.path("match.txt"), files.path("match.ggf"));
    files
        .volte_match(&[
            "-e",
            "volte level=1 hash=1",
            "-e",
            "volte level=3 hash=1",
            "--pairs",
            "12",
            "--concurrency",
            "2",
        ])
        .args(["--force", "--exact-check", "8", "--transcript"])
        .arg(&transcripts)
        .arg("--ggf")
        .arg(&ggf)
        .assert()
        .success();
    let games = files.games();
    assert_eq!(games.len(), 24);
    for pair in games.chunks(2) {
        assert_eq!(pair[0]["pair"], pair[1]["pair"]);
        assert_eq!(pair[0]["opening"], pair[1]["opening"]);
        assert_eq!(pair[0]["black"], pair[1]["white"]);
        assert_eq!(pair[0]["black"], "volte-level1");
    }
    let openings: HashSet<_> = games.iter().map(|game| game["opening"].as_str().expect("text")).collect();
    assert_eq!(openings.len(), 12, "each opening comes once");
    for game in &games {
        let moves = game["moves"].as_str().expect("text");
        let played = transcript::parse(moves).expect("the moves are legal");
        let score = played.result().expect("the game is over").score;
        assert_eq!(game["discs"], score.discs());
        assert!(moves.starts_with(game["opening"].as_str().expect("text")));
        assert_eq!(game["exact_check"]["empties"], 8);
    }
    let summary = files.summary();
    let [weak, strong] = [0, 1].map(|index| &summary["engines"][index]);
    assert_eq!((&weak["games"], &strong["games"]), (&Value::from(24), &Value::from(24)));
    assert_eq!(weak["wins"], strong["losses"]);
    assert!(strong["disc_difference"].as_f64() > Some(0.0), "{summary}");
    assert_eq!(weak["disc_difference"].as_f64().map(|discs| -discs), strong["disc_difference"].as_f64());
    let pairs: u64 = summary["pentanomial"].as_array().expect("five").iter().filter_map(Value::as_u64).sum();
    assert_eq!((pairs, &summary["complete"]), (12, &Value::from(true)));
    let text = fs::read_to_string(transcripts).expect("written");
    for (line, game) in text.lines().zip(&games) {
        let (moves, rest) = line.split_once(" # ").expect("moves and the rest");
        assert_eq!(moves, game["moves"]);
        assert!(rest.contains(game["result"].as_str().expect("text")), "{rest}");
    }
    let text = fs::read_to_string(ggf).expect("written");
    assert_eq!(text.lines().count(), 24);
    for (line, game) in text.lines().zip(&games) {
        let read = volte::game::ggf::parse(line).expect("it is GGF");
        assert_eq!(transcript::write(&read.game), game["moves"].as_str().expect("text"));
        assert_eq!(read.black.name.as_deref(), game["black"].as_str());
    }
}

#[test]
fn the_same_match_has_the_same_games() {
    let moves = || {
        let files = Files::new();
        let arguments = ["-e", "volte level=2 hash=1", "-e", "volte level=1 hash=1", "--pairs", "5", "--shuffle", "3"];
        files.volte_match(&arguments).assert().success();
        files.games().iter().map(|game| game["moves"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(moves(), moves());
}

#[test]
fn a_crash_loses_the_game_and_the_match_goes_on() {
    let files = Files::new();
    let games = match_against(&files, &bad("crash", ""), &[]);
    assert_lost_by(&games, "crash");
    let detail = games[0]["detail"].as_str().expect("text");
    assert!(detail.contains("exit status: 3") && detail.contains("out of luck"), "{detail}");
    assert_eq!(files.summary()["engines"][0]["faults"]["crash"], 4);
    assert_eq!(files.summary()["pentanomial"][0], 2);
}

#[test]
fn illegal_moves_lose() {
    for mode in ["illegal", "pass"] {
        let games = match_against(&Files::new(), &bad(mode, ""), &[]);
        assert_lost_by(&games, "illegal");
        assert!(games[0]["detail"].as_str().expect("text").starts_with("illegal move"), "{}", games[0]);
    }
}

#[test]
fn nonsense_and_refusals_lose() {
    assert_lost_by(&match_against(&Files::new(), &bad("nonsense", ""), &[]), "garbage");
    assert_lost_by(&match_against(&Files::new(), &bad("refuse", ""), &[]), "refusal");
}

#[test]
fn resigning_loses() {
    let games = match_against(&Files::new(), &bad("resign", ""), &[]);
    // It keeps its count from game to game, as it is not restarted.
    assert_eq!(games.iter().filter(|game| game["reason"] == "resigned").count(), 1);
    let resigned = games.iter().find(|game| game["reason"] == "resigned").expect("one was resigned");
    assert!(resigned["result"].as_str().expect("text").ends_with("+R"));
}

#[test]
fn a_lost_clock_loses() {
    let files = Files::new();
    let start = Instant::now();
    let games = match_against(&files, &bad("sleep", "time=0.2"), &["--margin", "0.1"]);
    assert!(start.elapsed() < Duration::from_secs(60));
    assert_lost_by(&games, "time");
    assert!(games[0]["result"].as_str().expect("text").ends_with("+T"));
    // 30 ms for each move, and 300 ms of time.
    assert_lost_by(&match_against(&Files::new(), &bad("slow", "time=0.3"), &["--margin", "0"]), "time");
    let games = match_against(&Files::new(), &bad("slow", "time=1/move"), &[]);
    assert!(games.iter().all(|game| game["reason"] == "board"));
    let seconds: f64 =
        games[0]["turns"].as_array().expect("turns").iter().filter_map(|turn| turn["seconds"].as_f64()).sum();
    let told =
        games[0]["black_seconds"].as_f64().expect("a number") + games[0]["white_seconds"].as_f64().expect("a number");
    assert!((seconds - told).abs() < 1e-3, "{seconds} {told}");
    assert!(games[0]["black_seconds"].as_f64() > Some(0.6));
}

#[test]
fn silence_without_a_clock_loses() {
    assert_lost_by(&match_against(&Files::new(), &bad("sleep", ""), &["--silence", "0.3"]), "silence");
}

#[test]
fn noise_does_no_harm() {
    let games = match_against(&Files::new(), &bad("noise", "time=100"), &[]);
    assert!(games.iter().all(|game| game["reason"] == "board"), "{games:?}");
}

#[test]
fn an_engine_that_does_not_start_ends_the_match() {
    let files = Files::new();
    let engine = bad("no-start", "");
    let output = files.volte_match(&["-e", &engine, "-e", "volte level=1 hash=1", "--pairs", "9"]).assert().code(2);
    let text = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
    assert!(text.contains("bad does not start"), "{text}");
    files.volte_match(&["-e", "command=/no/such/engine", "-e", "volte", "--overwrite"]).assert().code(2);
}

/// An opening after which Black has to pass, and one after which nobody has to for a while.
const PASS_OPENING: &str = "d3c3b3b2f5a3a1c1\n";

#[test]
fn passes_are_told_in_the_way_each_engine_understands() {
    let files = Files::new();
    let (openings, log) = (files.path("openings.txt"), files.path("log.txt"));
    fs::write(&openings, PASS_OPENING).expect("the folder is ours");
    let passes_sent = |mode: &str, more: &str| {
        let more = format!("passes={more}");
        let _ = fs::remove_file(files.path("match.json"));
        let (openings, log) = (openings.to_string_lossy(), log.to_string_lossy());
        let games = match_against(&files, &bad(mode, &more), &["--openings", &openings, "--log", &log]);
        assert!(games.iter().all(|game| game["reason"] == "board"), "{games:?}");
        let text = fs::read_to_string(&*log).expect("written");
        text.lines().filter(|line| line.contains(" bad < play") && line.ends_with("pass")).count()
    };
    assert!(passes_sent("good", "told") >= 4);
    assert!(passes_sent("good", "learn") >= 4);
    assert_eq!(passes_sent("good", "omitted"), 0);
    assert_eq!(passes_sent("deaf-to-passes", "learn"), 1, "it is told until it refuses to hear it");
}

#[test]
fn both_clocks_are_told_in_whole_seconds_if_need_be() {
    let files = Files::new();
    let log = files.path("log.txt");
    let games = match_against(&files, &bad("whole-seconds", "time=60.5+0.5"), &["--log", &log.to_string_lossy()]);
    assert!(games.iter().all(|game| game["reason"] == "board"));
    let text = fs::read_to_string(log).expect("written");
    let sent = |part: &str| text.lines().filter(|line| line.contains(&format!(" bad < {part}"))).count();
    assert_eq!(sent("time_settings 60.5 0.5 0"), 1, "refused once");
    assert_eq!(sent("time_settings 60 0 0"), 4);
    assert!(sent("time_left b ") > 50 && sent("time_left w ") > 50);
    assert_eq!(
        text.lines().filter(|line| line.contains("bad < time_left") && line.contains('.')).count(),
        sent("time_left")
    );
}

#[test]
fn an_nboard_engine_plays() {
    let files = Files::new();
    let openings = files.path("openings.txt");
    fs::write(&openings, PASS_OPENING).expect("the folder is ours");
    let games =
        match_against(&files, &bad("nboard", "protocol=nboard depth=3"), &["--openings", &openings.to_string_lossy()]);
    assert!(games.iter().all(|game| game["reason"] == "board"), "{games:?}");
    assert!(games[0]["turns"].as_array().expect("turns").iter().any(|turn| turn["opinion"] == -1.5));
}

#[test]
fn nobody_is_left_running() {
    let files = Files::new();
    match_against(&files, &bad("child", ""), &[]);
    fs::remove_file(files.path("match.json")).expect("written");
    match_against(&files, &bad("stubborn", ""), &[]);
    let processes = fs::read_dir("/proc").map(|entries| {
        entries.flatten().filter_map(|entry| fs::read(entry.path().join("cmdline")).ok()).collect::<Vec<_>>()
    });
    for command in processes.unwrap_or_default() {
        assert!(!String::from_utf8_lossy(&command).contains(CHILD_SECONDS), "the child of an engine is still there");
    }
}

#[test]
fn three_engines_are_rated() {
    let files = Files::new();
    files
        .volte_match(&["-e", "volte level=1 hash=1", "-e", "volte level=2 hash=1", "-e", "volte level=3 hash=1"])
        .args(["--pairs", "10", "--shuffle", "1"])
        .assert()
        .success();
    assert_eq!(files.games().len(), 60);
    let summary = files.summary();
    let elo: Vec<f64> = (0..3).filter_map(|index| summary["engines"][index]["elo"].as_f64()).collect();
    assert_eq!(elo.len(), 3, "{summary}");
    assert!(elo.iter().sum::<f64>().abs() < 1e-3 && elo[0] < elo[2], "{elo:?}");
}

#[test]
fn volte_is_told_a_depth_or_a_number_of_nodes() {
    let files = Files::new();
    let log = files.path("log.txt");
    let engines = ["-e", "volte depth=2 hash=1", "-e", "volte nodes=2000 hash=1", "--pairs", "2"];
    files.volte_match(&engines).arg("--log").arg(&log).assert().success();
    let text = fs::read_to_string(log).expect("written");
    assert!(
        text.contains("volte-depth2 < volte-options depth 2")
            && text.contains("volte-nodes2000 < volte-options nodes 2000")
    );
    // An engine that cannot be told says so before any game.
    let output = Files::new().volte_match(&["-e", &bad("good", "depth=3"), "-e", "volte level=1"]).assert().code(2);
    let text = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
    assert!(text.contains("cannot be told its depth"), "{text}");
}

#[test]
fn a_test_ends_the_match_and_its_verdict_is_the_exit_code() {
    let files = Files::new();
    let arguments =
        ["-e", "volte level=1 hash=1", "-e", "volte level=4 hash=1", "--sprt", "0,50", "--sprt-discs", "0,2"];
    files.volte_match(&arguments).assert().code(1);
    let summary = files.summary();
    assert!(summary["pairs"].as_u64() < Some(200), "{summary}");
    assert!(summary["sprt"]["verdict"] == "lower" || summary["sprt_discs"]["verdict"] == "lower", "{summary}");
    let arguments = ["-e", "volte level=4 hash=1", "-e", "volte level=1 hash=1", "--sprt", "0,50", "--overwrite"];
    files.volte_match(&arguments).assert().code(0);
    assert_eq!(files.summary()["sprt"]["verdict"], "upper");
}

#[test]
fn threads_beyond_the_cores_need_force() {
    let files = Files::new();
    let output =
        files.volte_match(&["-e", "volte level=1", "-e", "volte level=1", "--concurrency", "5000"]).assert().code(2);
    let text = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
    assert!(text.contains("--force") && text.contains("cores"), "{text}");
}

#[test]
fn a_match_is_not_overwritten_by_a_slip() {
    let files = Files::new();
    match_against(&files, "volte level=1 name=bad hash=1", &[]);
    files.volte_match(&["-e", "volte level=1", "-e", "volte level=2"]).assert().code(2);
    assert_eq!(files.games().len(), 4);
    let output = files.volte_match(&["-e", "volte level=1", "-e", "volte level=2", "--resume"]).assert().code(2);
    let text = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
    assert!(text.contains("not of this match"), "{text}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_cleanly_and_the_match_is_resumed() {
    let files = Files::new();
    let json = files.path("match.json");
    let arguments = ["match", "-e", "volte level=3 hash=1", "-e", "volte level=2 hash=1", "--pairs", "40", "--json"];
    let mut running = std::process::Command::new(assert_cmd::cargo::cargo_bin("volte"))
        .args(arguments)
        .arg(&json)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program is built");
    let lines = || fs::read_to_string(&json).map_or(0, |text| text.lines().count());
    let start = Instant::now();
    while lines() < 6 && start.elapsed() < Duration::from_secs(60) {
        sleep(Duration::from_millis(2));
    }
    let process = rustix::process::Pid::from_child(&running);
    rustix::process::kill_process(process, rustix::process::Signal::INT).expect("it runs");
    let status = running.wait().expect("it is ours");
    assert_eq!(status.code(), Some(1));
    let kept = files.games();
    assert!(kept.len() >= 6 && kept.len() < 80 && kept.len().is_multiple_of(2), "{} games", kept.len());
    assert_eq!(files.summary()["complete"], false);
    files.volte_match(&arguments[1..arguments.len() - 1]).arg("--resume").assert().success();
    let games = files.games();
    assert_eq!(games.len(), 80);
    assert_eq!(games[..kept.len()], kept[..], "what was finished is kept");
    let pairs: HashSet<_> = games.iter().map(|game| game["pair"].as_u64()).collect();
    assert_eq!(pairs.len(), 40);
    assert_eq!(files.summary()["engines"][0]["games"], 80);
    assert_eq!(files.summary()["complete"], true);
}

/// GRhino refuses to hear of passes and reads whole seconds only.
#[test]
fn grhino_plays() {
    let places = ["/usr/games/gtp-rhino", "/usr/bin/gtp-rhino", "/usr/local/bin/gtp-rhino"];
    let Some(grhino) = places.into_iter().find(|place| Path::new(place).exists()) else {
        eprintln!("SKIPPED: gtp-rhino (package grhino) is not installed");
        return;
    };
    let files = Files::new();
    let openings = files.path("openings.txt");
    fs::write(&openings, PASS_OPENING.to_owned() + "f5d6c3d3c4f4f6f3\n").expect("the folder is ours");
    files
        .volte_match(&["-e", "volte level=2 hash=1", "-e", &format!("command={grhino} name=GRhino"), "--pairs", "2"])
        .args(["--time", "20.5+0.5", "--openings"])
        .arg(&openings)
        .assert()
        .success();
    let games = files.games();
    assert_eq!(games.len(), 4);
    for game in &games {
        assert_eq!(game["reason"], "board", "{game}");
        let played = transcript::parse(game["moves"].as_str().expect("text")).expect("legal");
        assert!(played.is_over());
        assert!(game["black"] == "GRhino" || game["white"] == "GRhino");
    }
    let passed = transcript::parse(games[0]["moves"].as_str().expect("text")).expect("legal");
    assert!(passed.turns().any(|turn| turn.color == Color::Black && turn.mv.square().is_none()));
}
