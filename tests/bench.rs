//! `volte bench` and `volte perft` from outside: the signature of the search and the counts of the rules.

use assert_cmd::Command;
use std::path::Path;

fn run(arguments: &[&str]) -> String {
    let mut command = Command::cargo_bin("volte").expect("the binary is built");
    let output = command.args(arguments).assert().code(0).get_output().stdout.clone();
    String::from_utf8(output).expect("the output is UTF-8")
}

/// A changed number is a changed search: see CONTRIBUTING.md. Every build has the same one.
#[test]
fn the_signature_is_the_known_one() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/bench.signature");
    let Ok(known) = std::fs::read_to_string(&file) else {
        eprintln!("SKIPPED: {} is missing", file.display());
        return;
    };
    let out = run(&["bench"]);
    assert_eq!(out.lines().last(), Some(format!("Bench: {}", known.trim()).as_str()));
}

#[test]
fn counts_from_the_start_are_the_known_ones() {
    let out = run(&["perft", "9"]);
    let counts: Vec<_> = out.lines().skip(1).filter_map(|line| line.split_whitespace().nth(1)).collect();
    assert_eq!(counts, ["4", "12", "56", "244", "1,396", "8,200", "55,092", "390,216", "3,005,288"]);
}

#[test]
fn counts_start_from_any_board() {
    let board = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X";
    let out = run(&["perft", "1", "--position", board]);
    assert_eq!(out.lines().last().and_then(|line| line.split_whitespace().nth(1)), Some("4"));
    for arguments in [&["perft"][..], &["perft", "x"], &["perft", "99"], &["perft", "1", "--position", "-XO"]] {
        let mut command = Command::cargo_bin("volte").expect("the binary is built");
        command.args(arguments).assert().code(2);
    }
}
