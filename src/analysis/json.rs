//! What scripts read: objects of JSON, one a line, each with its kind in `type` and the version of the form.
//!
//! `schema.json` describes them; a change that breaks readers raises [`VERSION`]. Start reading at [`SCHEMA`].

use super::table::is_exact;
use super::{GameReview, Loss};
use crate::board::Color;
use crate::engine::Assessment;
use crate::game::collection::Place;
use crate::game::record::Outcome as Ending;
use crate::game::{Game, board_text, named, transcript};
use crate::protocol::results::{LineJson, discs, value_json};
use crate::score::{Draft, Eval, Selectivity};
use crate::search::Outcome;
use serde::Serialize;
use serde_json::Number;
use std::time::Duration;

/// The version of the form of all objects.
pub const VERSION: u32 = 1;

/// The JSON Schema of each line.
pub const SCHEMA: &str = include_str!("schema.json");

/// Where something was read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Origin<'a> {
    /// The file; nothing for an argument or standard input.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    /// The line it starts on, or, where there are no lines, which game it is; from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<usize>,
}

impl<'a> Origin<'a> {
    /// A place in a file, if there is one.
    pub const fn new(file: Option<&'a str>, place: Place) -> Self {
        match place {
            Place::Line(line) => Self { file, line: Some(line), game: None },
            Place::Game(game) => Self { file, line: None, game: Some(game) },
        }
    }
}

#[derive(Serialize)]
struct Object<'a, T> {
    r#type: &'static str,
    version: u32,
    #[serde(flatten)]
    origin: Option<Origin<'a>>,
    #[serde(flatten)]
    body: T,
}

fn object(kind: &'static str, origin: Option<Origin<'_>>, body: impl Serialize) -> String {
    let object = Object { r#type: kind, version: VERSION, origin, body };
    serde_json::to_string(&object).expect("text and finite numbers are JSON")
}

/// The object of a static evaluation of the position that `game` has come to.
pub fn eval(origin: Origin<'_>, game: &Game, value: Eval) -> String {
    #[derive(Serialize)]
    struct Body {
        position: String,
        score: Number,
        exact: bool,
        unit: &'static str,
    }
    let exact = game.is_over();
    let position = board_text::write(game.setup());
    object("eval", Some(origin), Body { position, score: value_json(value, exact), exact, unit: "discs" })
}

/// What a search cost.
#[derive(Serialize)]
struct Cost {
    nodes: u64,
    seconds: f64,
}

impl Cost {
    fn new(nodes: u64, time: Duration) -> Self {
        Self { nodes, seconds: (time.as_secs_f64() * 1000.0).round() / 1000.0 }
    }
}

/// The object of the best moves in the position that `game` has come to, with the opening's name if it has one.
pub fn hint(origin: Origin<'_>, game: &Game, outcome: &Outcome) -> String {
    #[derive(Serialize)]
    struct Body {
        position: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        opening: Option<&'static str>,
        lines: Vec<LineJson>,
        #[serde(flatten)]
        cost: Cost,
    }
    let position = board_text::write(game.setup());
    let lines = outcome.lines.iter().map(LineJson::from).collect();
    let opening = named::name_of(game).map(|opening| opening.name);
    object("hint", Some(origin), Body { position, opening, lines, cost: Cost::new(outcome.nodes, outcome.elapsed) })
}

/// The object of the best move in the position that `game` has come to.
pub fn best(origin: Origin<'_>, game: &Game, outcome: &Outcome) -> String {
    #[derive(Serialize)]
    struct Body {
        position: String,
        #[serde(flatten)]
        line: LineJson,
        #[serde(flatten)]
        cost: Cost,
    }
    let over = || {
        let score = game.position().final_score().into();
        LineJson::new(None, (score, true), Draft::new(0, Selectivity::FULL), &[])
    };
    let line = outcome.lines.first().map_or_else(over, LineJson::from);
    let position = board_text::write(game.setup());
    object("best", Some(origin), Body { position, line, cost: Cost::new(outcome.nodes, outcome.elapsed) })
}

/// The object of something that could not be read.
pub fn error(origin: Origin<'_>, message: &str) -> String {
    #[derive(Serialize)]
    struct Body<'a> {
        error: &'a str,
    }
    object("error", Some(origin), Body { error: message })
}

/// The object of a reviewed game.
pub fn game(origin: Origin<'_>, review: &GameReview) -> String {
    #[derive(Serialize)]
    struct Body<'a> {
        black: Option<&'a str>,
        white: Option<&'a str>,
        event: Option<&'a str>,
        date: Option<&'a str>,
        moves: String,
        result: Option<i32>,
        complete: bool,
        turns: Vec<TurnJson>,
        loss: BySide,
        #[serde(flatten)]
        cost: Cost,
    }
    let record = &review.record;
    let result = match record.outcome() {
        Some(Ending::Score(score)) => Some(score.discs()),
        Some(Ending::Win(_)) | None => None,
    };
    let body = Body {
        black: record.black.name.as_deref(),
        white: record.white.name.as_deref(),
        event: record.event.as_deref(),
        date: record.date.as_deref(),
        moves: transcript::write(&record.game),
        result,
        complete: review.complete,
        turns: review.turns.iter().map(|turn| TurnJson::new(&record.game, turn)).collect(),
        loss: BySide { black: review.loss(Color::Black).into(), white: review.loss(Color::White).into() },
        cost: Cost::new(
            review.turns.iter().map(|turn| turn.nodes).sum(),
            review.turns.iter().map(|turn| turn.elapsed).sum(),
        ),
    };
    object("game", Some(origin), body)
}

#[derive(Serialize)]
struct BySide {
    black: LossJson,
    white: LossJson,
}

/// What a side gave away in a game, in discs.
#[derive(Serialize)]
struct LossJson {
    total: f64,
    moves: usize,
    errors: usize,
}

impl From<Loss> for LossJson {
    fn from(loss: Loss) -> Self {
        Self { total: discs(loss.total), moves: loss.turns, errors: loss.errors }
    }
}

/// A turn of a game. Scores are from the side that moves, in discs.
#[derive(Serialize)]
struct TurnJson {
    number: usize,
    position: String,
    color: String,
    r#move: String,
    score: Number,
    best_move: String,
    best_score: Number,
    loss: Number,
    exact: bool,
    depth: u8,
    selectivity: u8,
    pv: String,
    best_pv: String,
    #[serde(flatten)]
    cost: Cost,
}

impl TurnJson {
    fn new(game: &Game, assessment: &Assessment) -> Self {
        let Assessment { ply, turn, played, best, nodes, elapsed } = assessment;
        let (score, best_json) = (LineJson::from(played), LineJson::from(best));
        let before = game.branch_at(*ply).expect("the turn is one of the game");
        Self {
            number: ply + 1,
            position: board_text::write(before.setup()),
            color: turn.color.to_string(),
            r#move: turn.mv.to_string(),
            score: score.score,
            best_move: best.mv.to_string(),
            best_score: best_json.score,
            loss: value_json(assessment.loss(), is_exact(assessment)),
            exact: is_exact(assessment),
            depth: best.draft.depth,
            selectivity: best.draft.selectivity.percent(),
            pv: score.pv,
            best_pv: best_json.pv,
            cost: Cost::new(*nodes, *elapsed),
        }
    }
}

/// Totals of a run over games.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
pub struct Totals {
    /// Games reviewed, those that were stopped included.
    pub games: usize,
    /// Turns of them.
    pub positions: usize,
    /// Entries that could not be read.
    pub bad: usize,
    /// Whether nothing was cut short by a stop.
    pub complete: bool,
}

/// The object at the end of a run over games.
pub fn summary(totals: Totals, (nodes, time): (u64, Duration)) -> String {
    #[derive(Serialize)]
    struct Body {
        #[serde(flatten)]
        totals: Totals,
        #[serde(flatten)]
        cost: Cost,
    }
    object("summary", None, Body { totals, cost: Cost::new(nodes, time) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::samples;
    use serde_json::Value;

    #[test]
    fn a_game_has_its_turns_with_losses() {
        let mut review = samples::review("f5f6e6f4", &[(0.5, 0.5), (-2.0, 1.0), (3.0, 3.0), (-64.0, 64.0)], 3);
        review.record.black.name = Some("オセロ".to_owned());
        let text = game(Origin::new(Some("a.txt"), Place::Line(3)), &review);
        assert!(
            text.starts_with(r#"{"type":"game","version":1,"file":"a.txt","line":3,"black":"オセロ","white":null,"#)
        );
        let object: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(object["turns"][1]["best_move"], "f4");
        assert_eq!(object["turns"][1]["loss"].to_string(), "3.0");
        assert_eq!(object["turns"][3]["loss"].to_string(), "128", "exact, and more than a score can be");
        assert_eq!(object["loss"]["white"]["total"].to_string(), "131.0");
        assert_eq!(object["loss"]["black"], serde_json::json!({"total": 0.0, "moves": 2, "errors": 0}));
        assert_eq!((&object["moves"], &object["result"]), (&"f5f6e6f4".into(), &Value::Null));
        assert_eq!(object["nodes"], 400);
        assert_eq!(object["seconds"], 6.0);
    }

    #[test]
    fn an_error_says_where_it_stands() {
        let text = error(Origin::new(None, Place::Game(7)), "no \"game\"");
        assert_eq!(text, r#"{"type":"error","version":1,"game":7,"error":"no \"game\""}"#);
    }
}
