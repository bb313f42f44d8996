//! The real binary spoken to as XBoard speaks: a transcript for each command, and what a transcript cannot tell
//! (searches that are stopped, clocks, analysis).
//!
//! A transcript in `tests/data/xboard` holds what a client sent (`<`) and what Volte answers (`>`), with words for what
//! is found by searching; what is posted in analyze mode is left out. `VOLTE_BLESS=1 cargo test --test xboard` writes
//! new answers.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod peer;

use peer::Peer;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use volte::board::{Color, Move};
use volte::game::{Game, fen};

/// Every command that the protocol has and Volte knows.
const COMMANDS: [&str; 41] = [
    "bk",
    ".",
    "?",
    "accepted",
    "analyze",
    "computer",
    "cores",
    "draw",
    "easy",
    "exit",
    "force",
    "go",
    "hard",
    "hint",
    "ics",
    "level",
    "memory",
    "name",
    "new",
    "nopost",
    "option",
    "otim",
    "ping",
    "playother",
    "post",
    "protover",
    "quit",
    "random",
    "rating",
    "rejected",
    "remove",
    "result",
    "sd",
    "setboard",
    "st",
    "time",
    "undo",
    "usermove",
    "variant",
    "xboard",
    "P@f5",
];

fn transcripts() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/xboard");
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

fn is_thought(line: &str) -> bool {
    let words: Vec<_> = line.split(' ').collect();
    words.len() >= 5 && words[..4].iter().all(|word| word.parse::<i64>().is_ok())
}

/// The kind of an answer, with words for what is found by searching.
fn kind(line: &str) -> String {
    match line.split(' ').next().unwrap() {
        "move" if !line.ends_with("@@@@") => "move MOVE".to_owned(),
        "Hint:" => "Hint: MOVE".to_owned(),
        "stat01:" => "stat01: CENTISECONDS NODES PLY 0 MOVES".to_owned(),
        _ if is_thought(line) => "PLY SCORE CENTISECONDS NODES PV".to_owned(),
        _ => line.replace(env!("CARGO_PKG_VERSION"), "VERSION"),
    }
}

/// What is said after a line, up to the answer to a ping.
fn answers(peer: &mut Peer, line: &str, ping: usize) -> Vec<String> {
    let pong = format!("pong {ping}");
    peer.send(&format!("{line}\nping {ping}"));
    let mut answers = peer.until(|answer| answer == pong);
    answers.pop();
    answers
}

/// The square or pass of `move P@d3`.
fn read_move(answer: &str) -> Option<Move> {
    let text = answer.strip_prefix("move ")?;
    if text == "@@@@" { Some(Move::Pass) } else { text.strip_prefix("P@")?.parse().ok() }
}

/// Follows the game for as long as it is told by boards and legal moves alone.
fn follow(game: &mut Game, line: &str, answers: &[String]) {
    let refused = answers.iter().any(|answer| answer.contains("Illegal") || answer.contains("Error"));
    match line.split_once(' ').unwrap_or((line, "")) {
        _ if refused => {}
        ("new", _) => *game = Game::new(),
        ("variant", _) => *game = Game::from_setup(fen::parse("8/8/8/3Pp3/3pP3/8/8/8 w").unwrap()).unwrap(),
        ("setboard", board) => *game = Game::from_setup(fen::parse(board).unwrap()).unwrap(),
        ("usermove", mv) => {
            let mv = mv.trim_start_matches("P@").replace("@@@@", "pass");
            game.play_next(mv.parse().unwrap()).unwrap();
        }
        ("undo", _) => drop(game.undo()),
        ("remove", _) => drop((game.undo(), game.undo())),
        (other, "") if other.len() <= 4 && other.trim_start_matches("P@").parse::<Move>().is_ok() => {
            game.play_next(other.trim_start_matches("P@").parse().unwrap()).unwrap();
        }
        _ => {}
    }
    for answer in answers {
        if let Some(mv) = read_move(answer) {
            game.play(mv).unwrap_or_else(|error| panic!("`{answer}` after `{line}`: {error}"));
        }
    }
}

#[test]
fn transcripts_are_answered_as_written() {
    for path in transcripts() {
        let recorded = fs::read_to_string(&path).unwrap();
        let mut peer = Peer::start(&["xboard", "--no-book", "--level", "2"]);
        let mut game = Game::new();
        let mut found = String::new();
        let mut analyzing = false;
        for (number, line) in recorded.lines().filter_map(|line| line.strip_prefix("< ")).enumerate() {
            writeln!(found, "< {line}").unwrap();
            let answers = answers(&mut peer, line, 1000 + number);
            follow(&mut game, line, &answers);
            analyzing = line == "analyze" || analyzing && line != "exit";
            let mut kinds: Vec<_> =
                answers.iter().filter(|answer| !(analyzing && is_thought(answer))).map(|answer| kind(answer)).collect();
            kinds.dedup();
            for kind in kinds {
                writeln!(found, "> {kind}").unwrap();
            }
        }
        peer.end();
        if std::env::var_os("VOLTE_BLESS").is_some() {
            fs::write(&path, found).unwrap();
        } else {
            assert!(found == recorded, "{}: answered\n{found}", path.display());
        }
    }
}

#[test]
fn every_command_has_a_transcript_or_a_test() {
    let mut all = include_str!("xboard.rs").replace("COMMANDS", "");
    let list = all.find("const : ").map(|at| (at, at + all[at..].find("];").unwrap())).unwrap();
    all.replace_range(list.0..list.1, "");
    for path in transcripts() {
        all += &fs::read_to_string(path).unwrap();
    }
    for name in COMMANDS {
        let sent = [format!("< {name}\n"), format!("< {name} "), format!("\"{name}\""), format!("\\n{name}\"")];
        assert!(sent.iter().any(|text| all.contains(text)), "{name} is never sent");
    }
}

fn start(level: &str) -> Peer {
    let mut peer = Peer::start(&["xboard", "--no-book", "--level", level]);
    peer.ask("xboard\nprotover 2", "feature done=1");
    peer
}

#[test]
fn a_question_mark_makes_the_engine_move() {
    let mut peer = start("60");
    peer.send("new\nusermove f5");
    std::thread::sleep(Duration::from_millis(200));
    let asked = Instant::now();
    let answer = peer.ask("?", "move").pop().unwrap();
    assert!(asked.elapsed() < Duration::from_secs(5), "{:?}", asked.elapsed());
    assert!(["move P@d6", "move P@f4", "move P@f6"].contains(&answer.as_str()), "{answer}");
    // Not during a thought it means nothing.
    peer.send("?\nforce\nusermove c1\nping 1");
    let rest = peer.until(|line| line == "pong 1");
    assert!(rest[0].starts_with("Illegal move ("), "{rest:?}");
    peer.end();
}

#[test]
fn what_changes_the_game_ends_a_thought_without_a_move() {
    for interruption in ["force", "new", "undo", "remove", "result *", "variant reversi", "analyze\nexit"] {
        let mut peer = start("60");
        peer.send("new\nforce\nusermove f5\nusermove d6\ngo");
        std::thread::sleep(Duration::from_millis(50));
        let asked = Instant::now();
        // Other lines in between change nothing about it.
        peer.send(&format!("nopost\n{interruption}\nforce\nping 1"));
        let rest = peer.until(|line| line == "pong 1");
        assert!(asked.elapsed() < Duration::from_secs(5), "{:?}", asked.elapsed());
        assert!(!rest.iter().any(|line| line.starts_with("move")), "{interruption}: {rest:?}");
        // The game is not one move longer.
        peer.send("option Level=1\nsetboard 8/8/8/3pP3/3Pp3/8/8/8 b\ngo");
        let answer = peer.until(|line| line.starts_with("move")).pop().unwrap();
        assert!(Game::new().play(read_move(&answer).unwrap()).is_ok());
        peer.end();
    }
}

#[test]
fn a_dropped_thought_leaves_the_game_as_it_was() {
    let mut peer = start("60");
    peer.send("new\nforce\nusermove f5\ngo");
    std::thread::sleep(Duration::from_millis(50));
    peer.send("force\nusermove d6\nusermove c3\nping 1");
    assert_eq!(peer.until(|line| line == "pong 1"), ["pong 1"]);
    peer.end();
}

#[test]
fn quit_and_the_end_of_the_input_end_a_deep_thought() {
    for (last, moves) in [("quit", false), ("", true)] {
        let mut peer = start("60");
        peer.send(&format!("new\ngo\n{last}"));
        let closed = Instant::now();
        let rest = peer.end();
        assert!(closed.elapsed() < Duration::from_secs(5), "{:?}", closed.elapsed());
        assert_eq!(rest.iter().any(|line| line.starts_with("move P@")), moves, "{rest:?}");
    }
}

#[test]
fn an_analysis_goes_on_after_each_line_and_does_not_repeat_itself() {
    let mut peer = start("4");
    peer.send("new\nforce\nanalyze");
    let depth = |line: &str| line.split(' ').next().unwrap().parse::<u8>().unwrap();
    for position in ["usermove f5", "undo\nusermove c4"] {
        peer.send(&format!("{position}\nping 1"));
        peer.until(|line| line == "pong 1");
        // One depth may be told before the ping is read, so the first of these need not be the shallowest.
        let mut thoughts = peer.until(|line| is_thought(line) && depth(line) >= 6);
        for _ in 0..5 {
            let mut lines = peer.ask(".", "stat01: ");
            let status = lines.pop().unwrap();
            let fields: Vec<u64> = status[8..].split(' ').map(|field| field.parse().unwrap()).collect();
            assert_eq!((fields.len(), fields[4]), (5, 3), "{status}");
            thoughts.extend(lines);
        }
        assert!(thoughts.is_sorted_by(|shallow, deep| depth(shallow) < depth(deep)), "{thoughts:?}");
    }
    peer.send("exit\nping 2");
    peer.until(|line| line == "pong 2");
    peer.send("ping 3");
    assert_eq!(peer.next(), "pong 3");
    peer.end();
}

#[test]
fn thoughts_are_posted_in_hundredths_with_the_expected_moves() {
    let mut peer = start("6");
    peer.send("new\npost\nusermove f5");
    let lines = peer.until(|line| line.starts_with("move"));
    let (answer, thoughts) = lines.split_last().unwrap();
    assert!(!thoughts.is_empty());
    for thought in thoughts {
        assert!(is_thought(thought), "{thought}");
        let words: Vec<_> = thought.split(' ').collect();
        assert!(words[1].parse::<i32>().unwrap().abs() <= 6400);
        let mut game = Game::new();
        game.play("f5".parse().unwrap()).unwrap();
        for word in &words[4..] {
            game.play(read_move(&format!("move {word}")).unwrap()).unwrap();
        }
    }
    assert!(thoughts.last().unwrap().contains(&answer[5..]));
    peer.end();
}

#[test]
fn clocks_limit_a_deep_level() {
    for control in ["st 0.3", "level 0 0:10 0", "level 20 0:06 0", "level 0 5 0\ntime 300"] {
        let mut peer = start("60");
        let asked = Instant::now();
        peer.send(&format!("new\n{control}\ngo"));
        peer.until(|line| line.starts_with("move"));
        assert!(asked.elapsed() < Duration::from_secs(5), "{control}: {:?}", asked.elapsed());
        peer.end();
    }
}

#[test]
fn two_engines_play_a_game_as_xboard_lets_them() {
    let mut peers = [start("1"), start("1")];
    for peer in &mut peers {
        peer.send("new\nvariant reversi\nforce\nping 1");
        peer.until(|line| line == "pong 1");
    }
    let mut game = Game::from_setup(fen::parse("8/8/8/3Pp3/3pP3/8/8/8 w").unwrap()).unwrap();
    let mut told = "go".to_owned();
    let mut next = 0;
    while !game.is_over() {
        // The first move each engine hears of comes with a `go`.
        let go = if game.len() == 1 { "\ngo" } else { "" };
        let answer = peers[next].ask(&format!("{told}{go}"), "move").pop().unwrap();
        let mv = read_move(&answer).unwrap();
        game.play(mv).unwrap();
        // XBoard hands on a pass as its board, on which no disc has turned.
        told = match mv {
            Move::Place(square) => format!("usermove P@{square}"),
            Move::Pass => {
                let mut board = game.setup();
                (board.black, board.white) = (board.white, board.black);
                format!("setboard {}", fen::write(board).replacen(' ', "[PPpp] ", 1))
            }
        };
        next = 1 - next;
    }
    let score = game.result().unwrap().score.discs();
    let points = match score {
        0 => "1/2-1/2 {",
        1.. => "0-1 {Black wins ",
        _ => "1-0 {White wins ",
    };
    peers[next].send(&told);
    for peer in peers {
        let result = peer.until(|line| line.contains('{')).pop().unwrap();
        assert!(result.starts_with(points), "{result}");
        peer.end();
    }
    assert_eq!(game.start().side, Color::White);
}
