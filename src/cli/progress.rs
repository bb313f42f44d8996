//! The progress of long work, shown on standard error if that is a terminal.

use indicatif::{ProgressBar, ProgressStyle};
use std::time::Duration;

/// A bar that fills in so many steps, with room for a message.
pub(super) fn progress_bar(steps: usize) -> ProgressBar {
    let style = ProgressStyle::with_template("{pos}/{len} [{elapsed}] {wide_bar} {msg}").expect("the template is good");
    let bar = ProgressBar::new(steps as u64).with_style(style);
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}
