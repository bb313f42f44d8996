//! The standing of a match: everything that follows from its finished pairs.
//!
//! Start reading at [`Tally`].

use super::record::{PairRecord, Reason};
use crate::board::Color;
use crate::stats::{
    DiscSprt, DiscStats, Encounter, Estimate, GamePoints, PairPoints, Pentanomial, Sprt, SprtState, Verdict, ratings,
};
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;

/// The standing of one engine.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Standing {
    /// Its name.
    pub name: String,
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Its pairs.
    pub pairs: Pentanomial,
    /// Disc differences of its pairs whose games were both decided on the board.
    pub discs: DiscStats,
    /// Seconds it used.
    pub seconds: f64,
    /// Seconds it used of those it was given, and these: of games with a clock that came to their end.
    pub clocked: (f64, f64),
    /// Games it lost by a fault of its own, by reason.
    pub faults: BTreeMap<Reason, u64>,
    /// Discs lost by inaccurate moves late in its games.
    pub discs_lost: u64,
    /// Moves checked for that.
    pub checked_moves: u64,
}

impl Standing {
    /// Games played.
    pub const fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The share that it used of the time it was given, 0 to 1 and a little more; `None` without a clock.
    pub fn clock_share(&self) -> Option<f64> {
        let (used, given) = self.clocked;
        (given > 0.0).then_some(used / given)
    }

    /// Whether it left more than half of its time unused, which a match between equals hardly means to measure.
    pub fn idles(&self) -> bool {
        self.clock_share().is_some_and(|share| share < 0.5)
    }
}

/// The tests that a match of two may be played to.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Tests {
    /// A test on points.
    pub points: Option<Sprt>,
    /// A test on discs.
    pub discs: Option<DiscSprt>,
}

/// The standing of a match.
#[derive(Clone, PartialEq, Debug)]
pub struct Tally {
    standings: Vec<Standing>,
    encounters: Vec<Encounter>,
    pairs: u64,
    dropped: u64,
}

impl Tally {
    /// The standing before the first pair.
    pub fn new(names: impl IntoIterator<Item = String>) -> Self {
        let standings = names.into_iter().map(|name| Standing { name, ..Standing::default() }).collect();
        Self { standings, encounters: Vec::new(), pairs: 0, dropped: 0 }
    }

    /// Counts a finished pair. A pair of engines that do not take part is ignored.
    pub fn add(&mut self, pair: &PairRecord) {
        let [one, other] = &pair.games;
        let (Some(first), Some(second)) = (self.index(&one.black), self.index(&one.white)) else { return };
        let points = PairPoints::new(one.points(Color::Black), other.points(Color::White));
        self.pairs += 1;
        let encounter = self.encounter(first, second);
        encounter.add(points);
        for (engine, colors) in [(first, [Color::Black, Color::White]), (second, [Color::White, Color::Black])] {
            self.standings[engine].add(pair, colors);
        }
    }

    /// Counts a pair that could not be finished.
    pub const fn drop_pair(&mut self) {
        self.dropped += 1;
    }

    /// The engines, in the order of the match.
    pub fn standings(&self) -> &[Standing] {
        &self.standings
    }

    /// Number of finished pairs.
    pub const fn pairs(&self) -> u64 {
        self.pairs
    }

    /// Number of pairs that could not be finished.
    pub const fn dropped(&self) -> u64 {
        self.dropped
    }

    /// Each engine's Elo: against the opponent in a match of two, else its rating among all.
    pub fn elo(&self) -> Vec<Option<Estimate>> {
        if let [first, second] = &self.standings[..] {
            return vec![first.pairs.elo(), second.pairs.elo()];
        }
        ratings(self.standings.len(), &self.encounters)
    }

    /// Where the tests stand, from the first engine's view.
    pub fn test_states(&self, tests: Tests) -> [Option<SprtState>; 2] {
        let first = self.standings.first();
        [
            tests.points.zip(first).map(|(test, first)| test.state(first.pairs)),
            tests.discs.zip(first).map(|(test, first)| test.state(first.discs)),
        ]
    }

    /// Whether one of the tests has been decided.
    pub fn is_decided(&self, tests: Tests) -> bool {
        self.test_states(tests).into_iter().flatten().any(|state| state.verdict != Verdict::Open)
    }

    /// The whole standing for the last line of a JSON file.
    pub fn summary(&self, tests: Tests, complete: bool) -> Summary {
        let first = self.standings.first();
        let engines = self.standings.iter().zip(self.elo()).map(|(standing, elo)| EngineSummary::new(standing, elo));
        let [points, discs] = self.test_states(tests);
        let normalised = first.and_then(|first| first.pairs.normalised_elo());
        Summary {
            engines: engines.collect(),
            pairs: self.pairs,
            dropped_pairs: self.dropped,
            pentanomial: first.map_or([0; 5], |first| first.pairs.counts()),
            normalised_elo: normalised.map(|elo| elo.value),
            normalised_elo_error: normalised.map(|elo| elo.error),
            los: first.and_then(|first| first.pairs.superiority()),
            sprt: points.map(SprtSummary),
            sprt_discs: discs.map(SprtSummary),
            complete,
        }
    }

    fn index(&self, name: &str) -> Option<usize> {
        self.standings.iter().position(|standing| standing.name == name)
    }

    fn encounter(&mut self, one: usize, other: usize) -> &mut Pentanomial {
        let known = self.encounters.iter().position(|known| (known.one, known.other) == (one, other));
        let index = known.unwrap_or_else(|| {
            self.encounters.push(Encounter { one, other, pairs: Pentanomial::default() });
            self.encounters.len() - 1
        });
        &mut self.encounters[index].pairs
    }
}

impl Standing {
    /// Counts a pair in which the engine had these colours.
    fn add(&mut self, pair: &PairRecord, colors: [Color; 2]) {
        let sides = [(&pair.games[0], colors[0]), (&pair.games[1], colors[1])];
        for (game, color) in sides {
            let points = game.points(color);
            match points {
                GamePoints::Win => self.wins += 1,
                GamePoints::Draw => self.draws += 1,
                GamePoints::Loss => self.losses += 1,
            }
            if points == GamePoints::Loss && game.reason != Reason::Board {
                *self.faults.entry(game.reason).or_default() += 1;
            }
            self.seconds += game.seconds(color);
            if let Some(given) = game.given(color).filter(|_| game.reason == Reason::Board) {
                self.clocked.0 += game.seconds(color);
                self.clocked.1 += given;
            }
            if let Some(loss) = game.exact_check {
                let (discs, moves) = match color {
                    Color::Black => (loss.black, loss.black_moves),
                    Color::White => (loss.white, loss.white_moves),
                };
                self.discs_lost += u64::from(discs);
                self.checked_moves += u64::from(moves);
            }
        }
        self.pairs.add(PairPoints::new(sides[0].0.points(colors[0]), sides[1].0.points(colors[1])));
        if let [Some(one), Some(other)] = sides.map(|(game, color)| game.discs(color)) {
            self.discs.add([one, other]);
        }
    }
}

/// The last line of a JSON file.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Summary {
    /// The engines, in the order of the match.
    pub engines: Vec<EngineSummary>,
    /// Pairs finished.
    pub pairs: u64,
    /// Pairs that could not be finished.
    pub dropped_pairs: u64,
    /// Pairs of the first engine with 0, ½, 1, 1½ and 2 points.
    pub pentanomial: [u64; 5],
    /// The first engine's normalised Elo against the others.
    pub normalised_elo: Option<f64>,
    /// Its 95 % error.
    pub normalised_elo_error: Option<f64>,
    /// Likelihood that the first engine is superior to the others, 0 to 1.
    pub los: Option<f64>,
    /// The test on points, if there is one.
    pub sprt: Option<SprtSummary>,
    /// The test on discs, if there is one.
    pub sprt_discs: Option<SprtSummary>,
    /// Whether the match came to its end: all pairs played, or a test decided.
    pub complete: bool,
}

/// An engine in a [`Summary`].
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct EngineSummary {
    /// Its name.
    pub name: String,
    /// Games played.
    pub games: u64,
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Elo against the opponent in a match of two, else a rating whose mean is 0; none while it is not finite.
    pub elo: Option<f64>,
    /// Its 95 % error.
    pub elo_error: Option<f64>,
    /// Mean disc difference per game, over pairs decided on the board.
    pub disc_difference: Option<f64>,
    /// Its 95 % error.
    pub disc_error: Option<f64>,
    /// Seconds used.
    pub seconds: f64,
    /// The share of its time that it used, in games with a clock that came to their end.
    pub clock_share: Option<f64>,
    /// Games lost by a fault of its own, by reason.
    pub faults: BTreeMap<Reason, u64>,
    /// Discs lost late in its games; none unless that was checked.
    pub discs_lost: Option<u64>,
    /// Moves checked for that.
    pub checked_moves: Option<u64>,
}

impl EngineSummary {
    fn new(standing: &Standing, elo: Option<Estimate>) -> Self {
        let checked = standing.checked_moves > 0;
        Self {
            name: standing.name.clone(),
            games: standing.games(),
            wins: standing.wins,
            draws: standing.draws,
            losses: standing.losses,
            elo: elo.map(|elo| elo.value),
            elo_error: elo.map(|elo| elo.error),
            disc_difference: standing.discs.mean(),
            disc_error: standing.discs.estimate().map(|discs| discs.error),
            seconds: (standing.seconds * 1000.0).round() / 1000.0,
            clock_share: standing.clock_share().map(|share| (share * 1000.0).round() / 1000.0),
            faults: standing.faults.clone(),
            discs_lost: checked.then_some(standing.discs_lost),
            checked_moves: checked.then_some(standing.checked_moves),
        }
    }
}

/// A test in a [`Summary`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SprtSummary(pub SprtState);

impl Serialize for SprtSummary {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        let SprtState { llr, lower, upper, verdict } = self.0;
        let mut object = serializer.serialize_struct("SprtSummary", 4)?;
        object.serialize_field("llr", &llr)?;
        object.serialize_field("lower", &lower)?;
        object.serialize_field("upper", &upper)?;
        object.serialize_field("verdict", verdict_name(verdict))?;
        object.end()
    }
}

/// A verdict as one word.
pub const fn verdict_name(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Open => "open",
        Verdict::Lower => "lower",
        Verdict::Upper => "upper",
    }
}

#[cfg(test)]
mod tests {
    use super::super::record::tests::on_board;
    use super::super::record::{ExactLoss, GameRecord, result_text};
    use super::*;
    use crate::stats::EloModel;

    fn pair(number: usize, (one, other): (&str, &str), discs: [i32; 2]) -> PairRecord {
        let games = [on_board(2 * number - 1, one, other, discs[0]), on_board(2 * number, other, one, discs[1])];
        PairRecord { games }
    }

    fn forfeited(mut game: GameRecord, loser: Color, reason: Reason) -> GameRecord {
        game.discs = None;
        game.reason = reason;
        game.winner = Some(game.name(!loser).to_owned());
        game.result = result_text(Some(!loser), None, reason);
        game
    }

    #[test]
    fn both_engines_are_counted_from_their_own_view() {
        let mut tally = Tally::new(["a".to_owned(), "b".to_owned()]);
        // a wins by 10 with Black and loses by 4 with White; then wins by 2 and draws.
        tally.add(&pair(1, ("a", "b"), [10, 4]));
        tally.add(&pair(2, ("a", "b"), [2, 0]));
        let [a, b] = tally.standings() else { panic!("there are two") };
        assert_eq!((a.wins, a.draws, a.losses), (2, 1, 1));
        assert_eq!((b.wins, b.draws, b.losses), (1, 1, 2));
        assert_eq!(a.pairs.counts(), [0, 0, 1, 1, 0]);
        assert_eq!(b.pairs.counts(), [0, 1, 1, 0, 0]);
        assert_eq!(a.discs.mean(), Some(2.0));
        assert_eq!(b.discs.mean(), Some(-2.0));
        assert_eq!(a.seconds, 2.0 * 1.75);
        let elo = tally.elo();
        assert_eq!(elo[0].expect("finite").value, -elo[1].expect("finite").value);
    }

    #[test]
    fn the_share_of_the_clock_counts_games_that_ended_on_the_board() {
        let mut tally = Tally::new(["a".to_owned(), "b".to_owned()]);
        let mut clocked = pair(1, ("a", "b"), [10, 4]);
        for game in &mut clocked.games {
            (game.black_given, game.white_given) = (Some(2.0), Some(10.0));
        }
        tally.add(&clocked);
        let mut lost = pair(2, ("a", "b"), [10, 4]);
        for game in &mut lost.games {
            *game = forfeited(game.clone(), Color::White, Reason::Crash);
            (game.black_given, game.white_given) = (Some(1000.0), Some(1000.0));
        }
        tally.add(&lost);
        let [a, b] = tally.standings() else { panic!("there are two") };
        // With Black 1.5 s of 2, with White 0.25 s of 10.
        let share = 1.75 / 12.0;
        for engine in [a, b] {
            assert!((engine.clock_share().expect("there is a clock") - share).abs() < 1e-9 && engine.idles());
        }
        assert_eq!((Standing::default().clock_share(), Standing::default().idles()), (None, false));
    }

    #[test]
    fn a_forfeit_counts_in_points_but_not_in_discs() {
        let mut tally = Tally::new(["a".to_owned(), "b".to_owned()]);
        let mut spoilt = pair(1, ("a", "b"), [10, 4]);
        spoilt.games[0] = forfeited(spoilt.games[0].clone(), Color::White, Reason::Crash);
        tally.add(&spoilt);
        let [a, b] = tally.standings() else { panic!("there are two") };
        assert_eq!((a.wins, a.losses), (1, 1));
        assert_eq!(a.discs.pairs(), 0);
        assert_eq!(b.faults.get(&Reason::Crash), Some(&1));
        assert!(a.faults.is_empty());
    }

    #[test]
    fn a_summary_holds_what_was_promised() {
        let mut tally = Tally::new(["a".to_owned(), "b".to_owned()]);
        for number in 1..=40 {
            let mut pair = pair(number, ("a", "b"), [6, 2 - (number as i32 % 3) * 4]);
            let loss = ExactLoss { empties: 8, black: 2, white: 0, black_moves: 4, white_moves: 4 };
            pair.games[0].exact_check = Some(loss);
            tally.add(&pair);
        }
        tally.drop_pair();
        let tests = Tests {
            points: Sprt::new(EloModel::Logistic, [0.0, 50.0], [0.05, 0.05]).ok(),
            discs: DiscSprt::new([0.0, 1.0], [0.05, 0.05]).ok(),
        };
        let value = serde_json::to_value(tally.summary(tests, true)).expect("summaries are JSON");
        assert_eq!(value["pairs"], 40);
        assert_eq!(value["dropped_pairs"], 1);
        assert_eq!(value["engines"][0]["name"], "a");
        assert_eq!(value["engines"][0]["games"], 80);
        assert_eq!(value["engines"][0]["discs_lost"], 80);
        assert_eq!(value["engines"][1]["checked_moves"], 160);
        assert_eq!(value["pentanomial"], serde_json::json!([0, 0, 13, 0, 27]));
        assert_eq!(value["sprt"]["verdict"], "upper");
        assert_eq!(value["sprt_discs"]["verdict"], "upper");
        for key in ["elo", "elo_error", "disc_difference", "disc_error", "seconds"] {
            assert!(value["engines"][0][key].is_number(), "{key}");
        }
        assert!(value["los"].as_f64().expect("a number") > 0.99);
        assert!(tally.is_decided(tests));
        let nothing = Tally::new(["a".to_owned(), "b".to_owned()]).summary(Tests::default(), false);
        let value = serde_json::to_value(nothing).expect("summaries are JSON");
        assert!(value["engines"][0]["elo"].is_null() && value["los"].is_null() && value["sprt"].is_null());
    }

    #[test]
    fn many_engines_are_rated_together() {
        let mut tally = Tally::new(["a", "b", "c"].map(str::to_owned));
        for number in 0..10 {
            let swing = if number % 3 == 0 { -8 } else { 8 };
            tally.add(&pair(3 * number + 1, ("a", "b"), [6, swing]));
            tally.add(&pair(3 * number + 2, ("b", "c"), [2, swing]));
            tally.add(&pair(3 * number + 3, ("a", "c"), [2, -swing]));
        }
        let elo: Vec<f64> = tally.elo().into_iter().map(|elo| elo.expect("all are bound").value).collect();
        assert!(elo.iter().sum::<f64>().abs() < 1e-6);
        assert!(elo[0] > elo[1] && elo[0] > elo[2], "{elo:?}");
    }
}
