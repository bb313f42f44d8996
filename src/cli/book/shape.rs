//! `volte book merge` and `prune`: one book of several, and a smaller one.

use super::grow::{CompletionArgs, ScopeArgs};
use super::{read, read_or_new, verdict, write};
use std::collections::HashSet;
use std::path::PathBuf;
use std::process::ExitCode;

/// Arguments of `volte book merge`.
#[derive(clap::Args, Debug)]
pub(super) struct MergeArgs {
    /// The book; a new one is made if there is none
    book: PathBuf,
    /// The books whose positions it gets
    #[arg(required = true)]
    others: Vec<PathBuf>,
    #[command(flatten)]
    completion: CompletionArgs,
}

/// Joins books. Of a position in several, what was searched at the higher level stays; results of games are added up.
pub(super) fn merge(args: &MergeArgs) -> anyhow::Result<ExitCode> {
    let mut book = read_or_new(&args.book)?;
    let before = book.len();
    for other in &args.others {
        book.merge(&read(other)?);
    }
    args.completion.complete(&mut book)?;
    write(&args.book, &book)?;
    eprintln!("{} new positions; {} in {}", book.len() - before, book.len(), args.book.display());
    Ok(verdict(&book, &args.book))
}

/// Arguments of `volte book prune`.
#[derive(clap::Args, Debug)]
pub(super) struct PruneArgs {
    /// The book
    book: PathBuf,
    #[command(flatten)]
    scope: ScopeArgs,
}

/// Throws out every position that no line within the scope leads to.
pub(super) fn prune(args: &PruneArgs) -> anyhow::Result<ExitCode> {
    let mut book = read(&args.book)?;
    let reached = args.scope.scope().survey(&book);
    let kept: HashSet<_> = reached.into_iter().map(|reach| reach.position).collect();
    let gone = book.prune(|position| kept.contains(&position));
    write(&args.book, &book)?;
    eprintln!("{gone} positions thrown out; {} in {}", book.len(), args.book.display());
    Ok(ExitCode::SUCCESS)
}
