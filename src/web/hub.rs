//! All sessions of a server, by their names.

use super::common::Common;
use super::guard::new_name;
use super::session::{Arrival, Session};
use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

/// More sessions than this are not opened: each may hold an engine.
const MOST_SESSIONS: usize = 500;

/// The sessions.
pub(super) struct Hub {
    pub(super) common: Arc<Common>,
    sessions: Mutex<HashMap<String, Arc<Session>>>,
    /// How long a session lasts that nobody visits.
    idle: Duration,
}

impl Hub {
    pub(super) fn new(common: Common, idle: Duration) -> Self {
        Self { common: Arc::new(common), sessions: Mutex::default(), idle }
    }

    /// The session of this name, from memory or from the store; a new one under a new name if there is none. `None` if
    /// there are too many.
    pub(super) fn session(&self, name: Option<&str>) -> Option<(Arc<Session>, Arrival)> {
        let mut sessions = self.sessions.lock();
        if let Some(session) = name.and_then(|name| sessions.get(name)) {
            return Some((Arc::clone(session), Arrival::Resumed));
        }
        if sessions.len() >= MOST_SESSIONS {
            return None;
        }
        if let Some(session) = name.and_then(|name| self.restored(name)) {
            sessions.insert(name.unwrap_or_default().to_owned(), Arc::clone(&session));
            return Some((session, Arrival::Restored));
        }
        let name = new_name();
        let session = Session::new(name.clone(), Arc::clone(&self.common));
        sessions.insert(name, Arc::clone(&session));
        Some((session, Arrival::New))
    }

    /// The session of this name as the store has it. One that cannot be read is as good as none.
    fn restored(&self, name: &str) -> Option<Arc<Session>> {
        let snapshot = self.common.store.session(name).ok()??;
        Session::restored(name.to_owned(), Arc::clone(&self.common), &snapshot).ok()
    }

    /// Lets time pass: clocks fall, and sessions end that nobody visits any more.
    pub(super) fn tick(&self) {
        let sessions: Vec<_> = self.sessions.lock().values().cloned().collect();
        sessions.iter().for_each(|session| session.tick());
        self.end(|session| session.is_idle(self.idle));
    }

    /// Ends every session.
    pub(super) fn end_all(&self) {
        self.end(|_| true);
    }

    fn end(&self, is_to_end: impl Fn(&Session) -> bool) {
        let ended: Vec<_> = self.sessions.lock().extract_if(|_, session| is_to_end(session)).collect();
        for (_, session) in ended {
            // Nobody is there to be told that the game could not be kept.
            let _ = session.end();
        }
    }
}
