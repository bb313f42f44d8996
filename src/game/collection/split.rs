//! Where one game of a text ends and the next begins.
//!
//! A splitter looks at no more than brackets, line starts and line ends, so that a game with an error in it costs
//! itself and not its neighbours.

use std::collections::VecDeque;
use std::io::{self, BufRead, Read};
use std::mem;

/// Longest text of a game, in bytes. What is longer is cut, so that no input fills the memory.
pub(super) const LIMIT: usize = 1 << 20;

/// What stands for one entry in a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Unit {
    /// A line.
    Line,
    /// A line, and those after it that go on with a later move number.
    Transcript,
    /// A line, or rows of 8 cells.
    Board,
    /// `(;` up to `;)`.
    Ggf,
    /// `(;` up to the `)` that closes it.
    Sgf,
    /// Tags and the moves after them.
    Pgn,
}

/// The text of one entry.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Chunk {
    /// The line it starts on; the first one is 1.
    pub line: usize,
    /// The text. What is not UTF-8 is read as Latin-1.
    pub text: String,
    /// Which pair of synchro games it belongs to.
    pub pair: Option<u32>,
    /// Whether the text is longer than a game can be.
    pub is_cut: bool,
}

/// The entries of a text.
#[derive(Debug)]
pub(super) struct Chunks<R> {
    input: R,
    unit: Unit,
    /// Number of the line read last.
    line: usize,
    /// The entry being gathered, and the line it started on.
    buffer: Vec<u8>,
    start: usize,
    is_cut: bool,
    state: State,
    ready: VecDeque<Chunk>,
}

/// Where in an entry the splitter stands.
#[derive(Default, Debug)]
struct State {
    /// Open parentheses around games and variations.
    depth: usize,
    /// Within the brackets of a value, or the braces of a comment.
    in_text: bool,
    /// The next byte is escaped.
    is_escaped: bool,
    /// Moves have been seen, so a tag starts the next game.
    in_moves: bool,
    pairs: u32,
    /// Games of the current pair that are still to come.
    pair_left: u32,
}

impl<R: BufRead> Chunks<R> {
    pub(super) fn new(input: R, unit: Unit) -> Self {
        Self {
            input,
            unit,
            line: 0,
            buffer: Vec::new(),
            start: 1,
            is_cut: false,
            state: State::default(),
            ready: VecDeque::new(),
        }
    }

    /// The next line with its end, cut at the limit; empty at the end of the input.
    fn read_line(&mut self) -> io::Result<Vec<u8>> {
        let mut line = Vec::new();
        (&mut self.input).take(LIMIT as u64).read_until(b'\n', &mut line)?;
        self.line += 1;
        Ok(line)
    }

    fn take_line(&mut self, line: &[u8]) {
        match self.unit {
            // At once: who sends lines one by one waits for what becomes of each.
            Unit::Line => {
                self.gather(line);
                self.close();
            }
            Unit::Transcript => {
                if !continues_moves(line) {
                    self.close();
                }
                self.gather(line);
            }
            Unit::Board => {
                if !continues_board(&self.buffer, line) {
                    self.close();
                }
                self.gather(line);
            }
            Unit::Ggf | Unit::Sgf => self.take_bracketed(line),
            Unit::Pgn => self.take_pgn(line),
        }
    }

    fn take_bracketed(&mut self, line: &[u8]) {
        if self.state.depth > 0 && starts_game(line, self.unit) {
            // The game before lacks its end.
            self.close();
        }
        for (at, &byte) in line.iter().enumerate() {
            let opens = self.state.depth == 0 && opens_game(&line[at..], self.unit);
            if opens {
                self.open_game();
            }
            self.gather(&[byte]);
            if (opens || self.state.depth > 0) && self.state.step(byte, self.unit) {
                self.close();
            }
        }
    }

    /// What stands before the game is a mark of GGF, or belongs to no game.
    fn open_game(&mut self) {
        match self.buffer.trim_ascii() {
            b"" | b"1" | b"2" if self.unit == Unit::Ggf => {
                match self.buffer.trim_ascii() {
                    b"" => {}
                    b"2" => {
                        self.state.pairs += 1;
                        self.state.pair_left = 2;
                    }
                    _ => self.state.pair_left = 0,
                }
                self.buffer.clear();
            }
            _ => self.close(),
        }
    }

    fn take_pgn(&mut self, line: &[u8]) {
        let is_tag = line.trim_ascii_start().starts_with(b"[");
        let is_first_tag = line.starts_with(b"[Event \"");
        if self.state.in_moves && (is_first_tag || is_tag && !self.state.in_text) {
            self.close();
        }
        self.gather(line);
        if is_tag && !self.state.in_text || line.trim_ascii().is_empty() {
            return;
        }
        self.state.in_moves = true;
        for &byte in line {
            match byte {
                b'{' => self.state.in_text = true,
                b'}' => self.state.in_text = false,
                b';' if !self.state.in_text => break,
                _ => {}
            }
        }
    }

    fn gather(&mut self, bytes: &[u8]) {
        if self.buffer.is_empty() {
            let bytes = bytes.trim_ascii_start();
            self.start = self.line;
            self.buffer.extend(bytes);
        } else if self.buffer.len() + bytes.len() <= LIMIT {
            self.buffer.extend(bytes);
        } else {
            self.is_cut = true;
        }
    }

    /// Ends the entry being gathered.
    fn close(&mut self) {
        let state = &mut self.state;
        let is_game = self.unit != Unit::Ggf || state.depth > 0 || self.buffer.ends_with(b")");
        let pair = (is_game && state.pair_left > 0).then_some(state.pairs);
        let bytes = mem::take(&mut self.buffer);
        let is_cut = mem::take(&mut self.is_cut);
        if !bytes.trim_ascii().is_empty() {
            if is_game {
                state.pair_left = state.pair_left.saturating_sub(1);
            }
            self.ready.push_back(Chunk { line: self.start, text: decode(bytes), pair, is_cut });
        }
        *state = State { pairs: state.pairs, pair_left: state.pair_left, ..State::default() };
    }
}

impl<R: BufRead> Iterator for Chunks<R> {
    type Item = io::Result<Chunk>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(chunk) = self.ready.pop_front() {
                return Some(Ok(chunk));
            }
            match self.read_line() {
                Ok(line) if line.is_empty() => {
                    self.close();
                    return self.ready.pop_front().map(Ok);
                }
                Ok(line) => self.take_line(&line),
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

impl State {
    /// Takes a byte of a game and says whether it is the last one.
    fn step(&mut self, byte: u8, unit: Unit) -> bool {
        if self.is_escaped {
            self.is_escaped = false;
            return false;
        }
        match byte {
            b'\\' if unit == Unit::Sgf && self.in_text => self.is_escaped = true,
            b']' => self.in_text = false,
            _ if self.in_text => {}
            b'[' => self.in_text = true,
            b'(' => self.depth += 1,
            b')' => {
                self.depth -= 1;
                return self.depth == 0;
            }
            _ => {}
        }
        false
    }
}

/// Whether a game starts right here.
fn opens_game(bytes: &[u8], unit: Unit) -> bool {
    match unit {
        Unit::Ggf => bytes.starts_with(b"(;"),
        _ => bytes.starts_with(b"("),
    }
}

/// Whether a line must be the start of a game, even where brackets say that another one has not ended.
fn starts_game(line: &[u8], unit: Unit) -> bool {
    match unit {
        Unit::Ggf => {
            let line = line.trim_ascii_start();
            let line = line.strip_prefix(b"1").or_else(|| line.strip_prefix(b"2")).unwrap_or(line);
            line.trim_ascii_start().starts_with(b"(;")
        }
        _ => [&b"(;FF["[..], b"(;GM["].iter().any(|start| line.starts_with(start)),
    }
}

/// Whether a line starts with a move number other than 1.
fn continues_moves(line: &[u8]) -> bool {
    let line = line.trim_ascii_start();
    let digits = line.iter().take_while(|byte| byte.is_ascii_digit()).count();
    digits > 0 && &line[..digits] != b"1" && line.get(digits) == Some(&b'.')
}

/// Whether a line is the next row of a board that has begun with rows.
fn continues_board(begun: &[u8], line: &[u8]) -> bool {
    let cells = |bytes: &[u8]| bytes.iter().filter(|byte| !byte.is_ascii_whitespace()).count();
    let is_in_rows = begun.split(|&byte| byte == b'\n').filter(|row| !row.is_empty()).all(|row| cells(row) == 8);
    // The side to move may stand at the end of the last row, or after it.
    is_in_rows && (1..=8).contains(&(cells(begun) / 8)) && cells(begun) <= 64 && matches!(cells(line), 1 | 8 | 9)
}

/// Text from bytes: UTF-8, or else Latin-1.
fn decode(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| error.into_bytes().into_iter().map(char::from).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunks(text: &[u8], unit: Unit) -> Vec<(usize, String)> {
        Chunks::new(text, unit)
            .map(|chunk| chunk.unwrap())
            .map(|chunk| (chunk.line, chunk.text.trim().to_owned()))
            .collect()
    }

    fn expected(chunks: &[(usize, &str)]) -> Vec<(usize, String)> {
        chunks.iter().map(|&(line, text)| (line, text.to_owned())).collect()
    }

    #[test]
    fn lines_are_entries() {
        assert_eq!(chunks(b"a\r\n\nb\n c", Unit::Line), expected(&[(1, "a"), (3, "b"), (4, "c")]));
        assert_eq!(chunks(b"", Unit::Line), []);
        assert_eq!(
            chunks(b"1. f5 d6\n2. c3 d3\n1. f5 f6\nf5\n", Unit::Transcript),
            expected(&[(1, "1. f5 d6\n2. c3 d3"), (3, "1. f5 f6"), (4, "f5")])
        );
    }

    #[test]
    fn boards_stand_on_a_line_or_in_rows() {
        let row = "--------\n";
        let rows = row.repeat(8);
        let text =
            format!("{rows}X\n{}O\n{}\nhello\n{} X\n{rows}", rows.trim_end(), rows.replace('\n', ""), "-".repeat(64));
        let lines: Vec<_> = chunks(text.as_bytes(), Unit::Board).into_iter().map(|(line, _)| line).collect();
        assert_eq!(lines, [1, 10, 18, 19, 20, 21]);
    }

    #[test]
    fn games_of_ggf_may_share_a_line_or_span_several() {
        let text = b"1 (;A[x;)];)\n2 (;B[1];)(;B[2];) (;C[];)\n2\n(;D[\n];)\n(;E[];)(;F[];)\njunk (;G[];)\n(;H[\n2 (;I[];)(;J[];)";
        let found: Vec<_> =
            Chunks::new(&text[..], Unit::Ggf).map(Result::unwrap).map(|c| (c.line, c.text, c.pair)).collect();
        let wanted = [
            (1, "(;A[x;)];)", None),
            (2, "(;B[1];)", Some(1)),
            (2, "(;B[2];)", Some(1)),
            (2, "(;C[];)", None),
            (4, "(;D[\n];)", Some(2)),
            (6, "(;E[];)", Some(2)),
            (6, "(;F[];)", None),
            (7, "junk ", None),
            (7, "(;G[];)", None),
            (8, "(;H[\n", None),
            (9, "(;I[];)", Some(3)),
            (9, "(;J[];)", Some(3)),
        ];
        assert_eq!(found, wanted.map(|(line, text, pair)| (line, text.to_owned(), pair)));
    }

    #[test]
    fn games_of_sgf_nest() {
        let text = b"(;C[)\\])]\n(;B[ef])(;B[fe]))(;X[])\nmail (;Y[])\n(;FF[4\n(;FF[4])";
        let wanted = [
            (1, "(;C[)\\])]\n(;B[ef])(;B[fe]))"),
            (2, "(;X[])"),
            (3, "mail"),
            (3, "(;Y[])"),
            (4, "(;FF[4"),
            (5, "(;FF[4])"),
        ];
        assert_eq!(chunks(text, Unit::Sgf), expected(&wanted));
    }

    #[test]
    fn a_tag_after_moves_starts_the_next_game_of_pgn() {
        let text =
            b"[A \"x\"]\n[B \"y\"]\n\n1. f5 {a\n[%b]\n} d6 ; {\n\n2. c3 *\n\n[A \"z\"]\n\n1. {\n[Event \"\"]\n\nf5\n";
        let lines: Vec<_> = chunks(text, Unit::Pgn).into_iter().map(|(line, _)| line).collect();
        assert_eq!(lines, [1, 10, 13]);
    }

    #[test]
    fn latin_1_is_read() {
        assert_eq!(
            chunks(b"Pr\xe9qualif\nPr\xc3\xa9qualif", Unit::Line),
            expected(&[(1, "Préqualif"), (2, "Préqualif")])
        );
    }

    #[test]
    fn nothing_grows_without_bounds() {
        for unit in [Unit::Line, Unit::Ggf, Unit::Sgf, Unit::Pgn, Unit::Board, Unit::Transcript] {
            for start in ["(;A[", "f5 {", "x"] {
                let endless = io::Cursor::new(start).chain(io::repeat(b'x').take(5 * LIMIT as u64));
                let found: Vec<_> = Chunks::new(io::BufReader::new(endless), unit).map(Result::unwrap).collect();
                assert!(found.iter().all(|chunk| chunk.text.len() <= LIMIT), "{unit:?}");
                assert!(found.len() <= 6, "{unit:?}");
            }
        }
    }
}
