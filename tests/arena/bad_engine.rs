//! An engine that misbehaves in a way that is asked for: the counterpart of the arena's tests.
//!
//! The test program starts itself again as this engine, so no further program has to be built.

#![expect(clippy::exit, clippy::print_stdout, reason = "this is a program of its own, and one that crashes")]

use std::io::{self, BufRead, Write};
use std::process::{Command, Stdio, exit};
use std::thread::sleep;
use std::time::Duration;
use volte::board::{Color, Move};
use volte::game::Game;

/// Names the way to misbehave, and makes a process the engine.
const MODE: &str = "VOLTE_TEST_BAD_ENGINE";

/// The command line of an engine that misbehaves in this way.
pub(crate) fn command(mode: &str) -> String {
    let program = std::env::current_exe().expect("the test program knows where it is");
    format!("env {MODE}={mode} '{}' act_as_bad_engine --exact --ignored --nocapture -q", program.display())
}

/// Plays the engine if the process was started as one.
pub(crate) fn act() {
    let Ok(mode) = std::env::var(MODE) else { return };
    // The test harness may have left a line unfinished.
    println!();
    match mode.as_str() {
        "no-start" => exit(9),
        "nboard" => nboard(),
        _ => gtp(&mode),
    }
    exit(0);
}

/// The first legal move, in the order of the board.
fn simple_move(game: &Game) -> Move {
    game.position().moves().first().map_or(Move::Pass, Move::Place)
}

fn gtp(mode: &str) {
    let mut game = Game::new();
    let mut asked = 0;
    let mut out = io::stdout();
    if mode == "child" {
        // A process that inherits the pipes and outlives its parent.
        let child = Command::new("sleep").arg(super::CHILD_SECONDS).stdin(Stdio::null()).spawn();
        drop(child.expect("sleep is a program"));
    }
    for line in io::stdin().lock().lines() {
        let line = line.expect("the arena writes text");
        let words: Vec<&str> = line.split_whitespace().collect();
        if mode == "noise" {
            make_noise(&mut out);
        }
        let reply = match words[..] {
            ["list_commands"] => Ok("name\nclear_board\nplay\ngenmove\ntime_settings\ntime_left\nquit".to_owned()),
            ["name"] => Ok(format!("bad {mode}")),
            ["clear_board"] => {
                game = Game::new();
                Ok(String::new())
            }
            ["play", _, "pass"] if mode == "deaf-to-passes" => Err("syntax error"),
            ["play", color, vertex] => {
                let color = if color == "b" { Color::Black } else { Color::White };
                game.play_as(color, vertex.parse().expect("the arena sends moves"))
                    .expect("the arena sends legal ones");
                Ok(String::new())
            }
            ["time_settings" | "time_left", ..] if mode == "whole-seconds" && line.contains('.') => Err("syntax error"),
            ["time_settings" | "time_left", ..] => Ok(String::new()),
            ["genmove", _] => {
                asked += 1;
                if game.position().must_pass() {
                    game.play(Move::Pass).expect("the pass is forced");
                }
                misbehave(mode, asked).unwrap_or_else(|| {
                    let mv = simple_move(&game);
                    game.play(mv).expect("the move is legal");
                    Ok(mv.to_string().to_uppercase())
                })
            }
            ["quit"] if mode == "stubborn" => continue,
            ["quit"] => {
                let _ = write!(out, "=\n\n");
                return;
            }
            _ => Err("unknown command"),
        };
        let end = if mode == "noise" { "\r\n" } else { "\n" };
        let text = match reply {
            Ok(text) => format!("= {}{end}{end}", text.replace('\n', end)),
            Err(text) => format!("? {text}{end}{end}"),
        };
        if out.write_all(text.as_bytes()).and_then(|()| out.flush()).is_err() {
            return;
        }
    }
    if mode == "stubborn" {
        sleep(Duration::from_secs(1000));
    }
}

/// What it says instead of a move, if it does not play one this time.
fn misbehave(mode: &str, asked: u32) -> Option<Result<String, &'static str>> {
    match mode {
        "crash" if asked == 3 => {
            eprintln!("out of luck");
            exit(3);
        }
        "sleep" => {
            sleep(Duration::from_secs(1000));
            None
        }
        "slow" => {
            sleep(Duration::from_millis(30));
            None
        }
        "illegal" if asked == 2 => Some(Ok("A1".to_owned())),
        "pass" if asked == 2 => Some(Ok("pass".to_owned())),
        "nonsense" => Some(Ok("banana".to_owned())),
        "refuse" => Some(Err("I will not")),
        "resign" if asked == 5 => Some(Ok("resign".to_owned())),
        _ => None,
    }
}

/// Lines that mean nothing, one of them very long, and a lot of complaints.
fn make_noise(out: &mut impl Write) {
    let long = "x".repeat(1 << 20);
    let _ = write!(out, "thinking…\r\n\r\ninfo depth 3\n{long}\n\u{7}\n");
    for _ in 0..300 {
        eprintln!("complaint {}", &long[..1000]);
    }
}

fn nboard() {
    let mut game = Game::new();
    let mut out = io::stdout();
    for line in io::stdin().lock().lines() {
        let line = line.expect("the arena writes text");
        let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
        let reply = match word {
            "nboard" => "set myname Bad".to_owned(),
            "ping" => format!("pong {rest}"),
            "set" => {
                if let Some(text) = rest.strip_prefix("game ") {
                    game = volte::game::ggf::parse(text).expect("the arena writes GGF").game;
                }
                continue;
            }
            "move" => {
                let mv = rest.split('/').next().unwrap_or_default();
                game.play(mv.parse().expect("the arena sends moves")).expect("the arena sends legal ones");
                continue;
            }
            "go" => format!("status Thinking\nnodestats 1 0.0\n=== {}/-1.50/0.00\nstatus", simple_move(&game)),
            _ => continue,
        };
        if writeln!(out, "{reply}").and_then(|()| out.flush()).is_err() {
            return;
        }
    }
}
