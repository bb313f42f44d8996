//! `volte book export` and `import`: books as text, and the books of other programs.

use super::grow::CompletionArgs;
use super::{read, read_or_new, verdict, write};
use crate::book::Book;
use crate::book::foreign::{edax, egaroucid};
use crate::files::AtomicFile;
use crate::study::exchange::{Spelling, read_line, write_line};
use anyhow::{Context, bail};
use clap::ValueEnum;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// How a book is written elsewhere.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
enum Form {
    /// Everything, a position a line (.jsonl)
    Json,
    /// Edax's text: board, level, best move out of the book and its score (.txt)
    Text,
    /// Edax's book.dat (.dat)
    Edax,
    /// Egaroucid's book, which can only be read (.egbk3)
    Egaroucid,
}

/// Arguments of `volte book export`.
#[derive(clap::Args, Debug)]
pub(super) struct ExportArgs {
    /// The book
    book: PathBuf,
    /// Where it goes; `-` is standard output, for which the form must be given
    out: PathBuf,
    /// The form [default: by the extension]
    #[arg(long, value_enum)]
    form: Option<Form>,
}

/// Writes a book in another form.
pub(super) fn export(args: &ExportArgs) -> anyhow::Result<ExitCode> {
    let book = read(&args.book)?;
    let form = form_of(&args.out, args.form)?;
    if args.out.as_os_str() == "-" {
        let mut out = BufWriter::new(io::stdout().lock());
        write_form(&book, form, &mut out)?;
        out.flush()?;
    } else {
        let cannot = || format!("cannot write {}", args.out.display());
        let mut out = AtomicFile::create(&args.out).with_context(cannot)?;
        write_form(&book, form, &mut out).with_context(cannot)?;
        out.commit().with_context(cannot)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn write_form(book: &Book, form: Form, out: &mut impl Write) -> anyhow::Result<()> {
    let spelling = match form {
        Form::Json => Spelling::Json,
        Form::Text => Spelling::Edax,
        Form::Edax => return Ok(out.write_all(&edax::write(book))?),
        Form::Egaroucid => bail!("books of Egaroucid can be read, but not written"),
    };
    for (position, entry) in book.iter() {
        writeln!(out, "{}", write_line(book, position, entry, spelling))?;
    }
    Ok(())
}

/// Arguments of `volte book import`.
#[derive(clap::Args, Debug)]
pub(super) struct ImportArgs {
    /// The book; a new one is made if there is none, and otherwise the positions are merged in
    book: PathBuf,
    /// What is read
    input: PathBuf,
    /// The form [default: by the extension]
    #[arg(long, value_enum)]
    form: Option<Form>,
    #[command(flatten)]
    completion: CompletionArgs,
}

/// Reads a book in another form. Moves out of it that are not known, or lead into what was there, are searched.
pub(super) fn import(args: &ImportArgs) -> anyhow::Result<ExitCode> {
    let mut book = read_or_new(&args.book)?;
    let bytes = fs::read(&args.input).with_context(|| args.input.display().to_string())?;
    let told = || args.input.display().to_string();
    let read = match form_of(&args.input, args.form)? {
        Form::Edax => edax::read(&bytes).with_context(told)?,
        Form::Egaroucid => egaroucid::read(&bytes).with_context(told)?,
        Form::Json | Form::Text => read_text(&String::from_utf8_lossy(&bytes)).with_context(told)?,
    };
    let found = read.len();
    let added = book.merge(&read);
    args.completion.complete(&mut book)?;
    write(&args.book, &book)?;
    eprintln!("{found} positions read, {added} of them new; {} in {}", book.len(), args.book.display());
    Ok(verdict(&book, &args.book))
}

fn read_text(text: &str) -> anyhow::Result<Book> {
    let mut book = Book::new();
    for (index, line) in text.lines().enumerate() {
        read_line(&mut book, line).with_context(|| format!("line {}", index + 1))?;
    }
    book.negamax();
    Ok(book)
}

fn form_of(path: &Path, asked: Option<Form>) -> anyhow::Result<Form> {
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_ascii_lowercase());
    let known = match extension.as_deref() {
        Some("jsonl" | "json") => Some(Form::Json),
        Some("txt") => Some(Form::Text),
        Some("dat") => Some(Form::Edax),
        Some("egbk3") => Some(Form::Egaroucid),
        _ => None,
    };
    asked.or(known).with_context(|| {
        format!("{}: the extension tells no form: give one with --form (json, text, edax, egaroucid)", path.display())
    })
}
