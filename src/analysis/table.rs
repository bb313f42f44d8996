//! A review as a table for people.

use super::{GameReview, Loss};
use crate::board::Color;
use crate::engine::Assessment;
use crate::protocol::results::{discs, play, value};
use std::fmt::Write;

/// The turns of a game, a line each, and what each side gave away. Values are from the view of the side that moves.
pub fn table(review: &GameReview) -> String {
    let mut text =
        String::from("  #  side   move    score  best    score    loss  depth   expected play after the best move\n");
    for assessment in &review.turns {
        writeln!(text, "{}", row(assessment).trim_end()).expect("a string takes any text");
    }
    for color in [Color::Black, Color::White] {
        let Loss { total, turns, errors } = review.loss(color);
        let discs = discs(total);
        writeln!(text, "{color} gave away {discs:.2} discs in {errors} of {turns} moves")
            .expect("a string takes any text");
    }
    text
}

fn row(assessment: &Assessment) -> String {
    let Assessment { ply, turn, played, best, .. } = assessment;
    let mut text = format!(
        "{:>3}  {:<5}  {:<4}  {:>7}  ",
        ply + 1,
        turn.color.to_string(),
        turn.mv.to_string(),
        value(played.value, played.solved)
    );
    if best.mv == turn.mv {
        write!(text, "{:<4}  {:>7}  {:>6}", "", "", "")
    } else {
        let lost = discs(assessment.loss());
        let lost = if is_exact(assessment) { format!("{lost:.0}") } else { format!("{lost:.2}") };
        write!(text, "{:<4}  {:>7}  {lost:>6}", best.mv.to_string(), value(best.value, best.solved))
    }
    .expect("a string takes any text");
    text + &format!("  {:<6}  {}", best.draft.to_string(), play(&best.pv))
}

/// Whether the loss is known for certain.
pub(super) fn is_exact(assessment: &Assessment) -> bool {
    assessment.played.solved && assessment.best.solved
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::samples;

    #[test]
    fn a_row_tells_what_was_better_and_what_it_cost() {
        let review = samples::review("f5f6e6f4", &[(0.5, 0.5), (-2.0, 1.0), (64.0, 64.0), (-64.0, 64.0)], 2);
        let wanted = "  \
  #  side   move    score  best    score    loss  depth   expected play after the best move
  1  black  f5      +0.50                         12@73%  f5pa
  2  white  f6      -2.00  f4      +1.00    3.00  12@73%  f4pa
  3  black  e6        +64                         12@73%  e6pa
  4  white  f4        -64  d6        +64     128  12@73%  d6pa
black gave away 0.00 discs in 0 of 2 moves
white gave away 131.00 discs in 2 of 2 moves
";
        assert_eq!(format!("  {}", table(&review).trim_start()), wanted);
    }
}
