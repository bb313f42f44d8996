//! `volte man`: manual pages.

use super::Cli;

use crate::files::write_atomically;
use anyhow::Context;
use clap::CommandFactory;
use clap_mangen::Man;
use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// Arguments of `volte man`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Folder to write the pages of all commands to; without it, the page of the program is printed
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
}

/// Prints a page, or writes them all: `volte.1`, `volte-play.1` and so on.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut command = Cli::command();
    command.build();
    let Some(folder) = &args.folder else {
        let mut page = Vec::new();
        Man::new(command).render(&mut page)?;
        io::stdout().lock().write_all(&page)?;
        return Ok(ExitCode::SUCCESS);
    };
    fs::create_dir_all(folder).with_context(|| format!("{}: cannot be made", folder.display()))?;
    let mut commands = vec![command];
    while let Some(command) = commands.pop() {
        let shown = command.get_subcommands().filter(|below| !below.is_hide_set() && below.get_name() != "help");
        commands.extend(shown.cloned());
        let page = Man::new(command);
        let path = folder.join(page.get_filename());
        let mut text = Vec::new();
        page.render(&mut text)?;
        write_atomically(&path, &text).with_context(|| format!("{}: cannot write", path.display()))?;
    }
    Ok(ExitCode::SUCCESS)
}
