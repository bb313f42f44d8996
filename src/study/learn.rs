//! Learning from games: their positions and their results go into a book.
//!
//! Start reading at [`Lessons`] and [`learn`].

use super::grow::{refresh, search};
use super::{Examiner, Stopped, Watch};
use crate::board::{Color, Position, Setup};
use crate::book::{Book, Games};
use crate::eval::Evaluator;
use crate::game::record::{GameRecord, Outcome};
use crate::score::Score;
use std::collections::BTreeMap;

/// What games teach: the positions that came up, and how the games ended from there on.
#[derive(Clone, Default, Debug)]
pub struct Lessons {
    positions: BTreeMap<(u64, u64), Lesson>,
    games: u64,
}

/// What games teach of a position.
#[derive(Clone, Copy, Debug)]
struct Lesson {
    position: Position,
    /// How many games came through it.
    seen: u64,
    /// Their results, where there is one.
    results: Games,
}

impl Lessons {
    /// Takes the first `plies` moves of a game, and its result; `false` for a game that does not begin at the start.
    pub fn add(&mut self, record: &GameRecord, plies: usize) -> bool {
        let game = &record.game;
        if game.start() != Setup::START {
            return false;
        }
        let result = record.outcome();
        let turns = (0..=game.len().min(plies)).filter_map(|ply| Some((game.position_at(ply)?, game.side_at(ply))));
        for (position, side) in turns.filter(|(position, _)| !position.moves().is_empty()) {
            let (canonical, _) = position.canonical();
            let key = (canonical.own().0, canonical.opp().0);
            let new = Lesson { position: canonical, seen: 0, results: Games::default() };
            let lesson = self.positions.entry(key).or_insert(new);
            lesson.seen += 1;
            lesson.results = lesson.results.plus(result.map_or_else(Games::default, |outcome| for_side(outcome, side)));
        }
        self.games += 1;
        true
    }

    /// How many games were taken.
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// The positions that came up in at least `games` games and are not in the book, the start first.
    pub fn new_to(&self, book: &Book, games: u64) -> Vec<Position> {
        let frequent = self.positions.values().filter(|lesson| lesson.seen >= games);
        let mut new: Vec<Position> =
            frequent.map(|lesson| lesson.position).filter(|position| !book.contains(*position)).collect();
        new.sort_by_key(|position| std::cmp::Reverse(position.empty_count()));
        new
    }
}

/// A result as one game for the side to move.
fn for_side(outcome: Outcome, side: Color) -> Games {
    let for_black = match outcome {
        Outcome::Score(score) => score,
        Outcome::Win(Color::Black) => Score::MAX,
        Outcome::Win(Color::White) => Score::MIN,
    };
    Games::of(if side == Color::Black { for_black } else { -for_black })
}

/// Searches the positions of games that came up at least `often` times and puts them into a book, and in the end the
/// results of the games. After each step `done` is given the book; an error of it ends the study.
///
/// # Errors
/// If it was stopped, or by `done`. Done again it goes on, and no game is counted twice: results come last.
pub fn learn<E: Evaluator, F: From<Stopped>>(
    book: &mut Book,
    (lessons, often): (&Lessons, u64),
    examiner: &Examiner<E>,
    watch: Watch<'_>,
    mut done: impl FnMut(&Book) -> Result<(), F>,
) -> Result<(), F> {
    /// Positions between two calls of `done`.
    const STEP: usize = 96;
    for positions in lessons.new_to(book, often).chunks(STEP) {
        let mut grown = book.clone();
        search(&mut grown, positions, examiner, watch)?;
        refresh(&mut grown, examiner, watch)?;
        *book = grown;
        done(book)?;
    }
    count(book, lessons);
    done(book)
}

/// Adds the results of games to the positions of a book.
pub fn count(book: &mut Book, lessons: &Lessons) {
    for lesson in lessons.positions.values().filter(|lesson| lesson.results.count() > 0) {
        if book.contains(lesson.position) {
            book.add_games(lesson.position, lesson.results);
        }
    }
}
