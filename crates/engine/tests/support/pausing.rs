//! What nodes and applications say of pauses, and looking at rooms that are being made.

use std::collections::BTreeMap;

use muster_engine::action::{Action, JobState};
use muster_engine::command::Command;
use muster_engine::snapshot::{
    JobRecord, NodeReport, NodeRun, PauseRun, PausesRecord, PlanRecord, RunRecord,
};
use muster_model::{JobId, NodeId, Rung};

use super::world::World;

impl World {
    /// All nodes that have not yet say that they have frozen their part.
    pub(crate) fn freeze(&mut self, job: JobId) -> Vec<Action> {
        self.all_answer(job, NodeReport::Started, Rung::Freeze, true)
    }

    /// All nodes that have frozen their part say that they have suspended it.
    pub(crate) fn suspend(&mut self, job: JobId) -> Vec<Action> {
        self.all_answer(job, NodeReport::Frozen, Rung::Suspend, true)
    }

    /// All nodes that have a part in host memory say that it is back on its GPUs.
    pub(crate) fn restore(&mut self, job: JobId) -> Vec<Action> {
        self.all_answer(job, NodeReport::Suspended, Rung::Suspend, false)
    }

    /// All nodes that have a frozen part say that it computes again.
    pub(crate) fn thaw(&mut self, job: JobId) -> Vec<Action> {
        self.all_answer(job, NodeReport::Frozen, Rung::Freeze, false)
    }

    /// A job goes all the way back from host memory to computing.
    pub(crate) fn come_back(&mut self, job: JobId) -> Vec<Action> {
        assert_eq!(self.state(job), JobState::Resuming, "job {job} has been asked to come back");
        let mut actions = self.restore(job);
        actions.extend(self.thaw(job));
        actions
    }

    fn all_answer(&mut self, job: JobId, said: NodeReport, rung: Rung, down: bool) -> Vec<Action> {
        let parts = self.parts(job, said);
        assert!(!parts.is_empty(), "job {job} has no part of which that could be said");
        parts.into_iter().flat_map(|node| self.answer(job, node, rung, down)).collect()
    }

    fn answer(&mut self, job: JobId, node: NodeId, rung: Rung, down: bool) -> Vec<Action> {
        let order = self.order(job);
        let command = self.answer_of(job, node, order, rung, down);
        self.tell(command)
    }

    /// What a node says that has carried out an order, or undone one.
    pub(crate) fn answer_of(
        &self,
        job: JobId,
        node: NodeId,
        order: u32,
        rung: Rung,
        down: bool,
    ) -> Command {
        let attempt = self.attempt(job);
        match down {
            true => Command::Paused { node, job, attempt, order, rung },
            false => Command::Resumed { node, job, attempt, order, rung },
        }
    }

    pub(crate) fn freeze_on(&mut self, job: JobId, node: &str) -> Vec<Action> {
        self.answer(job, self.node(node), Rung::Freeze, true)
    }

    pub(crate) fn suspend_on(&mut self, job: JobId, node: &str) -> Vec<Action> {
        self.answer(job, self.node(node), Rung::Suspend, true)
    }

    pub(crate) fn restore_on(&mut self, job: JobId, node: &str) -> Vec<Action> {
        self.answer(job, self.node(node), Rung::Suspend, false)
    }

    pub(crate) fn thaw_on(&mut self, job: JobId, node: &str) -> Vec<Action> {
        self.answer(job, self.node(node), Rung::Freeze, false)
    }

    /// A node cannot carry out the latest order.
    pub(crate) fn cannot(&mut self, job: JobId, node: &str, rung: Rung) -> Vec<Action> {
        let (attempt, order) = (self.attempt(job), self.order(job));
        let node = self.node(node);
        self.tell(Command::PauseRefused { node, job, attempt, order, rung })
    }

    /// The application of a job has saved its work.
    pub(crate) fn saved(&mut self, job: JobId) -> Vec<Action> {
        let attempt = self.attempt(job);
        self.tell(Command::Saved { job, attempt })
    }

    /// A job that was asked to give way does so to the end, by whichever rung it is on.
    pub(crate) fn give_way(&mut self, job: JobId) -> Vec<Action> {
        let mut actions = Vec::new();
        for _ in 0..8 {
            let pause = self.run_of(job).pause;
            actions.extend(match (self.state(job), pause.map(|pause| pause.rung)) {
                (JobState::Stopping, _) => self.stopped(job),
                (JobState::Pausing, Some(Rung::Checkpoint)) => self.saved(job),
                (JobState::Pausing, Some(_))
                    if !self.parts(job, NodeReport::Started).is_empty() =>
                {
                    self.freeze(job)
                }
                (JobState::Pausing, Some(_)) => self.suspend(job),
                (state, rung) => panic!("job {job} is not giving way: {state:?} {rung:?}"),
            });
            if !matches!(self.state(job), JobState::Pausing | JobState::Stopping) {
                return actions;
            }
        }
        panic!("job {job} never gives way");
    }

    /// A running job is cancelled, and its nodes have yet to end it.
    pub(crate) fn finish_to_make_way(&mut self, job: JobId) {
        if self.state(job) == JobState::Launching {
            self.confirm(job);
        }
        self.cancel(job);
        assert_eq!(self.state(job), JobState::Stopping);
    }

    /// The number of the latest order to pause or resume.
    pub(crate) fn order(&self, job: JobId) -> u32 {
        self.run_of(job).orders
    }

    pub(crate) fn run_of(&self, job: JobId) -> RunRecord {
        *self.record(job).run.unwrap_or_else(|| panic!("job {job} has no attempt"))
    }

    /// The pause under way.
    pub(crate) fn pause_of(&self, job: JobId) -> PauseRun {
        *self.run_of(job).pause.unwrap_or_else(|| panic!("job {job} is not being paused"))
    }

    /// The pauses of a job so far.
    pub(crate) fn pauses_of(&self, job: JobId) -> PausesRecord {
        *self.record(job).pauses.unwrap_or_else(|| panic!("job {job} was never paused"))
    }

    pub(crate) fn plan_of(&self, job: JobId) -> Option<PlanRecord> {
        self.snapshot().plans.into_iter().find(|plan| plan.job == job)
    }

    /// Who gives way for a job; nobody where no room is being made.
    pub(crate) fn victims_of(&self, job: JobId) -> Vec<JobId> {
        self.plan_of(job).map(|plan| plan.victims).unwrap_or_default()
    }

    /// All jobs that give way for someone, by number.
    pub(crate) fn victims(&self) -> Vec<JobId> {
        let mut victims: Vec<JobId> =
            self.snapshot().plans.into_iter().flat_map(|plan| plan.victims).collect();
        victims.sort_unstable();
        victims
    }

    /// GPUs held for a job so far, as `n-1:4 n-2:0`.
    pub(crate) fn held_for(&self, job: JobId) -> String {
        let holds = self.plan_of(job).map(|plan| plan.holds).unwrap_or_default();
        let each =
            holds.iter().map(|hold| format!("{}:{}", self.node_name(hold.node), hold.gpus.count()));
        each.collect::<Vec<_>>().join(" ")
    }

    /// Jobs in a state, by number.
    pub(crate) fn jobs_in(&self, state: JobState) -> Vec<JobId> {
        let is_there = |record: &JobRecord| record.state == state;
        self.snapshot().jobs.into_iter().filter(is_there).map(|record| record.id).collect()
    }

    /// Host memory of a node that is set aside for the state of suspended jobs, in GiB, counted
    /// from what the jobs say of themselves.
    pub(crate) fn host_memory_used(&self, node: &str) -> u64 {
        let id = self.node(node);
        let snapshot = self.snapshot();
        let gpu = self.node_record(node).spec.gpu_model;
        let models: BTreeMap<_, u64> = (snapshot.cluster.gpu_models.iter())
            .map(|model| (model.name.clone(), model.memory.0))
            .collect();
        let of_gpu = gpu.and_then(|model| models.get(&model).copied()).unwrap_or(0);
        let mut used = 0;
        for job in &snapshot.jobs {
            let Some(run) = &job.run else { continue };
            let is_set_aside = run.pause.as_ref().is_some_and(|pause| pause.rung == Rung::Suspend);
            if !is_set_aside {
                continue;
            }
            let state = job.spec.checkpoint.state.map_or(of_gpu, |state| state.0.min(of_gpu));
            for part in run.nodes.iter().filter(|part: &&NodeRun| part.node == id) {
                for task in &part.tasks {
                    let shape = &job.spec.groups[usize::from(task.group)].task;
                    used += shape.memory.0 + u64::from(task.gpus.count()) * state;
                }
            }
        }
        used / 1024
    }
}
