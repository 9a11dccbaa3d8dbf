//! How a replay went over time: what was allocated and what of it was needed, who waited, and what
//! was free in pieces. Only where it is asked for, and never more than a few hundred points.

mod buckets;
mod rooms;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use muster_engine::action::TaskPlace;
use muster_model::{Attempt, JobId, Millis, NodeId, Time};

use super::Record;
use buckets::Buckets;
use rooms::Rooms;

/// What is followed over time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// GPUs that jobs hold.
    Allocated,
    /// Of those, what the jobs need: of what a job holds in all the part that its duration is,
    /// spread evenly over the time in which it holds it.
    Useful,
    /// Jobs that were submitted and have no GPUs, paused ones among them.
    Waiting,
    /// The GPUs that those ask for.
    WaitingGpus,
    /// Free GPUs on nodes of which others are in use: no use to a job that needs whole nodes.
    Fragmented,
}

impl Signal {
    const ALL: [Signal; 5] = [
        Signal::Allocated,
        Signal::Useful,
        Signal::Waiting,
        Signal::WaitingGpus,
        Signal::Fragmented,
    ];

    const fn index(self) -> usize {
        self as usize
    }
}

/// All signals in buckets of equal length, from the first submission to the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Series {
    /// How long a bucket is; the last may be shorter.
    pub width: Millis,
    /// From the first submission to the end.
    pub length: Millis,
    /// By signal and bucket: thousandths times milliseconds.
    sums: [Vec<u128>; Signal::ALL.len()],
}

impl Series {
    /// How many buckets there are.
    pub fn buckets(&self) -> usize {
        self.sums[0].len()
    }

    /// When a bucket begins, after the first submission.
    pub fn begin(&self, bucket: usize) -> Millis {
        Millis(self.width.0 * bucket as u64)
    }

    /// The mean of a signal over the time of a bucket.
    pub fn mean(&self, signal: Signal, bucket: usize) -> f64 {
        let begin = self.begin(bucket);
        let span = self.width.min(self.length.saturating_sub(begin));
        mean(self.sums[signal.index()][bucket], span)
    }

    /// The mean of a signal over the whole time.
    pub fn mean_of_all(&self, signal: Signal) -> f64 {
        mean(self.sums[signal.index()].iter().sum(), self.length)
    }
}

fn mean(sum: u128, span: Millis) -> f64 {
    if span == Millis::ZERO { 0.0 } else { sum as f64 / 1_000.0 / span.0 as f64 }
}

/// Follows the signals while a replay goes on.
#[derive(Debug)]
pub(super) struct Recorder {
    first: Time,
    /// By signal: its level in thousandths, since when, and what it was before.
    levels: [(u64, Time, Buckets); Signal::ALL.len()],
    rooms: Rooms,
    /// When the jobs that are not over held their GPUs, by record; the last may still go on.
    spans: BTreeMap<usize, Vec<(Time, Option<Time>)>>,
}

impl Recorder {
    /// Nodes with so many GPUs, pool by pool.
    pub(super) fn new<'a>(first: Time, pools: impl Iterator<Item = &'a [u32]>) -> Recorder {
        Recorder {
            first,
            levels: Signal::ALL.map(|_| (0, first, Buckets::new(first))),
            rooms: Rooms::new(pools),
            spans: BTreeMap::new(),
        }
    }

    /// A job has been submitted and waits.
    pub(super) fn submitted(&mut self, now: Time, record: &Record) {
        self.waits(now, record, true);
    }

    pub(super) fn launched(
        &mut self,
        now: Time,
        pool: usize,
        attempt: (NodeId, JobId, Attempt),
        tasks: &[TaskPlace],
    ) {
        self.rooms.launch(pool, attempt, tasks);
        self.set(now, Signal::Fragmented, self.rooms.fragmented());
    }

    /// A job has its GPUs from now on, or has them no more.
    pub(super) fn holds(
        &mut self,
        now: Time,
        job: JobId,
        (index, record): (usize, &Record),
        holds: bool,
    ) {
        let spans = self.spans.entry(index).or_default();
        if holds {
            spans.push((now, None));
        } else if let Some((_, end)) = spans.last_mut() {
            *end = Some(now);
        }
        self.waits(now, record, !holds);
        self.change(now, Signal::Allocated, record.milli, holds);
        self.rooms.hold(record.pool, job, holds);
        self.set(now, Signal::Fragmented, self.rooms.fragmented());
    }

    /// A job is over; it holds nothing any more.
    pub(super) fn over(&mut self, now: Time, job: JobId, (index, record): (usize, &Record)) {
        self.waits(now, record, false);
        self.rooms.forget(record.pool, job);
        if let Some(spans) = self.spans.remove(&index) {
            self.count_useful(&spans, now, record);
        }
    }

    /// A node breaks, or is mended.
    pub(super) fn broken(&mut self, now: Time, pool: usize, node: NodeId, is_broken: bool) {
        self.rooms.set_broken(pool, node, is_broken);
        self.set(now, Signal::Fragmented, self.rooms.fragmented());
    }

    /// The replay has ended; what goes on counts until then.
    pub(super) fn finish(mut self, ended: Time, records: &[Record]) -> Series {
        for (index, spans) in std::mem::take(&mut self.spans) {
            self.count_useful(&spans, ended, &records[index]);
        }
        for signal in Signal::ALL {
            self.change(ended, signal, 0, true);
            self.levels[signal.index()].2.reach(ended);
        }
        let width = self.levels[0].2.width();
        let length = ended.since(self.first);
        Series { width, length, sums: self.levels.map(|(.., buckets)| buckets.into_sums()) }
    }

    fn waits(&mut self, now: Time, record: &Record, waits: bool) {
        self.change(now, Signal::Waiting, 1_000, waits);
        self.change(now, Signal::WaitingGpus, record.milli, waits);
    }

    /// What a job needed of all it held, spread over the time in which it held it.
    fn count_useful(&mut self, spans: &[(Time, Option<Time>)], now: Time, record: &Record) {
        let ends = |&(from, to): &(Time, Option<Time>)| (from, to.unwrap_or(now));
        let held: u64 = spans.iter().map(ends).map(|(from, to)| to.since(from).0).sum();
        let needed = record.duration.0.min(held.saturating_sub(record.slowed.0));
        let part = (needed, held);
        let (.., buckets) = &mut self.levels[Signal::Useful.index()];
        spans.iter().map(ends).for_each(|(from, to)| buckets.add(from, to, record.milli, part));
    }

    /// A signal becomes larger or smaller.
    fn change(&mut self, now: Time, signal: Signal, by: u64, larger: bool) {
        let level = self.levels[signal.index()].0;
        let level = if larger { level + by } else { level - by };
        self.set(now, signal, level);
    }

    fn set(&mut self, now: Time, signal: Signal, level: u64) {
        let (before, since, buckets) = &mut self.levels[signal.index()];
        if *before > 0 {
            buckets.add(*since, now, *before, (1, 1));
        }
        (*before, *since) = (level, now);
    }
}
