//! Wire protocols: text comes in, becomes a typed command once, runs on the engine, and leaves as text.
//!
//! Owns how requests and replies are spelled; must not know the web, tournaments or files of games. What protocols
//! share is here: an [`Inbox`] that reads while a command runs. Start reading at [`gtp::serve`].

pub mod client;
pub mod gtp;
pub mod nboard;
pub mod resources;
pub mod results;
pub mod xboard;

use crate::search::StopSignal;
use crossbeam::channel::{self, Receiver, Sender};
use parking_lot::Mutex;
use std::io::{self, BufRead};
use std::sync::Arc;
use std::thread;

/// Lines from a client, read on a thread of their own so that a stop is heard while a command runs.
///
/// Commands are still answered in the order they came: only the wish to stop overtakes them.
#[derive(Debug)]
pub struct Inbox {
    lines: Receiver<Line>,
    stops: Arc<Mutex<Stops>>,
}

/// A line of input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// Its place in the input, from 0.
    pub number: u64,
    /// Its text without the line end; bytes that are not UTF-8 are replaced.
    pub text: String,
}

/// What reading a line means for the commands before it that are not answered yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Urgency {
    /// Nothing: the line waits for its turn.
    Waits,
    /// They come to an end as soon as they can; the line waits for its turn.
    Stops,
    /// Nothing, and no line follows: the end of the input does not stop them either.
    Last,
}

/// Which commands are to stop.
#[derive(Default, Debug)]
struct Stops {
    /// Commands with a smaller number are to stop.
    before: u64,
    /// Lines read so far.
    read: u64,
    running: Option<Running>,
}

/// The command that is being answered.
#[derive(Debug)]
struct Running {
    number: u64,
    signal: StopSignal,
    /// Whether any later line stops it, whatever it says.
    yields: bool,
}

impl Stops {
    fn stop_before(&mut self, number: u64) {
        self.before = self.before.max(number);
        self.stop_running(|running| running.number < number);
    }

    fn has_read(&mut self, number: u64) {
        self.read = number + 1;
        self.stop_running(|running| running.yields && running.number < number);
    }

    fn stop_running(&self, stops: impl Fn(&Running) -> bool) {
        if let Some(running) = self.running.as_ref().filter(|running| stops(running)) {
            running.signal.stop();
        }
    }
}

impl Inbox {
    /// Starts to read `input` on a thread of its own; `urgency` judges each line as soon as it is read. At the end of
    /// the input everything stops.
    pub fn listen(input: impl BufRead + Send + 'static, urgency: fn(&str) -> Urgency) -> Self {
        let (sender, lines) = channel::unbounded();
        let stops = Arc::new(Mutex::new(Stops::default()));
        let inbox = Self { lines, stops: Arc::clone(&stops) };
        // The thread ends with its input; a program that is done does not wait for that.
        thread::spawn(move || {
            // An input that fails has ended.
            if let Ok(End::Input) | Err(_) = read_lines(input, urgency, &sender, &stops) {
                stops.lock().stop_before(u64::MAX);
            }
        });
        inbox
    }

    /// Waits for the next line; `None` at the end of the input.
    pub fn next(&self) -> Option<Line> {
        self.lines.recv().ok()
    }

    /// Waits until there is a next line, or the input ends, and leaves the line there.
    pub fn wait(&self) {
        let mut select = channel::Select::new();
        select.recv(&self.lines);
        select.ready();
    }

    /// The signal that a later line or the end of the input sets to stop the command of `line`. It replaces the signal
    /// of the command before.
    pub fn begin(&self, line: &Line) -> StopSignal {
        self.run(line, false)
    }

    /// The same for a command that goes on until any further line arrives.
    pub fn begin_until_next(&self, line: &Line) -> StopSignal {
        self.run(line, true)
    }

    fn run(&self, line: &Line, yields: bool) -> StopSignal {
        let signal = StopSignal::default();
        let mut stops = self.stops.lock();
        if line.number < stops.before || yields && line.number + 1 < stops.read {
            signal.stop();
        }
        stops.running = Some(Running { number: line.number, signal: signal.clone(), yields });
        signal
    }
}

/// Why there are no more lines.
enum End {
    Input,
    LastLine,
    Receiver,
}

fn read_lines(
    mut input: impl BufRead,
    urgency: fn(&str) -> Urgency,
    lines: &Sender<Line>,
    stops: &Mutex<Stops>,
) -> io::Result<End> {
    let mut bytes = Vec::new();
    for number in 0.. {
        bytes.clear();
        if input.read_until(b'\n', &mut bytes)? == 0 {
            return Ok(End::Input);
        }
        let text = String::from_utf8_lossy(&bytes).trim_end_matches(['\n', '\r']).to_owned();
        let urgency = urgency(&text);
        let mut heard = stops.lock();
        heard.has_read(number);
        if urgency == Urgency::Stops {
            heard.stop_before(number);
        }
        drop(heard);
        if lines.send(Line { number, text }).is_err() {
            return Ok(End::Receiver);
        }
        if urgency == Urgency::Last {
            return Ok(End::LastLine);
        }
    }
    Ok(End::Input)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(line: &str) -> Urgency {
        match line {
            "stop" => Urgency::Stops,
            "quit" => Urgency::Last,
            _ => Urgency::Waits,
        }
    }

    /// All lines of `input` and whether each was told to stop, when everything has been read before the first begins.
    fn backlog(input: &'static str) -> Vec<(String, bool)> {
        let inbox = Inbox::listen(input.as_bytes(), judge);
        let mut lines = Vec::new();
        while let Some(line) = inbox.next() {
            lines.push(line);
        }
        lines.into_iter().map(|line| (line.text.clone(), inbox.begin(&line).is_set())).collect()
    }

    #[test]
    fn a_stop_reaches_what_came_before_it_even_if_not_begun() {
        let lines = backlog("go\nstop\ngo again\nquit\n");
        let expected = [("go", true), ("stop", false), ("go again", false), ("quit", false)];
        assert_eq!(lines, expected.map(|(text, stopped)| (text.to_owned(), stopped)));
    }

    #[test]
    fn the_end_of_the_input_stops_everything_and_a_last_line_does_not() {
        assert!(backlog("go\nmore\n").iter().all(|(_, stopped)| *stopped));
        assert!(backlog("go\nquit\nnever read\n").iter().all(|(text, stopped)| text != "never read" && !stopped));
    }

    #[test]
    fn a_running_command_hears_the_stop() {
        let (reader, mut writer) = io::pipe().unwrap();
        let inbox = Inbox::listen(io::BufReader::new(reader), judge);
        io::Write::write_all(&mut writer, b"go\n").unwrap();
        let signal = inbox.begin(&inbox.next().unwrap());
        assert!(!signal.is_set());
        io::Write::write_all(&mut writer, b"stop\n").unwrap();
        assert_eq!(inbox.next().unwrap().text, "stop");
        assert!(signal.is_set());
    }

    #[test]
    fn any_line_stops_what_goes_on_until_then() {
        let (reader, mut writer) = io::pipe().unwrap();
        let inbox = Inbox::listen(io::BufReader::new(reader), judge);
        io::Write::write_all(&mut writer, b"analyze\n").unwrap();
        let line = inbox.next().unwrap();
        let (patient, yielding) = (inbox.begin(&line), inbox.begin_until_next(&line));
        assert!(!yielding.is_set());
        io::Write::write_all(&mut writer, b"\n").unwrap();
        inbox.wait();
        assert!(yielding.is_set() && !patient.is_set());
        // Also if it has been read before the beginning.
        assert!(inbox.begin_until_next(&line).is_set());
        assert!(!inbox.begin_until_next(&inbox.next().unwrap()).is_set());
        drop(writer);
        inbox.wait();
        assert_eq!(inbox.next(), None);
    }

    #[test]
    fn line_ends_and_odd_bytes_do_no_harm() {
        let inbox = Inbox::listen(&b"one\r\n\xff\xfe two\nthree"[..], judge);
        assert_eq!(inbox.next().unwrap(), Line { number: 0, text: "one".to_owned() });
        assert!(inbox.next().unwrap().text.ends_with(" two"));
        assert_eq!(inbox.next().unwrap().text, "three");
        assert_eq!(inbox.next(), None);
    }
}
