//! Engines as people describe them, in a configuration file or on the command line.
//!
//! Start reading at [`EngineEntry`].

use super::control::{ControlError, parse_control};
use crate::clock::TimeControl;
use crate::protocol::client::{Effort, EngineCommand, Language, Passes};
use serde::{Deserialize, Deserializer};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Table of a Volte in the short form, in MB: many run at once.
const SHORT_FORM_HASH: usize = 64;

/// An engine as it is described: a table `[[engine]]` of a configuration file, or words `key=value`.
#[derive(Clone, PartialEq, Eq, Default, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineEntry {
    /// Its name in tables and records; the program's name if there is none.
    pub name: Option<String>,
    /// The command line, split at spaces, with quotes as in a shell. The word `volte` in front stands for the running
    /// program; alone it is the short form: `volte gtp` without a book and with one thread, unless other keys say otherwise.
    pub command: Option<String>,
    /// The working folder.
    pub directory: Option<PathBuf>,
    /// `gtp` (the default) or `nboard`.
    pub protocol: Option<ProtocolName>,
    /// Lines to send after the start; one or a list.
    #[serde(default, deserialize_with = "one_or_many")]
    pub start: Vec<String>,
    /// Its time control, as [`parse_control`] reads it; that of the match if there is none.
    pub time: Option<String>,
    /// A level to set.
    pub level: Option<u32>,
    /// A depth to set.
    pub depth: Option<u32>,
    /// A number of nodes to set.
    pub nodes: Option<u64>,
    /// How many threads it is busy with, 1 unless said; a Volte in the short form is told so.
    pub threads: Option<usize>,
    /// Its table in MB; only for a Volte in the short form.
    pub hash: Option<usize>,
    /// `on` or `off` (the default): whether it plays from its opening book; only for a Volte in the short form.
    pub book: Option<BookName>,
    /// Milliseconds that its moves lose outside of it, instead of learning them; only for a Volte in the short form.
    pub overhead: Option<u64>,
    /// `learn` (the default), `told` or `omitted`: how a GTP engine hears of forced passes.
    pub passes: Option<PassesName>,
}

/// What `protocol` may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ProtocolName {
    /// [`Language::Gtp`].
    Gtp,
    /// [`Language::NBoard`].
    NBoard,
}

/// What `book` may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BookName {
    /// It plays from the book that comes with it.
    On,
    /// It searches from the first move on.
    Off,
}

/// What `passes` may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PassesName {
    /// [`Passes::Learn`].
    Learn,
    /// [`Passes::Told`].
    Told,
    /// [`Passes::Omitted`].
    Omitted,
}

/// Why a description is not an engine.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum EntryError {
    /// A word that is neither `volte` nor `key=value`.
    #[error("`{0}` in the description of an engine is not `key=value`")]
    Word(String),
    /// A quote that does not end.
    #[error("`{0}` has a quote without an end")]
    Quote(String),
    /// An unknown key or a value of the wrong kind.
    #[error("`{text}` does not describe an engine: {reason}")]
    Field {
        /// The description.
        text: String,
        /// What is wrong with it.
        reason: String,
    },
    /// No command.
    #[error("the engine {0} has no command")]
    NoCommand(String),
    /// Its time control means nothing.
    #[error(transparent)]
    Time(#[from] ControlError),
    /// More than one of level, depth and nodes.
    #[error("the engine {0} has more than one of level, depth and nodes")]
    Efforts(String),
    /// No thread at all.
    #[error("the engine {0} has no thread")]
    Threads(String),
    /// A table size for an engine that is not told one.
    #[error("`hash` of {0} is only for the short form `volte`; put it into the command or a start command")]
    Hash(String),
    /// An overhead for an engine that is not told of one.
    #[error("`overhead` of {0} is only for the short form `volte`; put it into the command or a start command")]
    Overhead(String),
    /// A book for an engine that is not told of one.
    #[error("`book` of {0} is only for the short form `volte`; put it into the command or a start command")]
    Book(String),
}

/// An engine that takes part in a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contestant {
    /// Its name, like no other's in the match.
    pub name: String,
    /// How to start it.
    pub command: EngineCommand,
    /// Its time for a game.
    pub control: TimeControl,
    /// Threads it keeps busy while it thinks.
    pub threads: usize,
}

impl EngineEntry {
    /// Reads a description such as `volte level=6 name=six` or `command="gtp-rhino -x" time=60+1 start="level 3"`.
    ///
    /// # Errors
    /// If a word is not understood.
    pub fn parse(text: &str) -> Result<Self, EntryError> {
        let words = shlex::split(text).ok_or_else(|| EntryError::Quote(text.to_owned()))?;
        let mut table = toml::Table::new();
        for word in words {
            let (key, value) = match word.split_once('=') {
                Some(pair) => pair,
                None if word == "volte" => ("command", "volte"),
                None => return Err(EntryError::Word(word)),
            };
            let number = value.parse().map(toml::Value::Integer).ok().filter(|_| !TEXTS.contains(&key));
            let value = number.unwrap_or_else(|| toml::Value::String(value.to_owned()));
            match (key, table.get_mut(key)) {
                ("start", Some(toml::Value::Array(lines))) => lines.push(value),
                ("start", None) => drop(table.insert(key.to_owned(), toml::Value::Array(vec![value]))),
                _ => drop(table.insert(key.to_owned(), value)),
            }
        }
        table.try_into().map_err(|error: toml::de::Error| EntryError::Field {
            text: text.to_owned(),
            reason: error.message().to_owned(),
        })
    }

    /// The engine that is meant. `control` is the time control of the match, `volte` this program.
    ///
    /// # Errors
    /// If the description makes no engine.
    pub fn contestant(&self, control: TimeControl, volte: &Path) -> Result<Contestant, EntryError> {
        let text = self.command.clone().unwrap_or_default();
        let mut words = shlex::split(&text).ok_or_else(|| EntryError::Quote(text.clone()))?;
        let named = |words: &[String]| self.name.clone().unwrap_or_else(|| self.default_name(words));
        let Some(program) = words.first() else { return Err(EntryError::NoCommand(named(&words))) };
        let name = named(&words);
        let threads = self.threads.unwrap_or(1);
        if threads == 0 {
            return Err(EntryError::Threads(name));
        }
        let short_form = words.len() == 1 && program == "volte";
        if self.hash.is_some() && !short_form {
            return Err(EntryError::Hash(name));
        }
        if self.book.is_some() && !short_form {
            return Err(EntryError::Book(name));
        }
        if self.overhead.is_some() && !short_form {
            return Err(EntryError::Overhead(name));
        }
        if program == "volte" {
            words[0] = volte.to_string_lossy().into_owned();
        }
        if short_form {
            let hash = self.hash.unwrap_or(SHORT_FORM_HASH);
            words.extend(["gtp".to_owned(), format!("--threads={threads}"), format!("--hash={hash}")]);
            words.extend(self.overhead.map(|millis| format!("--overhead={millis}")));
            if self.book != Some(BookName::On) {
                words.push("--no-book".to_owned());
            }
        }
        let command = EngineCommand {
            words,
            directory: self.directory.clone(),
            language: match self.protocol {
                Some(ProtocolName::NBoard) => Language::NBoard,
                Some(ProtocolName::Gtp) | None => Language::Gtp,
            },
            start: self.start.clone(),
            effort: self.effort(&name)?,
            passes: match self.passes {
                Some(PassesName::Told) => Passes::Told,
                Some(PassesName::Omitted) => Passes::Omitted,
                Some(PassesName::Learn) | None => Passes::Learn,
            },
        };
        let control = self.time.as_deref().map_or(Ok(control), parse_control)?;
        Ok(Contestant { name, command, control, threads })
    }

    fn effort(&self, name: &str) -> Result<Option<Effort>, EntryError> {
        let mut efforts = [self.level.map(Effort::Level), self.depth.map(Effort::Depth), self.nodes.map(Effort::Nodes)]
            .into_iter()
            .flatten();
        match (efforts.next(), efforts.next()) {
            (_, Some(_)) => Err(EntryError::Efforts(name.to_owned())),
            (effort, None) => Ok(effort),
        }
    }

    /// The program's name and what sets it apart.
    fn default_name(&self, words: &[String]) -> String {
        let program = words.first().map(Path::new).and_then(Path::file_stem).unwrap_or_default().to_string_lossy();
        let mut name = if program.is_empty() { "engine".to_owned() } else { program.into_owned() };
        for (what, value) in [("level", self.level), ("depth", self.depth)] {
            name.extend(value.map(|value| format!("-{what}{value}")));
        }
        name.extend(self.nodes.map(|nodes| format!("-nodes{nodes}")));
        name.extend((self.book == Some(BookName::On)).then(|| "-book".to_owned()));
        name
    }
}

/// Fields whose values are text even if they look like numbers.
const TEXTS: [&str; 5] = ["name", "command", "directory", "start", "time"];

/// Makes names differ: the second `x` becomes `x-2`.
pub fn tell_apart(contestants: &mut [Contestant]) {
    for index in 1..contestants.len() {
        let name = contestants[index].name.clone();
        let mut candidate = name.clone();
        let mut number = 1;
        while contestants[..index].iter().any(|other| other.name == candidate) {
            number += 1;
            candidate = format!("{name}-{number}");
        }
        contestants[index].name = candidate;
    }
}

fn one_or_many<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum OneOrMany {
        One(String),
        Many(Vec<String>),
    }
    Ok(match OneOrMany::deserialize(deserializer)? {
        OneOrMany::One(line) => vec![line],
        OneOrMany::Many(lines) => lines,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn contestant(text: &str) -> Result<Contestant, EntryError> {
        EngineEntry::parse(text)?.contestant(TimeControl::Unlimited, Path::new("/bin/volte"))
    }

    #[test]
    fn the_short_form_is_this_program_with_one_thread() {
        let volte = contestant("volte level=6").expect("the description is right");
        assert_eq!(volte.name, "volte-level6");
        assert_eq!(volte.command.words, ["/bin/volte", "gtp", "--threads=1", "--hash=64", "--no-book"]);
        assert_eq!(volte.command.effort, Some(Effort::Level(6)));
        assert_eq!(volte.threads, 1);
        let two = contestant("volte threads=2 hash=16 name=7 book=on overhead=5").expect("the description is right");
        assert_eq!(two.command.words[2..], ["--threads=2", "--hash=16", "--overhead=5"]);
        assert_eq!((two.name.as_str(), two.threads), ("7", 2));
        let longer = contestant("command='volte gtp --weights w.bin'").expect("the description is right");
        assert_eq!(longer.command.words, ["/bin/volte", "gtp", "--weights", "w.bin"]);
    }

    #[test]
    fn other_engines_are_described_in_full() {
        let text = r#"name="My Engine" command="'/opt/an engine/run' --book ''" directory=/tmp protocol=nboard
                      start="set depth 3" start="set contempt 5" time=60+1 passes=omitted threads=4"#;
        let other = contestant(text).expect("the description is right");
        assert_eq!(other.name, "My Engine");
        assert_eq!(other.command.words, ["/opt/an engine/run", "--book", ""]);
        assert_eq!(other.command.language, Language::NBoard);
        assert_eq!(other.command.start, ["set depth 3", "set contempt 5"]);
        assert_eq!(other.command.passes, Passes::Omitted);
        assert_eq!(
            other.control,
            TimeControl::Fischer { main: Duration::from_secs(60), increment: Duration::from_secs(1) }
        );
        assert_eq!(other.threads, 4);
        assert_eq!(contestant("command=/usr/games/gtp-rhino").map(|engine| engine.name), Ok("gtp-rhino".to_owned()));
    }

    #[test]
    fn a_table_means_the_same() {
        let entry: EngineEntry = toml::from_str("command = 'x'\nstart = 'one'\nlevel = 3").expect("the table is right");
        assert_eq!(entry, EngineEntry::parse("command=x start=one level=3").expect("the description is right"));
        let entry: EngineEntry = toml::from_str("command = 'x'\nstart = ['1', '2']").expect("the table is right");
        assert_eq!(entry, EngineEntry::parse("command=x start=1 start=2").expect("the description is right"));
    }

    #[test]
    fn what_is_not_understood_is_named() {
        assert_eq!(contestant("volte fast"), Err(EntryError::Word("fast".to_owned())));
        assert!(matches!(contestant("command='x"), Err(EntryError::Quote(_))));
        for text in
            ["volte speed=3", "volte level=high", "volte level=-1", "command=x protocol=uci", "volte passes=maybe"]
        {
            assert!(matches!(contestant(text), Err(EntryError::Field { .. })), "{text}");
        }
        assert!(matches!(contestant("name=x"), Err(EntryError::NoCommand(name)) if name == "x"));
        assert!(matches!(contestant("volte level=3 depth=4"), Err(EntryError::Efforts(_))));
        assert!(matches!(contestant("volte threads=0"), Err(EntryError::Threads(_))));
        assert!(matches!(contestant("command=x hash=3"), Err(EntryError::Hash(_))));
        assert!(matches!(contestant("command=x book=on"), Err(EntryError::Book(_))));
        assert!(matches!(contestant("command=x overhead=3"), Err(EntryError::Overhead(_))));
        assert!(matches!(contestant("volte time=soon"), Err(EntryError::Time(_))));
    }

    #[test]
    fn names_are_told_apart() {
        let mut engines = vec![contestant("volte").expect("right"); 3];
        engines[2].name = "volte-2".to_owned();
        tell_apart(&mut engines);
        let names: Vec<&str> = engines.iter().map(|engine| engine.name.as_str()).collect();
        assert_eq!(names, ["volte", "volte-2", "volte-2-2"]);
    }
}
