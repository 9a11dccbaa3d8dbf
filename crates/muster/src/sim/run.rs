//! One run in figures, for programs and for tables.

use muster_sim::replay::Figures;
use serde::Serialize;

use super::team::TeamsOfRun;

/// One run: what was replayed, what it came to, what it cost.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Run {
    pub(super) trace: String,
    pub(super) cluster: String,
    pub(super) policy: String,
    pub(super) placer: String,
    pub(super) seed: u64,
    pub(super) preemption_cost: String,
    #[serde(flatten)]
    pub(super) figures: Figures,
    /// Where each has a queue of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) teams: Option<TeamsOfRun>,
    pub(super) cpu_s: f64,
    pub(super) peak_mb: Option<f64>,
}
