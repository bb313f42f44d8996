//! Damaged sessions for every protocol: no panic, no hang, no output beyond measure, only answers that a client
//! understands, one for each request that wants one; and afterwards the engine still plays.
//!
//! Each protocol gets a number of inputs in every test run, the same on every machine; `scripts/fuzz.sh` gives it minutes.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod fuzzing;
mod peer;

use fuzzing::{Budget, Random, seed};
use peer::nboard::is_clean;
use std::fs;
use std::io::{self, Cursor};
use std::path::Path;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;
use volte::book::Book;
use volte::clock::WallClock;
use volte::engine::{BookUse, Engine, Options};
use volte::game::Game;
use volte::protocol::{gtp, nboard, xboard};
use volte::search::{Level, Resources};

/// Inputs for each protocol when no time is asked for.
const INPUTS: usize = 400;
/// No input takes longer than this; the search for an answer ends with the input, which is read at once.
const PATIENCE: Duration = Duration::from_secs(60);
/// Bytes that an answer may have, beyond a multiple of the input: an analysis tells what it finds.
const TALK: usize = 1 << 20;

type Serve = fn(&mut Engine, Cursor<Vec<u8>>, &mut Vec<u8>) -> io::Result<()>;

/// How a protocol is spoken to.
struct Protocol {
    name: &'static str,
    serve: Serve,
    pieces: &'static [&'static str],
    /// What is asked for after everything else.
    last: &'static str,
    /// What the answers are checked for.
    check: fn(input: &str, answers: &str),
}

/// The sessions of clients, without the answers.
fn corpus(protocol: &Protocol) -> Vec<Vec<String>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(protocol.name);
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let sent = |text: &str| -> Vec<String> {
        text.lines().filter_map(|line| line.strip_prefix("< ")).map(str::to_owned).collect()
    };
    let sessions = paths.iter().map(|path| sent(&fs::read_to_string(path).unwrap()));
    sessions.filter(|lines| !lines.is_empty()).collect()
}

/// Some lines of a session, damaged.
fn session(random: &mut Random, corpus: &[Vec<String>], pieces: &[&str]) -> Vec<u8> {
    let mut part = |longest: usize| {
        let lines = random.one(corpus);
        let from = random.below(lines.len());
        let to = (from + 1 + random.below(longest)).min(lines.len());
        lines[from..to].join("\n") + "\n"
    };
    let (mut input, other) = ((part(40) + &part(10)).into_bytes(), part(10));
    for _ in 0..random.below(9) {
        random.damage(&mut input, other.as_bytes(), pieces);
    }
    harmless(input)
}

/// The input without what would be obeyed at the cost of the machine: tables and threads of any size, files that are
/// written, and a `quit` that lets a search run to its end. A reader may overlook control characters, so they go where
/// such a word is behind them.
fn harmless(mut input: Vec<u8>) -> Vec<u8> {
    const COSTLY: [&str; 6] = ["quit", "hash", "threads", "memory", "cores", "save"];
    let text = String::from_utf8_lossy(&input);
    let plain: String = text.chars().filter(|&character| character == '\n' || !character.is_control()).collect();
    if COSTLY.iter().any(|word| plain.contains(word)) {
        input = COSTLY.iter().fold(plain, |text, word| text.replace(word, "_")).into_bytes();
    }
    input
}

fn engine() -> Engine {
    Engine::new(options(), Arc::new(WallClock::default()))
}

fn options() -> Options {
    let resources = Resources { threads: 1, table_megabytes: 1 };
    Options { level: Level::new(1), depth: None, nodes: None, resources, ponder: false }
}

fn fuzz(protocol: &'static Protocol) {
    let corpus = corpus(protocol);
    let mut random = Random(seed());
    let mut budget = Budget::new(INPUTS);
    let engine = Arc::new(Mutex::new(engine()));
    let book = Arc::new(Book::shipped());
    while budget.goes_on() {
        let mut input = session(&mut random, &corpus, protocol.pieces);
        input.extend(protocol.last.bytes());
        let (sender, receiver) = mpsc::channel();
        let (engine, book, copy) = (Arc::clone(&engine), Arc::clone(&book), input.clone());
        let run = thread::spawn(move || {
            let mut engine = engine.lock().unwrap();
            engine.set_options(options());
            engine.set_game(Game::new());
            engine.set_book(Some(book));
            engine.set_book_use(BookUse::default());
            let mut output = Vec::new();
            (protocol.serve)(&mut engine, Cursor::new(copy.clone()), &mut output).unwrap();
            assert!(output.len() < TALK + 200 * copy.len(), "{} bytes of answers", output.len());
            let answers = String::from_utf8(output).unwrap();
            (protocol.check)(&String::from_utf8_lossy(&copy), &answers);
            // The test may have given up.
            let _ = sender.send(());
        });
        let ended = receiver.recv_timeout(PATIENCE);
        if ended != Err(RecvTimeoutError::Timeout) && run.join().is_ok() {
            continue;
        }
        let path = std::env::temp_dir().join(format!("volte-fuzz.{}", protocol.name));
        fs::write(&path, &input).unwrap();
        panic!("{} breaks {} ({ended:?})", path.display(), protocol.name);
    }
    budget.tell(protocol.name);
}

/// The arguments of all lines that ask for a pong.
fn pings<T: std::str::FromStr>(input: &str) -> Vec<T> {
    let words = input.split('\n').map(str::trim).filter_map(|line| line.split_once(char::is_whitespace));
    words.filter(|(name, _)| *name == "ping").filter_map(|(_, number)| number.trim().parse().ok()).collect()
}

fn pongs(answers: &str) -> Vec<&str> {
    answers.lines().filter_map(|line| line.strip_prefix("pong ")).collect()
}

static GTP: Protocol = Protocol {
    name: "gtp",
    serve: |engine, input, output| gtp::serve(engine, input, output),
    pieces: &[
        "\n",
        "\r\n",
        "\t",
        " ",
        "#",
        "# interrupt\n",
        "\0",
        "1 ",
        "99999999999999999999 ",
        "-1",
        "play b f5\n",
        "play w pass\n",
        "genmove b\n",
        "genmove w\n",
        "undo\n",
        "volte-redo\n",
        "volte-stop\n",
        "volte-level 60\n",
        "volte-hint 9\n",
        "volte-analyze 3 1\n",
        "volte-analyze json\n",
        "volte-ponder on\n",
        "volte-new\n",
        "time_settings 1 1 1\n",
        "time_left b 0 0\n",
        "time_settings 1e300 0 0\n",
        "NaN",
        "loadsgf /dev/zero\n",
        "loadsgf tests/data/sgf/pass.sgf\n",
        "gogui-setup b a1 w b1\n",
        "gogui-setup_player w\n",
        "final_score\n",
        "オ",
        "volte-setboard ",
        "showboard\n",
        "gogui-play_sequence b f5 w d6\n",
        "volte-options nodes 1\n",
        "volte-options depth 255\n",
        "volte-book show\n",
        "volte-book load /dev/zero\n",
        "volte-book on\n",
    ],
    last: "\nclear_board\n7654321 genmove b\n",
    check: |input, answers| {
        let requests = input.split('\n').filter(|line| {
            let words = line.split('#').next().unwrap();
            words.chars().any(|character| !character.is_control() && !character.is_whitespace())
        });
        let replies: Vec<_> = answers.split_terminator("\n\n").collect();
        assert!(replies.iter().all(|reply| reply.starts_with(['=', '?'])), "{answers}");
        assert_eq!(replies.len(), requests.count(), "{answers}");
        let openings = ["D3", "C4", "F5", "E6"].map(|square| format!("=7654321 {square}"));
        assert!(openings.iter().any(|opening| Some(&opening.as_str()) == replies.last()), "{answers}");
    },
};

static NBOARD: Protocol = Protocol {
    name: "nboard",
    serve: |engine, input, output| nboard::serve(engine, input, output),
    pieces: &[
        "\n",
        "\r\n",
        "\t",
        " ",
        "/",
        "//",
        "\0",
        "99999999999999999999",
        "-1",
        "NaN",
        "move F5//1\n",
        "move PA\n",
        "F5\n",
        "go\n",
        "hint 64\n",
        "analyze\n",
        "learn\n",
        "ping 3\n",
        "set depth 60\n",
        "set contempt 7\n",
        "set game (;",
        ";)",
        "B[",
        "]",
        "BO[8 ",
        "TI[0:01//0]",
        "TI[99999999:0/9999999999]",
        "//99999999999999",
        "set ",
        "オ",
        "=== F5\n",
    ],
    last: "\nset game (;GM[Othello];)\ngo\nping 7654321\n",
    check: |input, answers| {
        for line in answers.lines() {
            assert!(is_clean(line), "`{line}`");
        }
        let wanted: Vec<String> = pings::<u64>(input).iter().map(ToString::to_string).collect();
        assert_eq!(pongs(answers), wanted);
        assert!(answers.ends_with("pong 7654321\n"));
    },
};

static XBOARD: Protocol = Protocol {
    name: "xboard",
    serve: |engine, input, output| xboard::serve(engine, input, output),
    pieces: &[
        "\n",
        "\r\n",
        "\t",
        " ",
        "\0",
        "99999999999999999999",
        "-1",
        "NaN",
        "usermove P@f5\n",
        "usermove @@@@\n",
        "f5\n",
        "go\n",
        "force\n",
        "playother\n",
        "analyze\n",
        "exit\n",
        ".\n",
        "?\n",
        "hint\n",
        "ping 3\n",
        "undo\n",
        "remove\n",
        "new\n",
        "variant reversi\n",
        "setboard 8/8/8/8/8/8/8/1Pp5 b\n",
        "setboard ",
        "[PPpp]",
        "level 40 5 0\n",
        "level 0 0:01 99999999999999999999\n",
        "st 0.01\n",
        "sd 255\n",
        "time -99\n",
        "time 9223372036854775807\n",
        "hard\n",
        "easy\n",
        "post\n",
        "nopost\n",
        "option Level=60\n",
        "result *\n",
        "protover 2\n",
        "オ",
        "/",
    ],
    last: "\nexit\nnew\nping 7654321\ngo\n",
    check: |input, answers| {
        let wanted = input.split('\n').filter(|line| line.split_whitespace().next() == Some("ping")).count();
        assert_eq!(pongs(answers).len() + answers.lines().filter(|line| *line == "pong").count(), wanted, "{answers}");
        let (_, last) = answers.rsplit_once("pong 7654321\n").unwrap();
        let openings = ["d3", "c4", "f5", "e6"].map(|square| format!("move P@{square}\n"));
        assert!(openings.iter().any(|opening| last.ends_with(opening)), "{answers}");
    },
};

#[test]
fn gtp() {
    fuzz(&GTP);
}

#[test]
fn nboard() {
    fuzz(&NBOARD);
}

#[test]
fn xboard() {
    fuzz(&XBOARD);
}
