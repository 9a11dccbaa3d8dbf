//! Turns of waiting jobs, on trial, and how long what runs will probably go on. When who starts is
//! foreseen from both in `estimate/future.rs`.

pub(crate) mod future;
pub(crate) mod outlook;

use std::collections::{BTreeMap, BTreeSet};

use muster_model::{JobId, Millis, NodeId, Time};

use crate::action::TaskPlace;
use crate::dense::LineId;
use crate::elastic::size::{self, Range};
use crate::elastic::work;
use crate::fairness::standing::{self, Standing};
use crate::life::queueing;
use crate::order::{self, Rule};
use crate::place::{self, Placed};
use crate::plan::remaining::{self, Quantile};
use crate::snapshot::RunRecord;
use crate::state::State;
use crate::state::catalog::Catalog;
use crate::state::floor::Claim;
use crate::state::job::{Job, Jobs};
use crate::state::line::OrderKey;
use crate::state::shape::Shapes;
use crate::state::waiting::Waiting;
use crate::transaction::Transaction;

/// With more lines than this in front that do not fit, whose turn comes when is not foreseen.
const VAIN_MAX: usize = 256;

/// Where the next to have a turn comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Source {
    Line(LineId),
    /// A job that would be queued, with its key.
    Newcomer(JobId, i64),
}

/// Turns of waiting jobs, on trial.
#[derive(Debug)]
pub(crate) struct Trial<'a> {
    transaction: Transaction<'a>,
    catalog: &'a Catalog,
    rule: &'static Rule,
    jobs: &'a Jobs,
    shapes: &'a Shapes,
    waiting: &'a Waiting,
    claims: &'a BTreeMap<JobId, Claim>,
    sources: Vec<Source>,
    /// Who has been let in, and where.
    inside: BTreeMap<JobId, Placed>,
}

impl<'a> Trial<'a> {
    pub(crate) fn new(state: &'a mut State) -> Trial<'a> {
        Trial {
            transaction: Transaction::new(&mut state.capacity),
            catalog: &state.catalog,
            rule: order::rule(state.catalog.policy()),
            jobs: &state.jobs,
            shapes: &state.shapes,
            waiting: &state.waiting,
            claims: &state.floor.claims,
            sources: state.waiting.lines().map(|(id, _)| Source::Line(id)).collect(),
            inside: BTreeMap::new(),
        }
    }

    /// Gives everyone who comes before a job a turn, as a pass would, then the job itself;
    /// whether it is let in.
    pub(crate) fn gets_its_turn(&mut self, id: JobId) -> bool {
        // The floor comes first: those it holds nodes for.
        let claims = self.claims;
        for &claimer in claims.keys() {
            let is_in = self.inside.contains_key(&claimer) || self.let_in(claimer);
            if claimer == id {
                return is_in;
            }
        }
        let own = self.jobs.known(id).line.map(Source::Line);
        let mut heads: BTreeSet<(OrderKey, Source)> =
            self.sources.iter().filter_map(|&source| self.head(source)).collect();
        let mut vain = 0;
        while let Some((key, source)) = heads.pop_first() {
            if key >= self.place_of(id) {
                break;
            }
            let head = self.head(source);
            if head != Some((key, source)) {
                // Those let in since have changed its standing.
                heads.extend(head);
            } else if self.let_in(key.job) {
                heads.extend(self.head(source));
            } else {
                vain += 1;
                // One of a line speaks for all of it.
                if self.rule.head_blocks || Some(source) == own || vain > VAIN_MAX {
                    return false;
                }
            }
        }
        self.let_in(id)
    }

    /// A job enters the lines just now, with a key.
    pub(crate) fn enter(&mut self, newcomer: JobId, key: i64) {
        self.sources.push(Source::Newcomer(newcomer, key));
    }

    /// Whether a job would fit if it were its turn.
    pub(crate) fn fits(&mut self, id: JobId) -> bool {
        let mark = self.transaction.mark();
        let fits = self.place(id).is_some();
        self.transaction.roll_back(mark);
        fits
    }

    /// A job that runs or was let in ends and gives back what it holds; on which nodes.
    pub(crate) fn end(&mut self, id: JobId) -> Vec<NodeId> {
        let job = self.jobs.known(id);
        let demand = &self.shapes.get(job.line_shape()).demand;
        let held = |task: &TaskPlace| demand.groups[usize::from(task.group)].held(task);
        let mut freed = Vec::new();
        if let Some(placed) = self.inside.get(&id) {
            for (node, task) in &placed.tasks {
                self.transaction.give_back(*node, held(task));
                freed.push(*node);
            }
            let charge = &demand.alternatives[placed.alternative].charge;
            self.transaction.refund(job.queue, job.user, charge);
        } else if let Some(run) = &job.record.run {
            for node in &run.nodes {
                for task in &node.tasks {
                    self.transaction.give_back(node.node, held(task));
                }
                freed.push(node.node);
            }
            let charge = self.transaction.capacity().charge_of(run, demand);
            self.transaction.refund(job.queue, job.user, &charge);
        }
        freed.dedup();
        freed
    }

    fn let_in(&mut self, id: JobId) -> bool {
        let Some(placed) = self.place(id) else { return false };
        let job = self.jobs.known(id);
        let charge =
            &self.shapes.get(job.line_shape()).demand.alternatives[placed.alternative].charge;
        self.transaction.charge(job.queue, job.user, charge);
        self.inside.insert(id, placed);
        true
    }

    /// Places a job, limits and all; the nodes held for it are its own.
    fn place(&mut self, id: JobId) -> Option<Placed> {
        let allowed = self.standing(id).allowed;
        let shape = self.shapes.get(self.jobs.known(id).line_shape());
        let mark = self.transaction.mark();
        let own_nodes = self.claims.get(&id).into_iter().flat_map(|claim| &claim.nodes);
        own_nodes.for_each(|&node| self.transaction.unclaim(node));
        let node_depth = self.catalog.node_depth();
        let placed = place::place(&mut self.transaction, shape, allowed, node_depth);
        if placed.is_none() {
            self.transaction.roll_back(mark);
        }
        placed
    }

    /// The next of a source, with its own key.
    fn next_of(&self, source: Source) -> Option<(JobId, i64)> {
        let waits = |job: &JobId| !self.inside.contains_key(job);
        match source {
            Source::Line(id) => {
                let (key, job) = self.waiting.line(id).jobs().find(|(_, job)| waits(job))?;
                Some((job, key))
            }
            Source::Newcomer(job, key) => waits(&job).then_some((job, key)),
        }
    }

    /// The next of a source in the order, if its queue lets it start as things stand now.
    fn head(&self, source: Source) -> Option<(OrderKey, Source)> {
        let (job, key) = self.next_of(source)?;
        let standing = self.standing(job);
        (standing.allowed != 0).then(|| (self.order_key(job, key, standing), source))
    }

    /// Where a job stands in the order now, whether or not it may start.
    fn place_of(&self, id: JobId) -> OrderKey {
        self.order_key(id, self.jobs.known(id).record.key, self.standing(id))
    }

    fn order_key(&self, id: JobId, key: i64, standing: Standing) -> OrderKey {
        let job = self.jobs.known(id);
        let tier = order::tier(standing.guaranteed, self.catalog.class_rank(job.class));
        let queue = &self.transaction.capacity().queues[job.queue];
        let offset = if self.rule.fair_share { queue.fair_share } else { 0 };
        OrderKey { tier, key: key - offset, job: id }
    }

    fn standing(&self, id: JobId) -> Standing {
        let job = self.jobs.known(id);
        let queues = &self.transaction.capacity().queues;
        let class = self.catalog.class_spec(job.class);
        let shape = self.shapes.get(job.line_shape());
        standing::standing(queues, job.queue, job.user, class.guaranteed, shape)
    }
}

/// The predicted ends of all jobs that hold something, soonest first.
pub(crate) fn predicted_ends(state: &State) -> Vec<(Time, JobId)> {
    let mut ends: Vec<(Time, JobId)> = (state.jobs.ids().into_iter())
        .filter_map(|job| Some((predicted_end(state, state.jobs.known(job))?, job)))
        .collect();
    ends.sort_unstable();
    ends
}

/// How long a job that has not started will probably run.
fn expected_length(catalog: &Catalog, job: &Job) -> Millis {
    let default = catalog.policy().estimate_default;
    job.record.estimate.map_or(default, |estimate| estimate.median).min(job.limit)
}

/// How much longer a job will probably compute, by the median of what is left of its
/// distribution.
pub(crate) fn expected_left(state: &State, job: &Job) -> Millis {
    if let Some(left) = left_by_work(state, job) {
        return left.min(job.limit.saturating_sub(job.computed(state.now)));
    }
    let attained = job.attained(state.now);
    let median = queueing::facts(state, job).estimate.median;
    if attained < median {
        // As long as all goes as predicted, the prediction stands.
        let of_attempt = job.limit.saturating_sub(job.computed(state.now));
        return Millis(median.0 - attained.0).min(of_attempt);
    }
    left(state, job, Quantile::Half)
}

/// How much longer a job computes at most, for so many of its kind.
pub(crate) fn left(state: &State, job: &Job, quantile: Quantile) -> Millis {
    let estimate = queueing::facts(state, job).estimate;
    let of_attempt = job.limit.saturating_sub(job.computed(state.now));
    if let Some((range, run)) = elastic_run(job) {
        let done = work::done(job, run, state.now);
        let work = remaining::remaining(estimate, done, quantile);
        return work::time_at(job, &range, size::computing(job), work).min(of_attempt);
    }
    remaining::remaining(estimate, job.attained(state.now), quantile).min(of_attempt)
}

/// The same by the work that is left, for a job that has told of it or whose size says how fast it
/// is done.
fn left_by_work(state: &State, job: &Job) -> Option<Millis> {
    let run = job.record.run.as_deref()?;
    let has_told = job.record.learned.as_ref().is_some_and(|learned| learned.work.is_some());
    let work = || work::left(job, run, state.now, state.catalog.policy().estimate_default);
    match elastic_run(job) {
        Some((range, _)) => Some(work::time_at(job, &range, size::computing(job), work())),
        None => has_told.then(work),
    }
}

/// The attempt of a job whose size changes how long it takes.
fn elastic_run(job: &Job) -> Option<(Range, &RunRecord)> {
    let run = job.record.run.as_deref().filter(|run| run.elastic.is_some())?;
    Some((size::range(job)?, run))
}

/// When a job that holds something will probably have ended.
pub(crate) fn predicted_end(state: &State, job: &Job) -> Option<Time> {
    let run = job.record.run.as_ref().filter(|_| !job.is_suspended())?;
    let policy = state.catalog.policy();
    if run.then.is_some() {
        return Some(state.now + policy.stop_grace);
    }
    Some(state.now + expected_left(state, job))
}
