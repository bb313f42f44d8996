//! A game of a session as a record to keep or to write, and back.

use super::lines::all_turns;
use crate::board::{Color, Move};
use crate::game::record::{Ending as RecordEnding, GameRecord, Outcome, Player as RecordPlayer, Verdict};
use crate::game::{Game, transcript};
use crate::score::Score;
use crate::web::message::event::{Ending, RefusalCode, ResultView, TextGame};
use crate::web::message::{Both, Player, Side};
use crate::web::refused::Refused;
use crate::web::store::Kept;

/// How a player is called.
pub(super) fn name(player: Player, person: &str) -> String {
    match player {
        Player::Human if person.is_empty() => "Player".to_owned(),
        Player::Human => person.to_owned(),
        Player::Engine { level: Some(level), move_ms: None } => format!("Volte level {level}"),
        Player::Engine { move_ms: Some(ms), .. } => format!("Volte {} s", f64::from(ms) / 1000.0),
        Player::Engine { level: None, move_ms: None } => "Volte".to_owned(),
    }
}

/// How both players are called.
pub(in crate::web) fn names(players: Both<Player>, person: &str) -> Both<String> {
    Both { black: name(players.black, person), white: name(players.white, person) }
}

/// The side of the person, if one person plays against the engine.
pub(super) fn only_human(players: &Both<Player>) -> Option<Color> {
    match (players.black, players.white) {
        (Player::Human, Player::Engine { .. }) => Some(Color::Black),
        (Player::Engine { .. }, Player::Human) => Some(Color::White),
        _ => None,
    }
}

/// The whole line of a game, with nothing taken back.
pub(super) fn whole(game: &Game) -> Game {
    let mut game = game.clone();
    while game.redo().is_some() {}
    game
}

/// The result of a game that was played out.
pub(super) fn played_out(game: &Game) -> Option<ResultView> {
    let score = game.result()?.score;
    let winner = Outcome::Score(score).winner().map(Side::from);
    Some(ResultView { winner, score: Some(score.discs()), ending: Ending::Played })
}

/// A game as it is kept. Without a result it is unfinished.
pub(super) fn kept(game: &Game, players: Both<Player>, person: &str, result: Option<ResultView>) -> Kept {
    let result = result.unwrap_or(ResultView { winner: None, score: None, ending: Ending::Unfinished });
    Kept {
        transcript: transcript::write(game),
        names: names(players, person),
        players: Some(players),
        human: only_human(&players).map(Side::from),
        winner: result.winner,
        score: result.score,
        ending: result.ending,
        moves: discs_placed(game),
        rated_level: None,
        variations: Vec::new(),
    }
}

/// A game that was read from a text as it is kept.
pub(in crate::web) fn to_keep(record: &GameRecord) -> Kept {
    let name = |color| record.player(color).name.clone().unwrap_or_else(|| "?".to_owned());
    let score = match record.outcome() {
        Some(Outcome::Score(score)) => Some(score.discs()),
        _ => None,
    };
    let ending = match record.verdict.map(|verdict| verdict.ending) {
        _ if record.game.is_over() => Ending::Played,
        None => Ending::Unfinished,
        Some(RecordEnding::Normal) => Ending::Played,
        Some(RecordEnding::Resigned | RecordEnding::Left) => Ending::Resigned,
        Some(RecordEnding::TimeOut) => Ending::Timeout,
        Some(RecordEnding::Mutual) => Ending::Agreed,
    };
    Kept {
        transcript: transcript::write(&record.game),
        names: Both { black: name(Color::Black), white: name(Color::White) },
        players: None,
        human: None,
        winner: record.outcome().and_then(Outcome::winner).map(Side::from),
        score,
        ending,
        moves: discs_placed(&record.game),
        rated_level: None,
        variations: Vec::new(),
    }
}

/// A game that was read from a text, as a list shows it.
pub(in crate::web) fn summary(record: &GameRecord) -> TextGame {
    let name = |color| record.player(color).name.clone();
    let score = match record.outcome() {
        Some(Outcome::Score(score)) => Some(score.discs()),
        _ => None,
    };
    let names = Both { black: name(Color::Black), white: name(Color::White) };
    TextGame { names, moves: record.game.len(), score, date: record.date.clone() }
}

/// A kept game as a record.
pub(in crate::web) fn of_kept(kept: &Kept, date: String) -> Result<GameRecord, Refused> {
    let game =
        transcript::parse(&kept.transcript).map_err(|error| Refused::new(RefusalCode::Storage, error.to_string()))?;
    let player = |name: &String| RecordPlayer { name: Some(name.clone()), ..RecordPlayer::default() };
    let ending = match kept.ending {
        Ending::Played => Some(RecordEnding::Normal),
        Ending::Resigned => Some(RecordEnding::Resigned),
        Ending::Agreed => Some(RecordEnding::Mutual),
        Ending::Timeout => Some(RecordEnding::TimeOut),
        Ending::Unfinished => None,
    };
    let outcome = match (kept.score, kept.winner) {
        (Some(discs), _) => Outcome::Score(Score::from_discs(discs)),
        (None, Some(winner)) => Outcome::Win(winner.into()),
        (None, None) => Outcome::Score(Score::DRAW),
    };
    Ok(GameRecord {
        black: player(&kept.names.black),
        white: player(&kept.names.white),
        place: Some("Volte".to_owned()),
        date: Some(date),
        verdict: ending.map(|ending| Verdict { outcome, ending }),
        ..GameRecord::of(game)
    })
}

/// Discs placed in a line, those taken back included.
pub(super) fn discs_placed(game: &Game) -> u32 {
    let placed = all_turns(game).filter(|turn| turn.mv != Move::Pass).count();
    u32::try_from(placed).expect("a board has few squares")
}
