//! Teams that share a cluster: a queue for each, with what it is guaranteed by a rule that is told.
//! What a team leaves unused of its guarantee is lent to the others and reclaimed, as always.

use std::collections::BTreeMap;

use muster_model::bound::{QUEUE_WEIGHT_MAX, QUEUES_MAX};
use muster_model::{MilliGpu, QueueSpec, Quota};
use muster_trace::{Cluster, Job, Owner, Text, Trace};

use crate::error::SimError;

/// The queue of jobs that belong to nobody, and of all jobs where teams are not told apart.
pub(super) const QUEUE: &str = "default";

/// Of a cluster that does not say what teams are guaranteed, this part is, in percent. The rest is
/// for whoever needs it, and leaves room to guarantee one team more.
const GUARANTEED_PERCENT: u128 = 50;

/// Teams that a message names before it only counts them.
const NAMED_MAX: usize = 12;

/// The teams of a trace on a cluster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Teams {
    /// What tells them apart.
    pub by: Owner,
    /// Where their guarantees come from.
    pub guarantees: Guarantees,
    /// In order of their names.
    teams: Vec<Team>,
    /// The name of the queue of each; names of teams may be none that the model takes.
    queues: Vec<String>,
    numbers: BTreeMap<Text, usize>,
    /// Whether there are jobs that belong to no team.
    has_strays: bool,
}

/// One of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Team {
    /// As the trace calls it.
    pub name: Text,
    /// What it can always have.
    pub guarantee: MilliGpu,
    /// Its part of what is shared, relative to the others.
    weight: u32,
}

/// Where guarantees come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guarantees {
    /// The queues of the cluster; a team without one is guaranteed nothing.
    Cluster,
    /// Half of the cluster, by parts of the trace's GPU time, rounded down.
    GpuTime,
}

impl Guarantees {
    /// In words.
    pub const fn words(self) -> &'static str {
        match self {
            Guarantees::Cluster => "what the cluster says",
            Guarantees::GpuTime => "half of the cluster, by parts of the GPU time of the trace",
        }
    }
}

impl Teams {
    /// The teams of a trace, with what the cluster guarantees them or else half of it.
    ///
    /// # Errors
    /// Where the trace has no teams or too many, the cluster has pools, or it is smaller than what
    /// it guarantees.
    pub fn of(trace: &Trace, cluster: &Cluster) -> Result<Teams, SimError> {
        if !cluster.pools.is_empty() {
            let reason = format!("{} has pools, which share nothing", cluster.name);
            let hint = "name a cluster without pools, such as venus-merged or 64x8:H100";
            return Err(refused(&format!("teams share a whole cluster, and {reason}"), hint));
        }
        let Some(by) = trace.owner().filter(|by| *by != Owner::User) else {
            let hint = "teams are the account of sacct, the group of swf, the vc of venus, the \
                        cluster of philly, and the columns team or pool of our own format";
            return Err(refused("the trace has no teams: no job names a team or a pool", hint));
        };
        let written_teams = cluster.queues.iter().map(|queue| (queue.team.clone(), 0));
        let mut times: BTreeMap<Text, u128> = written_teams.collect();
        for job in &trace.jobs {
            if let Some(team) = by.of(job) {
                *times.entry(team.clone()).or_default() += job.milli_gpu_millis();
            }
        }
        // One is left for jobs that belong to nobody.
        if times.len() >= QUEUES_MAX {
            let hint = format!("expected fewer than {QUEUES_MAX}");
            return Err(refused(&format!("the trace has {} teams", times.len()), &hint));
        }
        let guarantees = match cluster.queues.is_empty() {
            true => Guarantees::GpuTime,
            false => Guarantees::Cluster,
        };
        let all: u128 = times.values().sum();
        let team = |(name, time): (&Text, &u128)| match guarantees {
            Guarantees::Cluster => written(cluster, name),
            Guarantees::GpuTime => by_time(name, part(cluster.gpus(), *time, all)),
        };
        let teams: Vec<Team> = times.iter().map(team).collect();
        let teams = Teams {
            by,
            guarantees,
            queues: (1..=teams.len()).map(|number| format!("team-{number}")).collect(),
            numbers: times.into_keys().zip(0..).collect(),
            has_strays: trace.jobs.iter().any(|job| by.of(job).is_none()),
            teams,
        };
        teams.check(cluster)?;
        Ok(teams)
    }

    /// All of them, in order of their names.
    pub fn iter(&self) -> impl Iterator<Item = &Team> {
        self.teams.iter()
    }

    /// The place of the team that a job belongs to, in order of names.
    pub fn number_of(&self, job: &Job) -> Option<usize> {
        self.numbers.get(self.by.of(job)?).copied()
    }

    /// The team of this name.
    ///
    /// # Errors
    /// Where there is none; those there are are named.
    pub fn find(&mut self, name: &str) -> Result<&mut Team, SimError> {
        let Some(&number) = self.numbers.get(name) else {
            let names: Vec<&str> = self.iter().take(NAMED_MAX).map(|team| &*team.name).collect();
            let more = match self.teams.len() - names.len() {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            let hint = format!("expected one of {}{more}", names.join(", "));
            return Err(refused(&format!("there is no {} {name}", self.by.word()), &hint));
        };
        Ok(&mut self.teams[number])
    }

    /// What all teams are guaranteed together.
    pub fn guaranteed(&self) -> MilliGpu {
        MilliGpu(self.iter().map(|team| team.guarantee.0).sum())
    }

    /// Whether a cluster has what teams are guaranteed together.
    ///
    /// # Errors
    /// Where it has less.
    pub fn check(&self, cluster: &Cluster) -> Result<(), SimError> {
        let (all, gpus) = (self.guaranteed(), cluster.gpus());
        if all <= MilliGpu::whole(gpus) {
            return Ok(());
        }
        let reason = format!("{all} GPUs are guaranteed in all, and the cluster has {gpus}");
        Err(refused(&reason, "guarantee some teams less, or take a larger cluster"))
    }

    /// The queues, as the engine is configured.
    pub(super) fn queues(&self) -> Vec<QueueSpec> {
        let queue = |(name, team): (&String, &Team)| {
            let gpus = Some(team.guarantee).filter(|gpus| gpus.0 > 0);
            let guarantee = Quota { gpus, ..Quota::default() };
            QueueSpec::new(name).guarantee(guarantee).weight(team.weight)
        };
        let teams = self.queues.iter().zip(&self.teams).map(queue);
        teams.chain(self.has_strays.then(|| QueueSpec::new(QUEUE))).collect()
    }

    /// The queue that a job is in.
    pub(super) fn queue_of(&self, job: &Job) -> &str {
        self.number_of(job).map_or(QUEUE, |number| &self.queues[number])
    }
}

/// A team as the cluster has it.
fn written(cluster: &Cluster, name: &Text) -> Team {
    let queue = cluster.queues.iter().find(|queue| queue.team == *name);
    let (guarantee, weight) =
        queue.map_or((MilliGpu(0), 1), |queue| (queue.guarantee, queue.weight));
    Team { name: name.clone(), guarantee, weight }
}

/// A team that is guaranteed so many GPUs, and weighs as much.
fn by_time(name: &Text, gpus: u64) -> Team {
    let weight = u32::try_from(gpus).unwrap_or(QUEUE_WEIGHT_MAX).clamp(1, QUEUE_WEIGHT_MAX);
    Team { name: name.clone(), guarantee: MilliGpu::whole(gpus), weight }
}

/// The GPUs that a team is guaranteed of a cluster for its part of all GPU time.
fn part(gpus: u64, time: u128, all: u128) -> u64 {
    let shared = u128::from(gpus) * GUARANTEED_PERCENT;
    // Times are sums of bounded numbers: the product fits.
    let part = (shared * time).checked_div(all * 100).unwrap_or(0);
    u64::try_from(part).expect("a part of the GPUs is not more than all")
}

fn refused(reason: &str, hint: &str) -> SimError {
    SimError::Replay(format!("{reason}\nhint: {hint}"))
}
