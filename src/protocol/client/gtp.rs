//! Speaking GTP as the one who asks.
//!
//! Owns what a GTP engine was found to understand. Start reading at [`Gtp::open`].

use super::process::{Deadline, Line, Process};
use super::{ClientError, Decision, Effort, EngineCommand, Passes, Thought, TimeLeft};
use crate::board::{Color, Move, Square};
use crate::clock::TimeControl;
use crate::game::{Game, Turn};
use std::collections::HashSet;
use std::time::Duration;

/// What a GTP engine was found to understand.
pub(super) struct Gtp {
    name: String,
    /// The commands it lists; empty if it lists none.
    commands: HashSet<String>,
    passes: Passes,
    /// Whether it is told fractions of seconds.
    fractions: bool,
    /// A move of its own that it has played already.
    own: Option<(Color, Move)>,
}

/// A reply: success with its text, or failure with its text.
struct Reply {
    text: Result<String, String>,
    first: Line,
}

impl Gtp {
    pub(super) fn open(process: &mut Process, command: &EngineCommand) -> Result<Self, ClientError> {
        let mut gtp =
            Self { name: String::new(), commands: HashSet::new(), passes: command.passes, fractions: true, own: None };
        if let Ok(list) = ask(process, "list_commands")?.text {
            gtp.commands = list.split_whitespace().map(str::to_owned).collect();
        }
        if let Ok(name) = ask(process, "name")?.text {
            gtp.name = name.trim().to_owned();
        }
        if gtp.knows("set_game") {
            demand(process, "set_game Othello")?;
        }
        for line in &command.start {
            demand(process, line)?;
        }
        if let Some(effort) = command.effort {
            demand(process, &gtp.effort(effort)?)?;
        }
        Ok(gtp)
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    fn knows(&self, command: &str) -> bool {
        self.commands.contains(command)
    }

    /// The private command that sets the effort.
    fn effort(&self, effort: Effort) -> Result<String, ClientError> {
        let find = |names: [&str; 2], value: u64, what| {
            let name = names.into_iter().find(|name| self.knows(name)).ok_or(ClientError::Effort(what))?;
            Ok(format!("{name} {value}"))
        };
        let volte = self.knows("volte-options");
        match effort {
            Effort::Level(level) => find(["volte-level", "level"], level.into(), "level"),
            Effort::Depth(depth) if volte => Ok(format!("volte-options depth {depth}")),
            Effort::Nodes(nodes) if volte => Ok(format!("volte-options nodes {nodes}")),
            Effort::Depth(depth) => find(["depth", "set_depth"], depth.into(), "depth"),
            Effort::Nodes(nodes) => find(["nodes", "set_nodes"], nodes, "number of nodes"),
        }
    }

    pub(super) fn begin(
        &mut self,
        process: &mut Process,
        game: &Game,
        control: TimeControl,
    ) -> Result<(), ClientError> {
        self.own = None;
        if self.knows("boardsize") {
            demand(process, &format!("boardsize {}", Square::SIDE))?;
        }
        demand(process, "clear_board")?;
        if let Some(settings) = settings(control).filter(|_| self.knows("time_settings")) {
            self.timed(process, "time_settings", settings)?;
        }
        for turn in game.turns() {
            self.tell(process, turn)?;
        }
        Ok(())
    }

    pub(super) fn tell(&mut self, process: &mut Process, turn: Turn) -> Result<(), ClientError> {
        if self.own.take() == Some((turn.color, turn.mv)) {
            return Ok(());
        }
        let pass = turn.mv == Move::Pass;
        if pass && self.passes == Passes::Omitted {
            return Ok(());
        }
        let request = format!("play {} {}", letter(turn.color), vertex(turn.mv));
        match ask(process, &request)?.text {
            Ok(_) => Ok(()),
            Err(_) if pass && self.passes == Passes::Learn => {
                self.passes = Passes::Omitted;
                Ok(())
            }
            Err(reply) => Err(ClientError::Refused { request, reply }),
        }
    }

    pub(super) fn think(
        &mut self,
        process: &mut Process,
        color: Color,
        clocks: Option<[TimeLeft; 2]>,
        limit: Option<Duration>,
    ) -> Result<Thought, ClientError> {
        if let Some(clocks) = clocks.filter(|_| self.knows("time_left")) {
            for side in [color, !color] {
                let TimeLeft { time, stones } = clocks[side.index()];
                self.timed(process, &format!("time_left {}", letter(side)), ([time, Duration::ZERO], stones))?;
            }
        }
        let request = format!("genmove {}", letter(color));
        process.skip();
        let sent = process.send(&request)?;
        let reply = read_reply(process, Deadline { at: limit.map(|limit| sent + limit), request: &request })?;
        let used = reply.first.at.saturating_sub(sent);
        let text = reply.text.map_err(|reply| ClientError::Refused { request: request.clone(), reply })?;
        let word = text.split_whitespace().next().unwrap_or_default();
        let decision = if word.eq_ignore_ascii_case("resign") {
            Decision::Resign
        } else {
            Decision::Move(word.parse().map_err(|_| ClientError::Garbage { request, reply: text.clone() })?)
        };
        if let Decision::Move(mv) = decision {
            self.own = Some((color, mv));
        }
        Ok(Thought { decision, used, opinion: None })
    }

    /// Sends a command with times: one for `time_left`, two for `time_settings`, and a number of stones. An engine that
    /// cannot read fractions of seconds gets whole ones from then on; one that cannot read those either keeps time by
    /// itself.
    fn timed(
        &mut self,
        process: &mut Process,
        command: &str,
        (times, stones): ([Duration; 2], u32),
    ) -> Result<(), ClientError> {
        let used = if command == "time_settings" { &times[..] } else { &times[..1] };
        loop {
            let seconds: Vec<String> = used.iter().map(|&time| seconds(time, self.fractions)).collect();
            let request = format!("{command} {} {stones}", seconds.join(" "));
            let accepted = ask(process, &request)?.text.is_ok();
            if accepted || !std::mem::take(&mut self.fractions) {
                return Ok(());
            }
        }
    }
}

/// The numbers of `time_settings`; `None` without a limit, which is how engines start.
fn settings(control: TimeControl) -> Option<([Duration; 2], u32)> {
    match control {
        TimeControl::Unlimited => None,
        TimeControl::Fischer { main, increment } => Some(([main, increment], 0)),
        TimeControl::ByoYomi { main, period, stones } => Some(([main, period], stones)),
    }
}

/// Seconds as a number; whole ones are rounded down.
fn seconds(time: Duration, fractions: bool) -> String {
    if fractions && time.subsec_millis() > 0 {
        format!("{:.3}", (time.as_millis() as f64) / 1000.0).trim_end_matches('0').to_owned()
    } else {
        time.as_secs().to_string()
    }
}

const fn letter(color: Color) -> char {
    match color {
        Color::Black => 'b',
        Color::White => 'w',
    }
}

fn vertex(mv: Move) -> String {
    match mv {
        Move::Place(square) => square.to_string().to_uppercase(),
        Move::Pass => "pass".to_owned(),
    }
}

/// Sends a command that has to succeed.
fn demand(process: &mut Process, request: &str) -> Result<String, ClientError> {
    ask(process, request)?.text.map_err(|reply| ClientError::Refused { request: request.to_owned(), reply })
}

fn ask(process: &mut Process, request: &str) -> Result<Reply, ClientError> {
    process.skip();
    process.send(request)?;
    let deadline = process.soon(request);
    read_reply(process, deadline)
}

/// Reads up to the end of a reply; lines before it are noise.
fn read_reply(process: &mut Process, deadline: Deadline<'_>) -> Result<Reply, ClientError> {
    let first = loop {
        let line = process.next(deadline)?;
        if line.text.starts_with(['=', '?']) {
            break line;
        }
    };
    let mut text = without_id(&first.text[1..]).trim().to_owned();
    loop {
        let line = process.next(deadline)?;
        if line.text.trim().is_empty() {
            break;
        }
        text.push('\n');
        text.push_str(&line.text);
    }
    let text = if first.text.starts_with('=') { Ok(text) } else { Err(text) };
    Ok(Reply { text, first })
}

/// What follows an id that is glued to the sign.
fn without_id(text: &str) -> &str {
    text.trim_start_matches(|character: char| character.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_whole_where_they_can_be() {
        let time = Duration::from_micros(1_530_999);
        assert_eq!(seconds(time, true), "1.53");
        assert_eq!(seconds(time, false), "1");
        assert_eq!(seconds(Duration::from_secs(60), true), "60");
        assert_eq!(seconds(Duration::from_micros(900), true), "0");
        assert_eq!(seconds(Duration::from_millis(1), true), "0.001");
    }

    #[test]
    fn time_settings_follow_the_use_of_runners() {
        let second = Duration::from_secs(1);
        assert_eq!(settings(TimeControl::Unlimited), None);
        let fischer = TimeControl::Fischer { main: 60 * second, increment: second };
        assert_eq!(settings(fischer), Some(([60 * second, second], 0)));
        let periods = TimeControl::ByoYomi { main: Duration::ZERO, period: 5 * second, stones: 1 };
        assert_eq!(settings(periods), Some(([Duration::ZERO, 5 * second], 1)));
    }
}
