//! A whole cluster by `muster up`, used as people use it: the real binary, real processes.

#[path = "up/audit.rs"]
mod audit;
#[path = "up/cluster.rs"]
mod cluster;
#[path = "up/examples.rs"]
mod examples;
#[path = "up/journal.rs"]
mod journal;
#[path = "up/life.rs"]
mod life;
#[path = "up/mistakes.rs"]
mod mistakes;
#[path = "support/patience.rs"]
mod patience;
#[path = "up/pausing.rs"]
mod pausing;
#[path = "up/usage.rs"]
mod usage;
