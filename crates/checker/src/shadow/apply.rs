//! What a command changes by itself, before the engine has said a word.

use std::sync::Arc;

use muster_engine::action::{Action, JobState};
use muster_engine::command::{Command, Refusal, Running};
use muster_engine::snapshot::Sight;
use muster_model::{Attempt, GpuSet, JobId, JobSpec, NodeId, NodeSpec, Rung, WhenIdle};

use super::job::{End, Report};
use super::{Held, Job, Node, Run, Shadow};
use crate::step::Step;

impl Shadow {
    /// Takes in the command of a step; a rejected one changes nothing.
    pub(crate) fn apply(&mut self, step: &mut Step<'_>) {
        if step.is_rejected {
            return;
        }
        match step.command {
            Command::Submit { spec } => self.submitted(spec, step.actions),
            Command::Cancel { job }
            | Command::Hold { job }
            | Command::Release { job }
            | Command::Requeue { job } => self.requested(*job, step),
            Command::NodeJoined { spec, running } => self.joined(spec, running, step),
            Command::NodeReturned { node, running } => self.returned(*node, running, step),
            Command::NodesLost { nodes, lease_ends } => {
                for &node in nodes {
                    self.node_changed(&Command::NodeLost { node, lease_ends: *lease_ends });
                }
            }
            Command::NodeLost { .. }
            | Command::NodeDrained { .. }
            | Command::NodeResumed { .. }
            | Command::GpuUnhealthy { .. }
            | Command::GpuHealthy { .. } => self.node_changed(step.command),
            Command::Started { node, job, attempt } => {
                self.started(*node, *job, *attempt, step);
            }
            Command::Refused { node, job, attempt, refusal } => {
                self.refused((*node, *job, *attempt), refusal, step);
            }
            Command::Ended { node, job, attempt, exit } => {
                self.part_ended(*node, *job, *attempt, End::Exit(*exit), step);
            }
            Command::QueueSet { queue } => {
                self.queues.insert(queue.name.clone(), queue.clone());
                self.disturbances += 1;
            }
            Command::BookingSet { booking } => {
                let made = (booking.clone(), self.now);
                self.bookings.insert(booking.name.clone(), made);
                self.disturbances += 1;
            }
            Command::BookingRemoved { name } => {
                self.bookings.remove(name);
                self.disturbances += 1;
            }
            Command::Paused { node, job, attempt, order, rung } => {
                let to = match rung {
                    Rung::Freeze => (Report::Started, Report::Frozen),
                    Rung::Suspend => (Report::Frozen, Report::Suspended),
                    Rung::Checkpoint | Rung::Requeue => return,
                };
                self.carried_out((*node, *job, *attempt), (*order, *rung, true), to, step);
            }
            Command::Resumed { node, job, attempt, order, rung } => {
                let to = match rung {
                    Rung::Freeze => (Report::Frozen, Report::Started),
                    Rung::Suspend => (Report::Suspended, Report::Frozen),
                    Rung::Checkpoint | Rung::Requeue => return,
                };
                self.carried_out((*node, *job, *attempt), (*order, *rung, false), to, step);
            }
            Command::Resized { node, job, attempt, resize } => {
                self.resized((*node, *job, *attempt), *resize, step);
            }
            Command::Idle { job, attempt, is_idle } => {
                self.idle(*job, *attempt, *is_idle, step);
            }
            Command::Saved { .. }
            | Command::PauseRefused { .. }
            | Command::Amend { .. }
            | Command::Estimated { .. }
            | Command::Progress { .. }
            | Command::Tick => {}
        }
    }

    /// Whether a report can tell nothing new: of an attempt that is not current, of one already
    /// ended there, from a node that has no part in it, or said before.
    pub(crate) fn is_idle_report(&self, command: &Command) -> bool {
        let (node, job, attempt, idle_once_started) = match command {
            Command::Started { node, job, attempt }
            | Command::Refused { node, job, attempt, .. } => (node, job, attempt, true),
            Command::Ended { node, job, attempt, .. } => (node, job, attempt, false),
            Command::Resized { node, job, attempt, resize } => {
                return !self.is_awaited(*node, *job, *attempt, *resize);
            }
            _ => return false,
        };
        let job = self.jobs.get(job).filter(|job| job.attempt == *attempt);
        let part = job.and_then(|job| job.run.as_ref()?.parts.get(node));
        // What a resize asks for can be refused, however long the rest runs.
        if part.is_some_and(|part| part.asked.is_some())
            && matches!(command, Command::Refused { .. })
        {
            return false;
        }
        part.is_none_or(|part| {
            part.report.is_end() || (idle_once_started && part.report != Report::Asked)
        })
    }

    fn submitted(&mut self, spec: &Arc<JobSpec>, actions: &[Action]) {
        let accepted = actions.iter().find_map(|action| match action {
            Action::Accepted { job, .. } => Some(*job),
            _ => None,
        });
        let Some(id) = accepted else { return };
        match &spec.array {
            None => self.add_job(id, spec, None),
            Some(array) => {
                let elements = u32::try_from(array.indexes.len()).unwrap_or(u32::MAX);
                self.arrays.insert(id, elements);
                for (number, index) in (id.0 + 1..).zip(&array.indexes) {
                    self.add_job(JobId(number), spec, Some((id, *index)));
                }
            }
        }
    }

    fn add_job(&mut self, id: JobId, spec: &Arc<JobSpec>, element: Option<(JobId, u32)>) {
        let key = (spec.user.clone(), spec.name.clone());
        self.namesakes.entry(key).or_default().insert(id);
        let job = Job {
            id,
            spec: Arc::clone(spec),
            element,
            class: self.class(spec).map_or(0, |class| class.value),
            kind: self.kind_of(spec),
            state: None,
            attempt: Attempt(0),
            held: if spec.hold { Held::Yes } else { Held::No },
            is_cancelled: false,
            started: None,
            submitted: self.now,
            ended: None,
            upsets: 0,
            computed: Default::default(),
            run: None,
        };
        self.highest = self.highest.max(id.0);
        self.jobs.insert(id, job);
    }

    fn requested(&mut self, id: JobId, step: &mut Step<'_>) {
        for id in self.meant_by(id) {
            let job = self.jobs.get_mut(&id).expect("only known jobs are meant");
            if job.is_ended() {
                continue;
            }
            match step.command {
                Command::Cancel { .. } => job.is_cancelled = true,
                Command::Hold { .. } if job.is_active() => job.held = Held::Unsure,
                Command::Hold { .. } => job.held = Held::Yes,
                Command::Release { .. } => job.held = Held::No,
                _ => {}
            }
            if matches!(step.command, Command::Cancel { .. } | Command::Requeue { .. }) {
                step.causes.insert(id);
            }
            job.upsets += 1;
        }
    }

    /// What is said of how much an attempt computes counts while it runs. A rule that pauses is as
    /// good as its owner's hold and requeue.
    fn idle(&mut self, id: JobId, attempt: Attempt, is_idle: bool, step: &mut Step<'_>) {
        let rule = self.jobs.get(&id).and_then(|job| self.idle_rule(job));
        let Some(job) = self.jobs.get_mut(&id).filter(|job| job.attempt == attempt) else { return };
        let is_running = job.state == Some(JobState::Running);
        let Some(run) = job.run.as_mut().filter(|_| is_running) else { return };
        run.is_idle = is_idle;
        if is_idle && rule.is_some_and(|rule| rule.then == WhenIdle::Pause) {
            job.held = Held::Unsure;
            job.upsets += 1;
            step.causes.insert(id);
        }
    }

    fn joined(&mut self, spec: &NodeSpec, running: &[Running], step: &mut Step<'_>) {
        let accepted = step.actions.iter().find_map(|action| match action {
            Action::NodeAccepted { node, name } if *name == spec.name => Some(*node),
            _ => None,
        });
        if let Some(&id) = self.node_names.get(&spec.name) {
            let node = self.nodes.get_mut(&id).expect("named nodes are known");
            if node.spec != *spec {
                node.spec = spec.clone();
                node.unhealthy = node.unhealthy.and(GpuSet::first(spec.gpus));
                step.causes.extend(node.jobs());
                self.disturbances += 1;
            }
            self.reconcile(id, running, step);
        } else if let Some(id) = accepted {
            self.node_names.insert(spec.name.clone(), id);
            self.nodes.insert(id, Node::new(id, spec.clone()));
            self.reconcile(id, running, step);
        }
    }

    fn returned(&mut self, id: NodeId, running: &[Running], step: &mut Step<'_>) {
        if self.nodes.contains_key(&id) {
            self.reconcile(id, running, step);
        }
    }

    /// A node is in sight and says what runs on it. What it had and does not name has ended
    /// there; a launch it has not confirmed may still be on its way.
    fn reconcile(&mut self, id: NodeId, running: &[Running], step: &mut Step<'_>) {
        self.unknown.remove(&id);
        let node = self.nodes.get_mut(&id).expect("the caller has looked it up");
        node.sight = Sight::Seen;
        for job in node.jobs() {
            let attempt = self.jobs[&job].attempt;
            let known = self.jobs.get_mut(&job).expect("only known jobs hold something");
            let is_stopping = known.state == Some(JobState::Stopping);
            let Some(part) = known.live_part(id, attempt) else { continue };
            // The order to stop may have been lost with the sight: it has to come again.
            part.is_stopped = false;
            if is_stopping {
                step.stopping.push(job);
            }
            if part.report != Report::Asked && !running.contains(&Running { job, attempt }) {
                self.part_ended(id, job, attempt, End::Lost, step);
            }
        }
        for Running { job, attempt } in running {
            if !self.started(id, *job, *attempt, step) {
                step.strays.push((id, *job, *attempt));
            }
        }
    }

    fn node_changed(&mut self, command: &Command) {
        let (Command::NodeLost { node, .. }
        | Command::NodeDrained { node }
        | Command::NodeResumed { node }
        | Command::GpuUnhealthy { node, .. }
        | Command::GpuHealthy { node, .. }) = command
        else {
            return;
        };
        let Some(node) = self.nodes.get_mut(node) else { return };
        match command {
            Command::NodeLost { lease_ends, .. } if node.sight != Sight::Gone => {
                // Hearing of the loss again never makes a lease shorter.
                let lease_ends = match node.sight {
                    Sight::Unknown { lease_ends: before } => before.max(*lease_ends),
                    Sight::Seen | Sight::Gone => *lease_ends,
                };
                node.sight = Sight::Unknown { lease_ends };
                self.unknown.insert(node.id);
            }
            Command::NodeDrained { .. } => node.is_drained = true,
            Command::NodeResumed { .. } => node.is_drained = false,
            Command::GpuUnhealthy { gpu, .. } if *gpu < node.spec.gpus => {
                node.unhealthy = node.unhealthy.or(GpuSet::one(*gpu));
            }
            Command::GpuHealthy { gpu, .. } if *gpu < node.spec.gpus => {
                node.unhealthy = node.unhealthy.minus(GpuSet::one(*gpu));
            }
            _ => {}
        }
        self.disturbances += 1;
    }

    /// Marks that an attempt runs on a node; false where it cannot.
    fn started(&mut self, node: NodeId, id: JobId, attempt: Attempt, step: &mut Step<'_>) -> bool {
        let job = self.jobs.get_mut(&id);
        let Some(part) = job.and_then(|job| job.live_part(node, attempt)) else { return false };
        if part.report == Report::Asked {
            part.report = Report::Started;
        }
        step.touched.insert(id);
        true
    }

    /// Marks what a node did with its part, where that answers the latest order.
    fn carried_out(
        &mut self,
        (node, id, attempt): (NodeId, JobId, Attempt),
        (order, rung, is_down): (u32, Rung, bool),
        (from, to): (Report, Report),
        step: &mut Step<'_>,
    ) {
        let Some(job) = self.jobs.get_mut(&id) else { return };
        let is_answer = |run: &Run| run.order == order && run.ordered == Some((rung, is_down));
        if !job.run.as_ref().is_some_and(is_answer) {
            return;
        }
        if !matches!(job.state, Some(JobState::Pausing | JobState::Resuming)) {
            return;
        }
        if let Some(part) = job.live_part(node, attempt).filter(|part| part.report == from) {
            part.report = to;
            step.touched.insert(id);
        }
    }

    fn refused(
        &mut self,
        (node, job, attempt): (NodeId, JobId, Attempt),
        refusal: &Refusal,
        step: &mut Step<'_>,
    ) {
        let is_running =
            self.jobs.get(&job).is_some_and(|job| job.state == Some(JobState::Running));
        if is_running {
            // Only a resize can be refused then; what follows from that is told by actions.
            self.disturbances += 1;
            return;
        }
        let live = self.jobs.get_mut(&job).and_then(|job| job.live_part(node, attempt));
        // What runs there was not refused, whatever arrives later.
        if live.is_some_and(|part| part.report != Report::Asked)
            || !self.part_ended(node, job, attempt, End::Refused, step)
        {
            return;
        }
        self.disturbances += 1;
        let is_launching = self.jobs[&job].state == Some(JobState::Launching);
        if !is_launching {
            return;
        }
        step.refused = Some((job, attempt));
        if let (Refusal::Node(_), Some(node)) = (refusal, self.nodes.get_mut(&node)) {
            let rest = self.now + self.cluster.policy.retry_pause;
            node.rests_until = node.rests_until.max(rest);
        }
    }

    /// Marks the end of an attempt on a node; false where it did not run there.
    pub(super) fn part_ended(
        &mut self,
        node: NodeId,
        id: JobId,
        attempt: Attempt,
        end: End,
        step: &mut Step<'_>,
    ) -> bool {
        let Some(job) = self.jobs.get_mut(&id) else { return false };
        let is_running = job.state == Some(JobState::Running) && !job.has_lost_a_part();
        let Some(part) = job.live_part(node, attempt) else { return false };
        if end == End::Lost && is_running && part.is_on_its_way() {
            self.disturbances += 1;
            step.touched.insert(id);
            step.causes.insert(id);
            self.drop_part(node, id);
            return true;
        }
        part.asked = None;
        part.report = Report::Ended(end);
        step.causes.insert(id);
        step.touched.insert(id);
        if !job.may_run() {
            self.release(id);
        }
        true
    }
}
