//! The real binary spoken to as NBoard speaks: its recorded sessions, what it must not hear of old searches, clocks,
//! contempt, and games that go wrong.
//!
//! A session in `tests/data/nboard` holds what a client sent (`<`, with lower depths than it asked for) and what kinds
//! of lines Volte answers (`>`, with words for what differs from machine to machine). `VOLTE_BLESS=1 cargo test --test
//! nboard` writes new answers. `replies.list` is what NBoard makes of each form of reply.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod peer;

use peer::Peer;
use peer::nboard::{is_clean, moves};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use volte::game::{Game, ggf, transcript};

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/nboard")
}

fn start() -> Peer {
    let mut peer = Peer::start(&["nboard", "--no-book"]);
    assert_eq!(peer.ask("nboard 2", "set myname"), ["set myname Volte"]);
    peer
}

/// `set game` with these moves, in GGF, after the tags of a clock.
fn game(clock: &str, moves: &str) -> String {
    let mut game = Game::new();
    let mut text = format!("set game (;GM[Othello]PC[NBoard]PB[]PW[]RE[?]{clock}TY[8]");
    text += "BO[8 ---------------------------O*------*O--------------------------- *]";
    for turn in transcript::parse(moves).unwrap().turns() {
        let side = if game.side() == volte::board::Color::Black { "B" } else { "W" };
        let mv = turn.mv.square().map_or("PA".to_owned(), |square| square.to_string().to_uppercase());
        write!(text, "{side}[{mv}]").unwrap();
        game.play(turn.mv).unwrap();
    }
    text + ";)"
}

#[test]
fn the_idea_of_clean_lines_is_that_of_nboard() {
    let text = fs::read_to_string(data().join("replies.list")).unwrap();
    let mut forms: Vec<(&str, bool)> = Vec::new();
    for line in text.lines() {
        if let Some(form) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            forms.push((form, false));
        } else if line.contains("ERROR-DIALOG") {
            forms.last_mut().unwrap().1 = true;
        }
    }
    assert!(forms.len() > 40);
    for (form, dialog) in &forms {
        assert!(!(*dialog && is_clean(form)), "`{form}` raises a dialog");
    }
    let clean: Vec<_> = forms.iter().map(|(form, _)| *form).filter(|form| is_clean(form)).collect();
    let expected = [
        "search F5 0.5 0 10",
        "search F5 +0.50 0 10 txt",
        "search PA 0 0 10",
        "book F5 0.5 12 20 foo",
        "=== F5",
        "=== F5/1.0/0.1",
        "=== F5//0.1",
        "=== F5/1.0",
        "=== PA",
        "=== --",
        "nodestats 100 0.1",
        "pong 3",
        "status",
        "status hello",
        "learned",
        "analysis 3 1.5",
    ];
    assert!(expected.iter().all(|form| clean.contains(form)), "{clean:?}");
    for form in ["search F5 nan 0 10", "search F5 1e-3 0 10", "nodestats 1e6 0.1", "=== F5/inf/0", "=== Z9"] {
        assert!(!is_clean(form), "{form}");
    }
}

/// The kind of an answer, with words for what is found by searching.
fn kind(line: &str) -> String {
    let words: Vec<_> = line.split(' ').collect();
    match words[..] {
        ["search", ..] => "search PV EVAL 0 DEPTH".to_owned(),
        ["nodestats", ..] => "nodestats NODES SECONDS".to_owned(),
        ["analysis", made, _] => format!("analysis {made} EVAL"),
        ["===", answer] if answer.starts_with("PA/") => "=== PA//SECONDS".to_owned(),
        ["===", answer] if answer.contains("//") => "=== MOVE//SECONDS".to_owned(),
        ["===", _] => "=== MOVE/EVAL/SECONDS".to_owned(),
        _ => line.to_owned(),
    }
}

/// Follows the game that a client tells.
fn follow(game: &mut Game, line: &str) {
    if let Some(text) = line.strip_prefix("set game ") {
        *game = ggf::parse(text).unwrap().game;
    } else if let Some(text) = line.strip_prefix("move ") {
        game.play_next(ggf::parse_step(text).unwrap().mv).unwrap();
    }
}

/// What is said after a line of the client, checked for sense.
fn answers(peer: &mut Peer, line: &str, game: &Game) -> Vec<String> {
    peer.send(line);
    let last = match line.split(' ').next().unwrap() {
        "nboard" => "set myname",
        "set" if line.starts_with("set depth") => "set myname",
        "ping" => "pong",
        "hint" | "go" | "analyze" => "status",
        "learn" => "learned",
        _ => return Vec::new(),
    };
    let answers = peer.until(|answer| if last == "status" { answer == last } else { answer.starts_with(last) });
    for answer in &answers {
        assert!(is_clean(answer), "`{answer}` after `{line}`");
        let found = match answer.split(' ').collect::<Vec<_>>()[..] {
            ["===", choice] => moves(choice.split('/').next().unwrap()),
            ["search", pv, ..] => moves(pv),
            _ => None,
        };
        let mut play = game.clone();
        for mv in found.unwrap_or_default() {
            play.play(mv).unwrap_or_else(|error| panic!("`{answer}`: {error}"));
        }
    }
    answers
}

#[test]
fn recorded_sessions_are_answered_as_written() {
    let mut sessions: Vec<_> = fs::read_dir(data()).unwrap().map(|entry| entry.unwrap().path()).collect();
    sessions.retain(|path| path.extension().is_some_and(|extension| extension == "txt"));
    assert_eq!(sessions.len(), 5, "{sessions:?}");
    for path in sessions {
        let recorded = fs::read_to_string(&path).unwrap();
        let mut peer = Peer::start(&["nboard", "--no-book"]);
        let mut game = Game::new();
        let mut found = String::new();
        for line in recorded.lines().filter_map(|line| line.strip_prefix("< ")) {
            writeln!(found, "< {line}").unwrap();
            follow(&mut game, line);
            let mut kinds: Vec<_> = answers(&mut peer, line, &game).iter().map(|answer| kind(answer)).collect();
            kinds.dedup();
            for kind in kinds {
                writeln!(found, "> {kind}").unwrap();
            }
        }
        assert_eq!(peer.end(), [""; 0]);
        if std::env::var_os("VOLTE_BLESS").is_some() {
            fs::write(&path, found).unwrap();
        } else {
            assert!(found == recorded, "{}: answered\n{found}", path.display());
        }
    }
}

/// A thought of minutes.
const DEEP: &str = "set depth 60";

#[test]
fn a_ping_stops_a_search_and_nothing_of_it_is_told_after_the_pong() {
    let mut peer = start();
    peer.ask(DEEP, "set myname Volte60");
    for (round, request) in ["hint 4", "analyze", "go", "hint 64"].into_iter().enumerate() {
        peer.send(&format!("{}\nping {round}\n{request}", game("", "f5d6c3")));
        assert!(peer.until(|line| line.starts_with("pong")).len() == 1);
        // The search is running by now.
        assert!(peer.next().starts_with("status "));
        std::thread::sleep(Duration::from_millis(100));
        let asked = Instant::now();
        peer.send(&format!("{}\nping 7{round}", game("", "f5f6e6f4")));
        let old = peer.until(|line| line.starts_with("pong"));
        assert_eq!(old.last().unwrap(), &format!("pong 7{round}"));
        assert!(asked.elapsed() < Duration::from_secs(5), "{:?}", asked.elapsed());
        assert!(!old.iter().any(|line| line.starts_with("===")), "{old:?}");
        peer.send("set depth 1\nping 90");
        assert_eq!(peer.until(|line| line == "pong 90"), ["set myname Volte1", "pong 90"]);
        peer.send(DEEP);
        peer.next();
    }
    peer.end();
}

#[test]
fn a_request_that_is_out_of_date_before_it_begins_is_over_at_once() {
    let mut peer = start();
    peer.send(&format!("{DEEP}\n{}\nping 1\nhint 64\nmove F5\nping 2\ngo\nmove D6\nping 3", game("", "")));
    let lines = peer.until(|line| line == "pong 3");
    assert!(lines.iter().all(|line| is_clean(line) && !line.starts_with("===")), "{lines:?}");
    peer.end();
}

#[test]
fn go_leaves_the_board_alone() {
    let mut peer = start();
    peer.send(&format!("set depth 1\n{}", game("", "")));
    for _ in 0..3 {
        let answer = peer.ask("ping 1\ngo", "===").pop().unwrap();
        let mv = moves(answer[4..].split('/').next().unwrap()).unwrap()[0];
        assert!(Game::new().play(mv).is_ok(), "{answer}");
        peer.until(|line| line == "status");
    }
    peer.end();
}

#[test]
fn version_1_sends_moves_alone() {
    let mut peer = Peer::start(&["nboard", "--no-book"]);
    peer.send(&format!("nboard 1\nset depth 1\n{}\nF5\nd6\nC3/1.0/2\nping 1\nhint 1", game("", "")));
    let lines = peer.until(|line| line == "status");
    let pv = lines.iter().find_map(|line| line.strip_prefix("search ")).unwrap();
    let mut game = transcript::parse("f5d6c3").unwrap();
    game.play(moves(&pv[..2]).unwrap()[0]).unwrap();
    peer.end();
}

#[test]
fn a_pass_that_ends_a_game_text_counts() {
    let text = "set game (;GM[Othello]PC[NBoard]DT[2022-01-17 12:52:30 GMT]PB[a]PW[b]RE[?]TI[5:00]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]B[F5//2.449]W[D6/0.00]B[C5//1.264]W[F4/1.00]B[D3//1.338]W[E3/2.00]B[F2//4.405]W[C6/9.00]B[G5//6.25]W[B5/13.00]B[A5//3.262]W[B4/23.00]B[B3//5.586]W[C4/25.00/0.1]B[C3//1.75]W[A6/24.00/0.1]B[A7//4.652]W[A3/27.00/0.1]B[F3//2.7680000000000002]W[E6/27.00/0.1]B[C7//4.2860000000000005]W[B6/39.00]B[D7//1.676]W[D8/46.00]B[B8//1.8980000000000001]W[E7/44.00]B[F7//3.689]W[E8/58.00]B[C8//1.793]W[A8/62.00/0.1]B[A4//2.177]W[F8/62.00]B[A2//6.807]W[B7/64.00]B[PA//3.107];)";
    let mut peer = start();
    peer.send(&format!("{text}\nset depth 1\nping 1\ngo"));
    let answer = peer.until(|line| line.starts_with("===")).pop().unwrap();
    let white = "A1 G1 B2 C2 D2 E2 G2 G3 G4 H5 F6 G6 G7";
    assert!(white.split(' ').any(|square| answer.starts_with(&format!("=== {square}/"))), "{answer}");
    peer.end();
}

#[test]
fn a_game_that_goes_wrong_is_told_and_never_answered_with_a_move_of_another() {
    let mut peer = start();
    peer.ask("set depth 1", "set myname");
    for wrong in ["set game (;GM[Othello]B[F4];)", "set game rubbish", "move A1", "move PA"] {
        peer.send(&format!("{}\n{wrong}", game("", "f5")));
        let told = peer.next();
        assert!(told.starts_with("status Volte "), "{told}");
        for request in ["go", "hint 2", "analyze"] {
            peer.send(&format!("ping 1\n{request}\nmove D6\nping 2"));
            assert_eq!(peer.until(|line| line == "pong 2"), ["pong 1", &told, "pong 2"], "{request}");
        }
        assert!(peer.ask(&format!("{}\nping 3\ngo", game("", "f5")), "===").last().unwrap().starts_with("=== "));
        peer.until(|line| line == "status");
    }
    // Arguments that mean nothing are told, unknown lines are not.
    peer.send("ping x\nfrobnicate\n\nset noise 1\nping 4");
    let lines = peer.until(|line| line == "pong 4");
    assert_eq!(lines, ["status cannot read `ping x`: expected ping NUMBER", "pong 4"]);
    peer.end();
}

#[test]
fn a_finished_game_has_nothing_to_play_but_can_be_analysed() {
    let mut peer = start();
    peer.send(&format!("set depth 1\n{}\nmove PA\nping 1", game("TI[5:00]", "e6f4e3f6g5d6e7f5c5")));
    peer.until(|line| line == "pong 1");
    for request in ["go", "hint 4"] {
        peer.send(request);
        assert_eq!(peer.next(), "status The game is over");
    }
    let lines = peer.ask("analyze", "nodestats");
    assert_eq!(lines[..2], ["status Analyzing the game", "analysis 9 -64.00"]);
    assert_eq!(lines.iter().filter(|line| line.starts_with("analysis")).count(), 10);
    assert!(lines.iter().all(|line| is_clean(line)));
    peer.end();
}

/// A game that ends in a draw.
const DRAWN: &str = "D3C5F6F5F4C3C4D2E2B4D1F3B5E3F2F1A4D6E6E7F7B6E8C6B3A5D7A3E1A6G1A2C2C7B8D8C8G8G6H6G5H5G4H4H3G7H8F8H7A8A7B7A1B2G3G2H2H1C1B1";

#[test]
fn contempt_says_what_a_draw_is_worth_to_black() {
    let all: Vec<_> = transcript::parse(DRAWN).unwrap().moves().collect();
    let mut peer = start();
    peer.ask("set depth 4", "set myname");
    for (contempt, for_black) in [(0, "0.00"), (100, "1.00"), (-100, "-1.00"), (50, "0.50")] {
        for left in [0, 1] {
            let moves: String = all[..all.len() - left].iter().map(ToString::to_string).collect();
            let black_moves = transcript::parse(&moves).unwrap().side() == volte::board::Color::Black;
            let expected = match (black_moves, for_black.strip_prefix('-')) {
                (true, _) | (_, _) if for_black == "0.00" => for_black.to_owned(),
                (true, _) => for_black.to_owned(),
                (false, Some(positive)) => positive.to_owned(),
                (false, None) => format!("-{for_black}"),
            };
            peer.send(&format!("set contempt {contempt}\n{}\nping 1\nanalyze", game("", &moves)));
            let lines = peer.until(|line| line.starts_with("analysis"));
            assert!(lines.last().unwrap().ends_with(&format!(" {expected}")), "{contempt}, {left} left: {lines:?}");
            peer.until(|line| line == "status");
        }
    }
    peer.end();
}

#[test]
fn the_clock_of_the_game_limits_a_deep_thought() {
    let mut peer = start();
    peer.ask(DEEP, "set myname");
    let game = "set game (;GM[Othello]TI[0:10//0]B[F5//1]W[D6//2]B[C3//1]W[D3//3]B[C4//6];)";
    let asked = Instant::now();
    let white = peer.ask(&format!("{game}\nping 1\ngo"), "===");
    assert!(asked.elapsed() < Duration::from_secs(5), "{:?}", asked.elapsed());
    assert!(white.iter().all(|line| is_clean(line)), "{white:?}");
    // Black has two seconds left for its whole game.
    let mut play = transcript::parse("f5d6c3d3c4").unwrap();
    let reply = white.last().unwrap()[4..].to_owned();
    play.play(moves(&reply[..2]).unwrap()[0]).unwrap();
    let asked = Instant::now();
    peer.ask(&format!("move {reply}\nping 2\ngo"), "===");
    assert!(asked.elapsed() < Duration::from_secs(2), "{:?}", asked.elapsed());
    peer.end();
}

#[test]
fn the_end_of_the_input_ends_a_thought_and_quit_waits_for_it() {
    let mut peer = start();
    peer.send(&format!("{DEEP}\n{}\nping 1\ngo", game("", "")));
    peer.until(|line| line == "status Thinking");
    let closed = Instant::now();
    let rest = peer.end();
    assert!(closed.elapsed() < Duration::from_secs(5), "{:?}", closed.elapsed());
    assert!(!rest.iter().any(|line| line.starts_with("===")), "{rest:?}");
    let mut peer = start();
    peer.send(&format!("set depth 5\n{}\nping 1\nhint 2\nquit\nping 2", game("", "")));
    let rest = peer.end();
    assert!(rest.iter().all(|line| is_clean(line) && line != "pong 2"), "{rest:?}");
    assert!(rest.iter().any(|line| line.starts_with("search")) && rest.last().unwrap() == "status", "{rest:?}");
}
