//! How XBoard is told moves, thoughts and results.

use crate::board::{Color, Move, Setup, Square};
use crate::game::{GameResult, fen};
use crate::search::{Level, Report};
use std::time::Duration;

/// `P@d3`, or `@@@@` for a pass.
pub(super) fn mv(mv: Move) -> String {
    mv.square().map_or_else(|| "@@@@".to_owned(), |square| format!("P@{square}"))
}

/// What the engine can do.
pub(super) fn features(level: Level, overhead: Option<Duration>) -> String {
    let overhead = overhead.map_or_else(|| "auto".to_owned(), |time| time.as_millis().to_string());
    let (level, most) = (level.number(), Level::MAX.number());
    format!(
        "feature ping=1 setboard=1 playother=1 san=0 usermove=1 time=1 draw=0 sigint=0 sigterm=0 reuse=1 analyze=1\n\
         feature colors=0 name=0 nps=0 memory=1 smp=1 variants=\"{}\" myname=\"Volte {}\"\n\
         feature option=\"Level -spin {level} 0 {most}\" option=\"Overhead -string {overhead}\"\n\
         feature done=1",
        super::command::VARIANT,
        env!("CARGO_PKG_VERSION"),
    )
}

/// The start of a game as XBoard has it, where White always begins: that of Othello with colours swapped.
pub(super) const START: Setup = Setup { black: Setup::START.white, white: Setup::START.black, side: Color::White };

/// The pieces and the start of the variant, which XBoard does not know by itself. Each side holds all the discs that it
/// may need.
pub(super) fn setup() -> String {
    let board = fen::write(START);
    let (board, rest) = board.split_once(' ').unwrap_or((&board, ""));
    let discs = Square::COUNT;
    format!(
        "setup (P.....p.....) 8x8+1_{} {board}[{}{}] {rest}",
        super::command::VARIANT,
        "P".repeat(discs),
        "p".repeat(discs)
    )
}

/// `12 125 83 48211 P@f5 P@d6`: plies, hundredths of a disc, hundredths of a second, nodes, expected play.
pub(super) fn thought(report: &Report<'_>) -> Option<String> {
    let line = report.lines.first()?;
    let pv = line.pv.iter().copied().map(mv).collect::<Vec<_>>().join(" ");
    #[expect(clippy::cast_possible_truncation, reason = "at most 64 discs")]
    let centidiscs = (f64::from(line.value.discs()) * 100.0).round() as i32;
    let (depth, centiseconds) = (line.draft.depth, report.elapsed.as_millis() / 10);
    Some(format!("{depth} {centidiscs} {centiseconds} {} {pv}", report.nodes))
}

/// `0-1 {Black wins 40-24}`: as in chess, White's points come first; the discs are those of the winner and the loser.
pub(super) fn result(end: GameResult) -> String {
    let (points, winner) = match end.score.discs() {
        0 => return format!("1/2-1/2 {{Draw {}-{}}}", end.black, end.white),
        1.. => ("0-1", Color::Black),
        _ => ("1-0", Color::White),
    };
    let (name, more, less) = match winner {
        Color::Black => ("Black", end.black, end.white),
        Color::White => ("White", end.white, end.black),
    };
    format!("{points} {{{name} wins {more}-{less}}}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::Score;

    #[test]
    fn results_name_the_winner_and_the_discs() {
        let end = |black, white, score| GameResult { black, white, score: Score::from_discs(score) };
        assert_eq!(result(end(40, 24, 16)), "0-1 {Black wins 40-24}");
        assert_eq!(result(end(0, 59, -64)), "1-0 {White wins 59-0}");
        assert_eq!(result(end(32, 32, 0)), "1/2-1/2 {Draw 32-32}");
    }
}
