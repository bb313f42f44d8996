//! Counting the leaves of the game tree, to prove and to time the rules.

use super::Position;

/// Number of lines of play of `depth` plies from `position`. A pass costs a ply and a finished game is a leaf, so the
/// values from the start are 4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288, 24571284, …
///
/// The last ply is counted, not played.
pub fn perft(position: Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let moves = position.moves();
    if moves.is_empty() {
        return if position.pass().moves().is_empty() { 1 } else { perft(position.pass(), depth - 1) };
    }
    if depth == 1 {
        return u64::from(moves.count());
    }
    moves.into_iter().map(|square| perft(position.play_flips(square, position.flips(square)), depth - 1)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_from_the_start_are_the_known_ones() {
        let known = [1, 4, 12, 56, 244, 1396, 8200, 55092, 390_216, 3_005_288];
        for (depth, leaves) in known.into_iter().enumerate() {
            assert_eq!(perft(Position::START, depth as u32), leaves, "depth {depth}");
        }
    }
}
