//! Reservations: nodes kept for the first gangs that do not fit, where they will be free soonest
//! by the predicted ends of what runs. Until then the GPUs are lent to whoever is gone in time or
//! gives way. A start that is put off too often ends the patience: room is made.

use muster_model::{JobId, Millis, NodeId};

use crate::dense::{ModelId, ShapeId};
use crate::elastic::shrink::Ask;
use crate::elastic::{size, yielding};
use crate::explain::Cause;
use crate::pass::start;
use crate::pause::judge::{self, Offer};
use crate::pause::search::{self, Found};
use crate::pause::seeker::{self, Seeker};
use crate::pause::{exposure, hold, price, together};
use crate::plan::claim;
use crate::plan::drain::{self, Until};
use crate::plan::{estimate, loan};
use crate::snapshot::ReservedRecord;
use crate::state::State;
use crate::state::floor::Claim;
use crate::state::line::OrderKey;
use crate::state::timer::Timer;

/// So many of the first heads are looked at for one that needs a reservation.
const HEADS_MAX: usize = 16;

/// After a search for which there was no room, the next waits this long.
const SEARCH_PAUSE: Millis = Millis::minutes(1);

/// After others came ahead of a gang that had a reservation, the next waits this long: they may
/// come and go all the time, and each reservation looks at every node.
const STAND_BACK_PAUSE: Millis = Millis::minutes(10);

/// Reserves nodes for the first gangs that do not fit; whether any were.
pub(crate) fn make(state: &mut State) -> bool {
    stand_back(state);
    let most = state.catalog.policy().reservations.most as usize;
    let mut made = false;
    let mut needless: Vec<JobId> = Vec::new();
    // Each turn makes a reservation, finds that none can or need be made, or ends the loop.
    while state.now >= state.floor.reserve_after && state.floor.reservations().count() < most {
        let Some((job, shape)) = next(state, &needless) else { break };
        match reserve(state, job, shape) {
            Reserved::Yes => made = true,
            Reserved::Never => {}
            Reserved::Needless => needless.push(job),
            Reserved::NotNow => {
                state.floor.reserve_after = state.now + SEARCH_PAUSE;
            }
        }
    }
    // Looked at again when those it waits for have changed.
    if !needless.is_empty() && !made {
        state.floor.reserve_after = state.floor.reserve_after.max(state.now + SEARCH_PAUSE);
    }
    made
}

/// Gives up the reservations of gangs that others have come ahead of who wait for the same GPUs and
/// need no reservation: nobody keeps GPUs from those who go first.
fn stand_back(state: &mut State) {
    if state.floor.reservations().next().is_none() {
        return;
    }
    let mut awaited: Vec<ModelId> = Vec::new();
    let heads = state.waiting.heads().take(HEADS_MAX);
    let ahead = heads.filter(|(_, shape)| goes_first(state, *shape, &mut awaited));
    let ahead: Vec<JobId> = ahead.map(|(key, _)| key.job).collect();
    let reserved: Vec<JobId> = state.floor.reservations().map(|(job, _)| job).collect();
    for job in reserved {
        let shape = state.shapes.get(state.jobs.known(job).line_shape());
        let waits = shape.demand.models().any(|model| awaited.contains(&model));
        if waits && !ahead.contains(&job) {
            claim::forget(state, job);
            state.floor.reserve_after = state.now + STAND_BACK_PAUSE;
        }
    }
}

/// Whether the next head in order is a gang that needs a reservation and waits for nothing that
/// those before it do who need none. What one of those waits for is noted.
fn goes_first(state: &State, shape: ShapeId, awaited: &mut Vec<ModelId>) -> bool {
    let demand = &state.shapes.get(shape).demand;
    let least = u64::from(state.catalog.policy().reservations.gpus_min);
    // Nodes are reserved whole until they have drained: for part of a GPU that is too much, and
    // room cannot be made for it when its start is put off.
    if demand.has_shares() || demand.gpus < least {
        awaited.extend(demand.models());
        return false;
    }
    !demand.models().any(|model| awaited.contains(&model))
}

/// The first gang that needs a reservation and has none. Nobody who is ahead of it and needs none
/// must wait for the same GPUs: what is kept for the one would be kept from the other.
fn next(state: &State, needless: &[JobId]) -> Option<(JobId, ShapeId)> {
    let version = state.capacity.topology.version;
    let installed = state.capacity.installed.gpus / 1000;
    let held: u64 = state.floor.claims.values().map(|claim| claim.gpus).sum();
    let can_have_one = |&(key, shape): &(OrderKey, ShapeId)| {
        let line = state.jobs.known(key.job).line.expect("a head is in line");
        let allowed = state.waiting.line(line).standing.allowed;
        let gpus = state.shapes.get(shape).demand.gpus;
        // Half the cluster at most is kept for others, unless a single gang needs more.
        let is_modest = held == 0 || (held + gpus) * 2 <= installed;
        is_modest && state.floor.unreservable.get(&(shape, allowed)) != Some(&version)
    };
    let mut awaited: Vec<ModelId> = Vec::new();
    let heads = state.waiting.heads().take(HEADS_MAX);
    let mut gangs = heads
        .filter(|(key, _)| !state.floor.claims.contains_key(&key.job))
        .filter(|(key, _)| !needless.contains(&key.job))
        .filter(|(_, shape)| goes_first(state, *shape, &mut awaited));
    gangs.find(can_have_one).map(|(key, shape)| (key.job, shape))
}

/// What became of an attempt to reserve.
enum Reserved {
    Yes,
    /// There is no room for it.
    NotNow,
    /// Nobody keeps the gang waiting who does not go first.
    Needless,
    /// The nodes there are cannot hold it even if empty.
    Never,
}

fn reserve(state: &mut State, id: JobId, shape_id: ShapeId) -> Reserved {
    let line = state.jobs.known(id).line.expect("a head is in line");
    let allowed = state.waiting.line(line).standing.allowed;
    let shape = state.shapes.get(shape_id);
    let node_depth = state.catalog.node_depth();
    let found = drain::soonest(&state.capacity, shape, allowed, node_depth, Until::Expected);
    // What is free now and still not enough will not be by waiting for it.
    let Some(found) = found.filter(|found| found.ready > state.now) else {
        let ever = drain::soonest(&state.capacity, shape, allowed, node_depth, Until::Ever);
        if ever.is_some() {
            return Reserved::NotNow;
        }
        // What is only remembered must not make a difference: the next in order has its turn.
        let version = state.capacity.topology.version;
        state.floor.unreservable.insert((shape_id, allowed), version);
        return Reserved::Never;
    };
    if all_give_way(state, &found.nodes) {
        return Reserved::Needless;
    }
    let gpus = shape.demand.size();
    for &node in &found.nodes {
        state.capacity.nodes[node].is_reserved = true;
        state.capacity.set_claim(node, Some(id));
    }
    let start = found.ready;
    let reserved = Some(ReservedRecord { start, first: start, slips: 0 });
    let claim = Claim { nodes: found.nodes, since: state.now, gpus, reserved };
    state.floor.claims.insert(id, claim);
    state.timers.set(start, Timer::Slip(id));
    Reserved::Yes
}

/// Whether all who run on nodes can be paused. A gang takes the place of those far enough behind it
/// and lets the others go first; a reservation would only keep GPUs idle until they have ended.
fn all_give_way(state: &State, nodes: &[NodeId]) -> bool {
    // What was lent is given back before.
    let mut runs = nodes.iter().flat_map(|&node| &state.capacity.nodes[node].expects);
    state.catalog.policy().pausing.on
        && exposure::weighs(state)
        && runs.all(|&(job, _)| !state.jobs.known(job).record.spec.checkpoint.rungs.is_empty())
}

/// A reserved start has come, and its gang has not started: it is put off to what is expected
/// now, or if that was done too often, room is made for it wherever that is cheapest.
pub(crate) fn slipped(state: &mut State, id: JobId) {
    let limits = state.catalog.policy().reservations;
    let now = state.now;
    let Some(claim) = state.floor.claims.get_mut(&id) else { return };
    let ready = claim.nodes.iter().map(|&node| state.capacity.expected_at(node)).max();
    let Some(reserved) = &mut claim.reserved else { return };
    // What is free by now and still not enough will not be by waiting for it.
    let start = ready.filter(|ready| *ready > now);
    reserved.slips += 1;
    let is_late = start.is_none_or(|start| start.since(reserved.first) > limits.slip_max);
    if let Some(start) = start.filter(|_| !is_late && reserved.slips <= limits.slips_max) {
        reserved.start = start;
        state.timers.set(start, Timer::Slip(id));
        return;
    }
    claim::forget(state, id);
    state.floor.late.insert(id);
    state.seekers.insert(id);
    state.pass_due = true;
}

/// Starts a gang on its reserved nodes, or calls in what they are lent to if that is all that is
/// in its way; whether it starts or will.
pub(crate) fn serve(state: &mut State, id: JobId, allowed: u64) -> bool {
    if start::start_for_reservation(state, id, allowed) {
        return true;
    }
    // What was lent to elastic jobs is called in first: nobody has to stop for that.
    let line = state.jobs.known(id).line.expect("a gang that nodes are reserved for is in line");
    let is_lent = !loan::asks(state, id).is_empty();
    (is_lent && yielding::make_room_for(state, id, line)) || call_in(state, id)
}

/// Makes those who use reserved GPUs give way to the gang they are reserved for.
fn call_in(state: &mut State, id: JobId) -> bool {
    let claim = &state.floor.claims[&id];
    let stay = estimate::expected_left(state, state.jobs.known(id));
    let mut offers: Vec<Offer> = Vec::new();
    let asks: Vec<Ask> = loan::asks(state, id);
    let lent = asks.iter().map(|ask| ask.giver.gpus());
    let (mut gpus, wanted) = (lent.sum::<u64>(), claim.gpus);
    for &node in &claim.nodes {
        let node = &state.capacity.nodes[node];
        gpus += u64::from(node.spare.unwrap_or(0));
        for &(job, _) in &node.runs {
            if offers.iter().any(|offer| offer.job == job) {
                continue;
            }
            if let Some(offer) = offer(state, job, stay) {
                gpus += offer.rate / 1000;
                offers.push(offer);
            }
        }
    }
    if offers.is_empty() || gpus < wanted {
        return false;
    }
    let Some(seeker) = Seeker::new(state, id) else { return false };
    let Some(found) = weigh(state, &seeker, offers, asks) else { return false };
    let order = start::order_terms(state, id, false);
    hold::commit(state, id, found, order);
    true
}

/// Who has to give way beside what elastic jobs give back, if that is worth it.
fn weigh(state: &mut State, seeker: &Seeker, offers: Vec<Offer>, asks: Vec<Ask>) -> Option<Found> {
    if asks.is_empty() {
        return search::weigh(state, seeker, &offers);
    }
    let found = together::fewest(state, seeker, offers, asks);
    found.filter(|found| search::is_worth(state, seeker, found))
}

/// What it costs a job that uses reserved GPUs to give way, as it said it would.
fn offer(state: &State, id: JobId, stay: Millis) -> Option<Offer> {
    let job = state.jobs.known(id);
    let run = job.record.run.as_ref()?;
    let is_running = job.record.state == crate::action::JobState::Running;
    let is_changing = state.plans.victims.contains_key(&id) || size::under_way(job).is_some();
    if !run.is_backfill || !is_running || is_changing {
        return None;
    }
    judge::check_in_sight(state, run).ok()?;
    let is_forced = exposure::is_filler(state, job);
    // Pausing costs nobody more than its part, not even for what is reserved.
    let lately = job.record.pauses.as_ref().map(|pauses| pauses.spared_until);
    if !is_forced && lately.is_some_and(|until| until > state.now) {
        return None;
    }
    let grace = state.catalog.policy().reservations.grace.max(state.catalog.policy().stop_grace);
    Some(Offer {
        job: id,
        cause: Cause::Reservation,
        price: price::cheapest(state, job, (grace, stay), is_forced).ok()?,
        rate: run.rate,
        weight: seeker::price(state, job.class),
        left: estimate::expected_left(state, job),
        rank: None,
    })
}
