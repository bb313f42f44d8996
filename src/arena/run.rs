//! A whole match: workers that play pairs, and the one who counts.
//!
//! Rules beyond a single game:
//!
//! - A pair counts as a whole or not at all. A pair of which a game cannot be begun, because an engine does not start,
//!   is dropped; an engine that does not start three times in a row ends the match.
//! - An engine that lost by a fault is restarted; one that plays well stays for the next pair of the same worker.
//! - At the wish to stop, and once a test is decided, running games are broken off and their pairs dropped.
//!
//! Start reading at [`run`].

use super::entry::Contestant;
use super::exact::ExactCheck;
use super::openings::Opening;
use super::play::{Seat, Stopped, Tolerance, play};
use super::record::{GameRecord, PairRecord};
use super::schedule::{Job, Schedule};
use super::tally::{Tally, Tests};
use crate::board::Color;
use crate::protocol::client::{Client, ClientError, Listener};
use crate::search::StopSignal;
use crossbeam::channel::{self, RecvTimeoutError, Sender};
use parking_lot::Mutex;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::thread;
use std::time::Duration;
use thiserror::Error;

/// Failed starts in a row of one engine that end a match.
const FAILED_STARTS: u32 = 3;
/// Time between two looks at the stop signal.
const GLANCE: Duration = Duration::from_millis(50);

/// A match that is ready to be played.
#[derive(Clone, Debug)]
pub struct Match {
    /// Who takes part, at least two, with different names.
    pub contestants: Vec<Contestant>,
    /// Where the games start from.
    pub openings: Vec<Opening>,
    /// Who meets whom.
    pub schedule: Schedule,
    /// Games at a time.
    pub concurrency: usize,
    /// What the arbiter forgives.
    pub tolerance: Tolerance,
    /// Tests that end the match.
    pub tests: Tests,
    /// How many empty squares before the end games are checked against perfect play; 0 for not at all.
    pub exact_check: u8,
}

/// Why a match cannot be played.
#[derive(Debug, Error)]
pub enum MatchError<E> {
    /// More busy threads than the machine has cores.
    #[error(
        "{concurrency} games at a time with {threads} threads each need more than the {cores} cores of this machine; \
         times would mean nothing (say so if you want it all the same)"
    )]
    Cores {
        /// Games at a time.
        concurrency: usize,
        /// Threads of the greediest engine.
        threads: usize,
        /// What there is.
        cores: usize,
    },
    /// The finished pairs are not of this match.
    #[error("pair {pair} of the finished games is not of this match: it has {found}, the match {expected}")]
    OtherMatch {
        /// The pair.
        pair: usize,
        /// Who played there, from which opening.
        found: String,
        /// Who plays here, from which opening.
        expected: String,
    },
    /// An engine does not start.
    #[error("{name} does not start")]
    Start {
        /// Which engine.
        name: String,
        /// Why not.
        #[source]
        error: ClientError,
    },
    /// The spectator cannot go on.
    #[error(transparent)]
    Spectator(E),
}

/// Someone who follows a match.
pub trait Spectator {
    /// Why it cannot go on.
    type Error;

    /// Called after each finished pair.
    ///
    /// # Errors
    /// If it cannot go on; that ends the match.
    fn finished(&mut self, pair: &PairRecord, tally: &Tally) -> Result<(), Self::Error>;

    /// Called when a pair was dropped because `engine` did not start.
    fn dropped(&mut self, engine: &str, error: &ClientError);

    /// Who hears what goes over the wire of an engine, from any thread; nobody unless overridden.
    fn line_listener(&self, _engine: &str) -> Option<Arc<dyn Listener>> {
        None
    }
}

/// How a match ended.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome {
    /// Its standing.
    pub tally: Tally,
    /// Whether it came to its end: all pairs played or dropped, or a test decided.
    pub complete: bool,
}

/// What a worker tells.
enum News {
    Finished(Box<PairRecord>),
    NoStart { engine: usize, error: ClientError },
}

impl Match {
    /// Whether the match fits the machine.
    ///
    /// # Errors
    /// If more threads would be busy than there are `cores`.
    pub fn check_cores<E>(&self, cores: usize) -> Result<(), MatchError<E>> {
        let threads = self.contestants.iter().map(|engine| engine.threads).max().unwrap_or(1);
        if self.concurrency * threads > cores {
            return Err(MatchError::Cores { concurrency: self.concurrency, threads, cores });
        }
        Ok(())
    }

    /// The pairs still to be played after those that are `done`.
    fn remaining<E>(&self, done: &[PairRecord]) -> Result<Vec<Job>, MatchError<E>> {
        let jobs: Vec<Job> = self.schedule.jobs().collect();
        for pair in done {
            let found = describe(&pair.games[0].black, &pair.games[0].white, &pair.games[0].opening);
            let job = pair.number().checked_sub(1).and_then(|index| jobs.get(index));
            let expected = job.map_or("no such pair".to_owned(), |job| {
                let [first, second] = [job.first, job.second].map(|engine| self.contestants[engine].name.as_str());
                describe(first, second, &self.openings[job.opening].text)
            });
            if found != expected {
                return Err(MatchError::OtherMatch { pair: pair.number(), found, expected });
            }
        }
        let done: HashSet<usize> = done.iter().map(|pair| pair.number() - 1).collect();
        Ok(jobs.into_iter().filter(|job| !done.contains(&job.pair)).collect())
    }
}

fn describe(first: &str, second: &str, opening: &str) -> String {
    format!("{first} v {second} from {opening}")
}

/// Plays a match after the pairs that are `done`, until its end, a decided test or `stop`.
///
/// # Errors
/// If `done` is of another match, an engine does not start, or the spectator cannot go on. What was finished has been
/// told to the spectator all the same.
pub fn run<S: Spectator>(
    of: &Match,
    done: &[PairRecord],
    stop: &StopSignal,
    spectator: &mut S,
) -> Result<Outcome, MatchError<S::Error>> {
    let mut tally = Tally::new(of.contestants.iter().map(|engine| engine.name.clone()));
    for pair in done {
        tally.add(pair);
    }
    let jobs = of.remaining(done)?;
    if tally.is_decided(of.tests) {
        return Ok(Outcome { tally, complete: true });
    }
    let listeners: Vec<_> = of.contestants.iter().map(|engine| spectator.line_listener(&engine.name)).collect();
    // Stops the workers, for whatever reason.
    let halt = StopSignal::default();
    let jobs = Mutex::new(jobs.into_iter());
    let (sender, news) = channel::bounded(of.concurrency);
    let complete = thread::scope(|scope| {
        for _ in 0..of.concurrency {
            let (sender, jobs) = (sender.clone(), &jobs);
            let mut worker = Worker::new(of, &halt, &listeners);
            scope.spawn(move || worker.work(jobs, &sender));
        }
        drop(sender);
        let mut counter = Counter { of, tally: &mut tally, failed: vec![0; of.contestants.len()] };
        let result = loop {
            if stop.is_set() {
                break Ok(false);
            }
            match news.recv_timeout(GLANCE) {
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break Ok(true),
                Ok(news) => match counter.count(news, spectator) {
                    Ok(true) => {}
                    Ok(false) => break Ok(true),
                    Err(error) => break Err(error),
                },
            }
        };
        halt.stop();
        // What was finished in this moment is kept when the match will go on another time; after a decision it must
        // not count any more.
        if matches!(result, Ok(false)) {
            for late in news.iter().filter(|late| matches!(late, News::Finished(_))) {
                counter.count(late, spectator)?;
            }
        }
        drop(news);
        result
    })?;
    Ok(Outcome { tally, complete })
}

/// The one who counts.
struct Counter<'a> {
    of: &'a Match,
    tally: &'a mut Tally,
    /// Failed starts in a row of each engine.
    failed: Vec<u32>,
}

impl Counter<'_> {
    /// Counts news and tells whether the match goes on.
    fn count<S: Spectator>(&mut self, news: News, spectator: &mut S) -> Result<bool, MatchError<S::Error>> {
        match news {
            News::Finished(pair) => {
                for name in [&pair.games[0].black, &pair.games[0].white] {
                    if let Some(index) = self.of.contestants.iter().position(|engine| engine.name == *name) {
                        self.failed[index] = 0;
                    }
                }
                self.tally.add(&pair);
                spectator.finished(&pair, self.tally).map_err(MatchError::Spectator)?;
                Ok(!self.tally.is_decided(self.of.tests))
            }
            News::NoStart { engine, error } => {
                let name = &self.of.contestants[engine].name;
                self.tally.drop_pair();
                spectator.dropped(name, &error);
                self.failed[engine] += 1;
                if self.failed[engine] < FAILED_STARTS {
                    return Ok(true);
                }
                Err(MatchError::Start { name: name.clone(), error })
            }
        }
    }
}

/// One who plays pairs, with the engines it has running.
struct Worker<'a> {
    of: &'a Match,
    halt: &'a StopSignal,
    listeners: &'a [Option<Arc<dyn Listener>>],
    running: HashMap<usize, Client>,
    exact: Option<ExactCheck>,
}

/// Why a pair was not finished.
enum Unfinished {
    NoStart { engine: usize, error: ClientError },
    Stopped,
}

impl From<Stopped> for Unfinished {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

impl<'a> Worker<'a> {
    fn new(of: &'a Match, halt: &'a StopSignal, listeners: &'a [Option<Arc<dyn Listener>>]) -> Self {
        let exact = (of.exact_check > 0).then(|| ExactCheck::new(of.exact_check));
        Self { of, halt, listeners, running: HashMap::new(), exact }
    }

    /// Plays pairs until there are none left, or nobody wants to hear of them.
    fn work(&mut self, jobs: &Mutex<impl Iterator<Item = Job>>, sender: &Sender<News>) {
        while !self.halt.is_set() {
            let Some(job) = jobs.lock().next() else { break };
            let news = match self.play_pair(job) {
                Ok(pair) => News::Finished(Box::new(pair)),
                Err(Unfinished::NoStart { engine, error }) => News::NoStart { engine, error },
                Err(Unfinished::Stopped) => break,
            };
            if sender.send(news).is_err() {
                break;
            }
        }
        for (_, client) in self.running.drain() {
            client.end();
        }
    }

    fn play_pair(&mut self, job: Job) -> Result<PairRecord, Unfinished> {
        let one = self.play_game(job, (job.first, job.second), 1)?;
        let other = self.play_game(job, (job.second, job.first), 2)?;
        Ok(PairRecord { games: [one, other] })
    }

    fn play_game(&mut self, job: Job, (black, white): (usize, usize), place: usize) -> Result<GameRecord, Unfinished> {
        let engines = [black, white];
        let mut clients = self.take_clients(engines)?;
        let opening = &self.of.openings[job.opening];
        let mut sides = clients.iter_mut();
        let seats = engines.map(|engine| Seat {
            name: &self.of.contestants[engine].name,
            client: sides.next().expect("there are as many clients as engines"),
            control: self.of.contestants[engine].control,
        });
        let numbers = (job.pair + 1, 2 * job.pair + place);
        let mut record = play(seats, (&opening.game, &opening.text), numbers, self.of.tolerance)?;
        for (client, color) in clients.into_iter().zip([Color::Black, Color::White]) {
            let at_fault = record.reason.needs_restart() && record.winner.as_deref() != Some(record.name(color));
            if !at_fault {
                self.running.insert(engines[color.index()], client);
            }
        }
        if let Some(exact) = &mut self.exact {
            record.exact_check = exact.check(opening, &record, self.halt);
        }
        Ok(record)
    }

    /// The running engines, started if need be.
    fn take_clients(&mut self, engines: [usize; 2]) -> Result<Vec<Client>, Unfinished> {
        for engine in engines {
            if !self.running.contains_key(&engine) {
                let client = self.start(engine)?;
                self.running.insert(engine, client);
            }
        }
        Ok(engines.iter().filter_map(|engine| self.running.remove(engine)).collect())
    }

    fn start(&self, engine: usize) -> Result<Client, Unfinished> {
        let command = &self.of.contestants[engine].command;
        Client::start(command, self.halt.clone(), self.listeners[engine].clone()).map_err(|error| match error {
            ClientError::Stopped => Unfinished::Stopped,
            error => Unfinished::NoStart { engine, error },
        })
    }
}
