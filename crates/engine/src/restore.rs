//! State to plain data and back. A snapshot holds facts; every index is built anew from them,
//! and nothing that is built depends on the order in which it came about.

use muster_model::{Invalid, JobId};

use crate::action::JobState;
use crate::dense::{Key, QueueId};
use crate::elastic::index;
use crate::engine::Tuning;
use crate::fairness::decay::Usage;
use crate::life::{depend, launch, queueing};
use crate::snapshot::{
    ClaimRecord, FreeCount, HoldRecord, JobRecord, NodeRecord, SNAPSHOT_VERSION, Sight, Snapshot,
    UsageRecord,
};
use crate::state::State;
use crate::state::elastic::Hold;
use crate::state::floor::Claim;
use crate::state::job::Job;
use crate::state::timer::Timer;

/// The whole state as plain data.
pub(crate) fn snapshot(state: &State) -> Snapshot {
    let nodes = state.capacity.nodes.iter().map(|(id, node)| NodeRecord {
        id,
        spec: node.spec.clone(),
        sight: node.sight,
        drained: node.drained,
        unhealthy: node.unhealthy,
        rests_until: node.rests_until,
        refusals: node.refusals,
    });
    let claims = state.floor.claims.iter().map(|(&job, claim)| ClaimRecord {
        job,
        nodes: claim.nodes.clone(),
        since: claim.since,
    });
    let holds = state.elastic.holds.iter().map(|(&job, hold)| HoldRecord {
        job,
        nodes: hold.nodes.clone(),
        givers: hold.givers.clone(),
        until: hold.until,
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
        holds: holds.collect(),
        grow_next: state.elastic.grow_next,
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
    state.capacity.whole = usage(&snapshot.usage_whole);
    for (index, record) in snapshot.usage.iter().enumerate() {
        let queue = &mut state.capacity.queues[QueueId::from_index(index)];
        queue.usage = usage(record);
        queue.fair_share = record.fair_share;
    }
    for record in &snapshot.nodes {
        restore_node(&mut state, record);
    }
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
    for hold in snapshot.holds {
        restore_hold(&mut state, hold);
    }
    for id in ids {
        restore_waiting(&mut state, id);
    }
    for index in 0..state.capacity.nodes.len() {
        state.capacity.recount(muster_model::NodeId::from_index(index));
    }
    // Shapes that had failed are open again; looking at them once more changes nothing.
    state.capacity.freed.clear();
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
    if let Sight::Unknown { lease_ends } = record.sight {
        state.timers.set(lease_ends, Timer::Lease(id));
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
    let spec = std::sync::Arc::clone(&record.spec);
    let mut job = state.resolve(record);
    let in_place = !matches!(job.record.state, JobState::Waiting);
    job.admitted = job.record.element.is_some() && in_place;
    job.recount_reports();
    state.jobs.add(job);
    state.namesakes.entry((spec.user.clone(), spec.name.clone())).or_default().insert(id);
    restore_run(state, id);
}

/// Takes and charges again what a placed job holds, and sets its timers.
fn restore_run(state: &mut State, id: JobId) {
    let timeout = state.catalog.policy().launch_timeout;
    let job = state.jobs.known(id);
    let Some(run) = &job.record.run else { return };
    let demand = &state.shapes.get(job.shape).demand;
    for node in &run.nodes {
        for task in &node.tasks {
            let held = demand.groups[usize::from(task.group)].held(task.gpus);
            state.capacity.take(node.node, held);
        }
        state.capacity.nodes[node.node].add_run(id, run.until);
    }
    let charge = state.capacity.charge_of(run, demand);
    state.capacity.charge(job.queue, job.user, &charge);
    state.capacity.restore_rate(job.queue, run.rate);
    if let Some(until) = run.floor_until {
        state.floor.gpus_in_use += demand.gpus.max(1);
        state.timers.set(until, Timer::Quantum(id));
    }
    match job.record.state {
        JobState::Launching => state.timers.set(run.placed + timeout, Timer::Unconfirmed(id)),
        JobState::Running => {
            let limit_at = run.limit_at.expect("a running job has a limit");
            state.timers.set(limit_at, Timer::Limit(id));
            if let Some(warning) = job.record.spec.timing.warning.filter(|_| !run.warned) {
                state.timers.set(launch::warn_at(limit_at, warning.before), Timer::Warn(id));
            }
        }
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
    index::list(state, id);
}

fn restore_claim(state: &mut State, record: ClaimRecord) {
    let gpus = state.shapes.get(state.jobs.known(record.job).shape).demand.gpus.max(1);
    for &node in &record.nodes {
        state.capacity.nodes[node].claimed = Some(record.job);
    }
    state.floor.gpus_in_use += gpus;
    let claim = Claim { nodes: record.nodes, since: record.since, gpus };
    state.floor.claims.insert(record.job, claim);
}

fn restore_hold(state: &mut State, record: HoldRecord) {
    for &node in &record.nodes {
        state.capacity.nodes[node].claimed = Some(record.job);
    }
    let HoldRecord { job, nodes, givers, until } = record;
    state.timers.set(until, Timer::Held(job));
    state.elastic.holds.insert(job, Hold { nodes, givers, until });
}

/// Puts a job that holds nothing where it waits.
fn restore_waiting(state: &mut State, id: JobId) {
    let job = state.jobs.known(id);
    if job.is_over() {
        return;
    }
    depend::register(state, id);
    let record = &state.jobs.known(id).record;
    let is_ready = !record.held && record.unmet.is_empty() && record.not_before <= state.now;
    let (not_before, element) = (record.not_before, record.element);
    if not_before > state.now {
        state.timers.set(not_before, Timer::Begin(id));
    }
    match record.state {
        JobState::Queued => queueing::restore_line(state, id),
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
            let by_free = &domain.free(model).nodes;
            let used = by_free.iter().rposition(|&nodes| nodes > 0).map_or(0, |last| last + 1);
            let nodes = by_free[..used].to_vec();
            if !nodes.is_empty() {
                let model = state.catalog.model_name(model).cloned();
                counts.push(FreeCount { domain: topology.path(id), model, nodes });
            }
        }
    }
    counts
}
