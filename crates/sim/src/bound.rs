//! Lower bounds, so that every figure can be told with its distance from the limit.
//!
//! Jobs are rigid: each needs its GPUs for its duration, whole or in parts, and not before its
//! release. A pool shares nothing with another, so the bound of several is made of theirs.

mod busy;
mod duration;
mod fast_machine;
mod makespan;

/// A rigid job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Work {
    /// It cannot start earlier.
    pub release_ms: u64,
    /// How long it runs on its GPUs.
    pub duration_ms: u64,
    /// Its GPUs, all at once.
    pub gpus: u32,
}

/// GPUs, and the jobs that run on them and nowhere else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pool {
    /// How many GPUs.
    pub gpus: u64,
    /// The jobs, in any order; none asks for more GPUs than there are.
    pub works: Vec<Work>,
}

impl Pool {
    /// No schedule of this pool has a mean time from release to end below this, in milliseconds:
    /// the largest of three bounds.
    pub fn mean_jct(&self) -> f64 {
        let bounds = [duration::mean_jct(self), fast_machine::mean_jct(self), busy::mean_jct(self)];
        bounds.into_iter().fold(0.0, f64::max)
    }

    /// Mean over its jobs of the durations, in milliseconds.
    pub fn by_duration(&self) -> f64 {
        duration::mean_jct(self)
    }

    /// The bound of one fast machine that always takes who needs the least, in milliseconds.
    pub fn by_fast_machine(&self) -> f64 {
        fast_machine::mean_jct(self)
    }

    /// The bound of mean busy times, in milliseconds.
    pub fn by_busy_time(&self) -> f64 {
        busy::mean_jct(self)
    }
}

/// No schedule has a mean time from release to end below this, in milliseconds. The sum over all
/// jobs is at least the sum over pools of what each of them needs.
pub fn mean_jct(pools: &[Pool]) -> f64 {
    mean_of(pools, Pool::mean_jct)
}

/// One of the bounds over all jobs, from what it is in each pool.
pub fn mean_of(pools: &[Pool], bound: impl Fn(&Pool) -> f64) -> f64 {
    let jobs: usize = pools.iter().map(|pool| pool.works.len()).sum();
    if jobs == 0 {
        return 0.0;
    }
    let sum: f64 = pools.iter().map(|pool| bound(pool) * pool.works.len() as f64).sum();
    sum / jobs as f64
}

/// No schedule is over sooner, in milliseconds after the first release: the last pool decides.
pub fn makespan(pools: &[Pool]) -> f64 {
    let first = pools.iter().flat_map(|pool| &pool.works).map(|work| work.release_ms).min();
    let Some(first) = first else { return 0.0 };
    pools.iter().map(|pool| makespan::from(pool, first)).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests;
