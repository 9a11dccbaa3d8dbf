//! Looking at a cluster: states, places and reasons in words, all from the plain snapshot.

use std::collections::BTreeMap;

use muster_engine::action::{JobState, Outcome, TaskPlace};
use muster_engine::explain::{Decision, Why};
use muster_engine::reason::Reason;
use muster_engine::snapshot::{JobRecord, NodeRecord, Sight, Snapshot};
use muster_model::{GpuSet, JobId, Millis, Name, NodeId, Time};

use super::world::World;

impl World {
    pub(crate) fn snapshot(&self) -> Snapshot {
        self.engine.snapshot()
    }

    /// A job's record; panics where the job was never accepted or is forgotten.
    pub(crate) fn record(&self, job: JobId) -> JobRecord {
        let found = self.snapshot().jobs.into_iter().find(|record| record.id == job);
        found.unwrap_or_else(|| panic!("job {job} is not known"))
    }

    pub(crate) fn state(&self, job: JobId) -> JobState {
        self.record(job).state
    }

    /// A job's state in one word; how it ended where it has.
    pub(crate) fn word(&self, job: JobId) -> &'static str {
        match self.state(job) {
            JobState::Waiting => "waiting",
            JobState::Queued => "queued",
            JobState::Launching => "launching",
            JobState::Running => "running",
            JobState::Pausing => "pausing",
            JobState::Paused => "paused",
            JobState::Resuming => "resuming",
            JobState::Stopping => "stopping",
            JobState::Ended(Outcome::Completed) => "completed",
            JobState::Ended(Outcome::Failed(_)) => "failed",
            JobState::Ended(Outcome::Cancelled) => "cancelled",
            JobState::Ended(Outcome::TimedOut) => "timed-out",
            JobState::Ended(Outcome::NodeLost) => "node-lost",
            JobState::Ended(Outcome::LaunchFailed) => "launch-failed",
            JobState::Ended(Outcome::DependencyFailed) => "dependency-failed",
            JobState::Ended(Outcome::DeadlineMissed) => "deadline-missed",
        }
    }

    /// Whether a job has a place.
    pub(crate) fn is_placed(&self, job: JobId) -> bool {
        self.record(job).run.is_some()
    }

    /// The answer to "why", judged; the engine is held to the bound it names.
    pub(crate) fn why(&mut self, job: JobId) -> Why {
        let why = self.checker.ask(&mut self.engine, job);
        why.unwrap_or_else(|| panic!("nothing is known of job {job}"))
    }

    pub(crate) fn decision(&self, job: JobId) -> Decision {
        self.engine.decision(job).unwrap_or_else(|| panic!("job {job} was never placed"))
    }

    pub(crate) fn reasons(&mut self, job: JobId) -> Vec<Reason> {
        self.why(job).reasons
    }

    /// The reasons' short words.
    pub(crate) fn codes(&mut self, job: JobId) -> Vec<&'static str> {
        self.reasons(job).iter().map(Reason::code).collect()
    }

    /// The first reason as people read it.
    pub(crate) fn reason_text(&mut self, job: JobId) -> String {
        self.reasons(job).first().map(Reason::to_string).unwrap_or_default()
    }

    /// The names of a job's nodes in the order of its first task on each.
    pub(crate) fn nodes_of(&self, job: JobId) -> Vec<String> {
        let mut nodes: Vec<String> = Vec::new();
        for (name, _) in self.tasks_of(job) {
            if !nodes.contains(&name) {
                nodes.push(name);
            }
        }
        nodes
    }

    /// Each task with the name of its node, by group and rank.
    pub(crate) fn tasks_of(&self, job: JobId) -> Vec<(String, TaskPlace)> {
        let parts = self.record(job).run.map(|run| run.nodes).unwrap_or_default();
        let mut tasks: Vec<(String, TaskPlace)> = parts
            .into_iter()
            .flat_map(|part| {
                let name = self.node_name(part.node);
                part.tasks.into_iter().map(move |task| (name.clone(), task))
            })
            .collect();
        tasks.sort_by_key(|(_, task)| (task.group, task.rank));
        tasks
    }

    /// The node of every task of a job, by group and rank.
    pub(crate) fn node_of_each_task(&self, job: JobId) -> Vec<String> {
        self.tasks_of(job).into_iter().map(|(name, _)| name).collect()
    }

    /// The GPUs of one task of a job's first group.
    pub(crate) fn gpus_of(&self, job: JobId, rank: u32) -> Vec<u32> {
        let tasks = self.tasks_of(job);
        let task = tasks.iter().find(|(_, task)| task.group == 0 && task.rank == rank);
        task.unwrap_or_else(|| panic!("job {job} has no task {rank}")).1.gpus.iter().collect()
    }

    /// Tasks of a job on each of its nodes, as `r1-1:2 r1-2:1`, by node.
    pub(crate) fn layout(&self, job: JobId) -> String {
        let mut counts: BTreeMap<String, u32> = BTreeMap::new();
        for (name, _) in self.tasks_of(job) {
            *counts.entry(name).or_default() += 1;
        }
        let each = counts.iter().map(|(name, count)| format!("{name}:{count}"));
        each.collect::<Vec<_>>().join(" ")
    }

    /// GPUs of a node that nobody holds and that are well, whether or not the node may be used.
    pub(crate) fn free_on(&self, node: &str) -> u32 {
        let snapshot = self.snapshot();
        let id = self.node(node);
        let record = self.node_record(node);
        let mut taken = record.unhealthy;
        for job in &snapshot.jobs {
            let parts = job.run.iter().flat_map(|run| &run.nodes).filter(|part| part.node == id);
            for task in parts.flat_map(|part| &part.tasks) {
                taken = taken.or(task.gpus);
            }
        }
        GpuSet::first(record.spec.gpus).minus(taken).count()
    }

    /// Free GPUs of every node, in the order they joined: `r1-1:8 r1-2:0`.
    pub(crate) fn free(&self) -> String {
        let nodes = self.snapshot().nodes;
        let each = nodes.iter().map(|node| {
            let name = node.spec.name.as_str();
            format!("{name}:{}", self.free_on(name))
        });
        each.collect::<Vec<_>>().join(" ")
    }

    /// Free GPUs of all nodes together.
    pub(crate) fn free_total(&self) -> u32 {
        let nodes = self.snapshot().nodes;
        nodes.iter().map(|node| self.free_on(node.spec.name.as_str())).sum()
    }

    pub(crate) fn node(&self, name: &str) -> NodeId {
        *self.node_names.get(name).unwrap_or_else(|| panic!("no node is called {name}"))
    }

    pub(crate) fn node_name(&self, node: NodeId) -> String {
        let found = self.node_names.iter().find(|(_, id)| **id == node);
        found.expect("a node in use has joined").0.clone()
    }

    pub(crate) fn node_record(&self, name: &str) -> NodeRecord {
        let id = self.node(name);
        let found = self.snapshot().nodes.into_iter().find(|record| record.id == id);
        found.expect("a node that joined is never forgotten")
    }

    pub(crate) fn sight(&self, name: &str) -> Sight {
        self.node_record(name).sight
    }

    /// The nodes held for a starving job, by name.
    pub(crate) fn claim_of(&self, job: JobId) -> Vec<String> {
        let claims = self.snapshot().claims;
        let claim = claims.into_iter().find(|claim| claim.job == job);
        let nodes = claim.map(|claim| claim.nodes).unwrap_or_default();
        nodes.into_iter().map(|node| self.node_name(node)).collect()
    }

    /// The jobs launched since the cluster was built, in order.
    pub(crate) fn started(&self) -> Vec<JobId> {
        self.starts.iter().map(|(_, job)| *job).collect()
    }

    /// When a job was first launched.
    pub(crate) fn started_at(&self, job: JobId) -> Option<Time> {
        self.starts.iter().find(|(_, started)| *started == job).map(|(at, _)| *at)
    }

    /// A queue's usage so far without decay, in whole GPU-seconds of dominant share.
    pub(crate) fn gpu_seconds_of(&self, queue: &str) -> u128 {
        self.usage_of(queue, |usage| usage.total)
    }

    /// A queue's usage as it counts now, in whole GPU-seconds of dominant share.
    pub(crate) fn decayed_gpu_seconds_of(&self, queue: &str) -> u128 {
        self.usage_of(queue, |usage| usage.decayed)
    }

    fn usage_of(&self, queue: &str, of: fn(&muster_engine::snapshot::UsageRecord) -> u128) -> u128 {
        let snapshot = self.snapshot();
        let named = snapshot.cluster.queues.iter().position(|spec| spec.name.as_str() == queue);
        of(&snapshot.usage[named.unwrap_or_else(|| panic!("no queue is called {queue}"))])
            / 1_000_000
    }
}
