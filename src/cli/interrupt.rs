//! Ctrl-C: the first one stops the search, so that its result so far is still told; the second ends the program.

use super::FAILURE;
use crate::search::StopSignal;
use anyhow::Context;

/// A signal that Ctrl-C sets. Call it once per process.
///
/// # Errors
/// If the system does not allow a handler.
pub(crate) fn stop_on_ctrl_c() -> anyhow::Result<StopSignal> {
    let signal = StopSignal::default();
    let handler = signal.clone();
    ctrlc::set_handler(move || {
        if handler.is_set() {
            #[expect(clippy::exit, reason = "the user insists, and the threads may be deep in a search")]
            std::process::exit(FAILURE.into());
        }
        handler.stop();
    })
    .context("cannot listen for Ctrl-C")?;
    Ok(signal)
}
