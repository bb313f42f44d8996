//! Games that broke other programs, played through the public library.

use volte::board::{Color, Move, Setup};
use volte::game::{Game, PlayError, Turn, obf, transcript};
use volte::score::Score;

/// Plays squares written without separators, passes left out.
fn played(moves: &str) -> Game {
    let mut game = Game::new();
    for at in (0..moves.len()).step_by(2) {
        game.play_next(mv(&moves[at..at + 2])).expect("the game is legal");
    }
    game
}

fn mv(text: &str) -> Move {
    text.parse().expect("a move")
}

const WIPE_OUT: &str = "e6f4e3f6g5d6e7f5c5";
const SHORTEST_PASS: &str = "d3c3b3b2f5a3a1c1";
const FIVE_PASSES: &str =
    "c4e3f3c5d3b4e6f5d6f4f6c2b6c3c1c6a5a6c7a4a3a2b3b5d2a7b7b8d7d8c8a8e8e1d1b1b2a1e2e7f7f8f1f2g8g7g5g6h7g4g3h3h4h5g2";

#[test]
fn a_side_without_discs_ends_the_game() {
    let mut game = played(WIPE_OUT);
    assert_eq!(game.len(), 9);
    assert!(game.is_over());
    assert_eq!(game.disc_counts(), (13, 0));
    assert_eq!(game.result().unwrap().score, Score::MAX);
    assert_eq!(game.next_to_place(), None);
    for text in ["a1", "pass"] {
        let before = game.clone();
        assert_eq!(game.play(mv(text)), Err(PlayError::GameOver(mv(text))));
        assert_eq!(game, before);
    }
    assert_eq!(game.undo().unwrap().mv, mv("c5"));
}

#[test]
fn the_board_may_have_empty_squares_at_the_end() {
    let game = played(FIVE_PASSES);
    assert!(game.is_over());
    assert_eq!(game.moves().filter(|&mv| mv != Move::Pass).count(), 55);
    assert_eq!(game.turns().filter(|turn| turn.inserted).count(), 5);
    assert_eq!(game.position().empty_count(), 5);
    let result = game.result().unwrap();
    assert_eq!((result.black, result.white, result.score), (0, 59, Score::MIN));
}

#[test]
fn an_inserted_pass_goes_and_comes_with_its_move() {
    let mut game = played(SHORTEST_PASS);
    assert_eq!((game.len(), game.side()), (8, Color::Black));
    assert!(game.position().must_pass());
    assert_eq!(game.next_to_place(), Some(Color::White));
    let before = game.clone();

    let reply = game.position().pass().moves().first().unwrap();
    game.play_as(Color::White, Move::Place(reply)).unwrap();
    assert_eq!(game.len(), 10);
    let after = game.clone();
    let turn = Turn { color: Color::White, mv: Move::Place(reply), inserted: false };
    assert_eq!(game.undo(), Some(turn));
    assert_eq!((game.len(), game.position(), game.side()), (8, before.position(), Color::Black));
    assert_eq!(game.redo(), Some(turn));
    assert_eq!(game, after);
}

#[test]
fn an_explicit_pass_is_a_step_of_its_own() {
    let mut game = played(SHORTEST_PASS);
    game.play(Move::Pass).unwrap();
    assert_eq!((game.len(), game.side()), (9, Color::White));
    let reply = game.position().moves().first().unwrap();
    game.play(Move::Place(reply)).unwrap();
    assert_eq!(game.undo().unwrap().mv, Move::Place(reply));
    assert_eq!(game.side(), Color::White);
    assert_eq!(game.undo().unwrap().mv, Move::Pass);
    assert_eq!(game.side(), Color::Black);
    assert_eq!(game.redo().unwrap().mv, Move::Pass);
    assert_eq!(game.redo().unwrap().mv, Move::Place(reply));
    assert_eq!(game.redo(), None);
}

#[test]
fn going_back_to_my_own_turn_crosses_passes() {
    let mut game = played(SHORTEST_PASS);
    let reply = game.position().pass().moves().first().unwrap();
    game.play_as(Color::White, Move::Place(reply)).unwrap();

    // White's own previous turn is the one that the pass gave.
    assert!(game.undo_to_turn_of(Color::White));
    assert_eq!((game.side(), game.len()), (Color::White, 9));
    assert!(game.position().moves().contains(reply));
    // From there a step back takes the pass and the move before it, c1.
    let mut back = game.clone();
    assert_eq!(back.undo().unwrap().mv, mv("c1"));
    assert_eq!((back.len(), back.side()), (7, Color::White));
    // And the move can be redone.
    assert_eq!(game.redo().unwrap().mv, Move::Place(reply));

    // Black's is before a1, across White's two moves and the pass.
    assert!(game.undo_to_turn_of(Color::Black));
    assert_eq!((game.side(), game.len()), (Color::Black, 6));
    assert!(game.undo_to_turn_of(Color::White));
    assert_eq!(game.len(), 5);

    assert!(!Game::new().undo_to_turn_of(Color::Black));
    let mut opening = played("f5");
    assert!(!opening.undo_to_turn_of(Color::White));
    assert_eq!(opening.len(), 1);
}

#[test]
fn a_refused_move_changes_nothing() {
    let mut game = played("f5d6c3d3c4");
    game.undo();
    let before = game.clone();
    let cases = [
        (Color::Black, "pass", "illegal move pass: black has a move"),
        (Color::Black, "d4", "illegal move d4: the square is occupied"),
        (Color::Black, "a1", "illegal move a1: it turns no disc for black"),
        (Color::White, "c4", "illegal move c4: it is not white's turn"),
        (Color::White, "pass", "illegal move pass: it is not white's turn"),
    ];
    for (color, text, error) in cases {
        assert_eq!(game.play_as(color, mv(text)).unwrap_err().to_string(), error);
        assert_eq!(game, before, "{color} {text}");
    }
    assert_eq!(game.redo().unwrap().mv, mv("c4"));
}

#[test]
fn a_refused_move_inserts_no_pass() {
    let mut game = played(SHORTEST_PASS);
    let before = game.clone();
    assert!(matches!(game.play_as(Color::White, mv("d4")), Err(PlayError::Occupied(_))));
    assert_eq!(game.play_as(Color::White, Move::Pass), Err(PlayError::PassWithMoves(Color::White)));
    assert_eq!(game, before);
}

#[test]
fn a_new_move_drops_what_could_be_redone() {
    let mut game = played("f5d6c3d3");
    game.undo();
    game.undo();
    assert_eq!(game.undone().map(|turn| turn.mv).collect::<Vec<_>>(), [mv("c3"), mv("d3")]);
    game.play(mv("c4")).unwrap();
    assert_eq!(game.undone().count(), 0);
    assert_eq!(game.redo(), None);
    assert_eq!(game.moves().collect::<Vec<_>>(), [mv("f5"), mv("d6"), mv("c4")]);
}

#[test]
fn every_ply_can_be_looked_at_and_branched_from() {
    let game = played(SHORTEST_PASS);
    let mut replay = Game::new();
    for (ply, turn) in game.turns().enumerate() {
        assert_eq!(game.position_at(ply), Some(replay.position()));
        assert_eq!(game.side_at(ply), turn.color);
        assert_eq!(game.branch_at(ply).unwrap(), replay);
        replay.play(turn.mv).unwrap();
    }
    assert_eq!(game.position_at(8), Some(game.position()));
    assert_eq!(game.position_at(9), None);
    assert_eq!(game.branch_at(9), None);
}

#[test]
fn a_game_may_start_from_any_board() {
    let start = Setup { side: Color::White, ..Setup::START };
    let mut game = Game::from_setup(start).unwrap();
    assert_eq!((game.side(), game.start()), (Color::White, start));
    game.play(mv("c5")).unwrap();
    assert_eq!(game.disc_counts(), (1, 4));
    let overlap = Setup { black: start.black, white: start.black, side: Color::Black };
    assert_eq!(Game::from_setup(overlap).unwrap_err().to_string(), "e4 holds both a black and a white disc");

    let empty = Setup { black: Default::default(), white: Default::default(), side: Color::Black };
    let game = Game::from_setup(empty).unwrap();
    assert_eq!(game.result().unwrap().score, Score::DRAW);
}

#[test]
fn a_whole_game_with_an_unwritten_pass_is_read() {
    let text = "D3C5F6F5F4C3C4D2E2B4D1F3B5E3F2F1A4D6E6E7F7B6E8C6B3A5D7A3E1A6G1A2C2C7B8D8C8G8G6H6G5H5G4H4H3G7H8F8H7A8A7B7A1B2G3G2H2H1C1B1";
    let game = transcript::parse(text).unwrap();
    let result = game.result().unwrap();
    assert_eq!((result.black, result.white, result.score), (32, 32, Score::DRAW));
    let passes: Vec<_> = game.turns().enumerate().filter(|(_, turn)| turn.inserted).collect();
    let [(ply, _)] = passes[..] else { panic!("{passes:?}") };
    assert_eq!(game.moves().nth(ply + 1), Some(mv("c1")));
    assert_eq!(transcript::write(&game), text.to_lowercase());
}

#[test]
fn the_known_problem_sets_are_read() {
    let Some(data) = std::env::var_os("VOLTE_DATA") else {
        eprintln!("SKIPPED: VOLTE_DATA is not set, no problem sets to read");
        return;
    };
    for (name, count) in [("1-19", 19), ("20-39", 20), ("40-59", 20), ("60-79", 20)] {
        let path = std::path::Path::new(&data).join(format!("ffo/fforum-{name}.obf"));
        let problems: Vec<_> = obf::parse(&std::fs::read_to_string(path).unwrap()).collect::<Result<_, _>>().unwrap();
        assert_eq!(problems.len(), count);
        assert!(problems.iter().all(|(_, problem)| problem.best_score().is_some()));
    }
}
