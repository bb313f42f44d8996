//! Laws of books, on random ones.

use super::*;
use crate::board::Bitboard;
use proptest::prelude::*;

/// Discs in units.
fn discs(discs: i32) -> Eval {
    Eval::from_units(discs * Eval::UNITS_PER_DISC)
}

/// A small generator of numbers for making books; the quality of its randomness does not matter.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}

/// The positions of random lines of up to `plies` moves.
fn lines(numbers: &mut Numbers, count: usize, plies: usize) -> Vec<Position> {
    let mut positions = vec![Position::START];
    for _ in 0..count {
        let mut position = Position::START;
        for _ in 0..plies {
            let moves: Vec<Square> = position.moves().into_iter().collect();
            let Some(next) = Successor::of(position, moves[numbers.below(moves.len())]) else { break };
            position = next.position;
            positions.push(position);
        }
    }
    positions
}

/// A book of such lines in which everything is as it must be.
fn random_book(seed: u64, count: usize, plies: usize) -> Book {
    let mut numbers = Numbers(seed);
    let mut book = Book::new();
    for position in lines(&mut numbers, count, plies) {
        book.put(position, 10, None);
        book.add_games(position, Games { wins: 1, draws: 0, losses: 2 });
    }
    give_leaves(&mut book, &mut numbers);
    book.negamax();
    book
}

fn give_leaves(book: &mut Book, numbers: &mut Numbers) {
    let wanting: Vec<(Position, Entry)> = book.iter().filter(|&(at, entry)| book.wants_leaf(at, entry)).collect();
    for (position, entry) in wanting {
        let outside: Vec<Square> = book.outside(position).into_iter().collect();
        let leaf = (!outside.is_empty()).then(|| Leaf {
            mv: outside[numbers.below(outside.len())],
            value: Eval::from_units(numbers.below(4000) as i32 - 2000),
            error: discs(numbers.below(3) as i32),
        });
        book.put(position, entry.level, leaf);
    }
}

/// The value of a position by plain recursion.
fn plain(book: &Book, position: Position) -> Eval {
    let entry = book.get(position).expect("it is in the book");
    let leaf = entry.leaf.map(|leaf| leaf.value);
    let links = position.moves().into_iter().filter_map(|square| {
        let next = Successor::of(position, square)?;
        book.contains(next.position).then(|| next.for_mover(plain(book, next.position)))
    });
    leaf.into_iter().chain(links).max().expect("there is a move")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_random_book_has_no_faults_and_its_values_are_those_of_plain_recursion(seed: u64, plies in 1usize..58) {
        let book = random_book(seed, 12, plies);
        prop_assert_eq!(book.verify(), vec![]);
        prop_assert_eq!(book.get(Position::START).unwrap().value, plain(&book, Position::START));
        prop_assert_eq!(book.clone().negamax(), 0);
        for (position, entry) in book.iter() {
            prop_assert!(entry.lower <= entry.value && entry.value <= entry.upper);
            prop_assert_eq!(book.moves(position)[0].value, entry.value);
        }
    }

    #[test]
    fn all_images_of_a_position_know_the_same_moves(seed: u64) {
        let book = random_book(seed, 6, 20);
        for (position, entry) in book.iter() {
            let known = book.moves(position);
            for symmetry in Symmetry::ALL {
                let image = position.transform(symmetry);
                prop_assert_eq!(book.get(image).unwrap().value, entry.value);
                let mut turned: Vec<_> =
                    known.iter().map(|known| (known.value, symmetry.apply_square(known.mv), known.in_book)).collect();
                let mut found: Vec<_> =
                    book.moves(image).iter().map(|known| (known.value, known.mv, known.in_book)).collect();
                turned.sort();
                found.sort();
                // A symmetric position has its leaf on any of the squares that are images of each other.
                if Symmetry::ALL.iter().filter(|other| position.transform(**other) == position).count() == 1 {
                    prop_assert_eq!(turned, found);
                } else {
                    prop_assert_eq!(turned.len(), found.len());
                }
            }
        }
    }

    #[test]
    fn bytes_give_the_same_book_and_damage_is_noticed(seed: u64, at: prop::sample::Index, cut: prop::sample::Index) {
        let book = random_book(seed, 4, 12);
        let bytes = book.to_bytes();
        let again = Book::from_bytes(&bytes).unwrap();
        prop_assert_eq!(again.iter().collect::<Vec<_>>(), book.iter().collect::<Vec<_>>());
        prop_assert_eq!(again.counted_games(), book.counted_games());
        prop_assert_eq!(again.to_bytes(), bytes.clone());
        prop_assert!(Book::from_bytes(&bytes[..cut.index(bytes.len())]).is_err());
        let mut damaged = bytes;
        let at = at.index(damaged.len());
        damaged[at] ^= 1 << (seed % 8);
        prop_assert!(Book::from_bytes(&damaged).is_err());
    }

    #[test]
    fn pruning_and_merging_leave_no_fault(seed: u64, plies in 2u32..10) {
        let book = random_book(seed, 10, 14);
        let mut pruned = book.clone();
        let gone = pruned.prune(|position| position.empty_count() + plies >= 60);
        prop_assert_eq!(pruned.len() + gone, book.len());
        prop_assert_eq!(pruned.verify(), vec![]);
        // Values come from the same leaves as before, however far up they are now.
        prop_assert_eq!(pruned.get(Position::START).unwrap().value, book.get(Position::START).unwrap().value);

        let other = random_book(seed ^ 1, 10, 14);
        let (mut one, mut two) = (book.clone(), other.clone());
        let added = one.merge(&other);
        two.merge(&book);
        prop_assert_eq!(one.len(), book.len() + added);
        prop_assert_eq!(one.len(), two.len());
        prop_assert_eq!(one.counted_games(), book.counted_games() + other.counted_games());
        give_leaves(&mut one, &mut Numbers(seed));
        one.negamax();
        prop_assert_eq!(one.verify(), vec![]);
    }
}

/// A book of lines in which somebody passes.
fn book_with_passes() -> Book {
    let mut book = random_book(3, 6, 8);
    let mut position = Position::START;
    for text in ["d3", "c3", "b3", "b2", "f5", "a3", "a1", "c1"] {
        book.put(position, 9, None);
        position = Successor::of(position, text.parse().unwrap()).unwrap().position;
    }
    book.put(position, 9, None);
    give_leaves(&mut book, &mut Numbers(5));
    book.negamax();
    book
}

#[test]
fn a_book_comes_back_from_edax_with_the_same_values() {
    let book = book_with_passes();
    let bytes = foreign::edax::write(&book);
    let again = foreign::edax::read(&bytes).unwrap();
    assert_eq!(again.verify(), vec![]);
    assert_eq!(again.len(), book.len());
    let nearest = |value: Eval| (value.discs()).round();
    for (position, entry) in book.iter() {
        let other = again.get(position).unwrap();
        assert_eq!(other.value.discs(), nearest(entry.value), "{position:?}");
        assert_eq!(other.level, entry.level);
        let leaf = |entry: Entry| entry.leaf.map(|leaf| (leaf.mv, nearest(leaf.value)));
        assert_eq!(leaf(other), leaf(entry));
        assert_eq!(again.games(position), book.games(position));
    }
    // The header counts one position more, the one in which somebody passes; it has one link, the pass.
    assert_eq!(i32::from_le_bytes(bytes[38..42].try_into().unwrap()), book.len() as i32 + 1);
    let last = &bytes[bytes.len() - 44..];
    assert_eq!((last[38], last[41], last[42] as i8, last[43]), (1, 64, -127, 65));
    assert_eq!(last[40] as i8, i8::from_le_bytes([last[32]]));
    // Written once more, values, links and leaves are the same.
    assert_eq!(foreign::edax::read(&foreign::edax::write(&again)).unwrap().to_bytes(), again.to_bytes());
}

#[test]
fn damaged_books_of_edax_are_refused() {
    use foreign::{ForeignError, edax, egaroucid};
    let bytes = edax::write(&book_with_passes());
    for length in 0..bytes.len() {
        assert!(edax::read(&bytes[..length]).is_err(), "{length}");
    }
    assert_eq!(edax::read(&[&bytes[..], b"x"].concat()).unwrap_err(), ForeignError::Trailing(1));
    assert_eq!(edax::read(b"VOLTEBK1").unwrap_err().to_string(), "not a book of Edax");
    assert_eq!(egaroucid::read(&bytes).unwrap_err(), ForeignError::NotABook("Egaroucid"));
}

#[test]
fn a_book_of_egaroucid_is_read_with_its_squares_turned() {
    let mut bytes = b"EGAROUCID\x03".to_vec();
    bytes.extend(2u32.to_le_bytes());
    let after = Position::START.play("f5".parse().unwrap()).unwrap();
    for (position, value, leaf_value, leaf) in
        [(Position::START, 0i8, -3i8, 65u8), (after, -1, -1, 63 - Square::D6 as u8)]
    {
        bytes.extend(position.own().0.reverse_bits().to_le_bytes());
        bytes.extend(position.opp().0.reverse_bits().to_le_bytes());
        bytes.extend([value as u8, 21, 1, 0, 0, 0, leaf_value as u8, leaf, 21]);
    }
    let book = foreign::egaroucid::read(&bytes).unwrap();
    assert_eq!(book.len(), 2);
    let known = book.moves(after);
    assert_eq!((known[0].mv, known[0].value, known[0].in_book), (Square::D6, discs(-1), false));
    // Its value follows from the position after f5, and all four first moves are the same one.
    assert_eq!((book.get(Position::START).unwrap().value, book.moves(Position::START).len()), (discs(1), 4));
    assert!(book.verify().is_empty());
    assert!(foreign::egaroucid::read(&bytes[..bytes.len() - 1]).is_err());
}

#[test]
fn fixing_puts_right_what_was_spoilt() {
    let good = random_book(7, 10, 12);
    let mut bad = good.clone();
    // A value that does not follow, bounds that do not, a leaf that stays inside, one that is not legal, a position
    // that no line leads to, one that is not canonical, and one in which nobody can move.
    let some: Vec<(Position, Entry)> = good.iter().filter(|(_, entry)| entry.leaf.is_some()).collect();
    let spoil = |book: &mut Book, index: usize, change: &dyn Fn(Position, &mut Entry)| {
        let (position, mut entry) = some[index];
        change(position, &mut entry);
        book.put_entry(position, entry);
    };
    spoil(&mut bad, 3, &|_, entry| entry.value = discs(50));
    spoil(&mut bad, 4, &|_, entry| entry.upper = entry.upper + discs(1));
    spoil(&mut bad, 5, &|at, entry| {
        let taken = (at.own() | at.opp()).first().unwrap();
        entry.leaf = Some(Leaf { mv: taken, value: Eval::ZERO, error: Eval::ZERO });
    });
    let inside = good.links(Position::START)[0].mv;
    let start = good.get(Position::START).unwrap();
    bad.put_entry(Position::START, Entry { leaf: Some(Leaf { mv: inside, ..some[0].1.leaf.unwrap() }), ..start });
    let alone = Position::new(Bitboard(0x0000_0008_1000_0001), Bitboard(0x0000_0010_0800_0000)).unwrap();
    bad.put(alone, 5, Some(Leaf { mv: alone.moves().first().unwrap(), value: Eval::ZERO, error: Eval::ZERO }));
    let stuck = Position::new(Bitboard(1), Bitboard(1 << 63)).unwrap();
    bad.put(stuck, 5, None);
    let turned = good.iter().map(|(at, _)| at.transform(Symmetry::ALL[3])).find(|at| at.canonical().0 != *at).unwrap();
    let wrong = Record::new(key(turned), good.get(turned.canonical().0).unwrap());
    bad.positions.put(wrong);

    let kinds: Vec<FaultKind> = bad.verify().into_iter().map(|fault| fault.kind).collect();
    for expected in ["value is", "bounds", "not legal", "leads to a position", "no line", "smallest", "no move"] {
        assert!(kinds.iter().any(|kind| kind.to_string().contains(expected)), "{expected}: {kinds:?}");
    }
    let repairs = bad.fix();
    assert_eq!((repairs.turned, repairs.removed, bad.len()), (0, 3, good.len()));
    assert_eq!(bad.iter().filter(|&(at, entry)| bad.wants_leaf(at, entry)).count(), repairs.wanting);
    give_leaves(&mut bad, &mut Numbers(1));
    bad.negamax();
    assert_eq!(bad.verify(), vec![]);
}

#[test]
fn a_pass_stands_as_the_position_after_it() {
    // After this line Black has to pass.
    let mut position = Position::START;
    let mut book = Book::new();
    for text in ["d3", "c3", "b3", "b2", "f5", "a3", "a1"] {
        book.put(position, 1, None);
        position = position.play(text.parse().unwrap()).unwrap();
    }
    book.put(position, 1, None);
    let c1 = "c1".parse().unwrap();
    let next = Successor::of(position, c1).unwrap();
    assert!(next.passed && !next.position.moves().is_empty());
    let mv = next.position.moves().first().unwrap();
    book.put(next.position, 1, Some(Leaf { mv, value: discs(5), error: discs(1) }));
    book.negamax();
    // The same side is to move again: the value does not turn around.
    let link = book.links(position)[0];
    assert_eq!((link.mv, link.value, link.lower, link.upper), (c1, discs(5), discs(4), discs(6)));
    assert_eq!(book.get(position).unwrap().value, discs(5));
}

/// Loading must not be felt: `cargo test --release -- --ignored a_million`.
#[test]
#[ignore = "a measurement, for a release build on a quiet machine"]
fn a_million_positions_load_in_a_fifth_of_a_second() {
    let mut numbers = Numbers(1);
    let mut things = Vec::new();
    let unknown = Entry { value: Eval::ZERO, lower: Eval::MIN, upper: Eval::MAX, level: 1, leaf: None };
    while things.len() < 1_000_000 {
        let board = Bitboard(numbers.0);
        numbers.below(2);
        let (own, opp) = (Bitboard(board.0 & numbers.0), Bitboard(board.0 & !numbers.0));
        numbers.below(2);
        things.extend(Position::new(own, opp).map(|position| Record::new(key(position), unknown)));
    }
    let book = Book { positions: Shelf::of(things), games: Shelf::default() };
    let bytes = book.to_bytes();
    let start = std::time::Instant::now();
    let loaded = Book::from_bytes(&bytes).unwrap();
    let elapsed = start.elapsed();
    eprintln!("{} positions in {elapsed:?}", loaded.len());
    assert!(elapsed.as_secs_f64() < 0.2, "{elapsed:?}");
}
