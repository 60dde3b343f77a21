//! Numbers in frames: what a log on disk is made of.
//!
//! A frame is the length of its payload, a checksum (CRC-32) and the payload; the payloads one after the other are a
//! stream of numbers, seven bits to a byte. A writer needs as much memory as one frame, however long the log is.

use std::io::{self, Read};

/// A frame is written when it has this many bytes.
const FRAME: usize = 1 << 18;

/// No frame is longer: a larger length is damage.
const FRAME_MOST: usize = 2 * FRAME;

/// Why a log cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Damage {
    /// It ends in the middle of something.
    Torn,
    /// A checksum is wrong: some bit is not what was written.
    Flipped,
    /// It was written by another version, about another model or with other settings; how one can tell.
    Foreign(String),
    /// It cannot be read at all; the words of the system.
    Unreadable(String),
}

impl std::fmt::Display for Damage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Torn => f.write_str("it ends too early"),
            Self::Flipped => f.write_str("a checksum is wrong"),
            Self::Foreign(how) => write!(f, "it is about something else: {how}"),
            Self::Unreadable(words) => f.write_str(words),
        }
    }
}

/// Writes numbers in frames.
pub(super) struct Writer<'a> {
    out: &'a mut dyn FnMut(&[u8]) -> io::Result<()>,
    buffer: Vec<u8>,
}

impl<'a> Writer<'a> {
    pub(super) fn new(out: &'a mut dyn FnMut(&[u8]) -> io::Result<()>) -> Self {
        Self { out, buffer: Vec::with_capacity(FRAME + 16) }
    }

    pub(super) fn put(&mut self, mut number: u64) -> io::Result<()> {
        while number >= 0x80 {
            self.buffer.push(number.to_le_bytes()[0] | 0x80);
            number >>= 7;
        }
        self.buffer.push(number.to_le_bytes()[0]);
        if self.buffer.len() >= FRAME { self.end() } else { Ok(()) }
    }

    /// A number that is near another one.
    pub(super) fn put_near(&mut self, number: u32, other: u32) -> io::Result<()> {
        let distance = i64::from(number) - i64::from(other);
        // Zigzag: small distances of either sign are small numbers.
        self.put(((distance << 1) ^ (distance >> 63)).cast_unsigned())
    }

    pub(super) fn put_text(&mut self, text: &str) -> io::Result<()> {
        self.put(text.len() as u64)?;
        text.bytes().try_for_each(|byte| self.put(byte.into()))
    }

    /// Ends the frame.
    pub(super) fn end(&mut self) -> io::Result<()> {
        if self.buffer.is_empty() {
            return Ok(());
        }
        let length = u32::try_from(self.buffer.len()).expect("a frame is short");
        let mut head = [0; 8];
        head[..4].copy_from_slice(&length.to_le_bytes());
        head[4..].copy_from_slice(&crc32fast::hash(&self.buffer).to_le_bytes());
        (self.out)(&head)?;
        (self.out)(&self.buffer)?;
        self.buffer.clear();
        Ok(())
    }
}

/// Reads numbers from frames.
pub(super) struct Reader<'a> {
    input: &'a mut dyn Read,
    frame: Vec<u8>,
    at: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn new(input: &'a mut dyn Read) -> Self {
        Self { input, frame: Vec::new(), at: 0 }
    }

    /// Reads the next frame; `false` at the end of the log.
    pub(super) fn next_frame(&mut self) -> Result<bool, Damage> {
        let mut head = [0; 8];
        match fill(self.input, &mut head)? {
            0 => return Ok(false),
            8 => {}
            _ => return Err(Damage::Torn),
        }
        let [a, b, c, d, rest @ ..] = head;
        let length = u32::from_le_bytes([a, b, c, d]) as usize;
        if length == 0 || length > FRAME_MOST {
            return Err(Damage::Flipped);
        }
        self.frame.resize(length, 0);
        self.at = 0;
        if fill(self.input, &mut self.frame)? < length {
            return Err(Damage::Torn);
        }
        if crc32fast::hash(&self.frame) != u32::from_le_bytes(rest) {
            return Err(Damage::Flipped);
        }
        Ok(true)
    }

    /// Whether there is nothing left.
    pub(super) fn is_over(&mut self) -> Result<bool, Damage> {
        Ok(self.at == self.frame.len() && !self.next_frame()?)
    }

    pub(super) fn get(&mut self) -> Result<u64, Damage> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            if self.is_over()? {
                return Err(Damage::Torn);
            }
            let byte = self.frame[self.at];
            self.at += 1;
            number |= u64::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(strange())
    }

    pub(super) fn get_small(&mut self) -> Result<u32, Damage> {
        u32::try_from(self.get()?).map_err(|_| strange())
    }

    pub(super) fn get_size(&mut self) -> Result<usize, Damage> {
        usize::try_from(self.get()?).map_err(|_| strange())
    }

    pub(super) fn get_near(&mut self, other: u32) -> Result<u32, Damage> {
        let zigzag = self.get()?;
        let distance = (zigzag >> 1).cast_signed() ^ -(zigzag & 1).cast_signed();
        u32::try_from(i64::from(other).checked_add(distance).ok_or_else(strange)?).map_err(|_| strange())
    }

    pub(super) fn get_text(&mut self) -> Result<String, Damage> {
        let length = self.get_size()?.min(FRAME);
        let bytes = (0..length).map(|_| u8::try_from(self.get()?).map_err(|_| strange()));
        String::from_utf8(bytes.collect::<Result<_, _>>()?).map_err(|_| strange())
    }
}

/// Numbers with right checksums that make no sense.
pub(super) fn strange() -> Damage {
    Damage::Foreign("its numbers make no sense here".to_owned())
}

/// Reads until the buffer is full or the input ends, and says how far it came.
fn fill(input: &mut dyn Read, buffer: &mut [u8]) -> Result<usize, Damage> {
    let mut filled = 0;
    while filled < buffer.len() {
        match input.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(more) => filled += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(Damage::Unreadable(error.to_string())),
        }
    }
    Ok(filled)
}

/// Reads a whole log and looks at its checksums, nothing else.
///
/// # Errors
/// What is wrong with it first.
pub fn verify(input: &mut dyn Read) -> Result<(), Damage> {
    let mut reader = Reader::new(input);
    while reader.next_frame()? {}
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(numbers: &[u64]) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut out = |piece: &[u8]| {
            bytes.extend_from_slice(piece);
            Ok(())
        };
        let mut writer = Writer::new(&mut out);
        numbers.iter().for_each(|&number| writer.put(number).expect("memory takes everything"));
        writer.end().expect("memory takes everything");
        bytes
    }

    #[test]
    fn numbers_come_back_over_any_number_of_frames() {
        let numbers: Vec<u64> =
            (0..200_000).map(|n: u64| n.wrapping_mul(n) << (n % 40)).chain([u64::MAX]).collect();
        let bytes = written(&numbers);
        assert!(bytes.len() > 3 * FRAME, "there are several frames");
        let mut input = bytes.as_slice();
        let mut reader = Reader::new(&mut input);
        for number in numbers {
            assert_eq!(reader.get(), Ok(number));
        }
        assert_eq!((reader.is_over(), reader.get()), (Ok(true), Err(Damage::Torn)));
        assert_eq!(verify(&mut bytes.as_slice()), Ok(()));
    }

    #[test]
    fn near_numbers_are_short_and_come_back() {
        let pairs = [(5, 7), (7, 5), (0, u32::MAX), (u32::MAX, 0), (9, 9)];
        let mut bytes = Vec::new();
        let mut out = |piece: &[u8]| {
            bytes.extend_from_slice(piece);
            Ok(())
        };
        let mut writer = Writer::new(&mut out);
        pairs.iter().for_each(|&(number, other)| writer.put_near(number, other).expect("memory takes it"));
        writer.put_text("grün").expect("memory takes it");
        writer.end().expect("memory takes it");
        let mut input = bytes.as_slice();
        let mut reader = Reader::new(&mut input);
        pairs.iter().for_each(|&(number, other)| assert_eq!(reader.get_near(other), Ok(number)));
        assert_eq!(reader.get_text().as_deref(), Ok("grün"));
    }

    /// Every prefix is torn, every flipped bit is found.
    #[test]
    fn torn_and_flipped_frames_are_refused() {
        let bytes = written(&(0..300).collect::<Vec<u64>>());
        for length in 1..bytes.len() {
            assert_eq!(verify(&mut &bytes[..length]), Err(Damage::Torn), "{length} bytes");
        }
        for bit in 0..8 * bytes.len() {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert!(verify(&mut flipped.as_slice()).is_err(), "bit {bit}");
        }
    }
}
