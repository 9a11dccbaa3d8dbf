//! What is in a trace, in figures: for people as text, for programs as data.

mod words;

use std::collections::{BTreeMap, BTreeSet};

use muster_model::Millis;
use serde::Serialize;

use crate::job::{Gpus, Job, Outcome, Text};
use crate::trace::Trace;

/// The figures of one trace.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// Its name.
    pub trace: String,
    /// How many jobs it has.
    pub jobs: u64,
    /// The first submission, in milliseconds.
    pub first_submit_ms: u64,
    /// From the first submission to the last, in seconds.
    pub span_s: f64,
    /// Mean duration of a job, in seconds.
    pub mean_duration_s: f64,
    /// Half of the jobs are shorter, in seconds.
    pub median_duration_s: f64,
    /// One of a hundred is longer, in seconds.
    pub p99_duration_s: f64,
    /// GPU time of all jobs, in hours.
    pub gpu_hours: f64,
    /// GPUs that would be busy on average if nothing ever waited, over the span.
    pub mean_busy_gpus: f64,
    /// The most GPUs of one job; shares count as parts.
    pub largest_gpus: f64,
    /// Jobs and GPU time by size.
    pub sizes: Vec<Size>,
    /// Jobs by how they ended.
    pub outcomes: BTreeMap<String, u64>,
    /// How many users there are.
    pub users: u64,
    /// How many teams.
    pub teams: u64,
    /// How many pools.
    pub pools: u64,
    /// How many different names or templates.
    pub names: u64,
    /// How many jobs have the id of another.
    pub repeated_ids: u64,
    /// Rows read.
    pub rows: u64,
    /// Rows that could not be read.
    pub bad_rows: u64,
    /// The first bad rows in words.
    pub first_bad_rows: Vec<String>,
    /// Rows left out on purpose, by reason.
    pub left_out: BTreeMap<String, u64>,
}

/// Jobs of one range of sizes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Size {
    /// The range in GPUs: `share`, `1`, `2`, `3-4`, `5-8`.
    pub gpus: String,
    /// How many jobs.
    pub jobs: u64,
    /// Their GPU time in hours.
    pub gpu_hours: f64,
    /// Half of them are shorter, in seconds.
    pub median_duration_s: f64,
}

/// Thousandths of a GPU times milliseconds, in one GPU-hour.
const PER_GPU_HOUR: f64 = 3_600_000_000.0;

impl Summary {
    /// Counts a trace.
    pub fn of(trace: &Trace) -> Summary {
        let jobs = &trace.jobs;
        let durations = Durations::of(jobs.iter());
        let gpu_hours = gpu_hours(jobs.iter());
        let span_s = seconds(trace.length());
        let largest = jobs.iter().map(|job| job.gpus.milli().0).max().unwrap_or(0);
        let ids: BTreeSet<&str> = jobs.iter().map(|job| &*job.id).collect();
        let tally = &trace.tally;
        let left_out = tally.left_out.iter().map(|(why, count)| (why.words().to_owned(), *count));
        Summary {
            trace: trace.name.clone(),
            jobs: jobs.len() as u64,
            first_submit_ms: trace.span().map_or(0, |(first, _)| first.0),
            span_s,
            mean_duration_s: durations.mean(),
            median_duration_s: durations.at(500),
            p99_duration_s: durations.at(990),
            gpu_hours,
            mean_busy_gpus: if span_s > 0.0 { gpu_hours * 3600.0 / span_s } else { 0.0 },
            largest_gpus: largest as f64 / 1000.0,
            sizes: sizes(jobs),
            outcomes: outcomes(jobs),
            users: distinct(jobs, |job| job.user.as_ref()),
            teams: distinct(jobs, |job| job.team.as_ref()),
            pools: distinct(jobs, |job| job.pool.as_ref()),
            names: distinct(jobs, |job| job.name.as_ref()),
            repeated_ids: (jobs.len() - ids.len()) as u64,
            rows: tally.rows,
            bad_rows: tally.bad,
            first_bad_rows: tally.first_bad.iter().map(ToString::to_string).collect(),
            left_out: left_out.collect(),
        }
    }
}

/// Durations in order.
struct Durations(Vec<Millis>);

impl Durations {
    fn of<'j>(jobs: impl Iterator<Item = &'j Job>) -> Durations {
        let mut durations: Vec<Millis> = jobs.map(|job| job.duration).collect();
        durations.sort_unstable();
        Durations(durations)
    }

    fn mean(&self) -> f64 {
        let sum: u128 = self.0.iter().map(|span| u128::from(span.0)).sum();
        if self.0.is_empty() { 0.0 } else { sum as f64 / 1000.0 / self.0.len() as f64 }
    }

    /// The duration below which so many thousandths of them lie.
    fn at(&self, thousandths: usize) -> f64 {
        let last = self.0.len().saturating_sub(1);
        self.0.get((self.0.len() * thousandths / 1000).min(last)).copied().map_or(0.0, seconds)
    }
}

fn seconds(span: Millis) -> f64 {
    span.0 as f64 / 1000.0
}

fn gpu_hours<'j>(jobs: impl Iterator<Item = &'j Job>) -> f64 {
    jobs.map(Job::milli_gpu_millis).sum::<u128>() as f64 / PER_GPU_HOUR
}

fn distinct<'j>(jobs: &'j [Job], text: impl Fn(&'j Job) -> Option<&'j Text>) -> u64 {
    jobs.iter().filter_map(text).collect::<BTreeSet<_>>().len() as u64
}

fn outcomes(jobs: &[Job]) -> BTreeMap<String, u64> {
    let mut counts: BTreeMap<Outcome, u64> = BTreeMap::new();
    for job in jobs {
        *counts.entry(job.outcome).or_default() += 1;
    }
    counts.into_iter().map(|(outcome, count)| (outcome.to_string(), count)).collect()
}

/// Sizes in powers of two, since that is how most jobs come.
fn sizes(jobs: &[Job]) -> Vec<Size> {
    let mut groups: BTreeMap<(u8, u32), Vec<&Job>> = BTreeMap::new();
    for job in jobs {
        let group = match job.gpus {
            Gpus::Whole(0) => (0, 0),
            Gpus::Share(_) => (1, 0),
            Gpus::Whole(gpus) => (2, gpus.checked_next_power_of_two().unwrap_or(u32::MAX)),
        };
        groups.entry(group).or_default().push(job);
    }
    let size = |((kind, most), jobs): ((u8, u32), Vec<&Job>)| Size {
        gpus: match (kind, most) {
            (0, _) => "none".to_owned(),
            (1, _) => "share".to_owned(),
            (_, 1 | 2) => most.to_string(),
            (_, most) => format!("{}-{most}", most / 2 + 1),
        },
        jobs: jobs.len() as u64,
        gpu_hours: gpu_hours(jobs.iter().copied()),
        median_duration_s: Durations::of(jobs.iter().copied()).at(500),
    };
    groups.into_iter().map(size).collect()
}

#[cfg(test)]
mod tests;
