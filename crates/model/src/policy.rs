//! Policy as data: how waiting jobs are ordered, and the constants the engine works with.

use serde::{Deserialize, Serialize};

use crate::defragmentation::Defragmentation;
use crate::unit::Millis;

/// The order of waiting jobs inside a tier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
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
    /// Shortest remaining run time first, and running jobs give way to those with less.
    Srtf,
    /// Least attained service first, by levels of GPU-time, and running jobs give way to those of
    /// lower levels (Tiresias).
    Las,
}

/// How places are chosen among those that will do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Placer {
    /// The default: where it leaves the least behind that recent demand cannot use; as long as
    /// nobody asks for shares, where it fits most tightly.
    #[default]
    Muster,
    /// Everything where it fits most tightly.
    BestFit,
    /// Everything that fits on one node where it leaves the least behind that recent demand
    /// cannot use.
    Fgd,
}

/// The capacity set aside for jobs that have waited too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
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
        Floor { share_ppm: 30_000, wait: Millis::hours(12), quantum: Millis::hours(1) }
    }
}

/// How elastic jobs grow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
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

/// When running work is paused for other work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Pausing {
    /// Whether anything is ever paused.
    pub on: bool,
    /// A job is left alone for this long after it has started or resumed.
    pub run_min: Millis,
    /// A job is paused at most once in this time.
    pub interval: Millis,
    /// Pausing costs a job at most this part of its time, in parts per million.
    pub overhead_ppm: u32,
    /// The benefit of a pause must exceed its cost by this part, in parts per million.
    pub margin_ppm: u32,
    /// What a queue is guaranteed and others have borrowed is back within this time.
    pub reclaim: Millis,
    /// At most so many GPUs below one lowest domain save their state at once: more would only
    /// wait for the same storage.
    pub gpus_saving_max: u32,
    /// Who has looked in vain at more nodes and jobs than this for someone to take the place of
    /// rests before it looks again.
    pub looks_free: u32,
    /// How long it rests for each of them, and twice as long each time.
    pub rest: Millis,
}

impl Default for Pausing {
    fn default() -> Self {
        Pausing {
            on: true,
            run_min: Millis::minutes(5),
            interval: Millis::minutes(5),
            overhead_ppm: 50_000,
            margin_ppm: 100_000,
            reclaim: Millis::minutes(2),
            gpus_saving_max: 1024,
            looks_free: 64,
            rest: Millis(10),
        }
    }
}

/// How failures of nodes and of jobs are dealt with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Failures {
    /// An attempt that fails by itself before it has run this long has crashed.
    pub crash_within: Millis,
    /// A job that crashed so many times in a row is crashing: it gets nothing at the cost of
    /// others until an attempt runs well.
    pub crashes: u32,
    /// Time in which a node's past failures count half.
    pub hazard_half_life: Millis,
    /// A gang that needs so many nodes is large: it keeps off nodes that fail often.
    pub large_nodes: u32,
    /// How long a broken node is away; spare nodes have to last for it.
    pub repair_time: Millis,
}

impl Default for Failures {
    fn default() -> Self {
        Failures {
            crash_within: Millis::minutes(1),
            crashes: 2,
            hazard_half_life: Millis::days(30),
            large_nodes: 16,
            repair_time: Millis::hours(4),
        }
    }
}

/// How room is kept for gangs that do not fit yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Reservations {
    /// So many blocked gangs have nodes reserved for them at once; 0 switches reservations off.
    pub most: u32,
    /// Gangs with fewer GPUs than this find room without.
    pub gpus_min: u32,
    /// Work that can give way within this time may use reserved GPUs until they are needed.
    pub grace: Millis,
    /// A reserved start may be put off so often ...
    pub slips_max: u32,
    /// ... and by so much; after that room is made for the gang.
    pub slip_max: Millis,
}

impl Default for Reservations {
    fn default() -> Self {
        Reservations {
            most: 4,
            gpus_min: 16,
            grace: Millis::minutes(1),
            slips_max: 3,
            slip_max: Millis::minutes(30),
        }
    }
}

/// All the engine's settings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Policy {
    /// How waiting jobs are ordered.
    pub order: Order,
    /// Under [`Order::Las`], the GPU-time at which a job comes to the next level, ascending: as
    /// run time on one GPU.
    pub las_limits: Vec<Millis>,
    /// How places are chosen.
    pub placer: Placer,
    /// How strongly the rank grows with a gang's GPUs: 1000 counts GPU-seconds, 500 their root.
    pub size_weight_milli: u32,
    /// Time in which past usage counts half.
    pub usage_half_life: Millis,
    /// The service floor.
    pub floor: Floor,
    /// How elastic jobs grow.
    pub elastic: Elastic,
    /// Pausing.
    pub pausing: Pausing,
    /// Reservations for gangs.
    pub reservations: Reservations,
    /// Moves of running jobs.
    pub defragmentation: Defragmentation,
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
    /// Failures of nodes and jobs.
    pub failures: Failures,
}

impl Default for Policy {
    fn default() -> Self {
        Policy {
            order: Order::Muster,
            las_limits: vec![Millis::hours(5)],
            placer: Placer::Muster,
            size_weight_milli: 500,
            usage_half_life: Millis::days(7),
            floor: Floor::default(),
            elastic: Elastic::default(),
            pausing: Pausing::default(),
            reservations: Reservations::default(),
            defragmentation: Defragmentation::default(),
            limit_max: Millis::days(30),
            estimate_default: Millis::hours(1),
            launch_timeout: Millis::minutes(5),
            stop_grace: Millis::seconds(30),
            retry_pause: Millis::seconds(10),
            remember_ended: Millis::hours(24),
            failures: Failures::default(),
        }
    }
}
