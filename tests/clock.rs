//! Games on short clocks, played by real processes on a machine that is busy with other things.

use assert_cmd::Command;
use serde_json::Value;
use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// Runs `work` while every core is kept busy by others.
fn on_a_busy_machine<T>(work: impl FnOnce() -> T) -> T {
    let over = AtomicBool::new(false);
    let cores = thread::available_parallelism().map_or(1, Into::into);
    thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                while !over.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        let result = work();
        over.store(true, Ordering::Relaxed);
        result
    })
}

/// Plays pairs of games at a time control and gives the lines that were written about them.
fn games(control: &str, pairs: &str, engine: &str) -> Vec<Value> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("match.json");
    let mut command = Command::cargo_bin("volte").expect("the program is built");
    command.args(["match", "--time", control, "--pairs", pairs, "--force"]);
    command.args(["-e", &format!("volte hash=4 name=one {engine}"), "-e", &format!("volte hash=4 name=two {engine}")]);
    command.arg("--json").arg(&path).timeout(Duration::from_secs(300)).assert().success();
    let text = fs::read_to_string(&path).expect("the match was written");
    let mut lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    lines.pop();
    lines
}

#[test]
fn nobody_loses_on_time_on_a_busy_machine() {
    on_a_busy_machine(|| {
        for (control, pairs) in [("0.3", "4"), ("1", "1"), ("0.3+0.02", "2"), ("0.2+0.05/1", "1"), ("0.02/move", "1")] {
            for game in games(control, pairs, "") {
                assert_eq!(game["reason"], "board", "{control}: {game}");
            }
        }
    });
}

#[test]
fn most_of_a_short_clock_is_used() {
    let games = games("0.5", "3", "");
    let sum = |name: &str| games.iter().map(|game| game[name].as_f64().expect("a number")).sum::<f64>();
    let (used, given) = (sum("black_seconds") + sum("white_seconds"), sum("black_given") + sum("white_given"));
    assert!((given - 6.0).abs() < 1e-6, "{given}");
    assert!(used > 0.7 * given, "{used} of {given}");
}

#[test]
fn an_overhead_that_is_set_is_left_unused() {
    // Of half a second, 20 moves lose 20 ms each.
    let games = games("0.5", "1", "overhead=10");
    for game in games {
        let turns = game["turns"].as_array().expect("turns");
        let longest = turns.iter().filter_map(|turn| turn["seconds"].as_f64()).fold(0.0, f64::max);
        assert!(longest < 0.25, "{longest}");
        assert_eq!(game["reason"], "board", "{game}");
    }
}
