//! The course of a game as a small graph of text.

use super::GameReview;
use crate::score::Eval;
use std::fmt::Write;

/// Rows above the zero line, and below it.
const ROWS: i32 = 4;

/// A bar for each moment of the game, up for Black and down for White; empty if there is none.
///
/// ```text
///  +8 │
///     │   ▄██
///     │   ███
///     │  ▄███
///   0 ┼───────
///     │ ██
///     │ █▀
///     │
///  -8 │
/// ```
pub fn graph(review: &GameReview) -> String {
    let values: Vec<i32> = review.course().iter().map(|moment| moment.value.units()).collect();
    if values.is_empty() {
        return String::new();
    }
    let scale = scale(&values);
    let label = |row: i32, sign: i32| {
        let discs = sign * scale / Eval::UNITS_PER_DISC;
        if row == ROWS { format!("{discs:+}") } else { String::new() }
    };
    let mut text = String::new();
    for row in (1..=ROWS).rev() {
        let bars: String = values.iter().map(|&value| bar(value, row, scale, '▄')).collect();
        push_row(&mut text, &label(row, 1), '│', &bars);
    }
    push_row(&mut text, "0", '┼', &"─".repeat(values.len()));
    for row in 1..=ROWS {
        let bars: String = values.iter().map(|&value| bar(-value, row, scale, '▀')).collect();
        push_row(&mut text, &label(row, -1), '│', &bars);
    }
    text
}

fn push_row(text: &mut String, label: &str, axis: char, bars: &str) {
    writeln!(text, "{}", format!("{label:>4} {axis}{bars}").trim_end()).expect("a string takes any text");
}

/// The value at the edge of a graph, in units: the largest one, rounded up so that a row is a whole number of discs.
pub(super) fn scale(values: &[i32]) -> i32 {
    let most = values.iter().map(|value| value.abs()).max().unwrap_or(0);
    let step = ROWS * Eval::UNITS_PER_DISC;
    ((most + step - 1) / step).max(1) * step
}

/// How much of a row, counted from the zero line, a bar of this length fills.
fn bar(length: i32, row: i32, scale: i32, half: char) -> char {
    let height = scale / ROWS;
    match length - (row - 1) * height {
        inside if inside >= height * 3 / 4 => '█',
        inside if inside >= height / 4 => half,
        _ => ' ',
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::samples;

    #[test]
    fn bars_go_up_for_black_and_down_for_white() {
        let review = samples::review("f5f6e6f4", &[(0.0, 0.0), (3.0, 4.0), (3.0, 3.0), (-5.0, -5.0)], 9);
        let wanted = "  +8 │
     │   ▄▄
     │  ▄██
     │  ███
   0 ┼─────
     │ █
     │ █
     │
  -8 │
";
        assert_eq!(graph(&review), wanted);
    }

    #[test]
    fn the_edge_is_a_round_number() {
        let edge = |discs: f32| scale(&[Eval::from_discs(discs).units()]) / Eval::UNITS_PER_DISC;
        assert_eq!([0.0, 0.1, 4.0, 4.01, -64.0, 63.9].map(edge), [4, 4, 4, 8, 64, 64]);
    }
}
