//! The start to expect: the future as predicted, played through on trial. What runs is let go in
//! the order of its predicted ends, and after each everyone who waits gets a turn as in a pass. Who
//! is let in is let go in turn.
//!
//! Whoever asks sees the same future, only more or less of it: what one job is told is what the
//! plan of all says of it.

use std::collections::{BTreeMap, BTreeSet};

use muster_model::{JobId, NodeId, Time};

use super::{Source, Trial, expected_length, predicted_ends};
use crate::dense::ShapeId;
use crate::place::retry;
use crate::plan::bound;
use crate::reason::Reason;
use crate::state::State;
use crate::state::line::OrderKey;

/// At most so many ends are looked ahead: further out, an estimate would be a guess.
const ENDS_MAX: usize = 512;

/// At most so many placements are tried: what lies beyond is not foreseen.
const TRIES_MAX: usize = 2048;

/// So many of the first lines get turns, and so many behind them of which few have the same shape:
/// all of them would have to be looked at again at every end.
pub(super) const LINES_MAX: usize = 128;

/// So many lines of a shape may be backfilled from behind the first; who comes after those waits
/// for the same room.
const OF_SHAPE_MAX: usize = 4;

/// Of those whom a start passes so many are remembered: one is told, and few of them never fit.
const PASSED_MAX: usize = 16;

/// A start that is foreseen.
#[derive(Debug)]
pub(crate) struct Start {
    pub(crate) job: JobId,
    pub(crate) at: Time,
    pub(crate) nodes: Vec<NodeId>,
    /// Who had the turn before it in vain, first first.
    pub(super) passed: Vec<JobId>,
}

/// When and where a queued job will probably start; `None` if not within what can be foreseen.
pub(crate) fn start_of(state: &mut State, id: JobId) -> Option<Start> {
    starts(state, &[id]).into_iter().find(|start| start.job == id)
}

/// The start to expect of a job in line and its latest one, by what keeps it and by the start that
/// is foreseen.
pub(crate) fn told(
    state: &mut State,
    id: JobId,
    reasons: &[Reason],
    foreseen: impl FnOnce(&mut State) -> Option<Time>,
) -> (Option<Time>, Option<Time>) {
    for reason in reasons {
        match reason {
            // Room is made for it, which is due whoever ends.
            Reason::Making { due, .. } => return (Some(*due), None),
            Reason::Impossible { .. } | Reason::Held => return (None, None),
            _ => {}
        }
    }
    let foreseen = foreseen(state);
    let latest = bound::latest_start(state, id);
    let reserved = state.floor.claims.get(&id).and_then(|claim| claim.reserved);
    let reserved = reserved.map(|reserved| reserved.start.max(state.now));
    // Beyond what can be foreseen, the bound is the best estimate there is.
    (foreseen.or(reserved).into_iter().chain(latest).min(), latest)
}

/// Who starts when and where, until all who are asked for have or nothing more can be foreseen.
pub(super) fn starts(state: &mut State, asked: &[JobId]) -> Vec<Start> {
    let mut ends: BTreeSet<(Time, JobId)> =
        predicted_ends(state).into_iter().take(ENDS_MAX).collect();
    let mut asked: BTreeSet<JobId> = asked.iter().copied().collect();
    let mut now = state.now;
    let mut future = Future::new(state, &asked);
    let mut found = Vec::new();
    for _ in 0..ENDS_MAX {
        for (job, passed) in future.take_turns() {
            let trial = &future.trial;
            ends.insert((now + expected_length(trial.catalog, trial.jobs.known(job)), job));
            let tasks = trial.inside[&job].tasks.iter();
            let mut nodes: Vec<NodeId> = tasks.map(|(node, _)| *node).collect();
            nodes.dedup();
            found.push(Start { job, at: now, nodes, passed });
            asked.remove(&job);
        }
        if asked.is_empty() || future.tries == 0 {
            break;
        }
        let Some((end, job)) = ends.pop_first() else { break };
        now = now.max(end);
        let freed = future.trial.end(job);
        future.made_room(&freed);
    }
    found
}

/// What did not fit for one does not fit for others of its shape that may use the same
/// alternatives.
type Kind = (ShapeId, u64);

/// Everyone's turns, one end after the other.
struct Future<'a> {
    trial: Trial<'a>,
    /// What did not fit, and has not been helped since.
    vain: BTreeSet<Kind>,
    /// Placements that may still be tried.
    tries: usize,
}

impl<'a> Future<'a> {
    /// The first lines have turns, and those of the jobs that are asked for.
    fn new(state: &'a mut State, asked: &BTreeSet<JobId>) -> Future<'a> {
        let mut trial = Trial::new(state);
        let own = asked.iter().filter_map(|job| trial.jobs.known(*job).line).map(Source::Line);
        let own: BTreeSet<Source> = own.collect();
        let mut lines: Vec<(OrderKey, Source)> = (trial.sources.iter())
            .filter_map(|&source| Some((trial.place_of(trial.next_of(source)?.0), source)))
            .collect();
        lines.sort_unstable();
        let (mut of_shape, mut behind) = (BTreeMap::<ShapeId, usize>::new(), 0);
        let mut has_turns = |(at, key): (usize, OrderKey)| {
            let same = of_shape.entry(trial.jobs.known(key.job).line_shape()).or_default();
            *same += 1;
            let is_rare = at >= LINES_MAX && *same <= OF_SHAPE_MAX && behind < LINES_MAX;
            behind += usize::from(is_rare);
            at < LINES_MAX || is_rare
        };
        let lines = lines.into_iter().enumerate();
        let lines = lines.filter(|&(at, (key, line))| has_turns((at, key)) || own.contains(&line));
        trial.sources = lines.map(|(_, (_, line))| line).collect();
        Future { trial, vain: BTreeSet::new(), tries: TRIES_MAX }
    }

    /// Everyone who waits gets a turn, as in a pass: who is let in, in order, each with those who
    /// had a turn before it in vain.
    fn take_turns(&mut self) -> Vec<(JobId, Vec<JobId>)> {
        let claims = self.trial.claims;
        let (mut let_in, mut blocked) = (Vec::new(), Vec::new());
        // The floor comes first: those it holds nodes for.
        for (&claimer, claim) in claims {
            if self.trial.inside.contains_key(&claimer) {
                continue;
            }
            if self.tries_to_let_in(claimer) {
                let_in.push((claimer, blocked.clone()));
                // What was held for it and it does not need is anybody's.
                self.made_room(&claim.nodes);
            } else {
                blocked.push(claimer);
            }
        }
        let sources = self.trial.sources.iter();
        let mut heads: BTreeSet<(OrderKey, Source)> =
            sources.filter_map(|&source| self.trial.head(source)).collect();
        let (mut seen, before) = (BTreeSet::new(), let_in.len());
        // Ends because a head that fails is gone for this turn, and each start takes one away.
        while let Some((key, source)) = heads.pop_first() {
            // Those let in since may have changed its standing.
            if let_in.len() > before {
                let head = self.trial.head(source);
                if head != Some((key, source)) {
                    heads.extend(head);
                    continue;
                }
            }
            let kind = self.kind(key.job);
            if !self.vain.contains(&kind) && self.tries_to_let_in(key.job) {
                let_in.push((key.job, blocked.clone()));
                heads.extend(self.trial.head(source));
                continue;
            }
            if self.tries == 0 {
                break;
            }
            self.vain.insert(kind);
            if self.trial.rule.head_blocks {
                break;
            }
            if seen.insert(kind) && blocked.len() < PASSED_MAX {
                blocked.push(key.job);
            }
        }
        let_in
    }

    fn tries_to_let_in(&mut self, id: JobId) -> bool {
        if self.tries == 0 {
            return false;
        }
        self.tries -= 1;
        self.trial.let_in(id)
    }

    /// What the nodes that have room now might help is worth another try, as in a pass.
    fn made_room(&mut self, freed: &[NodeId]) {
        let (shapes, capacity) = (self.trial.shapes, self.trial.transaction.capacity());
        self.vain.retain(|&(shape, allowed)| {
            let shape = shapes.get(shape);
            // Several groups may fit in less room where they did not fit in more.
            shape.demand.groups.len() == 1 && retry::helped(capacity, shape, allowed, freed) == 0
        });
    }

    fn kind(&self, id: JobId) -> Kind {
        (self.trial.jobs.known(id).line_shape(), self.trial.standing(id).allowed)
    }
}
