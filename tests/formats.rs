//! Laws of the notations: what is written reads back as it was, and no text makes a reader panic.

use proptest::prelude::*;
use volte::board::{Bitboard, Color, Move, Setup};
use volte::game::{Game, board_text, obf, transcript};
use volte::score::Score;

/// A game from a start: each number picks one of the legal moves; forced passes are written or left out by its parity.
fn play(mut game: Game, picks: &[usize]) -> Game {
    for &pick in picks {
        let Some(color) = game.next_to_place() else { break };
        if color != game.side() && pick.is_multiple_of(2) {
            game.play(Move::Pass).expect("the pass is forced");
            continue;
        }
        let position = if color == game.side() { game.position() } else { game.position().pass() };
        let moves: Vec<_> = position.moves().into_iter().collect();
        game.play_as(color, Move::Place(moves[pick % moves.len()])).expect("a legal move");
    }
    game
}

fn any_setup() -> impl Strategy<Value = Setup> {
    (any::<u64>(), any::<u64>(), any::<bool>()).prop_map(|(discs, colors, side)| Setup {
        black: Bitboard(discs & colors),
        white: Bitboard(discs & !colors),
        side: if side { Color::Black } else { Color::White },
    })
}

fn any_game() -> impl Strategy<Value = Game> {
    let start = prop_oneof![3 => Just(Setup::START), 1 => any_setup()];
    (start, prop::collection::vec(any::<usize>(), 0..70))
        .prop_map(|(start, picks)| play(Game::from_setup(start).expect("one disc a square"), &picks))
}

/// Text that resembles notation closely enough to reach the far corners of a reader.
fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "[a-hA-H1-8 .,;|@%XOxo*:+\\-\r\n\\[\\]()/\\\\pas0-9]{0,200}",
        prop::collection::vec(any::<u8>(), 0..200).prop_map(|bytes| String::from_utf8_lossy(&bytes).into_owned()),
    ]
}

proptest! {
    #[test]
    fn boards_read_back(setup in any_setup()) {
        prop_assert_eq!(board_text::parse(&board_text::write(setup)), Ok(setup));
    }

    #[test]
    fn transcripts_read_back(game in any_game()) {
        let text = transcript::write(&game);
        let read = transcript::parse(&text).unwrap();
        prop_assert_eq!(transcript::write(&read), text);
        prop_assert_eq!(read.start(), game.start());
        prop_assert!(read.moves().eq(game.moves()));
        prop_assert_eq!((read.position(), read.side()), (game.position(), game.side()));
    }

    #[test]
    fn undo_and_redo_are_inverse(game in any_game()) {
        let mut back = game.clone();
        let mut steps = 0;
        while back.undo().is_some() {
            steps += 1;
        }
        prop_assert_eq!(back.setup(), game.start());
        for _ in 0..steps {
            prop_assert!(back.redo().is_some());
        }
        prop_assert_eq!(back.redo(), None);
        prop_assert_eq!(back, game);
    }

    #[test]
    fn problems_read_back(
        setup in any_setup(),
        scores in prop::collection::vec(-64i32..=64, 0..34),
        score in prop::option::of(-64i32..=64),
        flags in any::<(bool, bool)>(),
        comment in "[ -~]{0,40}",
    ) {
        let position = setup.position().unwrap();
        let mut moves: Vec<Move> = position.moves().into_iter().map(Move::Place).collect();
        if position.must_pass() {
            moves.push(Move::Pass);
        }
        let problem = obf::Problem {
            setup,
            moves: moves.into_iter().zip(scores.into_iter().map(Score::from_discs)).collect(),
            score: score.map(Score::from_discs),
            has_others: flags.0 && !position.moves().is_empty(),
            comment: flags.1.then(|| comment.trim().to_owned()),
        };
        prop_assert_eq!(obf::parse_line(&obf::write(&problem)), Ok(Some(problem)));
    }

    #[test]
    fn no_text_makes_a_reader_panic(text in any_text()) {
        let _ = board_text::parse(&text);
        let _ = transcript::parse(&text);
        let _ = obf::parse(&text).count();
    }
}
