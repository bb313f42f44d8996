//! The course of a game as a drawing.

use super::graph::scale;
use super::{GameReview, Moment};
use crate::board::Color;
use crate::protocol::results::{discs, value};
use crate::score::Eval;
use std::fmt::Write;

const WIDTH: f64 = 800.0;
const HEIGHT: f64 = 360.0;
const LEFT: f64 = 50.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 30.0;

/// A move that gives away this many discs gets a mark.
const MARKED: f32 = 2.0;

/// The value of the game for Black after each turn as a line, and a mark at each move that gave something away: an SVG
/// that stands by itself. Marks tell the move and its loss when the pointer rests on them.
pub fn svg(review: &GameReview, title: &str) -> String {
    let course = review.course();
    let values: Vec<i32> = course.iter().map(|moment| moment.value.units()).collect();
    let frame = Frame { turns: course.len(), edge: scale(&values) };
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<title>{0}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n\
         <text x=\"{LEFT}\" y=\"24\" font-size=\"15\">{0}</text>\n",
        escaped(title)
    );
    frame.draw_grid(&mut text).expect("a string takes any text");
    frame.draw_course(&mut text, &course).expect("a string takes any text");
    for moment in &course {
        if let Some((color, lost)) = moment.loss.filter(|(_, lost)| lost.discs() >= MARKED) {
            let mv = review.turns.iter().find(|turn| turn.ply + 1 == moment.ply).map(|turn| turn.turn.mv.to_string());
            frame
                .draw_mark(&mut text, moment, (color, lost), &mv.unwrap_or_default())
                .expect("a string takes any text");
        }
    }
    text.push_str("</svg>\n");
    text
}

/// Where moments and values lie.
struct Frame {
    turns: usize,
    /// The value at the upper edge, in units.
    edge: i32,
}

impl Frame {
    fn x(&self, ply: usize) -> f64 {
        let steps = self.turns.saturating_sub(1).max(1) as f64;
        LEFT + (WIDTH - LEFT - RIGHT) * ply as f64 / steps
    }

    fn y(&self, value: Eval) -> f64 {
        let middle = TOP + (HEIGHT - TOP - BOTTOM) / 2.0;
        middle - f64::from(value.units()) / f64::from(self.edge) * (HEIGHT - TOP - BOTTOM) / 2.0
    }

    /// Lines at the edges, at half and at zero, and numbers of turns.
    fn draw_grid(&self, text: &mut String) -> std::fmt::Result {
        for part in [-2, -1, 0, 1, 2] {
            let value = Eval::from_units(part * self.edge / 2);
            let (y, shade) = (self.y(value), if part == 0 { "#444" } else { "#ddd" });
            writeln!(text, "<path d=\"M{LEFT} {y:.1}H{:.1}\" stroke=\"{shade}\"/>", WIDTH - RIGHT)?;
            let label = value.to_score();
            writeln!(text, "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>", LEFT - 8.0, y + 4.0)?;
        }
        for ply in (0..self.turns).filter(|ply| ply.is_multiple_of(10)) {
            let y = HEIGHT - 10.0;
            writeln!(text, "<text x=\"{:.1}\" y=\"{y:.1}\" text-anchor=\"middle\">{ply}</text>", self.x(ply))?;
        }
        Ok(())
    }

    fn draw_course(&self, text: &mut String, course: &[Moment]) -> std::fmt::Result {
        write!(text, "<polyline fill=\"none\" stroke=\"#1b5e20\" stroke-width=\"2\" points=\"")?;
        for moment in course {
            write!(text, "{:.1},{:.1} ", self.x(moment.ply), self.y(moment.value))?;
        }
        writeln!(text, "\"/>")
    }

    fn draw_mark(&self, text: &mut String, at: &Moment, (color, lost): (Color, Eval), mv: &str) -> std::fmt::Result {
        let fill = if color == Color::Black { "#000" } else { "#fff" };
        let (x, y) = (self.x(at.ply), self.y(at.value));
        writeln!(
            text,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"5\" fill=\"{fill}\" stroke=\"#c62828\" stroke-width=\"2\">\
             <title>{}. {mv}: {color} gives away {:.2}, then {} for black</title></circle>",
            at.ply,
            discs(lost),
            value(at.value, false)
        )
    }
}

/// Text as XML takes it.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            // XML has no place for these.
            character if character.is_control() => safe.push(' '),
            character => safe.push(character),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::samples;

    #[test]
    fn the_drawing_has_a_point_for_each_moment_and_a_mark_for_each_large_loss() {
        let review = samples::review("f5f6e6f4", &[(0.0, 0.0), (-2.0, 1.0), (3.0, 3.0), (-5.0, -4.5)], 9);
        let drawing = svg(&review, "A <b> & \"c\"\u{7}");
        assert!(drawing.starts_with("<svg ") && drawing.ends_with("</svg>\n"), "{drawing}");
        assert!(drawing.contains("<title>A &lt;b&gt; &amp; &quot;c&quot; </title>"), "{drawing}");
        let (_, points) = drawing.split_once("points=\"").unwrap();
        assert_eq!(points.split('"').next().unwrap().split_whitespace().count(), 5);
        assert_eq!(drawing.matches("<circle").count(), 1);
        assert!(drawing.contains("<title>2. f6: white gives away 3.00, then +3.00 for black</title>"), "{drawing}");
        assert!(!drawing.contains("NaN") && !drawing.contains("inf"));
    }

    #[test]
    fn a_game_without_moves_has_an_empty_drawing() {
        let drawing = svg(&samples::review("", &[], 0), "");
        assert!(drawing.contains("points=\"\"") && !drawing.contains("NaN"), "{drawing}");
    }
}
