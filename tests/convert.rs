//! `volte convert`, the real binary.

use assert_cmd::Command;
use std::fs;
use std::path::Path;

fn volte() -> Command {
    let mut command = Command::cargo_bin("volte").expect("the binary is built");
    command.arg("convert");
    command
}

/// Exit code, standard output, standard error.
fn run(command: &mut Command) -> (i32, String, String) {
    let output = command.output().expect("the binary runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("output is UTF-8");
    (output.status.code().expect("it was not killed"), text(output.stdout), text(output.stderr))
}

#[test]
fn games_go_from_one_extension_to_another() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("オセロ 1.txt"), "# list\nf5d6c3\r\nF5 F6\n").unwrap();
    let names = ["a.ggf", "b.SGF", "c.pgn", "d.wtb", "e.txt"];
    let mut from = path("オセロ 1.txt");
    for name in names {
        let (code, out, err) = run(volte().args([&from, &path(name)]));
        assert_eq!((code, out.as_str()), (0, ""), "{err}");
        let told = err.lines().last().unwrap_or_default();
        assert_eq!(err.contains("2 unfinished games got"), name == "d.wtb", "{err}");
        assert_eq!(told, "volte: converted 2, of which 2 stop before the end of the game; skipped 0");
        from = path(name);
    }
    assert_eq!(fs::read_to_string(from).unwrap(), "f5d6c3\nf5f6\n");
    assert!(path("d.jou").exists() && path("d.trn").exists());
}

#[test]
fn what_cannot_be_read_is_told_and_skipped() {
    let folder = tempfile::tempdir().unwrap();
    let list = folder.path().join("list.txt");
    fs::write(&list, "f5d6\nd3d4d5\n\nf5f4\nhello\n").unwrap();
    let (code, out, err) = run(volte().arg(&list).args(["-", "--to", "transcript"]));
    assert_eq!((code, out.as_str()), (2, "f5d6\nf5f4\n"));
    let list = list.display();
    assert_eq!(
        err,
        format!(
            "volte: {list}: line 2: move 2: `d4` is illegal: the square is occupied\n\
             volte: {list}: line 5: move 1: `hello` is not a move\n\
             volte: converted 2, of which 2 stop before the end of the game; skipped 2\n"
        )
    );
}

#[test]
fn standard_input_and_output_are_dashes() {
    let (code, out, err) =
        run(volte().args(["-", "-", "--from", "transcript", "--to", "fen", "-q"]).write_stdin("f5\nf5f6\n"));
    assert_eq!((code, err.as_str()), (0, ""));
    assert_eq!(out, "8/8/8/3ppp2/3Pp3/8/8/8 w - - 0 1\n8/8/5P2/3pPp2/3Pp3/8/8/8 b - - 0 1\n");
    let mut to_wthor = volte();
    to_wthor.args(["-", "-", "--from", "transcript", "--to", "wthor", "-q"]).write_stdin("f5\n");
    let bytes = to_wthor.output().unwrap().stdout;
    assert_eq!((bytes.len(), bytes[4], bytes[16 + 8]), (16 + 68, 1, 56));
}

#[test]
fn options_stand_anywhere() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).into_os_string().into_string().unwrap();
    fs::write(path("in.txt"), "f5\n").unwrap();
    let (one, two, out) = (path("in.txt"), path("in.txt"), path("out.ggf"));
    let orders: [&[&str]; 4] = [
        &[&one, "--to", "transcript", "-"],
        &[&one, "-q", &two, "--to", "transcript", "-"],
        &["--to", "transcript", &one, "-", "-q"],
        &["-q", &one, "--from=transcript", &out],
    ];
    let outputs = orders.map(|order| run(volte().args(order))).map(|(code, out, err)| (code, out, err.lines().count()));
    assert_eq!(
        outputs,
        [(0, "f5\n", 1), (0, "f5\nf5\n", 0), (0, "f5\n", 0), (0, "", 0)].map(|(c, o, e)| (c, o.to_owned(), e))
    );
    assert!(fs::read_to_string(out).unwrap().contains("B[F5]"));
}

#[test]
fn bad_usage_and_errors_write_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("in.txt"), "f5\n").unwrap();
    fs::write(path("short.wtb"), [20; 15]).unwrap();
    fs::write(path("out.ggf"), "as it was").unwrap();
    let cases: [(&[&Path], &str); 6] = [
        (&[&path("in.txt")], "Usage"),
        (&[&path("in.txt"), &path("out.xyz")], "the extension tells no format: give one with --to"),
        (&[&path("none.txt"), &path("out.ggf")], "none.txt: cannot open"),
        (&[&path("in.txt"), &path("short.wtb"), &path("out.ggf")], "the file is shorter than its header"),
        (&[&path("in.txt"), &path("none/out.ggf")], "out.ggf: cannot write"),
        (&[&path("in.txt"), &path("out.ggf"), Path::new("--from=odt")], "`odt` is not a format"),
    ];
    for (args, message) in cases {
        let (code, out, err) = run(volte().args(args));
        assert_eq!((code, out.as_str()), (2, ""), "{args:?}");
        assert!(err.contains(message), "{args:?}: {err}");
    }
    assert_eq!(fs::read_to_string(path("out.ggf")).unwrap(), "as it was");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
}

#[test]
fn a_cut_file_says_why_once() {
    let folder = tempfile::tempdir().unwrap();
    let (cut, out) = (folder.path().join("cut.wtb"), folder.path().join("out.txt"));
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/wthor/WTH_1990.wtb");
    fs::write(&cut, &fs::read(data).unwrap()[..200]).unwrap();
    let (code, _, err) = run(volte().args([&cut, &out]));
    assert_eq!(code, 2);
    assert_eq!(err.matches("the file ends after 2 of").count(), 1, "{err}");
    assert!(!out.exists());
}

#[test]
fn what_wthor_changes_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let game = |date: &str, black: &str, result: &str| {
        format!("[Event \"Open\"]\n[Date \"{date}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\n1. f5 {result}\n\n")
    };
    let games = [
        game("1999", "Ann", "*"),
        game("2001.02.03", "オセロ", "0-1"),
        game("1999", "A name of twenty let", "1/2-1/2"),
    ];
    fs::write(path("in.pgn"), games.concat()).unwrap();
    let (code, _, err) = run(volte().args([path("in.pgn"), path("out.wtb")]));
    assert_eq!(code, 0, "{err}");
    for told in [
        "2 unfinished games got",
        "1 games of other dates got the year 1999",
        "2 names changed, as WTHOR takes 19 (tournaments 25) Latin-1 characters; first `オセロ`",
    ] {
        assert_eq!(err.matches(told).count(), 1, "{told}: {err}");
    }
    let (_, out, _) = run(volte().arg(path("out.wtb")).args(["-", "--to", "pgn"]));
    assert_eq!(out.matches("[Result \"0-1\"]").count(), 1, "a winner stays: {out}");
    // What was read from WTHOR is written as it was, with nothing to tell.
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/wthor/WTH_1990.wtb");
    let (_, _, err) = run(volte().args([data, path("again.wtb")]));
    assert!(err.lines().all(|line| line.contains("no files of names") || line.contains("converted")), "{err}");
}

#[test]
fn games_that_stop_early_are_named_when_asked() {
    let games = "f5d6c3\n\nf5\n";
    let (_, _, err) =
        run(volte().args(["-", "-v", "-q", "--from", "transcript", "--to", "pgn", "-"]).write_stdin(games));
    let told =
        |line: usize, turn: usize| format!("volte: -: line {line}: stops before the end of the game, at turn {turn}\n");
    assert_eq!(err, told(1, 3) + &told(3, 1));
}

#[test]
fn names_keep_their_numbers_in_a_file_that_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let game = |black: &str, white: &str| {
        format!("[Event \"Open d'été\"]\n[Black \"{black}\"]\n[White \"{white}\"]\n\n1. f5 *\n")
    };
    fs::write(path("one.pgn"), game("Ann", "Bob")).unwrap();
    fs::write(path("two.pgn"), game("Zoë", "Bob")).unwrap();
    assert_eq!(run(volte().args([path("one.pgn"), path("x.wtb")])).0, 0);
    assert_eq!(run(volte().args([path("two.pgn"), path("x.wtb")])).0, 0);
    let numbers: Vec<u8> = fs::read(path("x.wtb")).unwrap()[16..22].to_vec();
    assert_eq!(numbers, [1, 0, 3, 0, 2, 0]);
    let (_, out, _) = run(volte().arg(path("x.wtb")).args(["-", "--to", "pgn"]));
    assert!(out.contains("[Event \"Open d'été\"]") && out.contains("[Black \"Zoë\"]"), "{out}");
}

#[test]
fn the_whole_database_is_converted_in_constant_memory() {
    let Some(data) = std::env::var_os("VOLTE_DATA") else {
        eprintln!("SKIPPED: VOLTE_DATA is not set, no database to convert");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let mut files: Vec<_> =
        fs::read_dir(Path::new(&data).join("wthor")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "wtb"));
    files.sort();
    let all = folder.path().join("all.txt");
    // All games at once would take more than the 64 MB that are allowed here.
    let mut limited = Command::new("sh");
    let script = "ulimit -v 65536 2>/dev/null; exec \"$@\"";
    limited.args(["-c", script, "sh"]).arg(assert_cmd::cargo::cargo_bin!("volte")).arg("convert");
    let (code, _, err) = run(limited.args(&files).arg(&all));
    assert_eq!(
        (code, err.as_str()),
        (0, "volte: converted 137548, of which 413 stop before the end of the game; skipped 0\n")
    );
    assert_eq!(fs::read_to_string(all).unwrap().lines().count(), 137_548);
}
