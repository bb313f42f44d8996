//! `--threads` and `--hash`: how much of the machine a search may use. Flattened into the arguments of every
//! subcommand that searches.

use crate::search::Resources;
use std::thread;

/// Worker threads above this are a typing error.
const MAX_THREADS: usize = 256;
/// Table size when none is asked for, in MB.
const DEFAULT_HASH: usize = 256;
/// Largest table when the memory of the machine is not known, in MB.
const MAX_HASH_UNKNOWN: usize = 1 << 20;

/// How much of the machine to use.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(crate) struct ResourceArgs {
    /// Search threads, 1 to 256 [default: one per core]
    #[arg(long, value_name = "N", value_parser = parse_threads, allow_negative_numbers = true)]
    threads: Option<usize>,
    /// Size of the transposition table in MB, from 1 up to the memory of the machine
    #[arg(long, value_name = "MB", default_value_t = DEFAULT_HASH, value_parser = parse_hash, allow_negative_numbers = true)]
    hash: usize,
}

impl ResourceArgs {
    /// The resources of a searcher.
    pub(crate) fn resources(self) -> Resources {
        Resources { threads: self.threads.unwrap_or_else(default_threads), table_megabytes: self.hash }
    }
}

/// One thread per core that this process may use.
fn default_threads() -> usize {
    thread::available_parallelism().map_or(1, Into::into).min(MAX_THREADS)
}

/// Reads a number of threads.
pub(crate) fn parse_threads(text: &str) -> Result<usize, String> {
    parse_within(text, MAX_THREADS, "")
}

/// Reads a table size in MB.
pub(crate) fn parse_hash(text: &str) -> Result<usize, String> {
    match memory_megabytes() {
        Some(memory) => parse_within(text, memory, " MB, the memory of this machine"),
        None => parse_within(text, MAX_HASH_UNKNOWN, " MB"),
    }
}

fn parse_within(text: &str, max: usize, unit: &str) -> Result<usize, String> {
    match text.parse::<i128>() {
        Ok(number) if number < 1 => Err("must be at least 1".to_owned()),
        Ok(number) => usize::try_from(number)
            .ok()
            .filter(|&number| number <= max)
            .ok_or_else(|| format!("must be at most {max}{unit}")),
        Err(_) => Err("not a whole number".to_owned()),
    }
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
        for text in ["0", "-1", "10000", "99999999999999999999999999999999999", "two", "", "1.5"] {
            let error = parse_threads(text).unwrap_err();
            assert!(error.contains("must be") || error.contains("whole number"), "{text}: {error}");
        }
        for text in ["0", "-1", "4000000000", "18446744073709551616", "1e3"] {
            let error = parse_hash(text).unwrap_err();
            assert!(error.contains("must be") || error.contains("whole number"), "{text}: {error}");
        }
    }

    #[test]
    fn sensible_sizes_are_taken_as_they_are() {
        assert_eq!(parse_threads("1"), Ok(1));
        assert_eq!(parse_threads("256"), Ok(256));
        assert_eq!(parse_hash("1"), Ok(1));
        assert_eq!(parse_hash("37"), Ok(37));
        assert!(default_threads() >= 1);
    }
}
