//! The account an honest engine would give of a played story: records written from its commands
//! and actions, and a naive count of what is free.

use std::collections::BTreeMap;
use std::sync::Arc;

use muster_engine::Engine;
use muster_engine::action::{Action, JobState};
use muster_engine::command::Command;
use muster_engine::snapshot::{
    ArrayRecord, FreeCount, JobRecord, NodeRecord, NodeReport, NodeRun, RunRecord, Sight, Snapshot,
};
use muster_model::{ClusterSpec, GpuSet, JobId, JobSpec, Name, NodeId, NodeSpec, Rung, Time};

use crate::stage::Stage;

/// Records as the real engine writes them. The stage overwrites what the judge reads; the rest is
/// the engine's own business, and stories need not follow when it changes.
pub(crate) struct Templates {
    /// A job that waits for room and was never placed.
    job: JobRecord,
    run: RunRecord,
    array: ArrayRecord,
    node: NodeRecord,
}

impl Templates {
    pub(crate) fn new() -> Templates {
        let mut engine = Engine::new(ClusterSpec::default()).expect("the default is valid");
        let spec = NodeSpec::new("n0", "H100", 1);
        engine.step(Time(0), Command::NodeJoined { spec, running: Vec::new() });
        let array = JobSpec::gang("train", 1, 1).array([0, 1]);
        engine.step(Time(0), Command::Submit { spec: array.into() });
        let mut snapshot = engine.snapshot();
        let job = snapshot.jobs.pop().expect("the second element waits");
        let run = snapshot.jobs.pop().and_then(|first| first.run);
        Templates {
            job,
            run: *run.expect("the first element is placed"),
            array: snapshot.arrays.pop().expect("an array was submitted"),
            node: snapshot.nodes.pop().expect("a node has joined"),
        }
    }
}

/// What an engine says of itself before anything has happened.
pub(crate) fn blank(cluster: &ClusterSpec) -> Snapshot {
    Engine::new(cluster.clone()).expect("the story's cluster is valid").snapshot()
}

impl Stage {
    pub(crate) fn job_record(&mut self, job: JobId) -> &mut JobRecord {
        self.snapshot
            .jobs
            .iter_mut()
            .find(|record| record.id == job)
            .expect("the story has that job")
    }

    pub(crate) fn node_record(&mut self, node: NodeId) -> &mut NodeRecord {
        self.snapshot
            .nodes
            .iter_mut()
            .find(|record| record.id == node)
            .expect("the story has that node")
    }

    pub(crate) fn record(&mut self, command: &Command, actions: &[Action]) {
        for action in actions {
            match (command, action) {
                (Command::Submit { spec }, Action::Accepted { job, elements }) => {
                    self.record_submitted(spec, *job, *elements);
                }
                (Command::NodeJoined { spec, .. }, Action::NodeAccepted { node, .. })
                    if node.index() == self.snapshot.nodes.len() =>
                {
                    let template = self.templates.node.clone();
                    let record = NodeRecord { id: *node, spec: spec.clone(), ..template };
                    self.snapshot.nodes.push(record);
                }
                _ => {}
            }
        }
        self.record_command(command);
        for action in actions {
            self.record_action(action);
        }
    }

    fn record_submitted(&mut self, spec: &Arc<JobSpec>, id: JobId, elements: u32) {
        let mut add = |id, element| {
            self.snapshot.jobs.push(JobRecord {
                id,
                spec: Arc::clone(spec),
                element,
                held: spec.hold,
                submitted: self.now,
                ..self.templates.job.clone()
            });
        };
        match &spec.array {
            None => add(id, None),
            Some(array) => {
                for (number, index) in (id.0 + 1..).zip(&array.indexes) {
                    add(JobId(number), Some((id, *index)));
                }
                let template = self.templates.array.clone();
                let throttle = array.throttle;
                self.snapshot.arrays.push(ArrayRecord { id, elements, throttle, ..template });
            }
        }
        self.snapshot.next_job = JobId(id.0 + u64::from(elements) + 1);
    }

    fn record_command(&mut self, command: &Command) {
        match command {
            Command::NodeLost { node, lease_ends } => {
                self.node_record(*node).sight = Sight::Unknown { lease_ends: *lease_ends };
            }
            Command::NodeReturned { node, .. } => self.node_record(*node).sight = Sight::Seen,
            Command::NodeDrained { node } => self.node_record(*node).drained = true,
            Command::NodeResumed { node } => self.node_record(*node).drained = false,
            Command::GpuUnhealthy { node, gpu } => {
                let record = self.node_record(*node);
                record.unhealthy = record.unhealthy.or(GpuSet::one(*gpu));
            }
            Command::Hold { job } => self.job_record(*job).held = true,
            Command::Release { job } => self.job_record(*job).held = false,
            Command::QueueSet { queue } => {
                let queues = &mut self.snapshot.cluster.queues;
                queues.retain(|known| known.name != queue.name);
                queues.push(queue.clone());
            }
            Command::Started { node, job, .. } => {
                self.record_report(*job, *node, NodeReport::Started);
            }
            Command::Paused { node, job, rung: Rung::Freeze, .. }
            | Command::Resumed { node, job, rung: Rung::Suspend, .. } => {
                self.record_report(*job, *node, NodeReport::Frozen);
            }
            Command::Paused { node, job, .. } => {
                self.record_report(*job, *node, NodeReport::Suspended);
            }
            Command::Resumed { node, job, .. } => {
                self.record_report(*job, *node, NodeReport::Started);
            }
            Command::Refused { node, job, .. } | Command::Ended { node, job, .. } => {
                self.record_report(*job, *node, NodeReport::Ended);
            }
            _ => {}
        }
    }

    fn record_report(&mut self, job: JobId, node: NodeId, report: NodeReport) {
        let run = self.job_record(job).run.as_mut().expect("the job has an attempt");
        run.nodes.iter_mut().find(|part| part.node == node).expect("the attempt is there").report =
            report;
    }

    fn record_action(&mut self, action: &Action) {
        let now = self.now;
        match action {
            Action::Launch { node, job, attempt, tasks } => {
                let blank = RunRecord {
                    nodes: Vec::new(),
                    placed: now,
                    started: None,
                    floor_until: None,
                    ..self.templates.run.clone()
                };
                let record = self.job_record(*job);
                record.attempt = *attempt;
                let run = record.run.get_or_insert_with(|| Box::new(blank));
                let (node, tasks) = (*node, tasks.clone());
                run.nodes.push(NodeRun { node, tasks, report: NodeReport::Asked });
            }
            Action::Resume { node, job, rung, .. } => {
                let back = match rung {
                    Rung::Suspend => NodeReport::Suspended,
                    _ => NodeReport::Frozen,
                };
                self.record_report(*job, *node, back);
            }
            Action::Moved { job, state, .. } => {
                let record = self.job_record(*job);
                record.state = *state;
                match state {
                    JobState::Running => {
                        record.run.as_mut().expect("the job has an attempt").started = Some(now);
                    }
                    JobState::Launching
                    | JobState::Pausing
                    | JobState::Paused
                    | JobState::Resuming
                    | JobState::Stopping => {}
                    JobState::Waiting | JobState::Queued => record.run = None,
                    JobState::Ended(_) => {
                        record.run = None;
                        record.ended = Some(now);
                    }
                }
            }
            _ => {}
        }
    }

    /// Open nodes by domain, model and free GPUs, counted in the most simple-minded way.
    pub(crate) fn free_counts(&self) -> Vec<FreeCount> {
        let mut counts: BTreeMap<(Vec<Name>, Option<Name>), Vec<u32>> = BTreeMap::new();
        for node in &self.snapshot.nodes {
            let claimed = self.snapshot.claims.iter().any(|claim| claim.nodes.contains(&node.id));
            let is_open = node.sight == Sight::Seen && !node.drained && !claimed;
            if !is_open || node.rests_until > self.now {
                continue;
            }
            let runs = self.snapshot.jobs.iter().filter_map(|job| job.run.as_ref());
            let runs = runs.filter(|run| !run.is_suspended);
            let parts = runs.flat_map(|run| &run.nodes).filter(|part| part.node == node.id);
            let holds = self.snapshot.plans.iter().flat_map(|plan| &plan.holds);
            let planned = holds.filter(|hold| hold.node == node.id);
            let planned = planned.fold(0, |held, hold| held | hold.gpus.0);
            let held = planned
                | parts.flat_map(|part| &part.tasks).fold(0, |held, task| held | task.gpus.0);
            let free = GpuSet::first(node.spec.gpus).minus(node.unhealthy).minus(GpuSet(held));
            for depth in 0..=node.spec.domains.len() {
                let key = (node.spec.domains[..depth].to_vec(), node.spec.gpu_model.clone());
                counts.entry(key).or_insert_with(|| vec![0; 65])[free.count() as usize] += 1;
            }
        }
        let count =
            |((domain, model), nodes)| FreeCount { domain, model, nodes, shared: Vec::new() };
        counts.into_iter().map(count).collect()
    }
}
