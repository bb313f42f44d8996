//! Openings with names, as players call them.
//!
//! The names are those in common use; the lines begin with f5. A position keeps its name whichever way it was reached.
//! Start reading at [`name_of`].

use super::{Game, transcript};
use crate::board::Position;
use std::collections::HashMap;
use std::sync::LazyLock;

/// An opening with a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NamedOpening {
    /// What players call it.
    pub name: &'static str,
    /// Its moves, from f5 on; no line has a pass.
    pub line: &'static str,
}

/// Every opening that has a name here, in the order of their lines.
pub fn all() -> impl ExactSizeIterator<Item = NamedOpening> {
    TABLE.iter().map(|&(name, line)| NamedOpening { name, line })
}

/// The opening that a game has come to last: its own name, or that of the last position that has one. `None` before the
/// first. A game that begins with a board has the names of its positions too.
pub fn name_of(game: &Game) -> Option<NamedOpening> {
    (0..=game.len()).rev().find_map(|ply| by_position(game.position_at(ply)?))
}

/// The opening with exactly this position, or an image of it.
pub fn by_position(position: Position) -> Option<NamedOpening> {
    static INDEX: LazyLock<HashMap<Position, NamedOpening>> = LazyLock::new(|| {
        let position = |opening: &NamedOpening| Some(transcript::parse(opening.line).ok()?.position().canonical().0);
        all().filter_map(|opening| Some((position(&opening)?, opening))).collect()
    });
    INDEX.get(&position.canonical().0).copied()
}

#[rustfmt::skip]
const TABLE: &[(&str, &str)] = &[
    ("Perpendicular", "f5d6"),
    ("Tiger", "f5d6c3d3c4"),
    ("Nicolet", "f5d6c3d3c4b3"),
    ("Ganglion", "f5d6c3d3c4f4c5b3c2"),
    ("Swallow", "f5d6c3d3c4f4c5b3c2b4"),
    ("Aubrey", "f5d6c3d3c4f4c5b4b5c6f3e6e3"),
    ("Aubrey, Feldborg continuation", "f5d6c3d3c4f4c5b4b5c6f3e6e3g6f6g5d7g3"),
    ("Brightwell", "f5d6c3d3c4f4e3"),
    ("Leader's Tiger", "f5d6c3d3c4f4e6"),
    ("Stephenson", "f5d6c3d3c4f4f6"),
    ("Kung", "f5d6c3d3c4f4f6b4"),
    ("Comp'Oth", "f5d6c3d3c4f4f6f3"),
    ("FAT Draw", "f5d6c3d3c4f4f6f3e6e7d7g6f8f7g5h6h4g4h3h5h7"),
    ("No-Kung", "f5d6c3d3c4f4f6g5"),
    ("No-Kung, main line", "f5d6c3d3c4f4f6g5e3f3g4h3g3f2"),
    ("Lightning Bolt", "f5d6c3g5"),
    ("Cat", "f5d6c4d3c5"),
    ("Berner", "f5d6c4d3c5f4e3f3c2b4b3"),
    ("Sakaguchi", "f5d6c4d3c5f4e3f3c2c6"),
    ("Italian", "f5d6c4d3e6"),
    ("Bent Ganglion", "f5d6c4g5"),
    ("Horse", "f5d6c5f4d3"),
    ("Ralle", "f5d6c5f4e3c6d3f3"),
    ("Rose", "f5d6c5f4e3c6d3f6e6d7"),
    ("Greenberg", "f5d6c5f4e3c6d3f6e6d7e7"),
    ("Rose Birth", "f5d6c5f4e3c6d3f6e6d7g3c4"),
    ("Rose Birdie", "f5d6c5f4e3c6d3f6e6d7g3c4b4"),
    ("Rose Tamenori Kling", "f5d6c5f4e3c6d3f6e6d7g3c4b4c3"),
    ("Brightstein", "f5d6c5f4e3c6d3f6e6d7g3c4g5c3b4e2"),
    ("Flat", "f5d6c5f4e3c6d3f6e6d7g4"),
    ("Rotating Flat", "f5d6c5f4e3c6d3f6e6d7g4c4"),
    ("Rotating Flat, Kling continuation", "f5d6c5f4e3c6d3f6e6d7g4c4g5c3f7d2e7f2"),
    ("Murakami Variation", "f5d6c5f4e3c6d3f6e6d7g4c4g6"),
    ("Bhagat", "f5d6c5f4e3c6d7"),
    ("Inoue", "f5d6c5f4e3c6e6"),
    ("Iago", "f5d6c5f4e3c6e6f6"),
    ("Shaman", "f5d6c5f4e3c6f3"),
    ("Mimura", "f5d6c5f4e3d3"),
    ("Parallel", "f5f4"),
    ("Diagonal", "f5f6"),
    ("Semi-Wing Variation", "f5f6c4f4"),
    ("Wing Variation", "f5f6d3f4"),
    ("Buffalo", "f5f6e6f4c3"),
    ("Hokuriku Buffalo", "f5f6e6f4c3c4"),
    ("Tanida Buffalo", "f5f6e6f4c3d6f3c4c5b4"),
    ("Maruoka Buffalo", "f5f6e6f4c3d7f3"),
    ("Cow", "f5f6e6f4e3"),
    ("Rose v. Toth", "f5f6e6f4e3c5c4"),
    ("Landau", "f5f6e6f4e3c5c4d3c3"),
    ("Maruoka", "f5f6e6f4e3c5c4d3f3e2"),
    ("Tanida", "f5f6e6f4e3c5c4e7"),
    ("Sailboat", "f5f6e6f4e3c5c4e7b5e2"),
    ("Aircraft", "f5f6e6f4e3c5c4e7g4"),
    ("Bat", "f5f6e6f4e3c5g5"),
    ("Bat, Kling alternative", "f5f6e6f4e3c5g5d6g6"),
    ("Bat, Kling continuation", "f5f6e6f4e3c5g5f3g4g6g3d6f7h5h4h3e7"),
    ("Melnikov Bat", "f5f6e6f4e3c5g5g3g4f3c4"),
    ("Bat, Piau continuation", "f5f6e6f4e3c5g5g3g4f3g6"),
    ("Chimney", "f5f6e6f4e3d6"),
    ("Hamilton", "f5f6e6f4g3"),
    ("Lollipop", "f5f6e6f4g3f3g4"),
    ("Raccoon Dog", "f5f6e6f4g4"),
    ("Heath", "f5f6e6f4g5"),
    ("Heath Chimney", "f5f6e6f4g5d6"),
    ("Iwasaki Variation", "f5f6e6f4g5e7d7"),
    ("Heath Bat", "f5f6e6f4g5e7e3"),
    ("Snake", "f5f6e6f4g6"),
    ("Lysons", "f5f6e6f4g6c6"),
    ("X-square", "f5f6e6f4g7"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn name(line: &str) -> Option<&'static str> {
        name_of(&transcript::parse(line).expect("a line of the test")).map(|opening| opening.name)
    }

    #[test]
    fn every_line_is_legal_and_every_name_and_position_is_there_once() {
        let (mut names, mut positions) = (HashSet::new(), HashSet::new());
        for NamedOpening { name, line } in all() {
            let game = transcript::parse(line).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(transcript::write(&game), line);
            assert!(names.insert(name), "{name}");
            assert!(positions.insert(game.position().canonical().0), "{name}: {line}");
        }
        assert!(TABLE.is_sorted_by_key(|(_, line)| line));
    }

    #[test]
    fn positions_have_their_names_from_any_side_and_any_way() {
        assert_eq!(name(""), None);
        assert_eq!(name("f5"), None);
        for line in ["f5d6c3d3c4", "c4e3f6e6f5", "d3c5f6f5e6", "F5D6C4D3C3"] {
            assert_eq!(name(line), Some("Tiger"), "{line}");
        }
        assert_eq!(name("f5d6c3d3c4f4f6"), Some("Stephenson"));
        // What has no name of its own has that of what it came from.
        assert_eq!(name("f5d6c3d3c4b5"), Some("Tiger"));
        assert_eq!(name("f5f4"), Some("Parallel"));
        assert_eq!(name("f5f6e6d6"), name("f5f6"));
    }
}
