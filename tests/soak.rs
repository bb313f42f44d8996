//! Many games over each protocol in one process: every move is legal, the results agree, and the memory stays flat.
//!
//! A test run plays a few games; `scripts/soak.sh` plays 2,000, or as many as `VOLTE_SOAK_GAMES` says.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod fuzzing;
mod peer;

use fuzzing::Random;
use peer::Peer;
use std::time::Instant;
use volte::board::{Color, Move};
use volte::game::Game;

/// Games in a test run.
const GAMES: usize = 20;
/// Games after which everything that is allocated once has been allocated, as a part of all.
const WARM_UP: usize = 10;
/// Kilobytes by which a process may grow after that.
const GROWTH: u64 = 1024;

/// How an engine is asked for moves and told of them.
trait Player {
    /// The arguments of `volte`.
    const SUBCOMMAND: &'static str;

    fn begin(peer: &mut Peer);
    /// The move of the side to move, which the engine knows afterwards.
    fn choose(peer: &mut Peer, game: &Game) -> Move;
    /// Tells a move that the engine has not chosen.
    fn tell(peer: &mut Peer, side: Color, mv: Move);
    /// Checks what the engine makes of the end.
    fn end(peer: &mut Peer, game: &Game);
}

struct Gtp;

impl Gtp {
    fn ask(peer: &mut Peer, command: &str) -> String {
        peer.send(command);
        let reply = peer.until(str::is_empty).swap_remove(0);
        reply.strip_prefix("= ").unwrap_or_else(|| panic!("`{command}`: {reply}")).to_owned()
    }
}

impl Player for Gtp {
    const SUBCOMMAND: &'static str = "gtp";

    fn begin(peer: &mut Peer) {
        Self::ask(peer, "clear_board");
    }

    fn choose(peer: &mut Peer, game: &Game) -> Move {
        Self::ask(peer, &format!("genmove {}", game.side())).parse().unwrap()
    }

    fn tell(peer: &mut Peer, side: Color, mv: Move) {
        Self::ask(peer, &format!("play {side} {mv}"));
    }

    fn end(peer: &mut Peer, game: &Game) {
        let expected = match game.result().unwrap().score.discs() {
            0 => "0".to_owned(),
            discs @ 1.. => format!("B+{discs}"),
            discs => format!("W+{}", -discs),
        };
        assert_eq!(Self::ask(peer, "final_score"), expected);
    }
}

struct NBoard;

impl Player for NBoard {
    const SUBCOMMAND: &'static str = "nboard";

    fn begin(peer: &mut Peer) {
        let board = "---------------------------O*------*O--------------------------- *";
        peer.send(&format!("set game (;GM[Othello]PC[NBoard]PB[]PW[]RE[?]TI[5:00]TY[8]BO[8 {board}];)"));
    }

    fn choose(peer: &mut Peer, game: &Game) -> Move {
        let ply = game.len();
        let answer = peer.ask(&format!("ping {ply}\nhint 1\nping {ply}\ngo"), "===").pop().unwrap();
        assert_eq!(peer.next(), "status");
        let answer = answer.trim_start_matches("=== ");
        peer.send(&format!("move {answer}"));
        answer.split('/').next().unwrap().parse().unwrap()
    }

    fn tell(peer: &mut Peer, _: Color, mv: Move) {
        peer.send(&format!("move {}", mv.square().map_or("PA".to_owned(), |square| square.to_string())));
    }

    fn end(peer: &mut Peer, game: &Game) {
        let lines = peer.ask("analyze", "nodestats");
        assert_eq!(lines.len(), game.len() + 3, "{lines:?}");
        peer.next();
    }
}

struct XBoard;

impl Player for XBoard {
    const SUBCOMMAND: &'static str = "xboard";

    fn begin(peer: &mut Peer) {
        peer.send("new\nforce\npost");
    }

    fn choose(peer: &mut Peer, _: &Game) -> Move {
        let answer = peer.ask("go", "move").pop().unwrap();
        answer.trim_start_matches("move ").trim_start_matches("P@").replace("@@@@", "pass").parse().unwrap()
    }

    fn tell(peer: &mut Peer, _: Color, mv: Move) {
        peer.send(&format!(
            "force\nusermove {}",
            mv.square().map_or("@@@@".to_owned(), |square| format!("P@{square}"))
        ));
    }

    fn end(peer: &mut Peer, game: &Game) {
        let points = match game.result().unwrap().score.discs() {
            0 => "1/2-1/2 {Draw",
            1.. => "0-1 {Black wins",
            _ => "1-0 {White wins",
        };
        assert!(peer.next().starts_with(points));
    }
}

fn soak<P: Player>() {
    let games = std::env::var("VOLTE_SOAK_GAMES").map_or(GAMES, |games| games.parse().expect("a number of games"));
    let mut peer = Peer::start(&[P::SUBCOMMAND, "--level", "1"]);
    let mut random = Random(games as u64);
    let started = Instant::now();
    let (mut memory, mut moves) = (None, 0);
    for number in 0..games {
        if number == games / WARM_UP {
            memory = peer.resident_kilobytes();
        }
        P::begin(&mut peer);
        let mut game = Game::new();
        let opening = 2 + random.below(12);
        while !game.is_over() {
            let legal: Vec<_> = game.position().moves().into_iter().collect();
            let mv = if game.len() < opening && !legal.is_empty() {
                let mv = Move::Place(*random.one(&legal));
                P::tell(&mut peer, game.side(), mv);
                mv
            } else {
                P::choose(&mut peer, &game)
            };
            game.play(mv).unwrap_or_else(|error| panic!("game {number}: {error}"));
        }
        moves += game.len();
        P::end(&mut peer, &game);
    }
    let (name, after, time) = (P::SUBCOMMAND, peer.resident_kilobytes(), started.elapsed().as_secs_f64());
    eprintln!("{name}: {games} games, {moves} moves in {time:.1} s; resident kB: {memory:?}, then {after:?}");
    if let (Some(before), Some(after)) = (memory, after) {
        assert!(after <= before + GROWTH, "{name}: the memory grows from {before} to {after} kB");
    }
    peer.end();
}

#[test]
fn gtp() {
    soak::<Gtp>();
}

#[test]
fn nboard() {
    soak::<NBoard>();
}

#[test]
fn xboard() {
    soak::<XBoard>();
}
