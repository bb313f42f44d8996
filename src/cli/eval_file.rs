//! `--eval-file`: weights in place of those inside the program. Flattened into the arguments of every subcommand that
//! searches with the trained evaluation.

use crate::engine::Evaluation;
use std::sync::Arc;

/// Which weights evaluate.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct EvalFileArgs {
    /// Evaluate by the weights in this file, made by `volte train fit` [default: those inside the program]
    #[arg(long, value_name = "FILE", value_parser = load)]
    eval_file: Option<Arc<Evaluation>>,
}

impl EvalFileArgs {
    /// The evaluation that was asked for.
    pub(crate) fn evaluation(&self) -> Arc<Evaluation> {
        self.eval_file.clone().unwrap_or_default()
    }
}

/// Reads weights; a file that cannot be used is an error of the command line, before anything else is done.
fn load(path: &str) -> Result<Arc<Evaluation>, String> {
    let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
    Evaluation::from_bytes(&bytes).map(Arc::new).map_err(|error| error.to_string())
}
