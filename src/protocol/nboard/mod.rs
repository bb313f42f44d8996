//! The protocol of NBoard, versions 1 and 2, as NBoard and reversi-arena speak it.
//!
//! Owns the spelling of requests and replies; must not know how a move is found. `command` reads a line, `session` runs
//! what it asks for, `times` keeps the clocks, `text` prints. Start reading at [`serve`].

mod command;
mod session;
mod text;
mod times;

use super::{Inbox, Urgency};
use crate::engine::Engine;
use command::Command;
use session::Session;
use std::io::{self, BufRead, Write};

/// Answers the lines of `input` until `quit` or the end. Lines that mean nothing get no answer.
///
/// The input is read while a search runs, and whatever comes next stops it: a client only counts results of its newest
/// request. Nothing more of a stopped search is written. `quit` stops nothing, so that a script can wait for the last
/// answer.
///
/// # Errors
/// If the output cannot be written.
pub fn serve(engine: &mut Engine, input: impl BufRead + Send + 'static, output: &mut impl Write) -> io::Result<()> {
    let inbox = Inbox::listen(input, urgency);
    let mut session = Session::new(engine, output);
    while let Some(line) = inbox.next() {
        match command::parse(&line.text) {
            None => {}
            Some(Ok(Command::Quit)) => break,
            Some(Ok(command)) => session.run(command, &inbox.begin(&line))?,
            Some(Err(error)) => session.complain(&error)?,
        }
    }
    Ok(())
}

/// What a line means for the search before it.
fn urgency(line: &str) -> Urgency {
    match command::parse(line) {
        None | Some(Err(_) | Ok(Command::Hello)) => Urgency::Waits,
        Some(Ok(Command::Quit)) => Urgency::Last,
        Some(Ok(_)) => Urgency::Stops,
    }
}
