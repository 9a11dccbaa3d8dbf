//! What the engine's index says is free, for comparison with a recount.

use muster_model::{Isolation, Name};

/// What the engine's index says is free in one domain, for comparison with a recount.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FreeCount {
    /// Names from the widest level down; empty for the whole cluster.
    pub domain: Vec<Name>,
    /// The GPU model; `None` for nodes without GPUs.
    pub model: Option<Name>,
    /// `nodes[f]` = schedulable nodes with exactly `f` free GPUs.
    pub nodes: Vec<u32>,
    /// What GPUs that are shared have left, by mode.
    pub shared: Vec<SharedCount>,
}

/// What the engine's index says is left on GPUs that are shared in one mode.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SharedCount {
    /// The mode.
    pub mode: Isolation,
    /// Milli-GPUs left on all of them.
    pub milli: u64,
    /// `nodes[e]` = schedulable nodes with something left and exactly `e` whole eighths of it on
    /// one GPU.
    pub nodes: Vec<u32>,
}
