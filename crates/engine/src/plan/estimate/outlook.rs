//! What comes next, for everybody at once: the future as predicted, played through a single time.

use std::collections::BTreeSet;

use muster_model::{JobId, NodeId, Time};

use super::{ENDS_MAX, Source, Trial, expected_length, predicted_end, predicted_ends};
use crate::dense::ShapeId;
use crate::explain::{Coming, Ending, Outlook};
use crate::plan::bound;
use crate::state::State;
use crate::state::job::Job;
use crate::state::line::OrderKey;

/// At most so many placements are tried: what lies beyond is not foreseen.
const TRIES_MAX: usize = 2048;

/// Of those whom a start passes so many are remembered: one is told, and few of them never fit.
const PASSED_MAX: usize = 16;

/// The ends of what runs and the next `most` starts.
pub(crate) fn outlook(state: &mut State, most: usize) -> Outlook {
    let ranked = ranked(state, most);
    let foreseen = foreseen(state, most);
    // Who passes better ranked ones may be none of the first.
    let passing = foreseen.iter().map(|start| start.job).filter(|job| !ranked.contains(job));
    let jobs: Vec<JobId> = ranked.iter().copied().chain(passing).collect();
    let more = state.waiting.len().saturating_sub(jobs.len());
    let next = jobs.into_iter().map(|job| coming(state, job, &foreseen)).collect();
    Outlook { ends: ends(state), next, more }
}

/// A start that is foreseen.
struct Start {
    job: JobId,
    at: Time,
    nodes: Vec<NodeId>,
    /// Who had the turn before it in vain, first first.
    passed: Vec<JobId>,
}

fn coming(state: &State, job: JobId, foreseen: &[Start]) -> Coming {
    let start = foreseen.iter().find(|start| start.job == job);
    let claim = state.floor.claims.get(&job);
    let reserved = claim.and_then(|claim| claim.reserved).map(|reserved| reserved.start);
    let latest = bound::latest_start(state, job);
    let expected = start.map(|start| start.at).or(reserved);
    Coming {
        job,
        expected: expected.map(|at| latest.map_or(at, |latest| at.min(latest))),
        latest,
        runs: expected_length(&state.catalog, state.jobs.known(job)),
        nodes: start.map_or(Vec::new(), |start| start.nodes.clone()),
        held: claim.map_or(Vec::new(), |claim| claim.nodes.clone()),
        is_starving: claim.is_some_and(|claim| claim.reserved.is_none()),
        held_since: claim.map(|claim| claim.since),
        passes: start.and_then(|start| passes(state, start, foreseen)),
    }
}

/// The first that a start leaves behind of those who will start: who never fits is passed by
/// everybody, and that is no news.
fn passes(state: &State, start: &Start, foreseen: &[Start]) -> Option<JobId> {
    let comes_later = |job: &JobId| {
        if let Some(other) = foreseen.iter().find(|other| other.job == *job) {
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

/// Who starts when and where, until so many have or nothing more can be foreseen.
fn foreseen(state: &mut State, most: usize) -> Vec<Start> {
    let mut ends: BTreeSet<(Time, JobId)> =
        predicted_ends(state).into_iter().take(ENDS_MAX).collect();
    let (mut now, mut tries) = (state.now, TRIES_MAX);
    let mut found = Vec::new();
    let mut trial = Trial::new(state);
    while found.len() < most && tries > 0 {
        let passed = trial.take_turns(&mut tries);
        for (job, passed) in std::mem::take(&mut trial.newly_inside).into_iter().zip(passed) {
            let length = expected_length(trial.catalog, trial.jobs.known(job));
            ends.insert((now + length, job));
            let mut nodes: Vec<NodeId> =
                trial.inside[&job].tasks.iter().map(|(node, _)| *node).collect();
            nodes.dedup();
            found.push(Start { job, at: now, nodes, passed });
        }
        let Some((end, job)) = ends.pop_first() else { break };
        now = now.max(end);
        trial.end(job);
    }
    found
}

impl Trial<'_> {
    /// Everyone who waits gets a turn, as in a pass. For each who is let in, in order: who had a
    /// turn before it in vain.
    fn take_turns(&mut self, tries: &mut usize) -> Vec<Vec<JobId>> {
        let claims = self.claims;
        let (mut passed, mut blocked) = (Vec::new(), Vec::new());
        for &claimer in claims.keys() {
            if !self.inside.contains_key(&claimer) {
                *tries = tries.saturating_sub(1);
                match self.let_in(claimer) {
                    true => passed.push(blocked.clone()),
                    false => blocked.push(claimer),
                }
            }
        }
        let mut heads: BTreeSet<(OrderKey, Source)> =
            self.sources.iter().filter_map(|&source| self.head(source)).collect();
        // What did not fit for one does not fit for others of its kind.
        let mut vain: BTreeSet<(ShapeId, u64)> = BTreeSet::new();
        while *tries > 0
            && let Some((key, source)) = heads.pop_first()
        {
            let head = self.head(source);
            if head != Some((key, source)) {
                heads.extend(head);
                continue;
            }
            let kind = (self.jobs.known(key.job).line_shape(), self.standing(key.job).allowed);
            if vain.contains(&kind) {
                continue;
            }
            *tries -= 1;
            if self.let_in(key.job) {
                passed.push(blocked.clone());
                heads.extend(self.head(source));
            } else if self.rule.head_blocks {
                break;
            } else {
                if blocked.len() < PASSED_MAX {
                    blocked.push(key.job);
                }
                vain.insert(kind);
            }
        }
        passed
    }
}
