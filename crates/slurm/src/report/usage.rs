//! What jobs used in a span of time, summed up as `sreport` does: by user, by account and by size.

use std::collections::BTreeMap;

use muster_model::Time;

use super::JobFacts;

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    /// CPU-seconds.
    Cpus,
    /// GPU-seconds.
    Gpus,
}

/// A span of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// From then.
    pub from: Time,
    /// Until then.
    pub until: Time,
}

/// The smallest sizes of the columns of `job sizesbyaccount`, after the first from 0.
pub const SIZES: [u64; 4] = [50, 250, 500, 1000];

impl Span {
    /// Its length in seconds.
    pub fn seconds(self) -> u64 {
        (self.until.0 / 1000).saturating_sub(self.from.0 / 1000)
    }

    /// What a job used within it, in seconds of what is counted.
    pub fn used(self, job: &JobFacts, counted: Counted, now: Time) -> u64 {
        let Some(started) = job.started else { return 0 };
        let ended = job.ended.unwrap_or(now).min(self.until);
        let began = started.max(self.from);
        let seconds = (ended.0 / 1000).saturating_sub(began.0 / 1000);
        seconds * size(job, counted)
    }
}

fn size(job: &JobFacts, counted: Counted) -> u64 {
    match counted {
        Counted::Cpus => job.wants.cpus,
        Counted::Gpus => job.wants.gpus,
    }
}

/// What was used by whom, in some span.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// By account and user.
    pub by: BTreeMap<(String, String), u64>,
    /// By account and column of sizes.
    pub sizes: BTreeMap<String, [u64; SIZES.len() + 1]>,
    /// In all.
    pub all: u64,
}

impl Usage {
    /// Sums up jobs.
    pub fn of(jobs: &[JobFacts], span: Span, counted: Counted, now: Time) -> Usage {
        let mut usage = Usage::default();
        for job in jobs {
            let used = span.used(job, counted, now);
            if used == 0 {
                continue;
            }
            *usage.by.entry((job.account.clone(), job.user.clone())).or_default() += used;
            let column = SIZES.iter().filter(|&&least| size(job, counted) >= least).count();
            usage.sizes.entry(job.account.clone()).or_default()[column] += used;
            usage.all += used;
        }
        usage
    }

    /// Users with what they used, the most first, by name where that is the same; each with the
    /// account that most of it is counted for.
    pub fn top(&self, most: usize) -> Vec<(String, String, u64)> {
        let mut users: BTreeMap<&str, (u64, u64, &str)> = BTreeMap::new();
        for ((account, user), used) in &self.by {
            let (all, largest, of) = users.entry(user).or_insert((0, 0, account));
            *all += used;
            if used > largest {
                (*largest, *of) = (*used, account);
            }
        }
        let mut top: Vec<_> = users
            .into_iter()
            .map(|(user, (all, _, account))| (user.to_owned(), account.to_owned(), all))
            .collect();
        top.sort_by_key(|(_, _, used)| std::cmp::Reverse(*used));
        top.truncate(most);
        top
    }

    /// What each account used, by name.
    pub fn accounts(&self) -> BTreeMap<&str, u64> {
        let mut accounts = BTreeMap::new();
        for ((account, _), used) in &self.by {
            *accounts.entry(account.as_str()).or_default() += used;
        }
        accounts
    }
}
