//! How the streams of a step travel between a launcher and whoever listens.
//!
//! A launcher opens two connections, one for each direction. Each begins with a line that says who
//! it is and proves it, then come frames: one byte for the kind, four for the length, the bytes.

use serde::{Deserialize, Serialize};

use crate::secret::Secret;

/// The length of what stands before a frame's bytes.
pub const HEADER: usize = 5;

/// The most bytes of one frame.
pub const FRAME_MAX: usize = 64 * 1024;

/// The longest first line.
pub const HELLO_MAX: usize = 1024;

/// The first line of a connection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hello {
    /// What proves that it is a task of the step.
    pub key: Secret,
    /// The task, by rank.
    pub rank: u32,
    /// What the connection is for.
    pub carries: Carries,
}

/// What a connection is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Carries {
    /// From the task.
    Output,
    /// To the task.
    Input,
}

/// What is in a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Standard output.
    Output,
    /// Standard error.
    Error,
    /// Standard input.
    Input,
    /// There is no more standard input.
    InputEnd,
    /// The terminal has another size: lines and columns, two bytes each.
    Window,
}

const KINDS: [Kind; 5] = [Kind::Output, Kind::Error, Kind::Input, Kind::InputEnd, Kind::Window];

/// What stands before a frame's bytes.
///
/// ```
/// use muster_api::step::frame::{Kind, header, parse};
///
/// assert_eq!(parse(header(Kind::Error, 300)), Some((Kind::Error, 300)));
/// assert_eq!(parse([9, 0, 0, 0, 1]), None);
/// ```
pub fn header(kind: Kind, length: usize) -> [u8; HEADER] {
    let place = KINDS.iter().position(|known| *known == kind).expect("all kinds are listed");
    let place = u8::try_from(place).expect("there are a handful of kinds");
    let [a, b, c, d] = u32::try_from(length).expect("frames are small").to_be_bytes();
    [place + 1, a, b, c, d]
}

/// What a header says; nothing for one that nobody sends.
pub fn parse(header: [u8; HEADER]) -> Option<(Kind, usize)> {
    let [kind, a, b, c, d] = header;
    let kind = *KINDS.get(usize::from(kind.checked_sub(1)?))?;
    let length = usize::try_from(u32::from_be_bytes([a, b, c, d])).ok()?;
    (length <= FRAME_MAX).then_some((kind, length))
}
