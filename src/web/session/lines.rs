//! A game with all its lines: what was played, taken back, and played differently.
//!
//! Passes are turns of their own here, written or not, so that one can stand before and after each of them.

use crate::board::{Color, Move};
use crate::game::{Game, PlayError, Turn};

/// More lines than a person can oversee; the oldest ones go.
const MOST_LINES: usize = 64;

/// The lines of a game, one of which is on the board. There is always at least one.
pub(super) struct Lines {
    games: Vec<Game>,
    current: usize,
}

impl Lines {
    /// One line, at its end.
    pub(super) fn new(game: &Game) -> Self {
        Self { games: vec![with_written_passes(game)], current: 0 }
    }

    /// These lines, each at its end, with the one at `current` on the board; `None` if there is none.
    pub(super) fn of(games: &[Game], current: usize) -> Option<Self> {
        let games: Vec<_> = games.iter().map(with_written_passes).collect();
        (current < games.len()).then_some(Self { games, current })
    }

    /// The line on the board.
    pub(super) fn game(&self) -> &Game {
        &self.games[self.current]
    }

    /// All lines.
    pub(super) fn all(&self) -> &[Game] {
        &self.games
    }

    /// The place of the line on the board.
    pub(super) const fn current(&self) -> usize {
        self.current
    }

    /// Every turn of the line on the board, those taken back included.
    pub(super) fn turns(&self) -> impl Iterator<Item = Turn> {
        all_turns(self.game())
    }

    /// Number of those turns.
    pub(super) fn total(&self) -> usize {
        self.game().len() + self.game().undone().len()
    }

    /// Whether nothing of the line is taken back.
    pub(super) fn is_at_end(&self) -> bool {
        self.game().undone().len() == 0
    }

    /// Plays a move of the side to move. What was taken back stays as another line, unless the move follows it.
    pub(super) fn play(&mut self, mv: Move) -> Result<(), PlayError> {
        let game = &mut self.games[self.current];
        if game.undone().next().is_some_and(|turn| turn.mv == mv) {
            game.redo();
            return Ok(());
        }
        if game.undone().len() == 0 {
            return game.play(mv);
        }
        let mut branch = game.clone();
        branch.play(mv)?;
        self.games.push(branch);
        self.current = self.games.len() - 1;
        if self.games.len() > MOST_LINES {
            self.games.remove(0);
            self.current -= 1;
        }
        Ok(())
    }

    /// Goes to the position after `ply` turns; `false` if the line is shorter.
    pub(super) fn go_to(&mut self, ply: usize) -> bool {
        if ply > self.total() {
            return false;
        }
        let game = &mut self.games[self.current];
        while game.len() > ply && game.undo().is_some() {}
        while game.len() < ply && game.redo().is_some() {}
        true
    }

    /// Goes to another line, where it left the present one; `false` if there is none at this place.
    pub(super) fn switch(&mut self, line: usize) -> bool {
        let Some(game) = self.games.get(line) else { return false };
        if line != self.current {
            let ply = shared(game, self.game());
            self.current = line;
            self.go_to(ply);
        }
        true
    }

    /// The turn of the last choice of a side that `is_theirs` accepts.
    pub(super) fn previous_choice(&self, is_theirs: impl Fn(Color) -> bool) -> Option<usize> {
        let turns: Vec<_> = self.game().turns().collect();
        turns.iter().rposition(|turn| is_theirs(turn.color) && turn.mv != Move::Pass)
    }

    /// The turn of the next choice of such a side after the present one, or the end of the line; `None` at the end.
    pub(super) fn next_choice(&self, is_theirs: impl Fn(Color) -> bool) -> Option<usize> {
        let (here, end) = (self.game().len(), self.total());
        let is_choice = |turn: &Turn| is_theirs(turn.color) && turn.mv != Move::Pass;
        let next = self.turns().enumerate().skip(here + 1).find(|(_, turn)| is_choice(turn)).map(|(ply, _)| ply);
        (here < end).then(|| next.unwrap_or(end))
    }
}

/// Every turn of a game, those taken back included.
pub(super) fn all_turns(game: &Game) -> impl Iterator<Item = Turn> {
    game.turns().chain(game.undone())
}

/// Number of turns that two games from one start share.
pub(super) fn shared(one: &Game, other: &Game) -> usize {
    all_turns(one).zip(all_turns(other)).take_while(|(one, other)| one.mv == other.mv).count()
}

/// The same game with every pass as a turn of its own.
fn with_written_passes(game: &Game) -> Game {
    let mut written = game.branch_at(0).expect("a game has a start");
    for mv in game.moves() {
        written.play(mv).expect("the moves of a game are legal");
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::transcript;

    fn lines(moves: &str) -> Lines {
        Lines::new(&transcript::parse(moves).unwrap())
    }

    fn play(lines: &mut Lines, mv: &str) {
        lines.play(mv.parse().unwrap()).unwrap();
    }

    #[test]
    fn another_move_keeps_the_line_and_the_same_move_follows_it() {
        let mut lines = lines("f5d6c3d3c4");
        assert!(lines.go_to(2));
        play(&mut lines, "c3");
        assert_eq!((lines.all().len(), lines.game().len(), lines.total()), (1, 3, 5));
        lines.go_to(2);
        play(&mut lines, "c5");
        assert_eq!((lines.all().len(), lines.current(), lines.total()), (2, 1, 3));
        assert!(lines.play("a1".parse().unwrap()).is_err());
        assert!(lines.switch(0));
        assert_eq!((lines.game().len(), lines.total()), (2, 5));
        assert!(!lines.switch(7) && !lines.go_to(6));
    }

    #[test]
    fn a_pass_that_nobody_wrote_can_be_stood_before_and_after() {
        let mut lines = lines("d3c3b3b2f5a3a1c1e3");
        assert_eq!(lines.total(), 10);
        for ply in (0..=10).chain((0..10).rev()) {
            assert!(lines.go_to(ply));
            assert_eq!(lines.game().len(), ply);
        }
    }

    #[test]
    fn choices_are_found_across_passes() {
        let mut lines = lines("d3c3b3b2f5a3a1c1e3");
        assert_eq!(lines.previous_choice(|color| color == Color::Black), Some(6));
        lines.go_to(6);
        // Black's turn 8 is a pass, so its next choice is none of the line.
        assert_eq!(lines.next_choice(|color| color == Color::Black), Some(10));
        assert_eq!(lines.next_choice(|color| color == Color::White), Some(7));
        lines.go_to(10);
        assert_eq!(lines.next_choice(|_| true), None);
    }
}
