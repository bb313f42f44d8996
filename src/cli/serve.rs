//! `volte serve`: the page in the browser.

use super::eval_file::EvalFileArgs;
use super::interrupt::{stop_on_ctrl_c, stop_on_termination};
use crate::book::Book;
use crate::protocol::resources::{default_resources, parse_table_megabytes, parse_threads};
use crate::search::Resources;
use crate::web::guard::Guard;
use crate::web::{Config, ServeError, Store, serve};
use anyhow::Context;
use directories::ProjectDirs;
use std::fs;
use std::io::{self, Write};
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

/// Arguments of `volte serve`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Port to listen at; 0 takes a free one
    #[arg(long, value_name = "PORT", default_value_t = 8064)]
    port: u16,
    /// Address to listen at; another than this machine's own lets other machines in, with a token
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    host: IpAddr,
    /// Do not open a browser
    #[arg(long)]
    no_open: bool,
    /// Folder for games and settings [default: the data folder of the user]
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
    /// Minutes after which a game ends that nobody looks at; it is kept
    #[arg(long, value_name = "MINUTES", default_value_t = 60)]
    idle: u32,
    /// Let Volte search from the first move on, instead of playing from its opening book at levels above 10
    #[arg(long)]
    no_book: bool,
    #[command(flatten)]
    evaluation: EvalFileArgs,
    /// Search threads of each game, 1 to 256 [default: one per core]
    #[arg(long, value_name = "N", value_parser = parse_threads, allow_negative_numbers = true)]
    threads: Option<usize>,
    /// Size of the transposition table of each game in MB; there may be many games
    #[arg(long, value_name = "MB", value_parser = parse_table_megabytes, allow_negative_numbers = true)]
    #[arg(default_value_t = 32)]
    hash: usize,
}

/// Serves until Ctrl-C, or until the system ends it.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let stop = stop_on_ctrl_c()?;
    stop_on_termination(&stop)?;
    let config = Config {
        address: SocketAddr::new(args.host, args.port),
        store: args.store()?,
        resources: Resources {
            threads: args.threads.unwrap_or_else(|| default_resources().threads),
            table_megabytes: args.hash,
        },
        evaluation: args.evaluation.evaluation(),
        book: (!args.no_book).then(|| Arc::new(Book::shipped())),
        idle: Duration::from_secs(u64::from(args.idle) * 60),
    };
    let mut told = Ok(());
    serve(config, &stop, |guard| told = args.tell(guard)).map_err(|error| args.advise(error))?;
    told?;
    Ok(ExitCode::SUCCESS)
}

/// A free port: one of the next few, or else 0, which lets the system choose.
fn free_port(host: IpAddr, taken: u16) -> u16 {
    let mut next = (1..=20).filter_map(|step| taken.checked_add(step));
    next.find(|&port| TcpListener::bind((host, port)).is_ok()).unwrap_or(0)
}

impl Args {
    fn store(&self) -> anyhow::Result<Store> {
        let folder = match &self.data {
            Some(folder) => folder.clone(),
            None => ProjectDirs::from("", "", "volte")
                .context("there is no data folder for this user: name one with `--data`")?
                .data_dir()
                .to_owned(),
        };
        fs::create_dir_all(&folder).with_context(|| format!("cannot make the folder `{}`", folder.display()))?;
        let file = folder.join("games.sqlite");
        Store::open(&file).with_context(|| format!("cannot use `{}`", file.display()))
    }

    /// What to do if the server does not start.
    fn advise(&self, error: ServeError) -> anyhow::Error {
        let ServeError::Listen { reason, .. } = &error else { return error.into() };
        let advice = match reason.kind() {
            io::ErrorKind::AddrInUse => {
                format!("another program uses the port: try `--port {}`", free_port(self.host, self.port))
            }
            io::ErrorKind::AddrNotAvailable => format!("`--host {}` is no address of this machine", self.host),
            _ => "try another `--port`, or `--port 0` for a free one".to_owned(),
        };
        anyhow::Error::from(error).context(advice)
    }

    /// Says where the page is, and opens it.
    fn tell(&self, guard: &Guard) -> io::Result<()> {
        let url = guard.url();
        let mut out = io::stdout().lock();
        writeln!(out, "Volte plays at {url}")?;
        if guard.token().is_some() {
            match guard.url_elsewhere() {
                Some(elsewhere) => writeln!(out, "On other machines, such as a phone: {elsewhere}")?,
                None => writeln!(out, "On other machines, put the name of this one in place of 127.0.0.1.")?,
            }
        }
        writeln!(out, "Ctrl-C ends it.")?;
        out.flush()?;
        if guard.token().is_some() {
            eprintln!(
                "volte: warning: other machines can reach this server. Whoever has such an address with its token"
            );
            eprintln!("volte: warning: can play, see your games and use this computer to think. Nothing is encrypted.");
        }
        if !self.no_open && open::that_detached(&url).is_err() {
            eprintln!("volte: no browser could be opened: open the address above yourself");
        }
        Ok(())
    }
}
