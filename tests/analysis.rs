//! `volte analyze`, `eval`, `hint` and `best` and what they print, the real binary; and the examples that use them.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

const START: &str = "---------------------------OX------XO--------------------------- X";
/// FFO 20, six empty squares: h5 wins by 6, h6 loses by 10.
const FFO20: &str = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X";
/// Black has to pass after it.
const BEFORE_PASS: &str = "d3c3b3b2f5a3a1c1";
/// The end of the game.
const WIPED_OUT: &str = "e6f4e3f6g5d6e7f5c5";

fn volte() -> Command {
    Command::new(assert_cmd::cargo::cargo_bin!("volte"))
}

/// Exit code, standard output, standard error.
fn run(command: &mut Command, input: &str) -> (i32, String, String) {
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().unwrap();
    // A program that does not read its input may have ended.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn answers(arguments: &[&str], input: &str) -> (i32, String, String) {
    run(volte().args(arguments), input)
}

/// The objects of an output, each checked against the schema.
fn objects(text: &str) -> Vec<Value> {
    let schema: Value = serde_json::from_str(volte::analysis::json::SCHEMA).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let object = |line: &str| {
        let object: Value = serde_json::from_str(line).unwrap();
        if let Err(error) = validator.validate(&object) {
            panic!("{error}: {line}");
        }
        object
    };
    text.lines().map(object).collect()
}

#[test]
fn a_static_value_is_in_discs() {
    let (code, out, err) = answers(&["eval", "--json"], &format!("{START}\n\n{BEFORE_PASS}\n{WIPED_OUT}\n# end\n"));
    assert_eq!((code, err.as_str()), (0, ""));
    let found = objects(&out);
    let fields = |index: usize| (&found[index]["type"], &found[index]["line"], &found[index]["unit"]);
    assert_eq!(fields(0), (&"eval".into(), &1.into(), &"discs".into()));
    assert_eq!((found.len(), &found[1]["line"], &found[2]["exact"]), (3, &3.into(), &true.into()));
    assert_eq!(found[2]["score"], -64);
    assert_eq!(found[0]["position"], START);
    let score = found[0]["score"].as_f64().unwrap();
    assert_eq!(answers(&["eval", ""], "").1, format!("{score:+.2}\n"));
    assert_eq!(answers(&["eval", WIPED_OUT], "").1, "-64\n");
    // A forced pass is worth what the other side has.
    let passed = answers(&["eval", &format!("{BEFORE_PASS}pa"), "--json"], "").1;
    assert_eq!(found[1]["score"].as_f64().unwrap(), -objects(&passed)[0]["score"].as_f64().unwrap());
}

#[test]
fn hints_are_the_best_moves_with_their_values() {
    let few = ["--level", "3", "--threads", "1", "--hash", "4"];
    let (code, out, _) = answers(&[&["hint", "3", FFO20, "--json"], &few[..]].concat(), "");
    let found = &objects(&out)[0];
    let lines = found["lines"].as_array().unwrap();
    let moves: Vec<_> = lines.iter().map(|line| (line["move"].as_str().unwrap(), &line["score"])).collect();
    assert_eq!((code, moves), (0, vec![("h5", &6.into()), ("g6", &(-2).into()), ("f6", &(-4).into())]));
    assert!(lines.iter().all(|line| line["exact"] == true && line["depth"] == 6), "{out}");

    let (_, out, _) = answers(&[&["hint", "2"], &few[..]].concat(), &format!("{FFO20}\n{BEFORE_PASS}\n{WIPED_OUT}\n"));
    let blocks: Vec<_> = out.split("\n\n").collect();
    assert_eq!(blocks.len(), 4, "{out}");
    let rows: Vec<Vec<_>> = blocks[0].lines().map(|row| row.split_whitespace().take(3).collect()).collect();
    assert_eq!(rows, [["h5", "+6", "6"], ["g6", "-2", "6"]]);
    assert!(blocks[1].starts_with("pass ") && blocks[2].is_empty(), "{out}");
    let (_, out, _) = answers(&[&["hint", WIPED_OUT, "--json"], &few[..]].concat(), "");
    assert_eq!(objects(&out)[0]["lines"], Value::Array(vec![]));
}

#[test]
fn the_best_move_in_every_kind_of_position() {
    let positions = format!("{FFO20}; H5:+6;\n{BEFORE_PASS}\n{WIPED_OUT}\nf5 f6 e6\n");
    let few = ["--level", "3", "--threads", "1", "--hash", "4"];
    let (code, out, err) = answers(&[&["best"], &few[..]].concat(), &positions);
    assert_eq!((code, err.as_str(), out.lines().count()), (0, "", 4));
    assert!(out.starts_with("h5\npass\n-\n"), "{out}");
    let (_, out, _) = answers(&[&["best", "--json"], &few[..]].concat(), &positions);
    let found = objects(&out);
    assert_eq!((&found[0]["move"], &found[0]["score"], &found[0]["exact"]), (&"h5".into(), &6.into(), &true.into()));
    assert!(found[1]["pv"].as_str().unwrap().starts_with("pa"), "{out}");
    assert_eq!((&found[2]["move"], &found[2]["score"], &found[2]["pv"]), (&Value::Null, &(-64).into(), &"".into()));
    assert_eq!((&found[3]["exact"], &found[3]["depth"]), (&false.into(), &3.into()));
    // What is solved takes no more of its time.
    let (code, out, _) = answers(&["best", FFO20, "--time", "1000", "--threads", "1", "--json"], "");
    assert_eq!((code, &objects(&out)[0]["exact"]), (0, &true.into()));
}

#[test]
fn what_cannot_be_read_is_told_and_the_others_are_answered() {
    let (code, out, err) = answers(&["best", "--level", "1", "--json"], "f5\nf5f5\nf5d6\n");
    assert_eq!((code, err.as_str()), (2, "volte: line 2: move 2: `f5` is illegal: the square is occupied\n"));
    let kinds: Vec<_> = objects(&out).iter().map(|object| object["type"].clone()).collect();
    assert_eq!(kinds, ["best", "error", "best"]);
    assert_eq!(objects(&out)[1]["error"], "move 2: `f5` is illegal: the square is occupied");
    let (code, out, err) = answers(&["eval", "hello"], "");
    assert_eq!((code, out.as_str(), err.as_str()), (2, "", "volte: move 1: `hello` is not a move\n"));
    for (arguments, reason) in [
        (&["best", "--time", "0"][..], "`0` is not a number of seconds above 0"),
        (&["best", "--time", "-1"], "`-1` is not a number of seconds above 0"),
        (&["best", "--time", "1", "--level", "3"], "cannot be used with"),
        (&["hint", "0"], "`0` is not a number of moves"),
        (&["hint", "f5", "d6"], "`f5` is not a number of moves"),
        (&["analyze"], "Usage"),
        (&["analyze", "none.txt"], "none.txt: cannot open"),
        (&["analyze", "none"], "the extension tells no format: give one with --from"),
    ] {
        let (code, out, err) = answers(arguments, "");
        assert_eq!((code, out.as_str()), (2, ""), "{arguments:?}");
        assert!(err.contains(reason), "{arguments:?}: {err}");
    }
}

#[test]
fn a_line_is_answered_before_the_next_is_written() {
    let mut child = volte().arg("eval").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    for moves in ["f5", "f5d6"] {
        writeln!(input, "{moves}").unwrap();
        let mut answer = String::new();
        output.read_line(&mut answer).unwrap();
        assert!(answer.starts_with(['+', '-']), "{answer}");
    }
    drop(input);
    assert!(child.wait().unwrap().success());
}

#[test]
fn games_are_reviewed_in_their_order_whoever_is_first() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("オセロ.txt"), format!("f5d6c3d3c4f4c5b3c2\n{BEFORE_PASS}\nf5f5\n{FFO20};h6\nf5d6\n")).unwrap();
    let analyze = |threads: &str| {
        let mut command = volte();
        command.args(["analyze", "--json", "--level", "3", "--hash", "8", "--threads", threads]);
        command.arg(path("オセロ.txt")).arg("--svg").arg(path("graph.svg"));
        let (code, out, err) = run(&mut command, "");
        assert_eq!(code, 2, "{err}");
        assert!(err.ends_with("line 3: move 2: `f5` is illegal: the square is occupied\n"), "{err}");
        objects(&out)
    };
    let mut found = analyze("1");
    let kinds: Vec<_> = found.iter().map(|object| object["type"].as_str().unwrap().to_owned()).collect();
    assert_eq!(kinds, ["game", "game", "error", "game", "game", "summary"]);
    let lines: Vec<_> = found[..5].iter().map(|object| object["line"].clone()).collect();
    assert_eq!(lines, [1, 2, 3, 4, 5]);
    let blunder = &found[3]["turns"][0];
    assert_eq!((&blunder["best_move"], &blunder["loss"], &blunder["exact"]), (&"h5".into(), &16.into(), &true.into()));
    assert_eq!(found[3]["loss"]["black"], serde_json::json!({"total": 16.0, "moves": 1, "errors": 1}));
    let summary = &found[5];
    assert_eq!((&summary["games"], &summary["bad"], &summary["positions"]), (&4.into(), &1.into(), &20.into()));
    // Times differ, nothing else.
    let mut parallel = analyze("3");
    for objects in [&mut found, &mut parallel] {
        for object in objects {
            object["seconds"] = 0.into();
            for turn in object["turns"].as_array_mut().into_iter().flatten() {
                turn["seconds"] = 0.into();
            }
        }
    }
    assert_eq!(found, parallel);
    let mut names: Vec<_> =
        fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    assert_eq!(names, ["graph-1.svg", "graph-2.svg", "graph-3.svg", "graph-4.svg", "オセロ.txt"]);
}

#[test]
fn a_review_for_people_has_a_table_sums_and_a_graph() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.pgn");
    fs::write(
        &path,
        format!(
            "[Event \"Open\"]\n[Black \"Zoë\"]\n[White \"B <i>\"]\n[FEN \"{}\"]\n\n1. f5 d6 *\n",
            "8/8/8/3pP3/3Pp3/8/8/8 b - - 0 1"
        ),
    )
    .unwrap();
    let graph = folder.path().join("one.svg");
    let mut command = volte();
    command.args(["analyze", "--level", "2", "--threads", "1"]).arg(&path).arg("--svg").arg(&graph);
    let (code, out, err) = run(&mut command, "");
    assert_eq!((code, err.as_str()), (0, ""));
    let heading = format!("{}, line 1: Zoë (black) - B <i> (white), Open\n", path.display());
    assert!(out.starts_with(&heading), "{out}");
    assert!(out.contains("\n  1  black  f5 ") && out.contains("black gave away 0.00 discs in 0 of 1 moves\n"), "{out}");
    assert!(out.contains("   0 ┼───\n") && out.contains("1 games, 2 positions; "), "{out}");
    let drawing = fs::read_to_string(graph).unwrap();
    assert!(drawing.contains("Zoë (black) - B &lt;i&gt; (white), Open</title>"), "{drawing}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_review_and_keeps_what_is_done() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.txt");
    // The first game is done at once; nobody waits for the second one.
    fs::write(&path, format!("{FFO20};h6\n{}\n", "f5d6c3d3c4f4c5b3c2e3d2c6b5")).unwrap();
    let mut command = volte();
    command.args(["analyze", "--json", "--time", "1000", "--threads", "1"]).arg(&path);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut out = String::new();
    output.read_line(&mut out).unwrap();
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    std::io::Read::read_to_string(&mut output, &mut out).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(1));
    let found = objects(&out);
    assert_eq!((&found[0]["complete"], &found[0]["loss"]["black"]["total"]), (&true.into(), &16.0.into()));
    let summary = found.last().unwrap();
    assert_eq!((&summary["type"], &summary["complete"]), (&"summary".into(), &false.into()));
}

#[test]
fn the_schema_is_printed_and_refuses_what_is_wrong() {
    let (code, out, _) = answers(&["schema"], "");
    assert_eq!(code, 0);
    let schema: Value = serde_json::from_str(&out).unwrap();
    assert!(jsonschema::meta::is_valid(&schema));
    let validator = jsonschema::validator_for(&schema).unwrap();
    let (_, out, _) = answers(&["eval", "", "--json"], "");
    let good: Value = serde_json::from_str(&out).unwrap();
    assert!(validator.is_valid(&good));
    for (field, value) in [("version", 2.into()), ("score", 65.into()), ("position", "X".into()), ("more", 1.into())] {
        let mut bad = good.clone();
        bad[field] = value;
        assert!(!validator.is_valid(&bad), "{bad}");
    }
}

#[test]
fn shells_get_completions_and_readers_manual_pages() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let (code, out, err) = answers(&["completions", shell], "");
        assert_eq!((code, err.as_str()), (0, ""));
        assert!(out.contains("analyze") && out.contains("level"), "{shell}");
    }
    assert_eq!(answers(&["completions", "tcsh"], "").0, 2);
    let (code, out, _) = answers(&["man"], "");
    assert_eq!(code, 0);
    assert!(out.contains(".TH volte 1") && out.contains("analyze"), "{out}");
    let folder = tempfile::tempdir().unwrap();
    let pages = folder.path().join("new/man1");
    let (code, out, err) = run(volte().arg("man").arg(&pages), "");
    assert_eq!((code, out.as_str(), err.as_str()), (0, "", ""));
    for page in ["volte.1", "volte-best.1", "volte-match-openings.1"] {
        assert!(fs::read_to_string(pages.join(page)).unwrap().contains(".SH NAME"), "{page}");
    }
}

/// Runs an example, if its interpreter is there.
fn example(interpreter: &str, arguments: &[&str], input: &str) -> Option<String> {
    if Command::new(interpreter).arg("-c").arg("").status().is_err() {
        eprintln!("SKIPPED: {interpreter} is not installed, scripts/examples/{} is not run", arguments[0]);
        return None;
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/examples").join(arguments[0]);
    let mut command = Command::new(interpreter);
    command.arg(script).args(&arguments[1..]).env("VOLTE", assert_cmd::cargo::cargo_bin!("volte"));
    let (code, out, err) = run(&mut command, input);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    Some(out)
}

#[test]
fn the_examples_work() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.txt");
    fs::write(&path, format!("{FFO20};h6\n{FFO20};h5\n")).unwrap();
    let path = path.to_str().unwrap();
    if let Some(out) = example("python3", &["blunders.py", path], "") {
        assert!(out.starts_with("1: 1. h6 lost 16, better h5") && out.lines().count() == 1, "{out}");
    }
    if let Some(out) =
        example("python3", &["annotate.py"], &format!("name,position\nnone,\nffo,{FFO20}\nend,{WIPED_OUT}\n"))
    {
        assert_eq!(out, format!("name,position,best,score\nnone,,,\nffo,{FFO20},h5,6\nend,{WIPED_OUT},,-64\n"));
    }
    let near_the_end = format!("{FFO20};g6");
    if let Some(out) = example("sh", &["play_out.sh", &near_the_end, "1"], "") {
        assert!(out.starts_with(&near_the_end) && volte::game::transcript::parse(&out).unwrap().is_over(), "{out}");
    }
    if let Some(out) = example("sh", &["compare.sh", path, "1", "3"], "") {
        assert_eq!(out.lines().count(), 2);
    }
}
