//! Counting the leaves of the game tree, to prove and to time the rules.

use super::Position;

/// Number of lines of play of `depth` plies from `position`. A pass costs a ply and a finished game is a leaf, so the
/// values from the start are 4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288, 24571284, …
///
/// The last ply is counted, not played.
pub fn perft(position: Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => leaves(position),
        _ => inner(position, depth),
    }
}

/// The lines of one ply: the moves, or the one pass, or the finished game itself.
#[inline(always)]
fn leaves(position: Position) -> u64 {
    u64::from(position.moves().count().max(1))
}

/// The lines of two plies and more.
fn inner(position: Position, depth: u32) -> u64 {
    let moves = position.moves();
    if moves.is_empty() {
        return if position.is_over() { 1 } else { perft(position.pass(), depth - 1) };
    }
    let children = moves.into_iter().map(|square| position.play_flips(square, position.flips(square)));
    if depth == 2 { children.map(leaves).sum() } else { children.map(|child| inner(child, depth - 1)).sum() }
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
