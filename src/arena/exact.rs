//! Finished games against perfect play: how many discs each side gave away at the end.
//!
//! Start reading at [`ExactCheck::check`].

use super::openings::Opening;
use super::record::{ExactLoss, GameRecord};
use crate::board::{Color, Move, Position};
use crate::clock::WallClock;
use crate::eval::HandMade;
use crate::score::{Draft, Score, Selectivity};
use crate::search::{Limits, Resources, Searcher, StopSignal, Surroundings};
use std::sync::Arc;

/// A solver that replays games. The evaluation only orders its moves: exact scores do not depend on it.
pub(super) struct ExactCheck {
    empties: u8,
    searcher: Searcher<HandMade>,
}

impl ExactCheck {
    /// Checks moves with at most `empties` empty squares before them.
    pub(super) fn new(empties: u8) -> Self {
        const TABLE_MEGABYTES: usize = 16;
        let resources = Resources { threads: 1, table_megabytes: TABLE_MEGABYTES };
        Self { empties, searcher: Searcher::new(Arc::new(HandMade), resources) }
    }

    /// The discs that each side lost late in a game, or `None` if the check was stopped.
    ///
    /// A position's exact score less that of the position after the move is what the move lost. Positions are solved
    /// from the last to the first, so that each finds the next one in the table.
    pub(super) fn check(&mut self, opening: &Opening, record: &GameRecord, stop: &StopSignal) -> Option<ExactLoss> {
        let mut game = opening.game.clone();
        let mut positions = Vec::new();
        for turn in &record.turns {
            let mv: Move = turn.mv.parse().ok()?;
            positions.push((game.side(), mv, game.position()));
            game.play(mv).ok()?;
        }
        let mut loss = ExactLoss { empties: self.empties, ..ExactLoss::default() };
        let end = game.position();
        if !end.is_over() && end.empty_count() > u32::from(self.empties) {
            // Forfeited too early for any move to be checked.
            return Some(loss);
        }
        let mut after = self.solve(end, stop)?;
        for (side, mv, position) in positions.into_iter().rev() {
            if position.empty_count() > u32::from(self.empties) {
                break;
            }
            let got = -after;
            // A forced pass loses nothing, and its score is that of the position after it.
            let best = if mv == Move::Pass { got } else { self.solve(position, stop)? };
            let lost = best.discs().abs_diff(got.discs());
            let (discs, moves) = match side {
                Color::Black => (&mut loss.black, &mut loss.black_moves),
                Color::White => (&mut loss.white, &mut loss.white_moves),
            };
            *discs += lost;
            *moves += u32::from(mv != Move::Pass);
            after = best;
        }
        Some(loss)
    }

    /// The exact score, or `None` if the search was stopped.
    fn solve(&mut self, position: Position, stop: &StopSignal) -> Option<Score> {
        if position.is_over() {
            return Some(position.final_score());
        }
        let empties = u8::try_from(position.empty_count()).expect("a board has 64 squares");
        let limits = Limits::draft(Draft::new(empties, Selectivity::FULL));
        let mut surroundings = Surroundings { clock: &WallClock::default(), stop, observer: &mut () };
        let outcome = self.searcher.search(position, &limits, &mut surroundings);
        if outcome.stopped {
            return None;
        }
        outcome.lines.first().map(|line| line.value.to_score())
    }
}

#[cfg(test)]
mod tests {
    use super::super::record::TurnRecord;
    use super::super::record::tests::on_board;
    use super::*;
    use crate::board::Square;
    use crate::game::{Game, transcript};

    const EMPTIES: u8 = 7;

    /// A whole game in which everyone plays on the first legal square, after an opening.
    fn careless(opening: &str) -> (Opening, GameRecord) {
        let game = transcript::parse(opening).expect("the opening is legal");
        let opening = Opening { text: opening.to_owned(), game: game.clone() };
        let mut record = on_board(1, "a", "b", 0);
        record.turns.clear();
        let mut game = game;
        while !game.is_over() {
            let mv = game.position().moves().first().map_or(Move::Pass, Move::Place);
            record.turns.push(TurnRecord { mv: mv.to_string(), seconds: 0.0, opinion: None });
            game.play(mv).expect("the move is legal");
        }
        (opening, record)
    }

    /// The exact score by plain minimax.
    fn minimax(position: Position) -> i32 {
        let moves = position.moves();
        if moves.is_empty() {
            let other = position.pass();
            return if other.moves().is_empty() { position.final_score().discs() } else { -minimax(other) };
        }
        let values = moves.into_iter().filter_map(|square: Square| Some(-minimax(position.play(square)?)));
        values.max().expect("there is a move")
    }

    /// What each side lost, by plain minimax.
    fn lost(mut game: Game, record: &GameRecord) -> [u32; 2] {
        let mut lost = [0; 2];
        for turn in &record.turns {
            let (side, position) = (game.side(), game.position());
            game.play(turn.mv.parse().expect("a move")).expect("the move is legal");
            if position.empty_count() <= u32::from(EMPTIES) {
                lost[side.index()] += minimax(position).abs_diff(-minimax(game.position()));
            }
        }
        lost
    }

    #[test]
    fn discs_lost_are_those_of_plain_minimax() {
        let mut check = ExactCheck::new(EMPTIES);
        let mut any = 0;
        for opening in ["f5d6c3d3c4f4f6f3", "f5f6e6f4e3c5c4d3", "d3c3b3b2f5a3a1c1", "f5d6c4"] {
            let (opening, record) = careless(opening);
            let loss = check.check(&opening, &record, &StopSignal::default()).expect("nobody stops it");
            assert_eq!([loss.black, loss.white], lost(opening.game.clone(), &record), "{}", opening.text);
            assert!(loss.black_moves + loss.white_moves <= u32::from(EMPTIES));
            any += loss.black + loss.white;
        }
        assert!(any > 0, "careless play costs discs");
    }

    #[test]
    fn a_game_forfeited_early_has_nothing_to_check() {
        let mut check = ExactCheck::new(EMPTIES);
        let (opening, mut record) = careless("f5d6c4");
        record.turns.truncate(10);
        let loss = check.check(&opening, &record, &StopSignal::default());
        assert_eq!(loss, Some(ExactLoss { empties: EMPTIES, ..ExactLoss::default() }));
    }
}
