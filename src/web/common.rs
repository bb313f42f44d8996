//! What all sessions share: the store, the settings, the size of an engine, and news for everybody.

use super::Config;
use super::assets::ASSETS;
use super::message::event::{Event, OpenGame};
use super::message::intent::Intent;
use super::message::{Settings, TextFormat};
use super::rating;
use super::refused::Refused;
use super::session::{record, snapshot};
use super::store::{Kept, OpenSession, Store, StoreError};
use super::text;
use crate::book::Book;
use crate::engine::Evaluation;
use crate::game::transcript;
use crate::search::Resources;
use parking_lot::Mutex;
use std::sync::Arc;
use tokio::sync::broadcast;

/// News that a client may lag behind before it misses some.
pub(super) const BACKLOG: usize = 256;

/// The colours that the page has for the board and for the discs.
const BOARDS: [&str; 4] = ["green", "blue", "wood", "grey"];
const THEMES: [&str; 3] = ["auto", "light", "dark"];
const DISCS: [&str; 3] = ["classic", "ivory", "contrast"];

/// Games of a text that are listed.
const MOST_SHOWN: usize = 300;

/// Longest text of a setting, in characters.
const LONGEST_SETTING: usize = 40;

/// An event in its form on the wire, ready for any number of clients.
pub(super) type Packet = Arc<str>;

/// What sessions share.
pub(super) struct Common {
    pub(super) store: Store,
    /// The size of the engine of each session.
    pub(super) resources: Resources,
    /// The weights of all of them.
    pub(super) evaluation: Arc<Evaluation>,
    /// The opening book of all of them.
    pub(super) book: Option<Arc<Book>>,
    settings: Mutex<Settings>,
    news: broadcast::Sender<Packet>,
}

impl Common {
    pub(super) fn new(config: Config) -> Result<Self, StoreError> {
        let Config { store, resources, evaluation, book, .. } = config;
        let settings = Mutex::new(store.settings()?);
        Ok(Self { store, resources, evaluation, book, settings, news: broadcast::Sender::new(BACKLOG) })
    }

    pub(super) fn settings(&self) -> Settings {
        self.settings.lock().clone()
    }

    pub(super) fn news(&self) -> broadcast::Receiver<Packet> {
        self.news.subscribe()
    }

    /// Carries out what concerns no game on a board.
    pub(super) fn handle(&self, intent: Intent) -> Result<Vec<Event>, Refused> {
        let event = match intent {
            Intent::SetSettings { settings } => {
                check(&settings)?;
                self.store.set_settings(&settings)?;
                *self.settings.lock() = settings.clone();
                // Also the one who asked hears of it like this.
                let _ = self.news.send(packet(&Event::Settings { settings }));
                return Ok(Vec::new());
            }
            Intent::ListGames { starred, search, skip } => {
                let (total, games) = self.store.list(starred, &search, skip)?;
                Event::Games { total, games }
            }
            Intent::ListOpen => Event::OpenGames { games: self.open_games()? },
            Intent::ForgetSession { session } => {
                self.store.forget_session(&session)?;
                return Ok(Vec::new());
            }
            Intent::StarGame { game, starred } => {
                self.store.star(game, starred)?;
                return Ok(Vec::new());
            }
            Intent::DeleteGame { game } => {
                self.store.delete(game)?;
                return Ok(Vec::new());
            }
            Intent::ExportGames { games, format } => self.export(&games, format)?,
            Intent::ImportGames { text } => self.import(&text)?,
            Intent::Rating => Event::Rating(rating::of_games(&self.store.rated()?)),
            Intent::Preview { text } => preview(&text)?,
            // The others belong to a session.
            _ => return Ok(Vec::new()),
        };
        Ok(vec![event])
    }

    /// Games that are not over: those of sessions, and those among the kept games that no session goes on with.
    fn open_games(&self) -> Result<Vec<OpenGame>, Refused> {
        let person = self.settings().name;
        let mut games = Vec::new();
        for OpenSession { name, snapshot, game: kept, time, .. } in self.store.open_sessions()? {
            // What cannot be read cannot be gone on with.
            let Ok((game, players)) = snapshot::glance(&snapshot) else { continue };
            let names = record::names(players, &person);
            let (ply, board) = (game.len(), game.setup().into());
            games.push(OpenGame { session: Some(name), game: kept, time, names, players: Some(players), ply, board });
        }
        for (number, time, kept) in self.store.unfinished()? {
            let Ok(game) = transcript::parse(&kept.transcript) else { continue };
            let Kept { names, players, .. } = kept;
            let (ply, board) = (game.len(), game.setup().into());
            games.push(OpenGame { session: None, game: Some(number), time, names, players, ply, board });
        }
        games.sort_by_key(|game| std::cmp::Reverse(game.time));
        Ok(games)
    }

    fn export(&self, games: &[i64], format: TextFormat) -> Result<Event, Refused> {
        let all = if games.is_empty() { self.store.all()? } else { games.to_vec() };
        let mut records = Vec::with_capacity(all.len());
        for game in all {
            let (kept, date) = self.store.game(game)?;
            records.push(record::of_kept(&kept, date)?);
        }
        Ok(exported(records, format))
    }

    fn import(&self, text: &str) -> Result<Event, Refused> {
        let contents = text::read(text)?;
        let games: Vec<Kept> = contents.games.iter().map(record::to_keep).collect();
        let kept = self.store.keep(&games)?.len();
        Ok(Event::Imported { kept, skipped: contents.skipped, faults: contents.faults })
    }
}

/// Games as a file.
pub(super) fn exported(records: Vec<crate::game::record::GameRecord>, format: TextFormat) -> Event {
    let extension = match format {
        TextFormat::Transcript | TextFormat::Board => "txt",
        TextFormat::Ggf => "ggf",
        TextFormat::Sgf => "sgf",
        TextFormat::Pgn => "pgn",
    };
    let name = if records.len() == 1 { "game" } else { "games" };
    Event::Text { format, file_name: format!("volte-{name}.{extension}"), text: text::write(records, format) }
}

fn preview(text: &str) -> Result<Event, Refused> {
    let contents = text::read(text)?;
    let game = &contents.games[0].game;
    let (board, moves) = (game.setup().into(), game.len());
    let total = contents.games.len();
    let games = contents.games.iter().take(MOST_SHOWN).map(record::summary).collect();
    Ok(Event::Preview { board, moves, format: contents.format.to_string(), games, total, faults: contents.faults })
}

fn check(settings: &Settings) -> Result<(), Refused> {
    use super::session::start::{check_clock, check_players, out_of_range};
    let Settings { language, name, board, discs, theme, .. } = settings;
    if name.chars().count() > LONGEST_SETTING || name.contains(char::is_control) {
        return Err(out_of_range("name", name.escape_debug(), "up to 40 characters, none of them a control character"));
    }
    if let Some(language) = language
        && !ASSETS.iter().any(|asset| asset.path == format!("/texts/{language}.json"))
    {
        return Err(out_of_range("language", language.escape_debug(), "a language of the page, such as en"));
    }
    for (what, value, known) in
        [("board", board, &BOARDS[..]), ("discs", discs, &DISCS[..]), ("theme", theme, &THEMES[..])]
    {
        if !known.contains(&value.as_str()) {
            return Err(out_of_range(what, value.escape_debug(), &known.join(", ")));
        }
    }
    if !(1..=60).contains(&settings.hint_lines) {
        return Err(out_of_range("hint_lines", settings.hint_lines, "1 to 60"));
    }
    if settings.hint_level > 60 {
        return Err(out_of_range("hint_level", settings.hint_level, "0 to 60"));
    }
    if let Some(game) = &settings.last_game {
        check_players(&game.players)?;
        check_clock(game.clock)?;
    }
    Ok(())
}

/// An event in its form on the wire.
pub(super) fn packet(event: &Event) -> Packet {
    serde_json::to_string(event).expect("events are JSON").into()
}
