//! The service floor: a small part of the cluster serves those who have had no service for too
//! long, longest first, whatever their tier.

use muster_model::{JobId, NodeId, Time};

use crate::dense::{LineId, ShapeId};
use crate::pass::start;
use crate::pause::starving;
use crate::place::retry;
use crate::plan::bound;
use crate::plan::claim::{self, Claimed};
use crate::plan::reserve;
use crate::state::State;
use crate::state::floor::Stuck;

/// At most so many claims are tried elsewhere than on their own nodes in one pass; the claim
/// itself is what guarantees the bound, this only helps it along.
const TRIED_ELSEWHERE_MAX: usize = 8;

/// So many suspended jobs whose own place is held for another are passed over in one pass.
const ELSEWHERE_MAX: u32 = 16;

/// So many GPUs more count against the floor.
pub(crate) fn use_more(state: &mut State, gpus: u64) {
    state.floor.use_more(state.now, bound::floor_gpus(state), gpus);
}

/// So many fewer.
pub(crate) fn use_less(state: &mut State, gpus: u64) {
    state.floor.use_less(state.now, bound::floor_gpus(state), gpus);
}

/// Serves starving jobs and returns how many starts the pass has had then.
pub(crate) fn serve(state: &mut State, freed: &[NodeId], mut starts: u32) -> u32 {
    starving::serve_claims(state);
    let size = bound::floor_gpus(state);
    let wait = state.catalog.policy().floor.wait;
    let mut passed_over: Option<(Time, JobId, LineId)> = None;
    let mut elsewhere = 0;
    let mut unseen = state.floor.stuck.filter(|_| !freed.is_empty()).map(|stuck| stuck.job);
    // Ends because each turn starts or claims for the oldest, or goes on to the next oldest.
    while state.floor.gpus_in_use < size && state.floor.owes(state.now, size) == 0 {
        let Some(oldest) = state.waiting.oldest_after(passed_over) else { break };
        let (since, id, line) = oldest;
        if since + wait > state.now {
            break;
        }
        if starts >= state.tuning.starts_per_step {
            break;
        }
        unseen = unseen.filter(|stuck| *stuck != id);
        match serve_one(state, id, line, freed) {
            Served::Started => starts += 1,
            Served::Claimed => {}
            Served::NotNow => break,
            Served::Never => passed_over = Some(oldest),
            // Its own place is held for another; nobody else need wait for that.
            Served::Elsewhere => {
                elsewhere += 1;
                if elsewhere > ELSEWHERE_MAX {
                    break;
                }
                passed_over = Some(oldest);
            }
        }
    }
    // Room was made, and the floor was too busy to look whether that helps the one it could not.
    if unseen.is_some() {
        state.floor.stuck = None;
    }
    starts
}

/// What the floor could do for one job.
enum Served {
    Started,
    Claimed,
    NotNow,
    Never,
    Elsewhere,
}

fn serve_one(state: &mut State, id: JobId, line: LineId, freed: &[NodeId]) -> Served {
    let version = state.capacity.topology.version;
    let (shape, allowed) = {
        let line = state.waiting.line(line);
        (line.key.shape, line.standing.allowed)
    };
    let is_hopeless = state.floor.hopeless.get(&id).is_some_and(|until| *until > state.now);
    if is_hopeless || state.floor.impossible.get(&(shape, allowed)) == Some(&version) {
        return Served::Never;
    }
    let is_stuck = state.floor.stuck == Some(Stuck { job: id, version, allowed });
    if is_stuck && !could_help(state, shape, allowed, freed) {
        return Served::NotNow;
    }
    if start::start_for_floor(state, id, allowed) {
        return Served::Started;
    }
    if is_stuck {
        return Served::NotNow;
    }
    if starving::make_room(state, id) {
        return Served::Claimed;
    }
    match claim::claim(state, id, line) {
        Claimed::Yes => {
            starving::look_soon(state, id);
            Served::Claimed
        }
        Claimed::InTheWay if state.shapes.get(shape).pin.is_some() => Served::Elsewhere,
        Claimed::InTheWay => {
            // What is booked changes by the passing of time, so it is looked at anew.
            let is_lasting = state.capacity.bookings.is_empty();
            state.floor.stuck = is_lasting.then_some(Stuck { job: id, version, allowed });
            Served::NotNow
        }
        Claimed::TooLate => {
            pass_over(state, id);
            Served::Never
        }
        Claimed::Impossible => {
            state.floor.impossible.insert((shape, allowed), version);
            Served::Never
        }
    }
}

/// Starts claimed jobs that fit now: those with room made on their own nodes, and the first few
/// wherever room was made. Returns how many it started.
pub(crate) fn serve_claims(state: &mut State, freed: &[NodeId]) -> u32 {
    if state.floor.claims.is_empty() || freed.is_empty() {
        return 0;
    }
    let own = freed.iter().filter_map(|&node| state.capacity.nodes[node].claimed);
    let own = own.filter(|job| state.floor.claims.contains_key(job));
    let mut tries: Vec<JobId> = own.collect();
    let floor = state.floor.claims.iter().filter(|(_, claim)| claim.reserved.is_none());
    for (&id, _) in floor.take(TRIED_ELSEWHERE_MAX) {
        let shape = state.shapes.get(state.jobs.known(id).shape);
        if retry::touches(&state.capacity, shape, freed) {
            tries.push(id);
        }
    }
    tries.sort_unstable();
    tries.dedup();
    let mut starts = 0;
    for id in tries {
        // What was done for one before may have cost another its reservation.
        let Some(claim) = state.floor.claims.get(&id) else { continue };
        let is_reserved = claim.reserved.is_some();
        let line = state.jobs.known(id).line.expect("a claimed job is queued");
        let allowed = state.waiting.line(line).standing.allowed;
        if allowed == 0 {
            claim::forget(state, id);
        } else if is_reserved {
            starts += u32::from(reserve::serve(state, id, allowed));
        } else if start::start_for_floor(state, id, allowed) {
            starts += 1;
        } else if !starving::call_in(state, id) && has_drained(state, id) {
            // Nothing is left to wait for: what was claimed cannot hold it after all.
            claim::forget(state, id);
            pass_over(state, id);
        }
    }
    starts
}

/// The floor can do nothing for a job for a while.
fn pass_over(state: &mut State, id: JobId) {
    let until = state.now + state.catalog.policy().floor.quantum;
    state.floor.hopeless.insert(id, until);
}

fn has_drained(state: &State, id: JobId) -> bool {
    let nodes = &state.floor.claims[&id].nodes;
    let is_empty = |&node| {
        let node = &state.capacity.nodes[node];
        node.runs.is_empty() && node.is_open()
    };
    nodes.iter().all(is_empty)
}

fn could_help(state: &State, shape: ShapeId, allowed: u64, freed: &[NodeId]) -> bool {
    retry::helped(&state.capacity, state.shapes.get(shape), allowed, freed) != 0
}

/// Whether someone has waited too long and the floor has room.
pub(crate) fn is_due(state: &State) -> bool {
    let wait = state.catalog.policy().floor.wait;
    let size = bound::floor_gpus(state);
    let oldest = state.waiting.oldest_after(None);
    oldest.is_some_and(|(since, ..)| since + wait <= state.now)
        && state.floor.gpus_in_use < size
        && state.floor.owes(state.now, size) == 0
}

/// When the next job will have waited too long.
pub(crate) fn next_due(state: &State) -> Option<Time> {
    let wait = state.catalog.policy().floor.wait;
    let size = bound::floor_gpus(state);
    if size == 0 {
        return None;
    }
    let since = match state.now.0.checked_sub(wait.0) {
        Some(moment) => state.waiting.oldest_since(Time(moment)),
        None => state.waiting.oldest_after(None).map(|(since, ..)| since),
    };
    // Or when the floor may serve again those who have.
    let oldest = state.waiting.oldest_after(None);
    let is_late = oldest.is_some_and(|(since, ..)| since + wait <= state.now);
    let is_owing = is_late && state.floor.owes(state.now, size) > 0;
    let again = is_owing.then(|| state.floor.owes_nothing_at(state.now, size)).flatten();
    since.map(|since| since + wait).into_iter().chain(again).min()
}
