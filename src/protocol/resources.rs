//! How much of the machine a search may use, as a user may ask for it on a wire or a command line.
//!
//! Owns the spelling and the bounds of thread counts, table sizes and the time that moves lose; must not know what they are used for. Start
//! reading at [`parse_threads`].

use crate::search::Resources;
use std::thread;
use std::time::Duration;
use thiserror::Error;

/// Worker threads above this are a typing error.
pub const MAX_THREADS: usize = 256;
/// Table size when none is asked for, in MB.
pub const DEFAULT_TABLE_MEGABYTES: usize = 256;
/// Largest table where the system does not tell its memory, in MB.
const MAX_TABLE_MEGABYTES: usize = 1 << 20;

/// Why a size is refused.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ResourceError {
    /// The text is no whole number.
    #[error("`{0}` is not a whole number")]
    NotANumber(String),
    /// The number is below 1.
    #[error("`{0}` is too small: it must be at least 1")]
    TooSmall(String),
    /// More worker threads than sensible.
    #[error("`{0}` is too much: at most {MAX_THREADS} threads")]
    TooManyThreads(String),
    /// More memory than there is.
    #[error("`{asked}` is too much: at most {most} MB on this machine")]
    TooMuchMemory {
        /// What was asked for.
        asked: String,
        /// What the machine has, in MB.
        most: usize,
    },
}

/// Reads a number of worker threads, 1 to [`MAX_THREADS`].
///
/// # Errors
/// If it is anything else.
pub fn parse_threads(text: &str) -> Result<usize, ResourceError> {
    let number = at_least_one(text)?;
    if number <= MAX_THREADS { Ok(number) } else { Err(ResourceError::TooManyThreads(text.to_owned())) }
}

/// Reads a table size in MB, 1 up to the memory of the machine.
///
/// # Errors
/// If it is anything else.
pub fn parse_table_megabytes(text: &str) -> Result<usize, ResourceError> {
    let number = at_least_one(text)?;
    let most = memory_megabytes().unwrap_or(MAX_TABLE_MEGABYTES);
    if number <= most { Ok(number) } else { Err(ResourceError::TooMuchMemory { asked: text.to_owned(), most }) }
}

/// One thread per core that this process may use, and a table of [`DEFAULT_TABLE_MEGABYTES`].
pub fn default_resources() -> Resources {
    let threads = thread::available_parallelism().map_or(1, Into::into).min(MAX_THREADS);
    Resources { threads, table_megabytes: DEFAULT_TABLE_MEGABYTES }
}

/// The longest overhead of a move that can be set, in milliseconds.
pub const MOST_OVERHEAD: u64 = 10_000;

/// Reads how much time each move loses outside of the engine: milliseconds, or `auto` (then it is `None`) to learn it.
/// `None` if the text is neither.
pub fn read_overhead(text: &str) -> Option<Option<Duration>> {
    if text.eq_ignore_ascii_case("auto") {
        return Some(None);
    }
    text.parse().ok().filter(|&millis| millis <= MOST_OVERHEAD).map(|millis| Some(Duration::from_millis(millis)))
}

/// The number in the text; one beyond all sizes is the largest.
fn at_least_one(text: &str) -> Result<usize, ResourceError> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(ResourceError::NotANumber(text.to_owned()));
    }
    let number = digits.parse().unwrap_or(usize::MAX);
    if number == 0 || text.starts_with('-') { Err(ResourceError::TooSmall(text.to_owned())) } else { Ok(number) }
}

/// Memory of the machine in MB, where the system tells it.
fn memory_megabytes() -> Option<usize> {
    let table = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = table.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kilobytes: usize = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some((kilobytes / 1024).max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn senseless_sizes_are_refused_with_a_reason() {
        let text = |text: &str| text.to_owned();
        assert_eq!(parse_threads("0"), Err(ResourceError::TooSmall(text("0"))));
        assert_eq!(parse_threads("-1"), Err(ResourceError::TooSmall(text("-1"))));
        assert_eq!(parse_threads("10000"), Err(ResourceError::TooManyThreads(text("10000"))));
        for word in ["two", "", "1.5", "1e3", "-", "+"] {
            assert_eq!(parse_threads(word), Err(ResourceError::NotANumber(text(word))));
        }
        for huge in ["4000000000", "18446744073709551616", "99999999999999999999999999999999999999999999"] {
            assert!(matches!(parse_table_megabytes(huge), Err(ResourceError::TooMuchMemory { .. })), "{huge}");
            assert_eq!(parse_threads(huge), Err(ResourceError::TooManyThreads(text(huge))));
        }
        assert_eq!(parse_table_megabytes("0"), Err(ResourceError::TooSmall(text("0"))));
    }

    #[test]
    fn an_overhead_is_milliseconds_or_learnt() {
        assert_eq!(read_overhead("auto"), Some(None));
        assert_eq!(read_overhead("0"), Some(Some(Duration::ZERO)));
        assert_eq!(read_overhead("10000"), Some(Some(Duration::from_secs(10))));
        for text in ["", "10001", "-1", "1.5", "5ms"] {
            assert_eq!(read_overhead(text), None, "{text}");
        }
    }

    #[test]
    fn sensible_sizes_are_taken_as_they_are() {
        assert_eq!(parse_threads("1"), Ok(1));
        assert_eq!(parse_threads("256"), Ok(256));
        assert_eq!(parse_table_megabytes("1"), Ok(1));
        assert_eq!(parse_table_megabytes("37"), Ok(37));
        assert!(default_resources().threads >= 1);
    }
}
