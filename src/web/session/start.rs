//! Where a new game starts and who may play it: everything a client may ask for, checked.

use crate::board::{Bitboard, Color, Setup, Square};
use crate::game::{Game, board_text};
use crate::search::Level;
use crate::web::message::event::RefusalCode;
use crate::web::message::intent::Start;
use crate::web::message::{Board, Both, ClockSettings, Player, Side};
use crate::web::refused::Refused;
use crate::web::text;

/// Corners that a handicap fills, in the order of play from White's view.
const HANDICAP_CORNERS: [Square; 4] = [Square::A1, Square::H8, Square::H1, Square::A8];

/// The game at its start.
pub(in crate::web) fn game(start: &Start) -> Result<Game, Refused> {
    match start {
        Start::Standard => Ok(Game::new()),
        Start::Handicap { corners } => handicap(*corners),
        Start::Board { board } => playable(from_setup(setup(board)?)?),
        Start::Text { text, game } => {
            let mut games = text::read(text)?.games;
            if *game >= games.len() {
                return Err(out_of_range("game", game, &format!("0 to {}", games.len() - 1)));
            }
            playable(games.swap_remove(*game).game)
        }
    }
}

/// A board on which nobody can move, such as an empty one, is no start; a game that has come to its end is.
fn playable(game: Game) -> Result<Game, Refused> {
    if game.is_empty() && game.is_over() {
        return Err(Refused::new(RefusalCode::Unplayable, "nobody can move on this board"));
    }
    Ok(game)
}

fn handicap(corners: u8) -> Result<Game, Refused> {
    let corners = usize::from(corners);
    if !(1..=HANDICAP_CORNERS.len()).contains(&corners) {
        return Err(out_of_range("corners", corners, "1 to 4"));
    }
    let given: Bitboard = HANDICAP_CORNERS.into_iter().take(corners).collect();
    from_setup(Setup { black: Setup::START.black | given, side: Color::White, ..Setup::START })
}

fn setup(board: &Board) -> Result<Setup, Refused> {
    let side = if board.side == Side::Black { 'X' } else { 'O' };
    board_text::parse(&format!("{} {side}", board.cells))
        .map_err(|error| Refused::new(RefusalCode::Unreadable, error.to_string()))
}

fn from_setup(setup: Setup) -> Result<Game, Refused> {
    Game::from_setup(setup).map_err(|error| Refused::new(RefusalCode::Unreadable, error.to_string()))
}

/// Checks who is to play.
pub(in crate::web) fn check_players(players: &Both<Player>) -> Result<(), Refused> {
    for player in [players.black, players.white] {
        if let Player::Engine { level, move_ms } = player {
            if let Some(level) = level.filter(|&level| Level::new(level).is_none()) {
                return Err(out_of_range("level", level, "0 to 60"));
            }
            if let Some(ms) = move_ms.filter(|ms| !(10..=3_600_000).contains(ms)) {
                return Err(out_of_range("move_ms", ms, "10 to 3600000"));
            }
        }
    }
    Ok(())
}

/// Checks the clocks of a game.
pub(in crate::web) fn check_clock(clock: Option<ClockSettings>) -> Result<(), Refused> {
    let Some(ClockSettings { main_ms, increment_ms }) = clock else { return Ok(()) };
    if !(1000..=86_400_000).contains(&main_ms) {
        return Err(out_of_range("main_ms", main_ms, "1000 to 86400000"));
    }
    if increment_ms > 3_600_000 {
        return Err(out_of_range("increment_ms", increment_ms, "0 to 3600000"));
    }
    Ok(())
}

/// Checks the pace of a game.
pub(super) fn check_pace(pace_ms: u32) -> Result<(), Refused> {
    if pace_ms <= 10_000 { Ok(()) } else { Err(out_of_range("pace_ms", pace_ms, "0 to 10000")) }
}

/// The refusal of a number.
pub(in crate::web) fn out_of_range(name: &str, number: impl std::fmt::Display, range: &str) -> Refused {
    Refused::new(RefusalCode::OutOfRange, format!("{name} `{number}` is out of range: {range}"))
}
