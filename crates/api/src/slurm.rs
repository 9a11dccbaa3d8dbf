//! The cluster in Slurm's words: how partitions, QOS and accounts map to queues, classes and teams,
//! and what is told about jobs to whoever shows them so.

mod resolve;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::sync::Arc;

use muster_model::{Expression, JobSpec, Millis};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::moment::Moment;
use crate::program::Program;
use crate::step::StepView;
use crate::view::{AttemptView, JobView};

/// The name of a cluster that has none.
pub const CLUSTER: &str = "muster";

/// The QOS of who names none.
pub const QOS: &str = "normal";

/// How the cluster looks to those who use Slurm's commands. What is left out follows from the
/// cluster: every queue is a partition, every class a QOS, every team an account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct SlurmSettings {
    /// The name of the cluster.
    pub cluster: String,
    /// The partition of who names none; the one of the queue `default`, or else the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub partition: Option<String>,
    /// The partitions; one for each queue where there are none.
    pub partitions: Vec<PartitionSettings>,
    /// QOS besides those that are called like a class.
    pub qos: Vec<QosSettings>,
    /// Accounts besides those that are called like a team.
    pub accounts: Vec<AccountSettings>,
    /// The level of the topology that counts as a switch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub switch: Option<String>,
    /// The level of the topology that counts as a block of segments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub block: Option<String>,
}

/// A partition: a queue, and some of the nodes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PartitionSettings {
    /// Its name.
    pub name: String,
    /// The queue its jobs go to; the one of its name where nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub queue: Option<String>,
    /// Its nodes by their labels, such as `disk=fast & !spot`; all where nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<String>,
    /// The limit of jobs that name none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_default: Option<Millis>,
    /// The longest limit that a job may name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_max: Option<Millis>,
}

/// A QOS that is called otherwise than its class.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct QosSettings {
    /// Its name.
    pub name: String,
    /// Its class.
    pub class: String,
}

/// An account that is called otherwise than its team.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AccountSettings {
    /// Its name.
    pub name: String,
    /// Its team.
    pub team: String,
}

/// The cluster as Slurm's commands need it, with everything filled in.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SlurmView {
    /// The name of the cluster.
    pub cluster: String,
    /// The partitions, in order.
    pub partitions: Vec<PartitionView>,
    /// The QOS, the usual one first.
    pub qos: Vec<QosView>,
    /// The accounts.
    pub accounts: Vec<AccountView>,
    /// The GPU models.
    #[serde(default)]
    pub models: Vec<String>,
    /// The features that nodes have.
    #[serde(default)]
    pub features: BTreeSet<String>,
    /// The level that counts as a switch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub switch: Option<String>,
    /// The level that counts as a block.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block: Option<String>,
}

/// One partition.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PartitionView {
    /// Its name.
    pub name: String,
    /// The queue its jobs go to.
    pub queue: String,
    /// Whether it is the partition of who names none.
    pub is_default: bool,
    /// Which nodes it has; all where nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub require: Option<Expression>,
    /// The limit of jobs that name none, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_default_ms: Option<u64>,
    /// The longest limit that a job may name, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_max_ms: Option<u64>,
    /// Its nodes, in order.
    pub nodes: Vec<String>,
}

/// One QOS.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct QosView {
    /// Its name.
    pub name: String,
    /// Its class.
    pub class: String,
    /// The rank of the class; larger goes first.
    pub priority: u32,
}

/// One account.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AccountView {
    /// Its name.
    pub name: String,
    /// Its team.
    pub team: String,
    /// The queue of the team.
    pub queue: String,
    /// Who belongs to it.
    pub members: Vec<String>,
}

/// A job with what Slurm's commands show of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SlurmJobView {
    /// The job.
    pub job: JobView,
    /// The number it was submitted under: its own, or its array's.
    pub submission: u64,
    /// What keeps it while it waits, in a word that stays the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waits: Option<String>,
    /// When it will probably start, where that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub starts: Option<Moment>,
    /// What was asked for; with the first job of a submission on a page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spec: Option<Arc<JobSpec>>,
    /// What it runs, without script and environment; with the first job of a submission.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<Arc<Program>>,
    /// Its steps by attempt and number, where they were asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<StepView>,
    /// The attempts of the history, where they were asked for, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attempts: Vec<AttemptView>,
}

impl Default for SlurmSettings {
    fn default() -> Self {
        SlurmSettings {
            cluster: CLUSTER.to_owned(),
            partition: None,
            partitions: Vec::new(),
            qos: Vec::new(),
            accounts: Vec::new(),
            switch: None,
            block: None,
        }
    }
}
