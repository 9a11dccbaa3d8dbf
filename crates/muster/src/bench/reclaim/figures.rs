//! What claims of one size on a cluster of one size cost, as JSON and as lines for people.

use serde::Serialize;

use crate::bench::figures::Target;

/// Costs of claims, in microseconds of CPU time of the one thread.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Reclaims {
    pub(super) gpus: u32,
    /// GPUs of each claim.
    pub(super) reclaim_gpus: u32,
    pub(super) rounds: u32,
    pub(super) seed: u64,
    pub(super) reclaim_cpu_us_p50: f64,
    pub(super) reclaim_cpu_us_p99: f64,
    pub(super) reclaim_cpu_us_max: f64,
    /// What the p99 must stay below.
    pub(super) reclaim_cpu_us_limit: f64,
    /// Steps from submission to plan, of all claims together.
    pub(super) steps: usize,
    /// Jobs that were paused for all claims together.
    pub(super) pauses: u64,
    /// The longest virtual time from a claim to its launch, in seconds.
    pub(super) reclaim_wait_s_max: f64,
}

impl Reclaims {
    /// A few lines with the target beside the figures.
    pub(super) fn table(&self) -> String {
        let target = Target::Below(self.reclaim_cpu_us_limit);
        format!(
            "{} GPUs, {} claims on {}, seed {}\n  {:<28}{:>12.1}{}\n  {:<28}{:>12.1}{}\n  \
             {:<28}{:>12.1}\n  {} jobs paused, launched after at most {:.1} virtual seconds\n",
            self.gpus,
            self.rounds,
            self.reclaim_gpus,
            self.seed,
            "reclaim_cpu_us_p50",
            self.reclaim_cpu_us_p50,
            target.verdict(self.reclaim_cpu_us_p50),
            "reclaim_cpu_us_p99",
            self.reclaim_cpu_us_p99,
            target.verdict(self.reclaim_cpu_us_p99),
            "reclaim_cpu_us_max",
            self.reclaim_cpu_us_max,
            self.pauses,
            self.reclaim_wait_s_max,
        )
    }
}
