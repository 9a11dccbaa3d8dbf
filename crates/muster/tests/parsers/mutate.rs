//! Changes good input at random, by a seed.

/// Pieces that have broken readers before.
const PIECES: [&str; 30] = [
    "\0",
    "\"",
    "'",
    "\n",
    "\r\n",
    "\t",
    "[",
    "]",
    "{",
    "}",
    ":",
    ",",
    "-",
    "%",
    "=",
    "\\",
    "#",
    "&a ",
    "*a",
    "<<: *a",
    "!!binary ",
    "\u{feff}",
    "é",
    "\u{202e}",
    "-1",
    "18446744073709551616",
    "1e999",
    "../../etc/passwd",
    "NaN",
    "null",
];

/// The most that an input grows to.
const LENGTH_MAX: usize = 64 * 1024;

/// A stream of numbers, the same for the same seed (xorshift).
pub(super) struct Chance(u64);

impl Chance {
    pub(super) fn new(seed: u64) -> Chance {
        Chance(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// A number below `end`.
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).expect("31 bits fit") % end.max(1)
    }

    /// The same input with a few things changed.
    pub(super) fn changed(&mut self, input: &str) -> Vec<u8> {
        let mut bytes = input.as_bytes().to_vec();
        for _ in 0..=self.below(4) {
            let at = self.below(bytes.len() + 1);
            let end = (at + self.below(12)).min(bytes.len());
            match self.below(6) {
                0 => drop(bytes.drain(at..end)),
                1 => drop(bytes.splice(at..at, PIECES[self.below(PIECES.len())].bytes())),
                2 => drop(bytes.splice(at..end, PIECES[self.below(PIECES.len())].bytes())),
                // A part of it once more, somewhere else.
                3 => {
                    let part = bytes[at..].to_vec();
                    let to = self.below(bytes.len() + 1);
                    drop(bytes.splice(to..to, part));
                }
                4 if at < bytes.len() => bytes[at] ^= 1 << self.below(8),
                _ => bytes.truncate(at),
            }
            bytes.truncate(LENGTH_MAX);
        }
        bytes
    }
}
