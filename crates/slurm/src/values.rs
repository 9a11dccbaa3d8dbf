//! The values of options: how each is read, and how it is written so that it reads the same.
//!
//! What cannot be read gives an error with the allowed forms and, where one can be guessed, a fix.
//!
//! ```
//! use muster_slurm::values::{Hostlist, Memory, TimeLimit};
//!
//! assert_eq!("1-12".parse::<TimeLimit>()?.to_string(), "1-12:00:00");
//! assert_eq!("64gb".parse::<Memory>()?.to_string(), "64G");
//! assert_eq!("n[1-3],x".parse::<Hostlist>()?.hosts(), ["n1", "n2", "n3", "x"]);
//! # Ok::<(), muster_model::Invalid>(())
//! ```

pub mod array;
mod binding;
mod container;
mod count;
mod dependency;
mod distribution;
mod export;
mod features;
mod gres;
mod hostlist;
mod job_word;
mod mail;
mod memory;
mod moment;
mod pattern;
mod signal;
mod switches;
mod time;
mod tres;
mod word;

pub use binding::{Binding, BindingKind};
pub use container::{Mount, Mounts};
pub use count::{NodeCount, count};
pub use dependency::{Clause, Condition, Dependencies, Element, JobReference};
pub use distribution::{Across, Distribution, Within};
pub use export::{Base, Export};
pub use features::{Feature, Features};
pub use gres::{GpuCount, Gpus, Gres, OtherGres};
pub use hostlist::{HOSTS_MAX, Hostlist};
pub use job_word::JobWord;
pub use mail::{MailType, MailTypes};
pub use memory::Memory;
pub use moment::{Clock, Day, Moment, civil_date, days_since_epoch};
pub use pattern::{Pattern, PatternValues};
pub use signal::Signal;
pub use switches::Switches;
pub use time::TimeLimit;
pub use tres::TresPerTask;
pub use word::{Exclusive, Hint, OpenMode};

use muster_model::Invalid;
use muster_model::name::quoted;

/// What is said about a value of the wrong form.
fn refuse(field: &str, text: &str, allowed: &str) -> Invalid {
    Invalid::new(field, quoted(text), allowed)
}

/// A number of nothing but digits. Unlike `parse`, no sign is read.
fn digits(text: &str) -> Option<u64> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests;
