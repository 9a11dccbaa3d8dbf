//! One job as the engine sees it, and the store of all of them.

use std::collections::BTreeSet;

use muster_model::{JobId, Millis, Time};
use rustc_hash::FxHashMap;

use crate::action::JobState;
use crate::dense::{ClassId, LineId, ModelId, QueueId, ShapeId, UserId};
use crate::snapshot::{JobRecord, NodeReport};

/// A job: its record, and what was resolved from it.
#[derive(Clone, Debug)]
pub(crate) struct Job {
    pub(crate) record: JobRecord,
    pub(crate) shape: ShapeId,
    pub(crate) queue: QueueId,
    pub(crate) class: ClassId,
    pub(crate) user: UserId,
    /// How long one attempt may run.
    pub(crate) limit: Millis,
    /// The line it waits in, while it is queued.
    pub(crate) line: Option<LineId>,
    /// Whether it takes one of its array's places.
    pub(crate) admitted: bool,
    /// The shape it waits as while it is suspended: its own place.
    pub(crate) pinned: Option<ShapeId>,
    /// Nodes of the current attempt that have not said it runs.
    pub(crate) unconfirmed: u32,
    /// Nodes of the current attempt that have not said it ended.
    pub(crate) unended: u32,
    /// Tasks that the group whose number may change has, on their way in or out included.
    pub(crate) size: u32,
    /// The model it is listed under as one that may shrink, with the GPUs it could give.
    pub(crate) may_shrink: Option<(ModelId, u64)>,
}

impl Job {
    pub(crate) fn new(
        record: JobRecord,
        shape: ShapeId,
        queue: QueueId,
        class: ClassId,
        user: UserId,
        limit: Millis,
    ) -> Job {
        Job {
            record,
            shape,
            queue,
            class,
            user,
            limit,
            line: None,
            admitted: false,
            pinned: None,
            unconfirmed: 0,
            unended: 0,
            size: 0,
            may_shrink: None,
        }
    }

    /// A job that is over and needs nothing resolved any more.
    pub(crate) fn over(record: JobRecord) -> Job {
        let nothing = (ShapeId(u32::MAX), QueueId(u16::MAX), ClassId(u8::MAX), UserId(u32::MAX));
        let (shape, queue, class, user) = nothing;
        Job::new(record, shape, queue, class, user, Millis::ZERO)
    }

    pub(crate) fn is_over(&self) -> bool {
        matches!(self.record.state, JobState::Ended(_))
    }

    /// Whether nodes have an attempt of it.
    pub(crate) fn is_placed(&self) -> bool {
        self.record.run.is_some()
    }

    /// Whether its attempt is suspended: it holds no more than host memory set aside for that.
    pub(crate) fn is_suspended(&self) -> bool {
        self.record.run.as_ref().is_some_and(|run| run.is_suspended)
    }

    /// What it is placed as while it waits.
    pub(crate) fn line_shape(&self) -> ShapeId {
        self.pinned.unwrap_or(self.shape)
    }

    /// How long its attempt has computed.
    pub(crate) fn computed(&self, now: Time) -> Millis {
        let Some(run) = &self.record.run else { return Millis::ZERO };
        run.ran + run.started.map_or(Millis::ZERO, |started| now.since(started))
    }

    /// How long it has computed in all.
    pub(crate) fn attained(&self, now: Time) -> Millis {
        let run = self.record.run.as_ref();
        let started = run.and_then(|run| run.started);
        self.record.served + started.map_or(Millis::ZERO, |started| now.since(started))
    }

    /// Counts what its nodes have said anew, after a restore or a placement.
    pub(crate) fn recount_reports(&mut self) {
        let elastic = self.record.spec.elastic_group();
        let nodes = self.record.run.iter().flat_map(|run| &run.nodes);
        let (mut unconfirmed, mut unended, mut size) = (0, 0, 0);
        for node in nodes {
            unconfirmed += u32::from(node.report == NodeReport::Asked);
            unended += u32::from(node.report != NodeReport::Ended);
            if let Some(group) = elastic {
                let tasks = node.tasks.iter().filter(|task| usize::from(task.group) == group);
                size += u32::try_from(tasks.count()).expect("tasks are bounded by validation");
            }
        }
        self.unconfirmed = unconfirmed;
        self.unended = unended;
        self.size = size;
    }
}

/// All jobs that are not forgotten.
#[derive(Clone, Debug, Default)]
pub(crate) struct Jobs {
    /// Boxed, so that growing the table moves pointers and not jobs.
    jobs: FxHashMap<JobId, Box<Job>>,
    /// Jobs that are over, by when they ended.
    pub(crate) ended: BTreeSet<(Time, JobId)>,
}

impl Jobs {
    pub(crate) fn get(&self, id: JobId) -> Option<&Job> {
        self.jobs.get(&id).map(Box::as_ref)
    }

    pub(crate) fn get_mut(&mut self, id: JobId) -> Option<&mut Job> {
        self.jobs.get_mut(&id).map(Box::as_mut)
    }

    /// A job that must be there, for it is in one of the engine's own indexes.
    pub(crate) fn known(&self, id: JobId) -> &Job {
        self.get(id).expect("a job in an index is in the store")
    }

    pub(crate) fn known_mut(&mut self, id: JobId) -> &mut Job {
        self.get_mut(id).expect("a job in an index is in the store")
    }

    pub(crate) fn add(&mut self, job: Job) {
        self.jobs.insert(job.record.id, Box::new(job));
    }

    pub(crate) fn forget(&mut self, id: JobId) -> Option<Box<Job>> {
        self.jobs.remove(&id)
    }

    pub(crate) fn len(&self) -> usize {
        self.jobs.len()
    }

    /// All numbers, ascending: sorted, because the table has no order of its own.
    pub(crate) fn ids(&self) -> Vec<JobId> {
        let mut ids: Vec<JobId> = self.jobs.keys().copied().collect();
        ids.sort_unstable();
        ids
    }
}
