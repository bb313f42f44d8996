//! Ctrl-C: the first one stops the search, so that its result so far is still told; the second ends the program. What the
//! system sends to end a server counts as one Ctrl-C.

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

/// Sets `stop` as well when the system ends the program (SIGTERM) or its terminal goes away (SIGHUP), so that a server
/// keeps what it holds.
///
/// # Errors
/// If the system does not allow a handler.
#[cfg(unix)]
pub(crate) fn stop_on_termination(stop: &StopSignal) -> anyhow::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGTERM};
    let mut awaited = vec![SIGTERM];
    if !ignores_hangup() {
        awaited.push(SIGHUP);
    }
    let mut signals = signal_hook::iterator::Signals::new(awaited).context("cannot listen for signals")?;
    let stop = stop.clone();
    std::thread::Builder::new().name("volte-signals".to_owned()).spawn(move || {
        for _ in signals.forever() {
            stop.stop();
        }
    })?;
    Ok(())
}

/// Elsewhere Ctrl-C is all there is.
#[cfg(not(unix))]
pub(crate) fn stop_on_termination(_: &StopSignal) -> anyhow::Result<()> {
    Ok(())
}

/// Whether the program was started to outlive its terminal, as by `nohup`. Only Linux tells.
#[cfg(unix)]
fn ignores_hangup() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    // The lowest bit stands for signal 1, which is SIGHUP.
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask & 1 == 1)
}
