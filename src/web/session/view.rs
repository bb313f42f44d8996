//! A session as its clients see it.

use super::Arrival;
use super::lines::{Lines, all_turns, shared};
use super::play::Play;
use crate::board::{Bitboard, Color, Setup, stable_discs};
use crate::game::{Turn, named};
use crate::search::Level;
use crate::web::message::event::{Hello, LevelMeaning, LineView, State, Status, TurnView};
use crate::web::message::{Both, Player, Side, VERSION};
use crate::web::rating;

/// The greeting of a session.
pub(super) fn hello(session: &str, arrival: Arrival) -> Hello {
    let meaning = |level: Level| LevelMeaning {
        level: level.number(),
        depth: level.depth(),
        selectivity: level.selectivity().percent(),
        perfect_from: level.solves_from(crate::score::Selectivity::FULL),
        elo: rating::of_level(level),
    };
    Hello {
        interface: VERSION,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        session: session.to_owned(),
        resumed: arrival != Arrival::New,
        restored: arrival == Arrival::Restored,
        levels: Level::all().map(meaning).collect(),
        default_level: Level::DEFAULT.number(),
    }
}

/// The game as it stands.
pub(super) fn state(play: &Play) -> State {
    let game = play.lines.game();
    let setup = game.setup();
    let (black, white) = game.disc_counts();
    let over = play.is_over();
    let position = game.position();
    State {
        revision: play.revision,
        board: setup.into(),
        discs: Both { black, white },
        legal: if over { Vec::new() } else { names(position.moves()) },
        must_pass: !over && position.must_pass(),
        stable: names(stable(setup)),
        turns: play.lines.turns().map(turn).collect(),
        ply: game.len(),
        lines: lines(&play.lines),
        line: play.lines.current(),
        players: play.players,
        clock: play.clocks.settings(),
        time_left_ms: play.clocks.left_ms(),
        clock_running: play.clocks.running().map(Side::from),
        status: status(play),
        busy: play.busy(),
        analysis: play.analysis,
        result: play.result(),
        rated: play.rated,
        opening: named::name_of(game).map(|opening| opening.name.to_owned()),
        start: game.start().into(),
    }
}

fn status(play: &Play) -> Status {
    if play.is_over() {
        return Status::Over;
    }
    match play.players.of(play.lines.game().side()) {
        Player::Human => Status::Human,
        Player::Engine { .. } if play.running => Status::Engine,
        Player::Engine { .. } => Status::Paused,
    }
}

fn stable(setup: Setup) -> Bitboard {
    stable_discs(setup.black, setup.white) | stable_discs(setup.white, setup.black)
}

fn names(squares: Bitboard) -> Vec<String> {
    squares.into_iter().map(|square| square.to_string()).collect()
}

fn turn(turn: Turn) -> TurnView {
    let Turn { color, mv, .. } = turn;
    TurnView { side: Color::into(color), mv: mv.to_string() }
}

fn lines(lines: &Lines) -> Vec<LineView> {
    let view = |game| {
        let shared = shared(game, lines.game());
        let moves = all_turns(game).skip(shared).map(|turn| turn.mv.to_string()).collect();
        LineView { shared, moves, length: all_turns(game).count() }
    };
    lines.all().iter().map(view).collect()
}
