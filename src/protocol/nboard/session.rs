//! What each command of NBoard does to the engine, and what it answers.

use super::command::{ArgumentError, Command};
use super::text;
use super::times::Times;
use crate::board::{Color, Move};
use crate::clock::{Clock, WallClock};
use crate::engine::{Audience, Engine, Options};
use crate::game::ggf::{self, Step};
use crate::score::Score;
use crate::search::{Control, Level, Line, Observer, Report, StopSignal};
use std::fmt::Display;
use std::io::{self, Write};
use std::time::Duration;

/// A client's session with an engine.
pub(super) struct Session<'a, W> {
    engine: &'a mut Engine,
    output: &'a mut W,
    times: Times,
    draws: Draws,
    /// Why the client's game is not the engine's, if it is not: the client then hears that instead of moves of another
    /// game.
    lost: Option<String>,
}

/// What a draw is worth to Black, in hundredths of a disc.
///
/// It is at most a disc, and exact scores are even: a draw stays between a loss by two discs and a win by two. So it
/// changes how a draw is told and not which move is the best.
#[derive(Clone, Copy, Default, Debug)]
struct Draws(i32);

impl Draws {
    /// A final score in discs for `side`.
    fn score(self, score: Score, side: Color) -> f64 {
        let sign = if side == Color::Black { 1.0 } else { -1.0 };
        if score == Score::DRAW { sign * f64::from(self.0) / 100.0 } else { f64::from(score.discs()) }
    }

    /// The value of a line in discs for `side`, whose line it is.
    fn value(self, line: &Line, side: Color) -> f64 {
        if line.solved { self.score(line.value.to_score(), side) } else { f64::from(line.value.discs()) }
    }
}

impl<'a, W: Write> Session<'a, W> {
    /// A session that plays with `engine`.
    pub(super) fn new(engine: &'a mut Engine, output: &'a mut W) -> Self {
        Self { engine, output, times: Times::default(), draws: Draws::default(), lost: None }
    }

    /// Does what `command` asks for. A search under `stop` that is stopped tells nothing more.
    pub(super) fn run(&mut self, command: Command, stop: &StopSignal) -> io::Result<()> {
        match command {
            Command::Hello => self.say("set myname Volte"),
            Command::SetGame(game) => self.set_game(&game),
            Command::SetDepth(depth) => self.set_depth(depth),
            Command::SetContempt(contempt) => {
                self.draws = Draws(contempt);
                Ok(())
            }
            Command::SetOverhead(time) => {
                self.engine.set_overhead(time);
                Ok(())
            }
            Command::Move(step) => self.play(&step),
            Command::Ping(number) => self.say(format_args!("pong {number}")),
            Command::Hint(lines) => self.with_game(|session| session.hint(lines, stop)),
            Command::Go => self.with_game(|session| session.go(stop)),
            Command::Analyze => self.with_game(|session| session.analyze(stop)),
            Command::Learn => self.learn(stop),
            Command::Quit => Ok(()),
        }
    }

    /// Tells the user what was wrong with a line.
    pub(super) fn complain(&mut self, error: &ArgumentError) -> io::Result<()> {
        self.status(&error.to_string())
    }

    fn say(&mut self, line: impl Display) -> io::Result<()> {
        writeln!(self.output, "{line}")?;
        self.output.flush()
    }

    /// What NBoard shows in its status line.
    fn status(&mut self, text: &str) -> io::Result<()> {
        self.say(format_args!("status {}", text::one_line(text)).to_string().trim_end())
    }

    fn set_game(&mut self, text: &str) -> io::Result<()> {
        match ggf::parse(text) {
            Ok(record) => {
                self.times = Times::of(&record);
                self.engine.set_game(record.game);
                if [Color::Black, Color::White].into_iter().any(|side| self.times.clock(side).is_limited()) {
                    self.engine.get_ready();
                }
                self.lost = None;
                Ok(())
            }
            Err(error) => self.lose(format!("Volte cannot read the game: {error}")),
        }
    }

    fn play(&mut self, step: &Step) -> io::Result<()> {
        let game = self.engine.game();
        // Passes after the end count for nothing, as in a game that is set.
        if self.lost.is_some() || step.mv == Move::Pass && game.is_over() {
            return Ok(());
        }
        let side = match step.mv {
            Move::Place(_) => game.next_to_place().unwrap_or(game.side()),
            Move::Pass => game.side(),
        };
        match self.engine.play_as(side, step.mv) {
            Ok(()) => {
                self.times.spend(side, step.mv, step.note.time);
                Ok(())
            }
            Err(error) => self.lose(format!("Volte lost track of the game: {error}")),
        }
    }

    fn lose(&mut self, reason: String) -> io::Result<()> {
        self.status(&reason)?;
        self.lost = Some(reason);
        Ok(())
    }

    /// A depth is a level; there is none above the highest.
    fn set_depth(&mut self, depth: u64) -> io::Result<()> {
        let level = u8::try_from(depth).ok().and_then(Level::new).unwrap_or(Level::MAX);
        let options = self.engine.options();
        self.engine.set_options(Options { level: Some(level), ..options });
        self.say(format_args!("set myname Volte{}", level.number()))
    }

    /// Answers a request about the current game, if it is known.
    fn with_game(&mut self, answer: impl FnOnce(&mut Self) -> io::Result<()>) -> io::Result<()> {
        match self.lost.clone() {
            None => answer(self),
            Some(reason) => self.status(&reason),
        }
    }

    fn hint(&mut self, lines: usize, stop: &StopSignal) -> io::Result<()> {
        if self.engine.game().is_over() {
            return self.status("The game is over");
        }
        self.status("Analyzing")?;
        self.book(lines)?;
        let (side, empties) = (self.engine.game().side(), self.engine.game().position().empty_count());
        let value = |line: &Line| self.draws.value(line, side);
        let mut hints = Hints { output: self.output, stop, value: &value, empties, told: Vec::new(), result: Ok(()) };
        let outcome = self.engine.hint(lines, Audience { stop, observer: &mut hints });
        // Solved lines have become complete meanwhile.
        hints.tell(&outcome.lines);
        hints.result?;
        self.finish(outcome.nodes, outcome.elapsed, stop)
    }

    fn go(&mut self, stop: &StopSignal) -> io::Result<()> {
        if self.engine.game().is_over() {
            return self.status("The game is over");
        }
        self.status("Thinking")?;
        let side = self.engine.game().side();
        self.engine.tell_clock(side, self.times.clock(side));
        let clock = WallClock::default();
        let choice = self.engine.choose(side, Audience { stop, observer: &mut () });
        let choice = choice.expect("the side to move is asked");
        if !stop.is_set() {
            let (mv, used) = (text::mv(choice.mv), text::seconds(clock.now()));
            let value = choice.line.map(|line| text::discs(self.draws.value(&line, side))).unwrap_or_default();
            self.say(format_args!("nodestats {} {used}\n=== {mv}/{value}/{used}", choice.nodes))?;
        }
        self.status("")
    }

    /// Values from the end of the game to its start, so that the searches profit from each other.
    fn analyze(&mut self, stop: &StopSignal) -> io::Result<()> {
        self.status("Analyzing the game")?;
        let clock = WallClock::default();
        let game = self.engine.game().clone();
        let mut nodes = 0;
        for ply in (0..=game.len()).rev() {
            let (position, side) = (game.position_at(ply).expect("the ply is in the game"), game.side_at(ply));
            let value = if position.is_over() {
                self.draws.score(position.final_score(), side)
            } else {
                let outcome = self.engine.hint_at(position, 1, Audience { stop, observer: &mut () });
                nodes += outcome.nodes;
                self.draws.value(outcome.lines.first().expect("a side that is to move has a line"), side)
            };
            if stop.is_set() {
                break;
            }
            self.say(format_args!("analysis {ply} {}", text::discs(value)))?;
        }
        self.finish(nodes, clock.now(), stop)
    }

    fn learn(&mut self, stop: &StopSignal) -> io::Result<()> {
        if self.lost.is_none() && self.engine.book_use().on {
            self.status("Learning")?;
            if let Err(error) = self.engine.learn(Audience { stop, observer: &mut () }) {
                // It stays on show: the next request clears it.
                self.status(&error.to_string())?;
                return self.say("learned");
            }
        }
        self.say("status\nlearned")
    }

    /// What the book knows of the position, for the best so many moves.
    fn book(&mut self, lines: usize) -> io::Result<()> {
        let position = self.engine.game().position();
        let Some(level) = self.engine.book().and_then(|book| book.get(position)).map(|entry| entry.level) else {
            return Ok(());
        };
        for known in self.engine.book_moves(position).into_iter().take(lines) {
            let games = self.engine.book().map_or(0, |book| book.games_after(position, known.mv));
            self.say(text::book(known, games, level))?;
        }
        Ok(())
    }

    /// Node statistics and a free status line after a search.
    fn finish(&mut self, nodes: u64, used: Duration, stop: &StopSignal) -> io::Result<()> {
        if !stop.is_set() {
            self.say(format_args!("nodestats {nodes} {}", text::seconds(used)))?;
        }
        self.status("")
    }
}

/// Tells the lines of each iteration, except those that have not changed.
struct Hints<'a, W> {
    output: &'a mut W,
    stop: &'a StopSignal,
    value: &'a dyn Fn(&Line) -> f64,
    empties: u32,
    told: Vec<String>,
    result: io::Result<()>,
}

impl<W: Write> Hints<'_, W> {
    fn tell(&mut self, lines: &[Line]) {
        if self.stop.is_set() || self.result.is_err() {
            return;
        }
        let texts: Vec<String> =
            lines.iter().map(|line| text::search(line, (self.value)(line), self.empties)).collect();
        let news = texts.iter().filter(|text| !self.told.contains(text));
        let news: String = news.map(|text| format!("{text}\n")).collect();
        self.result = self.output.write_all(news.as_bytes()).and_then(|()| self.output.flush());
        self.told = texts;
    }
}

impl<W: Write> Observer for Hints<'_, W> {
    fn iteration(&mut self, report: &Report<'_>) -> Control {
        self.tell(report.lines);
        if self.result.is_ok() { Control::Continue } else { Control::Stop }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Square;
    use crate::score::{Bound, Draft, Eval, Selectivity};

    #[test]
    fn contempt_colours_draws_alone() {
        let line = |value, solved| Line {
            mv: Move::Place(Square::A1),
            value,
            bound: Bound::Exact,
            draft: Draft::new(1, Selectivity::FULL),
            solved,
            pv: Vec::new(),
        };
        let draws = Draws(50);
        let two = Eval::from(Score::from_discs(2));
        for (value, solved, side, expected) in [
            (Eval::ZERO, true, Color::Black, 0.5),
            (Eval::ZERO, true, Color::White, -0.5),
            (Eval::ZERO, false, Color::Black, 0.0),
            (two, true, Color::Black, 2.0),
            (-two, true, Color::White, -2.0),
        ] {
            assert_eq!(draws.value(&line(value, solved), side).to_string(), expected.to_string());
        }
    }
}
