//! The real binary from a terminal: exit codes, refusals, and a game against it.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::io::Write;
use std::process::{Command, Output, Stdio};

fn volte(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("volte"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

#[test]
fn help_and_versions_are_no_errors() {
    for arguments in [&["--help"][..], &["--version"], &["gtp", "--help"], &["levels"]] {
        let output = volte(arguments, "");
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
        assert!(!output.stdout.is_empty() && output.stderr.is_empty(), "{arguments:?}");
    }
}

#[test]
fn bad_usage_is_refused_with_a_reason_and_exit_code_2() {
    let cases = [
        (&[][..], "Usage"),
        (&["frobnicate"], "frobnicate"),
        (&["gtp", "--threads", "0"], "at least 1"),
        (&["gtp", "--threads", "-1"], "at least 1"),
        (&["gtp", "--threads", "10000"], "at most 256"),
        (&["gtp", "--threads", "many"], "not a whole number"),
        (&["gtp", "--hash", "0"], "at least 1"),
        (&["gtp", "--hash", "-3"], "at least 1"),
        (&["gtp", "--hash", "123456789012345678901234567890"], "at most"),
        (&["play", "--level", "61"], "0 to 60"),
        (&["play", "--level", "-1"], "0 to 60"),
        (&["play", "--color", "red"], "red"),
    ];
    for (arguments, reason) in cases {
        let output = volte(arguments, "");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(text(&output.stderr).contains(reason), "{arguments:?}: {}", text(&output.stderr));
        assert!(output.stdout.is_empty(), "{arguments:?}");
    }
}

#[test]
fn odd_sizes_are_accepted() {
    for size in ["1", "3", "37"] {
        let output =
            volte(&["gtp", "--no-book", "--threads", "3", "--hash", size, "--level", "2"], "genmove b\nquit\n");
        assert_eq!(output.status.code(), Some(0));
        assert!(text(&output.stdout).starts_with("= "), "{}", text(&output.stdout));
    }
}

#[test]
fn weights_can_be_replaced_and_wrong_files_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let shipped = include_bytes!("../src/eval/default.weights");
    let game = "genmove b\nvolte-stop\n";
    let usual = volte(&["gtp", "--no-book", "--level", "6"], game);
    let same = volte(&["gtp", "--no-book", "--level", "6", "--eval-file", &file("same.eval", shipped)], game);
    assert_eq!((same.status.code(), &same.stdout), (Some(0), &usual.stdout));
    let bad = [
        (file("short.eval", &shipped[..1000]), "truncated"),
        (file("foreign.eval", b"EDAX eval"), "not a file of Volte"),
        ("no/such.eval".to_owned(), "No such file"),
    ];
    for (path, reason) in bad {
        for command in [&["gtp"][..], &["play"], &["bench"], &["book", "grow", "no.book"]] {
            let output = volte(&[command, &["--eval-file", &path]].concat(), "");
            assert_eq!(output.status.code(), Some(2), "{command:?} {path}");
            let said = text(&output.stderr);
            assert!(said.contains(&path) && said.contains(reason), "{said}");
        }
    }
}

#[test]
fn a_game_in_the_terminal_has_moves_undo_redo_hints_levels_and_colours() {
    let played = |input: &str| {
        let output = volte(&["play", "--level", "1"], input);
        assert_eq!(output.status.code(), Some(0));
        text(&output.stdout).to_owned()
    };
    let start = played("quit\n");
    assert!(start.contains("  4 - - . O X - - -"), "the moves of black are dotted: {start}");
    assert!(played("f5\n").contains("Volte plays "));
    assert!(played("f6\n").contains("illegal move f6"));
    assert!(played("pass\n").contains("illegal move pass"));
    assert!(played("undo\n").contains("nothing to take back"));
    assert!(played("redo\n").contains("nothing to play again"));
    assert_eq!(played("f5\nundo\n").matches("Black (X) 2, White (O) 2").count(), 2);
    assert_eq!(played("f5\nundo\nredo\n").matches("Black (X) 3, White (O) 3").count(), 2);
    assert_eq!(played("hint 9\n").matches("depth 1").count(), 4);
    assert!(played("level 7\n").contains("Level 7."));
    assert!(played("level 99\n").contains("`99` is not a level"));
    assert!(played("color white\n").contains("Volte plays "));
    assert!(played("color red\n").contains("neither black nor white"));
    assert!(played("castle kingside\n").contains("means nothing"));
    assert!(played("help\n").contains("undo, redo"));
}

#[test]
fn a_whole_game_in_the_terminal_comes_to_an_end() {
    // The engine against itself: the user changes sides whenever it is his turn.
    let output = volte(&["play", "--level", "0"], &"color white\ncolor black\n".repeat(70));
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output.stdout).contains("The game is over: "), "{}", text(&output.stdout));
}

#[test]
fn nobody_reading_is_no_crash() {
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("volte"))
        .arg("levels")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""));
}

#[test]
fn the_example_of_the_readme_works() {
    let readme = include_str!("../README.md");
    let (_, example) = readme.split_once("gtp <<END\n").unwrap();
    let (script, _) = example.split_once("END\n").unwrap();
    assert!(script.contains("genmove"));
    let output = volte(&["gtp", "--no-book", "--hash", "16"], script);
    let replies: Vec<_> = text(&output.stdout).split_terminator("\n\n").collect();
    assert_eq!(replies.len(), script.lines().count(), "{replies:?}");
    assert!(replies.iter().all(|reply| reply.starts_with('=')), "{replies:?}");
}
