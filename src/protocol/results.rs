//! How results of searches are spelled, for people and in JSON: the same wherever they are shown.
//!
//! Owns the spelling of values, lines and expected play; must not know who asked for them. Start reading at
//! [`LineJson`].

use crate::board::Move;
use crate::score::{Draft, Eval};
use crate::search::Line;
use serde::Serialize;
use serde_json::Number;

/// A value for people: whole discs if it is exact, two decimals if it is an estimate.
pub fn value(value: Eval, exact: bool) -> String {
    if exact { value.to_score().to_string() } else { format!("{:+.2}", discs(value)) }
}

/// A value or a difference of values in JSON: a whole number of discs if it is exact, else a decimal, to the hundredth of
/// a disc.
pub fn value_json(value: Eval, exact: bool) -> Number {
    if exact {
        return (value.units() / Eval::UNITS_PER_DISC).into();
    }
    Number::from_f64(discs(value)).expect("a value is a finite number")
}

/// The value in discs, rounded to the hundredth; a unit is more than half of one, so there is no negative zero.
pub fn discs(value: Eval) -> f64 {
    (f64::from(value.discs()) * 100.0).round() / 100.0
}

/// Moves without a space between them, passes as `pa`: a transcript of expected play.
pub fn play(moves: &[Move]) -> String {
    let spell = |mv: &Move| mv.square().map_or_else(|| "pa".to_owned(), |square| square.to_string());
    moves.iter().map(spell).collect()
}

/// A move with what a search knows of it, as JSON. Scores are from the side to move, in discs.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct LineJson {
    /// Such as `f5`; `pass` if it is forced; nothing if the game is over.
    pub r#move: Option<String>,
    /// What it is worth; see [`value_json`].
    pub score: Number,
    /// Whether that is the final score under perfect play.
    pub exact: bool,
    /// Plies searched.
    pub depth: u8,
    /// How sure the pruning is, in percent.
    pub selectivity: u8,
    /// Expected play; see [`play`].
    pub pv: String,
}

impl LineJson {
    /// A move, if there is one, of this value, which is exact or not, found by a search of such a draft.
    pub fn new(mv: Option<Move>, (value, exact): (Eval, bool), draft: Draft, pv: &[Move]) -> Self {
        Self {
            r#move: mv.map(|mv| mv.to_string()),
            score: value_json(value, exact),
            exact,
            depth: draft.depth,
            selectivity: draft.selectivity.percent(),
            pv: play(pv),
        }
    }
}

impl From<&Line> for LineJson {
    fn from(line: &Line) -> Self {
        Self::new(Some(line.mv), (line.value, line.solved), line.draft, &line.pv)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_values_are_whole_and_estimates_have_two_decimals() {
        let eval = |discs: f32| Eval::from_discs(discs);
        assert_eq!((value(eval(12.0), true), value(eval(12.0), false)), ("+12".to_owned(), "+12.00".to_owned()));
        assert_eq!((value(eval(0.0), true), value(eval(-1.25), false)), ("0".to_owned(), "-1.25".to_owned()));
        assert_eq!((value(-Eval::ZERO, false), value(-Eval::UNIT, false)), ("+0.00".to_owned(), "-0.01".to_owned()));
        assert_eq!(value_json(eval(12.0), true).to_string(), "12");
        assert_eq!(value_json(eval(12.0), false).to_string(), "12.0");
        assert_eq!(value_json(-Eval::ZERO, false).to_string(), "0.0");
        assert_eq!(play(&[Move::Pass, "f5".parse().unwrap()]), "paf5");
    }
}
