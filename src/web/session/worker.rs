//! The thread of a session on which its engine works, away from everything that answers requests.
//!
//! Owns the engine; must not know the game on the board or who asks. One job runs at a time; each has its own signal to
//! stop, and its findings bear its ticket, so that those of a job nobody waits for any more are recognised.

use crate::board::{Color, Move};
use crate::clock::{GameClock, WallClock};
use crate::engine::{Assessment, Audience, BookUse, Choice, Effort, Engine, Options};
use crate::game::Game;
use crate::score::{Draft, Score, Selectivity};
use crate::search::{Control, Level, Limits, Line, Observer, Report, StopSignal};
use crate::web::common::Common;
use crate::web::message::event::{Candidate, ReviewPoint, Sign};
use crossbeam::channel::{self, Receiver, Sender};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

/// A client hears of a search at most this often, but of its result always.
const REPORT_EVERY: Duration = Duration::from_millis(60);

/// Up to this level an engine finds its openings by itself.
const LAST_WITHOUT_BOOK: u8 = 10;
/// What the moves of the book may cost in a game.
const BOOK_RANDOMNESS: Score = Score::from_discs(1);

/// Something for the engine to do.
pub(super) struct Job {
    pub(super) ticket: u64,
    pub(super) stop: StopSignal,
    pub(super) game: Game,
    pub(super) work: Work,
}

/// What to do with the game of a job.
#[derive(Clone, Copy)]
pub(super) enum Work {
    /// Choose a move for the side to move, and take at least the time of the pace for it.
    Choose { level: Option<Level>, clock: GameClock, pace: Duration },
    /// Value the best moves.
    Best { lines: usize, level: Level },
    /// Value the best moves, deeper and deeper.
    Analyze { lines: usize },
    /// Value every turn of the game.
    Review { level: Level },
    /// Search the position for what the table will know of it then, and tell nobody.
    Ponder,
}

/// What the engine has found.
pub(super) enum Found {
    /// The best moves so far.
    Progress { lines: Vec<Candidate>, nodes: u64, ms: u64 },
    /// The value of a position of the game.
    Point(ReviewPoint),
    /// The move that was chosen: the end of the job.
    Chosen(Move),
    /// The end of the job, with the value of the best move for the side to move.
    Finished { value: Option<f64> },
    /// The engine has failed: the end of the job.
    Failed,
}

/// Who hears of what is found for which ticket.
pub(super) type Listener = Arc<dyn Fn(u64, Found) + Send + Sync>;

/// A thread with an engine. It ends when this is dropped and its job is done.
pub(super) struct Worker {
    jobs: Sender<Job>,
}

impl Worker {
    /// Starts the thread; the engine is made with the first job.
    pub(super) fn start(common: Arc<Common>, listener: Listener) -> Self {
        let (jobs, queue) = channel::unbounded();
        let builder = thread::Builder::new().name("volte-session".to_owned());
        builder.spawn(move || run(&queue, &common, &listener)).expect("the system has threads");
        Self { jobs }
    }

    /// Hands over a job. It begins when the job before it is done.
    pub(super) fn give(&self, job: Job) {
        // The thread lives as long as this sender.
        let _ = self.jobs.send(job);
    }
}

fn run(queue: &Receiver<Job>, common: &Common, listener: &Listener) {
    let mut engine = None;
    while let Ok(job) = queue.recv() {
        let ticket = job.ticket;
        // A fault in a search costs its engine, not the session.
        let outcome =
            catch_unwind(AssertUnwindSafe(|| work(engine.get_or_insert_with(|| player(common)), job, listener)));
        let last = outcome.unwrap_or_else(|_| {
            engine = None;
            Found::Failed
        });
        listener(ticket, last);
    }
}

/// An engine for a session.
fn player(common: &Common) -> Engine {
    let options = Options { level: None, depth: None, nodes: None, resources: common.resources, ponder: false };
    let mut engine = Engine::with_evaluation(options, Arc::clone(&common.evaluation), Arc::new(WallClock::default()));
    engine.set_book(common.book.clone());
    engine.seed_book(Xoshiro256PlusPlus::seed_from_u64(rand::random()));
    engine
}

/// How a level uses the book. Low levels do without, because for a beginner it is worth many levels; the others choose
/// among good moves, so that games differ.
fn book_use(level: Option<Level>) -> BookUse {
    let on = level.is_none_or(|level| level.number() > LAST_WITHOUT_BOOK);
    BookUse { on, randomness: BOOK_RANDOMNESS.into(), plies: None }
}

fn work(engine: &mut Engine, job: Job, listener: &Listener) -> Found {
    let Job { ticket, stop, game, work } = job;
    let side = game.side();
    let mut reporter = Reporter { ticket, listener, last: None };
    match work {
        Work::Choose { level, clock, pace } => {
            let started = Instant::now();
            engine.set_game(game);
            engine.set_options(Options { level, ..engine.options() });
            engine.set_book_use(book_use(level));
            engine.tell_clock(side, clock);
            let choice = engine.choose(side, Audience { stop: &stop, observer: &mut reporter });
            let Choice { mv, line, nodes, .. } = choice.expect("a job is for the side to move");
            if let Some(line) = line {
                reporter.tell(&[line], nodes, None);
            }
            while started.elapsed() < pace && !stop.is_set() {
                thread::sleep(Duration::from_millis(10));
            }
            Found::Chosen(mv)
        }
        Work::Best { lines, level } => {
            let draft = level.draft(empties(&game));
            engine.set_game(game);
            search(engine, &Limits { lines, ..Limits::draft(draft) }, &stop, &mut reporter)
        }
        Work::Analyze { lines } => {
            let draft = Draft::new(empties(&game), Selectivity::FULL);
            engine.set_game(game);
            search(engine, &Limits { lines, ..Limits::draft(draft) }, &stop, &mut reporter)
        }
        Work::Ponder => {
            let draft = Draft::new(empties(&game), Selectivity::FULL);
            engine.set_game(game);
            engine.search(&Limits::draft(draft), Audience { stop: &stop, observer: &mut () });
            Found::Finished { value: None }
        }
        Work::Review { level } => review(engine, &game, level, (&stop, &reporter)),
    }
}

fn search(engine: &mut Engine, limits: &Limits, stop: &StopSignal, reporter: &mut Reporter<'_>) -> Found {
    let outcome = engine.search(limits, Audience { stop, observer: reporter });
    if !outcome.lines.is_empty() {
        reporter.tell(&outcome.lines, outcome.nodes, Some(outcome.elapsed));
    }
    Found::Finished { value: outcome.lines.first().map(|line| f64::from(line.value.discs())) }
}

/// Values the turns of a game.
fn review(engine: &mut Engine, game: &Game, level: Level, (stop, reporter): (&StopSignal, &Reporter<'_>)) -> Found {
    let audience = Audience { stop, observer: &mut () };
    engine.review(game, Effort::Level(level), audience, |assessment| {
        (reporter.listener)(reporter.ticket, Found::Point(point(assessment)));
        Control::Continue
    });
    Found::Finished { value: None }
}

/// An assessment as clients see it.
fn point(assessment: &Assessment) -> ReviewPoint {
    let Assessment { ply, turn, played, best, .. } = assessment;
    let loss = rounded(f64::from(assessment.loss().discs()));
    let for_black = |line: &Line| {
        let discs = f64::from(line.value.discs());
        rounded(if turn.color == Color::Black { discs } else { -discs })
    };
    ReviewPoint {
        ply: *ply,
        mv: turn.mv.to_string(),
        score: for_black(played),
        best: best.mv.to_string(),
        best_score: for_black(best),
        loss,
        exact: played.solved && best.solved,
        sign: sign(loss),
    }
}

/// What players write behind a move that gives this many discs away.
fn sign(loss: f64) -> Option<Sign> {
    const SIGNS: [(f64, Sign); 3] = [(8.0, Sign::Blunder), (4.0, Sign::Mistake), (2.0, Sign::Dubious)];
    SIGNS.into_iter().find(|&(least, _)| loss >= least).map(|(_, sign)| sign)
}

/// Tells of the iterations of a search, not too often.
struct Reporter<'a> {
    ticket: u64,
    listener: &'a Listener,
    last: Option<Instant>,
}

impl Reporter<'_> {
    fn tell(&self, lines: &[Line], nodes: u64, elapsed: Option<Duration>) {
        let ms = elapsed.map_or(0, |elapsed| u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX));
        let lines = lines.iter().map(candidate).collect();
        (self.listener)(self.ticket, Found::Progress { lines, nodes, ms });
    }
}

impl Observer for Reporter<'_> {
    fn iteration(&mut self, report: &Report<'_>) -> Control {
        if self.last.is_none_or(|last| last.elapsed() >= REPORT_EVERY) {
            self.last = Some(Instant::now());
            self.tell(report.lines, report.nodes, Some(report.elapsed));
        }
        Control::Continue
    }
}

/// A line of the search as clients see it.
fn candidate(line: &Line) -> Candidate {
    Candidate {
        mv: line.mv.to_string(),
        score: rounded(f64::from(line.value.discs())),
        exact: line.solved,
        depth: line.draft.depth,
        selectivity: line.draft.selectivity.percent(),
        pv: line.pv.iter().map(ToString::to_string).collect(),
    }
}

/// Hundredths of a disc are all that anybody wants to read.
fn rounded(discs: f64) -> f64 {
    // Adding 0 turns a negative zero into a positive one.
    (discs * 100.0).round() / 100.0 + 0.0
}

fn empties(game: &Game) -> u8 {
    u8::try_from(game.position().empty_count()).expect("a board has fewer squares than a byte has values")
}
