//! The files of a match, and how a match goes on from them.
//!
//! Finished pairs are written at once, both games together, so a file never holds half a pair for longer than a crash.
//! Start reading at [`Files`].

use super::record::{GameRecord, PairRecord, ggf_line};
use super::tally::Summary;
use serde::Serialize;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Where a match is written to.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Paths {
    /// A line of JSON per game, and a last one with the summary. A match can be resumed from it.
    pub json: Option<PathBuf>,
    /// A line per game: its moves, and the rest as a comment.
    pub transcript: Option<PathBuf>,
    /// A game in GGF per line.
    pub ggf: Option<PathBuf>,
}

/// Why the files of a match cannot be used.
#[derive(Debug, Error)]
pub enum OutputError {
    /// The system refuses.
    #[error("cannot use {path}")]
    File {
        /// Which file.
        path: PathBuf,
        /// Why not.
        #[source]
        error: io::Error,
    },
    /// A line of the file to be resumed from is no game.
    #[error("{path}, line {line}, is not a game: {reason}")]
    Line {
        /// Which file.
        path: PathBuf,
        /// Which line, from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
}

/// The open files of a match.
#[derive(Debug, Default)]
pub struct Files {
    json: Option<Sheet>,
    transcript: Option<Sheet>,
    ggf: Option<Sheet>,
}

/// A file that is written line by line.
#[derive(Debug)]
struct Sheet {
    path: PathBuf,
    file: File,
}

impl Sheet {
    /// Opens the file anew; it is created if need be.
    fn create(path: &Path) -> Result<Self, OutputError> {
        let file = File::create(path).map_err(|error| OutputError::File { path: path.to_owned(), error })?;
        Ok(Self { path: path.to_owned(), file })
    }

    /// Writes lines at once, so that they are in the file together.
    fn write(&mut self, lines: &str) -> Result<(), OutputError> {
        let written = self.file.write_all(lines.as_bytes()).and_then(|()| self.file.flush());
        written.map_err(|error| OutputError::File { path: self.path.clone(), error })
    }
}

impl Files {
    /// Opens the files of a match anew with the pairs it has already.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn create(paths: &Paths, done: &[PairRecord]) -> Result<Self, OutputError> {
        let open = |path: &Option<PathBuf>| path.as_deref().map(Sheet::create).transpose();
        let mut files = Self { json: open(&paths.json)?, transcript: open(&paths.transcript)?, ggf: open(&paths.ggf)? };
        for pair in done {
            files.add(pair)?;
        }
        Ok(files)
    }

    /// Writes a finished pair.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn add(&mut self, pair: &PairRecord) -> Result<(), OutputError> {
        let [one, other] = &pair.games;
        let lines = |line: fn(&GameRecord) -> String| format!("{}\n{}\n", line(one), line(other));
        if let Some(sheet) = &mut self.json {
            sheet.write(&lines(json_line))?;
        }
        if let Some(sheet) = &mut self.transcript {
            sheet.write(&lines(GameRecord::transcript_line))?;
        }
        if let Some(sheet) = &mut self.ggf {
            sheet.write(&lines(ggf_line))?;
        }
        Ok(())
    }

    /// Writes the summary.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn finish(&mut self, summary: &Summary) -> Result<(), OutputError> {
        #[derive(Serialize)]
        struct Last<'a> {
            summary: &'a Summary,
        }
        match &mut self.json {
            Some(sheet) => sheet.write(&format!("{}\n", json_line(&Last { summary }))),
            None => Ok(()),
        }
    }
}

fn json_line<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("records and summaries have nothing that JSON cannot say")
}

/// The finished pairs in the JSON file of a match, in the order of their numbers; none if there is no such file.
///
/// The summary, half a pair and a last line that was cut short are left out: that part is played again.
///
/// # Errors
/// If the file cannot be read, or a line that is not the last is not a game.
pub fn read_finished(path: &Path) -> Result<Vec<PairRecord>, OutputError> {
    let text = match fs::read_to_string(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        text => text.map_err(|error| OutputError::File { path: path.to_owned(), error })?,
    };
    let lines: Vec<&str> = text.lines().collect();
    let mut games = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        if line.trim().is_empty() || line.starts_with("{\"summary\"") {
            continue;
        }
        match serde_json::from_str::<GameRecord>(line) {
            Ok(game) => games.push(game),
            Err(_) if index + 1 == lines.len() && !text.ends_with('\n') => {}
            Err(error) => {
                return Err(OutputError::Line { path: path.to_owned(), line: index + 1, reason: error.to_string() });
            }
        }
    }
    games.sort_by_key(|game| game.game);
    games.dedup_by_key(|game| game.game);
    let mut pairs = Vec::new();
    let mut games = games.into_iter().peekable();
    while let Some(game) = games.next() {
        if let Some(other) = games.next_if(|other| other.pair == game.pair) {
            pairs.push(PairRecord { games: [game, other] });
        }
    }
    Ok(pairs)
}

#[cfg(test)]
mod tests {
    use super::super::record::tests::on_board;
    use super::super::tally::{Tally, Tests};
    use super::*;

    fn pair(number: usize) -> PairRecord {
        PairRecord { games: [on_board(2 * number - 1, "a", "b", 4), on_board(2 * number, "b", "a", -2)] }
    }

    #[test]
    fn a_match_comes_back_from_its_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let paths = Paths {
            json: Some(folder.path().join("match.json")),
            transcript: Some(folder.path().join("match.txt")),
            ggf: Some(folder.path().join("match.ggf")),
        };
        let json = paths.json.clone().expect("set above");
        assert_eq!(read_finished(&json).expect("no file is no game"), []);
        let mut files = Files::create(&paths, &[pair(1)]).expect("the folder is ours");
        files.add(&pair(3)).expect("the folder is ours");
        files.add(&pair(2)).expect("the folder is ours");
        let summary = Tally::new(["a".to_owned(), "b".to_owned()]).summary(Tests::default(), false);
        files.finish(&summary).expect("the folder is ours");
        assert_eq!(read_finished(&json).expect("we wrote it"), [pair(1), pair(2), pair(3)]);
        let text = fs::read_to_string(&json).expect("we wrote it");
        assert_eq!(text.lines().count(), 7);
        assert!(
            text.lines().last().expect("there are lines").starts_with("{\"summary\":{\"engines\":[{\"name\":\"a\"")
        );
        for path in [paths.transcript, paths.ggf] {
            assert_eq!(fs::read_to_string(path.expect("set above")).expect("we wrote it").lines().count(), 6);
        }
    }

    #[test]
    fn what_a_crash_left_behind_is_dropped() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("match.json");
        let [one, other] = pair(1).games.map(|game| json_line(&game));
        let [third, fourth] = pair(2).games.map(|game| json_line(&game));
        fs::write(&path, format!("{one}\n{other}\n{third}\n{}", &fourth[..40])).expect("the folder is ours");
        assert_eq!(read_finished(&path).expect("only the end is cut"), [pair(1)]);
        fs::write(&path, format!("{one}\nnot a game\n{other}\n")).expect("the folder is ours");
        let error = read_finished(&path).expect_err("line 2 is no game").to_string();
        assert!(error.contains("line 2"), "{error}");
    }
}
