//! How GTP shows boards, moves, scores and search results.

use crate::board::{Bitboard, Move, Setup, Square};
use crate::game::named::NamedOpening;
use crate::game::{Game, GameResult};
use crate::protocol::results::{LineJson, play, value};
use crate::search::{Line, Report};
use serde_json::json;

/// `F5` or `pass`.
pub(super) fn vertex(mv: Move) -> String {
    match mv {
        Move::Place(square) => square.to_string().to_ascii_uppercase(),
        Move::Pass => "pass".to_owned(),
    }
}

/// Squares with a space between them.
pub(super) fn vertices(squares: Bitboard) -> String {
    squares.into_iter().map(|square| vertex(Move::Place(square))).collect::<Vec<_>>().join(" ")
}

/// `X`, `O` or `.`.
fn cell(board: Setup, square: Square) -> char {
    if board.black.contains(square) {
        'X'
    } else if board.white.contains(square) {
        'O'
    } else {
        '.'
    }
}

/// The cells of a rank with a space between them.
fn rank(board: Setup, rank: usize) -> String {
    (0..Square::SIDE)
        .filter_map(|file| Square::from_file_rank(file, rank))
        .map(|square| cell(board, square).to_string())
        .collect::<Vec<_>>()
        .join(" ")
}

/// The board as GoGui reads it, rank 8 first.
pub(super) fn rules_board(board: Setup) -> String {
    (0..Square::SIDE).rev().map(|index| format!("\n{}", rank(board, index))).collect()
}

/// The board for people, rank 1 first as everywhere in Othello.
pub(super) fn board(game: &Game) -> String {
    let board = game.setup();
    let mut text = String::from("\n  a b c d e f g h");
    for index in 0..Square::SIDE {
        text += &format!("\n{} {}", index + 1, rank(board, index));
    }
    let side = game.side();
    let state = match game.result() {
        Some(end) => result(end),
        None if game.position().must_pass() => format!("{side} has to pass"),
        None => format!("{side} to move"),
    };
    text + &format!("\nBlack (X) {}, White (O) {}; {state}", board.black.count(), board.white.count())
}

/// The score of a finished game: `B+12`, `W+4` or `0`. Empty squares count for the winner.
pub(super) fn score(end: GameResult) -> String {
    match end.score.discs() {
        0 => "0".to_owned(),
        discs @ 1.. => format!("B+{discs}"),
        discs => format!("W+{}", -discs),
    }
}

/// The result of a finished game in words.
pub(super) fn result(end: GameResult) -> String {
    match end.score.discs() {
        0 => "The game is a draw".to_owned(),
        discs @ 1.. => format!("Black wins by {discs}"),
        discs => format!("White wins by {}", -discs),
    }
}

/// An opening with its moves: `Tiger f5d6c3d3c4`.
pub(super) fn opening(opening: NamedOpening) -> String {
    format!("{} {}", opening.name, opening.line)
}

/// `F5 +1.25 12@73% f5d6c3`: move, value, depth and selectivity, expected play.
pub(super) fn hint(line: &Line) -> String {
    let draft = line.draft;
    format!(
        "{} {} {}@{}% {}",
        vertex(line.mv),
        value(line.value, line.solved),
        draft.depth,
        draft.selectivity.percent(),
        play(&line.pv)
    )
}

/// A report in words, a line for each move: `info move F5 score +1.25 depth 12 selectivity 73 nodes 48211 pv F5 D6 C3`.
pub(super) fn analysis(report: &Report<'_>) -> String {
    let info = |line: &Line| {
        let (mv, score, nodes) = (vertex(line.mv), value(line.value, line.solved), report.nodes);
        let (depth, selectivity) = (line.draft.depth, line.draft.selectivity.percent());
        let pv = line.pv.iter().copied().map(vertex).collect::<Vec<_>>().join(" ");
        format!("info move {mv} score {score} depth {depth} selectivity {selectivity} nodes {nodes} pv {pv}")
    };
    report.lines.iter().map(info).collect::<Vec<_>>().join("\n")
}

/// A report as a JSON object on one line.
pub(super) fn analysis_json(report: &Report<'_>) -> String {
    let lines: Vec<LineJson> = report.lines.iter().map(LineJson::from).collect();
    let seconds = (report.elapsed.as_secs_f64() * 1000.0).round() / 1000.0;
    json!({ "nodes": report.nodes, "seconds": seconds, "lines": lines }).to_string()
}
