//! What the server tells.

pub use super::reading::{Fault, FaultKind, TextGame};

use super::{Board, Both, ClockSettings, Player, Settings, Side, TextFormat};
use schemars::JsonSchema;
use serde::Serialize;

/// Something that the server tells a client. `hello` comes first, then `settings` and `state`; every change of the game
/// brings a new `state`, which is complete in itself.
#[derive(Serialize, JsonSchema, Clone, PartialEq, Debug)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Event {
    /// Who answers, in which session.
    Hello(Hello),
    /// The whole game as it stands.
    State(Box<State>),
    /// What a search has found so far.
    Thinking(Thinking),
    /// A search is over; what it found has been told.
    ThinkingDone {
        /// What it was for.
        purpose: Purpose,
    },
    /// Something worth announcing has happened.
    Notice(Notice),
    /// The graph of the game so far.
    Review(Review),
    /// The settings, as kept.
    Settings {
        /// All of them.
        settings: Settings,
    },
    /// The answer to `list_games`.
    Games {
        /// How many there are in all.
        total: u32,
        /// A page of them, newest first.
        games: Vec<KeptGame>,
    },
    /// The answer to `list_open`: games that are not over and can be gone on with, the latest first.
    OpenGames {
        /// The games.
        games: Vec<OpenGame>,
    },
    /// The answer to `export` and `export_games`.
    Text {
        /// The format.
        format: TextFormat,
        /// A name for a file of it.
        file_name: String,
        /// The text.
        text: String,
    },
    /// The answer to `preview`: what a text holds.
    Preview {
        /// The board at the end of the first game.
        board: Board,
        /// Turns that lead to it.
        moves: usize,
        /// The name of the format that was recognised.
        format: String,
        /// Every game, up to a few hundred.
        games: Vec<TextGame>,
        /// Number of all games.
        total: usize,
        /// What could not be read, up to a few.
        faults: Vec<Fault>,
    },
    /// The answer to `import_games`.
    Imported {
        /// How many games were kept.
        kept: usize,
        /// Why others were not, each with its place in the text.
        skipped: Vec<String>,
        /// The same, to be said in another language.
        faults: Vec<Fault>,
    },
    /// The answer to `rating`.
    Rating(Rating),
    /// A request was carried out, and what it caused has been told.
    Done {
        /// The number of the request.
        id: u64,
    },
    /// A request was refused. Nothing has changed.
    Error(Refusal),
}

/// Who answers.
#[derive(Serialize, JsonSchema, Clone, PartialEq, Debug)]
pub struct Hello {
    /// Version of the interface.
    pub interface: u32,
    /// Version of Volte.
    pub version: String,
    /// Name of the session, to come back to it with `?session=`.
    pub session: String,
    /// Whether the session was there already.
    pub resumed: bool,
    /// Whether it was brought back from the store, because it or the server had ended meanwhile.
    pub restored: bool,
    /// What each level means.
    pub levels: Vec<LevelMeaning>,
    /// The level when none is chosen.
    pub default_level: u8,
}

/// What a level means.
#[derive(Serialize, JsonSchema, Clone, Copy, PartialEq, Eq, Debug)]
pub struct LevelMeaning {
    /// The level.
    pub level: u8,
    /// Plies it looks ahead until the end is in reach.
    pub depth: u8,
    /// Confidence of its pruning meanwhile, in percent; 100 prunes nothing on a guess.
    pub selectivity: u8,
    /// Number of empty squares from which on it plays perfectly.
    pub perfect_from: u8,
    /// Elo on the scale of the ratings.
    pub elo: i32,
}

/// A game as it stands.
#[derive(Serialize, JsonSchema, Clone, PartialEq, Debug)]
pub struct State {
    /// Grows with every state of a session.
    pub revision: u64,
    /// The board now.
    pub board: Board,
    /// Discs of each side.
    pub discs: Both<u32>,
    /// Squares where the side to move may play; empty if it must pass or the game is over.
    pub legal: Vec<String>,
    /// Whether the side to move has to pass.
    pub must_pass: bool,
    /// Discs that can never be turned again, as far as is known.
    pub stable: Vec<String>,
    /// Turns of the line, those taken back included.
    pub turns: Vec<TurnView>,
    /// How many of them are on the board.
    pub ply: usize,
    /// Every line of the game; the present one is among them.
    pub lines: Vec<LineView>,
    /// The place of the present line.
    pub line: usize,
    /// Who plays.
    pub players: Both<Player>,
    /// Clocks of the game.
    pub clock: Option<ClockSettings>,
    /// Milliseconds left on each clock.
    pub time_left_ms: Option<Both<u64>>,
    /// The side whose clock is running.
    pub clock_running: Option<Side>,
    /// What goes on.
    pub status: Status,
    /// What the engine is busy with.
    pub busy: Option<Purpose>,
    /// Best moves that the analysis values; 0 if it is off.
    pub analysis: usize,
    /// How the game ended.
    pub result: Option<ResultView>,
    /// Whether the game counts for the rating of the person, if it ends like this.
    pub rated: bool,
    /// The name of the opening, if it has one.
    pub opening: Option<String>,
    /// The board the line starts from.
    pub start: Board,
}

/// What goes on in a game.
#[derive(Serialize, JsonSchema, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// A person is to move.
    Human,
    /// The engine is thinking about its move.
    Engine,
    /// It is the engine's turn, and it waits for `resume`.
    Paused,
    /// The game is over.
    Over,
}

/// A turn of a line.
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct TurnView {
    /// Who moved.
    pub side: Side,
    /// A square, or `pass`.
    #[serde(rename = "move")]
    pub mv: String,
}

/// A line of a game.
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct LineView {
    /// Number of turns that it shares with the present line.
    pub shared: usize,
    /// Its turns after those.
    pub moves: Vec<String>,
    /// Number of all its turns.
    pub length: usize,
}

/// How a game ended.
#[derive(Serialize, serde::Deserialize, JsonSchema, Clone, Copy, PartialEq, Eq, Debug)]
pub struct ResultView {
    /// Who won; `null` is a draw.
    pub winner: Option<Side>,
    /// The final score from Black's view, empty squares counted for the winner; `null` if it was not played out.
    pub score: Option<i32>,
    /// How it came to its end.
    pub ending: Ending,
}

/// How a game came to its end.
#[derive(Serialize, serde::Deserialize, JsonSchema, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// Nobody can move.
    Played,
    /// One side gave up.
    Resigned,
    /// The sides agreed on a draw.
    Agreed,
    /// One side ran out of time.
    Timeout,
    /// It has not come to its end.
    Unfinished,
}

/// What a search is for.
#[derive(Serialize, JsonSchema, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    /// A move of the engine.
    Move,
    /// Hints that were asked for.
    Hint,
    /// Analysis that goes on until it is stopped.
    Analysis,
    /// The answer to the offer of a draw.
    Draw,
    /// The graph of the game.
    Review,
    /// What an engine does in the time of a person; nobody hears of it.
    Ponder,
}

/// What a search has found so far.
#[derive(Serialize, JsonSchema, Clone, PartialEq, Debug)]
pub struct Thinking {
    /// What it is for.
    pub purpose: Purpose,
    /// Turns on the board that it thinks about.
    pub ply: usize,
    /// Best moves, best first.
    pub lines: Vec<Candidate>,
    /// Positions visited.
    pub nodes: u64,
    /// Milliseconds used.
    pub ms: u64,
}

/// A move with its value.
#[derive(Serialize, JsonSchema, Clone, PartialEq, Debug)]
pub struct Candidate {
    /// A square, or `pass`.
    #[serde(rename = "move")]
    pub mv: String,
    /// Discs, for the side that moves.
    pub score: f64,
    /// Whether the score is exact.
    pub exact: bool,
    /// Plies searched.
    pub depth: u8,
    /// Confidence of the pruning, in percent.
    pub selectivity: u8,
    /// Expected play, beginning with the move.
    pub pv: Vec<String>,
}

/// Something worth announcing.
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
#[serde(tag = "notice", rename_all = "snake_case")]
pub enum Notice {
    /// A side had to pass.
    Passed {
        /// Which.
        side: Side,
    },
    /// The engine declines a draw.
    DrawDeclined,
    /// The game has ended, or another one has replaced it, and it is kept.
    Kept {
        /// Its number among the kept games.
        game: i64,
        /// The person's new rating, if the game counted.
        rating: Option<i32>,
        /// Whether it is not over: another game has taken its place.
        unfinished: bool,
    },
}

/// A game that is not over.
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct OpenGame {
    /// The session in which it goes on, with `?session=`; `null` if it is only among the kept games.
    pub session: Option<String>,
    /// Its number among the kept games, if it is there.
    pub game: Option<i64>,
    /// When it was played last, in seconds since 1970.
    pub time: i64,
    /// Names of the players.
    pub names: Both<String>,
    /// Who plays, if that is known.
    pub players: Option<Both<Player>>,
    /// Turns on the board.
    pub ply: usize,
    /// The board.
    pub board: Board,
}

/// Values of the positions of a line.
#[derive(Serialize, JsonSchema, Clone, PartialEq, Debug)]
pub struct Review {
    /// Number of turns of the line when it was asked for.
    pub turns: usize,
    /// Whether all is valued.
    pub finished: bool,
    /// Whether it goes on.
    pub running: bool,
    /// What is known so far, in the order in which it was found.
    pub points: Vec<ReviewPoint>,
}

/// What a turn of a line is worth. Scores are in discs, from Black's view.
#[derive(Serialize, JsonSchema, Clone, PartialEq, Debug)]
pub struct ReviewPoint {
    /// Turns before it.
    pub ply: usize,
    /// The move that was played.
    #[serde(rename = "move")]
    pub mv: String,
    /// Its value.
    pub score: f64,
    /// The best move.
    pub best: String,
    /// Its value.
    pub best_score: f64,
    /// Discs that the move gave away, at least 0.
    pub loss: f64,
    /// Whether the values are exact.
    pub exact: bool,
    /// What players write behind such a move.
    pub sign: Option<Sign>,
}

/// What players write behind a bad move.
#[derive(Serialize, JsonSchema, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "snake_case")]
pub enum Sign {
    /// `?!`: gives 2 discs away or more.
    Dubious,
    /// `?`: 4 or more.
    Mistake,
    /// `??`: 8 or more.
    Blunder,
}

/// A kept game.
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct KeptGame {
    /// Its number.
    pub game: i64,
    /// When it was kept, in seconds since 1970.
    pub time: i64,
    /// Names of the players.
    pub names: Both<String>,
    /// Who played, if it was played here.
    pub players: Option<Both<Player>>,
    /// The side of the person, if one person played.
    pub human: Option<Side>,
    /// Who won; `null` for a draw or if nobody did.
    pub winner: Option<Side>,
    /// The final score from Black's view, if it was played out.
    pub score: Option<i32>,
    /// How it came to its end.
    pub ending: Ending,
    /// Number of discs placed.
    pub moves: u32,
    /// Whether it has a star.
    pub starred: bool,
    /// Whether it counts for the rating.
    pub rated: bool,
    /// The session in which it goes on, if it is not over.
    pub session: Option<String>,
}

/// The person's rating.
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct Rating {
    /// Elo now.
    pub elo: i32,
    /// Rated games.
    pub games: u32,
    /// After each rated game, oldest first.
    pub course: Vec<RatingPoint>,
}

/// The rating after a game.
#[derive(Serialize, JsonSchema, Clone, Copy, PartialEq, Eq, Debug)]
pub struct RatingPoint {
    /// The number of the game.
    pub game: i64,
    /// When, in seconds since 1970.
    pub time: i64,
    /// Elo of the opponent.
    pub opponent: i32,
    /// Points in halves: 0, 1 or 2.
    pub half_points: u8,
    /// Elo after it.
    pub elo: i32,
}

/// Why a request was refused.
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// The number of the request, if it had one that could be read.
    pub id: Option<u64>,
    /// What kind of reason.
    pub code: RefusalCode,
    /// The reason in English, with the offending text.
    pub message: String,
    /// What is wrong with a text, to be said in another language.
    pub fault: Option<Fault>,
}

/// Kinds of reasons to refuse a request.
#[derive(Serialize, JsonSchema, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "snake_case")]
pub enum RefusalCode {
    /// The message is not a request.
    Malformed,
    /// The message is too long.
    TooLong,
    /// The move is not legal.
    IllegalMove,
    /// It is not the turn of a person, or the game has gone on.
    NotYourTurn,
    /// There is nothing to take back or to play again, or no such turn or line.
    NoSuchTurn,
    /// The game is over.
    GameOver,
    /// A number is out of its range.
    OutOfRange,
    /// The pasted text or the board cannot be read.
    Unreadable,
    /// Nobody can move on the board.
    Unplayable,
    /// There is no such kept game.
    NoSuchGame,
    /// The kept games cannot be read or written.
    Storage,
    /// A fault of the server. The session goes on.
    Internal,
}
