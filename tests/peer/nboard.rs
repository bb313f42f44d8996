//! What NBoard reads as it is meant.

use volte::board::Move;
use volte::game::ggf;

/// Whether NBoard reads a line as it is meant: stricter than its parser, which takes some numbers for others.
pub(crate) fn is_clean(line: &str) -> bool {
    let words: Vec<_> = line.split(' ').collect();
    match words[..] {
        ["learned" | "status"] | ["status", ..] => true,
        ["set", "myname", name] => !name.is_empty(),
        ["pong", number] => is_integer(number),
        ["nodestats", nodes, seconds] => is_integer(nodes) && is_decimal(seconds),
        ["analysis", made, value] => is_integer(made) && is_decimal(value),
        ["search" | "book", pv, value, games, depth, ..] => {
            let depth = depth.strip_suffix("%W").or_else(|| depth.strip_suffix('%')).unwrap_or(depth);
            moves(pv).is_some() && is_decimal(value) && is_integer(games) && is_integer(depth)
        }
        ["===", answer] => {
            let parts: Vec<_> = answer.split('/').collect();
            let numbers =
                parts[1..].iter().enumerate().all(|(at, part)| at == 0 && part.is_empty() || is_decimal(part));
            parts.len() <= 3 && moves(parts[0]).is_some_and(|moves| moves.len() == 1) && numbers
        }
        _ => false,
    }
}

fn is_integer(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_decimal(text: &str) -> bool {
    let text = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    is_integer(whole) && is_integer(fraction)
}

/// Moves of two characters each, at least one.
pub(crate) fn moves(text: &str) -> Option<Vec<Move>> {
    let pairs = text.as_bytes().chunks(2).map(|pair| ggf::parse_move(std::str::from_utf8(pair).ok()?));
    if text.is_empty() { None } else { pairs.collect() }
}
