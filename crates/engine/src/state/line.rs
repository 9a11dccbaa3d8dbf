//! Lines of waiting jobs. A line holds the queued jobs of one queue, class and shape (and user,
//! where users are limited): they differ in nothing but their own key, so only its head matters.

use muster_model::{JobId, Time};

use crate::dense::{ClassId, QueueId, ShapeId, UserId};
use crate::fairness::standing::Standing;
use crate::state::few::Few;

/// What the jobs of a line have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct LineKey {
    pub(crate) queue: QueueId,
    pub(crate) class: ClassId,
    pub(crate) shape: ShapeId,
    /// Only where a queue on the path limits its users.
    pub(crate) user: Option<UserId>,
}

/// Where a job stands in the order of all; smaller goes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct OrderKey {
    /// Guarantee, then class: what no score crosses.
    pub(crate) tier: u16,
    /// The policy's key, in thousandths of a doubling.
    pub(crate) key: i64,
    /// Among equals, who came first.
    pub(crate) job: JobId,
}

/// A line of waiting jobs.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) key: LineKey,
    /// A user of the line; of no importance where users are not limited.
    pub(crate) user: UserId,
    pub(crate) standing: Standing,
    /// By their own key.
    jobs: Few<(i64, JobId)>,
    /// By how long they have been ready: what the floor looks at. Jobs that the floor already
    /// holds nodes for are not in it.
    since: Few<(Time, JobId)>,
    /// Its head's place among the heads of its front.
    pub(super) head: Option<OrderKey>,
    /// Its longest-waiting job's place in the floor's order.
    pub(super) oldest: Option<(Time, JobId)>,
}

impl Line {
    pub(super) fn new(key: LineKey, user: UserId) -> Line {
        Line {
            key,
            user,
            standing: Standing::default(),
            jobs: Few::default(),
            since: Few::default(),
            head: None,
            oldest: None,
        }
    }

    pub(super) fn insert(&mut self, key: i64, since: Time, job: JobId) {
        self.jobs.insert((key, job));
        self.since.insert((since, job));
    }

    pub(super) fn remove(&mut self, key: i64, since: Time, job: JobId) {
        self.since.remove(&(since, job));
        assert!(self.jobs.remove(&(key, job)), "a job is taken out of the line it is in");
    }

    /// Takes a job out of the floor's sight, or puts it back.
    pub(super) fn set_claimed(&mut self, since: Time, job: JobId, claimed: bool) {
        if claimed {
            self.since.remove(&(since, job));
        } else {
            self.since.insert((since, job));
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.jobs.is_empty()
    }

    pub(crate) fn len(&self) -> usize {
        self.jobs.len()
    }

    /// Its jobs with their keys, best first.
    pub(crate) fn jobs(&self) -> impl Iterator<Item = (i64, JobId)> + '_ {
        self.jobs.iter()
    }

    /// Its jobs with since when they are ready, longest first.
    pub(crate) fn by_age(&self) -> impl Iterator<Item = (Time, JobId)> + '_ {
        self.since.iter()
    }
}
