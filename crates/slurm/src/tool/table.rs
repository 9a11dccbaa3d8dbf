//! The options of each command. What has only a letter in Slurm has a name here too, so that each
//! option is found by one.

mod account;
mod queue;

pub use account::{SACCT, SACCTMGR, SREPORT, SSHARE};
pub use queue::{SCANCEL, SCONTROL, SINFO, SPRIO, SQUEUE};

use super::{Does, Tool, ToolOption};
use crate::options::Takes;

/// All of them.
pub static TOOLS: [&Tool; 9] =
    [&SQUEUE, &SCANCEL, &SINFO, &SACCT, &SCONTROL, &SPRIO, &SSHARE, &SACCTMGR, &SREPORT];

/// An option with a value.
const fn value(name: &'static str, letter: char, help: &'static str) -> ToolOption {
    ToolOption { name, letter, takes: Takes::Value, does: Does::All, help }
}

/// An option without one.
const fn flag(name: &'static str, letter: char, help: &'static str) -> ToolOption {
    ToolOption { name, letter, takes: Takes::Nothing, does: Does::All, help }
}

/// An option that may have one.
const fn maybe(name: &'static str, letter: char, help: &'static str) -> ToolOption {
    ToolOption { name, letter, takes: Takes::MaybeValue, does: Does::All, help }
}

/// An option whose absence changes nothing here.
const fn idle(name: &'static str, letter: char, takes: Takes) -> ToolOption {
    ToolOption { name, letter, takes, does: Does::Nothing, help: "" }
}

/// An option without which the answer would be another.
const fn refused(name: &'static str, letter: char, takes: Takes) -> ToolOption {
    ToolOption { name, letter, takes, does: Does::Refused, help: "" }
}
