//! The reference GUI: a page in the browser, thin over the engine, and the interface by which it plays.
//!
//! Owns sessions, their messages, and what is kept of them; the rules and the thinking are those of `game` and `engine`.
//! A page sends intents and draws what comes back. Start reading at [`serve`]; a request goes from `server` to
//! `session`, and what it changes comes back as the events of `message`.

pub mod assets;
mod common;
pub mod guard;
mod hub;
pub mod message;
mod rating;
mod refused;
pub mod schema;
mod server;
mod session;
mod store;
mod text;

pub use store::{Store, StoreError};

use crate::book::Book;
use crate::engine::Evaluation;
use crate::search::{Resources, StopSignal};
use common::Common;
use guard::Guard;
use hub::Hub;
use server::{House, router};
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use thiserror::Error;
use tokio::net::TcpListener;
use tokio::time::{MissedTickBehavior, interval};

/// How often clocks and idle sessions are looked at.
const TICK: Duration = Duration::from_millis(100);
/// Threads that answer requests; searches have their own.
const SERVING_THREADS: usize = 2;

/// How to serve.
pub struct Config {
    /// Where to listen; port 0 takes a free one.
    pub address: SocketAddr,
    /// The games and settings.
    pub store: Store,
    /// Size of the engine of each session.
    pub resources: Resources,
    /// The weights of all engines.
    pub evaluation: Arc<Evaluation>,
    /// The opening book of all engines, if they are to have one.
    pub book: Option<Arc<Book>>,
    /// How long a session lasts that nobody visits.
    pub idle: Duration,
}

/// Why a server does not start or go on.
#[derive(Debug, Error)]
pub enum ServeError {
    /// The address cannot be listened at.
    #[error("cannot listen at `{address}`: {reason}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// What the system says.
        reason: io::Error,
    },
    /// The store fails.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The system fails.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Serves until `stop` is set; then every game that is not over is kept. `ready` hears when and where.
///
/// # Errors
/// If it cannot start, or the system fails.
pub fn serve(config: Config, stop: &StopSignal, ready: impl FnOnce(&Guard)) -> Result<(), ServeError> {
    let (address, idle) = (config.address, config.idle);
    let hub = Arc::new(Hub::new(Common::new(config)?, idle));
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(SERVING_THREADS).enable_all().build()?;
    let served = runtime.block_on(async {
        let listener = TcpListener::bind(address).await.map_err(|reason| ServeError::Listen { address, reason })?;
        let guard = Arc::new(Guard::new(listener.local_addr()?));
        ready(&guard);
        let house = House { hub: Arc::clone(&hub), guard };
        tokio::select! {
            served = axum::serve(listener, router(house)) => served.map_err(ServeError::from),
            () = watch(&hub, stop) => Ok(()),
        }
    });
    hub.end_all();
    // Connections that are still open are not waited for.
    runtime.shutdown_background();
    served
}

/// Lets time pass for all sessions until a stop is asked for.
async fn watch(hub: &Arc<Hub>, stop: &StopSignal) {
    let mut ticks = interval(TICK);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    while !stop.is_set() {
        ticks.tick().await;
        let hub = Arc::clone(hub);
        // A session that fails must not take the clock of the others with it.
        let _ = tokio::task::spawn_blocking(move || hub.tick()).await;
    }
}
