//! Writing the entries of a text one by one.

use super::{Entry, Format};
use crate::game::record::GameRecord;
use crate::game::sgf::Dialect;
use crate::game::{Game, board_text, fen, ggf, obf, pgn, sgf, transcript};
use std::io::{self, Write};

/// Writes entries in one of the formats that are text. What the format has no place for is left out: boards, FEN and
/// problem files take the position at the end of a game.
#[derive(Debug)]
pub struct TextWriter<W> {
    out: W,
    format: Format,
    /// The first half of a synchro pair, and which pair that is.
    half: Option<(u32, String)>,
    is_first: bool,
}

impl<W: Write> TextWriter<W> {
    /// A writer to `out`; `None` if the format is not text. Give it a buffered output.
    pub fn new(out: W, format: Format) -> Option<Self> {
        (format != Format::Wthor).then_some(Self { out, format, half: None, is_first: true })
    }

    /// Writes an entry.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn write(&mut self, entry: Entry) -> io::Result<()> {
        let is_first = std::mem::replace(&mut self.is_first, false);
        match self.format {
            Format::Transcript => self.write_transcript(&entry.into_record().game),
            Format::Board => writeln!(self.out, "{}", board_text::write(entry.into_problem().setup)),
            Format::Fen => writeln!(self.out, "{}", fen::write(entry.into_problem().setup)),
            Format::Obf => writeln!(self.out, "{}", obf::write(&entry.into_problem())),
            Format::Ggf => self.write_ggf(&entry.into_record()),
            Format::Sgf => writeln!(self.out, "{}", sgf::write(&entry.into_record(), Dialect::Letters)),
            Format::SgfAlgebraic => writeln!(self.out, "{}", sgf::write(&entry.into_record(), Dialect::Algebraic)),
            Format::Pgn => {
                let gap = if is_first { "" } else { "\n" };
                write!(self.out, "{gap}{}", pgn::write(&entry.into_record()))
            }
            Format::Wthor => Ok(()),
        }
    }

    /// A line without a move would be read as no game, so such a game shows its board.
    fn write_transcript(&mut self, game: &Game) -> io::Result<()> {
        match transcript::write(game) {
            text if text.is_empty() => writeln!(self.out, "{};", board_text::write(game.start())),
            text => writeln!(self.out, "{text}"),
        }
    }

    /// A pair stands on one line, marked by a 2. A half whose other half is lost is a game like others.
    fn write_ggf(&mut self, record: &GameRecord) -> io::Result<()> {
        let text = ggf::write(record);
        match (self.half.take(), record.pair) {
            (Some((first, half)), Some(pair)) if first == pair => writeln!(self.out, "2 {half}{text}"),
            (half, pair) => {
                if let Some((_, half)) = half {
                    writeln!(self.out, "{half}")?;
                }
                match pair {
                    Some(pair) => {
                        self.half = Some((pair, text));
                        Ok(())
                    }
                    None => writeln!(self.out, "{text}"),
                }
            }
        }
    }

    /// Ends a file of input: half a pair that is still waiting is a game like others.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn end_input(&mut self) -> io::Result<()> {
        match self.half.take() {
            Some((_, half)) => writeln!(self.out, "{half}"),
            None => Ok(()),
        }
    }

    /// Writes what is left and returns the output.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn finish(mut self) -> io::Result<W> {
        self.end_input()?;
        self.out.flush()?;
        Ok(self.out)
    }
}
