//! `--threads` and `--hash`: how much of the machine a search may use. Flattened into the arguments of every
//! subcommand that searches.

use crate::protocol::resources::{DEFAULT_TABLE_MEGABYTES, default_resources, parse_table_megabytes, parse_threads};
use crate::search::Resources;

/// How much of the machine to use.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(crate) struct ResourceArgs {
    /// Search threads, 1 to 256 [default: one per core]
    #[arg(long, value_name = "N", value_parser = parse_threads, allow_negative_numbers = true)]
    threads: Option<usize>,
    /// Size of the transposition table in MB, from 1 up to the memory of the machine
    #[arg(long, value_name = "MB", value_parser = parse_table_megabytes, allow_negative_numbers = true)]
    #[arg(default_value_t = DEFAULT_TABLE_MEGABYTES)]
    hash: usize,
}

impl ResourceArgs {
    /// The resources of a searcher.
    pub(crate) fn resources(self) -> Resources {
        let threads = self.threads.unwrap_or_else(|| default_resources().threads);
        Resources { threads, table_megabytes: self.hash }
    }
}
