//! Every action of the engine: judged as it is taken, and taken in.

use std::collections::BTreeMap;

use muster_engine::action::{Action, JobState};
use muster_model::{Attempt, JobId, NodeId};

use crate::checker::Checker;
use crate::promise::pause::Order;
use crate::promise::{
    attempt, booking, changed, elastic, exclusive, gang, lifecycle, no_lost_job, outcome, pause,
    taken, tier, topology, waits,
};
use crate::shadow::{Job, Resize, Start};
use crate::step::Step;
use crate::violation::Findings;

impl Checker {
    /// Judges and takes in one action.
    pub(super) fn acted(
        &mut self,
        action: &Action,
        starts: &BTreeMap<(JobId, Attempt), Start>,
        step: &mut Step<'_>,
        found: &mut Findings,
    ) {
        match action {
            Action::Launch { job, attempt, .. } => {
                if let Some(start) = starts.get(&(*job, *attempt)) {
                    self.launched(start, step, found);
                }
            }
            Action::Moved { job, attempt, state } => {
                let start = starts.get(&(*job, *attempt));
                if let Some(start) = start.filter(|_| *state == JobState::Launching) {
                    self.launched(start, step, found);
                }
                self.moved((*job, *attempt, *state), start.is_some(), step, found);
            }
            Action::Stop { node, job, attempt, .. } => {
                self.stopped((*node, *job, *attempt), step, found);
            }
            Action::Pause { node, job, attempt, order: number, rung } => {
                let (node, job, number, rung) = (*node, *job, *number, *rung);
                let order = Order { node, job, number, rung, is_down: true };
                pause::ordered(&self.shadow, step.command, order, found);
                self.shadow.ordered(order, *attempt);
            }
            Action::Resume { node, job, attempt, order: number, rung } => {
                let (node, job, number, rung) = (*node, *job, *number, *rung);
                let order = Order { node, job, number, rung, is_down: false };
                pause::ordered(&self.shadow, step.command, order, found);
                self.shadow.ordered(order, *attempt);
            }
            Action::Signal { node, job, attempt, .. } => {
                attempt::signalled(&self.shadow, (*node, *job, *attempt), found);
            }
            Action::Resize { node, job, attempt, resize, tasks } => {
                let (job, attempt, node, resize) = (*job, *attempt, *node, *resize);
                self.resized(Resize { node, job, attempt, resize, tasks }, step, found);
            }
            Action::Amended { job, spec } => {
                changed::amended(&self.shadow, step.command, (*job, spec), found);
                self.shadow.amended(*job, spec);
            }
            Action::Accepted { .. }
            | Action::Rejected { .. }
            | Action::NodeAccepted { .. }
            | Action::Previewed { .. } => {}
        }
    }

    /// Judges and takes in a whole start at its first launch.
    fn launched(&mut self, start: &Start, step: &mut Step<'_>, found: &mut Findings) {
        if step.launched.contains(&(start.job, start.attempt)) {
            return;
        }
        if !no_lost_job::is_known(&self.shadow, start.job, "was launched", found) {
            return;
        }
        let shadow = &self.shadow;
        let job = &shadow.jobs[&start.job];
        lifecycle::launched(job, found);
        waits::launched(shadow, job, found);
        attempt::launched(job, start, found);
        gang::launched(job, start, found);
        exclusive::launched(shadow, job, start, found);
        topology::launched(shadow, job, start, found);
        booking::launched(shadow, job, start, found);
        // Whom room was made for has it, whoever comes back or waits meanwhile.
        self.moves.launched(start, found);
        if !self.moves.is_open(start.job) && !self.planned.contains(&start.job) {
            tier::launched(shadow, job, &mut self.overtakings);
            self.repairs.launched(job, start);
        }
        self.shadow.begin(start);
        exclusive::shared(&self.shadow, start, found);
        step.launched.push((start.job, start.attempt));
    }

    /// Judges and takes in what a resize asks of one node.
    fn resized(&mut self, resize: Resize<'_>, step: &mut Step<'_>, found: &mut Findings) {
        if !no_lost_job::is_known(&self.shadow, resize.job, "was resized", found) {
            return;
        }
        // What was due before a lease ended may be worked off first, and then the attempt is over.
        if self.shadow.jobs[&resize.job].has_lost_a_part() {
            return;
        }
        elastic::asked(&self.shadow, &resize, step, found);
        let added = self.shadow.added_by(&resize);
        let job = &self.shadow.jobs[&resize.job];
        exclusive::launched(&self.shadow, job, &added, found);
        self.shadow.resize(&resize);
        exclusive::shared(&self.shadow, &added, found);
    }

    fn moved(
        &mut self,
        (id, attempt, state): (JobId, Attempt, JobState),
        starts: bool,
        step: &mut Step<'_>,
        found: &mut Findings,
    ) {
        if !no_lost_job::is_known(&self.shadow, id, "moved", found) {
            return;
        }
        let shadow = &self.shadow;
        let job = &shadow.jobs[&id];
        attempt::moved(job, attempt, found);
        lifecycle::moved(job, state, starts, found);
        gang::moved(job, state, found);
        pause::moved(job, state, found);
        if let JobState::Ended(outcome) = state {
            outcome::ended(shadow, job, outcome, found);
        }
        let goes_on = matches!(state, JobState::Launching | JobState::Running | JobState::Resuming);
        if !goes_on && state != JobState::Paused {
            taken::ending(shadow, step, job, &mut self.taken, found);
        }
        self.repairs.moved(job, state);
        match state {
            JobState::Stopping => step.stopping.push(id),
            JobState::Paused => self.shadow.suspend(id),
            JobState::Resuming => self.resumed(id, found),
            _ => {}
        }
        self.shadow.set_state(id, state);
    }

    fn stopped(
        &mut self,
        (node, id, attempt): (NodeId, JobId, Attempt),
        step: &Step<'_>,
        found: &mut Findings,
    ) {
        // Telling a node to stop what it has no part in takes nothing from anyone.
        let has_part =
            |job: &&Job| job.run.as_ref().is_some_and(|run| run.parts.contains_key(&node));
        let current = self.shadow.jobs.get(&id).filter(|job| job.attempt == attempt);
        if let Some(job) = current.filter(has_part) {
            taken::ending(&self.shadow, step, job, &mut self.taken, found);
        }
        let job = self.shadow.jobs.get_mut(&id);
        if let Some(part) = job.and_then(|job| job.live_part(node, attempt)) {
            part.is_stopped = true;
        }
    }

    /// Judges and takes in that a suspended job holds its place again.
    fn resumed(&mut self, id: JobId, found: &mut Findings) {
        let Some(start) = self.shadow.start_again(id) else { return };
        exclusive::launched(&self.shadow, &self.shadow.jobs[&id], &start, found);
        booking::launched(&self.shadow, &self.shadow.jobs[&id], &start, found);
        self.shadow.hold_again(&start);
        exclusive::shared(&self.shadow, &start, found);
    }
}
