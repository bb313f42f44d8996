//! Growing books and learning from games, with searches shallow enough for tests.

use super::grow::{Growth, Mode, Plan, grow};
use super::learn::{Lessons, count, learn};
use super::*;
use crate::board::Position;
use crate::book::{Book, Games};
use crate::eval::HandMade;
use crate::game::record::GameRecord;
use crate::game::transcript;
use crate::score::Eval;
use crate::search::Level;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

fn examiner(level: u8, threads: usize) -> Examiner<HandMade> {
    Examiner { evaluator: Arc::new(HandMade), level: Level::new(level).unwrap(), threads, table_megabytes: 1 }
}

fn scope() -> Scope {
    let discs = Eval::from_discs;
    Scope { choice: discs(0.5), deviation: discs(3.0), total: discs(6.0), plies: 12 }
}

fn plan(mode: Mode, positions: usize) -> Plan {
    Plan { mode, scope: scope(), positions }
}

/// Grows a book, and gives it with how growing ended; `stop_after` ends it after so many steps.
fn grown(book: &mut Book, plan: &Plan, examiner: &Examiner<HandMade>, stop_after: usize) -> Option<Growth> {
    let stop = StopSignal::default();
    let mut steps = 0;
    let result: Result<Growth, Stopped> =
        grow(book, plan, examiner, Watch { stop: &stop, searched: &|| {} }, |_: &Book| {
            steps += 1;
            if steps == stop_after { Err(Stopped) } else { Ok(()) }
        });
    result.ok()
}

#[test]
fn a_book_is_the_same_for_any_number_of_threads_and_stops() {
    let plan = plan(Mode::Deviate, 230);
    let mut books = Vec::new();
    for threads in [1, 3] {
        let mut book = Book::new();
        assert_eq!(grown(&mut book, &plan, &examiner(3, threads), usize::MAX), Some(Growth::Full));
        assert_eq!((book.len(), book.verify()), (230, vec![]));
        books.push(book.to_bytes());
    }
    let mut book = Book::new();
    while grown(&mut book, &plan, &examiner(3, 2), 1).is_none() {
        assert_eq!(book.verify(), vec![]);
        book = Book::from_bytes(&book.to_bytes()).unwrap();
    }
    books.push(book.to_bytes());
    assert!(books.windows(2).all(|pair| pair[0] == pair[1]));
}

#[test]
fn a_stop_within_a_step_leaves_the_book_as_it_was() {
    let mut book = Book::new();
    grown(&mut book, &plan(Mode::Deviate, 30), &examiner(2, 1), usize::MAX);
    let before = book.to_bytes();
    let (stop, searched) = (StopSignal::default(), AtomicUsize::new(0));
    let after_some = || {
        if searched.fetch_add(1, Ordering::Relaxed) == 5 {
            stop.stop();
        }
    };
    let watch = Watch { stop: &stop, searched: &after_some };
    let result: Result<Growth, Stopped> =
        grow(&mut book, &plan(Mode::Deviate, 500), &examiner(2, 1), watch, |_: &Book| Ok(()));
    assert_eq!(result, Err(Stopped));
    assert!(searched.load(Ordering::Relaxed) >= 5);
    assert_eq!(book.to_bytes(), before);
}

#[test]
fn every_cheap_reply_on_the_good_lines_is_answered() {
    let mut book = Book::new();
    let narrow = Plan { scope: Scope { plies: 5, ..scope() }, ..plan(Mode::Deviate, 100_000) };
    assert_eq!(grown(&mut book, &narrow, &examiner(2, 2), usize::MAX), Some(Growth::Complete));
    for reach in narrow.scope.survey(&book) {
        assert!(reach.moves.iter().all(|(known, _)| known.in_book), "{:?}", reach.position);
    }
    assert!(book.iter().all(|(position, _)| position.empty_count() >= 60 - 5));
}

#[test]
fn lines_get_longer_and_searches_deeper() {
    let mut book = Book::new();
    grown(&mut book, &plan(Mode::Deviate, 30), &examiner(2, 2), usize::MAX);
    let before = book.len();
    grown(&mut book, &plan(Mode::Extend, 1000), &examiner(2, 2), usize::MAX);
    assert!(book.len() > before);
    assert_eq!(book.verify(), vec![]);

    let more = book.len() + 30;
    grown(&mut book, &plan(Mode::Enhance, more), &examiner(2, 2), usize::MAX);
    assert_eq!(book.verify(), vec![]);

    let positions = book.len();
    assert_eq!(grown(&mut book, &plan(Mode::Deepen, 0), &examiner(4, 2), usize::MAX), Some(Growth::Complete));
    assert_eq!((book.len(), book.verify()), (positions, vec![]));
    // A position without a way out has nothing to search.
    let mut reached = scope().survey(&book).into_iter().map(|reach| reach.position);
    assert!(reached.all(|at| book.get(at).is_some_and(|entry| entry.level == 4) || book.outside(at).is_empty()));
}

#[test]
fn games_bring_their_positions_and_their_results() {
    let games = ["e6f4e3f6g5d6e7f5c5", "f5d6c3d3c4", "f5f6e6f4"];
    let mut lessons = Lessons::default();
    for game in games {
        assert!(lessons.add(&GameRecord::of(transcript::parse(game).unwrap()), 6));
    }
    let mut book = Book::new();
    let watch = Watch { stop: &StopSignal::default(), searched: &|| {} };
    let done = |_: &Book| Ok::<(), Stopped>(());
    learn(&mut book, (&lessons, 2), &examiner(2, 2), watch, done).unwrap();
    // The start and two positions that two games have in common; one of them came to an end, and Black won it.
    assert_eq!((book.len(), book.verify()), (3, vec![]));
    assert_eq!(book.games(Position::START), Games { wins: 1, draws: 0, losses: 0 });
    let after = Position::START.play("f5".parse().unwrap()).unwrap();
    assert_eq!(book.games(after), Games { wins: 0, draws: 0, losses: 1 });

    learn(&mut book, (&lessons, 1), &examiner(2, 2), watch, done).unwrap();
    assert!(book.contains(transcript::parse("f5d6c3d3c4").unwrap().position()));
    assert_eq!(book.verify(), vec![]);
    let positions = book.len();
    count(&mut book, &lessons);
    assert_eq!((book.len(), book.games(Position::START).count()), (positions, 3));

    let elsewhere = crate::game::Game::from_setup(crate::board::Setup {
        side: crate::board::Color::White,
        ..crate::board::Setup::START
    });
    assert!(!lessons.add(&GameRecord::of(elsewhere.unwrap()), 6));
}
