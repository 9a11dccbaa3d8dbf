//! One fast machine: all GPUs of a pool as one that does one thing at a time, so fast that a job
//! takes it gpus × duration / GPUs.
//!
//! Why it is a bound: what a schedule of the pool does within any span of time, the fast machine
//! can do in the same span, one job after the other; so it can end every job no later. On one
//! machine that may interrupt, taking always who needs the least time has the least sum of
//! completion times (Schrage, 1968). Costs of preemption only add work.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::{Pool, Work};

/// Mean time from release to end on the fast machine, in milliseconds.
pub(super) fn mean_jct(pool: &Pool) -> f64 {
    let mut sum = 0_u128;
    run(pool, Order::Remaining, |piece| {
        if piece.is_last {
            sum += piece.end - piece.release;
        }
    });
    if pool.works.is_empty() {
        return 0.0;
    }
    sum as f64 / pool.gpus as f64 / pool.works.len() as f64
}

/// Who is taken first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// Who needs the least still.
    Remaining,
    /// Who needs the least in all.
    Size,
}

/// A span in which the machine does one job. Times are in milliseconds × GPUs after the first
/// release, so that everything is a whole number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    pub(super) job: usize,
    pub(super) release: u128,
    pub(super) start: u128,
    pub(super) end: u128,
    pub(super) is_last: bool,
}

/// Runs the jobs of a pool on its fast machine and tells every piece in order of time.
pub(super) fn run(pool: &Pool, order: Order, mut tell: impl FnMut(Piece)) {
    let gpus = u128::from(pool.gpus);
    let first = pool.works.iter().map(|work| work.release_ms).min().unwrap_or_default();
    let release = |work: &Work| u128::from(work.release_ms - first) * gpus;
    let mut by_release: Vec<usize> = (0..pool.works.len()).collect();
    by_release.sort_by_key(|&job| pool.works[job].release_ms);
    let mut coming = by_release.into_iter().peekable();
    let mut line: BinaryHeap<Reverse<(u128, usize, u128)>> = BinaryHeap::new();
    let mut now = 0_u128;
    // Every turn a job comes or one is over.
    loop {
        while let Some(job) = coming.next_if(|&job| release(&pool.works[job]) <= now) {
            let size = size(&pool.works[job]);
            line.push(Reverse((size, job, size)));
        }
        let next = coming.peek().map(|&job| release(&pool.works[job]));
        let Some(Reverse((key, job, left))) = line.pop() else {
            let Some(next) = next else { break };
            now = next;
            continue;
        };
        let end = next.map_or(now + left, |next| next.min(now + left));
        let (start, is_last) = (now, end == now + left);
        tell(Piece { job, release: release(&pool.works[job]), start, end, is_last });
        if !is_last {
            let left = left - (end - now);
            let key = if order == Order::Remaining { left } else { key };
            line.push(Reverse((key, job, left)));
        }
        now = end;
    }
}

/// GPU-milliseconds, and so the time it takes in milliseconds × GPUs.
pub(super) fn size(work: &Work) -> u128 {
    u128::from(work.gpus) * u128::from(work.duration_ms)
}
