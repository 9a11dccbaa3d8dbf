//! Waiting and queued: whether anything but capacity keeps a job, and its place in line.

use muster_model::{Estimate, JobId, Millis, Time};

use crate::action::JobState;
use crate::dense::{LineId, QueueId, UserId};
use crate::elastic::index;
use crate::fairness::standing;
use crate::life::{arrays, move_to, shares};
use crate::order::{self, Facts, urgency};
use crate::pause::{crowd, hold, moved, rest, seeker};
use crate::plan::claim;
use crate::repair;
use crate::snapshot::JobRecord;
use crate::state::State;
use crate::state::job::Job;
use crate::state::line::LineKey;
use crate::state::queue;
use crate::state::timer::Timer;

/// Decides anew whether a job that holds nothing waits or is queued.
pub(crate) fn settle(state: &mut State, id: JobId) {
    settle_since(state, id, state.now);
}

/// The same for a job that counts as waiting since an earlier time, if it is queued now.
pub(crate) fn settle_since(state: &mut State, id: JobId, since: Time) {
    let job = state.jobs.known(id);
    if job.record.state == JobState::Paused {
        settle_suspended(state, id);
        return;
    }
    assert!(!job.is_placed() && !job.is_over(), "only a job that holds nothing is settled");
    let record = &job.record;
    let is_ready = is_ready(state, record);
    if moved::settle(state, id, is_ready) {
        return;
    }
    if !is_ready {
        leave_line(state, id);
        repair::forget(state, id);
        arrays::give_up_place(state, id);
        move_to(state, id, JobState::Waiting);
        index::someone_left(state);
    } else if !arrays::take_place(state, id) {
        leave_line(state, id);
        repair::forget(state, id);
        move_to(state, id, JobState::Waiting);
    } else if state.jobs.known(id).line.is_none() && !state.plans.plans.contains_key(&id) {
        enter_line(state, id, since);
        if state.jobs.known(id).record.repair.is_some() {
            state.repairs.insert(id);
        }
        move_to(state, id, JobState::Queued);
    }
}

/// Whether nothing but room keeps a job, its array apart.
pub(crate) fn is_ready(state: &State, record: &JobRecord) -> bool {
    !record.held
        && record.unmet.is_empty()
        && record.not_before <= state.now
        && state.capacity.bookings.is_open(&record.spec)
}

/// Decides anew whether a suspended job waits for its own place.
pub(crate) fn settle_suspended(state: &mut State, id: JobId) {
    let job = state.jobs.known(id);
    if job.record.held {
        leave_line(state, id);
    } else if job.line.is_none() {
        enter_line(state, id, state.now);
    }
}

/// Keeps a job back until a time.
pub(crate) fn pause_until(state: &mut State, id: JobId, until: Time) {
    let before = std::mem::replace(&mut state.jobs.known_mut(id).record.not_before, until);
    state.timers.clear(before, Timer::Begin(id));
    if until > state.now {
        state.timers.set(until, Timer::Begin(id));
    }
}

/// Puts a queued job into its line anew, with the waiting time it has.
pub(crate) fn reenter_line(state: &mut State, id: JobId) {
    let since = state.jobs.known(id).record.ready_since;
    leave_line(state, id);
    enter_line(state, id, since);
}

/// Looks at the shape of a job anew, after what tells shapes apart changed.
pub(crate) fn reshape(state: &mut State, id: JobId) {
    let job = state.jobs.known(id);
    let (spec, since) = (std::sync::Arc::clone(&job.record.spec), job.record.ready_since);
    let (before, is_in_line) = (job.shape, job.line.is_some() && job.pinned.is_none());
    let stay = state.stay(&spec, job.class, job.limit);
    if is_in_line {
        leave_line(state, id);
    }
    let shape = state.shapes.intern(&spec, stay, &state.catalog, &state.capacity);
    state.jobs.known_mut(id).shape = shape;
    state.release_shape(before);
    if is_in_line {
        enter_line(state, id, since);
    }
}

/// Lists a job under its name and its booking.
pub(crate) fn list(state: &mut State, id: JobId) {
    let spec = &state.jobs.known(id).record.spec;
    state.namesakes.entry((spec.user.clone(), spec.name.clone())).or_default().insert(id);
    if let Some(booking) = &spec.booking {
        state.capacity.bookings.note_job(booking, id, true);
    }
}

/// Takes a job off those lists.
pub(crate) fn unlist(state: &mut State, id: JobId) {
    let spec = &state.jobs.known(id).record.spec;
    if let Some(booking) = &spec.booking {
        state.capacity.bookings.note_job(booking, id, false);
    }
    let key = (spec.user.clone(), spec.name.clone());
    if let Some(namesakes) = state.namesakes.get_mut(&key) {
        namesakes.remove(&id);
        if namesakes.is_empty() {
            state.namesakes.remove(&key);
        }
    }
}

/// Puts a restored job into the line it was in, with the key it had.
pub(crate) fn restore_line(state: &mut State, id: JobId) {
    insert(state, id);
    if let Some(at) = state.jobs.known(id).record.urgency_at {
        state.timers.set(at, Timer::Urgency(id));
    }
    watch_patience(state, id);
}

pub(crate) fn enter_line(state: &mut State, id: JobId, since: Time) {
    let facts = facts(state, state.jobs.known(id));
    let policy = state.catalog.policy();
    let key = (order::rule(policy).key)(&facts, policy);
    let record = &mut state.jobs.known_mut(id).record;
    record.ready_since = since;
    record.key = key;
    insert(state, id);
    watch_urgency(state, id, &facts);
    watch_patience(state, id);
    state.pass_due = true;
}

/// When a queued job has insisted on near places for long enough.
fn patience_ends(record: &JobRecord) -> Option<Time> {
    record.spec.topology.patience.map(|patience| record.ready_since + patience)
}

fn watch_patience(state: &mut State, id: JobId) {
    let job = state.jobs.known(id);
    // Who is suspended comes back where it was.
    if let Some(at) = patience_ends(&job.record).filter(|_| !job.is_placed()) {
        state.timers.set(at, Timer::Widen(id));
    }
}

fn insert(state: &mut State, id: JobId) {
    let job = state.jobs.known(id);
    let (key, since) = (job.record.key, job.record.ready_since);
    let (shape, class, queue, user) = (job.line_shape(), job.class, job.queue, job.user);
    let user_matters = limits_users(state, queue);
    let demand = &state.shapes.get(shape).demand;
    let line_key = LineKey { queue, class, shape, user: user_matters.then_some(user) };
    let (line, is_new) = state.waiting.line_for(line_key, user, demand);
    state.waiting.insert(line, key, since, id);
    state.waiting.set_claimed(line, since, id, state.floor.is_claimed(id));
    state.jobs.known_mut(id).line = Some(line);
    if is_new {
        list_line(state, line, true);
        place_line(state, line);
    } else {
        replace_line(state, line);
        crowd::grew(state, line);
    }
}

/// Takes a job out of its line, with any claim the floor made for it, or gives up the room that
/// is being made for it.
pub(crate) fn leave_line(state: &mut State, id: JobId) {
    hold::give_up(state, id);
    let Some(line) = state.jobs.known_mut(id).line.take() else { return };
    claim::forget(state, id);
    state.floor.late.remove(&id);
    state.floor.hopeless.remove(&id);
    state.moves.told.remove(&id);
    rest::forget(state, id);
    let job = state.jobs.known_mut(id);
    let (key, since) = (job.record.key, job.record.ready_since);
    if let Some(at) = job.record.urgency_at.take() {
        state.timers.clear(at, Timer::Urgency(id));
    }
    if let Some(at) = patience_ends(&job.record) {
        state.timers.clear(at, Timer::Widen(id));
    }
    state.waiting.remove(line, key, since, id);
    if state.waiting.line(line).is_empty() {
        list_line(state, line, false);
        state.waiting.close(line);
    } else {
        replace_line(state, line);
    }
    // Whoever it kept back may go now.
    state.pass_due |= order::rule(state.catalog.policy()).head_blocks;
}

/// Makes the key of a queued job anew, after its estimate or urgency changed.
pub(crate) fn rekey(state: &mut State, id: JobId) {
    let Some(line) = state.jobs.known(id).line else { return };
    let facts = facts(state, state.jobs.known(id));
    let policy = state.catalog.policy();
    let key = (order::rule(policy).key)(&facts, policy);
    let job = state.jobs.known_mut(id);
    let (old, since) = (std::mem::replace(&mut job.record.key, key), job.record.ready_since);
    if let Some(at) = job.record.urgency_at.take() {
        state.timers.clear(at, Timer::Urgency(id));
    }
    let is_claimed = state.floor.is_claimed(id);
    state.waiting.remove(line, old, since, id);
    state.waiting.insert(line, key, since, id);
    state.waiting.set_claimed(line, since, id, is_claimed);
    replace_line(state, line);
    watch_urgency(state, id, &facts);
    state.pass_due = true;
}

fn watch_urgency(state: &mut State, id: JobId, facts: &Facts) {
    if let Some(at) = urgency::next_look(facts) {
        state.jobs.known_mut(id).record.urgency_at = Some(at);
        state.timers.set(at, Timer::Urgency(id));
    }
}

/// Puts a line where it belongs, with its standing looked at anew.
pub(crate) fn place_line(state: &mut State, id: LineId) {
    let line = state.waiting.line(id);
    let class = state.catalog.class_spec(line.key.class);
    let shape = state.shapes.get(line.key.shape);
    let standing = standing::standing(
        &state.capacity.queues,
        line.key.queue,
        line.user,
        class.guaranteed,
        shape,
    );
    put_line(state, id, standing);
}

/// Puts a line where it belongs, with the standing it has.
pub(crate) fn replace_line(state: &mut State, id: LineId) {
    let standing = state.waiting.line(id).standing;
    put_line(state, id, standing);
}

fn put_line(state: &mut State, id: LineId, standing: standing::Standing) {
    let key = state.waiting.line(id).key;
    let tier = order::tier(standing.guaranteed, state.catalog.class_rank(key.class));
    let uses_share = order::rule(state.catalog.policy()).fair_share;
    let offset = if uses_share { state.capacity.queues[key.queue].fair_share } else { 0 };
    if state.waiting.place(id, standing, tier, offset) {
        seeker::note(state, state.waiting.head_of(id));
    }
}

/// A model has appeared: shapes that accept it have more to try.
pub(crate) fn model_appeared(state: &mut State) {
    let lines: Vec<_> = state.waiting.lines().map(|(id, line)| (id, line.key.shape)).collect();
    // What a share comes to depends on the model, and so where its line is listed.
    lines.iter().for_each(|(line, _)| list_line(state, *line, false));
    state.shapes.model_appeared(&state.catalog, &state.capacity);
    lines.iter().for_each(|(line, _)| list_line(state, *line, true));
    for (line, shape) in lines {
        state.waiting.renew(shape, &state.shapes.get(shape).demand);
        place_line(state, line);
    }
    state.pass_due = true;
}

/// Enters a line in its queue and all above it, or strikes it out.
fn list_line(state: &mut State, id: LineId, is_there: bool) {
    let key = state.waiting.line(id).key;
    let charged = state.shapes.get(key.shape).demand.charged();
    queue::on_path(&mut state.capacity.queues, key.queue, |queue| {
        for &gpus in &charged {
            if is_there {
                queue.lines.insert((gpus, id));
            } else {
                queue.lines.remove(&(gpus, id));
            }
        }
    });
}

/// A gang was charged to a queue or refunded: looks at the standing of the lines for which
/// that makes a difference, and at what the queue is owed.
pub(crate) fn queue_used(
    state: &mut State,
    (queue, user): (QueueId, UserId),
    gpus: u64,
    was_charged: bool,
) {
    let mut here = Some(queue);
    while let Some(id) = here {
        for line in state.capacity.queues[id].lines_to_look_at(user, gpus, was_charged) {
            place_line(state, line);
        }
        here = state.capacity.queues[id].parent;
    }
    shares::refresh_share(state, queue);
}

fn limits_users(state: &State, queue: QueueId) -> bool {
    queue::path(&state.capacity.queues, queue).any(|(_, queue)| !queue.user_limit.is_empty())
}

/// What a job's key is made of.
pub(crate) fn facts(state: &State, job: &Job) -> Facts {
    let policy = state.catalog.policy();
    Facts {
        milli: state.shapes.get(job.shape).demand.milli,
        estimate: job.record.estimate.unwrap_or_else(|| unknown(policy.estimate_default)),
        attained: job.attained(state.now),
        weight: job.record.spec.weight,
        deadline: job.record.spec.timing.deadline,
        now: state.now,
        size_weight: i64::from(policy.size_weight_milli),
    }
}

/// The estimate of a job about which nothing is known: so wide that the rank is little more
/// than the service it has had.
fn unknown(median: Millis) -> Estimate {
    /// The ninth decile of a log-normal with standard deviation 2.5.
    const WIDE: u64 = 24;
    Estimate { median, p90: Millis(median.0.saturating_mul(WIDE)) }
}
