//! From what was paid for down to what was of use, in GPU time and in money.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// GPU time, and what it cost.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Funnel {
    /// In milliseconds of one GPU.
    #[serde(flatten)]
    pub gpu_ms: Stages,
    /// In millionths of the currency, by the price of each GPU's model; absent where a model has no
    /// price.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub money: Option<Stages>,
}

/// GPU time, or its cost. Always: `paid` = `allocated` + `unallocated`, `allocated` = `active` +
/// `idle` + `unmeasured`, `active` = `useful` + `lost`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Stages {
    /// What the cluster owned, used or not; absent where only part of the jobs is looked at, for
    /// nobody owns what is left over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paid: Option<u64>,
    /// What of it no job held; absent where `paid` is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unallocated: Option<Unallocated>,
    /// What jobs held, from being given a place until it was free again.
    pub allocated: u64,
    /// What of it computed, as it was measured.
    pub active: u64,
    /// What of it was measured and did not compute.
    pub idle: u64,
    /// What of it nobody measured: it may have computed or not.
    pub unmeasured: u64,
    /// What computed and was kept.
    pub useful: u64,
    /// What computed in vain.
    pub lost: Lost,
    /// What of `allocated` went by while jobs were launched, saved or put back on their GPUs, as
    /// far as that is known; it may have been active or idle.
    pub overhead: u64,
}

/// GPU time, or its cost, that no job held.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Unallocated {
    /// A job could have had it.
    pub idle: u64,
    /// What of `idle` lay apart while a job waited that needed as much of it together. It is
    /// between nodes: none of them has a part of its own in it.
    #[serde(default)]
    pub scattered: u64,
    /// No job could have had it: its node was drained, out of sight or gone, or the GPU unhealthy.
    pub unusable: u64,
}

/// GPU time, or its cost, that computed in vain, by cause.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Lost {
    /// The job failed, ran into its limit, or lost a node.
    pub failed: u64,
    /// The job gave its GPUs to another, or was started anew by request.
    pub paused: u64,
    /// The job was cancelled.
    pub cancelled: u64,
}

impl Lost {
    /// By all causes.
    pub fn sum(&self) -> u64 {
        self.failed + self.paused + self.cancelled
    }
}

impl AddAssign<&Funnel> for Funnel {
    /// What is absent in either stays so: half a sum is none.
    fn add_assign(&mut self, other: &Funnel) {
        self.gpu_ms += other.gpu_ms;
        self.money = self.money.zip(other.money).map(|(mut one, more)| {
            one += more;
            one
        });
    }
}

impl AddAssign for Stages {
    fn add_assign(&mut self, other: Stages) {
        self.paid = self.paid.zip(other.paid).map(|(one, more)| one + more);
        self.unallocated = add(self.unallocated, other.unallocated);
        self.allocated += other.allocated;
        self.active += other.active;
        self.idle += other.idle;
        self.unmeasured += other.unmeasured;
        self.useful += other.useful;
        self.lost += other.lost;
        self.overhead += other.overhead;
    }
}

impl AddAssign for Lost {
    fn add_assign(&mut self, other: Lost) {
        self.failed += other.failed;
        self.paused += other.paused;
        self.cancelled += other.cancelled;
    }
}

fn add(one: Option<Unallocated>, more: Option<Unallocated>) -> Option<Unallocated> {
    let sum = |(one, more): (Unallocated, Unallocated)| Unallocated {
        idle: one.idle + more.idle,
        scattered: one.scattered + more.scattered,
        unusable: one.unusable + more.unusable,
    };
    one.zip(more).map(sum)
}
