//! The account an honest engine would give of a played story: records written from its commands
//! and actions, and a naive count of what is free.

use std::collections::BTreeMap;
use std::sync::Arc;

use muster_engine::action::{Action, JobState};
use muster_engine::command::Command;
use muster_engine::snapshot::{
    ArrayRecord, FreeCount, JobRecord, NodeRecord, NodeReport, NodeRun, RunRecord, Sight,
};
use muster_model::{Attempt, GpuSet, JobId, JobSpec, Millis, Name, NodeId, Time};

use crate::stage::Stage;

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
                    self.snapshot.nodes.push(NodeRecord {
                        id: *node,
                        spec: spec.clone(),
                        sight: Sight::Seen,
                        drained: false,
                        unhealthy: GpuSet::EMPTY,
                        rests_until: Time(0),
                        refusals: 0,
                    });
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
                estimate: None,
                state: JobState::Queued,
                attempt: Attempt(0),
                held: spec.hold,
                submitted: self.now,
                ready_since: self.now,
                key: 0,
                urgency_at: None,
                not_before: Time(0),
                requeues: 0,
                launch_failures: 0,
                served: Millis::ZERO,
                run: None,
                ended: None,
                has_started: false,
                unmet: spec.after.clone(),
                exit: None,
                decision: None,
            });
        };
        match &spec.array {
            None => add(id, None),
            Some(array) => {
                for (number, index) in (id.0 + 1..).zip(&array.indexes) {
                    add(JobId(number), Some((id, *index)));
                }
                let throttle = array.throttle;
                self.snapshot.arrays.push(ArrayRecord {
                    id,
                    elements,
                    throttle,
                    admitted: elements,
                    started: 0,
                    ended: 0,
                    failed: 0,
                    remembered: elements,
                });
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
                let record = self.job_record(*job);
                record.attempt = *attempt;
                let run = record.run.get_or_insert(RunRecord {
                    nodes: Vec::new(),
                    placed: now,
                    started: None,
                    limit_at: None,
                    until: now,
                    then: None,
                    floor_until: None,
                    alternative: 0,
                    rate: 0,
                    warned: false,
                });
                let (node, tasks) = (*node, tasks.clone());
                run.nodes.push(NodeRun { node, tasks, report: NodeReport::Asked });
            }
            Action::Moved { job, state, .. } => {
                let record = self.job_record(*job);
                record.state = *state;
                match state {
                    JobState::Running => {
                        record.run.as_mut().expect("the job has an attempt").started = Some(now);
                    }
                    JobState::Launching | JobState::Stopping => {}
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
            let parts = runs.flat_map(|run| &run.nodes).filter(|part| part.node == node.id);
            let held = parts.flat_map(|part| &part.tasks).fold(0, |held, task| held | task.gpus.0);
            let free = GpuSet::first(node.spec.gpus).minus(node.unhealthy).minus(GpuSet(held));
            for depth in 0..=node.spec.domains.len() {
                let key = (node.spec.domains[..depth].to_vec(), node.spec.gpu_model.clone());
                counts.entry(key).or_insert_with(|| vec![0; 65])[free.count() as usize] += 1;
            }
        }
        let count = |((domain, model), nodes)| FreeCount { domain, model, nodes };
        counts.into_iter().map(count).collect()
    }
}
