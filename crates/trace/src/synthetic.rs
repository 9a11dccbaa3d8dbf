//! Workloads that are made up, from a seed: sizes, durations, failures, users, recurrences and
//! arrivals with the marginals that were published. The same recipe gives the same jobs on every
//! machine; nothing is drawn or computed in a way that differs between them.

mod arrivals;
mod chance;
mod mix;
mod people;

use std::fmt;
use std::str::FromStr;

use muster_model::{Millis, Time};

use crate::error::TraceError;
use crate::job::{Gpus, Job, Outcome, Text};
use crate::trace::Trace;
use arrivals::Arrivals;
use chance::Chance;
use mix::Kind;
use people::{People, Template};

/// Monday, 1 January 2024, 00:00 UTC: where every made-up workload begins.
pub const START: Time = Time(1_704_067_200_000);

/// The most jobs: more would not fit the memory of a usual machine.
const JOBS_MAX: u64 = 100_000_000;

/// What is to be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recipe {
    /// What kinds of jobs, how long, how large.
    pub mix: Mix,
    /// How many jobs, exactly.
    pub jobs: u64,
    /// The GPUs of the cluster it is meant for: no job asks for more than a quarter of them,
    /// and arrivals are spread so that the jobs load them.
    pub gpus: u32,
    /// GPU time that arrives, in percent of what these GPUs have.
    pub load_percent: u32,
    /// The seed.
    pub seed: u64,
}

/// A mix of jobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mix {
    /// As in 2017: nearly all jobs have one GPU, durations have a heavy tail, a quarter end
    /// within minutes, a third fail or are cancelled.
    Philly,
    /// As with large language models: many short evaluations and experiments, and a few huge
    /// gangs that hold most of the GPU time and break often.
    Llm,
}

impl Mix {
    /// All of them.
    pub const ALL: [Mix; 2] = [Mix::Philly, Mix::Llm];

    /// Its word.
    pub const fn word(self) -> &'static str {
        match self {
            Mix::Philly => "philly",
            Mix::Llm => "llm",
        }
    }
}

impl fmt::Display for Mix {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.word())
    }
}

impl FromStr for Mix {
    type Err = String;

    fn from_str(text: &str) -> Result<Mix, String> {
        // The longer names say what the mixes are: like those clusters, not of them.
        let word = text.strip_suffix("-like").unwrap_or(text);
        let found = Mix::ALL.into_iter().find(|mix| mix.word() == word);
        found.ok_or_else(|| format!("expected one of {}", Mix::ALL.map(Mix::word).join(", ")))
    }
}

impl Recipe {
    /// A recipe with the usual load.
    pub fn new(mix: Mix, jobs: u64, gpus: u32, seed: u64) -> Recipe {
        Recipe { mix, jobs, gpus, load_percent: 80, seed }
    }

    /// Makes the workload.
    ///
    /// ```
    /// use muster_trace::{Mix, Recipe};
    ///
    /// let trace = Recipe::new(Mix::Llm, 1_000, 512, 7).make()?;
    /// assert_eq!(trace.jobs.len(), 1_000);
    /// assert_eq!(trace, Recipe::new(Mix::Llm, 1_000, 512, 7).make()?);
    /// # Ok::<(), muster_trace::TraceError>(())
    /// ```
    pub fn make(&self) -> Result<Trace, TraceError> {
        self.check()?;
        let mut chance = Chance::new(self.seed);
        let mut people = People::new(self.jobs, &mut chance);
        let (mut jobs, mut bursts) = (Vec::new(), 0_u64);
        while (jobs.len() as u64) < self.jobs {
            let kind = chance.pick(mix::kinds(self.mix), |kind| kind.weight);
            let (user, template) = people.next(kind, self.gpus / 4, &mut chance);
            let left = self.jobs - jobs.len() as u64;
            for _ in 0..chance.burst(kind.burst_most).min(left) {
                let job = job(kind, template, &mut chance);
                jobs.push((
                    bursts,
                    Job { user: Some(user.name.clone()), team: user.team(), ..job },
                ));
            }
            bursts += 1;
        }
        let span = self.span(jobs.iter().map(|(_, job)| job));
        let arrivals = Arrivals::new(span, bursts, &mut chance);
        let mut list = Vec::with_capacity(jobs.len());
        let mut last = (u64::MAX, Time(0));
        for (burst, mut job) in jobs {
            // The jobs of a burst come from a loop in somebody's script.
            let submit = match last {
                (before, time) if before == burst => time + chance.span(Millis::seconds(5)),
                _ => arrivals.at(burst),
            };
            last = (burst, submit);
            job.submit = submit;
            list.push(job);
        }
        let mut trace = Trace::new(self.to_string(), list);
        for (index, job) in trace.jobs.iter_mut().enumerate() {
            job.id = Text::from((index + 1).to_string());
        }
        Ok(trace)
    }

    /// How long the arrivals last, so that the jobs make the load.
    fn span<'j>(&self, jobs: impl Iterator<Item = &'j Job>) -> Millis {
        let work: u128 = jobs.map(Job::milli_gpu_millis).sum();
        let rate = u128::from(self.gpus) * 10 * u128::from(self.load_percent);
        let span = u64::try_from(work / rate).unwrap_or(u64::MAX);
        Millis(span.clamp(Millis::hours(1).0, Millis::days(3650).0))
    }

    fn check(&self) -> Result<(), TraceError> {
        let bounds = [
            ("jobs", self.jobs, 1, JOBS_MAX),
            ("GPUs", u64::from(self.gpus), 8, 1_000_000),
            ("load in percent", u64::from(self.load_percent), 1, 1000),
        ];
        for (what, value, least, most) in bounds {
            if !(least..=most).contains(&value) {
                return Err(TraceError::Synthetic {
                    reason: format!("the {what} are {value}"),
                    hint: format!("expected {least} to {most}"),
                });
            }
        }
        Ok(())
    }
}

impl fmt::Display for Recipe {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Recipe { mix, jobs, gpus, load_percent, seed } = self;
        write!(formatter, "{mix}-like-{jobs}-on-{gpus}-at-{load_percent}-seed-{seed}")
    }
}

/// One run of a template, and how it ends.
fn job(kind: &Kind, template: &Template, chance: &mut Chance) -> Job {
    let work = chance.log_normal(template.median, kind.spread_within).max(Millis::seconds(1));
    let fate = chance.below(1_000);
    let (duration, outcome) = if fate < kind.crash {
        // Most failures are mistakes that show at once.
        (work.min(chance.log_normal(Millis::minutes(2), 1.2)), Outcome::Failed)
    } else if fate < kind.crash + kind.cancel {
        (chance.span(work), Outcome::Cancelled)
    } else if fate < kind.crash + kind.cancel + kind.lost {
        (chance.span(work), Outcome::NodeLost)
    } else {
        (work, Outcome::Completed)
    };
    let duration = duration.max(Millis::seconds(1));
    let (duration, outcome) = if duration > template.limit {
        (template.limit, Outcome::TimedOut)
    } else {
        (duration, outcome)
    };
    let mut job = Job::new("new", START, duration, Gpus::Whole(template.gpus));
    job.name = Some(template.name.clone());
    job.limit = Some(template.limit);
    job.outcome = outcome;
    job.saving = kind.saving.map(Box::new);
    job
}

#[cfg(test)]
mod tests;
