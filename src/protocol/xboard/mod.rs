//! The protocol of XBoard and WinBoard (Chess Engine Communication Protocol, version 2) for the variant `reversi`.
//!
//! Owns the spelling of requests and replies; must not know how a move is found. `command` reads a line, `session` runs
//! what it asks for, `text` prints. Start reading at [`serve`].

mod command;
mod session;
mod text;

use super::{Inbox, Line, Urgency};
use crate::engine::Engine;
use command::Command;
use session::{Session, Verdict};
use std::collections::VecDeque;
use std::io::{self, BufRead, Write};

/// Obeys the lines of `input` until `quit` or the end, and moves whenever it is the engine's turn.
///
/// The input is read while a search runs. `?` and the end of the input make the engine move at once; what changes the
/// game and `quit` end a thought without a move; in analyze mode every line interrupts the search.
///
/// # Errors
/// If the output cannot be written.
pub fn serve(engine: &mut Engine, input: impl BufRead + Send + 'static, output: &mut impl Write) -> io::Result<()> {
    let mut lines = Lines { inbox: Inbox::listen(input, urgency), ahead: VecDeque::new() };
    let mut session = Session::new(engine, output);
    while let Some(line) = lines.next() {
        match command::parse(&line.text) {
            None => {}
            Some(Ok(Command::Quit)) => break,
            Some(Ok(command)) => session.obey(command, &lines.inbox.begin(&line))?,
            Some(Err(error)) => session.complain(&error)?,
        }
        if session.is_analyzing() {
            session.analyze(&lines.inbox.begin_until_next(&line))?;
        } else if session.is_to_move() {
            session.think(&lines.inbox.begin(&line), || lines.verdict())?;
        }
    }
    Ok(())
}

/// Lines in the order of the input, also if some had to be looked at before their turn.
struct Lines {
    inbox: Inbox,
    ahead: VecDeque<Line>,
}

impl Lines {
    fn next(&mut self) -> Option<Line> {
        self.ahead.pop_front().or_else(|| self.inbox.next())
    }

    /// What the line that has stopped a thought wants of it.
    fn verdict(&mut self) -> Verdict {
        let mut looked_at = 0;
        loop {
            if looked_at == self.ahead.len() {
                // The line is under way, or the input has ended: nothing comes that could be in the way of a move.
                let Some(line) = self.inbox.next() else { return Verdict::Move };
                self.ahead.push_back(line);
            }
            let text = &self.ahead[looked_at].text;
            if urgency(text) == Urgency::Stops {
                let moves = matches!(command::parse(text), Some(Ok(Command::MoveNow)));
                return if moves { Verdict::Move } else { Verdict::Drop };
            }
            looked_at += 1;
        }
    }
}

/// What a line means for the thought before it.
fn urgency(line: &str) -> Urgency {
    match command::parse(line) {
        Some(Ok(command)) if command.ends_a_thought() => Urgency::Stops,
        _ => Urgency::Waits,
    }
}
