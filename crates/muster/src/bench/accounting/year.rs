//! A made-up year: jobs come, run, fail and end, nodes are drained and come back, agents measure.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Result, bail};
use muster_api::Program;
use muster_engine::action::{Action, JobState};
use muster_engine::command::{Command, Exit};
use muster_model::{
    Attempt, ClusterSpec, GpuSet, JobId, JobSpec, Millis, Name, NodeId, NodeSpec, QueueName, Team,
    Time,
};
use muster_server::upkeep::Retention;
use muster_server::{Answer, Control, Entry, changes};
use muster_store::history::{Before, Change, GpuSample, SampleRow};
use muster_store::{History, SqliteHistory};

use super::super::chance::Chance;
use super::DAY_MS;

/// When the year begins: any midnight will do.
const BEGIN_MS: u64 = 20_000 * DAY_MS;

/// How often agents tell what they measured, as they do.
const SAMPLE_MS: u64 = 300_000;

/// How often what is old is summed up and forgotten.
const FORGET_MS: u64 = 3_600_000;

/// Half of all jobs run for longer than this.
const MEDIAN: Millis = Millis::minutes(50);

/// The spread of run times: one in ten is nearly seven times the median.
const SPREAD: f64 = 1.5;

/// Teams there are.
const TEAMS: u64 = 12;

/// Nobody runs longer.
const LONGEST: Millis = Millis::hours(7 * 24);

/// How large it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Size {
    pub(super) gpus: u32,
    /// For each GPU and year.
    pub(super) jobs: u32,
}

/// The year as it passes.
pub(super) struct Year {
    chance: Chance,
    control: Control,
    pub(super) past: SqliteHistory,
    pub(super) now: Time,
    sequence: u64,
    pending: Vec<Change>,
    /// What is to happen, by time and a number that keeps equal times apart.
    agenda: BTreeMap<(Time, u64), Coming>,
    numbered: u64,
    /// Attempts that run, with their nodes and GPU-thousandths there.
    running: BTreeMap<(JobId, Attempt), Vec<(NodeId, GpuSet)>>,
    size: Size,
    /// Jobs that came.
    pub(super) jobs: u64,
    /// Samples that agents told.
    pub(super) samples: u64,
}

#[derive(Clone, Copy, Debug)]
enum Coming {
    Job,
    End { job: JobId, attempt: Attempt, exit: Exit },
    Measure,
    Forget,
    Drain { node: NodeId },
    Undrain { node: NodeId },
}

impl Year {
    pub(super) fn begin(folder: &Path, size: Size, seed: u64) -> Result<Year> {
        let team = |number: u64| Team {
            name: Name::from(format!("team-{number}").as_str()),
            queue: QueueName::from("default"),
            members: Vec::new(),
        };
        let teams = (0..TEAMS).map(team).collect();
        let Ok(control) = Control::new(ClusterSpec { teams, ..ClusterSpec::default() }) else {
            bail!("the cluster is not valid")
        };
        let mut year = Year {
            chance: Chance::new(seed),
            control,
            past: SqliteHistory::open(folder)?,
            now: Time(BEGIN_MS),
            sequence: 0,
            pending: Vec::new(),
            agenda: BTreeMap::new(),
            numbered: 0,
            running: BTreeMap::new(),
            size,
            jobs: 0,
            samples: 0,
        };
        for number in 0..size.gpus / 8 {
            let model = if number % 3 == 0 { "A100" } else { "H100" };
            let spec = Box::new(NodeSpec::new(&format!("gpu-{number:04}"), model, 8));
            let (address, instance) = (format!("10.0.0.{number}"), "agent".to_owned());
            year.tell(Entry::Announced { spec, address, running: vec![], instance, number: 1 })?;
        }
        year.later(Millis(1000), Coming::Job);
        year.later(Millis(SAMPLE_MS), Coming::Measure);
        year.later(Millis(FORGET_MS), Coming::Forget);
        let node = NodeId(0);
        year.later(Millis::hours(20), Coming::Drain { node });
        Ok(year)
    }

    /// One day passes.
    pub(super) fn day(&mut self) -> Result<()> {
        let until = self.now.0 / DAY_MS * DAY_MS + DAY_MS;
        // Ends: whatever happens puts off what is next.
        while let Some(next) = self.agenda.first_entry() {
            let (time, _) = *next.key();
            if time.0 >= until {
                break;
            }
            let coming = next.remove();
            self.now = time;
            self.happen(coming)?;
        }
        self.now = Time(until);
        self.write()
    }

    fn later(&mut self, after: Millis, coming: Coming) {
        self.numbered += 1;
        self.agenda.insert((self.now + after, self.numbered), coming);
    }

    fn happen(&mut self, coming: Coming) -> Result<()> {
        match coming {
            Coming::Job => {
                self.submit()?;
                let a_year = 365 * DAY_MS;
                let each = a_year / (u64::from(self.size.gpus) * u64::from(self.size.jobs)).max(1);
                let gap = self.chance.span(Millis(2 * each.max(1)));
                self.later(gap, Coming::Job);
            }
            Coming::End { job, attempt, exit } => self.end(job, attempt, exit)?,
            Coming::Measure => {
                self.measure();
                self.write()?;
                self.later(Millis(SAMPLE_MS), Coming::Measure);
            }
            Coming::Forget => {
                self.forget()?;
                self.later(Millis(FORGET_MS), Coming::Forget);
            }
            Coming::Drain { node } => {
                self.tell(Entry::Told(Command::NodeDrained { node }))?;
                self.later(Millis::hours(6), Coming::Undrain { node });
            }
            Coming::Undrain { node } => {
                self.tell(Entry::Told(Command::NodeResumed { node }))?;
                let node = NodeId((node.0 + 1) % (self.size.gpus / 8));
                self.later(Millis::hours(40), Coming::Drain { node });
            }
        }
        Ok(())
    }

    fn submit(&mut self) -> Result<()> {
        let shapes = [((1, 1), 60), ((1, 2), 10), ((1, 4), 10), ((1, 8), 15), ((4, 8), 4)];
        let (tasks, gpus) = self.chance.pick(&shapes);
        let mut spec = JobSpec::gang("train-large-model", tasks, gpus);
        let user = self.chance.skewed(60);
        spec.user = Name::from(format!("user-{user}").as_str());
        spec.team = Some(Name::from(format!("team-{}", user % TEAMS).as_str()));
        spec.class = Name::from(self.chance.pick(&[("standard", 80), ("batch", 20)]));
        spec.requeue.when_failed = self.chance.happens(300);
        let command = ["torchrun", "--nproc-per-node=8", "train.py", "--config", "large.yaml"];
        let program = Program {
            command: command.map(str::to_owned).to_vec(),
            directory: Some(format!("/data/user-{user}/experiments")),
            environment: [("PATH", "/usr/bin:/bin"), ("HOME", "/root"), ("LANG", "C.UTF-8")]
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .into(),
            ..Program::default()
        };
        self.jobs += 1;
        let (spec, program) = (Arc::new(spec), Arc::new(program));
        self.tell(Entry::Submitted { spec, program, key: None, anywhere: false })
    }

    /// Tells the control state something, and nodes do at once what follows.
    fn tell(&mut self, entry: Entry) -> Result<()> {
        let mut entries = vec![entry];
        // Ends: only launches lead to further entries, and those lead to none.
        while let Some(entry) = entries.pop() {
            self.sequence += 1;
            let applied = self.control.apply(self.now, &entry);
            if let Answer::Rejected(why) = &applied.answer {
                bail!("the cluster does not take what the year brings: {why:?}");
            }
            self.pending.extend(changes(
                &self.control,
                (self.sequence, self.now),
                &entry,
                &applied,
            ));
            for action in &applied.actions {
                match action {
                    Action::Launch { node, job, attempt, tasks } => {
                        let gpus = GpuSet(tasks.iter().fold(0, |all, task| all | task.gpus.0));
                        let parts = self.running.entry((*job, *attempt)).or_default();
                        parts.push((*node, gpus));
                        let (node, job, attempt) = (*node, *job, *attempt);
                        entries.push(Entry::Told(Command::Started { node, job, attempt }));
                    }
                    Action::Moved { job, attempt, state: JobState::Running } => {
                        let length = self.chance.log_normal(MEDIAN, SPREAD).min(LONGEST);
                        let exit = Exit::Code(i32::from(self.chance.happens(80)));
                        self.later(length, Coming::End { job: *job, attempt: *attempt, exit });
                    }
                    Action::Stop { node, job, attempt, .. } => {
                        let (node, job, attempt, exit) = (*node, *job, *attempt, Exit::Stopped);
                        entries.push(Entry::Told(Command::Ended { node, job, attempt, exit }));
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    }

    fn end(&mut self, job: JobId, attempt: Attempt, exit: Exit) -> Result<()> {
        for (node, _) in self.running.remove(&(job, attempt)).unwrap_or_default() {
            self.tell(Entry::Told(Command::Ended { node, job, attempt, exit }))?;
        }
        Ok(())
    }

    /// What agents tell: one sample for each attempt on a node.
    fn measure(&mut self) {
        let (from_ms, to_ms) = (self.now.0 - SAMPLE_MS, self.now.0);
        for ((job, attempt), parts) in &self.running {
            for (node, gpus) in parts {
                let held_gpu_ms = u64::from(gpus.count()) * SAMPLE_MS;
                let busy =
                    |gpu: u32| 300 + (job.0 * 7919 + u64::from(gpu) * 13 + to_ms / SAMPLE_MS) % 700;
                let active = |gpu: u32| busy(gpu) * SAMPLE_MS / 1000;
                let sample = |gpu: u32| {
                    let busy = u32::try_from(busy(gpu)).expect("less than 1000");
                    GpuSample { gpu, busy: Some(busy) }
                };
                self.pending.push(Change::Sample(SampleRow {
                    job_id: job.0,
                    attempt: u64::from(attempt.0),
                    node: self.control.node_name(*node).to_string(),
                    from_ms,
                    to_ms,
                    held_gpu_ms,
                    active_gpu_ms: Some(gpus.iter().map(active).sum()),
                    gpus: gpus.iter().map(sample).collect(),
                }));
                self.samples += 1;
            }
        }
    }

    fn write(&mut self) -> Result<()> {
        let changes = std::mem::take(&mut self.pending);
        Ok(self.past.record(self.sequence.max(1), &changes)?)
    }

    /// As a server does with its default retention.
    fn forget(&mut self) -> Result<()> {
        self.write()?;
        let Retention { jobs_days, events_days, samples_days, usage_days, .. } =
            Retention::default();
        let before = |days: u32| self.now.0.saturating_sub(u64::from(days) * DAY_MS);
        let before = Before {
            jobs_ms: before(jobs_days),
            events_ms: before(events_days),
            samples_ms: before(samples_days),
            hours_ms: before(usage_days),
        };
        // Ends: every call but the last sums up or forgets something.
        while self.past.forget_before(before, 10_000)?.is_more {}
        self.past.compact(1024)?;
        // A server does this with every snapshot, several times an hour.
        self.past.make_durable()?;
        Ok(())
    }
}
