//! Laws of the board, on positions of random games and on random boards.

use proptest::prelude::*;
use volte::board::{
    Bitboard, Color, Move, Position, Setup, SetupError, Square, Symmetry, flips, last_flip_count, legal_moves, perft,
    portable_flips, portable_last_flip_count, portable_legal_moves, potential_moves, stable_discs,
};

/// The position after `plies` random plies from the start, or the end of the game if that comes first.
fn playout(seed: u64, plies: u32) -> Position {
    let mut position = Position::START;
    let mut random = seed;
    for _ in 0..plies {
        // Steele, Lea and Flood, SplitMix64.
        random = random.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = (random ^ random >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        let moves = position.moves();
        let mv = if moves.is_empty() {
            Move::Pass
        } else {
            let choice = (mixed ^ mixed >> 31) % u64::from(moves.count());
            Move::Place(moves.into_iter().nth(choice as usize).expect("a move was counted"))
        };
        match position.make(mv) {
            Some(next) => position = next,
            None => break,
        }
    }
    position
}

/// Positions that occur in games.
fn of_games() -> impl Strategy<Value = Position> {
    (any::<u64>(), 0..64_u32).prop_map(|(seed, plies)| playout(seed, plies))
}

/// Boards of every density, reachable or not.
fn of_boards() -> impl Strategy<Value = Position> {
    let sparse = (any::<u64>(), any::<u64>()).prop_map(|(a, b)| a & b);
    let taken = prop_oneof![any::<u64>(), sparse.clone(), sparse.prop_map(|set| !set)];
    (taken, any::<u64>()).prop_map(|(taken, own)| {
        Position::new(Bitboard(taken & own), Bitboard(taken & !own)).expect("no square is on both sides")
    })
}

fn positions() -> impl Strategy<Value = Position> {
    prop_oneof![of_games(), of_boards()]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn back_ends_agree(position in positions()) {
        let (own, opp) = (position.own(), position.opp());
        prop_assert_eq!(legal_moves(own, opp), portable_legal_moves(own, opp));
        for square in position.empties() {
            prop_assert_eq!(flips(square, own, opp), portable_flips(square, own, opp), "{}", square);
        }
    }

    #[test]
    fn flips_are_what_walking_the_board_finds(position in positions()) {
        for square in position.empties() {
            prop_assert_eq!(position.flips(square), walked_flips(position, square), "{}", square);
        }
    }

    #[test]
    fn a_square_is_a_move_exactly_when_it_flips_something(position in positions()) {
        for square in position.empties() {
            prop_assert_eq!(position.moves().contains(square), !position.flips(square).is_empty(), "{}", square);
        }
        prop_assert!(!position.moves().intersects(!position.empties()));
    }

    #[test]
    fn every_move_is_a_potential_move(position in positions()) {
        let potential = potential_moves(position.own(), position.opp());
        prop_assert!((position.moves() & !potential).is_empty());
        prop_assert!((potential & !position.empties()).is_empty());
    }

    #[test]
    fn the_last_flip_count_is_the_number_of_flips(own in any::<u64>(), index in 0..64_usize) {
        let square = Square::from_index(index).unwrap();
        let own = Bitboard(own) & !square.bit();
        let expected = 2 * flips(square, own, !(own | square.bit())).count() as i32;
        prop_assert_eq!(last_flip_count(square, own), expected);
        prop_assert_eq!(portable_last_flip_count(square, own), expected);
        prop_assert_eq!(last_flip_count(square, own | square.bit()), expected, "the square itself is not looked at");
    }

    #[test]
    fn symmetries_commute_with_moves_flips_and_stability(position in positions()) {
        for symmetry in Symmetry::ALL {
            let image = position.transform(symmetry);
            prop_assert_eq!(image.moves(), symmetry.apply(position.moves()));
            prop_assert_eq!(
                stable_discs(image.own(), image.opp()),
                symmetry.apply(stable_discs(position.own(), position.opp()))
            );
            for square in position.empties() {
                let mapped = symmetry.apply_square(square);
                prop_assert_eq!(image.flips(mapped), symmetry.apply(position.flips(square)));
            }
            prop_assert_eq!(image.transform(symmetry.inverse()), position);
        }
    }

    #[test]
    fn all_images_have_one_canonical_form(position in positions()) {
        let (canonical, symmetry) = position.canonical();
        prop_assert_eq!(position.transform(symmetry), canonical);
        for symmetry in Symmetry::ALL {
            prop_assert_eq!(position.transform(symmetry).canonical().0, canonical);
        }
    }

    #[test]
    fn a_move_adds_one_disc_and_gives_the_turn(position in of_games()) {
        for square in position.moves() {
            let next = position.play(square).unwrap();
            prop_assert_eq!(next.empty_count() + 1, position.empty_count());
            prop_assert!(next.opp().contains(square));
            prop_assert_eq!(next.opp() & position.own(), position.own());
        }
        for square in !position.moves() {
            prop_assert_eq!(position.play(square), None);
        }
        prop_assert_eq!(position.make(Move::Pass).is_some(), position.must_pass());
    }

    #[test]
    fn perft_of_two_plies_is_the_sum_over_the_moves(position in of_games()) {
        prop_assert_eq!(perft(position, 1), u64::from(position.moves().count().max(1)));
        if !position.moves().is_empty() {
            let sum: u64 = position.moves().into_iter().map(|square| perft(position.play(square).unwrap(), 1)).sum();
            prop_assert_eq!(perft(position, 2), sum);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn no_line_of_play_turns_a_stable_disc(seed in any::<u64>(), plies in 54..60_u32) {
        let position = playout(seed, plies);
        stays(position, stable_discs(position.own(), position.opp()), stable_discs(position.opp(), position.own()));
    }

    #[test]
    fn no_line_of_play_turns_a_stable_disc_of_an_arbitrary_board(
        own in any::<u64>(),
        empties in prop::collection::vec(0..64_usize, 1..=6),
    ) {
        let empties: Bitboard = empties.into_iter().filter_map(Square::from_index).collect();
        let position = Position::new(Bitboard(own) & !empties, !Bitboard(own) & !empties).unwrap();
        stays(position, stable_discs(position.own(), position.opp()), stable_discs(position.opp(), position.own()));
    }
}

/// Plays every line from `position` and asserts that the side to move keeps `own` and the opponent keeps `opp`.
fn stays(position: Position, own: Bitboard, opp: Bitboard) {
    assert_eq!(position.own() & own, own, "{position:?}");
    assert_eq!(position.opp() & opp, opp, "{position:?}");
    if position.must_pass() {
        stays(position.pass(), opp, own);
    }
    for square in position.moves() {
        stays(position.play(square).expect("a move can be played"), opp, own);
    }
}

/// The flips by the letter of the rules: walk from the square in each direction.
fn walked_flips(position: Position, square: Square) -> Bitboard {
    let mut turned = Bitboard::EMPTY;
    for (files, ranks) in [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)] {
        let step = |from: Square| {
            let (file, rank) = (from.file().checked_add_signed(files)?, from.rank().checked_add_signed(ranks)?);
            Square::from_file_rank(file, rank)
        };
        let mut run = Bitboard::EMPTY;
        let mut next = step(square);
        while let Some(here) = next.filter(|&here| position.opp().contains(here)) {
            run |= here.bit();
            next = step(here);
        }
        if next.is_some_and(|end| position.own().contains(end)) {
            turned |= run;
        }
    }
    turned
}

#[test]
fn on_a_full_board_every_disc_is_stable() {
    for own in [0, 1, 0x0123_4567_89AB_CDEF, 0xAAAA_5555_AAAA_5555, !0] {
        assert_eq!(stable_discs(Bitboard(own), Bitboard(!own)), Bitboard(own));
    }
}

#[test]
fn known_stable_shapes_are_found() {
    let stable = |own, opp| stable_discs(Bitboard(own), Bitboard(opp)).0;
    assert_eq!(stable(0x0000_0000_1800_0000, 0), 0, "nothing is stable without an edge");
    assert_eq!(stable(0x7E, 0), 0, "an edge without corners can be taken from both ends");
    assert_eq!(stable(0x7F, 0), 0x7F, "a corner makes its edge stable");
    assert_eq!(stable(0x0000_0000_0103_0307, 0), 0x0000_0000_0103_0307, "a triangle on a corner is stable");
    assert_eq!(stable(0x0C, 0xF3), 0x0C, "discs inside a full edge are stable without a corner of their own");
}

#[test]
fn hashes_are_fixed_for_ever() {
    assert_eq!(Position::START.hash(), 0x0d89_3531_7284_d5d2);
    assert_eq!(Position::START.pass().hash(), 0xb1ef_5de9_1bc9_17ba);
    assert_eq!(Position::new(Bitboard::EMPTY, Bitboard::EMPTY).unwrap().hash(), 0x4663_9251_afd7_88c1);
    assert_eq!(playout(1, 20).hash(), 0x0b82_1a50_9590_bb04);
}

#[test]
fn hashes_of_a_tree_do_not_collide() {
    let mut level = vec![Position::START];
    let mut seen = std::collections::HashMap::new();
    for _ in 0..6 {
        level = level
            .iter()
            .flat_map(|position| position.moves().into_iter().map(|square| position.play(square).unwrap()))
            .collect();
        for &position in &level {
            assert_eq!(*seen.entry(position.hash()).or_insert(position), position);
        }
    }
}

#[test]
fn a_pass_costs_a_ply_and_a_finished_game_is_a_leaf() {
    // d3c3b3b2f5a3a1c1 is the shortest game that forces a pass.
    let moves = [Square::D3, Square::C3, Square::B3, Square::B2, Square::F5, Square::A3, Square::A1, Square::C1];
    let mut position = Position::START;
    for square in moves {
        position = position.play(square).unwrap();
    }
    assert!(position.must_pass());
    assert_eq!(perft(position, 1), 1);
    assert_eq!(perft(position, 3), perft(position.pass(), 2));

    let over = Position::new(Bitboard::ALL & !Bitboard::CORNERS, Bitboard::EMPTY).unwrap();
    assert!(over.is_over());
    assert_eq!((perft(over, 0), perft(over, 1), perft(over, 7)), (1, 1, 1));
    assert_eq!(over.final_score().discs(), 64);
}

#[test]
fn a_game_that_wipes_out_white_is_over() {
    let mut position = Position::START;
    for square in ["e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5"] {
        position = position.play(square.parse().unwrap()).unwrap();
    }
    assert!(position.is_over());
    assert_eq!(position.own(), Bitboard::EMPTY);
    assert_eq!(position.disc_difference(), -13);
    assert_eq!(position.final_score().discs(), -64);
}

#[test]
fn a_setup_with_two_discs_on_a_square_is_refused_by_name() {
    let setup = Setup { white: Setup::START.white | Square::E4.bit(), ..Setup::START };
    assert_eq!(setup.position(), Err(SetupError::Overlap(Square::E4)));
    assert_eq!(Setup::START.position(), Ok(Position::START));
    for side in [Color::Black, Color::White] {
        let position = playout(7, 21);
        assert_eq!(Setup::of(position, side).position(), Ok(position));
    }
}

#[test]
fn squares_and_moves_read_what_they_print() {
    for square in Square::ALL {
        assert_eq!(square.to_string().parse(), Ok(square));
        assert_eq!(square.to_string().to_uppercase().parse(), Ok(Move::Place(square)));
        assert_eq!(Square::from_file_rank(square.file(), square.rank()), Some(square));
    }
    for pass in ["pass", "PASS", "pa", "PS", "--"] {
        assert_eq!(pass.parse(), Ok(Move::Pass));
    }
    for wrong in ["", "f", "f9", "i1", "f55", "ｆ5", "f-"] {
        let error = wrong.parse::<Move>().unwrap_err();
        assert_eq!(error.0, wrong);
    }
}
