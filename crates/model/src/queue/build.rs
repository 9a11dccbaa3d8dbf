//! Writing a queue or a quota in a line.

use crate::name::Name;
use crate::queue::{IdleRule, QueueSpec, Quota};
use crate::unit::{Mib, MilliCpu, MilliGpu};

impl QueueSpec {
    /// With this guarantee.
    #[must_use]
    pub fn guarantee(mut self, quota: Quota) -> QueueSpec {
        self.guarantee = quota;
        self
    }

    /// With this limit.
    #[must_use]
    pub fn limit(mut self, quota: Quota) -> QueueSpec {
        self.limit = quota;
        self
    }

    /// With this limit for each of its users.
    #[must_use]
    pub fn user_limit(mut self, quota: Quota) -> QueueSpec {
        self.user_limit = quota;
        self
    }

    /// With this weight among its siblings.
    #[must_use]
    pub fn weight(mut self, weight: u32) -> QueueSpec {
        self.weight = weight;
        self
    }

    /// With this rule for jobs that compute next to nothing.
    #[must_use]
    pub fn idle(mut self, rule: IdleRule) -> QueueSpec {
        self.idle = Some(rule);
        self
    }
}

impl Quota {
    /// So many whole GPUs of all models together, and nothing said about the rest.
    ///
    /// ```
    /// use muster_model::{Mib, MilliGpu, Quota};
    ///
    /// let quota = Quota::of_gpus(64).model("H100", 16).memory(Mib::gib(2048));
    /// assert_eq!(quota.gpus, Some(MilliGpu::whole(64)));
    /// assert_eq!(quota.cpus, None);
    /// ```
    pub fn of_gpus(gpus: u64) -> Quota {
        Quota { gpus: Some(MilliGpu::whole(gpus)), ..Quota::default() }
    }

    /// With so many whole GPUs of one model.
    #[must_use]
    pub fn model(mut self, model: &str, gpus: u64) -> Quota {
        self.models.insert(Name::from(model), MilliGpu::whole(gpus));
        self
    }

    /// With so many whole CPUs.
    #[must_use]
    pub fn cpus(mut self, cpus: u64) -> Quota {
        self.cpus = Some(MilliCpu::whole(cpus));
        self
    }

    /// With so much memory.
    #[must_use]
    pub fn memory(mut self, memory: Mib) -> Quota {
        self.memory = Some(memory);
        self
    }
}
