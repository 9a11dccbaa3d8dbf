//! A job as people write it: YAML, TOML or JSON with the words and units they know.
//!
//! The file is friendly, the model is exact: [`JobFile::into_job`] turns one into the other and
//! says of every bad value where it stands and what would do.

mod array;
mod convert;
mod read;
mod schema;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub use array::read_indexes;
pub use read::{Format, ReadError};
pub use schema::schema;

use crate::moment::Moment;

/// The largest job file that is read: scripts travel inside.
pub const JOB_FILE_MAX: usize = 1024 * 1024;

/// A number or a word: `gpus: 8` and `gpus: "H100x8"` are both natural.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum Quantity {
    /// A whole number.
    Whole(u64),
    /// A number with a fraction.
    Fraction(f64),
    /// A number with a unit, a range, a model.
    Text(String),
}

/// One or several.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum OneOrMany {
    /// One word; for a command, a line that is split as a shell would.
    One(String),
    /// Several.
    Many(Vec<String>),
}

/// A job file.
///
/// ```
/// use muster_api::JobFile;
/// use muster_api::job_file::Format;
///
/// let file = JobFile::read("name: train\ntasks: 4\ngpus: H100x8\ncommand: [torchrun, a.py]\n",
///     Format::Yaml)?;
/// let submission = file.into_job("user-a").expect("nothing in it is wrong");
/// assert_eq!(submission.spec.groups[0].task.gpus, 8);
/// assert_eq!(submission.program.command, ["torchrun", "a.py"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct JobFile {
    /// Its name; need not be unique. The program's where nothing is said.
    pub name: Option<String>,
    /// The queue that pays for it; the team's, or `default`.
    pub queue: Option<String>,
    /// The team it is accounted to, where the user has several.
    pub team: Option<String>,
    /// Its class: `express`, `standard`, `batch`, `preemptible` and so on.
    pub class: Option<String>,
    /// The command and its arguments: a list, or one line in the notation of a shell.
    pub command: Option<OneOrMany>,
    /// A script, run with the command as its arguments.
    pub script: Option<String>,
    /// How many tasks, or `min..max` for an elastic job; 1 where nothing is said.
    pub tasks: Option<Quantity>,
    /// GPUs of each task: `8`, `H100x8`, `0.5`, `20GiB`, `1g.10gb`.
    pub gpus: Option<Quantity>,
    /// How strictly a shared GPU is kept apart: `hard`, `soft` or `none`.
    pub isolation: Option<String>,
    /// CPUs of each task; 1 where it asks for nothing at all.
    pub cpus: Option<Quantity>,
    /// Memory of each task, such as `64GiB`.
    pub memory: Option<Quantity>,
    /// The GPUs of a task must reach each other over NVLink.
    pub nvlink: bool,
    /// Each task has its node to itself.
    pub exclusive: bool,
    /// Groups of tasks that differ, instead of `tasks`, `gpus`, `cpus` and `memory` above.
    pub groups: Vec<GroupFile>,
    /// The run-time limit, such as `4h` or `1-00:00:00`.
    pub time: Option<Quantity>,
    /// How long it will probably run.
    pub estimate: Option<Quantity>,
    /// It should have finished by then.
    #[schema(value_type = Option<String>)]
    pub deadline: Option<Moment>,
    /// It may not start before.
    #[schema(value_type = Option<String>)]
    pub begin: Option<Moment>,
    /// A signal to send before the limit: `USR1@2m`.
    pub warning: Option<String>,
    /// Elements of an array: `0-9`, `1,3,5`, `0-99:10`, `0-99%4` for at most four at once.
    pub array: Option<String>,
    /// What it waits for: `afterok:12`, `afterany:12`, `after:12`, `afternotok:12`, `singleton`;
    /// `afterok:12_3` is one element of an array, `aftercorr:12` for each element the one with its
    /// index, `after:12+10m` ten minutes behind the start, `afterok:12?afterok:13` one of both.
    pub after: Option<OneOrMany>,
    /// Where its tasks sit relative to each other.
    pub topology: Option<TopologyFile>,
    /// Which nodes it may use, such as `pool=a and not zone=b`.
    pub nodes: Option<String>,
    /// Which nodes it would rather use.
    pub prefer_nodes: Option<String>,
    /// Which nodes it would rather not use.
    pub avoid_nodes: Option<String>,
    /// How it may be interrupted.
    pub checkpoint: Option<CheckpointFile>,
    /// Start again after its own failure, at most so many times.
    pub retries: Option<u32>,
    /// Do not start again after a node was lost.
    pub never_again: bool,
    /// The user's own weight in doublings, -2 to 2.
    pub weight: i8,
    /// The booking it runs in.
    pub booking: Option<String>,
    /// Wait until released.
    pub hold: bool,
    /// Variables of the environment.
    pub env: BTreeMap<String, Quantity>,
    /// The folder tasks start in.
    pub directory: Option<String>,
    /// Where standard output goes; `%j` is the job, `%a` the index, `%t` the task, `%x` the name.
    pub output: Option<String>,
    /// Where standard error goes.
    pub error: Option<String>,
    /// Where standard input comes from.
    pub input: Option<String>,
    /// A container image.
    pub image: Option<String>,
}

/// Tasks of one shape within a job file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct GroupFile {
    /// The group's name.
    pub name: Option<String>,
    /// How many tasks.
    pub tasks: Option<Quantity>,
    /// GPUs of each.
    pub gpus: Option<Quantity>,
    /// How strictly a shared GPU is kept apart.
    pub isolation: Option<String>,
    /// CPUs of each.
    pub cpus: Option<Quantity>,
    /// Memory of each.
    pub memory: Option<Quantity>,
    /// The GPUs of a task must reach each other over NVLink.
    pub nvlink: bool,
    /// Each task has its node to itself.
    pub exclusive: bool,
}

/// Where tasks sit relative to each other.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct TopologyFile {
    /// All tasks inside one domain of this level, or the gang waits.
    pub require: Option<String>,
    /// One domain of this level where possible.
    pub prefer: Option<String>,
    /// On as many nodes as possible instead of as few.
    pub spread: bool,
    /// Each task on a node of its own, or the gang waits.
    pub apart: bool,
}

/// How a job may be interrupted.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct CheckpointFile {
    /// The signal that asks the program to save; `TERM` where nothing is said.
    pub signal: Option<String>,
    /// How long saving takes.
    pub save: Option<Quantity>,
    /// How long it takes to go on from a save.
    pub restore: Option<Quantity>,
    /// How often it saves by itself.
    pub every: Option<Quantity>,
}
