//! Tasks that are given back for someone: they are part of a plan that is held, and the job it is
//! held for starts when all of them are back.

use muster_model::{JobId, Millis, Time};

use crate::elastic::resize;
use crate::elastic::shrink::Ask;
use crate::pause::hold;
use crate::state::State;
use crate::state::job::Job;
use crate::state::timer::Timer;

/// A resize may take this many times as long as the job said before it is not waited for.
const PATIENCE: u64 = 2;

/// Until when tasks that are asked for now are waited for; `None` if nothing is asked.
pub(crate) fn until(state: &State, asks: &[Ask]) -> Option<Time> {
    let takes = |ask: &Ask| patience(state, state.jobs.known(ask.giver.job));
    asks.iter().map(takes).max().map(|longest| state.now + longest)
}

/// How long tasks that a job is asked for are waited for.
pub(crate) fn patience(state: &State, job: &Job) -> Millis {
    let resize = job.record.spec.scaling.resize;
    state.catalog.policy().launch_timeout + Millis(resize.0.saturating_mul(PATIENCE))
}

/// Asks all of them for the sake of a job whose plan says so already.
pub(crate) fn begin(state: &mut State, by: JobId, until: Option<Time>, asks: &[Ask]) {
    if let Some(until) = until {
        state.timers.set(until, Timer::Giving(by));
    }
    for ask in asks {
        state.plans.givers.insert(ask.giver.job, by);
        resize::shrink(state, ask.giver.job, ask.to);
    }
}

/// A job has given back what it was asked for, if it was.
pub(crate) fn given(state: &mut State, giver: JobId) {
    let Some(by) = state.plans.givers.remove(&giver) else { return };
    let plan = state.plans.plans.get_mut(&by).expect("tasks are given back for a plan");
    plan.record.givers.retain(|other| *other != giver);
    if plan.is_ready() {
        state.plans.ready.push(by);
        state.pass_due = true;
    }
}

/// Not all was given back in time: a plan that still waits for it is given up.
pub(crate) fn overdue(state: &mut State, by: JobId) {
    let Some(plan) = state.plans.plans.get_mut(&by) else { return };
    plan.record.until = None;
    if !plan.record.givers.is_empty() {
        hold::give_up_and_wait(state, by);
    }
}

/// A plan is over: nobody gives anything back for it any more.
pub(crate) fn forget(state: &mut State, by: JobId, givers: &[JobId], until: Option<Time>) {
    for giver in givers {
        state.plans.givers.remove(giver);
    }
    if let Some(until) = until {
        state.timers.clear(until, Timer::Giving(by));
    }
}

/// Puts a restored plan's givers where they were.
pub(crate) fn restore(state: &mut State, by: JobId, givers: &[JobId], until: Option<Time>) {
    for &giver in givers {
        state.plans.givers.insert(giver, by);
    }
    if let Some(until) = until {
        state.timers.set(until, Timer::Giving(by));
    }
}
