//! The names behind the numbers of WTHOR files.

use super::{Header, WthorError, read_record};
use std::collections::HashMap;
use std::io::{Read, Write};

/// The names that the numbers in files of games stand for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tables {
    /// The players.
    pub players: Names,
    /// The tournaments.
    pub tournaments: Names,
}

/// What nobody knows has number 0.
const UNKNOWN_PLAYER: &str = "???";
const UNKNOWN_TOURNAMENT: &str = "Diverses parties";

impl Tables {
    /// Tables that hold only what stands for an unknown player and for games of no tournament.
    pub fn fresh() -> Self {
        let mut tables = Self::default();
        tables.players.push(UNKNOWN_PLAYER.to_owned(), 0);
        tables.tournaments.push(UNKNOWN_TOURNAMENT.to_owned(), 0);
        tables
    }
}

/// What a file of names holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NameKind {
    /// Players (`.jou`).
    Players,
    /// Tournaments (`.trn`).
    Tournaments,
}

impl NameKind {
    /// Bytes of a name, with at least one NUL after it.
    const fn width(self) -> usize {
        match self {
            Self::Players => 20,
            Self::Tournaments => 26,
        }
    }
}

/// Numbered names. Files hold Latin-1; here they are Unicode.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Names {
    names: Vec<String>,
    numbers: HashMap<String, u16>,
}

impl Names {
    /// Reads a file of names.
    ///
    /// # Errors
    /// If the file is not one, or ends too early.
    pub fn read(mut input: impl Read, kind: NameKind) -> Result<Self, WthorError> {
        let header = Header::read(&mut input)?;
        let mut names = Self::default();
        let mut bytes = vec![0; kind.width()];
        for found in 0..header.names {
            if !read_record(&mut input, &mut bytes)? {
                return Err(WthorError::Truncated { found: found.into(), expected: header.names.into() });
            }
            let name: String = bytes.iter().take_while(|&&byte| byte != 0).map(|&byte| char::from(byte)).collect();
            names.push(name.trim_end().to_owned(), found);
        }
        Ok(names)
    }

    /// Writes a file of names. A name that is too long is cut, and `?` stands for what Latin-1 does not know.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, mut out: impl Write, kind: NameKind, created: (u16, u8, u8)) -> Result<(), WthorError> {
        let names = u16::try_from(self.names.len()).map_err(|_| WthorError::TooManyNames)?;
        let header = Header { created, games: 0, names, year: 0, size: 0, is_solitaire: false, depth: 0 };
        out.write_all(&header.bytes())?;
        for name in &self.names {
            let mut bytes: Vec<u8> = name.chars().map(|c| u8::try_from(c).unwrap_or(b'?')).collect();
            bytes.truncate(kind.width() - 1);
            bytes.resize(kind.width(), 0);
            out.write_all(&bytes)?;
        }
        Ok(())
    }

    /// The names that [`Names::write`] changes, as they do not fit.
    pub fn unfit(&self, kind: NameKind) -> impl Iterator<Item = &str> {
        let is_known = |c: char| u8::try_from(c).is_ok();
        let fits = move |name: &str| name.chars().all(is_known) && name.chars().count() < kind.width();
        self.names.iter().map(String::as_str).filter(move |name| !fits(name))
    }

    /// The name with a number.
    pub fn name(&self, number: u16) -> Option<&str> {
        self.names.get(usize::from(number)).map(String::as_str)
    }

    /// The number of a name, a new one if it has none yet; `None` if there are no more numbers.
    pub fn number(&mut self, name: &str) -> Option<u16> {
        if let Some(&number) = self.numbers.get(name) {
            return Some(number);
        }
        let number = u16::try_from(self.names.len()).ok().filter(|&number| number < u16::MAX)?;
        self.push(name.to_owned(), number);
        Some(number)
    }

    /// Number of names.
    pub const fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there is no name.
    pub const fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    fn push(&mut self, name: String, number: u16) {
        // Of equal names the first one keeps its number.
        self.numbers.entry(name.clone()).or_insert(number);
        self.names.push(name);
    }
}
