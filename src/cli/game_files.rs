//! Files of games on the command line: their formats, and the names beside them.

use crate::game::collection::Format;
use crate::game::wthor::{NameKind, Names, Tables};
use anyhow::Context;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

/// A file of games to read; `-` is standard input.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source<'a> {
    /// Where it is.
    pub path: &'a Path,
    /// What it is.
    pub format: Format,
}

impl<'a> Source<'a> {
    /// A file in the format asked for, or else in that of its extension.
    ///
    /// # Errors
    /// If neither tells the format.
    pub(super) fn new(path: &'a Path, asked: Option<Format>) -> anyhow::Result<Self> {
        Ok(Self { path, format: format_of(path, asked, "--from")? })
    }

    /// The bytes of the file.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub(super) fn open(&self) -> anyhow::Result<Box<dyn BufRead>> {
        if is_standard(self.path) {
            return Ok(Box::new(io::stdin().lock()));
        }
        let file = File::open(self.path).with_context(|| format!("{}: cannot open", self.path.display()))?;
        Ok(Box::new(BufReader::new(file)))
    }

    /// The names that a WTHOR file leaves out: in the files called like it, or else in those of the whole database.
    /// `None` if there are none, or the format needs none.
    ///
    /// # Errors
    /// If a file of names is there but cannot be read.
    pub(super) fn names(&self) -> anyhow::Result<Option<Tables>> {
        let path = self.path;
        if self.format != Format::Wthor || is_standard(path) {
            return Ok(None);
        }
        for stem in [path.file_stem().unwrap_or_default(), "WTHOR".as_ref(), "WTH".as_ref()] {
            if let Some(tables) = tables_of_stem(&path.with_file_name(stem).with_extension("wtb"))? {
                return Ok(Some(tables));
            }
        }
        Ok(None)
    }

    /// As [`Source::names`]; that names are missing is told on standard error.
    ///
    /// # Errors
    /// If a file of names is there but cannot be read.
    pub(super) fn names_or_none(&self) -> anyhow::Result<Tables> {
        let names = self.names()?;
        if names.is_none() && self.format == Format::Wthor {
            eprintln!("volte: {}: no files of names (.jou, .trn) beside it: names are left out", self.path.display());
        }
        Ok(names.unwrap_or_default())
    }
}

/// The format asked for, or else that of the extension.
///
/// # Errors
/// If there is neither; the message names the option that asks.
pub(super) fn format_of(path: &Path, asked: Option<Format>, option: &str) -> anyhow::Result<Format> {
    let by_extension = || path.extension().and_then(|extension| extension.to_str()).and_then(Format::of_extension);
    let names = || Format::all().map(Format::name).collect::<Vec<_>>().join(", ");
    asked.or_else(by_extension).with_context(|| {
        format!("{}: the extension tells no format: give one with {option} ({})", path.display(), names())
    })
}

/// Whether the path stands for standard input or output.
pub(super) fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// The names in the two files that are called like `path` but for the extension, if both are there.
pub(super) fn tables_of_stem(path: &Path) -> anyhow::Result<Option<Tables>> {
    let (Some(players), Some(tournaments)) = (beside(path, "jou")?, beside(path, "trn")?) else { return Ok(None) };
    let read = |path: &Path, kind| -> anyhow::Result<Names> {
        let file = File::open(path).with_context(|| format!("{}: cannot open", path.display()))?;
        Names::read(BufReader::new(file), kind).with_context(|| format!("{}: cannot read", path.display()))
    };
    let players = read(&players, NameKind::Players)?;
    Ok(Some(Tables { players, tournaments: read(&tournaments, NameKind::Tournaments)? }))
}

/// The file that is called like `path` but for this extension, in any case.
pub(super) fn beside(path: &Path, extension: &str) -> anyhow::Result<Option<PathBuf>> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let wanted = path.with_extension(extension);
    let wanted = wanted.file_name().unwrap_or_default();
    let Ok(entries) = fs::read_dir(folder) else { return Ok(None) };
    for entry in entries {
        let entry = entry.with_context(|| format!("{}: cannot read", folder.display()))?;
        if entry.file_name().eq_ignore_ascii_case(wanted) {
            return Ok(Some(entry.path()));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extension_tells_the_format() {
        let format = |path: &str| format_of(Path::new(path), None, "--from").map_err(|error| error.to_string());
        assert_eq!(format("a/WTH_2000.WTB"), Ok(Format::Wthor));
        assert_eq!(format("x.ggf"), Ok(Format::Ggf));
        let error = format("-").unwrap_err();
        assert!(error.starts_with("-: the extension tells no format: give one with --from (transcript, "), "{error}");
        assert_eq!(format_of(Path::new("x.txt"), Some(Format::Obf), "--from").unwrap(), Format::Obf);
    }
}
