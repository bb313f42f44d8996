//! An engine as a process: lines in, lines out, and a certain end.
//!
//! Owns the process and the threads that read it; must not know what the lines mean. Start reading at [`Process`].

use super::{ClientError, Heard, Listener};
use crate::clock::{Clock, WallClock};
use crate::search::StopSignal;
use crossbeam::channel::{self, Receiver, RecvTimeoutError, Sender};
use parking_lot::Mutex;
use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Longest line that is kept; the rest of a longer one is dropped.
const LONGEST_LINE: usize = 1 << 16;
/// Lines that wait to be read before the engine has to wait too.
const LINES_WAITING: usize = 256;
/// Last lines of stderr that are kept to explain a crash.
const STDERR_LINES: usize = 8;
/// Time between two looks at the stop signal and at an engine that is asked to end.
const GLANCE: Duration = Duration::from_millis(20);
/// How long an engine may take for what needs no thinking; it may have large files to load when it starts.
const PATIENCE: Duration = Duration::from_secs(60);
/// How long an engine may take to end by itself.
const FAREWELL: Duration = Duration::from_millis(500);

/// A line of output and when it was read, on the clock of its [`Process`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Line {
    pub text: String,
    pub at: Duration,
}

/// A running engine. It is killed, with all processes it started, when this is dropped.
pub(super) struct Process {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<Line>,
    clock: WallClock,
    complaints: Arc<Mutex<VecDeque<String>>>,
    /// Reads the complaints until there can be no more.
    errors: Option<JoinHandle<()>>,
    stop: StopSignal,
    listener: Option<Arc<dyn Listener>>,
}

/// What a request is answered within.
#[derive(Clone, Copy, Debug)]
pub(super) struct Deadline<'a> {
    /// The moment on the clock of the [`Process`]; `None` to wait as long as it takes.
    pub at: Option<Duration>,
    /// What was asked, for the error.
    pub request: &'a str,
}

impl Process {
    /// Starts `words` (a program and its arguments) in `directory`.
    pub(super) fn start(
        words: &[String],
        directory: Option<&PathBuf>,
        stop: StopSignal,
        listener: Option<Arc<dyn Listener>>,
    ) -> Result<Self, ClientError> {
        let [program, arguments @ ..] = words else { return Err(ClientError::NoCommand) };
        let failed = |error: io::Error| ClientError::Start { program: program.clone(), reason: error.to_string() };
        let mut command = Command::new(program_path(program, directory).map_err(failed)?);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(directory) = directory {
            command.current_dir(directory);
        }
        own_group(&mut command);
        let mut child = command.spawn().map_err(failed)?;
        let clock = WallClock::default();
        let (sender, lines) = channel::bounded(LINES_WAITING);
        if let Some(output) = child.stdout.take() {
            // Both threads end with the engine's output; nobody waits for them.
            thread::spawn(move || read_output(output, clock, &sender));
        }
        let complaints = Arc::new(Mutex::new(VecDeque::new()));
        let errors = child.stderr.take().map(|errors| {
            let complaints = Arc::clone(&complaints);
            thread::spawn(move || drain_errors(errors, &complaints))
        });
        let input = child.stdin.take();
        Ok(Self { child, input, lines, clock, complaints, errors, stop, listener })
    }

    /// Sends a line; the moment it is gone is returned.
    pub(super) fn send(&mut self, line: &str) -> Result<Duration, ClientError> {
        self.hear(Heard::Sent, line);
        let sent = match &mut self.input {
            Some(input) => input.write_all(format!("{line}\n").as_bytes()).and_then(|()| input.flush()),
            None => Err(io::ErrorKind::BrokenPipe.into()),
        };
        match sent {
            Ok(()) => Ok(self.clock.now()),
            Err(_) => Err(self.died(line)),
        }
    }

    /// The deadline of something that needs no thinking.
    pub(super) fn soon<'a>(&self, request: &'a str) -> Deadline<'a> {
        Deadline { at: Some(self.clock.now() + PATIENCE), request }
    }

    /// Waits for the next line of output.
    pub(super) fn next(&mut self, deadline: Deadline<'_>) -> Result<Line, ClientError> {
        loop {
            if self.stop.is_set() {
                return Err(ClientError::Stopped);
            }
            let now = self.clock.now();
            let left = deadline.at.map_or(GLANCE, |at| at.saturating_sub(now));
            match self.lines.recv_timeout(left.min(GLANCE)) {
                Ok(line) => {
                    self.hear(Heard::Received, &line.text);
                    // An engine that talks without end is late too.
                    if deadline.at.is_some_and(|at| line.at > at) {
                        return Err(ClientError::Silent { request: deadline.request.to_owned() });
                    }
                    return Ok(line);
                }
                Err(RecvTimeoutError::Disconnected) => return Err(self.died(deadline.request)),
                Err(RecvTimeoutError::Timeout) if deadline.at.is_some_and(|at| self.clock.now() >= at) => {
                    return Err(ClientError::Silent { request: deadline.request.to_owned() });
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Forgets what the engine has said unasked so far.
    pub(super) fn skip(&mut self) {
        while let Ok(line) = self.lines.try_recv() {
            self.hear(Heard::Received, &line.text);
        }
    }

    /// Says goodbye with `farewell` and the end of the input, and kills the engine if that does not help soon.
    pub(super) fn end(mut self, farewell: &str) {
        // An engine that no longer listens is killed all the same.
        let _ = self.send(farewell);
        self.input = None;
        let patience = self.clock.now() + FAREWELL;
        while self.clock.now() < patience && !matches!(self.child.try_wait(), Ok(Some(_))) {
            // What it still says must not keep it from ending.
            let _ = self.lines.recv_timeout(GLANCE / 4);
        }
    }

    fn died(&mut self, request: &str) -> ClientError {
        // Its output closes a moment before it can be waited for and before the last of its complaints is read.
        let patience = self.clock.now() + FAREWELL;
        let status = loop {
            let status = self.child.try_wait().ok().flatten();
            let heard = self.errors.as_ref().is_none_or(JoinHandle::is_finished);
            if (status.is_some() && heard) || self.clock.now() >= patience {
                break status;
            }
            thread::sleep(GLANCE / 4);
        };
        let status = status.map_or_else(|| "closed its output".to_owned(), |status| status.to_string());
        let complaints: Vec<String> = self.complaints.lock().iter().cloned().collect();
        ClientError::Died { request: request.to_owned(), status, complaints: complaints.join(" | ") }
    }

    fn hear(&self, heard: Heard, line: &str) {
        if let Some(listener) = &self.listener {
            listener.line(heard, line);
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        kill(&mut self.child);
        let _ = self.child.wait();
    }
}

/// Where the program is: a name alone is searched for as the system does, a path is relative to the working folder of
/// the engine if it is there, else to ours.
fn program_path(program: &str, directory: Option<&PathBuf>) -> io::Result<PathBuf> {
    let path = PathBuf::from(program);
    if path.is_absolute() || path.components().count() < 2 {
        return Ok(path);
    }
    let inside = directory.map(|directory| directory.join(&path)).filter(|path| path.exists());
    std::path::absolute(inside.unwrap_or(path))
}

/// A process group of its own: Ctrl-C at our terminal does not reach the engine, and what it starts dies with it.
#[cfg(unix)]
fn own_group(command: &mut Command) {
    std::os::unix::process::CommandExt::process_group(command, 0);
}

#[cfg(not(unix))]
fn own_group(_: &mut Command) {}

#[cfg(unix)]
fn kill(child: &mut Child) {
    // The leader may be gone while what it started lives on, so the group is killed in any case. Its number is not
    // given to others before we have waited for the leader.
    let group = rustix::process::Pid::from_child(child);
    let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
}

#[cfg(not(unix))]
fn kill(child: &mut Child) {
    let _ = child.kill();
}

/// Reads lines until the engine closes its output or nobody listens.
fn read_output(output: impl Read, clock: WallClock, lines: &Sender<Line>) {
    let mut output = BufReader::new(output);
    while let Ok(Some(text)) = read_line(&mut output) {
        if lines.send(Line { text, at: clock.now() }).is_err() {
            return;
        }
    }
}

fn drain_errors(errors: impl Read, complaints: &Mutex<VecDeque<String>>) {
    let mut errors = BufReader::new(errors);
    while let Ok(Some(mut text)) = read_line(&mut errors) {
        const LONGEST_COMPLAINT: usize = 300;
        if let Some((end, _)) = text.char_indices().nth(LONGEST_COMPLAINT) {
            text.truncate(end);
        }
        let mut complaints = complaints.lock();
        if complaints.len() == STDERR_LINES {
            complaints.pop_front();
        }
        complaints.push_back(text);
    }
}

/// A line without its end, cut at [`LONGEST_LINE`] bytes; bytes that are not UTF-8 are replaced. `None` at the end.
fn read_line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    let mut any = false;
    loop {
        let chunk = match input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            chunk => chunk?,
        };
        if chunk.is_empty() {
            break;
        }
        any = true;
        let end = chunk.iter().position(|&byte| byte == b'\n');
        let part = &chunk[..end.unwrap_or(chunk.len())];
        bytes.extend_from_slice(&part[..part.len().min(LONGEST_LINE - bytes.len())]);
        let used = end.map_or(chunk.len(), |end| end + 1);
        input.consume(used);
        if end.is_some() {
            break;
        }
    }
    let text = String::from_utf8_lossy(&bytes);
    Ok(any.then(|| text.trim_end_matches('\r').to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_as_they_like_and_long_ones_are_cut() {
        let mut text = b"one\r\ntwo\n\n".to_vec();
        text.extend(std::iter::repeat_n(b'x', 3 * LONGEST_LINE));
        text.extend(b"\nlast \xff");
        let mut input = BufReader::with_capacity(100, &text[..]);
        let mut next = || read_line(&mut input).expect("memory can be read");
        assert_eq!(next().as_deref(), Some("one"));
        assert_eq!(next().as_deref(), Some("two"));
        assert_eq!(next().as_deref(), Some(""));
        assert_eq!(next().map(|line| line.len()), Some(LONGEST_LINE));
        assert_eq!(next().as_deref(), Some("last \u{fffd}"));
        assert_eq!(next(), None);
    }
}
