//! A review of a game: what each of its turns is worth, and what the best one in its place.
//!
//! Owns how a game is gone through; what a review looks like belongs to whoever asks. Start reading at
//! [`Engine::review`].

use super::{Audience, Engine, empties};
use crate::board::{Move, Position};
use crate::clock::Budget;
use crate::game::{Game, Turn};
use crate::score::{Draft, Eval};
use crate::search::{Control, Level, Limits, Line, Outcome};
use std::time::Duration;

/// How hard to try on one position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effort {
    /// What a level does.
    Level(Level),
    /// As deep as a time allows.
    Time(Duration),
}

impl Effort {
    /// The limits of a search of `position`, for its best move alone.
    pub fn limits(self, position: Position) -> Limits {
        match self {
            Self::Level(level) => Limits::draft(level.draft(empties(position))),
            Self::Time(time) => {
                let limits = Limits::draft(Level::MAX.draft(empties(position)));
                Limits { time: Some(Budget::fixed(time)), ..limits }
            }
        }
    }
}

/// What one turn of a game is worth. Values are from the view of the side whose turn it is.
#[derive(Clone, PartialEq, Debug)]
pub struct Assessment {
    /// The number of turns before it, passes included.
    pub ply: usize,
    /// The turn.
    pub turn: Turn,
    /// The move that was played.
    pub played: Line,
    /// The best move; `played` itself if nothing is better. Where both are worth the same this is the one played.
    pub best: Line,
    /// Positions visited for it.
    pub nodes: u64,
    /// Time used.
    pub elapsed: Duration,
}

impl Assessment {
    /// What the move gives away, in the end or as far as the search sees; never negative.
    pub fn loss(&self) -> Eval {
        self.best.value - self.played.value
    }
}

impl Engine {
    /// Goes through the turns of `game`, from the first one to the last, and hands an assessment of each to `found`. The
    /// move played and the best move are searched to the same draft, within `effort` together. A turn without a choice
    /// is worth what comes after it. The game before the engine stays as it is.
    ///
    /// What the table holds of later positions would reach deeper after the move played than after others, and odd and
    /// even depths differ: for values to compare with each other, the review starts from an empty table and goes forward.
    ///
    /// Whether it came to the last turn: `found` can stop it after a turn, and the signal of the audience within one,
    /// which is then left out. The observer hears of the searches of each turn.
    pub fn review(
        &mut self,
        game: &Game,
        effort: Effort,
        audience: Audience<'_>,
        mut found: impl FnMut(&Assessment) -> Control,
    ) -> bool {
        let Audience { stop, observer } = audience;
        self.forget();
        let mut waiting = Vec::new();
        for (ply, turn) in game.turns().enumerate() {
            let position = game.position_at(ply).expect("a turn was played from a position");
            let is_last = ply + 1 == game.len();
            if position.moves().count() <= 1 && !is_last {
                waiting.push((ply, turn));
                continue;
            }
            let limits = halved(effort.limits(position));
            let assessment = assess((ply, turn), &limits, &mut |limits| {
                let outcome = self.search_position(position, limits, Audience { stop, observer: &mut *observer });
                // A limit of time ends a search as it should; a signal does not.
                if stop.is_set() { None } else { Some(outcome) }
            });
            let Some(assessment) = assessment else { return false };
            for assessment in with_forced(std::mem::take(&mut waiting), assessment) {
                if found(&assessment) == Control::Stop {
                    return is_last && assessment.ply == ply;
                }
            }
        }
        true
    }
}

/// Assesses a turn, if no search for it is stopped.
fn assess(
    (ply, turn): (usize, Turn),
    limits: &Limits,
    search: &mut impl FnMut(&Limits) -> Option<Outcome>,
) -> Option<Assessment> {
    let Outcome { mut nodes, mut elapsed, lines, .. } = search(limits)?;
    let best = lines.into_iter().next().expect("a search finds a move where one was played");
    let mut played = best.clone();
    if best.mv != turn.mv {
        let root_moves = turn.mv.square().map(|square| square.bit());
        let outcome = search(&Limits { target: best.draft, root_moves, ..limits.clone() })?;
        nodes += outcome.nodes;
        elapsed += outcome.elapsed;
        played = outcome.lines.into_iter().next().expect("the move that was played is legal");
    }
    let best = if played.value >= best.value { played.clone() } else { best };
    Some(Assessment { ply, turn, played, best, nodes, elapsed })
}

/// The assessments of turns without a choice, and of the turn after them.
fn with_forced(forced: Vec<(usize, Turn)>, next: Assessment) -> impl Iterator<Item = Assessment> {
    let mut assessments = vec![next];
    for (ply, turn) in forced.into_iter().rev() {
        let line = before(turn.mv, &assessments[assessments.len() - 1].best);
        let (nodes, elapsed) = (0, Duration::ZERO);
        assessments.push(Assessment { ply, turn, played: line.clone(), best: line, nodes, elapsed });
    }
    assessments.into_iter().rev()
}

/// The limits with half the time, so that two searches use all of it.
fn halved(limits: Limits) -> Limits {
    let time = limits.time.map(Budget::halved);
    Limits { time, ..limits }
}

/// The line of a move after which `next` is best, one ply deeper; a pass is no ply.
fn before(mv: Move, next: &Line) -> Line {
    let plies = u8::from(mv != Move::Pass);
    Line {
        mv,
        value: -next.value,
        bound: next.bound.flipped(),
        draft: Draft::new(next.draft.depth + plies, next.draft.selectivity),
        solved: next.solved,
        pv: std::iter::once(mv).chain(next.pv.iter().copied()).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Color;
    use crate::clock::WallClock;
    use crate::engine::Options;
    use crate::game::transcript;
    use crate::score::Score;
    use crate::search::{Resources, StopSignal};
    use std::sync::Arc;

    fn engine() -> Engine {
        let resources = Resources { threads: 1, table_megabytes: 4 };
        let options = Options { level: None, depth: None, nodes: None, resources, ponder: false };
        Engine::new(options, Arc::new(WallClock::default()))
    }

    fn review(engine: &mut Engine, game: &Game, effort: Effort) -> Vec<Assessment> {
        let mut found = Vec::new();
        let audience = Audience { stop: &StopSignal::default(), observer: &mut () };
        let complete = engine.review(game, effort, audience, |assessment| {
            found.push(assessment.clone());
            Control::Continue
        });
        assert!(complete);
        found
    }

    /// A game by the engine itself, to its end.
    fn finished() -> Game {
        let mut engine = engine();
        engine.set_options(Options { level: Level::new(1), ..engine.options() });
        let nobody = StopSignal::default();
        while let Some(side) = engine.game().next_to_place() {
            engine.go(side, Audience { stop: &nobody, observer: &mut () }).unwrap();
        }
        engine.game().clone()
    }

    #[test]
    fn every_turn_is_assessed_in_its_order() {
        let game = finished();
        let found = review(&mut engine(), &game, Effort::Level(Level::new(6).unwrap()));
        let plies: Vec<_> = found.iter().map(|assessment| assessment.ply).collect();
        assert_eq!(plies, (0..game.len()).collect::<Vec<_>>());
        for assessment in &found {
            assert_eq!(Some(assessment.turn), game.turns().nth(assessment.ply));
            assert_eq!(assessment.played.mv, assessment.turn.mv);
            assert!(assessment.loss() >= Eval::ZERO, "{assessment:?}");
            assert_eq!((assessment.played.pv[0], assessment.best.pv[0]), (assessment.played.mv, assessment.best.mv));
            assert_eq!(assessment.loss() == Eval::ZERO, assessment.best.mv == assessment.turn.mv);
        }
        assert!(found.iter().any(|assessment| assessment.loss() > Eval::ZERO), "level 1 errs");
    }

    #[test]
    fn exact_losses_lead_from_the_first_exact_value_to_the_result() {
        let game = finished();
        let found = review(&mut engine(), &game, Effort::Level(Level::new(6).unwrap()));
        let exact: Vec<_> = found.iter().rev().take_while(|assessment| assessment.best.solved).collect();
        assert!(exact.len() >= 12, "level 6 solves 12 empty squares");
        let for_black = |color: Color, value: Eval| if color == Color::Black { value } else { -value };
        let mut value = Eval::from(game.result().unwrap().score);
        for assessment in exact {
            let Assessment { turn, played, best, .. } = assessment;
            assert_eq!(for_black(turn.color, played.value), value, "{assessment:?}");
            value = for_black(turn.color, best.value);
        }
    }

    #[test]
    fn the_last_turn_of_a_game_that_stops_early_is_searched_too() {
        let game = transcript::parse("d3c3b3b2f5a3a1c1pa").unwrap();
        let found = review(&mut engine(), &game, Effort::Level(Level::new(3).unwrap()));
        let last = &found[8];
        assert_eq!((found.len(), last.turn.mv, last.best.pv.first()), (9, Move::Pass, Some(&Move::Pass)));
        assert!(last.nodes > 0 && last.best.pv.len() > 1);
    }

    #[test]
    fn time_is_shared_by_the_searches_of_a_turn() {
        let board = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X";
        let game = transcript::parse(&format!("{board};h6")).unwrap();
        let effort = Effort::Time(Duration::from_secs(1000));
        let limits = effort.limits(game.start().position().unwrap());
        assert_eq!(limits.time, Some(Budget::fixed(Duration::from_secs(1000))));
        assert_eq!(halved(limits).time, Some(Budget::fixed(Duration::from_secs(500))));
        // What is solved takes no more of its time.
        let found = review(&mut engine(), &game, effort);
        assert!(found[0].best.solved && found[0].played.solved, "{found:?}");
    }

    #[test]
    fn a_review_can_be_stopped_by_either_side() {
        let game = transcript::parse("d3c3b3b2f5a3a1c1").unwrap();
        let stop = StopSignal::default();
        let effort = Effort::Level(Level::new(2).unwrap());
        let mut count = 0;
        let complete =
            engine().review(&game, effort, Audience { stop: &StopSignal::default(), observer: &mut () }, |_| {
                count += 1;
                Control::Stop
            });
        assert_eq!((complete, count), (false, 1));
        stop.stop();
        let complete = engine().review(&game, effort, Audience { stop: &stop, observer: &mut () }, |_| {
            unreachable!("nothing is assessed after a stop")
        });
        assert!(!complete);
    }

    #[test]
    fn the_first_move_of_a_game_costs_nothing() {
        // All four are images of each other. Level 1 to 10 search without selectivity.
        for level in [1, 4, 7] {
            let game = transcript::parse("f5d6c3d3c4f4c5b3").unwrap();
            let found = review(&mut engine(), &game, Effort::Level(Level::new(level).unwrap()));
            assert_eq!(found[0].loss(), Eval::ZERO, "level {level}");
        }
    }

    #[test]
    fn a_turn_without_a_choice_is_worth_what_comes_after_it() {
        let game = transcript::parse("d3c3b3b2f5a3a1c1pae3").unwrap();
        let found = review(&mut engine(), &game, Effort::Level(Level::new(3).unwrap()));
        let (pass, after) = (&found[8], &found[9]);
        assert_eq!((pass.turn.mv, pass.nodes, pass.best.value), (Move::Pass, 0, -after.best.value));
        assert_eq!((pass.best.draft, pass.best.pv.len()), (after.best.draft, after.best.pv.len() + 1));
    }

    #[test]
    fn a_blunder_costs_what_the_solver_says() {
        // FFO 20: h5 wins by 6, h6 loses by 10.
        let board = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X";
        let game = transcript::parse(&format!("{board};h6")).unwrap();
        let found = review(&mut engine(), &game, Effort::Level(Level::DEFAULT));
        assert_eq!((found[0].best.mv.to_string(), found[0].played.mv.to_string()), ("h5".into(), "h6".into()));
        assert_eq!(found[0].loss(), Score::from_discs(16).into());
        assert!(found[0].played.solved && found[0].best.solved);
    }
}
