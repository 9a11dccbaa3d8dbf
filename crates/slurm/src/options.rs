//! One table of all options of `sbatch`, `srun` and `salloc`, and how each of them is treated.
//!
//! ```
//! use muster_slurm::options::{self, Kind, Takes};
//! use muster_slurm::Command;
//!
//! let row = options::by_prefix(Command::Sbatch, "constrain").expect("unambiguous");
//! assert_eq!((row.name, row.letter, row.takes), ("constraint", Some('C'), Takes::Value));
//! assert_eq!(row.kind, Kind::Placement);
//! ```

mod arguments;
mod table;

pub(crate) use arguments::Reader;
pub use arguments::{Arguments, Setting};

use muster_model::nearest::nearest;

use crate::command::{Command, Commands};
use crate::error::Refusal;

/// One option.
#[derive(Debug, PartialEq, Eq)]
pub struct OptionRow {
    /// Its long name, without dashes.
    pub name: &'static str,
    /// Its letter.
    pub letter: Option<char>,
    /// Whether it takes a value.
    pub takes: Takes,
    /// Who knows it.
    pub commands: Commands,
    /// How it is treated.
    pub kind: Kind,
}

impl OptionRow {
    /// As people write it.
    pub fn written(&self) -> String {
        format!("--{}", self.name)
    }
}

/// Whether an option takes a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// Never.
    Nothing,
    /// Always, in the same word or the next.
    Value,
    /// In the same word, or not at all.
    MaybeValue,
}

/// How an option is treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Changes where or how much: it ends up in the request.
    Placement,
    /// Changes how the job runs or how the command behaves: it ends up in the request.
    Behaviour,
    /// Read, noted, and without effect; says why that is all right.
    Accepted(&'static str),
    /// Refused, because without it the job would not run as asked; says what to do instead.
    Unsupported(&'static str),
}

/// Every option of every command.
pub fn all() -> impl Iterator<Item = &'static OptionRow> {
    table::ROWS.iter().flat_map(|rows| rows.iter())
}

/// The options of one command.
pub fn of(command: Command) -> impl Iterator<Item = &'static OptionRow> {
    all().filter(move |row| row.commands.contains(command))
}

/// The option of this very name.
pub fn by_name(command: Command, name: &str) -> Option<&'static OptionRow> {
    of(command).find(|row| row.name == name)
}

/// The option with this letter.
pub fn by_letter(command: Command, letter: char) -> Result<&'static OptionRow, Refusal> {
    let has_letter = |row: &&OptionRow| row.letter == Some(letter);
    if let Some(row) = of(command).find(has_letter) {
        return Ok(row);
    }
    let option = format!("-{letter}");
    match all().find(has_letter) {
        Some(row) => Err(Refusal::OfOthers { command, option, known: row.commands }),
        None => Err(Refusal::Unknown { command, option, meant: None }),
    }
}

/// The option of this name, or the only one whose name begins with it.
pub fn by_prefix(command: Command, name: &str) -> Result<&'static OptionRow, Refusal> {
    if let Some(row) = by_name(command, name) {
        return Ok(row);
    }
    let begun: Vec<_> = of(command).filter(|row| row.name.starts_with(name)).collect();
    match begun[..] {
        [row] => Ok(row),
        [] => Err(unknown(command, name)),
        _ => {
            let candidates = begun.iter().map(|row| row.written()).collect();
            Err(Refusal::Ambiguous { option: format!("--{name}"), candidates })
        }
    }
}

fn unknown(command: Command, name: &str) -> Refusal {
    let option = format!("--{name}");
    if let Some(row) = all().find(|row| row.name == name) {
        return Refusal::OfOthers { command, option, known: row.commands };
    }
    let meant = nearest(name, of(command).map(|row| row.name));
    Refusal::Unknown { command, option, meant: meant.map(|name| format!("--{name}")) }
}

#[cfg(test)]
mod tests;
