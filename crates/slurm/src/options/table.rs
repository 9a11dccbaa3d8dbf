//! The rows, by how they are treated. Names, letters and values are those of Slurm's manual pages,
//! up to 24.05, and of pyxis for containers.

mod accepted;
mod behaviour;
mod placement;
mod unsupported;

use super::{Kind, OptionRow, Takes};
use crate::command::Commands;

/// All rows. A name stands twice only where commands differ in what it takes.
pub(super) const ROWS: [&[OptionRow]; 4] =
    [placement::ROWS, behaviour::ROWS, accepted::ROWS, unsupported::ROWS];

const BATCH_STEP: Commands = Commands::SBATCH.and(Commands::SRUN);
const BATCH_ALLOC: Commands = Commands::SBATCH.and(Commands::SALLOC);
const STEP_ALLOC: Commands = Commands::SRUN.and(Commands::SALLOC);

/// An option that always has a value.
const fn value(name: &'static str, letter: char, commands: Commands, kind: Kind) -> OptionRow {
    row(name, letter, Takes::Value, commands, kind)
}

/// An option that never has one.
const fn flag(name: &'static str, letter: char, commands: Commands, kind: Kind) -> OptionRow {
    row(name, letter, Takes::Nothing, commands, kind)
}

/// An option that may have one.
const fn maybe(name: &'static str, letter: char, commands: Commands, kind: Kind) -> OptionRow {
    row(name, letter, Takes::MaybeValue, commands, kind)
}

/// A blank letter is none, which keeps the rows aligned.
const fn row(
    name: &'static str,
    letter: char,
    takes: Takes,
    commands: Commands,
    kind: Kind,
) -> OptionRow {
    let letter = if letter == ' ' { None } else { Some(letter) };
    OptionRow { name, letter, takes, commands, kind }
}
