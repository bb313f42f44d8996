//! The weights of the pattern evaluation and the file they travel in.
//!
//! Owns the file format and the order of weights in a phase; must not know how weights are found or used. A file is a
//! header (magic, version, identity of the shapes, length, checksum) and a body: the ProbCut model, a note on the
//! training, and one compressed block per phase, so that a phase is unpacked only when it is needed. All numbers are
//! little-endian. Start reading at [`WeightsFile`].

use super::ProbCut;
use super::network::{CHANNELS, LAYER_NUMBERS, PhaseWeights, Row};
use super::shapes::{CLASSES, SHAPES, Tells};
use bytemuck::{bytes_of, pod_read_unaligned};
use std::borrow::Cow;
use std::ops::RangeInclusive;
use thiserror::Error;

/// Most empty squares of each phase of the game, the end of the game first.
const LAST: [u32; PHASES] = [12, 17, 22, 27, 33, 41, 60];
/// Phases of the game with weights of their own.
pub const PHASES: usize = 7;
/// Number of scalar terms that are looked up by a count.
pub(super) const SCALARS: usize = 4;
/// Values a scalar term may take: 0 to 63.
pub(super) const SCALAR_VALUES: usize = 64;
/// Values of the last term, the number of empty squares.
pub(super) const EMPTIES: usize = 64;

/// The phase of a position with this many empty squares.
#[inline]
pub const fn phase(empties: u32) -> usize {
    PHASE_OF[(empties % 64) as usize] as usize
}

/// The numbers of empty squares of a phase.
pub fn empties_of(phase: usize) -> RangeInclusive<u32> {
    let first = if phase == 0 { 0 } else { LAST[phase - 1] + 1 };
    first..=LAST[phase]
}

const PHASE_OF: [u8; 64] = {
    let mut phases = [PHASES as u8 - 1; 64];
    let mut phase = PHASES;
    while phase > 0 {
        phase -= 1;
        let mut empties = 0;
        while empties <= LAST[phase] {
            phases[empties as usize] = phase as u8;
            empties += 1;
        }
    }
    phases
};

/// Rows in one phase: a row per class of pattern configurations, then those of the scalar terms, then one per number of
/// empty squares.
pub fn rows_per_phase() -> usize {
    CLASSES.count + SCALARS * SCALAR_VALUES + EMPTIES
}

const MAGIC: [u8; 8] = *b"VolteEvl";
const VERSION: u32 = 3;
const HEADER: usize = 28;
const COMPRESSION_LEVEL: i32 = 15;

/// A file of weights could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum WeightsError {
    /// The bytes do not start like a weights file.
    #[error("not a file of Volte evaluation weights (it starts with {0:02x?})")]
    Foreign(Vec<u8>),
    /// The file is of a version that this program does not read.
    #[error("weights file of version {found}, but this program reads version {VERSION}")]
    Version {
        /// The version in the file.
        found: u32,
    },
    /// The weights belong to other pattern shapes.
    #[error("weights for other pattern shapes ({found:08x}) than this program's ({expected:08x})")]
    Shapes {
        /// The shapes named in the file.
        found: u32,
        /// The shapes of this program.
        expected: u32,
    },
    /// The file is shorter or longer than it says.
    #[error("weights file is {found} bytes long instead of {expected}: truncated or damaged")]
    Length {
        /// Bytes there are.
        found: usize,
        /// Bytes there should be.
        expected: usize,
    },
    /// The content does not match its checksum.
    #[error("weights file is damaged: checksum {found:08x} instead of {expected:08x}")]
    Checksum {
        /// The checksum of the content.
        found: u32,
        /// The checksum in the header.
        expected: u32,
    },
    /// The content has the right checksum but makes no sense.
    #[error("weights file is malformed: {0}")]
    Malformed(&'static str),
}

/// An identity of the set of shapes: weights for one set are noise for another.
pub(super) fn shapes_id() -> u32 {
    let mut squares: Vec<u8> = Vec::new();
    for shape in &SHAPES {
        squares.push(shape.squares.len() as u8 | if shape.tells == Tells::Moves { 0x80 } else { 0 });
        squares.extend(shape.squares.iter().map(|square| square.index() as u8));
    }
    crc32fast::hash(&squares)
}

/// A checked file of weights whose phases are still packed.
#[derive(Clone, Debug)]
pub struct WeightsFile<'a> {
    bytes: Cow<'a, [u8]>,
    blocks: Vec<(usize, usize)>,
    probcut: ProbCut,
    note: String,
}

impl<'a> WeightsFile<'a> {
    /// Checks the header and the checksum of a file and finds its parts.
    ///
    /// # Errors
    /// Foreign, truncated, damaged and differently versioned files.
    pub fn parse(bytes: impl Into<Cow<'a, [u8]>>) -> Result<Self, WeightsError> {
        let bytes = bytes.into();
        check_header(&bytes)?;
        let mut reader = Reader { bytes: &bytes, at: HEADER };
        let mut factors = [0.0; ProbCut::TERMS];
        for factor in &mut factors {
            *factor = f32::from_le_bytes(reader.array()?);
        }
        let note = reader.block()?;
        let note = String::from_utf8(bytes[note.0..note.1].to_vec());
        let note = note.map_err(|_| WeightsError::Malformed("the note is not text"))?;
        let blocks = (0..PHASES).map(|_| reader.block()).collect::<Result<Vec<_>, _>>()?;
        if reader.at != bytes.len() {
            return Err(WeightsError::Malformed("something follows the last phase"));
        }
        let probcut = ProbCut::from_factors(factors).ok_or(WeightsError::Malformed("the ProbCut model"))?;
        Ok(Self { blocks, probcut, note, bytes })
    }

    /// The ProbCut model that was fitted to these weights.
    pub fn probcut(&self) -> ProbCut {
        self.probcut
    }

    /// What the trainer noted about the weights.
    pub fn note(&self) -> &str {
        &self.note
    }

    /// The weights of a phase, below [`PHASES`].
    ///
    /// # Errors
    /// A block that does not unpack to the weights of a phase.
    pub fn unpack(&self, phase: usize) -> Result<PhaseWeights, WeightsError> {
        let (start, end) = self.blocks[phase];
        let rows = rows_per_phase();
        let size = rows * CHANNELS + 2 * LAYER_NUMBERS;
        let bytes = zstd::bulk::decompress(&self.bytes[start..end], size)
            .map_err(|_| WeightsError::Malformed("a phase does not unpack"))?;
        if bytes.len() != size {
            return Err(WeightsError::Malformed("a phase has the wrong number of weights"));
        }
        let (planes, layers) = bytes.split_at(rows * CHANNELS);
        let number = |row: usize, channel: usize| i8::from_le_bytes([planes[channel * rows + row]]);
        let rows = (0..rows).map(|row| Row(std::array::from_fn(|channel| number(row, channel)))).collect();
        Ok(PhaseWeights { rows, layers: pod_read_unaligned(layers) })
    }

    /// Packs the weights of all phases into a file.
    ///
    /// # Panics
    /// If there are not [`PHASES`] phases of [`rows_per_phase`] rows.
    pub fn pack(phases: &[PhaseWeights], probcut: ProbCut, note: &str) -> Vec<u8> {
        assert_eq!(phases.len(), PHASES, "a weights file holds every phase");
        let mut body = Vec::new();
        for factor in probcut.factors {
            body.extend_from_slice(&factor.to_le_bytes());
        }
        push_block(&mut body, note.as_bytes());
        for weights in phases {
            assert_eq!(weights.rows.len(), rows_per_phase(), "a phase holds every row");
            // Channel by channel: numbers of a kind pack better.
            let mut bytes = Vec::with_capacity(weights.rows.len() * CHANNELS + 2 * LAYER_NUMBERS);
            for channel in 0..CHANNELS {
                bytes.extend(weights.rows.iter().flat_map(|row| row.0[channel].to_le_bytes()));
            }
            bytes.extend_from_slice(bytes_of(&weights.layers));
            let block = zstd::bulk::compress(&bytes, COMPRESSION_LEVEL).expect("memory can be compressed");
            push_block(&mut body, &block);
        }
        let mut file = Vec::with_capacity(HEADER + body.len());
        file.extend_from_slice(&MAGIC);
        file.extend_from_slice(&VERSION.to_le_bytes());
        file.extend_from_slice(&shapes_id().to_le_bytes());
        file.extend_from_slice(&(body.len() as u64).to_le_bytes());
        file.extend_from_slice(&crc32fast::hash(&body).to_le_bytes());
        file.extend_from_slice(&body);
        file
    }
}

fn push_block(body: &mut Vec<u8>, block: &[u8]) {
    body.extend_from_slice(&(block.len() as u32).to_le_bytes());
    body.extend_from_slice(block);
}

/// Checks everything that can be checked without looking into the body.
fn check_header(bytes: &[u8]) -> Result<(), WeightsError> {
    if !bytes.starts_with(&MAGIC) {
        return Err(WeightsError::Foreign(bytes.iter().take(MAGIC.len()).copied().collect()));
    }
    let mut reader = Reader { bytes, at: MAGIC.len() };
    let version = u32::from_le_bytes(reader.array()?);
    if version != VERSION {
        return Err(WeightsError::Version { found: version });
    }
    let shapes = u32::from_le_bytes(reader.array()?);
    if shapes != shapes_id() {
        return Err(WeightsError::Shapes { found: shapes, expected: shapes_id() });
    }
    let length = usize::try_from(u64::from_le_bytes(reader.array()?)).unwrap_or(usize::MAX);
    let expected = u32::from_le_bytes(reader.array()?);
    let body = &bytes[reader.at..];
    if body.len() != length {
        return Err(WeightsError::Length { found: bytes.len(), expected: length.saturating_add(HEADER) });
    }
    let found = crc32fast::hash(body);
    if found == expected { Ok(()) } else { Err(WeightsError::Checksum { found, expected }) }
}

/// Walks through the bytes of a file.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn array<const N: usize>(&mut self) -> Result<[u8; N], WeightsError> {
        let rest = &self.bytes[self.at..];
        let array = *rest
            .first_chunk()
            .ok_or(WeightsError::Length { found: self.bytes.len(), expected: (self.at + N).max(HEADER) })?;
        self.at += N;
        Ok(array)
    }

    /// Start and end of a block with its length in front.
    fn block(&mut self) -> Result<(usize, usize), WeightsError> {
        let length = u32::from_le_bytes(self.array()?) as usize;
        let start = self.at;
        let end = start.checked_add(length).filter(|&end| end <= self.bytes.len());
        self.at = end.ok_or(WeightsError::Malformed("a block is longer than the file"))?;
        Ok((start, self.at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> (Vec<PhaseWeights>, Vec<u8>) {
        let row = |phase: usize, i: usize| Row([((i * 31 + phase * 7) % 255) as u8 as i8; CHANNELS]);
        let phases: Vec<PhaseWeights> = (0..PHASES)
            .map(|phase| PhaseWeights {
                rows: (0..rows_per_phase()).map(|i| row(phase, i)).collect(),
                ..PhaseWeights::zero()
            })
            .collect();
        let file = WeightsFile::pack(&phases, ProbCut::FALLBACK, "made up");
        (phases, file)
    }

    #[test]
    fn phases_cover_the_game_in_order() {
        for phase_number in 0..PHASES {
            assert!(empties_of(phase_number).all(|empties| phase(empties) == phase_number));
        }
        assert_eq!(*empties_of(PHASES - 1).end(), 60);
    }

    #[test]
    fn what_was_packed_is_unpacked() {
        let (phases, bytes) = sample();
        let file = WeightsFile::parse(bytes).unwrap();
        assert_eq!(file.note(), "made up");
        assert_eq!(file.probcut(), ProbCut::FALLBACK);
        for (phase, weights) in phases.iter().enumerate() {
            assert_eq!(&file.unpack(phase).unwrap(), weights);
        }
    }

    #[test]
    fn wrong_files_are_told_apart() {
        let (_, good) = sample();
        let changed = |at: usize| {
            let mut bytes = good.clone();
            bytes[at] ^= 0x40;
            WeightsFile::parse(bytes).map(|_| ())
        };
        assert!(matches!(WeightsFile::parse(&b"EDAX eval"[..]).map(|_| ()), Err(WeightsError::Foreign(_))));
        assert!(matches!(WeightsFile::parse(&[][..]).map(|_| ()), Err(WeightsError::Foreign(_))));
        assert!(matches!(changed(8), Err(WeightsError::Version { found: 0x43 })));
        assert!(matches!(changed(13), Err(WeightsError::Shapes { .. })));
        assert!(matches!(changed(HEADER + 1), Err(WeightsError::Checksum { .. })));
        assert!(matches!(changed(good.len() - 1), Err(WeightsError::Checksum { .. })));
        for length in [9, HEADER - 1, HEADER, good.len() / 2, good.len() - 1] {
            let cut = WeightsFile::parse(&good[..length]).map(|_| ());
            assert!(matches!(cut, Err(WeightsError::Length { .. })), "{length}: {cut:?}");
        }
    }
}
