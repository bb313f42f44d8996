//! Playing from the opening book, and learning into it.
//!
//! Start reading at [`Engine::book_choice`].

use super::{Audience, Choice, Engine, empties};
use crate::board::{Color, Move, Position, Setup};
use crate::book::{Book, BookMove, Entry, Games, Leaf, Successor};
use crate::score::{Bound, Eval, Score};
use crate::search::{Level, Limits, Line};
use rand::RngExt;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::sync::Arc;

/// The book of an engine, and how it plays from it.
pub(super) struct Opening {
    book: Option<Arc<Book>>,
    usage: BookUse,
    random: Xoshiro256PlusPlus,
    keeper: Option<Keeper>,
}

impl Default for Opening {
    fn default() -> Self {
        Self { book: None, usage: BookUse::default(), random: Xoshiro256PlusPlus::seed_from_u64(0), keeper: None }
    }
}

/// Hears of a book that has learnt something, and says why it could not keep it.
pub type Keeper = Box<dyn FnMut(&Book) -> Result<(), String> + Send>;

/// What was learnt is used, but is lost when the engine ends.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the book is not kept: {0}")]
pub struct NotKept(pub String);

/// How an engine plays from its book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookUse {
    /// Whether it does.
    pub on: bool,
    /// What its moves may cost in a game, all together; within that it chooses at random. At zero it plays the best.
    pub randomness: Eval,
    /// How many discs may have been placed; `None` for as far as the book goes.
    pub plies: Option<u32>,
}

impl Default for BookUse {
    fn default() -> Self {
        Self { on: true, randomness: Eval::ZERO, plies: None }
    }
}

impl Engine {
    /// Gives the engine a book, or takes it away; at first it has none.
    pub fn set_book(&mut self, book: Option<Arc<Book>>) {
        self.opening.book = book;
    }

    /// The book, whether it is used or not.
    pub fn book(&self) -> Option<&Book> {
        self.opening.book.as_deref()
    }

    /// How the book is used.
    pub const fn book_use(&self) -> BookUse {
        self.opening.usage
    }

    /// Changes how the book is used.
    pub const fn set_book_use(&mut self, usage: BookUse) {
        self.opening.usage = usage;
    }

    /// Makes random choices from the book others than those of every engine.
    pub fn seed_book(&mut self, random: Xoshiro256PlusPlus) {
        self.opening.random = random;
    }

    /// Has somebody keep what [`Engine::learn`] changes.
    pub fn set_book_keeper(&mut self, keeper: Keeper) {
        self.opening.keeper = Some(keeper);
    }

    /// The moves that the book knows in a position, best first; none if it is not used.
    pub fn book_moves(&self, position: Position) -> Vec<BookMove> {
        match &self.opening.book {
            Some(book) if self.opening.usage.on => book.moves(position),
            _ => Vec::new(),
        }
    }

    /// The move of `side` from the book, if there is one.
    ///
    /// A position at the end of the book knows no more than one search: if the engine is told to search at a higher
    /// level, it does.
    pub(super) fn book_choice(&mut self, side: Color, position: Position) -> Option<Choice> {
        let BookUse { randomness, plies, .. } = self.opening.usage;
        let placed = Position::START.empty_count().saturating_sub(position.empty_count());
        if plies.is_some_and(|plies| placed >= plies) {
            return None;
        }
        let moves = self.book_moves(position);
        let best = *moves.first()?;
        let entry = self.book()?.get(position)?;
        let at_the_end = moves.iter().all(|known| !known.in_book);
        if at_the_end && self.options.level.is_some_and(|level| level.number() > entry.level) {
            return None;
        }
        let left = randomness - self.spent(side);
        let mut allowed = moves;
        allowed.retain(|known| best.value - known.value <= left);
        let chosen = match allowed.len() {
            0 | 1 => best,
            _ if randomness == Eval::ZERO => best,
            count => allowed[self.opening.random.random_range(0..count)],
        };
        Some(Choice {
            mv: Move::Place(chosen.mv),
            line: Some(self.book_line(position, chosen, entry)),
            nodes: 0,
            from_book: true,
        })
    }

    /// What the moves of `side` have cost so far, by the book.
    fn spent(&self, side: Color) -> Eval {
        let plies = (0..self.game.len()).filter(|&ply| self.game.side_at(ply) == side);
        let costs = plies.zip(self.game.turns().filter(|turn| turn.color == side)).filter_map(|(ply, turn)| {
            let moves = self.book_moves(self.game.position_at(ply)?);
            let played = moves.iter().find(|known| Move::Place(known.mv) == turn.mv)?;
            Some(moves[0].value - played.value)
        });
        costs.fold(Eval::ZERO, |sum, cost| sum + cost)
    }

    /// A move of the book as a search would tell it: with the best play of the book after it.
    fn book_line(&self, position: Position, chosen: BookMove, entry: Entry) -> Line {
        let mut pv = vec![Move::Place(chosen.mv)];
        let mut next = Successor::of(position, chosen.mv);
        while let Some(successor) = next {
            let Some(best) = self.book_moves(successor.position).first().copied() else { break };
            if successor.passed {
                pv.push(Move::Pass);
            }
            pv.push(Move::Place(best.mv));
            next = Successor::of(successor.position, best.mv);
        }
        let draft = Level::new(entry.level).unwrap_or(Level::MAX).draft(empties(position));
        let solved = chosen.lower == chosen.upper;
        Line { mv: Move::Place(chosen.mv), value: chosen.value, bound: Bound::Exact, draft, solved, pv }
    }

    /// Learns from the current game: its result is counted, and its first position out of the book is searched at the
    /// level of the engine and put into it. Gives the number of new positions: 0 or 1. Without a book, or for a game
    /// that did not begin at the start, it learns nothing.
    ///
    /// # Errors
    /// If the keeper of the book cannot keep it.
    pub fn learn(&mut self, audience: Audience<'_>) -> Result<usize, NotKept> {
        let starts_right = self.game.start() == Setup::START;
        let Some(mut book) = self.opening.book.as_deref().filter(|_| starts_right).cloned() else { return Ok(0) };
        let turns = (0..=self.game.len()).filter_map(|ply| Some((self.game.position_at(ply)?, self.game.side_at(ply))));
        let turns: Vec<(Position, Color)> = turns.filter(|(position, _)| !position.moves().is_empty()).collect();
        let new = turns.iter().map(|&(position, _)| position).find(|position| !book.contains(*position));
        let added = new.and_then(|position| self.learn_position(position, &book, audience));
        let count = usize::from(added.is_some());
        book = added.unwrap_or(book);
        if let Some(result) = self.game.result() {
            for (position, side) in turns {
                if !book.contains(position) {
                    continue;
                }
                let score = if side == Color::Black { result.score } else { -result.score };
                book.add_games(position, Games::of(score));
            }
        }
        let book = Arc::new(book);
        let kept = self.opening.keeper.as_mut().map_or(Ok(()), |keeper| keeper(&book));
        self.opening.book = Some(book);
        kept.map_err(NotKept)?;
        Ok(count)
    }

    /// The book with one position more; `None` if a search was stopped.
    fn learn_position(&mut self, new: Position, book: &Book, audience: Audience<'_>) -> Option<Book> {
        let Audience { stop, observer } = audience;
        let level = self.options.level.unwrap_or(Level::DEFAULT);
        let mut grown = book.clone();
        grown.put(new, level.number(), None);
        // The new position, and those whose best move out of the book leads to it.
        let wanting = grown.iter().filter(|&(position, entry)| grown.wants_leaf(position, entry));
        for position in wanting.map(|(position, _)| position).collect::<Vec<_>>() {
            let outside = grown.outside(position);
            let leaf = if outside.is_empty() {
                None
            } else {
                let limits = Limits { root_moves: Some(outside), ..Limits::draft(level.draft(empties(position))) };
                let outcome = self.search_position(position, &limits, Audience { stop, observer: &mut *observer });
                Some(outcome.lines.first().filter(|_| !outcome.stopped).map(|line| leaf(line, position))?)
            };
            grown.put(position, level.number(), leaf);
        }
        grown.negamax();
        Some(grown)
    }
}

/// The best move out of the book, as a search of those moves found it.
pub fn leaf(line: &Line, position: Position) -> Leaf {
    /// How far a value that was not solved may be off, in discs.
    const MIDGAME_ERROR: Score = Score::from_discs(2);
    /// How far a value that was solved selectively may be off.
    const SELECTIVE_ERROR: Score = Score::from_discs(1);
    let error = match line {
        Line { solved: true, .. } => Score::DRAW,
        Line { draft, .. } if draft.depth >= empties(position) => SELECTIVE_ERROR,
        _ => MIDGAME_ERROR,
    };
    let mv = line.mv.square().expect("a side with a move does not pass");
    Leaf { mv, value: line.value, error: error.into() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Square;
    use crate::clock::WallClock;
    use crate::engine::Options;
    use crate::search::{Resources, StopSignal};

    fn discs(discs: i32) -> Eval {
        Score::from_discs(discs).into()
    }

    fn square(text: &str) -> Square {
        text.parse().unwrap()
    }

    /// The start, and the position after f5: worth 1 after d6, nothing to choose elsewhere.
    fn book() -> Arc<Book> {
        let mut book = Book::new();
        book.put(Position::START, 10, None);
        let after = Position::START.play(square("f5")).unwrap();
        book.put(after, 10, Some(Leaf { mv: square("d6"), value: discs(1), error: discs(2) }));
        let later = after.play(square("f4")).unwrap();
        book.put(later, 10, Some(Leaf { mv: square("e3"), value: discs(2), error: discs(2) }));
        book.negamax();
        Arc::new(book)
    }

    fn engine(level: Option<u8>) -> Engine {
        let resources = Resources { threads: 1, table_megabytes: 1 };
        let level = level.map(|level| Level::new(level).unwrap());
        let options = Options { level, depth: None, nodes: None, resources, ponder: false };
        let mut engine = Engine::new(options, Arc::new(WallClock::default()));
        engine.set_book(Some(book()));
        engine
    }

    fn choose(engine: &mut Engine) -> Choice {
        let side = engine.game().side();
        engine.choose(side, Audience { stop: &StopSignal::default(), observer: &mut () }).unwrap()
    }

    #[test]
    fn the_best_move_of_the_book_is_played_without_a_search() {
        let mut engine = engine(Some(5));
        let choice = choose(&mut engine);
        let line = choice.line.unwrap();
        assert_eq!((choice.nodes, choice.from_book, line.value), (0, true, discs(-1)));
        assert_eq!(line.pv.len(), 2);
        engine.play(choice.mv).unwrap();
        assert!(choose(&mut engine).from_book);

        engine.set_book_use(BookUse { on: false, ..BookUse::default() });
        assert!(!choose(&mut engine).from_book);
        engine.set_book_use(BookUse { plies: Some(1), ..BookUse::default() });
        assert!(!choose(&mut engine).from_book);
        engine.set_book(None);
        assert!(!choose(&mut engine).from_book);
    }

    #[test]
    fn at_the_end_of_the_book_a_higher_level_searches_itself() {
        for (level, from_book) in [(None, true), (Some(10), true), (Some(11), false)] {
            let mut engine = engine(level);
            engine.play(Move::Place(square("f5"))).unwrap();
            engine.play(Move::Place(square("f4"))).unwrap();
            assert_eq!(choose(&mut engine).from_book, from_book, "{level:?}");
        }
    }

    #[test]
    fn random_choices_stay_within_what_a_game_may_cost() {
        // After f5, d6 is worth 1 and f4 worth −2.
        let mut seen = std::collections::BTreeSet::new();
        for randomness in [0, 2, 3] {
            for _ in 0..40 {
                let mut engine = engine(Some(1));
                engine.seed_book(Xoshiro256PlusPlus::seed_from_u64(seen.len() as u64 + 7));
                engine.set_book_use(BookUse { randomness: discs(randomness), ..BookUse::default() });
                engine.play(Move::Place(square("f5"))).unwrap();
                for _ in 0..4 {
                    seen.insert((randomness, choose(&mut engine).mv.to_string()));
                }
            }
        }
        let d6 = |randomness| (randomness, "d6".to_owned());
        assert_eq!(seen.into_iter().collect::<Vec<_>>(), [d6(0), d6(2), d6(3), (3, "f4".to_owned())]);
    }

    #[test]
    fn a_game_is_learnt_position_by_position_and_kept() {
        let mut engine = engine(Some(2));
        let kept = Arc::new(parking_lot::Mutex::new(Vec::new()));
        let keeper = Arc::clone(&kept);
        engine.set_book_keeper(Box::new(move |book| {
            keeper.lock().push(book.len());
            Ok(())
        }));
        for text in ["e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5"] {
            engine.play(Move::Place(square(text))).unwrap();
        }
        assert!(engine.game().is_over());
        for round in 1..=2 {
            let added = engine.learn(Audience { stop: &StopSignal::default(), observer: &mut () });
            assert_eq!(added, Ok(1));
            let book = engine.book().unwrap();
            assert_eq!(book.len(), 3 + round);
            assert_eq!(book.verify(), vec![]);
            // Black won, and the start is his.
            assert_eq!(book.games(Position::START), Games { wins: round as u64, draws: 0, losses: 0 });
        }
        assert_eq!(*kept.lock(), [4, 5]);
        let stopped = StopSignal::default();
        stopped.stop();
        engine.set_options(Options { level: Level::new(30), ..engine.options() });
        assert_eq!(engine.learn(Audience { stop: &stopped, observer: &mut () }), Ok(0));
        assert_eq!(engine.book().unwrap().verify(), vec![]);
        engine.set_book_keeper(Box::new(|_| Err("no room".to_owned())));
        let learnt = engine.learn(Audience { stop: &stopped, observer: &mut () });
        assert_eq!(learnt, Err(NotKept("no room".to_owned())));
    }
}
