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

mod records {
    use super::*;
    use std::io::Cursor;
    use std::time::Duration;
    use volte::game::collection::{self, Format};
    use volte::game::record::{
        ClockSetting, Ending, GameRecord, Note, Outcome, Player, Tag, TagOrigin, Verdict, WthorFields,
    };
    use volte::game::{fen, ggf, openings, pgn, sgf, wthor};

    /// A field of text that every format can hold: no brackets, no braces, no outer white space.
    fn any_name() -> impl Strategy<Value = Option<String>> {
        prop::option::of("[A-Za-zéōオ0-9][A-Za-zéōオ .,:'\"\\\\0-9-]{0,20}[A-Za-zéōオ0-9]")
    }

    fn any_clock() -> impl Strategy<Value = Option<ClockSetting>> {
        let time = || (0u64..100_000_000).prop_map(Duration::from_millis);
        let clock = (time(), prop::option::of(time()), prop::option::of(time()));
        prop::option::of(clock.prop_map(|(main, increment, grace)| ClockSetting { main, increment, grace }))
    }

    fn any_player() -> impl Strategy<Value = Player> {
        (any_name(), any_name(), any_clock()).prop_map(|(name, rating, clock)| Player { name, rating, clock })
    }

    fn any_note() -> impl Strategy<Value = Note> {
        let eval = prop::option::of((-6400i32..=6400).prop_map(|centi| f64::from(centi) / 100.0));
        let time = prop::option::of((0u64..10_000_000).prop_map(Duration::from_millis));
        (eval, time, any_name()).prop_map(|(eval, time, comment)| Note { eval, time, comment })
    }

    prop_compose! {
        fn any_record()(
            game in any_game(),
            (black, white) in (any_player(), any_player()),
            texts in prop::collection::vec(any_name(), 5),
            score in -64i32..=64,
            ending in prop::sample::select(vec![Ending::Normal, Ending::Resigned, Ending::TimeOut, Ending::Left]),
            notes in prop::collection::btree_map(0usize..70, any_note(), 0..8),
        ) -> GameRecord {
            let text = |at: usize| texts[at].clone();
            let verdict = match game.result() {
                Some(result) => Verdict { outcome: Outcome::Score(result.score), ending: Ending::Normal },
                None => Verdict { outcome: Outcome::Score(Score::from_discs(score)), ending },
            };
            let notes = notes.into_iter().filter(|(ply, note)| *ply < game.len() && !note.is_empty()).collect();
            let record = GameRecord { game, black, white, verdict: Some(verdict), notes, ..GameRecord::default() };
            GameRecord { event: text(0), place: text(1), round: text(2), date: text(3), comment: text(4), ..record }
        }
    }

    /// The record with every pass written, as formats that write them read it.
    fn with_passes(mut record: GameRecord) -> GameRecord {
        let mut game = Game::from_setup(record.game.start()).expect("a start is a position");
        for mv in record.game.moves() {
            game.play(mv).expect("the game is legal");
        }
        record.game = game;
        record
    }

    proptest! {
        #[test]
        fn fen_reads_back(setup in any_setup()) {
            prop_assert_eq!(fen::parse(&fen::write(setup)), Ok(setup));
        }

        #[test]
        fn ggf_reads_back(record in any_record()) {
            let read = ggf::parse(&ggf::write(&record)).unwrap();
            let place = record.place.clone().or_else(|| record.event.clone());
            prop_assert_eq!(read, GameRecord { event: None, round: None, place, ..with_passes(record) });
        }

        #[test]
        fn sgf_reads_back(mut record in any_record()) {
            let read = sgf::parse(&sgf::write(&record, sgf::Dialect::Algebraic)).unwrap();
            for player in [&mut record.black, &mut record.white] {
                player.clock = None;
            }
            for note in record.notes.values_mut() {
                note.time = None;
            }
            record.notes.retain(|_, note| !note.is_empty());
            // An early end is told without a score.
            if let Some(Verdict { outcome, ending: Ending::Resigned | Ending::TimeOut | Ending::Left }) = &mut record.verdict {
                match outcome.winner() {
                    Some(winner) => *outcome = Outcome::Win(winner),
                    None => record.verdict = Some(Verdict { outcome: *outcome, ending: Ending::Normal }),
                }
            }
            prop_assert_eq!(read, with_passes(record));
        }

        #[test]
        fn both_dialects_of_sgf_are_the_same_game(record in any_record()) {
            let letters = sgf::parse(&sgf::write(&record, sgf::Dialect::Letters)).unwrap();
            let algebraic = sgf::parse(&sgf::write(&record, sgf::Dialect::Algebraic)).unwrap();
            prop_assert_eq!(with_passes(letters), algebraic);
        }

        #[test]
        fn pgn_reads_back(mut record in any_record()) {
            let read = pgn::parse(&pgn::write(&record)).unwrap();
            for player in [&mut record.black, &mut record.white] {
                player.clock = None;
            }
            let outcome = record.outcome().unwrap();
            let winner = outcome.winner().map_or(Outcome::Score(Score::DRAW), Outcome::Win);
            let outcome = if record.is_unfinished() { outcome } else { winner };
            record.verdict = Some(Verdict { outcome, ending: Ending::Normal });
            prop_assert_eq!(read, with_passes(record));
        }

        #[test]
        fn wthor_reads_back(
            picks in prop::collection::vec(any::<usize>(), 0..70),
            names in prop::collection::vec(prop::option::of("[A-Za-zéèü][A-Za-zéèü ]{0,16}[A-Za-zéèü]"), 3),
            score in 0u8..=64,
        ) {
            let game = play(Game::new(), &picks);
            let mut record = GameRecord::of(game);
            [record.black.name, record.white.name, record.event] = names.try_into().unwrap();
            record.date = Some("1987".to_owned());
            if record.is_unfinished() {
                let score = Score::from_discs(2 * i32::from(score) - 64);
                record.verdict = Some(Verdict { outcome: Outcome::Score(score), ending: Ending::Normal });
            }
            let mut tables = wthor::Tables::fresh();
            let mut writer = wthor::Writer::new(Cursor::new(Vec::new()), (2025, 11, 30)).unwrap();
            writer.write(&record, &mut tables).unwrap().unwrap();
            let bytes = writer.finish().unwrap().into_inner();
            let tables = through_files(&tables);
            let read: Vec<_> = wthor::Reader::new(&bytes[..], &tables).unwrap().collect();
            let [Ok(Ok(read))] = &read[..] else { panic!("{read:?}") };
            prop_assert!(read.game.moves().filter(|&mv| mv != Move::Pass).eq(record.game.moves().filter(|&mv| mv != Move::Pass)));
            prop_assert_eq!(read.outcome(), record.outcome());
            prop_assert_eq!(read.black.name.clone(), record.black.name.or(Some("???".to_owned())));
            prop_assert_eq!(read.white.name.clone(), record.white.name.or(Some("???".to_owned())));
            prop_assert_eq!(read.event.clone(), record.event.or(Some("Diverses parties".to_owned())));
            prop_assert_eq!(read.date.clone(), record.date);
        }

        #[test]
        fn no_text_makes_a_reader_of_games_panic(text in any_text(), head in 0usize..6) {
            let head = ["", "(;GM[2]", "(;GM[Othello]BO[8 ", "[FEN \"", "(;B[", "1. f5 {"][head];
            let text = format!("{head}{text}");
            let _ = fen::parse(&text);
            let _ = ggf::parse(&text);
            let _ = sgf::parse(&text);
            let _ = pgn::parse(&text);
            let _ = openings::parse(&text).count();
        }

        #[test]
        fn no_bytes_make_a_reader_of_files_panic(bytes in prop::collection::vec(any::<u8>(), 0..300), text in any_text()) {
            let tables = wthor::Tables::fresh();
            for format in Format::all() {
                for input in [&bytes[..], text.as_bytes()] {
                    if let Ok(reader) = collection::Reader::new(format, input, &tables) {
                        prop_assert!(reader.count() <= input.len());
                    }
                }
            }
        }

        #[test]
        fn no_bytes_make_the_wthor_reader_panic(mut bytes in prop::collection::vec(any::<u8>(), 0..300), patched in any::<bool>()) {
            if patched && bytes.len() > 16 {
                bytes[4..16].copy_from_slice(&[3, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0]);
            }
            let tables = wthor::Tables::fresh();
            if let Ok(reader) = wthor::Reader::new(&bytes[..], &tables) {
                prop_assert!(reader.count() <= 6);
            }
            let _ = wthor::Names::read(&bytes[..], wthor::NameKind::Players);
        }
    }

    #[test]
    fn no_length_makes_a_reader_overflow_or_crawl() {
        let tables = wthor::Tables::fresh();
        let parts = [
            "(", ")", "(;", "[", "]", "B[", "B[]", "C[\\]", "{", "{}", "({", "pa", "pass", "--", "@@", "-", "1.", "1",
            ";",
        ];
        for part in parts.into_iter().chain([
            "f5",
            "f5 ",
            "a1",
            "オ",
            "X",
            "-X",
            "/8",
            "% ",
            "[%",
            "[%eval 1]",
            "\\",
            "\"",
            "[A \"\"]",
            "\n",
        ]) {
            for head in ["", "(;", "(;GM[2]C[", "1. f5 ", "[A \""] {
                let text = format!("{head}{}", part.repeat(100_000 / part.len()));
                let _ = board_text::parse(&text);
                let _ = transcript::parse(&text);
                let _ = (fen::parse(&text), ggf::parse(&text), sgf::parse(&text), pgn::parse(&text));
                for format in Format::all().filter(|&format| format != Format::Wthor) {
                    collection::Reader::new(format, text.as_bytes(), &tables).unwrap().for_each(drop);
                }
            }
        }
    }

    /// The tables as they are after being written and read.
    fn through_files(tables: &wthor::Tables) -> wthor::Tables {
        let again = |names: &wthor::Names, kind| {
            let mut bytes = Vec::new();
            names.write(&mut bytes, kind, (2025, 11, 30)).expect("a vector takes any bytes");
            wthor::Names::read(&bytes[..], kind).expect("what was written can be read")
        };
        wthor::Tables {
            players: again(&tables.players, wthor::NameKind::Players),
            tournaments: again(&tables.tournaments, wthor::NameKind::Tournaments),
        }
    }

    /// The game that NBoard sends before it asks White to move after a forced pass.
    const NBOARD: &str = "(;GM[Othello]PC[NBoard]DT[2022-01-17 12:52:30 GMT]PB[a]PW[b]RE[?]TI[5:00]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]B[F5//2.449]W[D6/0.00]B[C5//1.264]W[F4/1.00]B[D3//1.338]W[E3/2.00]B[F2//4.405]W[C6/9.00]B[G5//6.25]W[B5/13.00]B[A5//3.262]W[B4/23.00]B[B3//5.586]W[C4/25.00/0.1]B[C3//1.75]W[A6/24.00/0.1]B[A7//4.652]W[A3/27.00/0.1]B[F3//2.7680000000000002]W[E6/27.00/0.1]B[C7//4.2860000000000005]W[B6/39.00]B[D7//1.676]W[D8/46.00]B[B8//1.8980000000000001]W[E7/44.00]B[F7//3.689]W[E8/58.00]B[C8//1.793]W[A8/62.00/0.1]B[A4//2.177]W[F8/62.00]B[A2//6.807]W[B7/64.00]B[PA//3.107];)";

    #[test]
    fn a_forced_pass_at_the_end_of_a_ggf_game_is_played() {
        let record = ggf::parse(NBOARD).unwrap();
        assert_eq!(record.game.side(), Color::White);
        let moves: Vec<_> = record.game.position().moves().into_iter().map(|square| square.to_string()).collect();
        let mut expected = ["a1", "g1", "b2", "c2", "d2", "e2", "g2", "g3", "g4", "h5", "f6", "g6", "g7"];
        expected.sort_by_key(|square| square.parse::<volte::board::Square>().unwrap());
        assert_eq!(moves, expected);
        assert_eq!(record.black.name.as_deref(), Some("a"));
        assert_eq!(record.place.as_deref(), Some("NBoard"));
        let clock = ClockSetting { main: Duration::from_secs(300), increment: None, grace: None };
        assert_eq!((record.black.clock, record.white.clock), (Some(clock), Some(clock)));
        assert_eq!(record.verdict, None);
        let note = |ply: usize| record.notes[&ply].clone();
        assert_eq!(note(0), Note { eval: None, time: Some(Duration::from_millis(2449)), comment: None });
        assert_eq!(note(1), Note { eval: Some(0.0), time: None, comment: None });
        assert_eq!(note(13), Note { eval: Some(25.0), time: Some(Duration::from_millis(100)), comment: None });
        assert_eq!(note(record.game.len() - 1).time, Some(Duration::from_millis(3107)));
    }

    #[test]
    fn ggf_of_the_wild_is_read_and_kept() {
        let text = "2 (;GM[othello]PC[GGS/os]DT[2003.12.15_13:24:03.MST]PB[Saio]PW[b]RB[2197.01]RE[+2.000:t]TB[5:00//2:00]TW[1:00:00/10]TY[s8r18]XX[kept]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]B[d3//1:02]CO[nice]W[c3/-1.5/3] B[c4];)";
        let record = ggf::parse(text).unwrap();
        assert_eq!(record.pair, Some(0));
        assert_eq!(
            record.verdict,
            Some(Verdict { outcome: Outcome::Score(Score::from_discs(2)), ending: Ending::TimeOut })
        );
        assert_eq!(record.notes[&0].time, Some(Duration::from_secs(62)));
        assert_eq!(record.notes[&0].comment.as_deref(), Some("nice"));
        assert_eq!(record.notes[&1].eval, Some(-1.5));
        assert_eq!(record.black.clock.unwrap().grace, Some(Duration::from_secs(120)));
        assert_eq!(record.white.clock.unwrap().increment, Some(Duration::from_secs(10)));
        let tag = |name: &str, text: &str| Tag { origin: TagOrigin::Ggf, name: name.to_owned(), text: text.to_owned() };
        assert_eq!(record.tags, [tag("TY", "s8r18"), tag("XX", "kept")]);
        let written = ggf::write(&record);
        assert_eq!(ggf::parse(&written).unwrap(), GameRecord { pair: None, ..record });
        assert_eq!(written.matches("TY[").count(), 1);
    }

    #[test]
    fn errors_of_ggf_name_what_is_wrong() {
        let error = |text: &str| ggf::parse(text).unwrap_err().to_string();
        assert_eq!(error("hello"), "`hello` is not a game: expected `(;`");
        assert_eq!(error("(;GM[Othello]"), "the game is not closed by `;)`");
        assert_eq!(error("(;GM[Othello"), "the game is not closed by `;)`");
        assert_eq!(error("(;GM[Othello]B;)"), "`B;)` is not a tag such as PB[name]");
        assert_eq!(error("(;GM[Othello];) x"), "`x` follows the game");
        assert_eq!(error("(;GM[Chess];)"), "the game is `Chess`, not Othello");
        assert_eq!(error("(;BO[10 ---];)"), "BO[10 ---] does not start with board size 8");
        assert_eq!(error("(;BO[8 --- *];)"), "BO: the board has 4 cells, not 64");
        assert_eq!(error("(;B[F5]W[F9/1/2];)"), "move 2: `F9/1/2` is not a move");
        assert_eq!(error("(;B[F5]W[F5];)"), "move 2: `F5` is illegal: the square is occupied");
        assert_eq!(error("(;B[F5]B[F6];)"), "move 2: `F6` is illegal: it is not black's turn");
        assert_eq!(error("(;B[PA];)"), "move 1: `PA` is illegal: black has a move");
    }

    #[test]
    fn sgf_of_the_wild_is_read() {
        let go_style = "(;FF[4]GM[2]SZ[8]PB[Ann \\[1\\]]PW[B\\\\C]RE[W+59]AP[Quarry:0.2]\n;B[fe]V[1.5]C[first\\\nmove];W[df](;B[cc];W[dc])(;B[dc]))";
        let record = sgf::parse(go_style).unwrap();
        assert_eq!(transcript::write(&record.game), "f5d6c3d3");
        assert_eq!(record.black.name.as_deref(), Some("Ann [1]"));
        assert_eq!(record.white.name.as_deref(), Some("B\\C"));
        assert_eq!(record.notes[&0], Note { eval: Some(1.5), time: None, comment: Some("firstmove".to_owned()) });
        assert_eq!(record.verdict.unwrap().outcome, Outcome::Score(Score::from_discs(-59)));
        assert_eq!(sgf::parse(&sgf::write(&record, sgf::Dialect::Letters)).unwrap(), record);

        let edax_style = "(;FF[4]GM[2]SZ[8]PB[x]RE[Void]AB[d5][e4]AW[d4:d4][e5]PL[B]\nB[f5];W[f6];B[E6];W[F4];)";
        let record = sgf::parse(edax_style).unwrap();
        assert_eq!(transcript::write(&record.game), "f5f6e6f4");
        assert_eq!(record.verdict, None);

        for pass in ["", "PA", "pa", "tt", "pass"] {
            let moves = |text: &str| -> String {
                let colors = ["B", "W"].into_iter().cycle();
                colors
                    .zip(0..text.len() / 2)
                    .map(|(color, at)| format!(";{color}[{}]", &text[2 * at..2 * at + 2]))
                    .collect()
            };
            let text = format!("(;GM[2]{};B[{pass}];W[e3])", moves("d3c3b3b2f5a3a1c1"));
            let record = sgf::parse(&text).unwrap();
            assert_eq!(record.game.len(), 10, "{text}");
        }
    }

    #[test]
    fn sgf_may_set_up_the_board() {
        let record = sgf::parse("(;GM[2]SZ[8]AB[aa:ca]AW[da]PL[W])").unwrap();
        assert_eq!(volte::game::board_text::write(record.game.start()), format!("XXXO{} O", "-".repeat(60)));
        let record = sgf::parse("(;AW[dd][ee]AB[ed][de];W[c5])").unwrap();
        assert_eq!(record.game.start(), Setup { side: Color::White, ..Setup::START });
    }

    #[test]
    fn errors_of_sgf_name_what_is_wrong() {
        let error = |text: &str| sgf::parse(text).unwrap_err().to_string();
        assert_eq!(error("hello"), "`hello` is not a game: expected `(;`");
        assert_eq!(error("(;GM[1])"), "GM[1] is not Othello, which is GM[2]");
        assert_eq!(error("(;GM[2]SZ[10])"), "SZ[10] is not board size 8");
        assert_eq!(error("(;GM[2]"), "the game is not closed by `)`");
        assert_eq!(error("(;GM[2]C[oh \\]"), "the game is not closed by `)`");
        assert_eq!(error("(;GM[2] ???)"), "`???)` is not a property such as B[f5]");
        assert_eq!(error("(;GM[2];B[fe];AB[aa])"), "AB sets up the board after the first move");
        assert_eq!(error("(;GM[2];AB[zz])"), "AB[zz]: not a square");
        assert_eq!(error("(;GM[2];AB[aa]AW[aa])"), "a1 holds both a black and a white disc");
        assert_eq!(error("(;GM[2];B[fe];W[zz])"), "move 2: `zz` is not a move");
        assert_eq!(error("(;GM[2];B[f5];W[f5])"), "move 2: `f5` is illegal: the square is occupied");
    }

    #[test]
    fn pgn_of_the_wild_is_read() {
        let text = "[Event \"Cup \\\"X\\\"\"]\n[Round \"2\"]\n[TimeControl \"300\"]\n[Result \"1-0\"]\n\n1.f5 d6 {good; (really)} 2. c3 ( 2. c4 {)} (x) ) d3 $3 3. c4! ; the tiger\n{[%eval -2.5] [%emt 0:07] so} 1-0\n";
        let record = pgn::parse(text).unwrap();
        assert_eq!(transcript::write(&record.game), "f5d6c3d3c4");
        assert_eq!(record.event.as_deref(), Some("Cup \"X\""));
        assert_eq!(record.notes[&1].comment.as_deref(), Some("good; (really)"));
        assert_eq!(record.notes[&4].comment.as_deref(), Some("the tiger\nso"));
        assert_eq!((record.notes[&4].eval, record.notes[&4].time), (Some(-2.5), Some(Duration::from_secs(7))));
        assert_eq!(record.outcome(), Some(Outcome::Win(Color::Black)));
        assert_eq!(record.tags.len(), 1);
        assert!(pgn::write(&record).contains("[TimeControl \"300\"]\n"));

        let white = pgn::parse("[FEN \"8/8/8/3pP3/3Pp3/8/8/8 w - - 0 1\"]\n1... c5 2. e6 *").unwrap();
        assert_eq!(white.game.turns().next().unwrap().color, Color::White);
        assert!(pgn::write(&white).ends_with("\n1... c5 2. e6 *\n"), "{}", pgn::write(&white));
    }

    #[test]
    fn pgn_keeps_the_score_of_a_game_that_stops_early() {
        let record = ggf::parse(
            "(;GM[Othello]RE[-64.000]BO[8 ---------------------------O*------*O--------------------------- *]B[F5];)",
        );
        let text = pgn::write(&record.unwrap());
        assert!(text.contains("[Result \"0-1\"]\n[Score \"-64\"]"), "{text}");
        let read = pgn::parse(&text).unwrap();
        assert!(ggf::write(&read).contains("RE[-64.000]") && pgn::write(&read) == text, "{read:?}");
        // The result is believed where a score contradicts it, and a winner without score stays one.
        for tags in ["[Result \"0-1\"]\n[Score \"12\"]", "[Result \"0-1\"]"] {
            let read = pgn::parse(&format!("{tags}\n\n1. f5 0-1\n")).unwrap();
            assert_eq!(read.outcome(), Some(Outcome::Win(Color::White)), "{tags}");
            let again = sgf::parse(&sgf::write(&read, sgf::Dialect::Letters)).unwrap();
            assert_eq!(again.outcome(), read.outcome(), "{tags}");
        }
    }

    #[test]
    fn zero_has_no_sign() {
        let record = ggf::parse("(;GM[Othello]B[F5/-0.00]W[D6/0.00];)").unwrap();
        let texts = [ggf::write(&record), pgn::write(&record), sgf::write(&record, sgf::Dialect::Letters)];
        for text in &texts {
            assert!(!text.contains("-0]") && !text.contains("/-0"), "{text}");
        }
    }

    #[test]
    fn errors_of_pgn_name_what_is_wrong() {
        let error = |text: &str| pgn::parse(text).unwrap_err().to_string();
        assert_eq!(error(" \n"), "there is no game");
        assert_eq!(error("[Event x]\n"), "`[Event x]` is not a tag such as [Black \"name\"]");
        assert_eq!(error("[Event \"x]\n"), "`[Event \"x]` is not a tag such as [Black \"name\"]");
        assert_eq!(error("[FEN \"8\"]\n"), "FEN: `8` does not have 8 rows separated by `/`");
        assert_eq!(error("1. f5 {d6"), "`{` is not closed");
        assert_eq!(error("1. f5 (d6"), "`(` is not closed");
        assert_eq!(error("1. f5 e4e5"), "move 2: `e4e5` is not a move");
        assert_eq!(error("1. f5 f5"), "move 2: `f5` is illegal: the square is occupied");
        assert_eq!(error("1. f5 pass"), "move 2: `pass` is illegal: white has a move");
    }

    #[test]
    fn a_bad_wthor_file_is_told_from_a_bad_game() {
        let tables = wthor::Tables::fresh();
        let open = |bytes: &[u8]| wthor::Reader::new(bytes, &tables).map(|_| ()).unwrap_err().to_string();
        assert_eq!(open(&[0; 15]), "the file is shorter than its header");
        let header = |size: u8, kind: u8| [20, 25, 11, 30, 2, 0, 0, 0, 0, 0, 0xd7, 7, size, kind, 24, 0];
        assert_eq!(open(&header(10, 0)), "the games are played on a board of size 10, not 8");
        assert_eq!(open(&header(8, 1)), "the file holds solitaires, not games");

        let mut bytes = header(8, 0).to_vec();
        let mut game = [0; 68];
        game[6] = 40;
        game[8..11].copy_from_slice(&[56, 64, 64]);
        bytes.extend(game);
        bytes.extend(&game[..30]);
        let read: Vec<_> = wthor::Reader::new(&bytes[..], &tables).unwrap().collect();
        let [Ok(Err(game)), Err(file)] = &read[..] else { panic!("{read:?}") };
        assert_eq!(game.to_string(), "move 3: `d6` is illegal: the square is occupied");
        assert_eq!(file.to_string(), "the file ends after 1 of 2 records");
    }

    #[test]
    fn every_game_of_the_database_reads_and_is_written_as_it_was() {
        let Some(data) = std::env::var_os("VOLTE_DATA") else {
            eprintln!("SKIPPED: VOLTE_DATA is not set, no database to read");
            return;
        };
        let folder = std::path::Path::new(&data).join("wthor");
        let bytes_of = |name: &str| std::fs::read(folder.join(name)).expect("the database has its tables");
        let players = wthor::Names::read(&bytes_of("WTH.JOU")[..], wthor::NameKind::Players).unwrap();
        let tournaments = wthor::Names::read(&bytes_of("WTH.TRN")[..], wthor::NameKind::Tournaments).unwrap();
        assert_eq!((players.len(), tournaments.len()), (4448, 492));
        assert_eq!(tournaments.name(0), Some("Diverses parties"));
        let mut tables = wthor::Tables { players, tournaments };
        let known = tables.clone();
        let (mut files, mut games, mut unfinished, mut accents) = (0, 0, 0, 0);
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|extension| extension != "wtb") {
                continue;
            }
            files += 1;
            let bytes = std::fs::read(&path).unwrap();
            let reader = wthor::Reader::new(&bytes[..], &known).unwrap();
            let mut writer = wthor::Writer::new(Cursor::new(Vec::new()), reader.header().created).unwrap();
            for record in reader {
                let record = record.unwrap().unwrap();
                games += 1;
                unfinished += usize::from(record.is_unfinished());
                accents += usize::from(record.event.as_ref().is_some_and(|event| event.contains('é')));
                writer.write(&record, &mut tables).unwrap().unwrap();
            }
            assert!(writer.finish().unwrap().into_inner() == bytes, "{} is not written as it was", path.display());
        }
        assert_eq!((files, games, unfinished), (49, 137_548, 413));
        assert!(accents > 100);
        assert_eq!(tables, known);
    }

    #[test]
    fn the_known_openings_are_read() {
        let Some(data) = std::env::var_os("VOLTE_DATA") else {
            eprintln!("SKIPPED: VOLTE_DATA is not set, no openings to read");
            return;
        };
        let text = std::fs::read_to_string(std::path::Path::new(&data).join("openings/xot-large.txt")).unwrap();
        let games: Vec<_> = openings::parse(&text).collect::<Result<_, _>>().unwrap();
        assert_eq!(games.len(), 10_784);
        assert!(games.iter().all(|(_, game)| game.len() == 8));
    }

    #[test]
    fn what_only_wthor_knows_is_kept() {
        let mut record = GameRecord::of(transcript::parse("f5d6c3d3c4").unwrap());
        record.wthor = Some(WthorFields { tournament: 7, black: 8, white: 9, theoretical: 31, depth: 24 });
        let bytes = wthor::Tables::fresh().encode(&record).unwrap();
        assert_eq!(&bytes[..8], [7, 0, 8, 0, 9, 0, 61, 31]);
        assert_eq!(&bytes[8..14], [56, 64, 33, 34, 43, 0]);
    }
}
