//! What is due by the passing of time.

use muster_model::{JobId, Time};

use crate::action::{Action, JobState, Outcome};
use crate::elastic::{giving, index, settle, size};
use crate::life::{late, queueing, stop};
use crate::on::{amend, node_lost, refused};
use crate::pause::{exposure, ladder, rest};
use crate::plan::{booking, expect, reserve};
use crate::snapshot::{NodeReport, Then};
use crate::state::State;
use crate::state::timer::Timer;

/// At most so many timers are worked off in one step; the rest are due at once in the next.
const TIMERS_PER_STEP: usize = 64;

/// Works off what is due; whether anything was.
pub(crate) fn work_off(state: &mut State) -> bool {
    for worked_off in 0..TIMERS_PER_STEP {
        let Some(timer) = state.timers.due(state.now) else { return worked_off > 0 };
        match timer {
            Timer::Leases => {
                let nodes = state.leases.take_first();
                node_lost::leases_ended(state, &nodes);
            }
            Timer::Rested(node) => {
                state.capacity.nodes[node].rests_until = Time(0);
                state.capacity.changed(node);
            }
            Timer::Begin(job) => begin(state, job),
            Timer::Unconfirmed(job) => unconfirmed(state, job),
            Timer::Warn(job) => warn(state, job),
            Timer::Limit(job) => stop::stop(state, job, Then::End(Outcome::TimedOut)),
            Timer::Urgency(job) => {
                state.jobs.known_mut(job).record.urgency_at = None;
                queueing::rekey(state, job);
            }
            Timer::Quantum(job) => quantum(state, job),
            Timer::Exposure(job) => exposure::look(state, job),
            Timer::Rest(job) => rest::over(state, job),
            Timer::Expect(job) => expect::note(state, job),
            Timer::Slip(job) => reserve::slipped(state, job),
            Timer::Booking(id) => booking::come(state, id),
            Timer::Late(job) => drop(late::end_if_late(state, job)),
            Timer::Widen(job) => amend::widen(state, job),
            Timer::Pause(job) => ladder::overdue(state, job),
            Timer::Unresized(job) => settle::unresized(state, job),
            Timer::Grow(job) => may_grow(state, job),
            Timer::Giving(job) => giving::overdue(state, job),
        }
    }
    true
}

/// The earliest start or a pause is over; the job may have been cancelled meanwhile.
fn begin(state: &mut State, id: JobId) {
    if let Some(job) = state.jobs.get(id)
        && !job.is_over()
        && !job.is_placed()
    {
        queueing::settle(state, id);
    }
}

/// Not all nodes confirmed in time: the launch is taken back, and those that said nothing rest.
fn unconfirmed(state: &mut State, id: JobId) {
    assert_eq!(state.jobs.known(id).record.state, JobState::Launching, "cleared when it began");
    let run = state.jobs.known(id).record.run.as_ref().expect("a launching job is placed");
    let silent: Vec<usize> =
        (0..run.nodes.len()).filter(|&part| run.nodes[part].report == NodeReport::Asked).collect();
    for part in silent {
        refused::rest(state, id, part);
    }
    stop::stop(state, id, Then::Again);
}

fn warn(state: &mut State, id: JobId) {
    let record = &mut state.jobs.known_mut(id).record;
    let warning = record.spec.timing.warning.expect("a warned job asked for it");
    let (attempt, signal) = (record.attempt, warning.signal);
    let run = record.run.as_mut().expect("a warned job is placed");
    run.warned = true;
    for part in run.nodes.iter().filter(|part| part.report != NodeReport::Ended) {
        state.actions.push(Action::Signal { node: part.node, job: id, attempt, signal });
    }
}

fn may_grow(state: &mut State, id: JobId) {
    let run = state.jobs.known_mut(id).record.run.as_mut().expect("a job that may grow is placed");
    size::of_run_mut(run).grow_at = None;
    index::list(state, id);
    state.pass_due = true;
}

fn quantum(state: &mut State, id: JobId) {
    let job = state.jobs.known_mut(id);
    let gpus = state.shapes.get(job.shape).demand.size();
    let run = job.record.run.as_mut().expect("a job in its quantum is placed");
    let until = run.floor_until.take().expect("a job in its quantum was placed by the floor");
    let is_exposed = run.exposure.is_some();
    stop::leave_floor(state, id, until, gpus);
    if is_exposed {
        exposure::look(state, id);
    }
}
