//! A cluster in which things happen: what users and operators do. Every step is judged.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use muster_checker::Checker;
use muster_engine::action::{Action, JobState};
use muster_engine::command::Command;
use muster_engine::{Engine, Tuning};
use muster_model::{
    ClusterSpec, Estimate, Invalid, JobId, JobSpec, Millis, NodeId, NodeSpec, QueueSpec, Time,
};

/// The engine, its judge, and what the scenario has to remember.
#[derive(Debug)]
pub(crate) struct World {
    pub(crate) engine: Engine,
    pub(crate) checker: Checker,
    pub(crate) tuning: Tuning,
    pub(crate) now: Time,
    pub(crate) node_names: BTreeMap<String, NodeId>,
    /// Every command so far and what followed from it.
    pub(crate) log: Vec<(Time, Command, Vec<Action>)>,
    /// Launches in the order they happened: when, and which job.
    pub(crate) starts: Vec<(Time, JobId)>,
    /// How long jobs run by themselves once all their nodes have confirmed.
    pub(crate) run_times: BTreeMap<JobId, Millis>,
    /// When running jobs end by themselves.
    pub(crate) ends: BTreeSet<(Time, JobId)>,
    /// Nodes do at once what they are asked.
    pub(crate) obedient: bool,
    /// What obedient nodes have still to say.
    pub(crate) replies: VecDeque<Command>,
    /// When applications save by themselves; for obedient nodes.
    pub(crate) saves: BTreeSet<(Time, JobId)>,
    /// Every step is also taken by an engine made from the snapshot before it.
    pub(crate) doubted: bool,
}

impl World {
    pub(crate) fn new(engine: Engine, spec: &ClusterSpec, tuning: Tuning) -> World {
        World {
            engine,
            checker: Checker::new(spec),
            tuning,
            now: Time(0),
            node_names: BTreeMap::new(),
            log: Vec::new(),
            starts: Vec::new(),
            run_times: BTreeMap::new(),
            ends: BTreeSet::new(),
            obedient: false,
            replies: VecDeque::new(),
            saves: BTreeSet::new(),
            doubted: false,
        }
    }

    /// One judged step and nothing after it.
    pub(crate) fn step(&mut self, command: Command) -> Vec<Action> {
        let twin = self.doubted.then(|| self.twin());
        let actions = self.checker.step(&mut self.engine, self.now, command.clone());
        if let Some(mut twin) = twin {
            let same = twin.step(self.now, command.clone());
            assert_eq!(same, actions, "after a restart {command:?} comes to something else");
            assert_eq!(twin.snapshot(), self.engine.snapshot(), "{command:?} after a restart");
            assert_eq!(twin.next_wake(), self.engine.next_wake(), "{command:?} after a restart");
        }
        self.log.push((self.now, command, actions.clone()));
        for action in &actions {
            self.note(action);
        }
        actions
    }

    /// An engine that goes on from the snapshot as it is written and read.
    pub(crate) fn twin(&self) -> Engine {
        let written = serde_json::to_string(&self.engine.snapshot()).expect("it can be written");
        let read = serde_json::from_str(&written).expect("what was written can be read");
        Engine::restore(read, self.tuning).expect("an engine's snapshot restores")
    }

    /// A command, and all that follows from it at this moment.
    pub(crate) fn tell(&mut self, command: Command) -> Vec<Action> {
        let mut actions = self.step(command);
        actions.extend(self.settle());
        actions
    }

    /// Lets the engine, and obedient nodes, do all they have to do at this moment.
    pub(crate) fn settle(&mut self) -> Vec<Action> {
        let mut actions = Vec::new();
        loop {
            if let Some(reply) = self.replies.pop_front() {
                actions.extend(self.step(reply));
            } else if self.engine.next_wake().is_some_and(|wake| wake <= self.now) {
                actions.extend(self.step(Command::Tick));
            } else {
                return actions;
            }
            assert!(actions.len() < 1_000_000, "the cluster never comes to rest");
        }
    }

    fn note(&mut self, action: &Action) {
        match action {
            Action::Moved { job, state: JobState::Launching, .. } => {
                self.starts.push((self.now, *job));
            }
            Action::Moved { job, state: JobState::Running, .. } => {
                self.plan_end(*job);
            }
            Action::NodeAccepted { node, name } => {
                self.node_names.insert(name.as_str().to_owned(), *node);
            }
            _ => {}
        }
        self.obey(action);
    }

    /// Submits a job that is accepted, and lets start what can start.
    pub(crate) fn submit(&mut self, spec: JobSpec) -> JobId {
        match self.try_submit(spec) {
            Ok(job) => job,
            Err(errors) => panic!("the scenario's job was rejected: {errors:?}"),
        }
    }

    /// Submits a job that may be rejected.
    pub(crate) fn try_submit(&mut self, spec: JobSpec) -> Result<JobId, Vec<Invalid>> {
        let actions = self.tell(Command::Submit { spec: spec.into() });
        let accepted = actions.iter().find_map(|action| match action {
            Action::Accepted { job, .. } => Some(Ok(*job)),
            Action::Rejected { errors } => Some(Err(errors.clone())),
            _ => None,
        });
        accepted.expect("a submission is answered")
    }

    /// Submits a job, and returns all that followed.
    pub(crate) fn submit_and_see(&mut self, spec: JobSpec) -> Vec<Action> {
        self.tell(Command::Submit { spec: spec.into() })
    }

    /// Submits jobs one after the other at the same moment.
    pub(crate) fn submit_all(&mut self, specs: impl IntoIterator<Item = JobSpec>) -> Vec<JobId> {
        specs.into_iter().map(|spec| self.submit(spec)).collect()
    }

    /// Submits a job that starts at once, and has all its nodes confirm.
    pub(crate) fn run(&mut self, spec: JobSpec) -> JobId {
        let job = self.submit(spec);
        if !self.obedient {
            self.confirm(job);
        }
        assert_eq!(self.state(job), JobState::Running, "job {job}: {:?}", self.codes(job));
        job
    }

    /// Submits a job that ends by itself after running so long; for obedient nodes.
    pub(crate) fn submit_for(&mut self, spec: JobSpec, run_time: Millis) -> JobId {
        assert!(self.obedient, "only obedient nodes end jobs by themselves");
        let next = self.engine.snapshot().next_job;
        self.run_times.insert(next, run_time);
        let job = self.submit(spec);
        assert_eq!(job, next, "arrays have no run time of their own");
        job
    }

    pub(crate) fn cancel(&mut self, job: JobId) -> Vec<Action> {
        self.tell(Command::Cancel { job })
    }

    pub(crate) fn hold(&mut self, job: JobId) -> Vec<Action> {
        self.tell(Command::Hold { job })
    }

    pub(crate) fn release(&mut self, job: JobId) -> Vec<Action> {
        self.tell(Command::Release { job })
    }

    pub(crate) fn requeue(&mut self, job: JobId) -> Vec<Action> {
        self.tell(Command::Requeue { job })
    }

    pub(crate) fn estimated(&mut self, job: JobId, median: Millis, p90: Millis) -> Vec<Action> {
        self.tell(Command::Estimated { job, estimate: Estimate { median, p90 } })
    }

    /// Adds or changes a queue.
    pub(crate) fn set_queue(&mut self, queue: QueueSpec) -> Vec<Action> {
        self.tell(Command::QueueSet { queue })
    }

    /// A node joins with nothing running on it.
    pub(crate) fn join(&mut self, spec: NodeSpec) -> Vec<Action> {
        let actions = self.tell(Command::NodeJoined { spec, running: vec![] });
        for action in &actions {
            assert!(!matches!(action, Action::Rejected { .. }), "a node was rejected: {action:?}");
        }
        actions
    }

    pub(crate) fn drain(&mut self, node: &str) -> Vec<Action> {
        self.tell(Command::NodeDrained { node: self.node(node) })
    }

    pub(crate) fn resume(&mut self, node: &str) -> Vec<Action> {
        self.tell(Command::NodeResumed { node: self.node(node) })
    }

    pub(crate) fn break_gpu(&mut self, node: &str, gpu: u32) -> Vec<Action> {
        self.tell(Command::GpuUnhealthy { node: self.node(node), gpu })
    }

    pub(crate) fn mend_gpu(&mut self, node: &str, gpu: u32) -> Vec<Action> {
        self.tell(Command::GpuHealthy { node: self.node(node), gpu })
    }

    pub(crate) fn set_obedient(&mut self, obedient: bool) {
        self.obedient = obedient;
    }

    pub(crate) fn forget_starts(&mut self) {
        self.starts.clear();
    }
}
