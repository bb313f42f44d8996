//! The other end of a protocol: a running `volte` whose lines are read as they come.

#![allow(dead_code, reason = "each test uses a part of this")]

pub(crate) mod nboard;

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// Nothing that is waited for takes this long, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running engine.
pub(crate) struct Peer {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Peer {
    /// `volte` with these arguments, on one thread and a small table.
    pub(crate) fn start(arguments: &[&str]) -> Self {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("volte"));
        command.args(arguments).args(["--threads", "1", "--hash", "1"]);
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("volte starts");
        let output = BufReader::new(child.stdout.take().expect("the output is piped"));
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let input = child.stdin.take();
        Self { child, input, lines }
    }

    /// Sends a line, or several.
    pub(crate) fn send(&mut self, text: &str) {
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(format!("{text}\n").as_bytes()).expect("the engine reads");
    }

    /// The next line.
    pub(crate) fn next(&self) -> String {
        match self.lines.recv_timeout(PATIENCE) {
            Ok(line) => line,
            Err(RecvTimeoutError::Timeout) => panic!("nothing is said for {PATIENCE:?}"),
            Err(RecvTimeoutError::Disconnected) => panic!("the engine has ended"),
        }
    }

    /// The lines up to the first one for which `last` holds, that one included.
    pub(crate) fn until(&self, last: impl Fn(&str) -> bool) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            lines.push(self.next());
            if lines.last().is_some_and(|line| last(line)) {
                return lines;
            }
        }
    }

    /// Sends a line and gives the lines up to one that begins with `last`.
    pub(crate) fn ask(&mut self, text: &str, last: &str) -> Vec<String> {
        self.send(text);
        self.until(|line| line.starts_with(last))
    }

    /// Resident memory in kB, where the system tells it.
    pub(crate) fn resident_kilobytes(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
        line.trim().strip_suffix("kB")?.trim().parse().ok()
    }

    /// Closes the input, waits for a clean and silent end, and gives what is still said.
    pub(crate) fn end(mut self) -> Vec<String> {
        drop(self.input.take());
        let deadline = Instant::now() + PATIENCE;
        let mut rest = Vec::new();
        let status = loop {
            if let Some(status) = self.child.try_wait().expect("the engine can be waited for") {
                break status;
            }
            assert!(Instant::now() < deadline, "the engine does not end");
            rest.extend(self.lines.recv_timeout(Duration::from_millis(5)));
        };
        assert!(status.success(), "{status}");
        rest.extend(self.lines.iter());
        let mut complaints = String::new();
        let mut errors = self.child.stderr.take().expect("the errors are piped");
        errors.read_to_string(&mut complaints).expect("the errors can be read");
        assert_eq!(complaints, "");
        rest
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        // Only after a failed test it still runs.
        let _ = self.child.kill();
    }
}
