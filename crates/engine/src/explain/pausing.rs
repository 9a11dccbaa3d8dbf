//! Why a job was paused, who has its GPUs, who gives way to it, and who does not and why.

use muster_model::{DefragmentationMode, JobId, Millis};

use crate::action::JobState;
use crate::dense::ModelId;
use crate::elastic::size;
use crate::explain::{booked, roughly, why};
use crate::pause::seeker::Seeker;
use crate::pause::{crowd, defragment, judge, prove, search};
use crate::plan::remaining::Quantile;
use crate::plan::{claim, estimate};
use crate::reason::{Reason, Spared};
use crate::state::State;
use crate::state::job::Job;
use crate::state::topology::ROOT;

/// What keeps a queued job from starting, with who gives way to it or does not.
pub(crate) fn queued(state: &mut State, id: JobId) -> Vec<Reason> {
    if let Some(making) = making(state, id) {
        return vec![making];
    }
    let mut reasons = claim::with_own_nodes(state, id, |state| why::line_reasons(state, id));
    reasons.extend(reserved(state, id));
    let is_short =
        matches!(reasons[0], Reason::Gpus { .. } | Reason::Fragments { .. } | Reason::Level { .. });
    if is_short {
        reasons.extend(spared(state, id));
        reasons.extend(movable(state, id));
    }
    reasons.extend(latest(state, id));
    reasons
}

/// What keeps a suspended job from going on.
pub(crate) fn paused(state: &mut State, id: JobId) -> Vec<Reason> {
    let mut reasons: Vec<Reason> = latest(state, id).into_iter().collect();
    let Some(line) = state.jobs.known(id).line else {
        reasons.push(Reason::Held);
        return reasons;
    };
    let allowed = state.waiting.line(line).standing.allowed;
    if allowed == 0 {
        reasons.extend(why::line_reasons(state, id));
    } else if why::fits(state, id, allowed, false) {
        reasons.push(Reason::Next);
    } else if let Some(booked) = booked::in_the_way(state, id, allowed) {
        reasons.push(booked);
    } else {
        reasons.push(Reason::Occupied { by: occupants(state, id) });
    }
    reasons
}

/// Why it was paused, if it has not run since.
pub(crate) fn latest(state: &State, id: JobId) -> Option<Reason> {
    let pauses = state.jobs.known(id).record.pauses.as_ref()?;
    pauses.is_open.then_some(Reason::Paused(pauses.latest))
}

/// Who gives way to a job, while room is being made for it.
fn making(state: &State, id: JobId) -> Option<Reason> {
    let plan = &state.plans.plans.get(&id)?.record;
    let due = |victim: &JobId| {
        let run = state.jobs.get(*victim)?.record.run.as_ref()?;
        let pause = run.pause.as_ref().map(|pause| pause.due);
        Some(pause.unwrap_or(run.until))
    };
    let back = |giver: &JobId| {
        let job = state.jobs.get(*giver)?;
        let since = size::under_way(job).map_or(state.now, |resize| resize.since);
        Some(since + job.record.spec.scaling.resize)
    };
    let back = plan.givers.iter().filter_map(back).max();
    let due = plan.victims.iter().filter_map(due).max().max(back).unwrap_or(state.now);
    let (victims, givers) = (plan.victims.clone(), plan.givers.clone());
    Some(Reason::Making { victims, givers, due: due.max(state.now) })
}

/// The nodes that are kept for a gang, and when it will have them.
fn reserved(state: &State, id: JobId) -> Option<Reason> {
    let claim = state.floor.claims.get(&id)?;
    let reserved = claim.reserved?;
    // What was only lent is given back before.
    let expected = claim.nodes.iter().flat_map(|&node| &state.capacity.nodes[node].expects);
    let jobs: Vec<&Job> = expected.map(|(job, _)| state.jobs.known(*job)).collect();
    let last = |quantile| jobs.iter().map(|job| estimate::left(state, job, quantile)).max();
    let (half, nine) = (last(Quantile::Half), last(Quantile::Nine));
    let between = nine.unwrap_or_default().saturating_sub(half.unwrap_or_default());
    Some(Reason::Reserved {
        domain: why::around(state, claim.nodes.iter().copied()),
        nodes: u32::try_from(claim.nodes.len()).unwrap_or(u32::MAX),
        start: reserved.start.max(state.now),
        give_or_take: roughly(Millis(between.0 / 2)),
    })
}

/// Who is on the GPUs of a suspended job.
fn occupants(state: &State, id: JobId) -> Vec<JobId> {
    let job = state.jobs.known(id);
    let Some(pin) = &state.shapes.get(job.line_shape()).pin else { return Vec::new() };
    let mut by = Vec::new();
    for (node, task) in pin {
        for &(other, _) in &state.capacity.nodes[*node].runs {
            let run = state.jobs.known(other).record.run.as_ref();
            let parts = run.into_iter().flat_map(|run| &run.nodes);
            let mut tasks = parts.filter(|part| part.node == *node).flat_map(|part| &part.tasks);
            if tasks.any(|held| !held.gpus.and(task.gpus).is_empty()) {
                by.push(other);
            }
        }
    }
    by.sort_unstable();
    by.dedup();
    by
}

/// The moves that would start a blocked job, where the policy asks only to be told.
fn movable(state: &mut State, id: JobId) -> Option<Reason> {
    let mode = state.catalog.policy().defragmentation.mode;
    let is_asked = mode == DefragmentationMode::Preview;
    is_asked.then(|| defragment::preview(state, id))?.map(Reason::Movable)
}

/// The weakest job that could make room for a blocked one, and why it is not asked.
fn spared(state: &mut State, id: JobId) -> Option<Reason> {
    let seeker = Seeker::new(state, id)?;
    let demand = std::sync::Arc::clone(&state.shapes.get(seeker.shape).demand);
    let models: &[ModelId] = &demand.alternatives.first()?.models;
    let leaf = search::leaves_by(state, |domain| &domain.exposed, 0, models, ROOT).next()?;
    let nodes = state.capacity.topology.domains[leaf].nodes.iter();
    let exposed = nodes.flat_map(|node| &state.capacity.nodes[*node].exposed);
    let runs =
        exposed.filter(|exposed| state.jobs.known(exposed.job).record.state == JobState::Running);
    let job = runs.map(|exposed| (exposed.bucket, exposed.gpus, exposed.job)).max()?.2;
    let why = match judge::judge(state, &seeker, job) {
        Err(why) => why,
        // Nothing is weighed: nobody but others in its place can keep it from being asked.
        Ok(_) if !seeker.weighs => return None,
        Ok(offer) => {
            let proof = prove::prove(state, &seeker, &[job], &[])?;
            let (rate, idle) = (demand.gpus * 1000, proof.idle * 1000);
            let balance = crowd::balance(state, &seeker, &[offer], rate, idle);
            let (cost, benefit) = balance.told;
            Spared::Cost { cost, benefit }
        }
    };
    // That nobody has said how they could be paused goes without saying.
    (why != Spared::Contract).then_some(Reason::Spared { job, why })
}
