//! Duties as agents read them: with programs, ranks, names and the place where a gang meets.

use std::sync::Arc;

use muster_api::duty::{Element, NodeShare, Rendezvous, RunWork, StopReason};
use muster_api::{Directive, Duty, Gang, TaskDuty, Work};
use muster_engine::action::{Outcome, TaskPlace};
use muster_engine::command::Exit;
use muster_engine::snapshot::Then;
use muster_model::{GpuSet, JobId, Name, NodeId};

use super::Control;
use super::book::{Job, Submitted};
use super::duties::{Of, Wanted, WantedWork};

impl Control {
    /// What changed for a node since a version; everything where that is not known.
    pub fn directive(&self, node: NodeId, version: Option<u64>) -> Directive {
        let since = self.duties.since(node, version);
        let wanted = since.wanted.iter().filter_map(|(of, wanted)| self.duty(node, *of, wanted));
        let done = since.done.iter().map(|&(version, (job, attempt))| Duty {
            job,
            attempt,
            version,
            work: Work::Done,
        });
        let duties = wanted.chain(done).collect();
        Directive::Duties { version: since.version, all: since.all, duties }
    }

    fn duty(&self, node: NodeId, (job, attempt): Of, wanted: &Wanted) -> Option<Duty> {
        let work = match &wanted.work {
            WantedWork::Stop { grace } => {
                Work::Stop { grace_ms: grace.0, why: self.why_stopped((job, attempt)) }
            }
            WantedWork::Run { tasks, resize, pause, signal } => {
                let known = self.book.get(job)?;
                let submitted = self.book.submitted(known);
                let mut tasks = known.task_duties(submitted, tasks);
                if let Some((first, gpus)) = tasks.first_mut().zip(self.all_gpus(node, submitted)) {
                    first.place.gpus = gpus;
                }
                Work::Run(Box::new(RunWork {
                    tasks,
                    gang: self.gang(node, known, submitted),
                    program: Arc::clone(&submitted.program),
                    resize: *resize,
                    pause: *pause,
                    signal: *signal,
                    steps: self.step_duties(job, attempt, node),
                    // The state knows no secrets.
                    token: None,
                }))
            }
        };
        Some(Duty { job, attempt, version: wanted.version, work })
    }

    /// Why an attempt is to end, where that is not its own doing.
    fn why_stopped(&self, (job, attempt): Of) -> Option<StopReason> {
        let record = self.engine.job(job).filter(|record| record.attempt == attempt)?;
        let evidence = self.evidence(job)?;
        let broke = |exit: Exit| !exit.is_success() && exit != Exit::Stopped;
        let is_broken = evidence.exit.is_some_and(broke);
        match record.run.as_ref()?.then? {
            Then::End(Outcome::Cancelled) => Some(StopReason::Cancelled),
            Then::End(Outcome::TimedOut) => Some(StopReason::TimeLimit),
            Then::End(Outcome::NodeLost) => Some(StopReason::NodeLost),
            Then::Again if evidence.gave_way => Some(StopReason::Preempted),
            Then::Again if evidence.lost_node => Some(StopReason::NodeLost),
            // One that broke knows that itself.
            Then::Again if is_broken => None,
            Then::Again => Some(StopReason::Requeued),
            Then::End(_) => None,
        }
    }

    fn gang(&self, node: NodeId, job: &Job, submitted: &Submitted) -> Gang {
        let spec = self.book.spec(job);
        let nodes = job.nodes_by_rank();
        let node_rank = nodes.iter().position(|&other| other == node).unwrap_or_default();
        let rendezvous = job.meets.map(|(first, port)| Rendezvous {
            address: self.addresses.get(&first).cloned().unwrap_or_default(),
            port,
        });
        Gang {
            name: spec.name.clone(),
            user: spec.user.clone(),
            queue: spec.queue.clone(),
            element: job.index.map(|index| Element { array: job.submission, index }),
            tasks: job.places.values().map(|tasks| count(tasks.len())).sum(),
            nodes: nodes.into_iter().map(|node| self.node_name(node)).collect(),
            node_rank: count(node_rank),
            rendezvous,
            shares: self.shares(job, submitted),
            launched_ms: job.launched.map(|time| time.0),
            restarts: job.attempt.0.saturating_sub(1),
            limit_ms: spec.timing.limit.map(|limit| limit.0),
        }
    }

    /// What a job has of its nodes, in the order of their ranks, if its program wants to be told.
    fn shares(&self, job: &Job, submitted: &Submitted) -> Vec<NodeShare> {
        if submitted.program.slurm.is_none() {
            return Vec::new();
        }
        let share = |node: NodeId| {
            let places = job.places.get(&node).map(Vec::as_slice).unwrap_or_default();
            let shape =
                |place: &TaskPlace| &self.book.spec(job).groups[usize::from(place.group)].task;
            let all = self.engine.node_spec(node).map_or(0, |spec| spec.cpus.0);
            let is_alone = is_exclusive(submitted);
            let asked = places.iter().map(|place| shape(place).cpus.0).sum();
            let cpus_milli: u64 = if is_alone { all } else { asked };
            let gpus = places.iter().fold(GpuSet::EMPTY, |all, place| all.or(place.gpus));
            let gpus = self.all_gpus(node, submitted).unwrap_or(gpus);
            let cpus = u32::try_from(cpus_milli.div_ceil(1000)).unwrap_or(u32::MAX);
            NodeShare { cpus, gpus }
        };
        job.nodes_by_rank().into_iter().map(share).collect()
    }

    /// Whoever asked Slurm for whole nodes is given their GPUs, too.
    fn all_gpus(&self, node: NodeId, submitted: &Submitted) -> Option<GpuSet> {
        let spec = self.engine.node_spec(node).filter(|_| is_exclusive(submitted))?;
        Some(GpuSet::first(spec.gpus))
    }

    /// A node's name; its number should it be unknown.
    pub fn node_name(&self, node: NodeId) -> Name {
        let known = self.engine.node_spec(node).map(|spec| spec.name.clone());
        known.unwrap_or_else(|| Name::from(node.to_string().as_str()))
    }

    /// The rank of a task among all tasks of its job, and the node it is on.
    pub fn task_node(&self, job: JobId, rank: u32) -> Option<NodeId> {
        let job = self.book.get(job)?;
        let mut places = job.places.iter();
        let found = places.find(|(_, tasks)| tasks.iter().any(|task| job.rank(task) == rank))?;
        Some(*found.0)
    }
}

impl Job {
    /// Its nodes, the one with the first task first.
    pub fn nodes_by_rank(&self) -> Vec<NodeId> {
        if !self.order.is_empty() {
            return self.order.clone();
        }
        let first = |tasks: &[TaskPlace]| tasks.iter().map(|task| (task.group, task.rank)).min();
        let mut nodes: Vec<_> =
            self.places.iter().map(|(node, tasks)| (first(tasks), *node)).collect();
        nodes.sort_unstable();
        nodes.into_iter().map(|(_, node)| node).collect()
    }

    /// A task's rank among all tasks of the job: groups one after the other, or nodes where they
    /// have an order.
    pub fn rank(&self, task: &TaskPlace) -> u32 {
        let is_it = |other: &TaskPlace| (other.group, other.rank) == (task.group, task.rank);
        let mut in_order = self.order.iter().filter_map(|node| self.places.get(node)).flatten();
        if let Some(rank) = in_order.position(is_it) {
            return count(rank);
        }
        let all = self.places.values().flatten();
        count(all.filter(|other| other.group < task.group).count()) + task.rank
    }

    fn task_duties(&self, submitted: &Submitted, tasks: &[TaskPlace]) -> Vec<TaskDuty> {
        let mut duties: Vec<_> = tasks
            .iter()
            .map(|place| {
                let shape = &submitted.spec.groups[usize::from(place.group)].task;
                TaskDuty {
                    place: *place,
                    rank: self.rank(place),
                    local_rank: 0,
                    // Who has a node alone has all its CPUs.
                    cpus_milli: if shape.exclusive { 0 } else { shape.cpus.0 },
                    memory_mib: shape.memory.0,
                }
            })
            .collect();
        duties.sort_by_key(|duty| duty.rank);
        for (local, duty) in (0..).zip(&mut duties) {
            duty.local_rank = local;
        }
        duties
    }
}

/// Whether whole nodes were asked for in Slurm's words.
fn is_exclusive(submitted: &Submitted) -> bool {
    let is_it = |word: &String| word == "--exclusive" || word.starts_with("--exclusive=");
    submitted.program.slurm.as_ref().is_some_and(|slurm| slurm.words.iter().any(is_it))
}

/// Tasks and nodes of one job are counted in 32 bits by the model.
fn count(many: usize) -> u32 {
    u32::try_from(many).expect("a job has fewer tasks than 2^32")
}
