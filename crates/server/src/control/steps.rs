//! Steps: programs that the owner of a running job starts in its places. Each gets a number, waits
//! until what it needs is free, and is over when the nodes have said how all its tasks ended.

mod duty;
mod layout;
mod took;
mod view;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use muster_api::step::{StepReport, StepRequest, StepTask, Took};
use muster_engine::action::JobState;
use muster_engine::command::Exit;
use muster_model::{Attempt, GpuSet, JobId, Millis, NodeId, Time};
use serde::{Deserialize, Serialize};

use super::holding::rejected;
use super::{Answer, Applied, Control, Job};
use layout::{Misfit, Room, Takes, lay_out};

/// Steps of a job that have not ended: more than any script starts at once.
const OPEN_MAX: usize = 10_000;

/// Ended steps that are kept in memory for who asks right after; all are in the history.
const ENDED_MAX: usize = 100;

/// The steps of all jobs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Steps {
    jobs: BTreeMap<JobId, JobSteps>,
}

/// The steps of the present attempt of a job.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct JobSteps {
    attempt: Attempt,
    next: u32,
    /// Those that have not ended, and the latest of those that have.
    steps: BTreeMap<u32, Step>,
}

/// One step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Step {
    request: Arc<StepRequest>,
    submitted: Time,
    started: Option<Time>,
    ended: Option<Time>,
    /// Its nodes in order, each with its part; empty while it waits.
    parts: Vec<Part>,
    /// The newest signal, numbered.
    signal: Option<(u32, u8)>,
    /// Set once it is to end.
    grace: Option<Millis>,
    /// Somebody asked it to end.
    is_cancelled: bool,
}

/// A step's part on a node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Part {
    node: NodeId,
    tasks: Vec<StepTask>,
    gpus: GpuSet,
    takes: Takes,
    /// How tasks ended, by rank, and why some could not be started.
    #[serde(with = "super::snapshot::as_list")]
    ends: BTreeMap<u32, (Exit, String)>,
    /// What tasks took, by rank.
    #[serde(default, with = "super::snapshot::as_list")]
    took: BTreeMap<u32, Took>,
}

impl Part {
    fn is_over(&self) -> bool {
        self.ends.len() == self.tasks.len()
    }
}

impl Step {
    fn is_open(&self) -> bool {
        self.ended.is_none()
    }

    /// How it is said to have ended: as the task with the highest status.
    fn worst(&self) -> Exit {
        let exits = self.parts.iter().flat_map(|part| part.ends.values().map(|(exit, _)| *exit));
        let status = |exit: &Exit| match exit {
            Exit::Code(code) => *code,
            Exit::Signal(signal) => 128 + i32::from(*signal),
            Exit::OutOfMemory | Exit::Stopped => 128 + 9,
        };
        exits.max_by_key(status).unwrap_or(Exit::Code(0))
    }

    fn is_waiting(&self) -> bool {
        self.is_open() && self.parts.is_empty()
    }
}

impl Steps {
    /// The steps of a job's attempt that are in memory.
    pub(crate) fn of(&self, job: JobId) -> impl Iterator<Item = (u32, &Step)> {
        let steps = self.jobs.get(&job).into_iter().flat_map(|known| &known.steps);
        steps.map(|(number, step)| (*number, step))
    }

    fn get_mut(&mut self, job: JobId, step: u32) -> Option<&mut Step> {
        self.jobs.get_mut(&job)?.steps.get_mut(&step)
    }

    /// What the running steps of a job keep others from using on a node.
    fn used(&self, job: JobId, node: NodeId) -> Takes {
        let mut used = Takes::default();
        let parts = self.of(job).flat_map(|(_, step)| &step.parts);
        for part in parts.filter(|part| part.node == node && !part.is_over()) {
            used.all_cpus |= part.takes.all_cpus;
            used.cpus_milli += part.takes.cpus_milli;
            used.gpus = used.gpus.or(part.takes.gpus);
            used.memory_mib += part.takes.memory_mib;
        }
        used
    }

    /// Nothing is kept of a job that is not known any more.
    pub(crate) fn forget(&mut self, job: JobId) {
        self.jobs.remove(&job);
    }
}

impl Control {
    /// A step is to start in a job.
    pub(super) fn add_step(
        &mut self,
        now: Time,
        job: JobId,
        request: &Arc<StepRequest>,
    ) -> Applied {
        let may_have = |known: &&Job| known.is_up() || known.state == JobState::Launching;
        let known = self.book.get(job).filter(may_have);
        let Some(known) = known.filter(|known| known.ending.is_none()) else {
            return rejected("job", job, "expected a job that runs");
        };
        let attempt = known.attempt;
        let laid = lay_out(request, &self.rooms(known));
        match laid {
            Err(Misfit::Never(why)) => {
                return Applied { answer: Answer::Rejected(vec![why]), ..Applied::default() };
            }
            Err(Misfit::Busy) if request.immediate => {
                return rejected("immediate", "a step", "expected it to wait for other steps");
            }
            _ => {}
        }
        let steps = self.steps.jobs.entry(job).or_default();
        if steps.attempt != attempt {
            *steps = JobSteps { attempt, ..JobSteps::default() };
        }
        let open = steps.steps.values().filter(|step| step.is_open()).count();
        if open >= OPEN_MAX {
            let allowed = format!("expected fewer than {OPEN_MAX} that have not ended");
            return rejected("steps", open, &allowed);
        }
        let number = steps.next;
        steps.next += 1;
        steps.steps.insert(number, Step::new(now, Arc::clone(request)));
        let mut applied = Applied { answer: Answer::Step(number), ..Applied::default() };
        applied.steps.insert((job, number));
        self.start_steps(now, job, &mut applied);
        applied
    }

    /// A job has moved: one that has left takes its steps along, one that has come up begins.
    pub(super) fn moved_with_steps(&mut self, now: Time, job: JobId, applied: &mut Applied) {
        let Some(attempt) = self.steps.jobs.get(&job).map(|known| known.attempt) else { return };
        let is_over = |known: &Job| known.has_left() || known.attempt != attempt;
        match self.book.get(job).is_some_and(is_over) {
            true => self.close_steps(now, job, applied),
            false => self.start_steps(now, job, applied),
        }
    }

    /// Starts what waits and fits, in the order of numbers.
    fn start_steps(&mut self, now: Time, job: JobId, applied: &mut Applied) {
        let Some(known) = self.book.get(job).filter(|known| known.is_up()) else { return };
        let of = (job, known.attempt);
        let waiting: Vec<u32> = self
            .steps
            .of(job)
            .filter_map(|(number, step)| step.is_waiting().then_some(number))
            .collect();
        for number in waiting {
            let Some(known) = self.book.get(job) else { return };
            let nodes = known.nodes_by_rank();
            let rooms = self.rooms(known);
            let Some(step) = self.steps.get_mut(job, number) else { continue };
            let Ok(laid) = lay_out(&step.request, &rooms) else { continue };
            step.started = Some(now);
            let parts = laid.into_iter().map(|part| Part {
                node: nodes[part.room],
                tasks: part.tasks,
                gpus: part.gpus,
                takes: part.takes,
                ends: BTreeMap::new(),
                took: BTreeMap::new(),
            });
            step.parts = parts.collect();
            let touched: BTreeSet<NodeId> = step.parts.iter().map(|part| part.node).collect();
            touched.iter().for_each(|node| self.duties.touch(*node, of));
            applied.nodes.extend(touched);
            applied.steps.insert((job, number));
        }
    }

    /// A signal for one step, or its end.
    pub(super) fn signal_step(
        &mut self,
        now: Time,
        (job, number): (JobId, u32),
        signal: Option<u8>,
    ) -> Applied {
        let grace = self.engine.cluster().policy.stop_grace;
        let is_open = |step: &&mut Step| step.is_open();
        let Some(step) = self.steps.get_mut(job, number).filter(is_open) else {
            return rejected("step", number, "expected a step that has not ended");
        };
        match signal {
            Some(signal) => {
                let sent = step.signal.map_or(0, |(sent, _)| sent);
                step.signal = Some((sent + 1, signal));
            }
            None => {
                step.is_cancelled = true;
                step.grace = step.grace.or(Some(grace));
            }
        }
        let mut applied = Applied::default();
        if step.is_waiting() && signal.is_none_or(|signal| signal == 9 || signal == 15) {
            step.is_cancelled = true;
            step.ended = Some(now);
        }
        self.touch_step(job, number, &mut applied);
        applied
    }

    /// A node says something of a step.
    pub(super) fn hear_step(&mut self, now: Time, node: NodeId, report: &StepReport) -> Applied {
        let mut applied = Applied::default();
        if let StepReport::Took { of, rank, took } = *report {
            return self.note_own(now, node, (of, rank), took);
        }
        let StepReport::Ended { of, step: number, rank, exit, detail, took } = report else {
            return applied;
        };
        let is_present = self.steps.jobs.get(&of.job).is_some_and(|it| it.attempt == of.attempt);
        let grace = self.engine.cluster().policy.stop_grace;
        let step = self.steps.get_mut(of.job, *number).filter(|_| is_present);
        let Some(step) = step.filter(|step| step.is_open()) else { return applied };
        let is_bad = !exit.is_success() && step.request.kill_on_bad_exit;
        let Some(part) = step.parts.iter_mut().find(|part| part.node == node) else {
            return applied;
        };
        if !part.tasks.iter().any(|task| task.rank == *rank) {
            return applied;
        }
        part.ends.entry(*rank).or_insert_with(|| (*exit, detail.clone()));
        part.took.extend(took.map(|took| (*rank, took)));
        if is_bad || !detail.is_empty() {
            step.grace = step.grace.or(Some(grace));
        }
        if step.parts.iter().all(Part::is_over) {
            step.ended = Some(now);
        }
        let ends_job = (step.ended.is_some() && step.request.ends_job).then(|| step.worst());
        self.touch_step(of.job, *number, &mut applied);
        self.start_steps(now, of.job, &mut applied);
        self.forget_steps(of.job, ENDED_MAX);
        if let Some(exit) = ends_job {
            applied.nodes.extend(self.end_held(of.job, exit).nodes);
        }
        applied
    }

    /// An attempt is over: so are its steps, whatever was not heard of them.
    fn close_steps(&mut self, now: Time, job: JobId, applied: &mut Applied) {
        let Some(known) = self.steps.jobs.get_mut(&job) else { return };
        for (number, step) in known.steps.iter_mut().filter(|(_, step)| step.is_open()) {
            step.ended = Some(now);
            step.is_cancelled = true;
            for part in &mut step.parts {
                for task in &part.tasks {
                    let unheard = || (Exit::Stopped, String::new());
                    part.ends.entry(task.rank).or_insert_with(unheard);
                }
            }
            applied.steps.insert((job, *number));
        }
        self.forget_steps(job, ENDED_MAX);
    }

    fn forget_steps(&mut self, job: JobId, most: usize) {
        let Some(known) = self.steps.jobs.get_mut(&job) else { return };
        let ended = known.steps.iter().filter(|(_, step)| !step.is_open());
        let ended: Vec<u32> = ended.map(|(number, _)| *number).collect();
        for number in ended.iter().take(ended.len().saturating_sub(most)) {
            known.steps.remove(number);
        }
    }

    /// A step has changed: the nodes that have a part of it hear so.
    fn touch_step(&mut self, job: JobId, number: u32, applied: &mut Applied) {
        let Some(known) = self.steps.jobs.get(&job) else { return };
        let of = (job, known.attempt);
        let parts = known.steps.get(&number).into_iter().flat_map(|step| &step.parts);
        for part in parts {
            self.duties.touch(part.node, of);
            applied.nodes.insert(part.node);
        }
        applied.steps.insert((job, number));
    }

    /// What a job has on each of its nodes, in the order of their ranks.
    fn rooms(&self, job: &Job) -> Vec<Room> {
        let groups = &self.book.spec(job).groups;
        let room = |node: NodeId| {
            let mut room = Room::new(self.node_name(node));
            for place in job.places.get(&node).into_iter().flatten() {
                let shape = &groups[usize::from(place.group)].task;
                room.cpus_milli += shape.cpus.0;
                room.memory_mib += shape.memory.0;
                room.gpus = room.gpus.or(place.gpus);
                if let Some(spec) = self.engine.node_spec(node).filter(|_| shape.exclusive) {
                    // Nobody else is there.
                    room.cpus_milli = spec.cpus.0;
                }
            }
            room.used = self.steps.used(job.id, node);
            room
        };
        job.nodes_by_rank().into_iter().map(room).collect()
    }
}

impl Step {
    fn new(now: Time, request: Arc<StepRequest>) -> Step {
        Step {
            request,
            submitted: now,
            started: None,
            ended: None,
            parts: Vec::new(),
            signal: None,
            grace: None,
            is_cancelled: false,
        }
    }
}
