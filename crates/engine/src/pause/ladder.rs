//! Carrying a pause out, rung by rung. A node that cannot do what it is asked is a normal answer:
//! the rung is undone everywhere, and the next one down is tried or the plan is given up.

use muster_model::{Attempt, JobId, Millis, NodeId, Rung, Time};

use crate::action::{Action, JobState};
use crate::explain::{Cause, Paused};
use crate::life::{move_to, report, stop};
use crate::pause::balance::Balance;
use crate::pause::judge::{self, Offer, gpu_millis};
use crate::pause::price::{self, Price};
use crate::pause::{defragment, exposure, hold, resume, seeker, suspend};
use crate::plan::estimate;
use crate::snapshot::{NodeReport, NodeRun, PauseRun, PausesRecord, RunRecord, Sight, Then};
use crate::state::State;
use crate::state::timer::Timer;

/// A rung may take this many times as long as the job said before it counts as failed.
pub(crate) const PATIENCE: u64 = 2;

/// Begins to pause a running job for another.
pub(crate) fn begin(state: &mut State, offer: &Offer, by: JobId, balance: Balance) {
    let (id, now) = (offer.job, state.now);
    let (costs, benefit) = balance.told;
    let latest = Paused {
        by,
        cause: offer.cause,
        rung: offer.price.rung,
        at: now,
        cost: offer.cost(),
        costs,
        benefit,
    };
    let record = &mut state.jobs.known_mut(id).record;
    let count = record.pauses.as_ref().map_or(0, |pauses| pauses.count) + 1;
    let moved = match offer.cause {
        Cause::Move { .. } => Some(now),
        _ => record.pauses.as_ref().and_then(|pauses| pauses.moved),
    };
    let lost = record.pauses.as_ref().map_or(Millis::ZERO, |pauses| pauses.lost);
    let (spared_until, rest) = (now, Millis::ZERO);
    let pauses = PausesRecord { count, latest, spared_until, rest, lost, moved, is_open: true };
    record.pauses = Some(Box::new(pauses));
    charge(state, id, offer.price);
    take(state, id, offer.price);
}

/// Notes what a pause costs a job, and that it is left alone until all its pauses have cost it no
/// more than the part of its time that they may: who has long computed undisturbed can be paused
/// several times at short intervals.
fn charge(state: &mut State, id: JobId, price: Price) {
    let pausing = state.catalog.policy().pausing;
    let now = state.now;
    let job = state.jobs.known_mut(id);
    let attained = job.attained(now);
    let record = &mut job.record;
    let rate = record.run.as_ref().expect("what is paused is placed").rate;
    let pauses = record.pauses.as_mut().expect("what is paused has a record of it");
    pauses.lost = Millis(pauses.lost.0.saturating_add(price.loses.0));
    let paid = u128::from(pauses.lost.0) * 1_000_000;
    let paid = paid.div_ceil(u128::from(pausing.overhead_ppm));
    pauses.rest = Millis(u64::try_from(paid).unwrap_or(u64::MAX)).saturating_sub(attained);
    let spared = Time(now.0.saturating_add(pauses.rest.max(pausing.interval).0));
    pauses.spared_until = pauses.spared_until.max(spared);
    pauses.latest.cost = gpu_millis(rate, price.loses);
}

/// Takes a rung.
fn take(state: &mut State, id: JobId, price: Price) {
    exposure::hide(state, id);
    match price.rung {
        Rung::Requeue => {
            if let Some(pauses) = &mut state.jobs.known_mut(id).record.pauses {
                pauses.latest.rung = Rung::Requeue;
            }
            stop::stop(state, id, Then::Again);
        }
        Rung::Checkpoint => save(state, id, price),
        Rung::Freeze | Rung::Suspend => suspend::begin(state, id, price),
    }
}

/// Waits for a job to save, asked or by itself; it is ended when it has.
fn save(state: &mut State, id: JobId, price: Price) {
    set_pause(state, id, Rung::Checkpoint, false, price.wait);
    count_saving(state, id, true);
    if price.asks {
        order(state, id, Rung::Checkpoint, true);
    }
    move_to(state, id, JobState::Pausing);
}

/// The application has saved. A job that was waited for is ended now.
pub(crate) fn saved(state: &mut State, id: JobId) {
    let job = state.jobs.known(id);
    let computed = job.computed(state.now);
    let is_awaited =
        job.record.state == JobState::Pausing && rung(state, id) == Some(Rung::Checkpoint);
    let run = state.jobs.known_mut(id).record.run.as_mut().expect("what saves is placed");
    run.saved = Some(computed);
    run.missed_save = false;
    let bucket = run.exposure.map(|exposure| exposure.bucket);
    if is_awaited {
        stop::stop(state, id, Then::Again);
    } else if let Some(bucket) = bucket {
        // It would lose less now than it would have before.
        defragment::note(state);
        seeker::note_best(state, bucket);
    }
}

/// The pause is not wanted any more, or a node cannot do it: everything goes back to running.
pub(crate) fn undo(state: &mut State, id: JobId) {
    let Some(pause) = pause_of(state, id).filter(|pause| !pause.is_undone) else { return };
    if pause.rung == Rung::Checkpoint {
        clear_pause(state, id);
        run_again(state, id);
        return;
    }
    suspend::undo(state, id);
}

/// A node cannot do what it was asked.
pub(crate) fn refused(state: &mut State, id: JobId) {
    let is_asked = pause_of(state, id).is_some_and(|pause| pause.is_asked);
    if is_asked && state.jobs.known(id).record.state == JobState::Pausing {
        fail(state, id);
    }
}

/// A node cannot do it, or has not in time: it is not asked to again. Who was only waited for may
/// still be asked.
fn fail(state: &mut State, id: JobId) {
    let Some(pause) = pause_of(state, id).filter(|pause| !pause.is_undone) else { return };
    let run = state.jobs.known_mut(id).record.run.as_mut().expect("what is paused is placed");
    match pause.is_asked {
        true => run.refused.push(pause.rung),
        false => run.missed_save = true,
    }
    undo(state, id);
}

/// A rung was not done in time.
pub(crate) fn overdue(state: &mut State, id: JobId) {
    let pause = pause_of(state, id).expect("the timer is cleared with the pause");
    let run = state.jobs.known(id).record.run.as_ref().expect("what is paused is placed");
    let is_seen = |part: &NodeRun| state.capacity.nodes[part.node].sight == Sight::Seen;
    let all_seen = run.live().all(is_seen);
    match (state.jobs.known(id).record.state, pause.is_undone) {
        (JobState::Pausing, false) if all_seen => fail(state, id),
        (JobState::Pausing, false) => undo(state, id),
        // What a node out of sight does not say is said when its lease ends.
        _ if !all_seen => set_pause(state, id, pause.rung, true, Millis::ZERO),
        // Nodes that do not put it back on its GPUs have lost it.
        _ => {
            let then = stop::after_loss(state, id);
            stop::stop(state, id, then);
        }
    }
}

/// A job whose pause was undone runs again. If its GPUs are still wanted, the next rung down is
/// taken, or the plan is given up.
pub(crate) fn run_again(state: &mut State, id: JobId) {
    move_to(state, id, JobState::Running);
    exposure::look(state, id);
    let Some(&by) = state.plans.victims.get(&id) else {
        close(state, id);
        return;
    };
    match next_rung(state, id) {
        Some(price) => {
            charge(state, id, price);
            take(state, id, price);
        }
        None => hold::give_up_and_wait(state, by),
    }
}

/// The cheapest of the rungs that are left, as in time and as much worth it as the first had to be.
fn next_rung(state: &State, id: JobId) -> Option<Price> {
    let job = state.jobs.known(id);
    let latest = &job.record.pauses.as_ref()?.latest;
    judge::check_in_sight(state, job.record.run.as_ref()?).ok()?;
    // Who is to move runs on: nothing is taken from it by force, and nothing at a higher price.
    if matches!(latest.cause, Cause::Move { .. }) {
        return None;
    }
    let is_reclaimed = latest.cause == Cause::Guarantee;
    let is_forced = is_reclaimed || exposure::is_filler(state, job);
    let policy = state.catalog.policy();
    let owed_at = latest.at + policy.pausing.reclaim;
    let within = if is_reclaimed { owed_at.since(state.now) } else { seeker::RELEASE_MAX };
    let stay = state.jobs.get(latest.by).map(|by| estimate::expected_left(state, by));
    let stay = stay.unwrap_or(Millis::ZERO);
    let in_time = price::cheapest(state, job, (within, stay), is_forced).ok();
    // What is guaranteed and was not given up in time is taken as soon as can be.
    let at_once = || {
        let price = price::cheapest(state, job, (policy.stop_grace, stay), is_forced).ok();
        price.filter(|price| is_reclaimed && price.rung == Rung::Requeue)
    };
    let price = in_time.or_else(at_once)?;
    let left = estimate::expected_left(state, job);
    let is_free = is_forced || latest.cause == Cause::Idle;
    let is_worth = is_free || judge::check_worth(state, job, price, left).is_ok();
    is_worth.then_some(price)
}

/// A job's latest pause is over: it computes again, and for a while is left alone.
pub(crate) fn close(state: &mut State, id: JobId) {
    let now = state.now;
    if let Some(pauses) = &mut state.jobs.known_mut(id).record.pauses
        && std::mem::replace(&mut pauses.is_open, false)
    {
        let rested = Time(now.0.saturating_add(pauses.rest.0));
        pauses.spared_until = pauses.spared_until.max(rested);
    }
}

/// Notes what a job is on the way to, and until when it is waited for.
pub(crate) fn set_pause(state: &mut State, id: JobId, rung: Rung, is_undone: bool, takes: Millis) {
    clear_pause_timer(state, id);
    let policy = state.catalog.policy();
    let slack = policy.launch_timeout;
    let patient = state.now + Millis(takes.0.saturating_mul(PATIENCE)) + slack;
    let reclaim = policy.pausing.reclaim;
    let job = state.jobs.known_mut(id);
    // What is guaranteed is there in time, whatever becomes of a rung.
    let latest = job.record.pauses.as_ref().map(|pauses| &pauses.latest);
    let owed = latest.filter(|latest| latest.cause == Cause::Guarantee && !is_undone);
    let due = owed.map_or(patient, |latest| patient.min(latest.at + reclaim).max(state.now));
    if let Some(pauses) = job.record.pauses.as_mut().filter(|_| !is_undone) {
        pauses.latest.rung = rung;
    }
    let run = job.record.run.as_mut().expect("what is paused is placed");
    let order = run.orders;
    run.pause = Some(Box::new(PauseRun { rung, is_undone, is_asked: false, order, due }));
    state.timers.set(due, Timer::Pause(id));
}

/// Forgets the pause under way, and what it had set aside.
pub(crate) fn clear_pause(state: &mut State, id: JobId) {
    clear_pause_timer(state, id);
    match rung(state, id) {
        Some(Rung::Checkpoint) => count_saving(state, id, false),
        Some(Rung::Suspend) => suspend::release(state, id),
        _ => return,
    }
    let run = state.jobs.known_mut(id).record.run.as_mut().expect("what is paused is placed");
    run.pause = None;
    // The host memory or the storage that it used is there for others.
    seeker::note_best(state, u16::MAX);
}

/// Nobody is waited for any more.
pub(crate) fn clear_pause_timer(state: &mut State, id: JobId) {
    if let Some(pause) = pause_of(state, id) {
        state.timers.clear(pause.due, Timer::Pause(id));
    }
}

pub(crate) fn pause_of(state: &State, id: JobId) -> Option<PauseRun> {
    state.jobs.known(id).record.run.as_ref()?.pause.as_deref().copied()
}

/// The rung a job is on the way to, or on.
pub(crate) fn rung(state: &State, id: JobId) -> Option<Rung> {
    pause_of(state, id).map(|pause| pause.rung)
}

/// Asks every node that still has a part to take a rung, or to undo it.
pub(crate) fn order(state: &mut State, job: JobId, rung: Rung, down: bool) {
    let record = &mut state.jobs.known_mut(job).record;
    let attempt = record.attempt;
    let run = record.run.as_mut().expect("what is paused is placed");
    run.orders += 1;
    let order = run.orders;
    if let Some(pause) = &mut run.pause {
        pause.order = order;
        pause.is_asked = true;
    }
    let orders = run.live().map(|part| {
        let node = part.node;
        match down {
            true => Action::Pause { node, job, attempt, order, rung },
            false => Action::Resume { node, job, attempt, order, rung },
        }
    });
    state.actions.extend(orders);
}

/// The part of the current attempt that an answer to the latest order is about, if anyone still
/// waits for it.
pub(crate) fn part(
    state: &State,
    id: JobId,
    attempt: Attempt,
    order: u32,
    node: NodeId,
) -> Option<usize> {
    let part = report::part(state, id, attempt, node)?;
    // An attempt that is to end is neither paused nor resumed any more.
    let is_awaited =
        matches!(state.jobs.known(id).record.state, JobState::Pausing | JobState::Resuming);
    let is_latest = pause_of(state, id).is_some_and(|pause| pause.order == order);
    (is_awaited && is_latest).then_some(part)
}

/// Counts a job among those who save, per lowest domain, or not any more.
pub(crate) fn count_saving(state: &mut State, id: JobId, is_saving: bool) {
    let run = state.jobs.known(id).record.run.as_ref().expect("what saves is placed");
    for (leaf, gpus) in saving(state, run) {
        let saving = &mut state.capacity.topology.domains[leaf].saving;
        if is_saving { *saving += gpus } else { *saving -= gpus }
    }
}

/// The GPUs of an attempt by lowest domain.
pub(crate) fn saving(state: &State, run: &RunRecord) -> Vec<(crate::dense::DomainId, u32)> {
    let gpus =
        |part: &crate::snapshot::NodeRun| part.tasks.iter().map(|task| task.gpus.count()).sum();
    run.nodes.iter().map(|part| (state.capacity.nodes[part.node].leaf, gpus(part))).collect()
}

/// A part has ended by itself while the others are on their way: they need not wait for it.
pub(crate) fn part_ended(state: &mut State, id: JobId) {
    let is_on_its_way =
        matches!(state.jobs.known(id).record.state, JobState::Pausing | JobState::Resuming);
    match pause_of(state, id).filter(|_| is_on_its_way) {
        Some(PauseRun { rung: Rung::Suspend, is_undone: false, .. }) => suspend::advance(state, id),
        Some(PauseRun { is_undone: true, .. }) => resume::advance(state, id),
        _ => {}
    }
}

/// The order that a node may not have heard, for one that is in sight again.
pub(crate) fn repeat(state: &mut State, job: JobId, part: usize) {
    let record = &state.jobs.known(job).record;
    let attempt = record.attempt;
    let Some(run) = &record.run else { return };
    let Some(pause) = run.pause.as_deref().filter(|_| run.then.is_none()) else { return };
    let (node, report) = (run.nodes[part].node, run.nodes[part].report);
    let order = pause.order;
    let none = |wanted: NodeReport| run.live().all(|part| part.report != wanted);
    let again = match (pause.rung, pause.is_undone, report) {
        (Rung::Checkpoint, false, NodeReport::Started) if pause.is_asked => {
            Action::Pause { node, job, attempt, order, rung: Rung::Checkpoint }
        }
        (Rung::Suspend, false, NodeReport::Started) => {
            Action::Pause { node, job, attempt, order, rung: Rung::Freeze }
        }
        (Rung::Suspend, false, NodeReport::Frozen) if none(NodeReport::Started) => {
            Action::Pause { node, job, attempt, order, rung: Rung::Suspend }
        }
        (_, true, NodeReport::Suspended) => {
            Action::Resume { node, job, attempt, order, rung: Rung::Suspend }
        }
        (_, true, NodeReport::Frozen) if none(NodeReport::Suspended) => {
            Action::Resume { node, job, attempt, order, rung: Rung::Freeze }
        }
        _ => return,
    };
    state.actions.push(again);
}
