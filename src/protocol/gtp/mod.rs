//! GTP version 2, the Go Text Protocol as programs for Othello speak it.
//!
//! Owns the spelling of GTP; must not know how a move is found. `command` reads a line, `session` runs what it asks
//! for, `analysis` streams, `text` prints boards and scores. Start reading at [`serve`].

mod analysis;
mod book;
mod command;
mod load;
mod session;
mod text;

use super::{Inbox, Line, Urgency};
use crate::engine::Engine;
use command::{Command, Request};
use session::{Session, Task};
use std::io::{self, BufRead, Write};

/// The names of all commands, in the order of `list_commands`.
pub fn command_names() -> impl Iterator<Item = &'static str> {
    command::names()
}

/// Answers the commands of `input` until `quit` or the end.
///
/// The input is read while a command runs: `volte-stop`, a line `# interrupt` and the end of the input stop it, and its
/// reply still comes, and first. After `quit` nothing is read, so what came before it runs to its end.
///
/// # Errors
/// If the output cannot be written.
pub fn serve(engine: &mut Engine, input: impl BufRead + Send + 'static, output: &mut impl Write) -> io::Result<()> {
    let inbox = Inbox::listen(input, urgency);
    let mut session = Session::new(engine);
    while let Some(line) = inbox.next() {
        let Some(Request { id, command }) = command::parse(&line.text) else { continue };
        let quits = matches!(command, Ok(Command::Quit));
        let id = id.unwrap_or_default();
        answer(&mut session, command, &id, Place { inbox: &inbox, line: &line, output })?;
        output.flush()?;
        if quits {
            break;
        }
    }
    Ok(())
}

/// Where a command came from and its reply goes to.
struct Place<'a, W> {
    inbox: &'a Inbox,
    line: &'a Line,
    output: &'a mut W,
}

fn answer<W: Write>(
    session: &mut Session<'_>,
    command: Result<Command, command::CommandError>,
    id: &str,
    place: Place<'_, W>,
) -> io::Result<()> {
    let Place { inbox, line, output } = place;
    let task = command.map_err(Into::into).and_then(|command| session.run(command));
    let reply = match task {
        Ok(Task::Done(text)) => Ok(text),
        Ok(Task::Search(search)) => session.search(&search, &inbox.begin(line)),
        Ok(Task::Stream(analysis)) => {
            writeln!(output, "={id} ")?;
            output.flush()?;
            session.stream(analysis, &inbox.begin_until_next(line), output)?;
            // An analysis that is complete stands until the client says something.
            inbox.wait();
            return writeln!(output);
        }
        Err(failure) => Err(failure),
    };
    match reply {
        Ok(text) => write!(output, "={id} {text}\n\n"),
        Err(failure) => write!(output, "?{id} {failure}\n\n"),
    }
}

/// What a line means for the commands before it.
fn urgency(line: &str) -> Urgency {
    if line.trim().strip_prefix('#').is_some_and(|comment| comment.trim() == "interrupt") {
        return Urgency::Stops;
    }
    match command::parse(line).map(|request| request.command) {
        Some(Ok(Command::Stop)) => Urgency::Stops,
        Some(Ok(Command::Quit)) => Urgency::Last,
        _ => Urgency::Waits,
    }
}
