//! What a client may ask for.

use super::{Board, Both, ClockSettings, Player, Settings, TextFormat};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Something that a person wants. The server decides what comes of it.
#[derive(Deserialize, JsonSchema, Clone, PartialEq, Debug)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Intent {
    /// Start a new game in this session.
    NewGame(NewGame),
    /// Play a move for the side to move. It must be a person's turn.
    Play {
        /// A square such as `f5`, or `pass` if it is forced.
        #[serde(rename = "move")]
        mv: String,
        /// The number of turns before the move, as the client sees it; the move is refused if the game has gone on.
        #[serde(default)]
        at: Option<usize>,
    },
    /// Go back to the previous choice of a person: against the engine to one's own previous turn, else one turn.
    Undo,
    /// Go forth to the next choice of a person; at the end of the line the game goes on.
    Redo,
    /// Go to the position after so many turns of the line, passes counted.
    GoTo {
        /// How many turns, up to the length of the line.
        ply: usize,
    },
    /// Play moves for both sides from a turn of the line, as another line of it, and let the game wait there.
    Explore {
        /// Squares such as `f5`; forced passes may be left out.
        moves: Vec<String>,
        /// The number of turns before them.
        at: usize,
    },
    /// Go to another line of the game, where it left the present one.
    Line {
        /// Its place in the list of lines.
        line: usize,
    },
    /// Let the engine go on where it is its turn.
    Resume,
    /// Stop whatever the engine does, without a move.
    Stop,
    /// Let the engine play the best move it has so far.
    MoveNow,
    /// Give the game up, for the person whose turn it is or who plays against the engine.
    Resign,
    /// Offer a draw. The engine answers by its score; between two persons at one board it is agreed.
    OfferDraw,
    /// Change who plays, in the middle of a game.
    SetPlayers {
        /// Who plays from now on.
        players: Both<Player>,
    },
    /// Search the best moves once, at the level of hints.
    Hint {
        /// How many, at least 1.
        lines: usize,
    },
    /// Search on and on, whatever is on the board, until told to stop.
    Analyze {
        /// How many best moves to value; 0 ends the analysis.
        lines: usize,
    },
    /// Value every position of the line, for the graph of the game.
    Review,
    /// The current line as text.
    Export {
        /// The format.
        format: TextFormat,
    },
    /// What a pasted text holds, without touching the game.
    Preview {
        /// A game or a board in any format that is read; a link of the page; or a file as a `data:` URL in base64.
        text: String,
    },
    /// Keep these settings.
    SetSettings {
        /// All of them.
        settings: Settings,
    },
    /// The list of kept games, newest first.
    ListGames {
        /// Only those with a star.
        #[serde(default)]
        starred: bool,
        /// Only those with these words in the names of the players, the date or the moves.
        #[serde(default)]
        search: String,
        /// How many to leave out at the start of the list.
        #[serde(default)]
        skip: u32,
    },
    /// Put a kept game on the board. One that is not over can be played on with `resume`.
    OpenGame {
        /// Its number.
        game: i64,
    },
    /// Give a star to a kept game, or take it.
    StarGame {
        /// Its number.
        game: i64,
        /// Whether it has a star.
        starred: bool,
    },
    /// The games that are not over, wherever they were left.
    ListOpen,
    /// Forget the game of a session that nobody is in.
    ForgetSession {
        /// Its name.
        session: String,
    },
    /// Remove a kept game for good.
    DeleteGame {
        /// Its number.
        game: i64,
    },
    /// Kept games as text.
    ExportGames {
        /// Their numbers; empty for all.
        games: Vec<i64>,
        /// The format.
        format: TextFormat,
    },
    /// Keep the games of a text.
    ImportGames {
        /// Games in any format that is read, or a file as a `data:` URL in base64.
        text: String,
    },
    /// The person's rating against the levels.
    Rating,
}

/// How a new game is to be.
#[derive(Serialize, Deserialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct NewGame {
    /// Who plays.
    pub players: Both<Player>,
    /// Where the game starts.
    #[serde(default)]
    pub start: Start,
    /// Clocks for both sides; `null` for none.
    #[serde(default)]
    pub clock: Option<ClockSettings>,
    /// Milliseconds that a move of the engine takes at least, so that eyes can follow; up to 10 000.
    #[serde(default)]
    pub pace_ms: u32,
    /// Whether engines that a level does not limit think in the time of a person, too.
    #[serde(default)]
    pub ponder: bool,
}

/// Where a game starts.
#[derive(Serialize, Deserialize, JsonSchema, Clone, PartialEq, Eq, Default, Debug)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Start {
    /// At the usual start.
    #[default]
    Standard,
    /// At the usual start with black discs on corners; white begins.
    Handicap {
        /// How many corners, 1 to 4.
        corners: u8,
    },
    /// At a set-up board.
    Board {
        /// The board.
        board: Board,
    },
    /// At the end of a game of a pasted text, whose moves can be taken back, or at its board.
    Text {
        /// A game or a board in any format that is read; a link of the page; or a file as a `data:` URL in base64.
        text: String,
        /// Which of its games; 0 is the first.
        #[serde(default)]
        game: usize,
    },
}
