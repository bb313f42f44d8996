//! How NBoard is told moves, values and expected play, only in forms that it reads without complaint: plain decimals,
//! moves without spaces between them, depths that begin with an integer.

use crate::board::Move;
use crate::book::BookMove;
use crate::search::Line;
use std::time::Duration;

/// `F5` or `PA`.
pub(super) fn mv(mv: Move) -> String {
    mv.square().map_or_else(|| "PA".to_owned(), |square| square.to_string().to_ascii_uppercase())
}

/// Discs with two decimals, never `-0.00`.
pub(super) fn discs(value: f64) -> String {
    let text = format!("{value:.2}");
    if text == "-0.00" { "0.00".to_owned() } else { text }
}

/// Seconds with three decimals.
pub(super) fn seconds(time: Duration) -> String {
    format!("{:.3}", time.as_secs_f64())
}

/// `search F5D6C3 1.25 0 12`: expected play, value, games in a book (none), depth, and for a selective search how
/// selective it was. The depth of a solved position is how sure it is: `100%`.
pub(super) fn search(line: &Line, value: f64, empties: u32) -> String {
    let pv: String = line.pv.iter().copied().map(mv).collect();
    let percent = line.draft.selectivity.percent();
    let value = discs(value);
    if u32::from(line.draft.depth) >= empties {
        format!("search {pv} {value} 0 {percent}%")
    } else if line.draft.selectivity.is_full() {
        format!("search {pv} {value} 0 {}", line.draft.depth)
    } else {
        format!("search {pv} {value} 0 {} selectivity {percent}%", line.draft.depth)
    }
}

/// `book F5 -0.25 12 18`: move, value, games that came after it, level of the search.
pub(super) fn book(known: BookMove, games: u64, level: u8) -> String {
    format!("book {} {} {games} {level}", mv(Move::Place(known.mv)), discs(known.value.discs().into()))
}

/// One line of text, for `status`.
pub(super) fn one_line(text: &str) -> String {
    text.chars().map(|character| if character.is_control() { ' ' } else { character }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Square;
    use crate::score::{Bound, Draft, Eval, Selectivity};

    #[test]
    fn numbers_are_plain_and_zero_has_no_sign() {
        assert_eq!(discs(0.5), "0.50");
        assert_eq!(discs(-0.001), "0.00");
        assert_eq!(discs(-64.0), "-64.00");
        assert_eq!(seconds(Duration::from_micros(10)), "0.000");
        assert_eq!(seconds(Duration::from_millis(1_234_567)), "1234.567");
    }

    #[test]
    fn a_line_of_search_says_how_deep_and_how_sure() {
        let pv = vec![Move::Place(Square::F5), Move::Pass, Move::Place(Square::C3)];
        let line = |depth, selectivity| Line {
            mv: pv[0],
            value: Eval::ZERO,
            bound: Bound::Exact,
            draft: Draft::new(depth, selectivity),
            solved: false,
            pv: pv.clone(),
        };
        assert_eq!(search(&line(8, Selectivity::FULL), 1.25, 20), "search F5PAC3 1.25 0 8");
        assert_eq!(search(&line(12, Selectivity::MIN), -1.0, 20), "search F5PAC3 -1.00 0 12 selectivity 73%");
        assert_eq!(search(&line(20, Selectivity::MIN), 2.0, 20), "search F5PAC3 2.00 0 73%");
        assert_eq!(search(&line(20, Selectivity::FULL), 2.0, 20), "search F5PAC3 2.00 0 100%");
    }

    #[test]
    fn text_stays_on_its_line() {
        assert_eq!(one_line("a\nb\r\tc"), "a b  c");
    }
}
