//! Queues: the tree of tenants with what each is guaranteed, limited to, and weighs.

mod build;
mod idle;
mod part;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::name::{Name, QueueName};
use crate::unit::{Mib, MilliCpu, MilliGpu};

pub use idle::{IdleRule, WhenIdle};
pub use part::QuotaPart;

/// One queue. Jobs go to leaves; a queue with children only divides.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct QueueSpec {
    /// Its full name; the part before the last `/` names its parent, which must exist.
    pub name: QueueName,
    /// What it can always have; what it leaves unused is lent.
    #[serde(default)]
    pub guarantee: Quota,
    /// What it can never exceed.
    #[serde(default)]
    pub limit: Quota,
    /// What one user can never exceed within it.
    #[serde(default)]
    pub user_limit: Quota,
    /// Its part of what is shared, relative to its siblings.
    #[serde(default = "one")]
    #[cfg_attr(feature = "schema", schema(default = one))]
    pub weight: u32,
    /// What becomes of jobs in it and below it whose GPUs compute next to nothing; nothing where
    /// no rule is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idle: Option<IdleRule>,
}

fn one() -> u32 {
    1
}

impl QueueSpec {
    /// A queue with no guarantee, no limit and weight 1.
    pub fn new(name: &str) -> Self {
        QueueSpec {
            name: QueueName::from(name),
            guarantee: Quota::default(),
            limit: Quota::default(),
            user_limit: Quota::default(),
            weight: 1,
            idle: None,
        }
    }
}

/// Amounts of what a cluster has; what is not named is not restricted (or not guaranteed).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Quota {
    /// GPUs of all models together.
    pub gpus: Option<MilliGpu>,
    /// GPUs of one model.
    pub models: BTreeMap<Name, MilliGpu>,
    /// CPUs.
    pub cpus: Option<MilliCpu>,
    /// Memory.
    pub memory: Option<Mib>,
}
