//! Rules without preemption under which nobody passes the first in line: FIFO and shortest job
//! first as Lucid's simulator has them. If the first does not fit, all wait, whatever else is free.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use super::nodes::{Nodes, Place};
use super::{Job, Outcome, Pool};

/// Runs a pool with the line in order of a key; among equals the earlier job is first.
pub(super) fn run(pool: &Pool, key: impl Fn(&Job) -> u64) -> Vec<Outcome> {
    let jobs = &pool.jobs;
    let mut outcomes = vec![Outcome::default(); jobs.len()];
    let mut places: Vec<Place> = vec![Place::new(); jobs.len()];
    let mut nodes = Nodes::new(pool);
    let mut line: BTreeSet<(u64, usize)> = BTreeSet::new();
    let mut ends: BinaryHeap<Reverse<(u64, usize)>> = BinaryHeap::new();
    let mut come = 0;
    // Every turn takes a submission or an end away, of which each job has one.
    loop {
        let next_end = ends.peek().map(|Reverse((end_s, _))| *end_s);
        let next_job = jobs.get(come).map(|job| job.submit_s);
        let Some(now_s) = next_end.into_iter().chain(next_job).min() else { break };
        while let Some(&Reverse((end_s, job))) = ends.peek()
            && end_s == now_s
        {
            ends.pop();
            nodes.give(&places[job]);
        }
        while let Some(job) = jobs.get(come)
            && job.submit_s == now_s
        {
            line.insert((key(job), come));
            come += 1;
        }
        while let Some(&(_, first)) = line.first() {
            let job = &jobs[first];
            let Some(place) = nodes.take(job.gpus) else { break };
            line.pop_first();
            places[first] = place;
            outcomes[first].starts(now_s - job.submit_s);
            outcomes[first].jct_s = now_s + job.duration_s - job.submit_s;
            ends.push(Reverse((now_s + job.duration_s, first)));
        }
    }
    assert!(line.is_empty(), "no gang is larger than its pool, so all of them start");
    outcomes
}
