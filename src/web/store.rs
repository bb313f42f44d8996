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
const VERSION: i64 = 2;
/// What brings a file from each version to the next.
const STEPS: [&str; VERSION as usize] = [
    "
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
",
    "
ALTER TABLE games ADD COLUMN variations TEXT NOT NULL DEFAULT '[]';
CREATE TABLE sessions (
    name TEXT PRIMARY KEY,
    time INTEGER NOT NULL DEFAULT (unixepoch()),
    snapshot TEXT NOT NULL,
    moves INTEGER NOT NULL,
    is_over INTEGER NOT NULL,
    game INTEGER
) WITHOUT ROWID;
",
];

/// Sessions whose game is over are forgotten after this many seconds; their games are kept.
const SESSION_AGE: u32 = 7 * 24 * 3600;

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
    /// What the file holds cannot be read.
    #[error("the store of games is damaged: {0}")]
    Damaged(String),
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
    /// Its other lines.
    pub(super) variations: Vec<String>,
}

/// A session as it was left.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct OpenSession {
    pub(super) name: String,
    /// All that is needed to go on; only sessions look inside.
    pub(super) snapshot: String,
    /// Discs placed.
    pub(super) moves: u32,
    pub(super) is_over: bool,
    /// The number of its game among the kept ones.
    pub(super) game: Option<i64>,
    /// When, in seconds since 1970; the store fills it in.
    pub(super) time: i64,
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
        // With a log beside the file a turn is written in a fraction of a millisecond, and it is safe from the end of
        // this program, however sudden; the end of the whole machine may cost the last turns, but not the file.
        connection.pragma_update(None, "journal_mode", "wal")?;
        connection.pragma_update(None, "synchronous", "normal")?;
        let transaction = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        let version: i64 = transaction.query_row("PRAGMA user_version", [], |row| row.get(0))?;
        if version > VERSION {
            return Err(StoreError::Newer(version));
        }
        for step in STEPS.iter().skip(usize::try_from(version).unwrap_or(0)) {
            transaction.execute_batch(step)?;
        }
        transaction.pragma_update(None, "user_version", VERSION)?;
        transaction.execute("DELETE FROM sessions WHERE is_over AND time < unixepoch() - ?1", [SESSION_AGE])?;
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
            numbers.push(insert(&transaction, None, game)?);
        }
        transaction.commit()?;
        Ok(numbers)
    }

    /// Keeps a game in place of the one with this number, or as a new one, and returns its number. It keeps its star.
    pub(super) fn keep_as(&self, number: Option<i64>, game: &Kept) -> Result<i64, StoreError> {
        Ok(insert(&self.0.lock(), number, game)?)
    }

    /// Writes down how a session stands, and the other lines of its kept game. Where nothing has been played there is
    /// nothing to write.
    pub(super) fn save_session(
        &self,
        session: &OpenSession,
        variations: Option<&(i64, Vec<String>)>,
    ) -> Result<(), StoreError> {
        let OpenSession { name, snapshot, moves, is_over, game, .. } = session;
        let mut connection = self.0.lock();
        let transaction = connection.transaction()?;
        transaction
            .prepare(
                "INSERT INTO sessions (name, snapshot, moves, is_over, game) VALUES (?1, ?2, ?3, ?4, ?5)
                 ON CONFLICT (name) DO UPDATE SET time = unixepoch(), snapshot = ?2, moves = ?3, is_over = ?4, game = ?5",
            )?
            .execute(params![name, snapshot, moves, is_over, game])?;
        if let Some((game, lines)) = variations {
            transaction
                .prepare("UPDATE games SET variations = ?2 WHERE id = ?1 AND variations <> ?2")?
                .execute(params![game, json(lines)])?;
        }
        transaction.commit()?;
        Ok(())
    }

    /// The snapshot of a session, if it was left.
    pub(super) fn session(&self, name: &str) -> Result<Option<String>, StoreError> {
        let connection = self.0.lock();
        let found =
            connection.query_row("SELECT snapshot FROM sessions WHERE name = ?1", [name], |row| row.get(0)).optional();
        Ok(found?)
    }

    /// Forgets a session that has nothing to go on with: no move, or a game that is over.
    pub(super) fn close_session(&self, name: &str) -> Result<(), StoreError> {
        self.0.lock().execute("DELETE FROM sessions WHERE name = ?1 AND (is_over OR moves = 0)", [name])?;
        Ok(())
    }

    /// Forgets a session.
    pub(super) fn forget_session(&self, name: &str) -> Result<(), StoreError> {
        self.0.lock().execute("DELETE FROM sessions WHERE name = ?1", [name])?;
        Ok(())
    }

    /// The sessions whose games are not over, the latest first.
    pub(super) fn open_sessions(&self) -> Result<Vec<OpenSession>, StoreError> {
        let connection = self.0.lock();
        let mut statement = connection.prepare(
            "SELECT name, snapshot, moves, is_over, game, time FROM sessions WHERE NOT is_over AND moves > 0
             ORDER BY time DESC LIMIT ?1",
        )?;
        let rows = statement.query_map([PAGE], |row| {
            Ok(OpenSession {
                name: row.get(0)?,
                snapshot: row.get(1)?,
                moves: row.get(2)?,
                is_over: row.get(3)?,
                game: row.get(4)?,
                time: row.get(5)?,
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// A page of the list, newest first, and the length of the whole list. Each of the words of `search` has to stand in
    /// the names of the players, the day or the moves.
    pub(super) fn list(&self, starred: bool, search: &str, skip: u32) -> Result<(u32, Vec<KeptGame>), StoreError> {
        let words: Vec<_> = search.split_whitespace().map(str::to_lowercase).collect();
        let connection = self.0.lock();
        let mut statement = connection.prepare(
            "SELECT id, games.time, black_name, white_name, human, winner, score, ending, games.moves, starred,
             rated_level, players, name, black_name || ' ' || white_name || ' ' || date(games.time, 'unixepoch') || ' '
             || transcript FROM games LEFT JOIN sessions ON game = id AND NOT is_over AND ending = '\"unfinished\"'
             WHERE starred >= ?1 GROUP BY id ORDER BY id DESC",
        )?;
        let mut rows = statement.query([starred])?;
        let (mut total, mut games) = (0, Vec::new());
        while let Some(row) = rows.next()? {
            // SQLite itself would know the letters of English alone.
            let is_wanted = words.is_empty() || {
                let text = row.get::<_, String>(13)?.to_lowercase();
                words.iter().all(|word| text.contains(word))
            };
            if is_wanted {
                if (skip..skip + PAGE).contains(&total) {
                    games.push(listed(row)?);
                }
                total += 1;
            }
        }
        Ok((total, games))
    }

    /// The games that are not over and that no session goes on with, the latest first.
    pub(super) fn unfinished(&self) -> Result<Vec<(i64, i64, Kept)>, StoreError> {
        let numbers: Vec<(i64, i64)> = {
            let connection = self.0.lock();
            let mut statement = connection.prepare(
                "SELECT id, time FROM games WHERE ending = '\"unfinished\"' AND players IS NOT NULL
                 AND id NOT IN (SELECT game FROM sessions WHERE game IS NOT NULL AND NOT is_over)
                 ORDER BY id DESC LIMIT ?1",
            )?;
            statement.query_map([PAGE], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<Result<_, _>>()?
        };
        numbers.into_iter().map(|(number, time)| Ok((number, time, self.game(number)?.0))).collect()
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
             date(time, 'unixepoch'), variations FROM games WHERE id = ?1",
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
                    variations: from_json(row, 11)?.unwrap_or_default(),
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
        players: from_json(row, 11)?,
        session: row.get(12)?,
    })
}

/// Writes a game in place of the one with this number, if that is still there, or as a new one.
fn insert(connection: &Connection, number: Option<i64>, game: &Kept) -> rusqlite::Result<i64> {
    connection.execute(
        "INSERT INTO games (id, transcript, black_name, white_name, players, human, winner, score, ending, moves,
         rated_level, variations) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
         ON CONFLICT (id) DO UPDATE SET time = unixepoch(), transcript = ?2, black_name = ?3, white_name = ?4,
         players = ?5, human = ?6, winner = ?7, score = ?8, ending = ?9, moves = ?10, rated_level = ?11,
         variations = ?12",
        params![
            number,
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
            json(&game.variations),
        ],
    )?;
    Ok(number.unwrap_or_else(|| connection.last_insert_rowid()))
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
            variations: vec!["f5f6".to_owned()],
        }
    }

    #[test]
    fn games_come_back_as_they_were_kept() {
        let store = Store::in_memory().unwrap();
        let games = [kept("f5d6", Some(Side::Black)), kept("f5f4", None)];
        let numbers = store.keep(&games).unwrap();
        assert_eq!(store.game(numbers[1]).unwrap().0, games[1]);
        let (total, list) = store.list(false, "", 0).unwrap();
        assert_eq!((total, list[0].game, list[1].game), (2, numbers[1], numbers[0]));
        store.star(numbers[0], true).unwrap();
        let (total, list) = store.list(true, "", 0).unwrap();
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
        assert_eq!((store.settings().unwrap(), store.list(false, "", 0).unwrap().0), (settings, 1));
        store.0.lock().pragma_update(None, "user_version", 99).unwrap();
        drop(store);
        assert!(matches!(Store::open(&path), Err(StoreError::Newer(99))));
    }
}
