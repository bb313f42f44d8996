//! The solver against plain minimax.

use super::*;

/// The final score by trying everything.
fn minimax(board: Position) -> i32 {
    let moves = board.moves();
    if moves.is_empty() {
        return if board.is_over() { board.final_score().discs() } else { -minimax(board.pass()) };
    }
    moves.into_iter().map(|square| -minimax(board.play(square).unwrap())).max().unwrap()
}

/// A position with `empties` empty squares from a random game.
fn random_position(seed: &mut u64, empties: u32) -> Position {
    loop {
        let mut board = Position::START;
        while board.empty_count() > empties && !board.is_over() {
            *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let moves: Vec<Square> = board.moves().into_iter().collect();
            board = match moves.len() {
                0 => board.pass(),
                count => board.play(moves[(*seed >> 33) as usize % count]).unwrap(),
            };
        }
        if board.empty_count() == empties {
            return board;
        }
    }
}

#[test]
fn an_exact_score_equals_plain_minimax() {
    let mut seed = 1;
    let mut solver = Solver::new();
    for round in 0..240 {
        let board = random_position(&mut seed, round % 9);
        let truth = minimax(board);
        assert_eq!(solver.solve_window(board, -65, 65), truth, "{board:?}");
        for alpha in [truth - 3, truth - 1, truth, truth + 1, truth + 4] {
            let value = solver.solve(board, alpha.clamp(-64, 63));
            let alpha = alpha.clamp(-64, 63);
            if truth > alpha {
                assert!(value > alpha && value <= truth, "{board:?} alpha {alpha}: {value}, truth {truth}");
            } else {
                assert!(value <= alpha && value >= truth, "{board:?} alpha {alpha}: {value}, truth {truth}");
            }
        }
    }
}

#[test]
fn odd_squares_come_first_and_the_lonely_one_before_three() {
    let squares = |names: [&str; 4]| names.iter().map(|name| name.parse::<Square>().unwrap()).collect::<Bitboard>();
    assert_eq!(last::four_in_order(squares(["a1", "b1", "h1", "h8"]))[2..], [Square::A1, Square::B1]);
    assert_eq!(last::four_in_order(squares(["a1", "b1", "c1", "h8"]))[0], Square::H8);
    assert_eq!(last::four_in_order(squares(["a1", "g1", "h1", "h2"]))[0], Square::A1);
    assert_eq!(last::four_in_order(squares(["a1", "b1", "h1", "b2"]))[0], Square::H1);
}
