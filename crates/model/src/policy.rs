//! Policy as data: how waiting jobs are ordered, and the constants the engine works with.

use serde::{Deserialize, Serialize};

use crate::unit::Millis;

/// The order of waiting jobs inside a tier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// The default: Gittins rank of predicted service, user weight, fair share, urgency.
    Muster,
    /// First come, first served; the head of the queue blocks all behind it.
    Fifo,
    /// Shortest predicted run time first; the head blocks.
    Sjf,
    /// The queue furthest below its share first.
    Fair,
}

/// The capacity set aside for jobs that have waited too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Floor {
    /// Part of the cluster's GPUs, in parts per million; 0 switches the floor off.
    pub share_ppm: u32,
    /// A job starves when it has had no service for this long.
    pub wait: Millis,
    /// A job served by the floor counts against it for this long.
    pub quantum: Millis,
}

impl Default for Floor {
    fn default() -> Self {
        Floor { share_ppm: 50_000, wait: Millis::hours(12), quantum: Millis::hours(2) }
    }
}

/// How elastic jobs grow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Elastic {
    /// A job grows no sooner than this after its size changed.
    pub interval: Millis,
    /// How long a job is expected to keep idle GPUs before others need them, at most; 0 lets
    /// nothing grow.
    pub stay: Millis,
}

impl Default for Elastic {
    fn default() -> Self {
        Elastic { interval: Millis::minutes(10), stay: Millis::hours(1) }
    }
}

/// All the engine's settings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Policy {
    /// How waiting jobs are ordered.
    pub order: Order,
    /// How strongly the rank grows with a gang's GPUs: 1000 counts GPU-seconds, 500 their root.
    pub size_weight_milli: u32,
    /// Time in which past usage counts half.
    pub usage_half_life: Millis,
    /// The service floor.
    pub floor: Floor,
    /// How elastic jobs grow.
    pub elastic: Elastic,
    /// No attempt may run longer than this; it bounds what every waiting job can be told.
    pub limit_max: Millis,
    /// The estimate of a job about which nothing is known.
    pub estimate_default: Millis,
    /// How long all nodes together have to confirm a launch.
    pub launch_timeout: Millis,
    /// Time between asking an attempt to end and ending it by force.
    pub stop_grace: Millis,
    /// First pause before trying again after a failed launch; doubles with each failure.
    pub retry_pause: Millis,
    /// How long ended jobs are remembered for late dependencies and questions.
    pub remember_ended: Millis,
}

impl Default for Policy {
    fn default() -> Self {
        Policy {
            order: Order::Muster,
            size_weight_milli: 1000,
            usage_half_life: Millis::days(7),
            floor: Floor::default(),
            elastic: Elastic::default(),
            limit_max: Millis::days(30),
            estimate_default: Millis::hours(1),
            launch_timeout: Millis::minutes(5),
            stop_grace: Millis::seconds(30),
            retry_pause: Millis::seconds(10),
            remember_ended: Millis::hours(24),
        }
    }
}
