//! What comes next, for everybody at once: the future as predicted, played through a single time.

use std::collections::BTreeSet;

use muster_model::JobId;

use super::future::{self, LINES_MAX, Start};
use super::{Trial, expected_length, predicted_end};
use crate::explain::{Coming, Ending, Outlook, why};
use crate::state::State;
use crate::state::job::Job;
use crate::state::line::OrderKey;

/// The ends of what runs and the next `most` starts.
pub(crate) fn outlook(state: &mut State, most: usize) -> Outlook {
    // More lines than those would not have turns, and their jobs no start.
    let ranked = ranked(state, most.min(LINES_MAX));
    let starts = future::starts(state, &ranked);
    // Who passes better ranked ones may be none of the first.
    let passing = starts.iter().take(most).map(|start| start.job);
    let passing = passing.filter(|job| !ranked.contains(job));
    let jobs: Vec<JobId> = ranked.iter().copied().chain(passing).collect();
    let more = state.waiting.len().saturating_sub(jobs.len());
    let next = jobs.into_iter().map(|job| coming(state, job, &starts)).collect();
    Outlook { ends: ends(state), next, more }
}

fn coming(state: &mut State, job: JobId, starts: &[Start]) -> Coming {
    let start = starts.iter().find(|start| start.job == job);
    let reasons = why::reasons(state, job);
    let (expected, latest) = future::told(state, job, &reasons, |_| start.map(|start| start.at));
    let claim = state.floor.claims.get(&job);
    Coming {
        job,
        reason: reasons.into_iter().next(),
        expected,
        latest,
        runs: expected_length(&state.catalog, state.jobs.known(job)),
        nodes: start.map_or(Vec::new(), |start| start.nodes.clone()),
        held: claim.map_or(Vec::new(), |claim| claim.nodes.clone()),
        is_starving: claim.is_some_and(|claim| claim.reserved.is_none()),
        held_since: claim.map(|claim| claim.since),
        passes: start.and_then(|start| passes(state, start, starts)),
    }
}

/// The first that a start leaves behind of those who will start: who never fits is passed by
/// everybody, and that is no news.
fn passes(state: &State, start: &Start, starts: &[Start]) -> Option<JobId> {
    let comes_later = |job: &JobId| {
        if let Some(other) = starts.iter().find(|other| other.job == *job) {
            return other.at > start.at;
        }
        let claim = state.floor.claims.get(job);
        claim.is_some_and(|claim| claim.reserved.is_none_or(|reserved| reserved.start > start.at))
    };
    start.passed.iter().copied().find(comes_later)
}

fn ends(state: &State) -> Vec<Ending> {
    let ending = |job: JobId| {
        let known = state.jobs.known(job);
        let expected = predicted_end(state, known)?;
        let left = known.limit.saturating_sub(known.computed(state.now));
        let latest = known.record.spec.timing.limit.map(|_| state.now + left);
        Some(Ending { job, expected, latest, gives_way: gives_way(state, known) })
    };
    state.jobs.ids().into_iter().filter_map(ending).collect()
}

/// Whether a job is on nodes that are still held for another and was let there to give way.
fn gives_way(state: &State, job: &Job) -> bool {
    let Some(run) = job.record.run.as_ref().filter(|run| run.is_backfill) else { return false };
    let claims = state.floor.claims.values();
    claims.flat_map(|claim| &claim.nodes).any(|held| run.nodes.iter().any(|on| on.node == *held))
}

/// The first of those who wait for room, best first, as things stand now.
fn ranked(state: &mut State, most: usize) -> Vec<JobId> {
    let trial = Trial::new(state);
    let waiting = trial.waiting;
    let standing_of = |(id, key): (JobId, i64)| trial.order_key(id, key, trial.standing(id));
    let mut lines: Vec<_> = waiting.lines().map(|(_, line)| line.jobs()).collect();
    let mut heads: BTreeSet<(OrderKey, usize)> = BTreeSet::new();
    for (at, line) in lines.iter_mut().enumerate() {
        heads.extend(line.next().map(|(key, job)| (standing_of((job, key)), at)));
    }
    let mut ranked = Vec::new();
    while ranked.len() < most
        && let Some((first, at)) = heads.pop_first()
    {
        ranked.push(first.job);
        heads.extend(lines[at].next().map(|(key, job)| (standing_of((job, key)), at)));
    }
    ranked
}
