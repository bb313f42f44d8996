//! The search through the public library: exactness, determinism, limits, prompt stops.

use std::sync::Arc;
use std::time::{Duration, Instant};
use volte::board::{Bitboard, Move, Position, Square};
use volte::clock::{Budget, WallClock};
use volte::eval::HandMade;
use volte::score::{Draft, Selectivity};
use volte::search::{Control, Level, Limits, Observer, Outcome, Report, Resources, Searcher, StopSignal, Surroundings};

fn position(text: &str) -> Position {
    let (cells, side) = text.split_at(64);
    let discs = |disc: char| {
        let squares = cells.chars().zip(Square::ALL).filter(|&(cell, _)| cell == disc);
        squares.map(|(_, square)| square).collect::<Bitboard>()
    };
    let (black, white) = (discs('X'), discs('O'));
    let (own, opp) = if side.trim() == "X" { (black, white) } else { (white, black) };
    Position::new(own, opp).expect("no square holds two discs")
}

/// Fifteen empty squares; selective results were once served as exact ones here.
const TRAP: &str = "--OX-OO---OOOO-X-OOOO-OX-OOOOOXXXOOXXOXX-OOOOOOXXOXX-O-XO--XXXXX X";
/// The same game two plies on.
const TRAP_REPLY: &str = "--OX-OO---OOOO-X-OOOO-OX-OOOOOXXXOOXXOXX-OOOOXXXXOXX-OXXO--XXXXX O";
/// FFO endgame test 40.
const FFO_40: &str = "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X";

fn searcher(threads: usize) -> Searcher<HandMade> {
    Searcher::new(Arc::new(HandMade), Resources { threads, table_megabytes: 16 })
}

fn run(searcher: &mut Searcher<HandMade>, position: Position, limits: &Limits) -> Outcome {
    let stop = StopSignal::default();
    let clock = WallClock::default();
    searcher.search(position, limits, &mut Surroundings { clock: &clock, stop: &stop, observer: &mut () })
}

fn exact() -> Limits {
    Limits::draft(Draft::new(60, Selectivity::FULL))
}

fn scores(outcome: &Outcome) -> Vec<(String, i32)> {
    outcome.lines.iter().map(|line| (line.mv.to_string(), line.value.to_score().discs())).collect()
}

#[test]
fn a_selective_result_is_never_served_as_exact() {
    let mut searcher = searcher(1);
    // Fill the table with selective results of all kinds first.
    for selectivity in Selectivity::all() {
        for depth in 1..=15 {
            run(&mut searcher, position(TRAP), &Limits::draft(Draft::new(depth, selectivity)));
        }
    }
    let outcome = run(&mut searcher, position(TRAP), &Limits { lines: 4, ..exact() });
    let expected = [("g7", 32), ("b2", 28), ("e7", 22), ("e1", 20)].map(|(mv, score)| (mv.to_owned(), score));
    assert_eq!(scores(&outcome), expected);
    assert!(outcome.lines.iter().all(|line| line.solved));
    let outcome = run(&mut searcher, position(TRAP_REPLY), &Limits { lines: 3, ..exact() });
    let scores = scores(&outcome);
    assert_eq!(scores.iter().map(|(_, score)| *score).collect::<Vec<_>>(), [-32, -32, -36]);
    assert_eq!(scores[2].0, "e1");
}

#[test]
fn every_number_of_threads_solves_to_one_answer() {
    // A long run asks for more: VOLTE_REPEATS=1000.
    let repeats = std::env::var("VOLTE_REPEATS").ok().and_then(|text| text.parse().ok()).unwrap_or(10);
    for threads in [1, 2, 3, 5] {
        let mut searcher = searcher(threads);
        for _ in 0..repeats {
            searcher.clear();
            let outcome = run(&mut searcher, position(TRAP), &exact());
            assert_eq!(scores(&outcome), [("g7".to_owned(), 32)]);
        }
    }
    for threads in [2, 4] {
        let outcome = run(&mut searcher(threads), position(FFO_40), &exact());
        assert_eq!(scores(&outcome), [("a2".to_owned(), 38)]);
    }
}

#[test]
fn one_thread_is_deterministic() {
    let limits = [Limits::draft(Draft::new(9, Selectivity::MIN)), exact()];
    for (limits, position) in limits.iter().zip([Position::START, position(TRAP)]) {
        let mut searcher = searcher(1);
        let first = run(&mut searcher, position, limits);
        searcher.clear();
        let second = run(&mut searcher, position, limits);
        assert_eq!((first.nodes, first.lines), (second.nodes, second.lines));
    }
}

#[test]
fn a_solved_line_plays_to_the_end_and_reaches_its_score() {
    let start = position(TRAP);
    let outcome = run(&mut searcher(1), start, &exact());
    let end = outcome.lines[0].pv.iter().try_fold(start, |board, &mv| board.make(mv)).expect("the line is legal");
    assert!(end.is_over());
    let mover_again = outcome.lines[0].pv.len().is_multiple_of(2);
    let score = if mover_again { end.final_score() } else { -end.final_score() };
    assert_eq!(score.discs(), 32);
}

#[test]
fn a_search_stops_within_fifty_milliseconds_of_the_signal() {
    for threads in [1, 2] {
        let mut searcher = searcher(threads);
        let stop = StopSignal::default();
        let clock = WallClock::default();
        let (outcome, late) = std::thread::scope(|scope| {
            let stopper = scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(300));
                stop.stop();
                Instant::now()
            });
            let mut around = Surroundings { clock: &clock, stop: &stop, observer: &mut () };
            let outcome = searcher.search(Position::START, &exact(), &mut around);
            (outcome, stopper.join().unwrap().elapsed())
        });
        assert!(outcome.stopped && !outcome.lines.is_empty());
        assert!(late < Duration::from_millis(50), "stopped {late:?} after the signal");
    }
}

#[test]
fn time_and_node_limits_hold() {
    let mut searcher = searcher(1);
    let limits = Limits { time: Some(Budget::fixed(Duration::from_millis(200))), ..exact() };
    let outcome = run(&mut searcher, Position::START, &limits);
    assert!(outcome.stopped && outcome.elapsed < Duration::from_millis(260), "{:?}", outcome.elapsed);
    let outcome = run(&mut searcher, Position::START, &Limits { nodes: Some(20_000), ..exact() });
    assert!(outcome.stopped && outcome.nodes < 200_000, "{}", outcome.nodes);
    assert!(outcome.lines[0].draft.depth > 0);
}

#[test]
fn as_many_lines_as_asked_for_best_first_each_with_its_own_move() {
    let limits = Limits { lines: 3, ..Limits::draft(Draft::new(6, Selectivity::FULL)) };
    let board = Position::START.play(Square::F5).unwrap();
    let outcome = run(&mut searcher(1), board, &limits);
    assert_eq!(outcome.lines.len(), 3);
    let values: Vec<_> = outcome.lines.iter().map(|line| line.value).collect();
    assert!(values.is_sorted_by(|a, b| a >= b));
    let moves: std::collections::HashSet<_> = outcome.lines.iter().map(|line| line.mv.to_string()).collect();
    assert_eq!(moves.len(), 3);
    for line in &outcome.lines {
        assert!(line.pv.iter().try_fold(board, |board, &mv| board.make(mv)).is_some(), "{:?}", line.pv);
        let alone = Limits { root_moves: line.mv.square().map(Square::bit), ..Limits { lines: 1, ..limits.clone() } };
        assert_eq!(run(&mut searcher(1), board, &alone).lines[0].mv, line.mv);
    }
}

/// Remembers what it was shown, and ends the search after some iterations.
struct Watcher {
    seen: Vec<(u8, u64, Move)>,
    stop_after: usize,
}

impl Observer for Watcher {
    fn iteration(&mut self, report: &Report<'_>) -> Control {
        self.seen.push((report.lines[0].draft.depth, report.nodes, report.lines[0].mv));
        if self.seen.len() == self.stop_after { Control::Stop } else { Control::Continue }
    }
}

#[test]
fn the_observer_hears_of_every_iteration_and_can_end_the_search() {
    let mut watcher = Watcher { seen: Vec::new(), stop_after: 3 };
    let (stop, clock) = (StopSignal::default(), WallClock::default());
    let mut around = Surroundings { clock: &clock, stop: &stop, observer: &mut watcher };
    let outcome = searcher(1).search(Position::START, &Limits::draft(Draft::new(12, Selectivity::MIN)), &mut around);
    assert!(outcome.stopped);
    assert_eq!(watcher.seen.iter().map(|seen| seen.0).collect::<Vec<_>>(), [2, 4, 6]);
    assert!(watcher.seen.is_sorted_by_key(|seen| seen.1));
}

#[test]
fn a_forced_pass_is_a_line_and_a_finished_game_has_none() {
    // The shortest game that forces a pass.
    let board = ["d3", "c3", "b3", "b2", "f5", "a3", "a1", "c1"]
        .iter()
        .fold(Position::START, |board, mv| board.play(mv.parse().unwrap()).unwrap());
    assert!(board.must_pass());
    let outcome = run(&mut searcher(1), board, &Limits::draft(Draft::new(5, Selectivity::FULL)));
    assert_eq!(outcome.lines[0].mv, Move::Pass);
    assert_eq!(outcome.lines[0].pv[0], Move::Pass);
    let over = ["e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5"]
        .iter()
        .fold(Position::START, |board, mv| board.play(mv.parse().unwrap()).unwrap());
    assert!(over.is_over());
    let outcome = run(&mut searcher(2), over, &exact());
    assert_eq!((outcome.lines.len(), outcome.nodes), (0, 0));
}

#[test]
fn an_exact_score_does_not_depend_on_what_was_searched_before() {
    let mut used = searcher(1);
    let board = position(TRAP);
    for square in board.moves() {
        let child = board.play(square).unwrap();
        let fresh = run(&mut searcher(1), child, &exact()).lines[0].value;
        assert_eq!(run(&mut used, child, &exact()).lines[0].value, fresh);
    }
    assert_eq!(scores(&run(&mut used, board, &exact())), [("g7".to_owned(), 32)]);
}

#[test]
fn levels_reach_the_end_of_the_game_and_never_get_weaker() {
    for empties in 0..=60 {
        let depths: Vec<u8> = Level::all().map(|level| level.draft(empties).depth).collect();
        assert!(depths.is_sorted(), "{empties} empties: {depths:?}");
        assert_eq!(Level::MAX.draft(empties), Draft::new(empties, Selectivity::FULL));
    }
}
