//! Writing what one task needs, alone or through the job whose last group it is.

use crate::job::JobSpec;
use crate::name::Name;
use crate::share::{Isolation, Share, ShareSize};
use crate::task::{TaskCount, TaskShape};
use crate::unit::{Mib, MilliCpu, MilliGpu};

/// CPUs that a typical task uses for each of its GPUs.
const CPUS_PER_GPU: u64 = 4;

/// Memory that a typical task uses for each of its GPUs.
const GIB_PER_GPU: u64 = 16;

impl TaskShape {
    /// So many whole GPUs with 4 CPUs and 16 GiB for each; without GPUs, 1 CPU and 1 GiB.
    ///
    /// ```
    /// use muster_model::{MilliCpu, TaskShape};
    ///
    /// assert_eq!(TaskShape::gpus(8).cpus, MilliCpu::whole(32));
    /// assert_eq!(TaskShape::gpus(0).cpus, MilliCpu::whole(1));
    /// ```
    pub fn gpus(gpus: u32) -> TaskShape {
        let (cpus, gib) = match u64::from(gpus) {
            0 => (1, 1),
            gpus => (gpus * CPUS_PER_GPU, gpus * GIB_PER_GPU),
        };
        TaskShape {
            gpus,
            cpus: MilliCpu::whole(cpus),
            memory: Mib::gib(gib),
            ..TaskShape::default()
        }
    }

    /// Part of one GPU, with CPUs and memory as for a whole one.
    pub fn share(share: Share) -> TaskShape {
        TaskShape { gpus: 0, share: Some(share), ..TaskShape::gpus(1) }
    }
}

impl Share {
    /// A fixed fraction of one GPU, softly isolated.
    pub fn fraction(size: MilliGpu) -> Share {
        Share::between(size, size)
    }

    /// A fraction of one GPU that the engine may choose from a range, softly isolated.
    pub fn between(least: MilliGpu, most: MilliGpu) -> Share {
        Share { size: ShareSize::Fraction { least, most }, isolation: Isolation::Soft }
    }

    /// So much memory of one GPU, softly isolated.
    pub fn memory(memory: Mib) -> Share {
        Share { size: ShareSize::Memory(memory), isolation: Isolation::Soft }
    }

    /// Isolated like this.
    #[must_use]
    pub fn isolated(mut self, isolation: Isolation) -> Share {
        self.isolation = isolation;
        self
    }

    /// A MIG instance of this profile: isolated by hardware.
    pub fn mig(profile: &str) -> Share {
        Share { size: ShareSize::Mig(Name::from(profile)), isolation: Isolation::Hard }
    }
}

/// Changes to the group that was added last.
///
/// # Panics
///
/// All of them where the job has no group yet: there is nothing to change.
impl JobSpec {
    /// With as many tasks as are free, in this range.
    #[must_use]
    pub fn elastic(mut self, min: u32, max: u32) -> JobSpec {
        self.groups.last_mut().expect(NEEDS_GROUP).tasks = TaskCount { min, max };
        self
    }

    /// On these GPU models, best first.
    #[must_use]
    pub fn models<'a>(mut self, models: impl IntoIterator<Item = &'a str>) -> JobSpec {
        self.last_task().models = models.into_iter().map(Name::from).collect();
        self
    }

    /// With so many whole CPUs for each task.
    #[must_use]
    pub fn cpus(mut self, cpus: u64) -> JobSpec {
        self.last_task().cpus = MilliCpu::whole(cpus);
        self
    }

    /// With so much memory for each task.
    #[must_use]
    pub fn memory(mut self, memory: Mib) -> JobSpec {
        self.last_task().memory = memory;
        self
    }

    /// With this part of one GPU for each task instead of whole ones.
    #[must_use]
    pub fn share(mut self, share: Share) -> JobSpec {
        let task = self.last_task();
        (task.gpus, task.share) = (0, Some(share));
        self
    }

    /// With each task's GPUs linked by NVLink.
    #[must_use]
    pub fn nvlink(mut self) -> JobSpec {
        self.last_task().nvlink = true;
        self
    }

    /// With a node for each task alone.
    #[must_use]
    pub fn exclusive(mut self) -> JobSpec {
        self.last_task().exclusive = true;
        self
    }

    fn last_task(&mut self) -> &mut TaskShape {
        &mut self.groups.last_mut().expect(NEEDS_GROUP).task
    }
}

const NEEDS_GROUP: &str = "a job gets its first group before its tasks are described";
