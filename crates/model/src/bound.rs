//! Every bound on a value, with its reason. They are far beyond any real cluster, and small
//! enough that sums over a whole cluster stay within 64 bits.
//!
//! What follows from the form of a type is beside it: [`crate::link::GPUS_PER_NODE_MAX`],
//! [`crate::name::NAME_LENGTH_MAX`], [`crate::name::QUEUE_DEPTH_MAX`].

use crate::unit::{Mib, MilliCpu, MilliGpu, Millis, Time};

/// The most memory one field may name: an exbibyte.
pub const MEMORY_MAX: Mib = Mib(1 << 40);

/// The most CPUs one field may name.
pub const CPUS_MAX: MilliCpu = MilliCpu::whole(1 << 30);

/// The most GPUs one quota may name.
pub const GPUS_MAX: MilliGpu = MilliGpu::whole(1 << 30);

/// The longest span: ten years.
pub const SPAN_MAX: Millis = Millis::days(3650);

/// The latest moment: the end of the year 9999.
pub const TIME_MAX: Time = Time(253_402_300_799_999);

/// The most levels of the topology above the node: each is a step of every descent.
pub const LEVELS_MAX: usize = 8;

/// The most GPU models: each has its own index of free GPUs.
pub const MODELS_MAX: usize = 128;

/// The most MIG profiles of one model.
pub const PROFILES_MAX: usize = 32;

/// The most compute slices of one GPU.
pub const SLICES_MAX: u8 = 7;

/// The most classes: each is a tier that a pass looks at.
pub const CLASSES_MAX: usize = 64;

/// The most limits between levels of attained service: a level is a step of an order, and more
/// tell nobody apart.
pub const LAS_LIMITS_MAX: usize = 15;

/// The most queues, inner ones included.
pub const QUEUES_MAX: usize = 4096;

/// The largest weight of a queue: with all others at 1 it has all but a millionth.
pub const QUEUE_WEIGHT_MAX: u32 = 1_000_000;

/// The shortest time after which a job counts as idle: readings are a minute apart.
pub const IDLE_AFTER_MIN: Millis = Millis::minutes(5);

/// The longest time after which a job counts as idle.
pub const IDLE_AFTER_MAX: Millis = Millis::days(30);

/// The most teams.
pub const TEAMS_MAX: usize = 16_384;

/// The most members of one team.
pub const MEMBERS_MAX: usize = 65_536;

/// The most regions, and the most pools.
pub const POOLS_MAX: usize = 4096;

/// The most nodes a pool may have.
pub const POOL_NODES_MAX: u32 = 1 << 20;

/// The highest price of a GPU hour: a million of the accounting currency.
pub const PRICE_MICROS_MAX: u64 = 1_000_000_000_000;

/// The most windows, and the most changes of one.
pub const WINDOWS_MAX: usize = 1024;

/// The most bookings at a time: each may be compared with each node that joins.
pub const BOOKINGS_MAX: usize = 1024;

/// The most places one booking may name.
pub const BOOKED_PLACES_MAX: usize = 16_384;

/// The longest text that is neither a name nor a path of names.
pub const TEXT_LENGTH_MAX: usize = 256;

/// The most labels of one node.
pub const LABELS_MAX: usize = 256;

/// The most groups of one job: a few roles, each with a name that people know.
pub const GROUPS_MAX: usize = 8;

/// The most tasks of one group.
pub const TASKS_MAX: u32 = 65_536;

/// The most sizes a job may give its speed for: a curve through a few points is smooth enough.
pub const SPEEDS_MAX: usize = 32;

/// The most GPU models one task may name.
pub const TASK_MODELS_MAX: usize = 16;

/// The most GPUs of one job, all groups together: ten times the largest cluster.
pub const JOB_GPUS_MAX: u64 = 1_048_576;

/// The most elements of one array.
pub const ARRAY_LENGTH_MAX: usize = 100_000;

/// The most dependencies of one job: the end of a job walks those who wait for it.
pub const DEPENDENCIES_MAX: usize = 256;

/// The most further attempts: beyond this a job is broken, not unlucky.
pub const ATTEMPTS_MAX: u32 = 1000;

/// The deepest nesting of an expression: people do not read deeper, and evaluation recurses.
pub const EXPRESSION_DEPTH_MAX: usize = 16;

/// The most names and values of one expression: each may be compared with each node.
pub const EXPRESSION_LEAVES_MAX: usize = 256;
