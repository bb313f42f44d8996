//! The files of the WTHOR database: games (`.wtb`), names of players (`.jou`) and of tournaments (`.trn`).
//!
//! All are little endian and start with 16 bytes of header. Start reading at [`Reader`]; [`Tables`] holds the names.

mod names;

pub use names::{NameKind, Names, Tables};

use super::record::{Ending, GameRecord, Outcome, Verdict, WthorFields};
use super::{Game, PlayError};
use crate::board::{Color, Move, Setup, Square};
use crate::score::Score;
use std::io::{self, Read, Seek, SeekFrom, Write};
use thiserror::Error;

/// Bytes of a header.
const HEADER: usize = 16;
/// Bytes of a game.
const RECORD: usize = 68;
/// Empty squares from which theoretical scores hold in today's files.
const USUAL_DEPTH: u8 = 24;
/// Bytes of a game before its moves.
const FIELDS: usize = 8;

/// Why a file cannot be read or written.
#[derive(Debug, Error)]
pub enum WthorError {
    /// The system says so.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file ends within its header.
    #[error("the file is shorter than its header")]
    NoHeader,
    /// A board of another size.
    #[error("the games are played on a board of size {0}, not 8")]
    BoardSize(u8),
    /// The file holds solitaires.
    #[error("the file holds solitaires, not games")]
    Solitaires,
    /// The file ends too early.
    #[error("the file ends after {found} of {expected} records")]
    Truncated {
        /// Whole records in the file.
        found: u32,
        /// Records that its header announces.
        expected: u32,
    },
    /// More names than numbers.
    #[error("there are more than 65536 different names")]
    TooManyNames,
}

/// Why a game cannot be read or written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum WthorGameError {
    /// A byte that is no square.
    #[error("move {number}: {byte} is not a square (10 × row + column)")]
    NotASquare {
        /// Which move it should be; the first one is 1.
        number: usize,
        /// The byte.
        byte: u8,
    },
    /// A move that cannot be played.
    #[error("move {number}: `{}` is illegal: {}", error.mv(), error.reason())]
    Illegal {
        /// Which move it is, passes not counted; the first one is 1.
        number: usize,
        /// Why not.
        error: PlayError,
    },
    /// More discs than squares.
    #[error("{0} discs for black are more than the board holds")]
    Discs(u8),
    /// The format knows only the usual start.
    #[error("the game does not start from the usual board")]
    OtherStart,
    /// A name without a number.
    #[error("there are more than 65536 different names")]
    TooManyNames,
}

/// What the header of a file says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Header {
    /// When the file was made: year, month, day.
    pub created: (u16, u8, u8),
    /// Number of games.
    pub games: u32,
    /// Number of names.
    pub names: u16,
    /// Year of the games; 0 in files of names.
    pub year: u16,
    /// Board size; 0 means 8.
    pub size: u8,
    /// Whether the file holds solitaires.
    pub is_solitaire: bool,
    /// Empty squares from which the theoretical scores hold; 0 means 22.
    pub depth: u8,
}

impl Header {
    /// Reads a header.
    pub fn parse(bytes: [u8; HEADER]) -> Self {
        let word = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        Self {
            created: (u16::from(bytes[0]) * 100 + u16::from(bytes[1]), bytes[2], bytes[3]),
            games: u32::from_le_bytes([bytes[4], bytes[5], bytes[6], bytes[7]]),
            names: word(8),
            year: word(10),
            size: bytes[12],
            is_solitaire: bytes[13] == 1,
            depth: bytes[14],
        }
    }

    /// Writes a header.
    pub fn bytes(self) -> [u8; HEADER] {
        let mut bytes = [0; HEADER];
        let (year, month, day) = self.created;
        bytes[..4].copy_from_slice(&[(year / 100) as u8, (year % 100) as u8, month, day]);
        bytes[4..8].copy_from_slice(&self.games.to_le_bytes());
        bytes[8..10].copy_from_slice(&self.names.to_le_bytes());
        bytes[10..12].copy_from_slice(&self.year.to_le_bytes());
        bytes[12..15].copy_from_slice(&[self.size, u8::from(self.is_solitaire), self.depth]);
        bytes
    }

    fn read(input: &mut impl Read) -> Result<Self, WthorError> {
        let mut bytes = [0; HEADER];
        match input.read_exact(&mut bytes) {
            Ok(()) => Ok(Self::parse(bytes)),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Err(WthorError::NoHeader),
            Err(error) => Err(error.into()),
        }
    }
}

impl Tables {
    /// A game as the 68 bytes of a file. Names without a number get one.
    ///
    /// # Errors
    /// If the game has another start than the usual one, or there are too many names.
    pub fn encode(&mut self, record: &GameRecord) -> Result<[u8; RECORD], WthorGameError> {
        let game = &record.game;
        if game.start() != Setup::START {
            return Err(WthorGameError::OtherStart);
        }
        let fields = record.wthor;
        let number = |name: &Option<String>, names: &mut Names, kept: Option<u16>| match name {
            Some(name) if kept.is_some_and(|kept| names.name(kept) == Some(name)) => Ok(kept.unwrap_or(0)),
            Some(name) => names.number(name).ok_or(WthorGameError::TooManyNames),
            // A game read without the tables knows only the numbers.
            None => Ok(kept.unwrap_or(0)),
        };
        let tournament = number(&record.event, &mut self.tournaments, fields.map(|fields| fields.tournament))?;
        let black = number(&record.black.name, &mut self.players, fields.map(|fields| fields.black))?;
        let white = number(&record.white.name, &mut self.players, fields.map(|fields| fields.white))?;
        let mut bytes = [0; RECORD];
        bytes[0..2].copy_from_slice(&tournament.to_le_bytes());
        bytes[2..4].copy_from_slice(&black.to_le_bytes());
        bytes[4..6].copy_from_slice(&white.to_le_bytes());
        bytes[6] = discs_to_write(record);
        bytes[7] = fields.map_or(bytes[6], |fields| fields.theoretical);
        for (byte, square) in bytes[FIELDS..].iter_mut().zip(game.moves().filter_map(Move::square)) {
            *byte = ((square.rank() + 1) * 10 + square.file() + 1) as u8;
        }
        Ok(bytes)
    }

    /// A game from the 68 bytes of a file with this header.
    ///
    /// # Errors
    /// If the moves are not a legal game.
    pub fn decode(&self, header: Header, bytes: &[u8; RECORD]) -> Result<GameRecord, WthorGameError> {
        let word = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        let fields = WthorFields {
            tournament: word(0),
            black: word(2),
            white: word(4),
            theoretical: bytes[7],
            depth: if header.depth == 0 { 22 } else { header.depth },
        };
        if let Some(&discs) = bytes[6..8].iter().find(|&&discs| usize::from(discs) > Square::COUNT) {
            return Err(WthorGameError::Discs(discs));
        }
        let mut record = GameRecord::of(decode_moves(&bytes[FIELDS..])?);
        record.black.name = self.players.name(fields.black).map(str::to_owned);
        record.white.name = self.players.name(fields.white).map(str::to_owned);
        record.event = self.tournaments.name(fields.tournament).map(str::to_owned);
        record.date = (header.year > 0).then(|| header.year.to_string());
        let score = Score::from_discs(2 * i32::from(bytes[6]) - Square::COUNT as i32);
        record.verdict = Some(Verdict { outcome: Outcome::Score(score), ending: Ending::Normal });
        record.wthor = Some(fields);
        Ok(record)
    }
}

fn decode_moves(bytes: &[u8]) -> Result<Game, WthorGameError> {
    let mut game = Game::new();
    let length = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    for (index, &byte) in bytes[..length].iter().enumerate() {
        let number = index + 1;
        let (row, column) = (usize::from(byte / 10), usize::from(byte % 10));
        let square = Square::from_file_rank(column.wrapping_sub(1), row.wrapping_sub(1))
            .ok_or(WthorGameError::NotASquare { number, byte })?;
        game.play_next(Move::Place(square)).map_err(|error| WthorGameError::Illegal { number, error })?;
    }
    Ok(game)
}

/// Whether the format makes up the score of a game: it has no word for one that nobody knows.
pub fn is_score_guessed(record: &GameRecord) -> bool {
    record.is_unfinished() && !matches!(record.verdict, Some(Verdict { outcome: Outcome::Score(_), .. }))
}

/// Black's discs, empty squares counted for the winner: as stated if the file knows, or else by the board. A stated
/// score is kept even against the moves, so that a database is written as it was read; of a winner without a score the
/// least is said.
fn discs_to_write(record: &GameRecord) -> u8 {
    let score = match record.verdict.map(|verdict| verdict.outcome) {
        Some(Outcome::Score(score)) if record.wthor.is_some() || record.is_unfinished() => score,
        Some(Outcome::Win(winner)) if record.is_unfinished() => {
            Score::from_discs(if winner == Color::Black { 2 } else { -2 })
        }
        _ => {
            let score = record.game.position().final_score();
            if record.game.side() == Color::Black { score } else { -score }
        }
    };
    ((score.discs() + Square::COUNT as i32) / 2) as u8
}

/// Reads the games of a file one by one.
#[derive(Debug)]
pub struct Reader<'a, R> {
    input: R,
    header: Header,
    tables: &'a Tables,
    read: u32,
}

impl<'a, R: Read> Reader<'a, R> {
    /// Reads the header. Give it a buffered input.
    ///
    /// # Errors
    /// If the file does not hold games of Othello on the usual board.
    pub fn new(mut input: R, tables: &'a Tables) -> Result<Self, WthorError> {
        let header = Header::read(&mut input)?;
        if header.is_solitaire {
            return Err(WthorError::Solitaires);
        }
        if !matches!(usize::from(header.size), 0 | Square::SIDE) {
            return Err(WthorError::BoardSize(header.size));
        }
        Ok(Self { input, header, tables, read: 0 })
    }

    /// What the header says.
    pub const fn header(&self) -> Header {
        self.header
    }
}

/// Each game, or why it is none. An error of the file itself ends it.
impl<R: Read> Iterator for Reader<'_, R> {
    type Item = Result<Result<GameRecord, WthorGameError>, WthorError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.read >= self.header.games {
            return None;
        }
        let mut bytes = [0; RECORD];
        let error = match read_record(&mut self.input, &mut bytes) {
            Ok(true) => {
                self.read += 1;
                return Some(Ok(self.tables.decode(self.header, &bytes)));
            }
            Ok(false) => WthorError::Truncated { found: self.read, expected: self.header.games },
            Err(error) => error.into(),
        };
        self.header.games = self.read;
        Some(Err(error))
    }
}

/// Writes games to a file one by one. The header is right once [`Writer::finish`] has been called.
#[derive(Debug)]
pub struct Writer<W> {
    out: W,
    header: Header,
    misdated: usize,
}

impl<W: Write + Seek> Writer<W> {
    /// Starts a file of games; give it a buffered output.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn new(mut out: W, created: (u16, u8, u8)) -> io::Result<Self> {
        let size = Square::SIDE as u8;
        let header = Header { created, games: 0, names: 0, year: 0, size, is_solitaire: false, depth: USUAL_DEPTH };
        out.write_all(&header.bytes())?;
        Ok(Self { out, header, misdated: 0 })
    }

    /// Writes a game; names without a number get one in the tables. The first game gives the file its year.
    ///
    /// # Errors
    /// If the output cannot be written; inside, if the format has no place for the game.
    pub fn write(&mut self, record: &GameRecord, tables: &mut Tables) -> io::Result<Result<(), WthorGameError>> {
        let bytes = match tables.encode(record) {
            Ok(bytes) => bytes,
            Err(error) => return Ok(Err(error)),
        };
        let year = record.date.as_deref().and_then(year).unwrap_or(0);
        if self.header.games == 0 {
            self.header.year = year;
            self.header.depth = record.wthor.map_or(USUAL_DEPTH, |fields| fields.depth);
        }
        self.misdated += usize::from(year != self.header.year);
        self.header.games += 1;
        self.out.write_all(&bytes).map(Ok)
    }

    /// The year of the file; 0 if unknown.
    pub const fn year(&self) -> u16 {
        self.header.year
    }

    /// Games written that are of another year than the file, or of an unknown one.
    pub const fn misdated(&self) -> usize {
        self.misdated
    }

    /// Writes the header anew, with the number of games, and returns the output.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn finish(mut self) -> io::Result<W> {
        self.out.seek(SeekFrom::Start(0))?;
        self.out.write_all(&self.header.bytes())?;
        self.out.flush()?;
        Ok(self.out)
    }
}

/// The year that a date speaks of: its first four digits in a row.
fn year(date: &str) -> Option<u16> {
    let digits = date.split(|character: char| !character.is_ascii_digit()).find(|run| run.len() == 4)?;
    digits.parse().ok()
}

/// Fills `bytes`; false if the input ends first.
fn read_record(input: &mut impl Read, bytes: &mut [u8]) -> io::Result<bool> {
    match input.read_exact(bytes) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}
