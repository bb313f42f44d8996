//! The opening book from outside: the shipped one, the commands, the protocols, and processes that are killed.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;
use volte::board::Position;
use volte::book::Book;
use volte::game::{named, transcript};

fn volte() -> Command {
    Command::new(assert_cmd::cargo::cargo_bin!("volte"))
}

/// Runs `volte book` with these arguments.
fn book(arguments: &[&str]) -> Output {
    volte().arg("book").args(arguments).output().unwrap()
}

/// Runs it, and expects this exit code.
fn expect(code: i32, arguments: &[&str]) -> String {
    let output = book(arguments);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn load(path: &Path) -> Book {
    Book::from_bytes(&fs::read(path).unwrap()).unwrap()
}

/// A folder with a small book in it.
struct Desk {
    folder: tempfile::TempDir,
}

impl Desk {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }

    fn grown(positions: &str) -> Self {
        let desk = Self::new();
        expect(0, &["grow", &desk.path("a.book"), "--level", "1", "--positions", positions, "--hash", "1"]);
        desk
    }

    fn book(&self, name: &str) -> Book {
        load(&self.folder.path().join(name))
    }
}

#[test]
fn the_shipped_book_is_right_and_is_what_its_manifest_says() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("book");
    let bytes = fs::read(root.join("volte.book")).unwrap();
    let manifest: serde_json::Value = serde_json::from_slice(&fs::read(root.join("volte.json")).unwrap()).unwrap();
    assert!(bytes.len() < 2_000_000);
    assert_eq!(manifest["book"]["bytes"], bytes.len());
    assert_eq!(manifest["book"]["crc32"], format!("{:08x}", crc32fast::hash(&bytes)));
    let book = Book::shipped();
    assert_eq!(manifest["book"]["positions"], book.len());
    assert_eq!(book.verify(), vec![]);
    assert!(book.len() >= 10_000 && book.iter().all(|(_, entry)| entry.level >= 18));

    // On the lines on which both sides together give away at most 4 discs, every reply within 3 discs is answered.
    let path = root.join("volte.book");
    let stats = expect(0, &["stats", path.to_str().unwrap(), "--deviation", "3", "--total", "4", "--json"]);
    let stats: serde_json::Value = serde_json::from_str(&stats).unwrap();
    for ply in 0..=16 {
        let replies = &stats["plies"][ply.to_string()];
        assert!(replies["answered"].as_u64() > Some(0), "ply {ply}: {replies}");
        assert_eq!(replies["open"], 0, "ply {ply}");
    }
}

#[test]
fn named_openings_begin_in_the_book() {
    let book = Book::shipped();
    let position = |line: &str| transcript::parse(line).unwrap().position();
    // The first moves of every named line are known, and the best known ones wholly.
    for opening in named::all() {
        assert!(book.contains(position(&opening.line[..2])), "{}", opening.name);
    }
    for name in ["Tiger", "Rose", "Cow", "Stephenson", "Buffalo"] {
        let opening = named::all().find(|opening| opening.name == name).unwrap();
        assert!(book.contains(position(opening.line)), "{name}");
    }
}

#[test]
fn a_book_grows_is_looked_into_and_put_right() {
    let desk = Desk::grown("100");
    let path = desk.path("a.book");
    assert!(expect(0, &["verify", &path]).contains("100 positions, 0 faults"));
    assert!(expect(0, &["stats", &path]).contains("positions  100"));
    let stats: serde_json::Value = serde_json::from_str(&expect(0, &["stats", &path, "--json"])).unwrap();
    assert_eq!((&stats["positions"], &stats["plies"]["0"]["positions"]), (&100.into(), &1.into()));
    assert_eq!(stats["plies"]["0"]["open"], 0);
    assert!(expect(0, &["show", &path, "f5"]).contains("in the book"));
    let shown: serde_json::Value = serde_json::from_str(&expect(0, &["show", &path, "--json"])).unwrap();
    assert_eq!(shown["moves"].as_array().unwrap().len(), 4);
    assert_eq!(expect(1, &["show", &path, "f5d6c3d3c4f4c5b3c2b4e3e6c6f6a5a4b5"]), "not in the book\n");
    assert_eq!(book(&["show", &path, "f5f5"]).status.code(), Some(2));

    // Stopped after whole steps, of which the first two add a position each, and grown on, it is the same as grown at
    // once.
    let (steps, at_once) = (Desk::grown("1"), Desk::grown("200"));
    for positions in ["2", "200"] {
        let on = steps.path("a.book");
        expect(0, &["grow", &on, "--level", "1", "--positions", positions, "--hash", "1", "--threads", "2"]);
    }
    assert_eq!(steps.book("a.book").to_bytes(), at_once.book("a.book").to_bytes());

    // A narrower scope leaves a smaller book, in which nothing is wrong.
    expect(0, &["prune", &path, "--plies", "4"]);
    expect(0, &["verify", &path]);
    assert!(desk.book("a.book").len() < 100);
    expect(0, &["fix", &path, "--level", "1"]);
    fs::write(desk.path("torn.book"), &fs::read(&path).unwrap()[..100]).unwrap();
    let torn = book(&["verify", &desk.path("torn.book")]);
    assert_eq!(torn.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&torn.stderr).contains("torn.book: the book has 100 bytes"), "{torn:?}");
}

#[test]
fn books_go_out_and_come_back() {
    let desk = Desk::grown("120");
    let (a, b) = (desk.path("a.book"), desk.path("b.book"));
    for (file, whole) in [("x.jsonl", true), ("x.dat", false), ("x.txt", false)] {
        let _ = fs::remove_file(&b);
        expect(0, &["export", &a, &desk.path(file)]);
        expect(0, &["import", &b, &desk.path(file)]);
        let (before, after) = (desk.book("a.book"), desk.book("b.book"));
        assert_eq!(before.len(), after.len(), "{file}");
        if whole {
            assert_eq!(before.to_bytes(), after.to_bytes());
        }
        expect(0, &["verify", &b]);
    }
    assert_eq!(expect(0, &["export", &a, "-", "--form", "json"]).lines().count(), 120);
    let unknown = book(&["export", &a, &desk.path("x.unknown")]);
    assert!(String::from_utf8_lossy(&unknown.stderr).contains("--form"), "{unknown:?}");
    fs::write(desk.path("bad.txt"), "nonsense\n").unwrap();
    let bad = book(&["import", &b, &desk.path("bad.txt")]);
    assert_eq!(bad.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&bad.stderr).contains("line 1: `nonsense`"), "{bad:?}");
}

#[test]
fn games_are_added_and_books_joined() {
    let desk = Desk::new();
    let (a, b) = (desk.path("a.book"), desk.path("b.book"));
    fs::write(desk.path("games.txt"), "e6f4e3f6g5d6e7f5c5\nf5d6c3d3c4f4\n").unwrap();
    fs::write(desk.path("bad.txt"), "f5f5\nf5f6\n").unwrap();
    expect(0, &["add", &a, &desk.path("games.txt"), "--level", "2", "--plies", "5"]);
    expect(0, &["verify", &a]);
    assert_eq!(desk.book("a.book").games(Position::START).wins, 1);
    expect(2, &["add", &b, &desk.path("bad.txt"), "--level", "2"]);
    expect(0, &["add", &a, &desk.path("games.txt"), "--results-only"]);
    assert_eq!(desk.book("a.book").games(Position::START).wins, 2);
    expect(0, &["merge", &a, &b, "--level", "2"]);
    expect(0, &["verify", &a]);
    let joined = desk.book("a.book");
    assert!(joined.contains(transcript::parse("f5d6c3d3c4").unwrap().position()));
    assert!(joined.contains(transcript::parse("f5f6").unwrap().position()));
}

#[test]
fn what_comes_into_a_book_is_completed_by_search() {
    let desk = Desk::new();
    let (a, b, other) = (desk.path("a.book"), desk.path("b.book"), desk.path("other.book"));
    let add = |path: &str, line: &str| {
        fs::write(desk.path("games.txt"), line).unwrap();
        expect(0, &["add", path, &desk.path("games.txt"), "--level", "1", "--hash", "1"]);
    };
    add(&a, "f5d6c3d3\n");
    // A line that leads on where the best other move is the one in the first book: which one that is depends on the
    // evaluation.
    let opens_a_question = |line: &&str| {
        fs::remove_file(&other).ok();
        add(&other, line);
        fs::copy(&a, &b).unwrap();
        book(&["merge", &b, &other, "--no-search"]).status.code() == Some(1)
    };
    let lines = ["f5f6e6f4\n", "f5f4e3f6\n", "f5d6c4d3\n", "f5d6c5f4\n", "f5f6c4d3\n", "f5d6c6f4\n", "f5f4c3d6\n"];
    assert!(lines.iter().any(opens_a_question), "no line leaves a question open");
    let text = desk.path("other.jsonl");
    expect(0, &["export", &other, &text]);
    // f5 leads on in both books, so that the best other moves of some positions are not known.
    for action in [["import", &text], ["merge", &other]] {
        fs::copy(&a, &b).unwrap();
        let output = book(&[action[0], &b, action[1], "--no-search"]);
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(told.contains(&format!("`volte book fix {b}`")), "{told}");
        assert_ne!(desk.book("b.book").verify(), vec![]);
        fs::copy(&a, &b).unwrap();
        expect(0, &[action[0], &b, action[1], "--level", "1", "--hash", "1"]);
        assert_eq!(desk.book("b.book").verify(), vec![]);
    }
}

#[test]
fn a_book_that_went_to_edax_and_back_goes_there_as_it_was() {
    let desk = Desk::new();
    let (a, b) = (desk.path("a.dat"), desk.path("b.dat"));
    fs::write(desk.path("shipped.book"), Book::shipped().to_bytes()).unwrap();
    expect(0, &["export", &desk.path("shipped.book"), &a]);
    expect(0, &["import", &desk.path("again.book"), &a, "--no-search"]);
    expect(0, &["export", &desk.path("again.book"), &b]);
    assert!(fs::read(&a).unwrap() == fs::read(&b).unwrap(), "the second file differs from the first");
}

#[test]
fn hints_name_the_opening() {
    let hint = |arguments: &[&str]| {
        let few = ["hint", "1", "--level", "1", "--threads", "1", "--hash", "1"];
        String::from_utf8(volte().args(few).args(arguments).output().unwrap().stdout).unwrap()
    };
    assert_eq!(hint(&["f5d6c3d3c4"]).lines().last(), Some("opening: Tiger"));
    let board = volte::game::board_text::write(transcript::parse("f5d6c3d3c4").unwrap().setup());
    for (position, name) in [("f5d6c3d3c4b5", Some("Tiger")), (&board, Some("Tiger")), ("f5", None)] {
        let answer: serde_json::Value = serde_json::from_str(&hint(&[position, "--json"])).unwrap();
        assert_eq!(answer.get("opening").and_then(|name| name.as_str()), name, "{position}");
    }
    assert_eq!(hint(&["f5"]).lines().count(), 1);
}

#[test]
fn what_cannot_be_read_is_told_once_and_makes_no_book() {
    let desk = Desk::new();
    let a = desk.path("a.book");
    fs::write(desk.path("bad.txt"), "f5f5\n").unwrap();
    for arguments in [&["--level", "1"][..], &["--results-only"]] {
        let output = book(&[&["add", &a, &desk.path("bad.txt")], arguments].concat());
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("none of the 1 games"), "{output:?}");
        assert!(!Path::new(&a).exists());
    }
    fs::write(desk.path("bad.jsonl"), "{\"level\":1}\n").unwrap();
    let output = book(&["import", &a, &desk.path("bad.jsonl")]);
    assert_eq!(String::from_utf8_lossy(&output.stderr).matches("missing field").count(), 1, "{output:?}");
}

#[test]
fn what_is_whole_in_a_damaged_book_is_salvaged() {
    let desk = Desk::grown("120");
    let (path, out) = (desk.path("a.book"), desk.path("out.book"));
    let whole = fs::read(&path).unwrap();
    let length = whole.len();
    let level = ["--level", "1", "--hash", "1"];
    // Cut in half; a byte of the discs of a position flipped; a byte of the header flipped.
    let flipped = |at: usize| {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x80;
        bytes
    };
    for (damaged, least) in [(whole[..length / 2].to_vec(), 30), (flipped(32 + 60 * 32 + 3), 100), (flipped(25), 120)] {
        fs::write(&path, &damaged).unwrap();
        let refused = book(&["fix", &path]);
        assert_eq!(refused.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&refused.stderr).contains("--salvage"), "{refused:?}");
        // Beside it, and then in its place.
        expect(0, &[&["fix", &path, "--salvage", "--out", &out], &level[..]].concat());
        assert_eq!(fs::read(&path).unwrap(), damaged);
        expect(0, &[&["fix", &path, "--salvage"], &level[..]].concat());
        assert_eq!(fs::read(&path).unwrap(), fs::read(&out).unwrap());
        let saved = desk.book("a.book");
        assert_eq!(saved.verify(), vec![]);
        assert!(saved.len() >= least, "{} positions of 120", saved.len());
        assert_eq!(fs::read(desk.path("a.book.damaged")).unwrap(), damaged);
        // An older damaged one is not lost.
        fs::write(&path, &damaged).unwrap();
        assert_eq!(book(&["fix", &path, "--salvage"]).status.code(), Some(2));
        fs::remove_file(desk.path("a.book.damaged")).unwrap();
    }
    fs::write(&path, "no book at all, but a text that is longer than a header and a position").unwrap();
    assert_eq!(book(&["fix", &path, "--salvage"]).status.code(), Some(2));
}

#[test]
fn a_board_may_be_shown_though_it_begins_with_a_hyphen() {
    let desk = Desk::grown("20");
    let board = "---------------------------OX------XO--------------------------- X";
    let shown = expect(0, &["show", &desk.path("a.book"), "--position", board]);
    assert_eq!(shown, expect(0, &["show", &desk.path("a.book")]));
    assert!(shown.contains("in the book"), "{shown}");
}

#[test]
fn engines_play_from_the_book_and_say_so() {
    let desk = Desk::grown("60");
    let saved = desk.path("saved.book");
    let talk = |arguments: &[&str], input: &str| {
        let mut command = volte();
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        std::io::Write::write_all(&mut child.stdin.take().unwrap(), input.as_bytes()).unwrap();
        String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap()
    };
    let script = format!(
        "volte-level 30\nvolte-book show\nplay b f5\nreg_genmove w\nvolte-book save {saved}\nvolte-book load {saved}\n\
         volte-book randomness 2\nvolte-book off\nvolte-book show\nplay w d6\nplay b c3\nplay w d3\nplay b c4\n\
         volte-opening\nvolte-book load /nowhere\nquit\n"
    );
    let output = talk(&["gtp", "--book", &desk.path("a.book"), "--threads", "1"], &script);
    let replies: Vec<&str> = output.split_terminator("\n\n").collect();
    // At level 30 the answer comes at once only from the book.
    assert!(replies[1].starts_with("= on randomness 0 positions 60\n"), "{output}");
    assert!(replies[1].contains(" book"), "{output}");
    assert!(replies[3].starts_with("= ") && replies[8].starts_with("= off randomness 2 positions 60"), "{output}");
    assert_eq!(replies[13], "= Tiger f5d6c3d3c4");
    assert!(replies[14].starts_with("? cannot read /nowhere: "), "{output}");
    assert_eq!(fs::read(&saved).unwrap(), fs::read(desk.path("a.book")).unwrap());

    // NBoard hears what the book knows, and what it learns is in the file.
    let game = "(;GM[Othello]PC[]PB[]PW[]RE[?]TI[0]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]B[F5]W[F4];)";
    let script = format!("nboard 2\nset depth 1\nset game {game}\nhint 1\nping 1\nlearn\nping 2\nquit\n");
    let output = talk(&["nboard", "--book", &saved, "--threads", "1"], &script);
    assert!(output.contains("\nlearned\n"), "{output}");
    assert!(load(Path::new(&saved)).len() >= 60);
    let script = "nboard 2\nset depth 1\nhint 2\nping 1\nquit\n";
    let output = talk(&["nboard", "--threads", "1"], script);
    assert!(output.lines().any(|line| line.starts_with("book ")), "{output}");
    let output = talk(&["nboard", "--no-book", "--threads", "1"], script);
    assert!(!output.lines().any(|line| line.starts_with("book ")), "{output}");
}

#[test]
fn a_book_that_cannot_be_kept_is_told_on_the_status_line() {
    let desk = Desk::grown("60");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.book");
    fs::copy(desk.path("a.book"), &path).unwrap();
    let mut command = volte();
    command.args(["nboard", "--threads", "1", "--book"]).arg(&path);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let (mut input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let mut lines = std::io::BufRead::lines(std::io::BufReader::new(output)).map_while(Result::ok);
    std::io::Write::write_all(&mut input, b"nboard 2\nset depth 1\nping 1\n").unwrap();
    assert!(lines.by_ref().any(|line| line == "pong 1"));
    folder.close().unwrap();
    std::io::Write::write_all(&mut input, b"move F5\nlearn\nping 2\nquit\n").unwrap();
    let rest: Vec<String> = lines.collect();
    assert!(rest.iter().any(|line| line.starts_with("status the book is not kept: cannot write ")), "{rest:?}");
    assert!(rest.iter().any(|line| line == "learned"), "{rest:?}");
    let mut said = String::new();
    std::io::Read::read_to_string(&mut child.stderr.take().unwrap(), &mut said).unwrap();
    assert_eq!((said.as_str(), child.wait().unwrap().code()), ("", Some(0)));
}

#[test]
fn openings_are_named() {
    let output = volte().args(["opening", "f5d6c3d3c4f4"]).output().unwrap();
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("Tiger "), "{output:?}");
    assert_eq!(volte().args(["opening", "f5"]).output().unwrap().status.code(), Some(1));
    let all = volte().args(["opening", "--json"]).output().unwrap();
    assert_eq!(String::from_utf8(all.stdout).unwrap().lines().count(), named::all().len());
}

/// Kills processes that save and grow a book, at random moments. The book is always there and always right.
fn kill(times: u64) {
    let desk = Desk::grown("96");
    let (a, b) = (desk.path("a.book"), desk.path("b.book"));
    fs::copy(&a, &b).unwrap();
    let mut smallest = desk.book("a.book").len();
    let mut torn = 0;
    for time in 0..times {
        let grows = time % 10 == 0;
        let mut command = volte();
        if grows {
            let limits =
                ["--positions", "100000", "--save-every", "0", "--level", "1", "--hash", "1", "--threads", "1"];
            command.args(["book", "grow", &a]).args(limits);
        } else {
            command.args(["book", "merge", &a, &b, "--no-search"]);
        }
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        // Moments all over the life of the process; the multiplier only scatters them.
        let moment = time.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
        let longest = if grows { 400_000 } else { 8_000 };
        std::thread::sleep(Duration::from_micros(moment % longest));
        child.kill().unwrap();
        child.wait().unwrap();
        let book =
            Book::from_bytes(&fs::read(&a).unwrap()).unwrap_or_else(|error| panic!("after kill {time}: {error}"));
        assert_eq!(book.verify(), vec![], "after kill {time}");
        assert!(book.len() >= smallest, "after kill {time}");
        smallest = book.len();
        // What the killed ones were writing lies beside it.
        for entry in fs::read_dir(desk.folder.path()).unwrap() {
            let entry = entry.unwrap();
            if entry.file_name().to_string_lossy().ends_with(".unfinished") {
                torn += 1;
                fs::remove_file(entry.path()).unwrap();
            }
        }
        if book.len() > 1000 {
            fs::copy(&b, &a).unwrap();
            smallest = 96;
        }
    }
    eprintln!("{times} kills, {torn} of them while the book was being written");
}

#[test]
fn a_killed_process_leaves_the_old_book_or_the_new_one() {
    kill(30);
}

/// `cargo test --release --test book -- --ignored --nocapture ten_thousand`
#[test]
#[ignore = "takes minutes"]
fn ten_thousand_kills_lose_no_book() {
    kill(10_000);
}
