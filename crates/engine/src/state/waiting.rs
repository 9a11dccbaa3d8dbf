//! All waiting jobs that could start if there were room: lines, the fronts their heads form, the
//! best of the open fronts, and the order in which the floor looks at them.

use std::collections::BTreeSet;
use std::ops::Bound;

use muster_model::{JobId, Time};
use rustc_hash::FxHashMap;

use crate::dense::{Dense, Key, LineId, ShapeId, UserId};
use crate::fairness::standing::Standing;
use crate::state::demand::Demand;
use crate::state::front::{Front, Probe, Probes};
use crate::state::line::{Line, LineKey, OrderKey};

/// All waiting jobs that could start if there were room.
#[derive(Clone, Debug)]
pub(crate) struct Waiting {
    lines: Dense<LineId, Option<Line>>,
    by_key: FxHashMap<LineKey, LineId>,
    vacant: Vec<LineId>,
    fronts: Dense<ShapeId, Option<Front>>,
    /// The best head of every front that has something left to try.
    open: BTreeSet<(OrderKey, LineId, ShapeId)>,
    /// The best head of every front, whether or not anything is left to try.
    heads: BTreeSet<(OrderKey, ShapeId)>,
    probes: Probes,
    /// The longest-waiting job of every line that its queue lets start.
    floor: BTreeSet<(Time, JobId, LineId)>,
    jobs: usize,
}

impl Waiting {
    pub(crate) fn new() -> Waiting {
        Waiting {
            lines: Dense::new(),
            by_key: FxHashMap::default(),
            vacant: Vec::new(),
            fronts: Dense::new(),
            open: BTreeSet::new(),
            heads: BTreeSet::new(),
            probes: Probes::default(),
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

    fn front_mut(&mut self, shape: ShapeId) -> &mut Front {
        self.fronts[shape].as_mut().expect("a front lives as long as its shape has waited")
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
        while self.fronts.len() <= key.shape.index() {
            self.fronts.push(None);
        }
        self.fronts[key.shape].get_or_insert_with(|| Front::new(demand));
        let line = Line::new(key, user);
        let id = match self.vacant.pop() {
            Some(id) => {
                self.lines[id] = Some(line);
                id
            }
            None => self.lines.push(Some(line)),
        };
        self.by_key.insert(key, id);
        (id, true)
    }

    /// Puts a job into a line; `place` the line afterwards.
    pub(crate) fn insert(&mut self, id: LineId, key: i64, since: Time, job: JobId) {
        self.line_mut(id).insert(key, since, job);
        self.jobs += 1;
    }

    /// Takes a job out of a line; `place` the line afterwards, or `close` it if it is empty.
    pub(crate) fn remove(&mut self, id: LineId, key: i64, since: Time, job: JobId) {
        self.line_mut(id).remove(key, since, job);
        self.jobs -= 1;
    }

    /// Takes a job out of the floor's sight, or puts it back; `place` the line afterwards.
    pub(crate) fn set_claimed(&mut self, id: LineId, since: Time, job: JobId, claimed: bool) {
        self.line_mut(id).set_claimed(since, job, claimed);
    }

    /// Puts a line where its head belongs, with its standing and its queue's offset to the key;
    /// whether another job is its head now, or the same in another tier.
    pub(crate) fn place(&mut self, id: LineId, standing: Standing, tier: u16, offset: i64) -> bool {
        let line = self.line_mut(id);
        let was = (line.head, line.oldest, line.standing.allowed);
        let may_start = standing.allowed != 0;
        let head = line.jobs().next().filter(|_| may_start);
        let head = head.map(|(key, job)| OrderKey { tier, key: key - offset, job });
        let oldest = line.by_age().next().filter(|_| may_start);
        line.standing = standing;
        line.head = head;
        line.oldest = oldest;
        let shape = line.key.shape;
        if was.1 != oldest {
            if let Some((time, job)) = was.1 {
                self.floor.remove(&(time, job, id));
            }
            if let Some((time, job)) = oldest {
                self.floor.insert((time, job, id));
            }
        }
        if was.0 != head {
            let front = self.front_mut(shape);
            if let Some(key) = was.0 {
                front.heads.remove(&(key, id));
            }
            if let Some(key) = head {
                front.heads.insert((key, id));
            }
        }
        if was.0 != head || was.2 != standing.allowed {
            self.rank(shape);
        }
        let who = |head: Option<OrderKey>| head.map(|head| (head.tier, head.job));
        who(was.0) != who(head)
    }

    /// The head of a line, where its queue lets it start.
    pub(crate) fn head_of(&self, id: LineId) -> Option<OrderKey> {
        self.line(id).head
    }

    /// Whether a line is still there.
    pub(crate) fn has_line(&self, id: LineId) -> bool {
        self.lines[id].is_some()
    }

    /// The best head of every front, best first.
    pub(crate) fn heads(&self) -> impl Iterator<Item = (OrderKey, ShapeId)> + '_ {
        self.heads.iter().copied()
    }

    /// Forgets an empty line.
    pub(crate) fn close(&mut self, id: LineId) {
        self.place(id, Standing::default(), 0, 0);
        let line = self.lines[id].take().expect("a closed line is there");
        assert!(line.is_empty(), "only an empty line is closed");
        self.by_key.remove(&line.key);
        self.vacant.push(id);
    }

    /// Forgets the front of a shape that no job has any more.
    pub(crate) fn forget_shape(&mut self, shape: ShapeId) {
        if shape.index() < self.fronts.len()
            && let Some(front) = self.fronts[shape].take()
        {
            assert!(front.heads.is_empty(), "a shape is forgotten after its jobs");
        }
    }

    /// Finds the best head of a front anew, and keeps the order of open fronts and the probes
    /// of failed ones right.
    fn rank(&mut self, shape: ShapeId) {
        let front = self.fronts[shape].as_mut().expect("a ranked front is there");
        if front.heads.is_empty() {
            // Nobody is left to try it when room is made, so nothing is known any more.
            front.failed = 0;
        }
        let first = front.heads.first().map(|(key, _)| *key);
        if first != front.first {
            if let Some(key) = front.first {
                self.heads.remove(&(key, shape));
            }
            if let Some(key) = first {
                self.heads.insert((key, shape));
            }
            front.first = first;
        }
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
        if let Some((moved, at)) = self.probes.update(shape, front) {
            self.front_mut(moved).moved(at);
        }
    }

    /// The best job to try next.
    pub(crate) fn best(&self) -> Option<(OrderKey, LineId, ShapeId)> {
        self.open.first().copied()
    }

    /// The best waiting job whether or not its shape has failed: the head that blocks all
    /// under a blocking policy.
    pub(crate) fn head(&self) -> Option<OrderKey> {
        self.heads.first().map(|(key, _)| *key)
    }

    /// The alternatives of a shape are others than before; `place` its lines afterwards.
    pub(crate) fn renew(&mut self, shape: ShapeId, demand: &Demand) {
        self.front_mut(shape).renew(demand);
        self.rank(shape);
    }

    /// Whether a shape has lines.
    pub(crate) fn has_front(&self, shape: ShapeId) -> bool {
        self.fronts[shape].is_some()
    }

    pub(crate) fn failed(&self, shape: ShapeId) -> u64 {
        self.fronts[shape].as_ref().map_or(0, |front| front.failed)
    }

    /// Remembers that alternatives of a shape did not fit.
    pub(crate) fn fail(&mut self, shape: ShapeId, alternatives: u64) {
        let front = self.front_mut(shape);
        if front.failed | alternatives != front.failed {
            front.failed |= alternatives;
            self.rank(shape);
        }
    }

    /// Lets alternatives of a shape be tried again.
    pub(crate) fn reopen(&mut self, shape: ShapeId, alternatives: u64) {
        self.front_mut(shape).failed &= !alternatives;
        self.rank(shape);
    }

    /// The probes of failed fronts, in no particular order.
    pub(crate) fn probes(&self) -> impl Iterator<Item = &Probe> {
        self.probes.iter()
    }

    /// The probe of a shape, if it has failed.
    pub(crate) fn probe(&self, shape: ShapeId) -> Option<&Probe> {
        self.fronts[shape].as_ref().and_then(|front| self.probes.of(front))
    }

    /// Failed fronts whose best head has changed since the last call.
    pub(crate) fn take_touched(&mut self) -> Vec<ShapeId> {
        self.probes.take_touched()
    }

    /// The best head of a shape that may start by one of the alternatives (as bits).
    pub(crate) fn best_of(&self, shape: ShapeId, alternatives: u64) -> Option<(OrderKey, LineId)> {
        let may =
            |(_, id): &&(OrderKey, LineId)| self.line(*id).standing.allowed & alternatives != 0;
        self.fronts[shape].as_ref()?.heads.iter().find(may).copied()
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

    /// Waiting jobs of all lines that wait longer than `since`.
    pub(crate) fn since_before(&self, since: (Time, JobId)) -> impl Iterator<Item = JobId> + '_ {
        let jobs = self.lines().flat_map(|(_, line)| line.by_age());
        jobs.filter(move |job| *job < since).map(|(_, job)| job)
    }

    /// All lines.
    pub(crate) fn lines(&self) -> impl Iterator<Item = (LineId, &Line)> {
        self.lines.iter().filter_map(|(id, line)| Some((id, line.as_ref()?)))
    }

    pub(crate) fn len(&self) -> usize {
        self.jobs
    }
}
