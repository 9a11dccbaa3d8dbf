//! State to plain data and back. A snapshot holds facts; every index is built anew from them,
//! and nothing that is built depends on the order in which it came about.

use muster_model::{Invalid, Isolation, JobId, NodeId, Rung};

use crate::action::JobState;
use crate::dense::{Key, QueueId};
use crate::elastic::index;
use crate::engine::Tuning;
use crate::fairness::decay::Usage;
use crate::life::{depend, late, launch, queueing};
use crate::pause::{exposure, hold, ladder, moved, rest, suspend};
use crate::plan::{booking, expect, loan};
use crate::snapshot::{
    ClaimRecord, FreeCount, JobRecord, NodeRecord, PauseRun, SNAPSHOT_VERSION, SharedCount, Sight,
    Snapshot, UsageRecord,
};
use crate::state::State;
use crate::state::floor::Claim;
use crate::state::job::Job;
use crate::state::mix::Mix;
use crate::state::node::Node;
use crate::state::timer::Timer;

/// The whole state as plain data.
pub(crate) fn snapshot(state: &State) -> Snapshot {
    let nodes = state.capacity.nodes.iter().map(|(id, node)| node_record(id, node));
    let claims = state.floor.claims.iter().map(|(&job, claim)| ClaimRecord {
        job,
        nodes: claim.nodes.clone(),
        since: claim.since,
        reserved: claim.reserved,
    });
    let jobs = state.jobs.ids().into_iter().map(|id| state.jobs.known(id).record.clone());
    let queues = state.capacity.queues.iter();
    Snapshot {
        version: SNAPSHOT_VERSION,
        now: state.now,
        cluster: state.catalog.spec.clone(),
        next_job: state.next_job,
        jobs: jobs.collect(),
        arrays: state.arrays.arrays.values().map(|array| array.record.clone()).collect(),
        nodes: nodes.collect(),
        usage_whole: usage_record(&state.capacity.whole, 0),
        usage: queues.map(|(_, queue)| usage_record(&queue.usage, queue.fair_share)).collect(),
        refresh_next: state.refresh_next,
        pass_due: state.pass_due,
        last_refresh: state.last_refresh,
        claims: claims.collect(),
        mix: state.capacity.mix.kinds().to_vec(),
        floor_debt: state.floor.debt,
        reserve_after: state.floor.reserve_after,
        hopeless: state.floor.hopeless.iter().map(|(job, until)| (*job, *until)).collect(),
        lend_due: state.floor.lend_due,
        late: state.floor.late.iter().copied().collect(),
        plans: state.plans.plans.values().map(|plan| plan.record.clone()).collect(),
        moves: state.moves.moves.values().cloned().collect(),
        defragmentation: state.moves.record(),
        seekers: state.seekers.iter().copied().collect(),
        rests: state.rests.values().copied().collect(),
        hazard: state.capacity.hazards.whole,
        hazard_since: state.capacity.hazards.since,
        bookings: state.capacity.bookings.iter().map(|(_, booked)| booked.record.clone()).collect(),
        bookings_made: state.capacity.bookings.made,
        grow_next: state.elastic.grow_next,
    }
}

/// One node as plain data.
pub(crate) fn node_record(id: NodeId, node: &Node) -> NodeRecord {
    NodeRecord {
        id,
        spec: node.spec.clone(),
        sight: node.sight,
        drained: node.drained,
        unhealthy: node.unhealthy,
        rests_until: node.rests_until,
        refusals: node.refusals,
        hazard: node.hazard,
    }
}

fn usage_record(usage: &Usage, fair_share: i64) -> UsageRecord {
    UsageRecord {
        decayed: usage.decayed,
        total: usage.total,
        counted: usage.counted,
        faded: usage.faded,
        fair_share,
    }
}

fn usage(record: &UsageRecord) -> Usage {
    Usage {
        decayed: record.decayed,
        total: record.total,
        counted: record.counted,
        faded: record.faded,
        // Running jobs raise it again as they are restored.
        rate: 0,
    }
}

/// The state a snapshot was taken of.
pub(crate) fn restore(snapshot: Snapshot, tuning: Tuning) -> Result<State, Vec<Invalid>> {
    if snapshot.version != SNAPSHOT_VERSION {
        let allowed = format!("expected version {SNAPSHOT_VERSION}; restore with that release");
        return Err(vec![Invalid::new("version", snapshot.version.to_string(), allowed)]);
    }
    snapshot.cluster.validate()?;
    let mut state = State::new(snapshot.cluster, tuning);
    state.set_now(snapshot.now);
    state.next_job = snapshot.next_job;
    state.refresh_next = snapshot.refresh_next;
    state.last_refresh = snapshot.last_refresh;
    state.capacity.mix = Mix::new(snapshot.mix);
    state.capacity.whole = usage(&snapshot.usage_whole);
    for (index, record) in snapshot.usage.iter().enumerate() {
        let queue = &mut state.capacity.queues[QueueId::from_index(index)];
        queue.usage = usage(record);
        queue.fair_share = record.fair_share;
    }
    booking::restore(&mut state, snapshot.bookings, snapshot.bookings_made);
    for record in &snapshot.nodes {
        restore_node(&mut state, record);
    }
    state.capacity.hazards.whole = snapshot.hazard;
    state.capacity.hazards.since = snapshot.hazard_since;
    for record in snapshot.arrays {
        state.arrays.add(record);
    }
    let ids: Vec<JobId> = snapshot.jobs.iter().map(|record| record.id).collect();
    for record in snapshot.jobs {
        restore_job(&mut state, record);
    }
    for claim in snapshot.claims {
        restore_claim(&mut state, claim);
    }
    state.elastic.grow_next = snapshot.grow_next;
    for plan in snapshot.plans {
        hold::restore(&mut state, plan);
    }
    for record in snapshot.moves {
        moved::begin(&mut state, record);
    }
    state.moves.restore(snapshot.defragmentation);
    for id in ids {
        restore_waiting(&mut state, id);
    }
    for index in 0..state.capacity.nodes.len() {
        state.capacity.recount(muster_model::NodeId::from_index(index));
    }
    // Shapes that had failed are open again; looking at them once more changes nothing.
    state.capacity.freed.clear();
    state.floor.debt = snapshot.floor_debt;
    state.floor.reserve_after = snapshot.reserve_after;
    state.floor.hopeless = snapshot.hopeless.into_iter().collect();
    state.floor.lend_due = snapshot.lend_due;
    state.floor.late = snapshot.late.into_iter().collect();
    state.seekers = snapshot.seekers.into_iter().collect();
    snapshot.rests.into_iter().for_each(|rest| rest::restore(&mut state, rest));
    state.pass_due = snapshot.pass_due;
    Ok(state)
}

fn restore_node(state: &mut State, record: &NodeRecord) {
    let id = state.capacity.add_node(record.spec.clone(), &state.catalog);
    state.shapes.node_changed(id, &record.spec, &state.capacity);
    let node = &mut state.capacity.nodes[id];
    node.sight = record.sight;
    node.drained = record.drained;
    node.unhealthy = record.unhealthy;
    node.rests_until = record.rests_until;
    node.refusals = record.refusals;
    node.hazard = record.hazard;
    let half_life = state.catalog.policy().failures.hazard_half_life;
    state.capacity.hazards.suspect(&state.capacity.nodes[id], half_life);
    if let Sight::Unknown { lease_ends } = record.sight {
        state.leases.run(id, lease_ends, &mut state.timers);
    }
    if record.rests_until.0 > 0 {
        state.timers.set(record.rests_until, Timer::Rested(id));
    }
}

fn restore_job(state: &mut State, record: JobRecord) {
    let id = record.id;
    if let JobState::Ended(_) = record.state {
        let ended = record.ended.expect("an ended job has its end");
        state.jobs.ended.insert((ended, id));
        let job = Job::over(record);
        state.jobs.add(job);
        return;
    }
    let mut job = state.resolve(record);
    let in_place = !matches!(job.record.state, JobState::Waiting);
    job.admitted = job.record.element.is_some() && in_place;
    job.recount_reports();
    state.jobs.add(job);
    queueing::list(state, id);
    late::watch(state, id);
    restore_run(state, id);
}

/// Takes and charges again what a placed job holds, and sets its timers.
fn restore_run(state: &mut State, id: JobId) {
    let timeout = state.catalog.policy().launch_timeout;
    let job = state.jobs.known(id);
    let Some(run) = &job.record.run else { return };
    if is_suspended(&job.record) {
        restore_suspended(state, id);
        restore_elastic(state, id, timeout);
        return;
    }
    let demand = &state.shapes.get(job.shape).demand;
    for node in &run.nodes {
        for task in &node.tasks {
            let held = demand.groups[usize::from(task.group)].held(task);
            state.capacity.take(node.node, held);
        }
        state.capacity.nodes[node.node].add_run(id, run.until);
    }
    let charge = state.capacity.charge_of(run, demand);
    state.capacity.charge(job.queue, job.user, &charge);
    state.capacity.restore_rate(job.queue, run.rate);
    if let Some(until) = run.floor_until {
        state.floor.gpus_in_use += demand.size();
        state.timers.set(until, Timer::Quantum(id));
    }
    if let Some(pause) = run.pause.as_deref().copied() {
        restore_pause(state, id, pause);
    }
    exposure::restore(state, id);
    expect::restore(state, id);
    let job = state.jobs.known(id);
    let run = job.record.run.as_ref().expect("it was just there");
    match job.record.state {
        JobState::Launching => state.timers.set(run.placed + timeout, Timer::Unconfirmed(id)),
        JobState::Running | JobState::Pausing => launch::set_limit_timers(state, id),
        _ => {}
    }
    restore_elastic(state, id, timeout);
}

/// Sets the timers of an elastic job and lists it where it belongs.
fn restore_elastic(state: &mut State, id: JobId, timeout: muster_model::Millis) {
    let run = state.jobs.known(id).record.run.as_ref();
    let Some(elastic) = run.and_then(|run| run.elastic.as_ref()) else { return };
    if let Some(at) = elastic.grow_at {
        state.timers.set(at, Timer::Grow(id));
    }
    if let Some(resize) = elastic.resize.as_ref().filter(|resize| resize.to > resize.from) {
        state.timers.set(resize.since + timeout, Timer::Unresized(id));
    }
    loan::restore(state, id);
    index::list(state, id);
}

/// Whether an attempt holds no more than host memory: suspended, or stopped while it was.
fn is_suspended(record: &JobRecord) -> bool {
    record.run.as_ref().is_some_and(|run| run.is_suspended)
}

/// Puts a suspended job's state back into host memory, and pins it to its place.
fn restore_suspended(state: &mut State, id: JobId) {
    suspend::set_aside(state, id);
    let job = state.jobs.known(id);
    let run = job.record.run.as_ref().expect("a suspended job has an attempt");
    let (pin, shape) = (suspend::pin(&run.nodes), job.shape);
    let stay = suspend::left(job);
    for part in &run.nodes {
        state.capacity.nodes[part.node].suspended.push(id);
    }
    let spec = std::sync::Arc::clone(&job.record.spec);
    let pinned = state.shapes.pin(shape, (&spec, pin, stay), &state.capacity);
    state.jobs.known_mut(id).pinned = Some(pinned);
}

/// Takes up a pause or a resumption where it was.
fn restore_pause(state: &mut State, id: JobId, pause: PauseRun) {
    match pause.rung {
        Rung::Checkpoint => ladder::count_saving(state, id, true),
        _ => suspend::set_aside(state, id),
    }
    if state.jobs.known(id).record.state != JobState::Stopping {
        state.timers.set(pause.due, Timer::Pause(id));
    }
}

fn restore_claim(state: &mut State, record: ClaimRecord) {
    let job = record.job;
    let gpus = state.shapes.get(state.jobs.known(job).shape).demand.size();
    for &node in &record.nodes {
        state.capacity.nodes[node].claimed = Some(record.job);
        state.capacity.nodes[node].is_reserved = record.reserved.is_some();
    }
    match record.reserved {
        Some(reserved) => state.timers.set(reserved.start, Timer::Slip(record.job)),
        None => state.floor.gpus_in_use += gpus,
    }
    let ClaimRecord { nodes, since, reserved, .. } = record;
    let claim = Claim { nodes, since, gpus, reserved };
    state.floor.claims.insert(job, claim);
}

/// Puts a job that holds nothing where it waits.
fn restore_waiting(state: &mut State, id: JobId) {
    let job = state.jobs.known(id);
    if job.is_over() {
        return;
    }
    depend::register(state, id);
    let record = &state.jobs.known(id).record;
    let is_ready = queueing::is_ready(state, record);
    let (not_before, element) = (record.not_before, record.element);
    if not_before > state.now {
        state.timers.set(not_before, Timer::Begin(id));
    }
    match record.state {
        JobState::Queued if state.plans.plans.contains_key(&id) => {}
        JobState::Paused if !record.held => queueing::restore_line(state, id),
        JobState::Queued => {
            if record.repair.is_some() {
                state.repairs.insert(id);
            }
            queueing::restore_line(state, id);
        }
        // Ready and not queued: kept back by its array, or its turn has come and not yet been
        // worked off.
        JobState::Waiting if is_ready => {
            let array = element.and_then(|(array, _)| state.arrays.get_mut(array));
            match array.filter(|array| !array.has_room()) {
                Some(array) => _ = array.throttled.insert(id),
                None => state.timers.set(not_before, Timer::Begin(id)),
            }
        }
        _ => {}
    }
}

/// What the index says is free.
pub(crate) fn free_counts(state: &State) -> Vec<FreeCount> {
    let mut counts = Vec::new();
    let topology = &state.capacity.topology;
    for (id, domain) in topology.domains.iter() {
        for model in (0..state.catalog.models()).map(crate::dense::ModelId::from_index) {
            let nodes = trimmed(&domain.free(model).nodes);
            if !nodes.is_empty() {
                let shared = Isolation::ALL.into_iter().filter_map(|mode| {
                    let left = domain.left(model, mode).filter(|left| left.milli > 0)?;
                    let nodes = trimmed(&left.nodes);
                    Some(SharedCount { mode, milli: left.milli, nodes })
                });
                let shared = shared.collect();
                let model = state.catalog.model_name(model).cloned();
                counts.push(FreeCount { domain: topology.path(id), model, nodes, shared });
            }
        }
    }
    counts
}

fn trimmed(nodes: &[u32]) -> Vec<u32> {
    let used = nodes.iter().rposition(|&nodes| nodes > 0).map_or(0, |last| last + 1);
    nodes[..used].to_vec()
}
