//! Why a job waits: the facts in its way, when it will probably and at the latest start, and
//! what would start it sooner.

use muster_model::{Dependency, JobId, MilliGpu, Name, NodeId, Time};

use crate::action::JobState;
use crate::dense::Key;
use crate::explain::measure::{self, Measure, Spot};
use crate::explain::{Why, alternatives, booked, pausing, size};
use crate::fairness::limits::What;
use crate::fairness::standing::{self, Blocking};
use crate::life::depend;
use crate::order;
use crate::place::{self, Search};
use crate::plan::estimate::{self, future};
use crate::plan::{claim, drain};
use crate::reason::{Reason, Resource};
use crate::snapshot::JobRecord;
use crate::state::State;
use crate::state::array::ArrayState;
use crate::state::shape::Shape;
use crate::transaction::Transaction;

/// Why a job is where it is; `None` for a job that is not known.
pub(crate) fn why(state: &mut State, id: JobId) -> Option<Why> {
    let job_state = state.jobs.get(id)?.record.state;
    let mut why = Why {
        job: id,
        state: job_state,
        reasons: Vec::new(),
        estimated_start: None,
        latest_start: None,
        alternatives: Vec::new(),
        size: size::size(state, id),
    };
    why.reasons = reasons(state, id);
    match job_state {
        JobState::Waiting => why.estimated_start = waiting_estimate(state, id),
        JobState::Queued | JobState::Paused => {
            (why.estimated_start, why.latest_start) =
                future::told(state, id, &why.reasons, |state| {
                    future::start_of(state, id).map(|start| start.at)
                });
            let is_made_room = matches!(why.reasons[0], Reason::Making { .. });
            let is_next = why.reasons[0] == Reason::Next;
            if job_state == JobState::Queued && !is_made_room && !is_next {
                why.alternatives =
                    claim::with_own_nodes(state, id, |state| alternatives::alternatives(state, id));
            }
        }
        _ => {}
    }
    Some(why)
}

/// What keeps a job from starting; nothing for one that does not wait.
pub(crate) fn reasons(state: &mut State, id: JobId) -> Vec<Reason> {
    match state.jobs.get(id).map(|job| job.record.state) {
        Some(JobState::Waiting) => waiting_reasons(state, id),
        Some(JobState::Queued) => pausing::queued(state, id),
        Some(JobState::Paused) => pausing::paused(state, id),
        Some(JobState::Pausing) => pausing::latest(state, id).into_iter().collect(),
        _ => Vec::new(),
    }
}

fn waiting_reasons(state: &State, id: JobId) -> Vec<Reason> {
    let record = &state.jobs.known(id).record;
    let mut reasons = Vec::new();
    if record.held {
        reasons.push(Reason::Held);
    }
    for dependency in &record.unmet {
        reasons.push(match dependency {
            Dependency::On(one) => Reason::Dependency { on: one.job, kind: one.kind, others: 0 },
            Dependency::AnyOf(several) => {
                let (first, others) = several.split_first().expect("any of one at least");
                let others = u32::try_from(others.len()).expect("dependencies are bounded");
                Reason::Dependency { on: first.job, kind: first.kind, others }
            }
            Dependency::Singleton => {
                let behind = depend::first_namesake(state, id).unwrap_or(id);
                Reason::Singleton { behind }
            }
        });
    }
    if record.not_before > state.now {
        reasons.push(if record.spec.timing.begin == Some(record.not_before) {
            Reason::BeginTime { at: record.not_before }
        } else {
            Reason::Pause { until: record.not_before, failures: record.launch_failures }
        });
    }
    reasons.extend(booked::unopened(state, record));
    if reasons.is_empty()
        && let Some(array) = full_array(state, record)
        && let Some(most) = array.record.throttle
    {
        reasons.push(Reason::Throttle { most });
    }
    if reasons.is_empty() {
        reasons.push(Reason::Next);
    }
    reasons
}

/// The array that keeps an element back because it has as many at work as it may.
fn full_array<'a>(state: &'a State, record: &JobRecord) -> Option<&'a ArrayState> {
    let (array, _) = record.element?;
    state.arrays.get(array).filter(|array| !array.has_room())
}

/// When what a waiting job waits for will probably have happened, where that can be told.
fn waiting_estimate(state: &State, id: JobId) -> Option<Time> {
    let record = &state.jobs.known(id).record;
    if record.held {
        return None;
    }
    let mut latest = record.not_before.max(state.now);
    if let Some(Reason::Unopened { opens, .. }) = booked::unopened(state, record) {
        latest = latest.max(opens?);
    }
    for dependency in &record.unmet {
        // A singleton names nobody, so that no end is the first.
        let ends = dependency.predecessors().iter().filter_map(|one| {
            let end = estimate::predicted_end(state, state.jobs.get(one.job)?)?;
            Some(end + one.delay)
        });
        latest = latest.max(ends.min()?);
    }
    match full_array(state, record) {
        Some(array) if latest == state.now => place_in_array(state, id, array),
        _ => Some(latest),
    }
}

/// When enough elements at work will have ended for one that the throttle keeps back.
fn place_in_array(state: &State, id: JobId, array: &ArrayState) -> Option<Time> {
    let elements = array.elements().filter_map(|element| state.jobs.get(element));
    let at_work = elements.filter(|element| element.admitted);
    let mut ends: Vec<Time> =
        at_work.filter_map(|element| estimate::predicted_end(state, element)).collect();
    ends.sort_unstable();
    let before = array.throttled.range(..id).count();
    ends.get(before + array.beyond()).copied()
}

/// What keeps a job in line from starting.
pub(crate) fn line_reasons(state: &mut State, id: JobId) -> Vec<Reason> {
    let job = state.jobs.known(id);
    let line = state.waiting.line(job.line.expect("a queued job is in a line"));
    let allowed = line.standing.allowed;
    if allowed == 0 {
        return vec![limit_reason(state, id, u64::MAX)];
    }
    if fits(state, id, allowed, false) {
        return vec![fitting_reason(state, id)];
    }
    if !state.floor.claims.is_empty() && fits(state, id, allowed, true) {
        let by = state.floor.claims.keys().find(|&&claimer| claimer != id);
        return vec![by.map_or(Reason::Next, |&by| Reason::Claimed { by })];
    }
    if let Some(booked) = booked::in_the_way(state, id, allowed) {
        return vec![booked];
    }
    room_reasons(state, id, allowed)
}

/// Whether a job would fit now, with or without the nodes that are held for others.
pub(crate) fn fits(state: &mut State, id: JobId, allowed: u64, with_claimed: bool) -> bool {
    let node_depth = state.catalog.node_depth();
    let shape = state.shapes.get(state.jobs.known(id).line_shape());
    let mut transaction = Transaction::new(&mut state.capacity);
    for (claimer, claim) in &state.floor.claims {
        if with_claimed || *claimer == id {
            claim.nodes.iter().for_each(|&node| transaction.unclaim(node));
        }
    }
    place::place(&mut transaction, shape, allowed, node_depth).is_some()
}

/// Why a job that would fit has not started: someone blocks, or its turn comes next.
fn fitting_reason(state: &State, id: JobId) -> Reason {
    blocking_head(state, id).map_or(Reason::Next, |head| Reason::Behind { head })
}

/// The job that nobody may pass, unless it is this one or the policy has no such job.
pub(crate) fn blocking_head(state: &State, id: JobId) -> Option<JobId> {
    if !order::rule(state.catalog.policy()).head_blocks {
        return None;
    }
    state.waiting.head().map(|head| head.job).filter(|head| *head != id)
}

/// The limit in the way of the first of the given alternatives (as bits), or that there is none.
fn limit_reason(state: &State, id: JobId, alternatives: u64) -> Reason {
    let job = state.jobs.known(id);
    // What a suspended job takes again may be more than it asks for at least.
    let demand = &state.shapes.get(job.line_shape()).demand;
    let Some(first) = demand.alternatives.get(alternatives.trailing_zeros() as usize) else {
        return Reason::Impossible { tasks: demand.tasks(), most: 0, nodes: 0 };
    };
    let blocking = standing::blocking(&state.capacity.queues, job.queue, job.user, &first.charge)
        .expect("an alternative that may not start is at a limit");
    let Blocking { queue, per_user, exceeded } = blocking;
    let queue = state.catalog.spec.queues[queue.index()].name.clone();
    let resource = match exceeded.what {
        What::Gpus => Resource::Gpus,
        What::GpusOf(model) => {
            let name = state.catalog.model_name(model).cloned();
            name.map_or(Resource::Gpus, Resource::GpusOf)
        }
        What::Cpus => Resource::Cpus,
        What::Memory => Resource::Memory,
    };
    let (limit, used, wanted) = (exceeded.limit, exceeded.used, exceeded.wanted);
    if per_user {
        let user = job.record.spec.user.clone();
        Reason::UserLimit { user, queue, resource, limit, used, wanted }
    } else {
        Reason::QueueLimit { queue, resource, limit, used, wanted }
    }
}

/// What is missing, for the alternative that comes closest.
fn room_reasons(state: &mut State, id: JobId, allowed: u64) -> Vec<Reason> {
    let shape = state.shapes.get(state.jobs.known(id).shape);
    let demand = &shape.demand;
    let missing = missing(state, shape);
    let possible = (missing.iter().enumerate())
        .filter(|(_, missing)| **missing == 0)
        .fold(0, |bits: u64, (index, _)| bits | 1 << index);
    if possible == 0 {
        let impossible = impossible(state, shape, &missing);
        return vec![booked::take_all(state, id).unwrap_or(impossible)];
    }
    if possible & allowed == 0 {
        return vec![limit_reason(state, id, possible)];
    }
    let closest = (0..demand.alternatives.len())
        .filter(|index| (possible & allowed) >> index & 1 == 1)
        .map(|index| measure_of(state, shape, index))
        .max_by_key(|measure| measure.best.1)
        .expect("there is an alternative that is possible and allowed");
    short_of(state, shape, &closest)
}

/// What is missing for one alternative of a job that does not fit; nothing is said of one that the
/// nodes there are could not hold if they were empty.
pub(crate) fn missing_for(state: &State, shape: &Shape, alternative: usize) -> Vec<Reason> {
    let node_depth = state.catalog.node_depth();
    match drain::missing(&state.capacity, shape, 1u64 << alternative, node_depth) {
        0 => short_of(state, shape, &measure_of(state, shape, alternative)),
        _ => Vec::new(),
    }
}

/// What is missing, by how much fits.
fn short_of(state: &State, shape: &Shape, closest: &Measure) -> Vec<Reason> {
    let demand = &shape.demand;
    let (tasks, fit) = (closest.tasks, closest.fit);
    let mut reasons = Vec::new();
    if closest.gpus_free < closest.gpus_wanted {
        reasons.push(Reason::Gpus { wanted: closest.gpus_wanted, free: closest.gpus_free });
    } else if let Some(share) = closest.share.filter(|_| closest.fit_by_gpus < tasks) {
        reasons.push(share_reason(state, share, (tasks, closest.fit_by_gpus)));
    } else if closest.fit_by_gpus < tasks {
        reasons.push(Reason::Fragments {
            tasks,
            fit: closest.fit_by_gpus,
            free: closest.gpus_free,
        });
    } else if fit < tasks {
        let fit_by_gpus = if closest.uses_gpus { closest.fit_by_gpus } else { 0 };
        reasons.push(Reason::HostResources { tasks, fit, fit_by_gpus });
    }
    // If nothing else is short, each group would fit alone, but not all of them together.
    let together = reasons.is_empty();
    if (closest.best.1 < tasks || together)
        && let Some(level) = state.catalog.level_at(demand.require)
    {
        let domain = names(state, closest.best.0);
        let tasks = if together { demand.tasks() } else { tasks };
        reasons.push(Reason::Level { level, tasks, fit: closest.best.1, domain });
    }
    if reasons.is_empty() {
        reasons.push(Reason::Fragments { tasks: demand.tasks(), fit, free: closest.gpus_free });
    }
    reasons
}

/// That parts of GPUs are missing: how large they are, and the largest that is free.
fn share_reason(
    state: &State,
    (wanted, largest): (u32, Option<(u32, NodeId)>),
    (tasks, fit): (u32, u32),
) -> Reason {
    let milli = |milli: u32| MilliGpu(u64::from(milli));
    Reason::Share {
        wanted: milli(wanted),
        largest: milli(largest.map_or(0, |(largest, _)| largest)),
        node: largest.map(|(_, node)| state.capacity.nodes[node].spec.name.clone()),
        tasks,
        fit,
    }
}

/// How many tasks the nodes there are could not hold even if empty, by alternative.
fn missing(state: &State, shape: &Shape) -> Vec<u32> {
    let node_depth = state.catalog.node_depth();
    let alternatives = 0..shape.demand.alternatives.len();
    let missing = |index| drain::missing(&state.capacity, shape, 1u64 << index, node_depth);
    alternatives.map(missing).collect()
}

fn impossible(state: &State, shape: &Shape, missing: &[u32]) -> Reason {
    let tasks = shape.demand.tasks();
    let least = missing.iter().enumerate().min_by_key(|(_, missing)| **missing);
    let (index, missing) = least.expect("an allowed job has an alternative");
    let nodes = measure_of(state, shape, index).nodes;
    Reason::Impossible { tasks, most: tasks - missing, nodes }
}

fn measure_of(state: &State, shape: &Shape, alternative: usize) -> Measure {
    let demand = &shape.demand;
    let eligible = shape.eligible.last().map(|(_, set)| set);
    let models = &demand.alternatives[alternative].models;
    let node_depth = state.catalog.node_depth();
    let terms = state.capacity.terms(shape);
    let search = Search { demand, models, eligible, avoid: None, terms, node_depth };
    measure::measure(&state.capacity, &search)
}

/// The narrowest domain that holds some nodes, from the widest level down.
pub(crate) fn around(state: &State, nodes: impl Iterator<Item = NodeId>) -> Vec<Name> {
    let paths = nodes.map(|node| state.capacity.topology.path(state.capacity.nodes[node].leaf));
    let shared = |one: Vec<Name>, other: Vec<Name>| {
        let both = one.into_iter().zip(other);
        both.take_while(|(one, other)| one == other).map(|(name, _)| name).collect()
    };
    paths.reduce(shared).unwrap_or_default()
}

fn names(state: &State, spot: Spot) -> Vec<Name> {
    let topology = &state.capacity.topology;
    match spot {
        Spot::Domain(domain) => topology.path(domain),
        Spot::Node(node) => {
            let node = &state.capacity.nodes[node];
            let mut path = topology.path(node.leaf);
            path.push(node.spec.name.clone());
            path
        }
    }
}
