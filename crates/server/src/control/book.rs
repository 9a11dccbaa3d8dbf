//! The jobs as the control plane knows them: what was submitted, where each is, how it ended.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use muster_api::Program;
use muster_engine::action::{JobState, TaskPlace};
use muster_engine::command::Exit;
use muster_model::{Attempt, JobId, JobSpec, NodeId, Time};
use serde::{Deserialize, Serialize};

/// Ended jobs that are kept in memory for who asks right after; all others are in the history.
const ENDED_MAX: usize = 10_000;

/// All jobs that are alive, and some that were.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Book {
    /// Shared with snapshots that are being written, so that taking one is cheap.
    jobs: BTreeMap<JobId, Arc<Job>>,
    /// By the number of the job or array.
    submitted: BTreeMap<JobId, Submitted>,
    /// Ended jobs in the order of their ends.
    ended: VecDeque<JobId>,
    /// How many jobs have ended since the cluster began.
    pub(crate) ended_count: u64,
}

/// What was submitted at once: a job, or an array.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Submitted {
    /// The job.
    pub spec: Arc<JobSpec>,
    /// What it runs.
    pub program: Arc<Program>,
    /// Whether its programs may submit in every queue, as its submitter may.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub anywhere: bool,
    /// Jobs in memory that came of it.
    jobs: u32,
}

/// One job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// Its number.
    pub id: JobId,
    /// The number it was submitted under: its own, or its array's.
    pub submission: JobId,
    /// Its index in the array.
    pub index: Option<u32>,
    /// Where it is.
    pub state: JobState,
    /// The try it is at.
    pub attempt: Attempt,
    /// When it was accepted.
    pub submitted: Time,
    /// When the present attempt, or the last, was launched.
    pub launched: Option<Time>,
    /// When it started.
    pub started: Option<Time>,
    /// When it ended.
    pub ended: Option<Time>,
    /// What it was changed into, if it ever was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spec: Option<Arc<JobSpec>>,
    /// Where its tasks are.
    #[serde(with = "super::snapshot::as_list")]
    pub places: BTreeMap<NodeId, Vec<TaskPlace>>,
    /// Its nodes in the order that its program is told, where that is not the engine's.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub order: Vec<NodeId>,
    /// The node and the port its tasks meet at.
    pub meets: Option<(NodeId, u16)>,
    /// Set once the present attempt is over and its held places are let go: how it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ending: Option<Exit>,
    /// It was paused for computing nothing, and nobody has let it go on.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_idle_pause: bool,
    /// Who asked for its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cancelled_by: Option<String>,
}

impl Book {
    pub(crate) fn add(
        &mut self,
        now: Time,
        job: JobId,
        elements: u32,
        spec: &Arc<JobSpec>,
        program: &Arc<Program>,
        anywhere: bool,
    ) {
        let jobs = elements.max(1);
        let submitted = Submitted { spec: spec.clone(), program: program.clone(), anywhere, jobs };
        self.submitted.insert(job, submitted);
        let indexes = spec.array.as_ref().map(|array| array.indexes.as_slice()).unwrap_or_default();
        let one = Job {
            id: job,
            submission: job,
            index: None,
            state: JobState::Waiting,
            attempt: Attempt::default(),
            submitted: now,
            launched: None,
            started: None,
            ended: None,
            spec: None,
            places: BTreeMap::new(),
            order: Vec::new(),
            meets: None,
            ending: None,
            is_idle_pause: false,
            cancelled_by: None,
        };
        if elements == 0 {
            self.jobs.insert(job, Arc::new(one));
            return;
        }
        for (number, index) in (job.0 + 1..).zip(indexes) {
            let id = JobId(number);
            self.jobs.insert(id, Arc::new(Job { id, index: Some(*index), ..one.clone() }));
        }
    }

    /// Jobs whose held places are being let go.
    pub(crate) fn letting_go(&self) -> BTreeSet<JobId> {
        let is_going = |job: &&Arc<Job>| job.ending.is_some() && !job.has_left();
        self.jobs.values().filter(is_going).map(|job| job.id).collect()
    }

    pub(crate) fn get(&self, job: JobId) -> Option<&Job> {
        self.jobs.get(&job).map(Arc::as_ref)
    }

    pub(crate) fn get_mut(&mut self, job: JobId) -> Option<&mut Job> {
        self.jobs.get_mut(&job).map(Arc::make_mut)
    }

    pub(crate) fn submitted(&self, job: &Job) -> &Submitted {
        self.submitted.get(&job.submission).expect("what was submitted is kept with its jobs")
    }

    /// What a job is, which is what was submitted unless it was changed since.
    pub(crate) fn spec<'a>(&'a self, job: &'a Job) -> &'a Arc<JobSpec> {
        job.spec.as_ref().unwrap_or_else(|| &self.submitted(job).spec)
    }

    /// All jobs in memory, the newest first.
    pub(crate) fn newest(&self) -> impl Iterator<Item = &Job> {
        self.jobs.values().rev().map(Arc::as_ref)
    }

    /// Jobs of an array that are in memory.
    pub(crate) fn of_array(&self, array: JobId) -> impl Iterator<Item = &Job> {
        let later = self.jobs.range(JobId(array.0 + 1)..).map(|(_, job)| job.as_ref());
        later.take_while(move |job| job.submission == array)
    }

    /// Somebody asks for the end of a job, or of all elements of an array.
    pub(crate) fn cancelled(&mut self, job: JobId, by: &str) {
        let elements: Vec<JobId> = self.of_array(job).map(|job| job.id).collect();
        for id in elements.into_iter().chain([job]) {
            let known = self.get(id).is_some_and(|job| !matches!(job.state, JobState::Ended(_)));
            if let Some(job) = known.then(|| self.get_mut(id)).flatten() {
                job.cancelled_by = Some(by.to_owned());
            }
        }
    }

    pub(crate) fn placed(&mut self, job: JobId, node: NodeId, tasks: &[TaskPlace]) {
        let Some(job) = self.get_mut(job) else { return };
        if tasks.is_empty() {
            job.places.remove(&node);
        } else {
            job.places.insert(node, tasks.to_vec());
        }
    }

    /// Puts a job that has ended in line for being forgotten.
    pub(crate) fn note_end(&mut self, job: JobId) {
        let is_over = |known: &Arc<Job>| matches!(known.state, JobState::Ended(_));
        if self.jobs.get(&job).is_some_and(is_over) {
            self.ended.push_back(job);
            self.ended_count += 1;
        }
    }

    /// Forgets jobs that ended long ago; those it forgot.
    pub(crate) fn forget_old(&mut self) -> Vec<JobId> {
        let mut forgotten = Vec::new();
        while self.ended.len() > ENDED_MAX {
            let Some(job) = self.ended.pop_front().and_then(|job| self.jobs.remove(&job)) else {
                continue;
            };
            forgotten.push(job.id);
            let submitted = self.submitted.get_mut(&job.submission);
            let left = submitted.map_or(0, |submitted| {
                submitted.jobs -= 1;
                submitted.jobs
            });
            if left == 0 {
                self.submitted.remove(&job.submission);
            }
        }
        forgotten
    }
}

impl Submitted {
    /// Whether it may ever have several tasks.
    pub(crate) fn is_gang(&self) -> bool {
        self.spec.groups.iter().map(|group| u64::from(group.tasks.max)).sum::<u64>() > 1
    }
}

impl Job {
    /// It has moved to another state.
    pub(crate) fn moved(&mut self, now: Time, state: JobState) {
        match state {
            JobState::Launching => {
                self.launched = Some(now);
                self.is_idle_pause = false;
            }
            JobState::Running if self.started.is_none() => self.started = Some(now),
            JobState::Ended(_) => self.ended = Some(now),
            _ => {}
        }
        self.state = state;
    }

    /// Whether its tasks are up, as far as is known.
    pub(crate) fn is_up(&self) -> bool {
        matches!(self.state, JobState::Running | JobState::Pausing | JobState::Resuming)
    }

    /// Whether nothing of it is wanted on any node.
    pub(crate) fn has_left(&self) -> bool {
        matches!(self.state, JobState::Waiting | JobState::Queued | JobState::Ended(_))
    }
}
