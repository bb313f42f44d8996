//! A session: one game with its clients, from any number of tabs, and its engine.
//!
//! Owns what each request does to the game; must not know the network. Start reading at [`Session::handle`].

mod clocks;
mod lines;
mod play;
pub(super) mod record;
mod requests;
pub(super) mod snapshot;
pub(super) mod start;
mod view;
mod worker;

use super::common::{BACKLOG, Common, Packet, packet};
use super::message::event::{Event, Purpose, RefusalCode, Thinking};
use super::message::intent::Intent;
use super::refused::Refused;
use super::store::StoreError;
use parking_lot::Mutex;
use play::Play;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};
use tokio::sync::broadcast;
use worker::Found;

/// A session.
pub(super) struct Session {
    name: String,
    common: Arc<Common>,
    play: Mutex<Play>,
    events: broadcast::Sender<Packet>,
    clients: AtomicUsize,
    last_seen: Mutex<Instant>,
}

/// How a client comes to a session.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Arrival {
    /// It has begun with this client.
    New,
    /// It was there already.
    Resumed,
    /// It was brought back from the store.
    Restored,
}

/// What a client sees first, and where it hears the rest.
pub(super) struct Entrance {
    pub(super) first: Vec<Packet>,
    pub(super) events: broadcast::Receiver<Packet>,
    pub(super) news: broadcast::Receiver<Packet>,
}

impl Session {
    /// A session that goes on from a snapshot.
    ///
    /// # Errors
    /// If the snapshot cannot be read.
    pub(super) fn restored(name: String, common: Arc<Common>, snapshot: &str) -> Result<Arc<Self>, StoreError> {
        let session = Self::new(name, common);
        let mut play = session.play.lock();
        play.restore(snapshot)?;
        play.settle();
        drop(play);
        Ok(session)
    }

    /// A new session with two persons before the usual start.
    pub(super) fn new(name: String, common: Arc<Common>) -> Arc<Self> {
        Arc::new_cyclic(|me: &Weak<Self>| {
            let events = broadcast::Sender::new(BACKLOG);
            let me = Weak::clone(me);
            let listener = Arc::new(move |ticket, found| {
                // A session that has ended waits for nothing.
                if let Some(session) = me.upgrade() {
                    session.hear(ticket, found);
                }
            });
            let play = Mutex::new(Play::new(name.clone(), Arc::clone(&common), events.clone(), listener));
            Self { name, common, play, events, clients: AtomicUsize::new(0), last_seen: Mutex::new(Instant::now()) }
        })
    }

    /// Lets a client in.
    pub(super) fn enter(&self, arrival: Arrival) -> Entrance {
        self.clients.fetch_add(1, Ordering::Relaxed);
        // Under the lock nothing happens between the first view and the first event.
        let play = self.play.lock();
        let mut first = vec![
            packet(&Event::Hello(view::hello(&self.name, arrival))),
            packet(&Event::Settings { settings: self.common.settings() }),
            packet(&Event::State(Box::new(view::state(&play)))),
        ];
        first.extend(play.review.as_ref().map(|review| packet(&Event::Review(review.clone()))));
        Entrance { first, events: self.events.subscribe(), news: self.common.news() }
    }

    /// Sees a client off. Analysis that nobody follows ends.
    pub(super) fn leave(&self) {
        *self.last_seen.lock() = Instant::now();
        if self.clients.fetch_sub(1, Ordering::Relaxed) == 1 {
            let mut play = self.play.lock();
            play.analysis = 0;
            if play.busy() == Some(Purpose::Analysis) {
                play.halt();
            }
            play.end_review();
        }
    }

    /// Whether nobody has been there for this long.
    pub(super) fn is_idle(&self, after: Duration) -> bool {
        self.clients.load(Ordering::Relaxed) == 0 && self.last_seen.lock().elapsed() >= after
    }

    /// Ends the session: a game that is not over is kept, and can be gone on with.
    pub(super) fn end(&self) -> Result<(), Refused> {
        let mut play = self.play.lock();
        play.halt();
        play.end_review();
        play.keep_unfinished()?;
        play.save();
        Ok(self.common.store.close_session(&self.name)?)
    }

    /// The view of the game, for a client that has missed some.
    pub(super) fn state(&self) -> Packet {
        packet(&Event::State(Box::new(view::state(&self.play.lock()))))
    }

    /// Lets time pass.
    pub(super) fn tick(&self) {
        if let Some(mut play) = self.play.try_lock() {
            play.check_clocks();
        }
    }

    /// Carries out what a client wants. What concerns the game is told to every client; the rest comes back.
    ///
    /// # Errors
    /// If it cannot be; then nothing has changed.
    pub(super) fn handle(&self, intent: Intent) -> Result<Vec<Event>, Refused> {
        let mut play = self.play.lock();
        // A move that comes after the time has run out comes too late.
        play.check_clocks();
        match intent {
            Intent::NewGame(game) => play.new_game(&game)?,
            Intent::Play { mv, at } => play.play(&mv, at)?,
            Intent::Undo => play.undo()?,
            Intent::Redo => play.redo()?,
            Intent::GoTo { ply } => play.go_to(ply)?,
            Intent::Line { line } => play.line(line)?,
            Intent::Explore { moves, at } => play.explore(&moves, at)?,
            Intent::Resume => play.resume()?,
            Intent::Stop => play.stop(),
            Intent::MoveNow if play.hurry() => return Ok(Vec::new()),
            Intent::MoveNow => return Err(requests::not_your_turn("the engine is not thinking about a move")),
            Intent::Resign => play.resign()?,
            Intent::OfferDraw => play.offer_draw()?,
            Intent::SetPlayers { players } => play.set_players(players)?,
            Intent::Hint { lines } => play.hint(lines)?,
            Intent::Analyze { lines } => play.set_analysis(lines),
            Intent::Review => play.review()?,
            Intent::OpenGame { game } => play.open(game)?,
            Intent::Export { format } => return Ok(vec![play.export(format)?]),
            other => {
                drop(play);
                return self.common.handle(other);
            }
        }
        play.settle();
        Ok(Vec::new())
    }

    /// Takes in what the engine has found.
    fn hear(&self, ticket: u64, found: Found) {
        let mut play = self.play.lock();
        let Some(purpose) = play.purpose(ticket) else { return };
        match found {
            // A game that counts is played without a look into the other's cards.
            Found::Progress { .. } if purpose == Purpose::Move && play.rated => {}
            Found::Progress { lines, nodes, ms } => {
                let ply = play.lines.game().len();
                play.tell(&Event::Thinking(Thinking { purpose, ply, lines, nodes, ms }));
            }
            Found::Point(point) => {
                if let Some(review) = &mut play.review {
                    review.points.push(point);
                    let review = review.clone();
                    play.tell(&Event::Review(review));
                }
            }
            Found::Chosen(mv) => {
                play.take_task(ticket);
                play.make(mv).unwrap_or_else(|refused| play.tell(&Event::Error(refused.told(None))));
                play.settle();
            }
            Found::Finished { value } => {
                play.take_task(ticket);
                play.finish(purpose, value);
                play.settle();
            }
            Found::Failed => {
                play.take_task(ticket);
                if purpose == Purpose::Review {
                    play.review = None;
                } else {
                    play.running = false;
                    play.analysis = 0;
                }
                let refused = Refused::new(RefusalCode::Internal, "the engine has failed; it starts afresh");
                play.tell(&Event::Error(refused.told(None)));
                play.settle();
            }
        }
    }
}
