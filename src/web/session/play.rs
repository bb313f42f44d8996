//! The state of a session: the game on the board, who plays it, and what follows from each change of it.
//!
//! Owns the order of things: a change stops what the engine does, then forced passes happen, then the end is noticed,
//! then the engine is set to work again. Must not know requests. Start reading at [`Play::settle`].

use super::clocks::Clocks;
use super::lines::Lines;
use super::record;
use super::worker::{Job, Listener, Work, Worker};
use crate::board::{Color, Move, Setup};
use crate::clock::{GameClock, TimeControl};
use crate::game::{Game, transcript};
use crate::search::{Level, StopSignal};
use crate::web::common::{Common, Packet, packet};
use crate::web::message::event::{Ending, Event, Notice, Purpose, RefusalCode, ResultView, Review};
use crate::web::message::intent::Start;
use crate::web::message::{Both, ClockSettings, Player, Side};
use crate::web::rating;
use crate::web::refused::Refused;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::broadcast;

/// Everything of a session that changes.
pub(super) struct Play {
    pub(super) common: Arc<Common>,
    pub(super) events: broadcast::Sender<Packet>,
    pub(super) lines: Lines,
    pub(super) players: Both<Player>,
    pub(super) clocks: Clocks,
    /// Whether turns follow each other by themselves; not while somebody looks at earlier positions.
    pub(super) running: bool,
    /// An end that the board does not show.
    pub(super) ended: Option<ResultView>,
    /// Best moves to value on and on; 0 for none.
    pub(super) analysis: usize,
    /// What the analysis has gone through to its end.
    pub(super) analysed: Option<(Setup, usize)>,
    pub(super) review: Option<Review>,
    /// Time that a move of an engine takes at least.
    pub(super) pace: Duration,
    /// Whether engines without a level think in the time of a person.
    pub(super) ponder: bool,
    pub(super) revision: u64,
    /// Whether the game counts, as far as it has gone.
    pub(super) rated: bool,
    /// What was kept of the game, so that it is not kept twice.
    pub(super) kept: Option<KeptAs>,
    /// The name of the session.
    pub(super) name: String,
    /// The snapshot that was written last.
    pub(super) saved: Option<String>,
    task: Option<Task>,
    /// The review that goes on beside everything else, by an engine of its own.
    reviewing: Option<Task>,
    ticket: u64,
    worker: Option<Worker>,
    reviewer: Option<Worker>,
    listener: Listener,
}

/// A game as it stands among the kept ones.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub(super) struct KeptAs {
    /// Its number.
    pub(super) game: i64,
    pub(super) transcript: String,
    pub(super) result: Option<ResultView>,
}

/// What the engine is busy with.
pub(super) struct Task {
    pub(super) ticket: u64,
    pub(super) purpose: Purpose,
    stop: StopSignal,
}

impl Play {
    /// Two persons before the usual start, in the session of this name.
    pub(super) fn new(
        name: String,
        common: Arc<Common>,
        events: broadcast::Sender<Packet>,
        listener: Listener,
    ) -> Self {
        Self {
            name,
            saved: None,
            common,
            events,
            lines: Lines::new(&Game::new()),
            players: Both { black: Player::Human, white: Player::Human },
            clocks: Clocks::new(None),
            running: true,
            ended: None,
            analysis: 0,
            analysed: None,
            review: None,
            pace: Duration::ZERO,
            ponder: false,
            revision: 0,
            rated: false,
            kept: None,
            task: None,
            reviewing: None,
            ticket: 0,
            worker: None,
            reviewer: None,
            listener,
        }
    }

    /// Puts a game on the board. One in progress that it replaces is kept.
    pub(super) fn put(&mut self, game: &Game, players: Both<Player>, clock: Option<ClockSettings>) {
        self.halt();
        self.end_review();
        self.set_aside();
        self.lines = Lines::new(game);
        self.players = players;
        self.clocks = Clocks::new(clock);
        self.ended = None;
        self.review = None;
        self.kept = None;
        self.rated = false;
        self.running = true;
    }

    /// Says whether a game that starts now counts: one person at the usual start against a level.
    pub(super) fn rate(&mut self, start: &Start) {
        self.rated = *start == Start::Standard && self.opponent_level().is_some();
    }

    /// The level that plays against the one person, if that alone says how hard it tries.
    fn opponent_level(&self) -> Option<Level> {
        let human = record::only_human(&self.players)?;
        match self.players.of(!human) {
            Player::Engine { level: Some(level), move_ms: None } => Level::new(*level),
            _ => None,
        }
    }

    /// Tells every client.
    pub(super) fn tell(&self, event: &Event) {
        // Nobody may be there to hear it.
        let _ = self.events.send(packet(event));
    }

    /// How the game ended, as it stands on the board.
    pub(super) fn result(&self) -> Option<ResultView> {
        self.ended.or_else(|| record::played_out(self.lines.game()))
    }

    /// How the game ended, wherever in its line the board stands.
    pub(super) fn result_of_line(&self) -> Option<ResultView> {
        self.ended.or_else(|| record::played_out(&record::whole(self.lines.game())))
    }

    pub(super) fn is_over(&self) -> bool {
        self.ended.is_some() && self.lines.is_at_end() || self.lines.game().is_over()
    }

    /// What the engine is busy with; what it does in the time of a person stands in nobody's way.
    pub(super) fn busy(&self) -> Option<Purpose> {
        self.task.as_ref().map(|task| task.purpose).filter(|&purpose| purpose != Purpose::Ponder)
    }

    pub(super) fn is_engine(&self, color: Color) -> bool {
        matches!(self.players.of(color), Player::Engine { .. })
    }

    /// Whether undo and redo come to rest at a turn of this side: a person's, or any if only engines play.
    pub(super) fn rests_at(&self, color: Color) -> bool {
        !self.is_engine(color) || self.is_engine(!color)
    }

    /// Ends what the engine does; nobody waits for it any more.
    pub(super) fn halt(&mut self) {
        if let Some(task) = self.task.take() {
            task.stop.stop();
        }
    }

    /// Ends what the engine does with the best it has.
    pub(super) fn hurry(&self) -> bool {
        let choosing = self.task.as_ref().filter(|task| task.purpose == Purpose::Move);
        choosing.inspect(|task| task.stop.stop()).is_some()
    }

    /// The running task, if it has this ticket, which ends it.
    pub(super) fn take_task(&mut self, ticket: u64) -> Option<Purpose> {
        let taken = self.task.take_if(|task| task.ticket == ticket);
        taken.or_else(|| self.reviewing.take_if(|task| task.ticket == ticket)).map(|task| task.purpose)
    }

    /// What the running task is for, if it has this ticket.
    pub(super) fn purpose(&self, ticket: u64) -> Option<Purpose> {
        let mut tasks = self.task.iter().chain(&self.reviewing);
        tasks.find(|task| task.ticket == ticket).map(|task| task.purpose)
    }

    /// Ends a review; what it has found stays.
    pub(super) fn end_review(&mut self) {
        let Some(task) = self.reviewing.take() else { return };
        task.stop.stop();
        if let Some(review) = &mut self.review {
            review.running = false;
            let review = review.clone();
            self.tell(&Event::Review(review));
        }
    }

    /// Sets the other engine to review a game.
    pub(super) fn begin_review(&mut self, game: Game, level: Level) {
        self.end_review();
        self.ticket += 1;
        let (ticket, stop) = (self.ticket, StopSignal::default());
        self.reviewing = Some(Task { ticket, purpose: Purpose::Review, stop: stop.clone() });
        let (common, listener) = (&self.common, &self.listener);
        let worker = self.reviewer.get_or_insert_with(|| Worker::start(Arc::clone(common), Arc::clone(listener)));
        worker.give(Job { ticket, stop, game, work: Work::Review { level } });
    }

    /// Tells every client of something that went wrong.
    pub(super) fn tell_error(&self, refused: Refused) {
        self.tell(&Event::Error(refused.told(None)));
    }

    /// Sets the engine to work, whatever it has been doing.
    pub(super) fn begin(&mut self, purpose: Purpose, game: Game, work: Work) {
        self.halt();
        self.ticket += 1;
        let (ticket, stop) = (self.ticket, StopSignal::default());
        self.task = Some(Task { ticket, purpose, stop: stop.clone() });
        let (common, listener) = (&self.common, &self.listener);
        let worker = self.worker.get_or_insert_with(|| Worker::start(Arc::clone(common), Arc::clone(listener)));
        worker.give(Job { ticket, stop, game, work });
    }

    /// Plays a move of the side to move.
    pub(super) fn make(&mut self, mv: Move) -> Result<(), Refused> {
        let side = self.lines.game().side();
        self.lines.play(mv)?;
        self.clocks.moved(side);
        self.reopen();
        self.running = true;
        Ok(())
    }

    /// Takes back an end that the board does not show. A game that was lost on time goes on without clocks: with them it
    /// would be lost again at once.
    pub(super) fn reopen(&mut self) {
        if self.ended.take().is_some_and(|result| result.ending == Ending::Timeout) {
            self.clocks = Clocks::new(None);
        }
    }

    /// Ends the game with a result that the board does not show.
    pub(super) fn end(&mut self, result: ResultView) {
        self.halt();
        self.ended = Some(result);
        self.running = false;
    }

    /// Lets everything happen that follows from the last change, and tells how things stand.
    pub(super) fn settle(&mut self) {
        self.pass();
        if self.is_over() {
            self.running = false;
            self.keep_result();
        }
        let side = self.lines.game().side();
        // The clocks of a game that has ended stand, also while somebody looks at its earlier turns.
        self.clocks.run((self.running && self.ended.is_none()).then_some(side));
        if self.running && self.is_engine(side) {
            if self.busy() != Some(Purpose::Move) {
                self.choose(side);
            }
        } else if self.analysis > 0 && self.task.is_none() && !self.is_over() {
            self.analyze();
        } else if self.ponders(side) && self.task.is_none() {
            self.begin(Purpose::Ponder, self.lines.game().clone(), Work::Ponder);
        }
        self.revision += 1;
        // Nobody hears of a turn before it is kept.
        self.save();
        self.tell(&Event::State(Box::new(super::view::state(self))));
    }

    /// Passes that are forced, if they happen by themselves.
    fn pass(&mut self) {
        while self.running && !self.is_over() && self.lines.game().position().must_pass() {
            let side = self.lines.game().side();
            if !self.is_engine(side) && !self.common.settings().auto_pass {
                break;
            }
            self.lines.play(Move::Pass).expect("a forced pass is legal");
            self.clocks.moved(side);
            self.tell(&Event::Notice(Notice::Passed { side: side.into() }));
        }
    }

    /// Whether an engine thinks in the time of `side`: the opponent of a person, if no level limits it.
    fn ponders(&self, side: Color) -> bool {
        let is_unlimited = matches!(self.players.of(!side), Player::Engine { level: None, .. });
        self.ponder && self.running && is_unlimited && !self.is_engine(side) && !self.is_over()
    }

    fn choose(&mut self, side: Color) {
        let Player::Engine { level, move_ms } = *self.players.of(side) else { return };
        let clock = match move_ms {
            Some(ms) => {
                let period = Duration::from_millis(ms.into());
                GameClock::new(TimeControl::ByoYomi { main: Duration::ZERO, period, stones: 1 })
            }
            None => self.clocks.clock(side),
        };
        let work = Work::Choose { level: level.and_then(Level::new), clock, pace: self.pace };
        self.begin(Purpose::Move, self.lines.game().clone(), work);
    }

    fn analyze(&mut self) {
        let what = (self.lines.game().setup(), self.analysis);
        if self.analysed != Some(what) {
            self.analysed = Some(what);
            self.begin(Purpose::Analysis, self.lines.game().clone(), Work::Analyze { lines: self.analysis });
        }
    }

    /// Keeps a game that has come to its end.
    fn keep_result(&mut self) {
        let Some(result) = self.result() else { return };
        let rated_level = self.opponent_level().filter(|_| self.rated).map(Level::number);
        self.rated = false;
        match self.keep(Some(result), rated_level) {
            Ok(Some(game)) => {
                let rated = rated_level.and_then(|_| self.common.store.rated().ok());
                let rating = rated.map(|games| rating::of_games(&games).elo);
                self.tell(&Event::Notice(Notice::Kept { game, rating, unfinished: false }));
            }
            Ok(None) => {}
            Err(refused) => self.tell_error(refused),
        }
    }

    /// Keeps the game as unfinished, if there is anything to keep, and returns its number. What was played differently
    /// from a game that is over stays with that game.
    pub(super) fn keep_unfinished(&mut self) -> Result<Option<i64>, Refused> {
        let is_over = self.kept.as_ref().is_some_and(|kept| kept.result.is_some());
        if is_over || self.result_of_line().is_some() { Ok(None) } else { self.keep(None, None) }
    }

    /// Keeps the game that another one replaces. A store that fails must not keep anybody from a new game, so that it is
    /// only told.
    fn set_aside(&mut self) {
        match self.keep_unfinished() {
            Ok(Some(game)) => self.tell(&Event::Notice(Notice::Kept { game, rating: None, unfinished: true })),
            Ok(None) => {}
            Err(refused) => self.tell_error(refused),
        }
    }

    /// A game that was kept unfinished is replaced by what has become of it.
    fn keep(&mut self, result: Option<ResultView>, rated_level: Option<u8>) -> Result<Option<i64>, Refused> {
        let game = record::whole(self.lines.game());
        if game.is_empty() {
            return Ok(None);
        }
        let mut kept = record::kept(&game, self.players, &self.common.settings().name, result);
        kept.rated_level = rated_level;
        let transcript = kept.transcript.clone();
        if self.kept.as_ref().is_some_and(|kept| kept.transcript == transcript && kept.result == result) {
            return Ok(None);
        }
        let unfinished = self.kept.as_ref().filter(|kept| kept.result.is_none()).map(|kept| kept.game);
        let game = self.common.store.keep_as(unfinished, &kept)?;
        self.kept = Some(KeptAs { game, transcript, result });
        Ok(Some(game))
    }

    /// The number of the kept game and its other lines, for the store.
    pub(super) fn variations(&self) -> Option<(i64, Vec<String>)> {
        let kept = self.kept.as_ref()?;
        let written = self.lines.all().iter().map(|game| transcript::write(&record::whole(game)));
        Some((kept.game, written.filter(|line| *line != kept.transcript).collect()))
    }

    /// Remembers that the game on the board is the kept one of this number.
    pub(super) fn is_kept_already(&mut self, game: i64) {
        let transcript = transcript::write(&record::whole(self.lines.game()));
        self.kept = Some(KeptAs { game, transcript, result: self.result_of_line() });
    }

    /// The person who may give the game up or offer a draw.
    pub(super) fn person(&self) -> Result<Color, Refused> {
        let side = self.lines.game().side();
        if let Some(human) = record::only_human(&self.players) {
            return Ok(human);
        }
        if self.is_engine(side) {
            return Err(Refused::new(RefusalCode::NotYourTurn, "no person plays in this game"));
        }
        Ok(side)
    }

    /// Lets a clock fall, if its time has run out.
    pub(super) fn check_clocks(&mut self) {
        if let Some(side) = self.clocks.fallen() {
            let winner = Some(Side::from(!side));
            self.end(ResultView { winner, score: None, ending: Ending::Timeout });
            self.settle();
        }
    }
}
