//! A submission: validated, numbered, and waiting or queued.

use std::sync::Arc;

use muster_model::{Attempt, Elements, Invalid, JobId, JobSpec, Millis, Name, Predecessor, Time};

use crate::action::{Action, JobState};
use crate::life::{depend, late, queueing};
use crate::on::Refusals;
use crate::snapshot::{ArrayRecord, JobRecord};
use crate::state::State;

/// At most so many jobs may be known at once; beyond that submissions are refused.
const JOBS_MAX: usize = 4_000_000;

pub(crate) fn submit(state: &mut State, spec: &Arc<JobSpec>) -> Result<(), Refusals> {
    check(state, spec)?;
    let elements = spec.array.as_ref().map_or(0, |array| array.indexes.len());
    let elements = u32::try_from(elements).expect("arrays are bounded by validation");
    let first = state.next_job;
    state.actions.push(Action::Accepted { job: first, elements });
    if elements == 0 {
        state.next_job = JobId(first.0 + 1);
        accept(state, first, spec, None);
        return Ok(());
    }
    state.next_job = JobId(first.0 + 1 + u64::from(elements));
    let array = spec.array.as_ref().expect("an array has elements");
    state.arrays.add(ArrayRecord {
        id: first,
        elements,
        throttle: array.throttle,
        admitted: 0,
        started: 0,
        ended: 0,
        failed: 0,
        remembered: elements,
    });
    for (number, &index) in (first.0 + 1..).zip(&array.indexes) {
        accept(state, JobId(number), spec, Some((first, index)));
    }
    Ok(())
}

fn check(state: &State, spec: &JobSpec) -> Result<(), Refusals> {
    spec.validate_against(&state.catalog)?;
    let mut errors = unknown_references(state, spec, None);
    if state.jobs.len() + spec.array.as_ref().map_or(1, |array| array.indexes.len()) > JOBS_MAX {
        errors.push(Invalid::new(
            "jobs",
            state.jobs.len().to_string(),
            format!(
                "expected fewer than {JOBS_MAX} jobs at a time; try again when some have ended"
            ),
        ));
    }
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// What refers to nothing in a job that is good in itself.
pub(crate) fn unknown_references(state: &State, spec: &JobSpec, was: Option<&JobSpec>) -> Refusals {
    let mut errors = Vec::new();
    // What a job had before its change may be over and forgotten.
    let is_same = |was: &JobSpec| (&was.booking, &was.queue) == (&spec.booking, &spec.queue);
    if let Some(name) = spec.booking.as_ref().filter(|_| !was.is_some_and(is_same)) {
        errors.extend(refused_booking(state, spec, name));
    }
    if was.is_some_and(|was| was.after == spec.after) {
        return errors;
    }
    for (index, dependency) in spec.after.iter().enumerate() {
        for one in dependency.predecessors() {
            errors.extend(
                unknown(state, spec, one).map(|(value, allowed)| {
                    Invalid::new(format!("after[{index}]"), value, allowed)
                }),
            );
        }
    }
    errors
}

/// What is wrong with the booking a job names.
fn refused_booking(state: &State, spec: &JobSpec, name: &Name) -> Option<Invalid> {
    let allowed = match state.capacity.bookings.named(name) {
        None => "expected the name of a booking that is not over".to_owned(),
        Some(booked) if booked.record.booking.is_for_nobody() => {
            format!("{name} is for maintenance, nobody's jobs run in it")
        }
        Some(booked) if booked.record.booking.lets_in(&spec.user, &spec.queue) => return None,
        Some(_) => {
            format!(
                "neither {} nor queue {} may use it; ask whoever made it",
                spec.user, spec.queue
            )
        }
    };
    Some(Invalid::new("booking", name.to_string(), allowed))
}

/// What is not there of what a job waits for, and what to do about it.
fn unknown(state: &State, spec: &JobSpec, one: &Predecessor) -> Option<(String, &'static str)> {
    let job = one.job;
    let forgotten = "that job ended so long ago that it is forgotten; drop the dependency";
    if state.jobs.get(job).is_none() && state.arrays.get(job).is_none() {
        let allowed = match job < state.next_job {
            true => forgotten,
            false => "expected the number of a job that was submitted before",
        };
        return Some((job.to_string(), allowed));
    }
    let own = spec.array.as_ref().map_or(&[][..], |array| &array.indexes);
    let meant = match &one.elements {
        Elements::All => return None,
        Elements::Index(index) => std::slice::from_ref(index),
        Elements::Same => own,
    };
    let is_missing = |index: &&u32| depend::element(state, job, **index).is_none();
    let missing = meant.iter().find(is_missing)?;
    let allowed = "expected an element of an array that is not forgotten";
    Some((format!("{job}_{missing}"), allowed))
}

fn accept(state: &mut State, id: JobId, spec: &Arc<JobSpec>, element: Option<(JobId, u32)>) {
    let record = JobRecord {
        id,
        spec: Arc::clone(spec),
        element,
        estimate: spec.timing.estimate,
        state: JobState::Waiting,
        attempt: Attempt(0),
        held: spec.hold,
        submitted: state.now,
        ready_since: state.now,
        key: 0,
        urgency_at: None,
        not_before: Time(0),
        requeues: 0,
        launch_failures: 0,
        crashes: 0,
        repair: None,
        served: Millis::ZERO,
        run: None,
        ended: None,
        has_started: false,
        unmet: depend::resolved(state, spec, element.map(|(_, index)| index)),
        exit: None,
        decision: None,
        learned: None,
        pauses: None,
    };
    let job = state.resolve(record);
    let (demand, node_depth) = (&state.shapes.get(job.shape).demand, state.catalog.node_depth());
    let installed = state.capacity.installed.gpus;
    state.capacity.mix.add(demand, node_depth, installed);
    state.jobs.add(job);
    queueing::list(state, id);
    if let Some(begin) = spec.timing.begin {
        queueing::pause_until(state, id, begin);
    }
    late::watch(state, id);
    depend::look(state, id);
    if !state.jobs.known(id).is_over() {
        depend::register(state, id);
        queueing::settle(state, id);
    }
}
