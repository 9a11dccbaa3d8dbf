//! What scenarios about elastic jobs say most often.

use muster_engine::explain::NotLarger;
use muster_engine::snapshot::ResizeRecord;

use crate::support::*;

/// A job of one-GPU tasks that has a whole day of work at its fewest tasks.
pub(super) fn stretchy(min: u32, max: u32) -> JobSpec {
    wide(min, max, 1)
}

/// The same with so many GPUs for each task.
pub(super) fn wide(min: u32, max: u32, gpus: u32) -> JobSpec {
    gang(1, gpus).elastic(min, max).estimate(days(1), days(2))
}

impl World {
    /// Tasks that a job holds, on their way in or out included.
    pub(super) fn size(&self, job: JobId) -> usize {
        self.tasks_of(job).len()
    }

    /// The sizes of some jobs.
    pub(super) fn sizes<const N: usize>(&self, jobs: [JobId; N]) -> [usize; N] {
        jobs.map(|job| self.size(job))
    }

    /// The resize under way.
    pub(super) fn resize_of(&self, job: JobId) -> Option<ResizeRecord> {
        self.record(job).run?.elastic?.resize
    }

    /// The number of a job's latest resize.
    pub(super) fn resizes(&self, job: JobId) -> u32 {
        let run = self.record(job).run.expect("a job that is resized is placed");
        run.elastic.expect("an elastic job has sizes").resizes
    }

    /// All nodes that are asked to resize a job do so.
    pub(super) fn resized(&mut self, job: JobId) -> Vec<Action> {
        let mut actions = Vec::new();
        while let Some(resize) = self.resize_of(job) {
            let node = self.node_name(resize.waits_for[0]);
            actions.extend(self.resized_on(job, &node));
        }
        actions
    }

    /// One node has done what the latest resize asked.
    pub(super) fn resized_on(&mut self, job: JobId, node: &str) -> Vec<Action> {
        let number = self.resizes(job);
        self.resized_as(job, node, number)
    }

    /// One node has done what the resize of a number asked.
    pub(super) fn resized_as(&mut self, job: JobId, node: &str, resize: u32) -> Vec<Action> {
        let (node, attempt) = (self.node(node), self.attempt(job));
        self.tell(Command::Resized { node, job, attempt, resize })
    }

    /// Submits a job that starts, runs and grows as far as it can now.
    pub(super) fn run_and_grow(&mut self, spec: JobSpec) -> JobId {
        let job = self.run(spec);
        self.resized(job);
        job
    }

    /// An attempt says how fast it is.
    pub(super) fn progress(&mut self, job: JobId, rate: u32, done: Option<u32>) -> Vec<Action> {
        let attempt = self.attempt(job);
        self.tell(Command::Progress { job, attempt, rate, done_ppm: done })
    }

    /// Why a job is no larger.
    pub(super) fn not_larger(&mut self, job: JobId) -> NotLarger {
        self.why(job).size.expect("a running elastic job has a size").not_larger
    }

    /// GPUs that a queue uses.
    pub(super) fn used(&self, queue: &str) -> u64 {
        let accounts = self.engine.accounts();
        let account = accounts.iter().find(|account| account.queue.as_str() == queue);
        account.unwrap_or_else(|| panic!("no queue is called {queue}")).used.0 / 1000
    }
}

/// The nodes that actions ask to change their tasks of a job, each with how many it shall have.
pub(super) fn asked(actions: &[Action], of: JobId) -> Vec<(NodeId, usize)> {
    let asked = actions.iter().filter_map(|action| match action {
        Action::Resize { node, job, tasks, .. } if *job == of => Some((*node, tasks.len())),
        _ => None,
    });
    asked.collect()
}
