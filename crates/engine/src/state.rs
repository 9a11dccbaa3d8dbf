//! Everything the engine knows, as the parts that change together.
//!
//! `Capacity` is what a trial transaction may touch: nodes, the topology index and the queues'
//! charges. All the rest changes only for good.

pub(crate) mod array;
pub(crate) mod booking;
pub(crate) mod bucket;
pub(crate) mod capacity;
pub(crate) mod catalog;
pub(crate) mod counting;
pub(crate) mod demand;
pub(crate) mod domain;
pub(crate) mod elastic;
pub(crate) mod eligible;
pub(crate) mod few;
pub(crate) mod floor;
pub(crate) mod front;
pub(crate) mod group;
pub(crate) mod hazard;
pub(crate) mod job;
pub(crate) mod lease;
pub(crate) mod line;
pub(crate) mod mix;
pub(crate) mod moving;
pub(crate) mod need;
pub(crate) mod node;
pub(crate) mod plan;
pub(crate) mod queue;
pub(crate) mod shape;
pub(crate) mod shared;
pub(crate) mod timer;
pub(crate) mod topology;
pub(crate) mod waiting;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use muster_model::{ClusterSpec, JobId, JobSpec, Millis, Name, Rung, Time};
use rustc_hash::FxHashMap;

use crate::action::Action;
use crate::dense::{ClassId, ShapeId, UserId};
use crate::engine::Tuning;
use crate::order;
use crate::snapshot::{JobRecord, RestRecord};
use crate::state::array::Arrays;
use crate::state::booking::Stay;
use crate::state::capacity::Capacity;
use crate::state::catalog::Catalog;
use crate::state::elastic::ElasticJobs;
use crate::state::floor::Floor;
use crate::state::job::{Job, Jobs};
use crate::state::lease::Leases;
use crate::state::moving::Moves;
use crate::state::plan::Plans;
use crate::state::shape::Shapes;
use crate::state::timer::Timers;
use crate::state::waiting::Waiting;

/// The whole state.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub(crate) tuning: Tuning,
    pub(crate) now: Time,
    pub(crate) next_job: JobId,
    pub(crate) catalog: Catalog,
    pub(crate) capacity: Capacity,
    pub(crate) jobs: Jobs,
    pub(crate) arrays: Arrays,
    pub(crate) shapes: Shapes,
    pub(crate) waiting: Waiting,
    pub(crate) floor: Floor,
    pub(crate) elastic: ElasticJobs,
    pub(crate) plans: Plans,
    pub(crate) moves: Moves,
    /// Heads of lines that have yet to look for someone to take the place of.
    pub(crate) seekers: BTreeSet<JobId>,
    /// Those that looked in vain, and when they may again.
    pub(crate) rests: BTreeMap<JobId, RestRecord>,
    pub(crate) timers: Timers,
    pub(crate) leases: Leases,
    /// Queued jobs that lost a node and get their old place back before anyone else is served.
    pub(crate) repairs: BTreeSet<JobId>,
    /// Users by name; numbers are given in the order of first submission.
    pub(crate) users: FxHashMap<Name, UserId>,
    /// Jobs that are not over, by user and name: what `singleton` looks at.
    pub(crate) namesakes: FxHashMap<(Name, Name), BTreeSet<JobId>>,
    /// Jobs waiting for a job or array to get somewhere.
    pub(crate) dependents: FxHashMap<JobId, Vec<JobId>>,
    /// Jobs that have started or ended, whose dependents have not been told yet.
    pub(crate) news: VecDeque<JobId>,
    /// Something changed that may let a job start.
    pub(crate) pass_due: bool,
    /// When fair shares were refreshed last.
    pub(crate) last_refresh: Time,
    /// The queue whose fair share is refreshed next.
    pub(crate) refresh_next: u32,
    /// What follows from the current step.
    pub(crate) actions: Vec<Action>,
}

impl State {
    pub(crate) fn new(cluster: ClusterSpec, tuning: Tuning) -> State {
        let catalog = Catalog::new(cluster);
        State {
            tuning,
            now: Time(0),
            next_job: JobId(1),
            capacity: Capacity::new(&catalog),
            catalog,
            jobs: Jobs::default(),
            arrays: Arrays::default(),
            shapes: Shapes::new(),
            waiting: Waiting::new(),
            floor: Floor::default(),
            elastic: ElasticJobs::default(),
            plans: Plans::default(),
            moves: Moves::default(),
            seekers: BTreeSet::new(),
            rests: BTreeMap::new(),
            timers: Timers::default(),
            leases: Leases::default(),
            repairs: BTreeSet::new(),
            users: FxHashMap::default(),
            namesakes: FxHashMap::default(),
            dependents: FxHashMap::default(),
            news: VecDeque::new(),
            pass_due: false,
            last_refresh: Time(0),
            refresh_next: 0,
            actions: Vec::new(),
        }
    }

    /// Time goes on, and never back.
    pub(crate) fn set_now(&mut self, now: Time) {
        self.now = self.now.max(now);
        self.capacity.now = self.now;
    }

    /// Whether a step has come to anything so far that others may care about.
    pub(crate) fn has_changed(&self) -> bool {
        let is_news = |action: &Action| !matches!(action, Action::Rejected { .. });
        self.pass_due || !self.capacity.freed.is_empty() || self.actions.iter().any(is_news)
    }

    /// A job with the names in its record resolved; they were validated.
    pub(crate) fn resolve(&mut self, record: JobRecord) -> Job {
        let spec = Arc::clone(&record.spec);
        let catalog = &self.catalog;
        let queue = catalog.queue(&spec.queue).expect("queues were validated");
        let class = catalog.class(&spec.class).expect("classes were validated");
        let limit = self.limit(&spec);
        let stay = self.stay(&spec, class, limit);
        let shape = self.shapes.intern(&spec, stay, &self.catalog, &self.capacity);
        let user = self.user(&spec.user);
        Job::new(record, shape, queue, class, user, limit)
    }

    /// How long one attempt of a job may run.
    pub(crate) fn limit(&self, spec: &JobSpec) -> Millis {
        let policy = self.catalog.policy();
        let class = self.catalog.class(&spec.class).expect("classes were validated");
        let class_limit = self.catalog.class_spec(class).limit_default;
        let limit = (spec.timing.limit.or(class_limit)).unwrap_or(policy.limit_max);
        limit.min(policy.limit_max)
    }

    /// How long jobs of a kind may stay, as far as shapes are told apart by it.
    pub(crate) fn stay(&self, spec: &JobSpec, class: ClassId, limit: Millis) -> Stay {
        let policy = self.catalog.policy();
        if !self.capacity.bookings.tell_apart() {
            return Stay::Limit(policy.limit_max);
        }
        let may_pause = policy.pausing.on && order::rule(policy).pauses.is_some();
        let is_filler = self.catalog.class_spec(class).filler && spec.requeue.when_lost;
        let may_end = spec.checkpoint.rungs.iter().any(|cost| cost.rung == Rung::Requeue);
        if may_pause && (is_filler || may_end) { Stay::Yields } else { Stay::rounded(limit) }
    }

    /// Lets go of a shape, and when nobody has it any more of all that was remembered of it.
    pub(crate) fn release_shape(&mut self, shape: ShapeId) {
        if self.shapes.release(shape) {
            self.waiting.forget_shape(shape);
            self.floor.forget_shape(shape);
        }
    }

    /// The number of a user, given at first sight.
    pub(crate) fn user(&mut self, name: &Name) -> UserId {
        if let Some(user) = self.users.get(name) {
            return *user;
        }
        let user = UserId(u32::try_from(self.users.len()).expect("fewer users than 2^32"));
        self.users.insert(name.clone(), user);
        user
    }
}
