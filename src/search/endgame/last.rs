//! The last four empty squares, with each square named: no move generation, no move lists.
//!
//! Every function answers a null-window question in whole discs: it returns a value above `alpha` that the true score
//! is at least, or one of at most `alpha` that it is at most. A square next to no opponent's disc is not even tried.

use super::Nodes;
use crate::board::{Bitboard, Position, Square, flips, last_flip_count};

/// Worse than every score: no move found yet.
const NONE: i32 = -65;

/// The squares around each square.
const NEIGHBOURS: [u64; Square::COUNT] = {
    let mut table = [0; Square::COUNT];
    let mut index = 0;
    while index < Square::COUNT {
        let bit = 1u64 << index;
        let not_a = bit & !0x0101_0101_0101_0101;
        let not_h = bit & !0x8080_8080_8080_8080;
        table[index] =
            bit << 8 | bit >> 8 | not_a >> 1 | not_a << 7 | not_a >> 9 | not_h << 1 | not_h >> 7 | not_h << 9;
        index += 1;
    }
    table
};

/// The quadrant of each square, one bit each.
const QUADRANT: [u8; Square::COUNT] = {
    let mut table = [0; Square::COUNT];
    let mut index = 0;
    while index < Square::COUNT {
        table[index] = 1 << (index / 32 * 2 + index % 8 / 4);
        index += 1;
    }
    table
};

#[inline]
fn near(square: Square, discs: Bitboard) -> bool {
    NEIGHBOURS[square.index()] & discs.0 != 0
}

#[inline]
fn quadrant(square: Square) -> u8 {
    QUADRANT[square.index()]
}

/// One square is empty.
#[inline]
fn solve_1(own: Bitboard, square: Square, alpha: i32) -> i32 {
    let own_count = own.count() as i32;
    let gain = last_flip_count(square, own);
    if gain > 0 {
        return 2 * own_count + 2 + gain - 64;
    }
    // Nothing to turn: the opponent may get the square; if not, it counts for the winner.
    let stays = 2 * own_count - 64 + if own_count >= 32 { 2 } else { 0 };
    if stays <= alpha {
        return stays;
    }
    let loss = last_flip_count(square, !(own | square.bit()));
    if loss > 0 { 2 * own_count - 64 - loss } else { stays }
}

/// Two squares are empty.
#[inline]
fn solve_2(board: Position, [a, b]: [Square; 2], alpha: i32, nodes: &mut Nodes) -> i32 {
    let (own, opp) = (board.own(), board.opp());
    let mut best = NONE;
    for (square, last) in [(a, b), (b, a)] {
        if near(square, opp) {
            let turned = flips(square, own, opp);
            if !turned.is_empty() {
                nodes.0 += 1;
                best = best.max(-solve_1(opp ^ turned, last, -alpha - 1));
                if best > alpha {
                    return best;
                }
            }
        }
    }
    if best != NONE {
        return best;
    }
    // A pass: the opponent chooses what is worst for us.
    let mut worst = -NONE;
    for (square, last) in [(a, b), (b, a)] {
        if near(square, own) {
            let turned = flips(square, opp, own);
            if !turned.is_empty() {
                nodes.0 += 1 + u64::from(worst == -NONE);
                worst = worst.min(solve_1(own ^ turned, last, alpha));
                if worst <= alpha {
                    return worst;
                }
            }
        }
    }
    if worst != -NONE { worst } else { board.final_score().discs() }
}

/// Three squares are empty.
#[inline]
fn solve_3(board: Position, [a, b, c]: [Square; 3], alpha: i32, nodes: &mut Nodes) -> i32 {
    // The square alone in its quadrant first: who plays there has the last word in it.
    let (a, b, c) = if quadrant(a) == quadrant(b) {
        (c, a, b)
    } else if quadrant(a) == quadrant(c) {
        (b, a, c)
    } else {
        (a, b, c)
    };
    let best = solve_3_moves(board, [a, b, c], alpha, nodes);
    if best != NONE {
        return best;
    }
    after_pass(board, alpha, nodes, |board, alpha, nodes| solve_3_moves(board, [a, b, c], alpha, nodes))
}

/// The moves of three squares, without passing: `NONE` if there are none.
#[inline]
fn solve_3_moves(board: Position, [a, b, c]: [Square; 3], alpha: i32, nodes: &mut Nodes) -> i32 {
    let mut best = NONE;
    for (square, rest) in [(a, [b, c]), (b, [a, c]), (c, [a, b])] {
        if near(square, board.opp()) {
            let turned = board.flips(square);
            if !turned.is_empty() {
                nodes.0 += 1;
                best = best.max(-solve_2(board.play_flips(square, turned), rest, -alpha - 1, nodes));
                if best > alpha {
                    return best;
                }
            }
        }
    }
    best
}

/// Four squares are empty; they are tried in the order given.
#[inline]
pub(super) fn solve_4(board: Position, squares: [Square; 4], alpha: i32, nodes: &mut Nodes) -> i32 {
    let best = solve_4_moves(board, squares, alpha, nodes);
    if best == NONE {
        after_pass(board, alpha, nodes, |board, alpha, nodes| solve_4_moves(board, squares, alpha, nodes))
    } else {
        best
    }
}

/// The moves of four squares, without passing: `NONE` if there are none.
#[inline]
fn solve_4_moves(board: Position, [a, b, c, d]: [Square; 4], alpha: i32, nodes: &mut Nodes) -> i32 {
    let mut best = NONE;
    for (square, rest) in [(a, [b, c, d]), (b, [a, c, d]), (c, [a, b, d]), (d, [a, b, c])] {
        if near(square, board.opp()) {
            let turned = board.flips(square);
            if !turned.is_empty() {
                nodes.0 += 1;
                best = best.max(-solve_3(board.play_flips(square, turned), rest, -alpha - 1, nodes));
                if best > alpha {
                    return best;
                }
            }
        }
    }
    best
}

/// The side to move has no move: the opponent moves, or the game is over.
#[cold]
fn after_pass(
    board: Position,
    alpha: i32,
    nodes: &mut Nodes,
    moves: impl FnOnce(Position, i32, &mut Nodes) -> i32,
) -> i32 {
    let value = moves(board.pass(), -alpha - 1, nodes);
    if value == NONE {
        return board.final_score().discs();
    }
    nodes.0 += 1;
    -value
}

/// The empty squares in the order they are best tried: those in quadrants with an odd number of them first.
#[inline]
pub(super) fn four_in_order(empties: Bitboard) -> [Square; 4] {
    let odd = empties & odd_quadrants(empties);
    let mut squares = [Square::A1; 4];
    for (filled, square) in odd.into_iter().chain(empties & !odd).enumerate() {
        squares[filled & 3] = square;
    }
    // One alone and three together are all odd; the one alone goes first.
    if odd == empties {
        let lonely = |square: Square| squares.iter().filter(|&&other| quadrant(other) == quadrant(square)).count() == 1;
        if let Some(index) = squares.iter().position(|&square| lonely(square)) {
            squares.swap(0, index);
        }
    }
    squares
}

/// The quadrants that hold an odd number of the squares.
#[inline]
pub(in crate::search) fn odd_quadrants(empties: Bitboard) -> Bitboard {
    const QUADRANTS: [u64; 4] = [0x0F0F_0F0F, 0xF0F0_F0F0, 0x0F0F_0F0F_0000_0000, 0xF0F0_F0F0_0000_0000];
    Bitboard(
        QUADRANTS
            .iter()
            .fold(0, |odd, &area| odd | (area & u64::from((empties.0 & area).count_ones() & 1).wrapping_neg())),
    )
}
