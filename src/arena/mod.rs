//! The arena: engine against engine, with statistics that can be trusted.
//!
//! Owns matches: who plays whom from which opening, the course and the rules of each game, what is written down, and
//! the standing. Knows other engines only through [`crate::protocol::client`], and is silent itself: a [`Spectator`]
//! hears of everything. Start reading at [`Match`] and [`run`].

mod control;
mod entry;
mod exact;
mod openings;
mod output;
mod play;
mod record;
mod run;
mod schedule;
mod tally;

pub use control::{ControlError, parse_control};
pub use entry::{Contestant, EngineEntry, EntryError, PassesName, ProtocolName, tell_apart};
pub use openings::{Balance, Opening, OpeningsError, read_openings};
pub use output::{Files, OutputError, Paths, read_finished};
pub use play::Tolerance;
pub use record::{ExactLoss, GameRecord, PairRecord, Reason, TurnRecord};
pub use run::{Match, MatchError, Outcome, Spectator, run};
pub use schedule::{Job, Order, Pairing, Schedule};
pub use tally::{EngineSummary, SprtSummary, Standing, Summary, Tally, Tests, verdict_name};
