//! `volte solve` from outside: rows, JSON, exit codes, and the problem files of the wild.

use assert_cmd::Command;
use serde_json::Value;
use std::path::{Path, PathBuf};
use volte::game::{board_text, transcript};

/// FFO 20, six empty squares.
const SIX: &str = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X";
/// A position in which a strong engine lost its way, 15 empty squares; then the same two plies on.
const FIFTEEN: &str = "--OX-OO---OOOO-X-OOOO-OX-OOOOOXXXOOXXOXX-OOOOOOXXOXX-O-XO--XXXXX X";
const THIRTEEN: &str = "--OX-OO---OOOO-X-OOOO-OX-OOOOOXXXOOXXOXX-OOOOXXXXOXX-OXXO--XXXXX O";

fn volte(arguments: &[&str]) -> Command {
    let mut command = Command::cargo_bin("volte").expect("the binary is built");
    command.arg("solve").args(arguments).args(["--threads", "2", "--hash", "16"]);
    command
}

/// Exit code, standard output and standard error of solving `text` from standard input.
fn solve(text: &str, arguments: &[&str]) -> (i32, String, String) {
    let output = volte(&[&["-"], arguments].concat()).write_stdin(text).output().expect("the binary runs");
    let text = |bytes| String::from_utf8(bytes).expect("the output is UTF-8");
    (output.status.code().expect("no signal ends it"), text(output.stdout), text(output.stderr))
}

fn json(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("each line is JSON")).collect()
}

fn ffo(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/ffo").join(name)
}

#[test]
fn published_endgames_are_solved() {
    let file = ffo("fforum-1-19.obf");
    let output = volte(&[file.to_str().unwrap(), "--json"]).assert().code(0).get_output().stdout.clone();
    let rows = json(&String::from_utf8(output).unwrap());
    assert_eq!(rows.len(), 20);
    for (index, row) in rows[..19].iter().enumerate() {
        assert_eq!(row["problem"], index + 1);
        assert_eq!(row["agrees"], true, "{row}");
        assert_eq!(row["selectivity"], 100);
    }
    let summary = &rows[19]["summary"];
    assert_eq!((&summary["problems"], &summary["agree"]), (&19.into(), &19.into()));
    let nodes: u64 = rows[..19].iter().map(|row| row["nodes"].as_u64().unwrap()).sum();
    assert_eq!(summary["nodes"], nodes);
}

#[test]
fn a_row_of_json_has_what_it_promises() {
    let (code, out, _) = solve(&format!("{SIX}; H5:+6; G6:-2; F6:-4; H6:-10;\n"), &["--json"]);
    assert_eq!(code, 0);
    let rows = json(&out);
    let row = rows[0].as_object().unwrap();
    let keys: Vec<_> = out.lines().next().unwrap().split('"').filter(|text| row.contains_key(*text)).collect();
    assert_eq!(
        keys,
        [
            "problem",
            "position",
            "move",
            "score",
            "depth",
            "selectivity",
            "nodes",
            "seconds",
            "pv",
            "expected",
            "agrees"
        ]
    );
    assert_eq!(row["position"], SIX);
    assert_eq!((&row["move"], &row["score"], &row["depth"]), (&"h5".into(), &6.into(), &6.into()));
    assert!(row["pv"].as_str().unwrap().starts_with("h5"), "{}", row["pv"]);
    assert!(row["nodes"].as_u64().unwrap() > 0 && row["seconds"].is_f64());
    assert_eq!(row["expected"], serde_json::json!({"h5": 6, "g6": -2, "f6": -4, "h6": -10}));
    let summary = rows[1].as_object().unwrap();
    assert_eq!(summary.keys().collect::<Vec<_>>(), ["summary"]);
    let totals: Vec<_> = summary["summary"].as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(totals, ["agree", "nodes", "problems", "seconds"]);
}

#[test]
fn agreement_needs_the_score_and_a_best_move() {
    let agrees = |fields: &str| {
        let (code, out, _) = solve(&format!("{SIX};{fields}"), &["--json"]);
        (code, json(&out)[0]["agrees"].clone())
    };
    assert_eq!(agrees(" H5:+6;"), (0, true.into()));
    assert_eq!(agrees(" H5:+8;"), (1, false.into()));
    assert_eq!(agrees(" H5:+4; G6:+6;"), (1, false.into()));
    assert_eq!(agrees(" G6:+6; --:-127;"), (0, true.into()));
    assert_eq!(agrees(" +6;"), (0, true.into()));
    assert_eq!(agrees(""), (0, Value::Null));
}

#[test]
fn lines_of_the_wild_are_solved_and_bad_ones_are_named() {
    let glued = SIX.replace(' ', "");
    let text = format!(
        "% a set of problems\r\n\r\n{SIX}; H5:+6; --:-127; % the first\r\nthis is not a board\r\n{glued};H5:+6;G6:-2\r\n\
         {SIX}; H5:+99;\n{SIX}; A1:+2;\n   {SIX}   ; h5 : +6 ;\n"
    );
    let (code, out, error) = solve(&text, &["--json"]);
    assert_eq!(code, 2);
    let rows = json(&out);
    let solved: Vec<_> = rows.iter().filter_map(|row| row["problem"].as_u64()).collect();
    assert_eq!(solved, [1, 3, 6], "bad lines keep their numbers");
    assert!(rows[..3].iter().all(|row| row["agrees"] == true));
    assert_eq!(rows[3]["summary"]["problems"], 3);
    for line in ["line 4:", "line 6:", "line 7:"] {
        assert!(error.contains(line), "{line} in {error}");
    }
    assert_eq!(error.lines().count(), 3, "{error}");
}

#[test]
fn bytes_that_are_no_text_are_a_bad_line() {
    let text = [b"\xFF\xFE junk \x80\n".as_slice(), SIX.as_bytes(), b"; H5:+6;\n"].concat();
    let output = volte(&["-", "--json"]).write_stdin(text).assert().code(2).get_output().clone();
    assert!(String::from_utf8_lossy(&output.stderr).contains("line 1:"));
    assert_eq!(json(&String::from_utf8_lossy(&output.stdout))[0]["agrees"], true);
}

#[test]
fn selective_results_are_not_taken_for_exact_ones() {
    let text = format!("{FIFTEEN}; g7:+32; b2:+28; e7:+22; e1:+20;\n{THIRTEEN}; b8:-32; a6:-32; e1:-36;\n");
    let (code, out, _) = solve(&text, &[]);
    assert_eq!(code, 0, "{out}");
    assert!(out.contains("g7        +32"), "{out}");
}

/// The board after these moves, as in a problem file.
fn board_after(moves: &str) -> String {
    board_text::write(transcript::parse(moves).expect("the moves are legal").setup())
}

#[test]
fn a_finished_game_has_a_score_and_no_move() {
    let wiped_out = board_after("e6f4e3f6g5d6e7f5c5");
    let (code, out, _) = solve(&format!("{wiped_out}; -64;"), &["--json"]);
    let row = &json(&out)[0];
    assert_eq!((code, &row["move"], &row["score"], &row["agrees"]), (0, &Value::Null, &(-64).into(), &true.into()));
    assert_eq!((&row["pv"], &row["depth"], &row["nodes"]), (&"".into(), &0.into(), &0.into()));
}

#[test]
fn a_forced_pass_is_a_move() {
    let (_, out, _) = solve(&board_after("d3c3b3b2f5a3a1c1"), &["--json", "--depth", "4"]);
    let row = &json(&out)[0];
    assert_eq!(row["move"], "pass");
    assert!(row["pv"].as_str().unwrap().starts_with("pa"), "{row}");
}

#[test]
fn estimates_are_decimals_and_say_how_they_were_made() {
    let forty = "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X; A2:+38;";
    for (arguments, depth, selectivity) in [
        (vec!["--depth", "6"], 6, 100),
        (vec!["--depth", "8", "--selectivity", "73"], 8, 73),
        (vec!["--level", "4"], 4, 100),
    ] {
        let (_, out, _) = solve(forty, &[&arguments[..], &["--json"]].concat());
        let row = &json(&out)[0];
        assert!(row["score"].is_f64(), "{row}");
        assert_eq!((&row["depth"], &row["selectivity"]), (&depth.into(), &selectivity.into()));
    }
    let (_, out, _) = solve(&format!("{SIX}; H5:+6;"), &["--level", "10", "--json"]);
    assert_eq!(json(&out)[0]["score"], 6, "a level that solves is exact");
}

#[test]
fn the_table_shows_moves_scores_and_totals() {
    let (code, out, error) = solve(&format!("{SIX}; H5:+6;\n{SIX}; H5:+8;\n{SIX};\n"), &[]);
    assert_eq!((code, error.as_str()), (1, ""));
    let lines: Vec<_> = out.lines().collect();
    assert_eq!(lines.len(), 5, "{out}");
    for title in ["move", "score", "expected", "nodes", "time", "nodes/s"] {
        assert!(lines[0].contains(title));
    }
    assert!(!lines[1].contains("differs") && lines[2].ends_with("differs") && !lines[3].contains("differs"), "{out}");
    assert!(lines[4].starts_with("3 problems, 1 of 2 agree; "), "{out}");
}

#[test]
fn bad_usage_is_refused() {
    let file = ffo("fforum-1-19.obf");
    let file = file.to_str().unwrap();
    for arguments in [
        vec!["no/such/file.obf"],
        vec![],
        vec![file, "--exact", "--level", "3"],
        vec![file, "--level", "3", "--depth", "3"],
        vec![file, "--level", "61"],
        vec![file, "--depth", "0"],
        vec![file, "--selectivity", "95"],
        vec![file, "--depth", "9", "--selectivity", "80"],
    ] {
        let output = volte(&arguments).assert().code(2).get_output().clone();
        assert!(!output.stderr.is_empty() && output.stdout.is_empty(), "{arguments:?}");
    }
    for size in [["--threads", "0"], ["--threads", "10000"], ["--hash", "0"], ["--hash", "99999999999"]] {
        let mut command = Command::cargo_bin("volte").unwrap();
        command.args(["solve", file]).args(size).assert().code(2);
    }
}

#[test]
fn any_path_will_do() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("オセロ の 問題.obf");
    std::fs::write(&path, format!("{SIX}; H5:+6;")).unwrap();
    volte(&[path.to_str().unwrap()]).assert().code(0);
    let error = volte(&[folder.path().to_str().unwrap()]).assert().code(2).get_output().stderr.clone();
    assert!(String::from_utf8_lossy(&error).contains("cannot read"));
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_with_the_totals_so_far() {
    use std::io::{BufRead, BufReader, Read};
    use std::process::{Command, Stdio};

    // The second problem takes hours.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("long.obf");
    let start = "---------------------------OX------XO--------------------------- X";
    std::fs::write(&path, format!("{SIX}; H5:+6;\n{start};\n{SIX}; H5:+6;\n")).unwrap();
    let mut child = Command::new(assert_cmd::cargo::cargo_bin("volte"))
        .args(["solve", path.to_str().unwrap(), "--json", "--threads", "2", "--hash", "16"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let first: Value = serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap();
    assert_eq!(first["agrees"], true);
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let last: Value = serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap();
    assert_eq!(last["summary"]["problems"], 1);
    assert!(lines.next().is_none());
    assert_eq!(child.wait().unwrap().code(), Some(1));
    let mut error = String::new();
    child.stderr.take().unwrap().read_to_string(&mut error).unwrap();
    assert!(error.contains("stopped"), "{error}");
}
