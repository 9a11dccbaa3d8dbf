//! What a replay starts from: a workload, a cluster, policies, and the rules of the world; and how
//! one is run with it.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::Args;
use muster_model::Millis;
use muster_sim::replay::{self, Cost, Options, Replayed, Rules, Slowdown, Teams};
use muster_trace::{Cluster, Mix, Recipe, Trace, cluster::TRACES_FOLDER};

use super::measure::{peak_mb, thread_cpu};
use super::report::Column;
use super::run::Run;
use super::settings::{changed, knowledge, settings};
use super::team::TeamsOfRun;
use super::teller::Teller;
use crate::trace::reading::Reading;

/// Options of every command that replays.
#[derive(Debug, Args)]
pub(super) struct Setup {
    /// The trace; without one a workload is made up
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,

    #[command(flatten)]
    reading: Reading,

    /// The mix of a made-up workload: philly or llm
    #[arg(long, default_value = "llm", conflicts_with = "trace")]
    mix: Mix,

    /// Jobs of a made-up workload
    #[arg(long, default_value_t = 10_000, conflicts_with = "trace")]
    jobs: u64,

    /// GPU time of a made-up workload, in percent of what the cluster has
    #[arg(long, default_value_t = 80, conflicts_with = "trace")]
    load: u32,

    /// The cluster: a line such as 135x8:H100, a file, or a known one such as venus
    #[arg(long, default_value = "64x8:H100")]
    cluster: String,

    /// The folder with the public traces, for clusters known by name
    #[arg(long, value_name = "FOLDER", default_value = TRACES_FOLDER)]
    traces: PathBuf,

    /// A queue for each team of the trace, with what the cluster guarantees it or else, of half of
    /// the cluster, its part of the GPU time; without, all jobs are in one queue
    #[arg(long)]
    pub(super) teams: bool,

    /// Policies: muster, fifo, sjf, srtf, las, fair
    #[arg(long, value_name = "NAME", value_delimiter = ',', default_value = "muster")]
    pub(super) policy: Vec<String>,

    /// Settings of the policy that differ, as JSON or a file of it: '{"size_weight_milli":500}'
    #[arg(long, value_name = "JSON")]
    pub(super) settings: Option<String>,

    /// What is known of run times: predicted, exact, nothing, or rough:S for guesses that are off
    /// by a factor of e to the S or so [default: as the policy says]
    #[arg(long, value_name = "WHAT")]
    pub(super) estimates: Option<String>,

    /// What a pause costs: table (40 s of work, 60 s above 8 GPUs), measured (by bytes) or never
    /// (nobody is paused)
    #[arg(long, default_value = "table")]
    pub(super) preemption_cost: Cost,

    /// Seconds that nodes take to launch a job
    #[arg(long, default_value_t = 0.0)]
    pub(super) launch: f64,

    /// How much longer gangs take on several nodes, in several racks, and so on: 1.05,1.2
    #[arg(long, value_name = "FACTORS", default_value = "1")]
    pub(super) slowdown: Slowdown,

    /// How much longer jobs with part of a GPU take while one other computes on it, two others, and
    /// so on: 1.1,1.3
    #[arg(long, value_name = "FACTORS", default_value = "1")]
    pub(super) slowdown_shared: Slowdown,

    /// Failures of a node in a day; what is lost is what was not saved
    #[arg(long, value_name = "RATE", default_value_t = 0.0)]
    pub(super) failures: f64,

    /// Tell the engine of deadlines; they are measured anyway
    #[arg(long)]
    pub(super) use_deadlines: bool,

    /// The seed of all chance
    #[arg(long, default_value_t = 1)]
    pub(super) seed: u64,

    /// Stop so many seconds after the first submission
    #[arg(long, value_name = "T")]
    pub(super) until: Option<f64>,

    /// Let jobs arrive so many times as fast
    #[arg(long, value_name = "X", default_value_t = 1.0)]
    pub(super) scale: f64,

    /// Do without the checker: many times faster
    #[arg(long)]
    pub(super) no_check: bool,
}

/// A workload on a cluster, before anything has run.
#[derive(Debug)]
pub(super) struct Ground {
    pub(super) trace: Trace,
    pub(super) cluster: Cluster,
    pub(super) rules: Vec<Rules>,
    /// Where each has a queue of its own.
    pub(super) teams: Option<Teams>,
}

/// A run with all that became of its jobs.
#[derive(Debug)]
pub(super) struct Finished {
    pub(super) run: Run,
    pub(super) replayed: Replayed,
}

impl Setup {
    /// Reads and makes all that a replay needs; what is wrong with it is said before any runs.
    pub(super) fn ground(&self) -> Result<Ground> {
        let rules = self.rules()?;
        self.options(Rules::muster())?;
        let cluster = Cluster::find(&self.cluster, &self.traces)?;
        let trace = self.workload(&cluster)?;
        let teams = self.teams.then(|| Teams::of(&trace, &cluster)).transpose()?;
        Ok(Ground { trace, cluster, rules, teams })
    }

    /// Replays all policies, one after the other, and follows them over time if that is wanted.
    pub(super) fn columns(&self, ground: &Ground, series: bool) -> Result<Vec<Column>> {
        let column = |rules: &Rules| {
            let teams = ground.teams.clone();
            let options = Options { series, teams, ..self.options(rules.clone())? };
            let finished = replay(&ground.trace, &ground.cluster, &options)?;
            Ok(Column::policy(finished, options))
        };
        ground.rules.iter().map(column).collect()
    }

    /// How a policy is replayed.
    pub(super) fn options(&self, rules: Rules) -> Result<Options> {
        let options = Options {
            cost: self.preemption_cost,
            launch: millis(self.launch, "launch")?,
            slowdown: self.slowdown.clone(),
            slowdown_shared: self.slowdown_shared.clone(),
            failures_ppm: u32::try_from(millis(self.failures * 1_000.0, "failures")?.0)?,
            seed: self.seed,
            until: self.until.map(|until| millis(until, "until")).transpose()?,
            scale_milli: millis(self.scale, "scale")?.0,
            check: !self.no_check,
            deadlines: self.use_deadlines,
            ..Options::new(rules)
        };
        if options.scale_milli == 0 {
            bail!("jobs cannot arrive {} times as fast\nhint: expected 0.001 or more", self.scale);
        }
        Ok(options)
    }

    fn workload(&self, cluster: &Cluster) -> Result<Trace> {
        if let Some(path) = &self.trace {
            return self.reading.read(path);
        }
        let gpus = u32::try_from(cluster.gpus()).context("the cluster is too large")?;
        let recipe = Recipe::new(self.mix, self.jobs, gpus, self.seed);
        Ok(Recipe { load_percent: self.load, ..recipe }.make()?)
    }

    /// The rules of all policies that were named, with what is set differently.
    fn rules(&self) -> Result<Vec<Rules>> {
        let settings = self.settings.as_deref().map(settings).transpose()?;
        let knowledge = self.estimates.as_deref().map(knowledge).transpose()?;
        let mut all = Vec::new();
        for name in &self.policy {
            let Some(mut rules) = Rules::named(name) else {
                bail!("there is no policy {name}\nhint: expected one of {}", Rules::names());
            };
            if let Some(settings) = &settings {
                rules.policy = changed(&rules.policy, settings)?;
            }
            rules.knowledge = knowledge.unwrap_or(rules.knowledge);
            all.push(rules);
        }
        Ok(all)
    }
}

/// Replays once, and says on stderr how far it is and what cannot run.
pub(super) fn replay(trace: &Trace, cluster: &Cluster, options: &Options) -> Result<Finished> {
    let policy = options.rules.name.clone();
    let (begin, mut teller) = (thread_cpu(), Teller::new());
    let replayed = replay::run(trace, cluster, options, |progress| {
        teller.tell(&policy, progress.ended, progress.jobs);
    })?;
    let figures = replayed.figures();
    let cpu_s = thread_cpu().saturating_sub(begin).as_secs_f64();
    if let Some((index, why)) = replayed.refused.first() {
        let id = &trace.jobs[*index].id;
        let count = replayed.refused.len();
        eprintln!("warning: {count} jobs cannot run there, the first is {id}: {why}");
    }
    let teams = options.teams.as_ref();
    let teams = teams.map(|teams| TeamsOfRun::new(trace, teams, &replayed));
    let run = Run {
        trace: trace.name.clone(),
        cluster: cluster.name.clone(),
        policy,
        placer: options.rules.placer().to_owned(),
        seed: options.seed,
        preemption_cost: options.cost.to_string(),
        figures,
        teams,
        cpu_s,
        peak_mb: peak_mb(),
    };
    Ok(Finished { run, replayed })
}

fn millis(seconds: f64, what: &str) -> Result<Millis> {
    if !(0.0..=1e12).contains(&seconds) {
        bail!("{what} cannot be {seconds}\nhint: expected a number that is not negative");
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "in range")]
    let millis = (seconds * 1_000.0).round() as u64;
    Ok(Millis(millis))
}
