//! Lines of waiting jobs, and the fronts they form.
//!
//! A *line* holds the queued jobs of one queue, class and shape (and user, where users are
//! limited): they differ in nothing but their own key, so only the head of a line matters. The
//! heads of all lines of one shape form its *front*; a front is *open* while placing its shape
//! has not failed. The best job to try next is the best head of the open fronts.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

use muster_model::{JobId, Time};
use rustc_hash::FxHashMap;

use crate::dense::{ClassId, Dense, LineId, QueueId, ShapeId, UserId};
use crate::fairness::standing::Standing;
use crate::state::demand::Demand;

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
#[derive(Debug)]
pub(crate) struct Line {
    pub(crate) key: LineKey,
    /// A user of the line; of no importance where users are not limited.
    pub(crate) user: UserId,
    pub(crate) standing: Standing,
    /// By their own key.
    jobs: BTreeSet<(i64, JobId)>,
    /// By how long they have been ready: what the floor looks at. Jobs that the floor already
    /// holds nodes for are not in it.
    since: BTreeSet<(Time, JobId)>,
    /// Its head's place among the heads of its front.
    head: Option<OrderKey>,
    /// Its longest-waiting job's place in the floor's order.
    oldest: Option<(Time, JobId)>,
}

/// The heads of all lines of one shape.
#[derive(Debug, Default)]
pub(crate) struct Front {
    /// All alternatives of the shape, as bits.
    all: u64,
    /// Alternatives that did not fit; they cannot fit until room is made.
    failed: u64,
    /// GPUs that a node must have free to be of any help.
    least_gpus: u32,
    heads: BTreeSet<(OrderKey, LineId)>,
    /// The best head with an alternative left to try.
    best: Option<(OrderKey, LineId)>,
}

/// All waiting jobs that could start if there were room.
#[derive(Debug)]
pub(crate) struct Waiting {
    lines: Dense<LineId, Option<Line>>,
    by_key: FxHashMap<LineKey, LineId>,
    vacant: Vec<LineId>,
    fronts: BTreeMap<ShapeId, Front>,
    /// The best head of every front that has something left to try.
    open: BTreeSet<(OrderKey, LineId, ShapeId)>,
    /// Fronts of which something failed, by the GPUs a node must have free to help.
    closed: BTreeSet<(u32, ShapeId)>,
    /// Closed fronts whose heads have changed since someone asked.
    touched: Vec<ShapeId>,
    floor: BTreeSet<(Time, JobId, LineId)>,
    jobs: usize,
}

impl Waiting {
    pub(crate) fn new() -> Waiting {
        Waiting {
            lines: Dense::new(),
            by_key: FxHashMap::default(),
            vacant: Vec::new(),
            fronts: BTreeMap::new(),
            open: BTreeSet::new(),
            closed: BTreeSet::new(),
            touched: Vec::new(),
            floor: BTreeSet::new(),
            jobs: 0,
        }
    }

    pub(crate) fn line(&self, id: LineId) -> &Line {
        self.lines[id].as_ref().expect("a line lives as long as a job is in it")
    }

    fn line_mut(&mut self, id: LineId) -> &mut Line {
        self.lines[id].as_mut().expect("a line lives as long as a job is in it")
    }

    /// The line for a key, with whether it was made just now.
    pub(crate) fn line_for(
        &mut self,
        key: LineKey,
        user: UserId,
        demand: &Demand,
    ) -> (LineId, bool) {
        if let Some(&id) = self.by_key.get(&key) {
            return (id, false);
        }
        let line = Line {
            key,
            user,
            standing: Standing::default(),
            jobs: BTreeSet::new(),
            since: BTreeSet::new(),
            head: None,
            oldest: None,
        };
        let id = match self.vacant.pop() {
            Some(id) => {
                self.lines[id] = Some(line);
                id
            }
            None => self.lines.push(Some(line)),
        };
        self.by_key.insert(key, id);
        let front = self.fronts.entry(key.shape).or_default();
        front.all = demand.all();
        front.least_gpus = demand.least_gpus();
        (id, true)
    }

    /// Puts a job into a line; `place` the line afterwards.
    pub(crate) fn insert(&mut self, id: LineId, key: i64, since: Time, job: JobId) {
        let line = self.line_mut(id);
        line.jobs.insert((key, job));
        line.since.insert((since, job));
        self.jobs += 1;
    }

    /// Takes a job out of a line; `place` the line afterwards, or `close` it if it is empty.
    pub(crate) fn remove(&mut self, id: LineId, key: i64, since: Time, job: JobId) {
        let line = self.line_mut(id);
        line.since.remove(&(since, job));
        assert!(line.jobs.remove(&(key, job)), "a job is taken out of the line it is in");
        self.jobs -= 1;
    }

    /// Takes a job out of the floor's sight, or puts it back; `place` the line afterwards.
    pub(crate) fn set_claimed(&mut self, id: LineId, since: Time, job: JobId, claimed: bool) {
        let line = self.line_mut(id);
        if claimed {
            line.since.remove(&(since, job));
        } else {
            line.since.insert((since, job));
        }
    }

    /// Puts a line where its head belongs, with its standing and its queue's offset to the key.
    pub(crate) fn place(&mut self, id: LineId, standing: Standing, tier: u16, offset: i64) {
        let line = self.lines[id].as_mut().expect("a placed line is there");
        line.standing = standing;
        let may_start = standing.allowed != 0;
        let head = (line.jobs.first()).filter(|_| may_start).map(|&(key, job)| OrderKey {
            tier,
            key: key - offset,
            job,
        });
        let oldest = line.since.first().copied().filter(|_| may_start);
        let (old_head, old_oldest) = (line.head, line.oldest);
        line.head = head;
        line.oldest = oldest;
        let shape = line.key.shape;
        if old_oldest != oldest {
            if let Some((time, job)) = old_oldest {
                self.floor.remove(&(time, job, id));
            }
            if let Some((time, job)) = oldest {
                self.floor.insert((time, job, id));
            }
        }
        let front = self.fronts.get_mut(&shape).expect("a line's front is there");
        if old_head != head {
            if let Some(key) = old_head {
                front.heads.remove(&(key, id));
            }
            if let Some(key) = head {
                front.heads.insert((key, id));
            }
        }
        self.rank(shape);
    }

    /// Forgets an empty line, and its front with the last of its lines.
    pub(crate) fn close(&mut self, id: LineId) {
        self.place(id, Standing::default(), 0, 0);
        let line = self.lines[id].take().expect("a closed line is there");
        assert!(line.jobs.is_empty(), "only an empty line is closed");
        self.by_key.remove(&line.key);
        self.vacant.push(id);
    }

    /// Forgets the front of a shape that no job has any more.
    pub(crate) fn forget_shape(&mut self, shape: ShapeId) {
        if let Some(front) = self.fronts.remove(&shape) {
            assert!(front.heads.is_empty(), "a shape is forgotten after its jobs");
        }
    }

    /// Finds the best head of a front anew and keeps the order of open fronts right.
    fn rank(&mut self, shape: ShapeId) {
        let front = self.fronts.get_mut(&shape).expect("a ranked front is there");
        let has_more_to_try = |(_, id): &&(OrderKey, LineId)| {
            let line = self.lines[*id].as_ref().expect("a head's line is there");
            line.standing.allowed & !front.failed != 0
        };
        let best = if front.failed & front.all == front.all {
            None
        } else {
            front.heads.iter().find(has_more_to_try).copied()
        };
        if best != front.best {
            if let Some((key, line)) = front.best {
                self.open.remove(&(key, line, shape));
            }
            if let Some((key, line)) = best {
                self.open.insert((key, line, shape));
            }
            front.best = best;
        }
        if front.failed != 0 && !front.heads.is_empty() {
            self.closed.insert((front.least_gpus, shape));
            self.touched.push(shape);
        } else {
            self.closed.remove(&(front.least_gpus, shape));
        }
    }

    /// The best job to try next.
    pub(crate) fn best(&self) -> Option<(OrderKey, LineId, ShapeId)> {
        self.open.first().copied()
    }

    /// The best waiting job whether or not its shape has failed: the head that blocks all
    /// under a blocking policy.
    pub(crate) fn head(&self) -> Option<OrderKey> {
        let heads = self.fronts.values().filter_map(|front| front.heads.first());
        heads.map(|(key, _)| *key).min()
    }

    /// The alternatives of a shape are others than before.
    pub(crate) fn set_alternatives(&mut self, shape: ShapeId, all: u64) {
        let front = self.fronts.get_mut(&shape).expect("a line's front is there");
        front.all = all;
        front.failed = 0;
    }

    pub(crate) fn failed(&self, shape: ShapeId) -> u64 {
        self.fronts.get(&shape).map_or(0, |front| front.failed)
    }

    /// Remembers that alternatives of a shape did not fit.
    pub(crate) fn fail(&mut self, shape: ShapeId, alternatives: u64) {
        self.fronts.get_mut(&shape).expect("a tried front is there").failed |= alternatives;
        self.rank(shape);
    }

    /// Lets alternatives of a shape be tried again.
    pub(crate) fn reopen(&mut self, shape: ShapeId, alternatives: u64) {
        self.fronts.get_mut(&shape).expect("a reopened front is there").failed &= !alternatives;
        self.rank(shape);
    }

    /// Shapes of which something failed and which a node with so many GPUs free could help.
    pub(crate) fn closed(&self, gpus: u32) -> impl Iterator<Item = ShapeId> + '_ {
        self.closed.range(..=(gpus, ShapeId(u32::MAX))).map(|(_, shape)| *shape)
    }

    /// Closed fronts whose heads have changed since the last call.
    pub(crate) fn take_touched(&mut self) -> Vec<ShapeId> {
        std::mem::take(&mut self.touched)
    }

    /// The best head of a shape that may start by one of the alternatives (as bits).
    pub(crate) fn best_of(&self, shape: ShapeId, alternatives: u64) -> Option<(OrderKey, LineId)> {
        let may =
            |(_, id): &&(OrderKey, LineId)| self.line(*id).standing.allowed & alternatives != 0;
        self.fronts.get(&shape)?.heads.iter().find(may).copied()
    }

    /// The longest-waiting job that its queue lets start, after those passed over already.
    pub(crate) fn oldest_after(
        &self,
        passed_over: Option<(Time, JobId, LineId)>,
    ) -> Option<(Time, JobId, LineId)> {
        let after = passed_over.map_or(Bound::Unbounded, Bound::Excluded);
        self.floor.range((after, Bound::Unbounded)).next().copied()
    }

    /// The longest wait of a line that began after a moment.
    pub(crate) fn oldest_since(&self, moment: Time) -> Option<Time> {
        let after = (moment, JobId(u64::MAX), LineId(u32::MAX));
        self.floor.range((Bound::Excluded(after), Bound::Unbounded)).next().map(|(time, ..)| *time)
    }

    /// Waiting jobs of all lines that wait longer than `since`, in no particular order.
    pub(crate) fn since_before(&self, since: (Time, JobId)) -> impl Iterator<Item = JobId> + '_ {
        let lines = self.lines();
        lines.flat_map(move |(_, line)| line.since.range(..since).map(|(_, job)| *job))
    }

    /// All lines.
    pub(crate) fn lines(&self) -> impl Iterator<Item = (LineId, &Line)> {
        self.lines.iter().filter_map(|(id, line)| Some((id, line.as_ref()?)))
    }

    pub(crate) fn len(&self) -> usize {
        self.jobs
    }
}

impl Line {
    pub(crate) fn is_empty(&self) -> bool {
        self.jobs.is_empty()
    }

    /// Its jobs with their keys, best first.
    pub(crate) fn jobs(&self) -> impl Iterator<Item = (i64, JobId)> + '_ {
        self.jobs.iter().copied()
    }
}
