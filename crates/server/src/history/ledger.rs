//! What the accounting is told of an entry: what is held and owned from now on, what attempts do
//! instead of computing, when they saved, and why what they did is lost.

use muster_api::view::Outcome;
use muster_engine::action::{Action, JobState};
use muster_engine::command::{Command, Exit};
use muster_engine::snapshot::Then;
use muster_model::{Attempt, JobId, NodeId, Time};
use muster_store::history::{
    AttemptOver, CapacityRow, Cause, Change, HeldPlace, HoldingRow, OverheadRow, SavedRow,
    ScatteredRow,
};

use super::Telling;
use crate::control::{Applied, Control, Worth};
use crate::entry::Entry;

/// What is true, to begin with.
pub(crate) struct Standing {
    pub(crate) holdings: Vec<HoldingRow>,
    pub(crate) capacity: Vec<CapacityRow>,
    pub(crate) apart: Vec<ScatteredRow>,
}

/// What is true now.
pub(crate) fn standing(control: &Control, now: Time) -> Standing {
    let nodes = control.node_names().filter_map(|(_, node)| capacity(control, now, node));
    Standing {
        holdings: control.holders().into_iter().map(|job| holding(control, now, job)).collect(),
        capacity: nodes.collect(),
        apart: control.kept_apart().map(|job| scattered(control, now, job)).collect(),
    }
}

fn scattered(control: &Control, now: Time, job: JobId) -> ScatteredRow {
    let gpus = control.apart(job).iter().map(|(model, gpus)| (model.to_string(), gpus * 1000));
    ScatteredRow { job_id: job.0, at_ms: now.0, gpus: gpus.collect() }
}

fn holding(control: &Control, now: Time, job: JobId) -> HoldingRow {
    let (attempt, held) = control.holding(job);
    let place = |(node, gpus): (NodeId, u64)| HeldPlace {
        node: control.node_name(node).to_string(),
        model: control.node_model(node),
        gpus,
    };
    let places = held.into_iter().map(place).collect();
    HoldingRow { job_id: job.0, attempt: u64::from(attempt.0), at_ms: now.0, places }
}

fn capacity(control: &Control, now: Time, node: NodeId) -> Option<CapacityRow> {
    let Worth { node, gpus, model, unusable_milli, why } = control.worth(node)?;
    let (unusable, why) = (unusable_milli, why.to_owned());
    Some(CapacityRow { node, at_ms: now.0, gpus, model, unusable, why })
}

impl Telling<'_> {
    /// Whose books changed, and how.
    pub(super) fn books(&mut self, applied: &Applied) {
        for job in &applied.books.held {
            if self.control.job(*job).is_some() {
                self.changes.push(Change::Holding(holding(self.control, self.now, *job)));
            }
        }
        if let Some((job, since)) = applied.books.restored {
            self.restored(job, since);
        }
        for job in &applied.books.apart {
            self.changes.push(Change::Scattered(scattered(self.control, self.now, *job)));
        }
        for node in &applied.books.worth {
            self.changes.extend(capacity(self.control, self.now, *node).map(Change::Capacity));
        }
    }

    /// What an attempt does instead of computing.
    pub(super) fn overhead(&mut self, job: JobId, attempt: Attempt, state: JobState) {
        let kind = match state {
            JobState::Pausing => Some("saving"),
            JobState::Resuming => Some("restoring"),
            _ => None,
        };
        // Who was never asked to give way has nothing to take back.
        if kind.is_none() && !self.control.was_paused(job) {
            return;
        }
        let (attempt, kind) = (u64::from(attempt.0), kind.map(ToOwned::to_owned));
        let row = OverheadRow { job_id: job.0, attempt, at_ms: self.now.0, kind };
        self.changes.push(Change::Overhead(row));
    }

    /// An attempt has read its checkpoint, and computes. Only now it is known that it did not
    /// before.
    fn restored(&mut self, job: JobId, since: Time) {
        let attempt = self.control.job(job).map_or(0, |known| u64::from(known.attempt.0));
        for (at, kind) in [(since, Some("restoring".to_owned())), (self.now, None)] {
            let row = OverheadRow { job_id: job.0, attempt, at_ms: at.0, kind };
            self.changes.push(Change::Overhead(row));
        }
    }

    /// A program says that its work is saved.
    pub(super) fn saved(&mut self, command: &Command) {
        let Command::Saved { job, attempt } = command else { return };
        let row = SavedRow { job_id: job.0, attempt: u64::from(attempt.0), at_ms: self.now.0 };
        self.changes.push(Change::Saved(row));
    }

    /// An attempt is about to end, and it is known why; or it is over, and its job is at another
    /// one already.
    pub(super) fn doomed(&mut self, action: &Action) {
        let Action::Moved { job, attempt, state } = *action else { return };
        let Some(known) = self.control.job(job) else { return };
        let is_over = known.attempt != attempt && attempt.0 > 0;
        if state != JobState::Stopping && !is_over {
            return;
        }
        let gave_way = if is_over { self.control.gave_way(self.now, job) } else { None };
        let lost = if is_over { Some(self.again(job)) } else { self.stopping(job) };
        let outcome = if lost == Some(Cause::Paused) { "preempted" } else { "again" };
        self.changes.push(Change::Over(AttemptOver {
            job_id: job.0,
            attempt: u64::from(attempt.0),
            ended_ms: is_over.then_some(self.now.0),
            outcome: is_over.then(|| outcome.to_owned()),
            note: gave_way,
            lost,
        }));
    }

    /// Why what an attempt did is lost that is being ended.
    fn stopping(&self, job: JobId) -> Option<Cause> {
        match self.control.follows(job)? {
            Then::End(outcome) => of_outcome(Some(outcome.into())),
            Then::Again => Some(self.again(job)),
        }
    }

    /// Why what an attempt did is lost that is over.
    pub(super) fn cause(&self, job: JobId, outcome: Option<Outcome>) -> Option<Cause> {
        match outcome {
            None => Some(self.again(job)),
            outcome => of_outcome(outcome),
        }
    }

    /// Why an attempt is followed by another: it gave way, it broke, or it was asked to.
    fn again(&self, job: JobId) -> Cause {
        let broke = |exit: &Exit| !exit.is_success() && *exit != Exit::Stopped;
        let says = match self.entry {
            Entry::Told(Command::Ended { job: of, exit, .. }) if *of == job => broke(exit),
            _ => false,
        };
        let Some(known) = self.control.evidence(job) else { return Cause::Failed };
        if known.gave_way {
            return Cause::Paused;
        }
        let is_broken = says || known.exit.as_ref().is_some_and(broke);
        let is_lost = known.lost_node || self.shaken.contains(&job);
        if is_broken || is_lost { Cause::Failed } else { Cause::Paused }
    }
}

/// Why what an attempt did is lost that ended its job.
fn of_outcome(outcome: Option<Outcome>) -> Option<Cause> {
    match outcome? {
        Outcome::Completed => None,
        Outcome::Cancelled => Some(Cause::Cancelled),
        _ => Some(Cause::Failed),
    }
}
