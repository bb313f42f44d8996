//! `volte play`: a game in the terminal.

use super::engine_args::{PlayerArgs, parse_level};
use super::interrupt::stop_on_ctrl_c;
use crate::board::{Color, Move, Position, Square};
use crate::engine::{Audience, Choice, Engine};
use crate::game::{Game, named};
use crate::search::{Line, StopSignal};
use clap::ValueEnum;
use std::io::{self, BufRead, Write};
use std::process::ExitCode;

/// Arguments of `volte play`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(flatten)]
    player: PlayerArgs,
    /// Your colour; black moves first
    #[arg(long, value_name = "COLOR", default_value = "black")]
    color: ColorArg,
}

/// A colour as it is typed.
#[derive(Clone, Copy, ValueEnum, Debug)]
enum ColorArg {
    Black,
    White,
}

impl From<ColorArg> for Color {
    fn from(color: ColorArg) -> Self {
        match color {
            ColorArg::Black => Self::Black,
            ColorArg::White => Self::White,
        }
    }
}

const HELP: &str = "\
  f5          play on f5 (dots mark your moves; a pass is made for you)
  undo, redo  back to your previous turn, and forth again
  hint [N]    the best N moves with their values in discs
  level [N]   show or set the level, 0 to 60; `level auto` for the default
  color C     play black or white from now on
  new         a new game
  quit        leave; so does the end of the input";

/// Plays until the user leaves.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let stop = stop_on_ctrl_c()?;
    let engine = args.player.engine(false)?;
    let mut table = Table { engine, human: args.color.into(), stop, output: io::stdout().lock() };
    writeln!(table.output, "Volte {}. `help` tells what you can type.", env!("CARGO_PKG_VERSION"))?;
    table.play(&mut io::stdin().lock())?;
    Ok(ExitCode::SUCCESS)
}

/// A user and an engine with a board between them.
struct Table<W> {
    engine: Engine,
    human: Color,
    stop: StopSignal,
    output: W,
}

/// Whether the user stays.
#[derive(PartialEq, Eq)]
enum Next {
    /// The board has changed.
    Board,
    /// Nothing has changed.
    Prompt,
    Leave,
}

impl<W: Write> Table<W> {
    fn play(&mut self, input: &mut impl BufRead) -> io::Result<()> {
        let mut next = Next::Board;
        while next != Next::Leave {
            if next == Next::Board {
                self.draw()?;
                if self.game().next_to_place() == Some(!self.human) {
                    self.reply()?;
                    continue;
                }
            }
            write!(self.output, "{}> ", self.human)?;
            self.output.flush()?;
            let mut line = String::new();
            if input.read_line(&mut line)? == 0 {
                writeln!(self.output)?;
                break;
            }
            next = self.obey(&line)?;
        }
        Ok(())
    }

    fn game(&self) -> &Game {
        self.engine.game()
    }

    /// The position with the user to move.
    fn mine(&self) -> Position {
        let position = self.game().position();
        if self.game().side() == self.human { position } else { position.pass() }
    }

    fn obey(&mut self, line: &str) -> io::Result<Next> {
        let words: Vec<_> = line.split_whitespace().map(str::to_ascii_lowercase).collect();
        let words: Vec<_> = words.iter().map(String::as_str).collect();
        match *words.as_slice() {
            [] => return Ok(Next::Prompt),
            ["quit" | "exit" | "q"] => return Ok(Next::Leave),
            ["help" | "?"] => writeln!(self.output, "{HELP}")?,
            ["undo" | "u"] if self.engine.undo_to_turn_of(self.human) => return Ok(Next::Board),
            ["undo" | "u"] => writeln!(self.output, "There is nothing to take back.")?,
            ["redo" | "r"] if self.redo() => return Ok(Next::Board),
            ["redo" | "r"] => writeln!(self.output, "There is nothing to play again.")?,
            ["hint" | "h"] => self.hint(1)?,
            ["hint" | "h", count] => match count.parse() {
                Ok(count) if count > 0 => self.hint(count)?,
                _ => writeln!(self.output, "`{count}` is not a number of moves.")?,
            },
            ["level"] => self.show_level()?,
            ["level", level] => self.set_level(level)?,
            ["color" | "colour", color] => match ColorArg::from_str(color, true) {
                Ok(color) => {
                    self.human = color.into();
                    return Ok(Next::Board);
                }
                Err(_) => writeln!(self.output, "`{color}` is neither black nor white.")?,
            },
            ["new"] => {
                self.engine.set_game(Game::new());
                return Ok(Next::Board);
            }
            [mv] => return self.place(mv),
            _ => writeln!(self.output, "`{}` means nothing to me; try `help`.", line.trim())?,
        }
        Ok(Next::Prompt)
    }

    fn place(&mut self, text: &str) -> io::Result<Next> {
        let result = text
            .parse::<Move>()
            .map_err(|error| error.to_string())
            .and_then(|mv| self.engine.play_as(self.human, mv).map_err(|error| error.to_string()));
        match result {
            Ok(()) => Ok(Next::Board),
            Err(error) => {
                writeln!(self.output, "{error}")?;
                Ok(Next::Prompt)
            }
        }
    }

    /// Goes forth to the next turn of the user.
    fn redo(&mut self) -> bool {
        let mut moved = false;
        while self.engine.redo().is_some() {
            moved = true;
            if self.game().next_to_place() == Some(self.human) {
                break;
            }
        }
        moved
    }

    fn reply(&mut self) -> io::Result<()> {
        self.stop.reset();
        let side = !self.human;
        let audience = Audience { stop: &self.stop, observer: &mut () };
        let Choice { mv, line, from_book, .. } = self.engine.go(side, audience).expect("it is the turn of the engine");
        match line {
            Some(line) if from_book => writeln!(self.output, "Volte plays {mv} ({}, from the book).", value(&line)),
            Some(line) => writeln!(self.output, "Volte plays {mv} ({}, depth {}).", value(&line), line.draft),
            None => writeln!(self.output, "Volte plays {mv}."),
        }
    }

    fn hint(&mut self, lines: usize) -> io::Result<()> {
        self.stop.reset();
        let outcome = self.engine.hint(lines, Audience { stop: &self.stop, observer: &mut () });
        if outcome.lines.is_empty() {
            writeln!(self.output, "The game is over.")?;
        }
        for line in &outcome.lines {
            let pv: Vec<_> = line.pv.iter().map(ToString::to_string).collect();
            writeln!(self.output, "{:<5}{:>7}  depth {:<7} {}", line.mv, value(line), line.draft, pv.join(" "))?;
        }
        for known in self.engine.book_moves(self.mine()).iter().take(lines) {
            writeln!(self.output, "{:<5}{:>+7.1}  book", known.mv, known.value.discs())?;
        }
        if let Some(opening) = named::name_of(self.game()) {
            writeln!(self.output, "Opening: {}.", opening.name)?;
        }
        Ok(())
    }

    fn show_level(&mut self) -> io::Result<()> {
        match self.engine.options().level {
            Some(level) => writeln!(self.output, "Level {}.", level.number()),
            None => writeln!(self.output, "The default level."),
        }
    }

    fn set_level(&mut self, text: &str) -> io::Result<()> {
        let mut options = self.engine.options();
        options.level = match text {
            "auto" => None,
            _ => match parse_level(text) {
                Ok(level) => Some(level),
                Err(error) => return writeln!(self.output, "{error}"),
            },
        };
        self.engine.set_options(options);
        self.show_level()
    }

    fn draw(&mut self) -> io::Result<()> {
        let board = self.game().setup();
        let moves = (self.game().next_to_place() == Some(self.human)).then(|| self.mine().moves());
        writeln!(self.output, "\n    a b c d e f g h")?;
        for rank in 0..Square::SIDE {
            write!(self.output, "  {}", rank + 1)?;
            for square in (0..Square::SIDE).filter_map(|file| Square::from_file_rank(file, rank)) {
                let cell = if board.black.contains(square) {
                    'X'
                } else if board.white.contains(square) {
                    'O'
                } else if moves.is_some_and(|moves| moves.contains(square)) {
                    '.'
                } else {
                    '-'
                };
                write!(self.output, " {cell}")?;
            }
            writeln!(self.output)?;
        }
        writeln!(self.output, "  Black (X) {}, White (O) {}", board.black.count(), board.white.count())?;
        self.announce()
    }

    /// Tells of passes and of the end.
    fn announce(&mut self) -> io::Result<()> {
        if let Some(end) = self.game().result() {
            return match end.score.discs() {
                0 => writeln!(self.output, "  The game is over: a draw."),
                discs @ 1.. => writeln!(self.output, "  The game is over: black wins by {discs}."),
                discs => writeln!(self.output, "  The game is over: white wins by {}.", -discs),
            };
        }
        if self.game().position().must_pass() {
            writeln!(self.output, "  {} has to pass.", self.game().side())?;
        }
        Ok(())
    }
}

/// A value for the side that moves, in discs.
fn value(line: &Line) -> String {
    if line.solved { line.value.to_score().to_string() } else { format!("{:+.1}", line.value.discs()) }
}
