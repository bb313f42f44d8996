//! Why a request is refused, before it is spelled for a client.

use super::message::event::{Fault, Refusal, RefusalCode};
use super::store::StoreError;
use super::text::Unreadable;
use crate::game::PlayError;

/// The reason to refuse a request; nothing has changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Refused {
    code: RefusalCode,
    message: String,
    fault: Option<Fault>,
}

impl Refused {
    pub(super) fn new(code: RefusalCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), fault: None }
    }

    /// As it is told to a client, for its request of this number.
    pub(super) fn told(self, id: Option<u64>) -> Refusal {
        Refusal { id, code: self.code, message: self.message, fault: self.fault }
    }
}

impl From<PlayError> for Refused {
    fn from(error: PlayError) -> Self {
        let code = match error {
            PlayError::GameOver(_) => RefusalCode::GameOver,
            _ => RefusalCode::IllegalMove,
        };
        Self::new(code, error.to_string())
    }
}

impl From<Unreadable> for Refused {
    fn from(error: Unreadable) -> Self {
        Self { fault: Some(error.fault()), ..Self::new(RefusalCode::Unreadable, error.to_string()) }
    }
}

impl From<StoreError> for Refused {
    fn from(error: StoreError) -> Self {
        let code = match error {
            StoreError::NoSuchGame(_) => RefusalCode::NoSuchGame,
            _ => RefusalCode::Storage,
        };
        Self::new(code, error.to_string())
    }
}
