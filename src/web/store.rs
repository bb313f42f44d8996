//! What lasts: kept games and settings, in an SQLite file.
//!
//! Owns the file and its tables; must not know sessions or messages in flight. Start reading at [`Store`].

use super::message::event::{Ending, KeptGame};
use super::message::{Both, Player, Settings, Side};
use parking_lot::Mutex;
use rusqlite::{Connection, OptionalExtension, Row, params};
use std::path::Path;
use thiserror::Error;

/// Version of the tables, kept in the file. An older file is brought up to it, a newer one is refused.
const VERSION: i64 = 1;
const TABLES: &str = "
CREATE TABLE games (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    time INTEGER NOT NULL DEFAULT (unixepoch()),
    transcript TEXT NOT NULL,
    black_name TEXT NOT NULL,
    white_name TEXT NOT NULL,
    players TEXT,
    human TEXT,
    winner TEXT,
    score INTEGER,
    ending TEXT NOT NULL,
    moves INTEGER NOT NULL,
    starred INTEGER NOT NULL DEFAULT 0,
    rated_level INTEGER
);
CREATE TABLE settings (id INTEGER PRIMARY KEY CHECK (id = 0), value TEXT NOT NULL);
";

/// Games of a page of the list.
pub(super) const PAGE: u32 = 50;

/// Why the store does not do what it is asked.
#[derive(Debug, Error)]
pub enum StoreError {
    /// SQLite says so.
    #[error("the store of games cannot be used: {0}")]
    Database(#[from] rusqlite::Error),
    /// The file was made by a later version.
    #[error("the store of games is of version {0}; this program knows version {VERSION}")]
    Newer(i64),
    /// No game has this number.
    #[error("there is no kept game `{0}`")]
    NoSuchGame(i64),
}

/// A game to keep, or one that was kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Kept {
    /// The moves, with the board they start from.
    pub(super) transcript: String,
    pub(super) names: Both<String>,
    /// Who played; `None` for imported games.
    pub(super) players: Option<Both<Player>>,
    /// The side of the person, if one person played.
    pub(super) human: Option<Side>,
    pub(super) winner: Option<Side>,
    /// From Black's view, if the game was played out.
    pub(super) score: Option<i32>,
    pub(super) ending: Ending,
    /// Discs placed.
    pub(super) moves: u32,
    /// The level of the opponent, if the game counts for the rating.
    pub(super) rated_level: Option<u8>,
}

/// A game that counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct RatedGame {
    pub(super) game: i64,
    pub(super) time: i64,
    pub(super) level: u8,
    /// Points of the person in halves.
    pub(super) half_points: u8,
}

/// The store. All of it is behind one lock: its work takes milliseconds.
#[derive(Debug)]
pub struct Store(Mutex<Connection>);

impl Store {
    /// Opens the file, which is made if it is not there.
    ///
    /// # Errors
    /// If it cannot be opened, or is of a later version.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        Self::prepare(Connection::open(path)?)
    }

    /// A store that is gone with the program.
    ///
    /// # Errors
    /// If SQLite cannot make one.
    pub fn in_memory() -> Result<Self, StoreError> {
        Self::prepare(Connection::open_in_memory()?)
    }

    fn prepare(mut connection: Connection) -> Result<Self, StoreError> {
        connection.busy_timeout(std::time::Duration::from_secs(5))?;
        let transaction = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        let version: i64 = transaction.query_row("PRAGMA user_version", [], |row| row.get(0))?;
        if version > VERSION {
            return Err(StoreError::Newer(version));
        }
        if version == 0 {
            transaction.execute_batch(TABLES)?;
            transaction.pragma_update(None, "user_version", VERSION)?;
        }
        transaction.commit()?;
        Ok(Self(Mutex::new(connection)))
    }

    /// The settings; those of a new user if there are none, or none that this version understands.
    pub(super) fn settings(&self) -> Result<Settings, StoreError> {
        let connection = self.0.lock();
        let value: Option<String> =
            connection.query_row("SELECT value FROM settings", [], |row| row.get(0)).optional()?;
        Ok(value.and_then(|value| serde_json::from_str(&value).ok()).unwrap_or_default())
    }

    pub(super) fn set_settings(&self, settings: &Settings) -> Result<(), StoreError> {
        let value = json(settings);
        self.0.lock().execute("INSERT OR REPLACE INTO settings (id, value) VALUES (0, ?1)", [value])?;
        Ok(())
    }

    /// The date of today, such as `2026-11-30`.
    pub(super) fn today(&self) -> Result<String, StoreError> {
        Ok(self.0.lock().query_row("SELECT date('now')", [], |row| row.get(0))?)
    }

    /// Keeps games, all or none, and returns their numbers.
    pub(super) fn keep(&self, games: &[Kept]) -> Result<Vec<i64>, StoreError> {
        let mut connection = self.0.lock();
        let transaction = connection.transaction()?;
        let mut numbers = Vec::with_capacity(games.len());
        for game in games {
            transaction.execute(
                "INSERT INTO games (transcript, black_name, white_name, players, human, winner, score, ending, moves,
                 rated_level) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
                params![
                    game.transcript,
                    game.names.black,
                    game.names.white,
                    game.players.map(|players| json(&players)),
                    game.human.map(|side| json(&side)),
                    game.winner.map(|side| json(&side)),
                    game.score,
                    json(&game.ending),
                    game.moves,
                    game.rated_level,
                ],
            )?;
            numbers.push(transaction.last_insert_rowid());
        }
        transaction.commit()?;
        Ok(numbers)
    }

    /// A page of the list, newest first, and the length of the whole list.
    pub(super) fn list(&self, starred: bool, skip: u32) -> Result<(u32, Vec<KeptGame>), StoreError> {
        let connection = self.0.lock();
        let total =
            connection.query_row("SELECT count(*) FROM games WHERE starred >= ?1", [starred], |row| row.get(0))?;
        let mut statement = connection.prepare(
            "SELECT id, time, black_name, white_name, human, winner, score, ending, moves, starred, rated_level
             FROM games WHERE starred >= ?1 ORDER BY id DESC LIMIT ?2 OFFSET ?3",
        )?;
        let games = statement.query_map(params![starred, PAGE, skip], listed)?.collect::<Result<_, _>>()?;
        Ok((total, games))
    }

    /// The numbers of all games, oldest first.
    pub(super) fn all(&self) -> Result<Vec<i64>, StoreError> {
        let connection = self.0.lock();
        let mut statement = connection.prepare("SELECT id FROM games ORDER BY id")?;
        let numbers = statement.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
        Ok(numbers)
    }

    /// A kept game and the date on which it was kept, such as `2026-11-30`.
    pub(super) fn game(&self, game: i64) -> Result<(Kept, String), StoreError> {
        let connection = self.0.lock();
        let found = connection.query_row(
            "SELECT transcript, black_name, white_name, players, human, winner, score, ending, moves, rated_level,
             date(time, 'unixepoch') FROM games WHERE id = ?1",
            [game],
            |row| {
                let kept = Kept {
                    transcript: row.get(0)?,
                    names: Both { black: row.get(1)?, white: row.get(2)? },
                    players: from_json(row, 3)?,
                    human: from_json(row, 4)?,
                    winner: from_json(row, 5)?,
                    score: row.get(6)?,
                    ending: from_json(row, 7)?.unwrap_or(Ending::Unfinished),
                    moves: row.get(8)?,
                    rated_level: row.get(9)?,
                };
                Ok((kept, row.get(10)?))
            },
        );
        found.optional()?.ok_or(StoreError::NoSuchGame(game))
    }

    pub(super) fn star(&self, game: i64, starred: bool) -> Result<(), StoreError> {
        self.change(game, "UPDATE games SET starred = ?2 WHERE id = ?1", params![game, starred])
    }

    pub(super) fn delete(&self, game: i64) -> Result<(), StoreError> {
        self.change(game, "DELETE FROM games WHERE id = ?1", params![game])
    }

    fn change(&self, game: i64, sql: &str, values: &[&dyn rusqlite::ToSql]) -> Result<(), StoreError> {
        match self.0.lock().execute(sql, values)? {
            0 => Err(StoreError::NoSuchGame(game)),
            _ => Ok(()),
        }
    }

    /// The games that count, oldest first.
    pub(super) fn rated(&self) -> Result<Vec<RatedGame>, StoreError> {
        let connection = self.0.lock();
        let mut statement = connection.prepare(
            "SELECT id, time, rated_level, human, winner FROM games WHERE rated_level IS NOT NULL ORDER BY id",
        )?;
        let rows = statement.query_map([], |row| {
            let (human, winner): (Option<Side>, Option<Side>) = (from_json(row, 3)?, from_json(row, 4)?);
            let half_points = match winner {
                None => 1,
                Some(_) if winner == human => 2,
                Some(_) => 0,
            };
            Ok(RatedGame { game: row.get(0)?, time: row.get(1)?, level: row.get(2)?, half_points })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}

fn listed(row: &Row<'_>) -> rusqlite::Result<KeptGame> {
    Ok(KeptGame {
        game: row.get(0)?,
        time: row.get(1)?,
        names: Both { black: row.get(2)?, white: row.get(3)? },
        human: from_json(row, 4)?,
        winner: from_json(row, 5)?,
        score: row.get(6)?,
        ending: from_json(row, 7)?.unwrap_or(Ending::Unfinished),
        moves: row.get(8)?,
        starred: row.get(9)?,
        rated: row.get::<_, Option<u8>>(10)?.is_some(),
    })
}

fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("the types of messages are JSON")
}

/// A value that stands as JSON in a column.
fn from_json<T: serde::de::DeserializeOwned>(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<T>> {
    let text: Option<String> = row.get(column)?;
    text.map(|text| serde_json::from_str(&text))
        .transpose()
        .map_err(|error| rusqlite::Error::FromSqlConversionFailure(column, rusqlite::types::Type::Text, error.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(crate) fn kept(transcript: &str, winner: Option<Side>) -> Kept {
        Kept {
            transcript: transcript.to_owned(),
            names: Both { black: "Ann".to_owned(), white: "Volte 3".to_owned() },
            players: Some(Both { black: Player::Human, white: Player::Engine { level: Some(3), move_ms: None } }),
            human: Some(Side::Black),
            winner,
            score: Some(4),
            ending: Ending::Played,
            moves: 60,
            rated_level: Some(3),
        }
    }

    #[test]
    fn games_come_back_as_they_were_kept() {
        let store = Store::in_memory().unwrap();
        let games = [kept("f5d6", Some(Side::Black)), kept("f5f4", None)];
        let numbers = store.keep(&games).unwrap();
        assert_eq!(store.game(numbers[1]).unwrap().0, games[1]);
        let (total, list) = store.list(false, 0).unwrap();
        assert_eq!((total, list[0].game, list[1].game), (2, numbers[1], numbers[0]));
        store.star(numbers[0], true).unwrap();
        let (total, list) = store.list(true, 0).unwrap();
        assert_eq!((total, list.len(), list[0].game), (1, 1, numbers[0]));
        let points: Vec<_> = store.rated().unwrap().iter().map(|game| game.half_points).collect();
        assert_eq!(points, [2, 1]);
        store.delete(numbers[0]).unwrap();
        assert!(matches!(store.game(numbers[0]), Err(StoreError::NoSuchGame(_))));
        assert!(store.star(numbers[0], true).is_err() && store.delete(numbers[0]).is_err());
        assert_eq!(store.all().unwrap(), [numbers[1]]);
    }

    #[test]
    fn a_file_keeps_games_and_settings() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("оселло オセロ.sqlite");
        let settings = Settings { name: "Ann".to_owned(), ..Settings::default() };
        {
            let store = Store::open(&path).unwrap();
            assert_eq!(store.settings().unwrap(), Settings::default());
            store.set_settings(&settings).unwrap();
            store.keep(&[kept("f5", None)]).unwrap();
        }
        let store = Store::open(&path).unwrap();
        assert_eq!((store.settings().unwrap(), store.list(false, 0).unwrap().0), (settings, 1));
        store.0.lock().pragma_update(None, "user_version", 99).unwrap();
        drop(store);
        assert!(matches!(Store::open(&path), Err(StoreError::Newer(99))));
    }
}
