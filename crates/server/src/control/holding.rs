//! Jobs whose program runs in their first place only, or in none: the other places are held for
//! them, and let go when the program has ended or the owner says so.
//!
//! The engine knows nothing of this. It hears that every place has ended, and the outcome is that
//! of the first one.

use std::collections::BTreeSet;

use muster_api::{Reach, Runs};
use muster_engine::action::{Action, JobState};
use muster_engine::command::{Command, Exit};
use muster_engine::snapshot::Sight;
use muster_model::{Invalid, JobId, NodeId, Time};

use super::{Answer, Applied, Control, Job};
use crate::entry::Inside;

impl Control {
    /// What happens inside a job.
    pub(super) fn inside(&mut self, now: Time, inside: &Inside) -> Applied {
        match inside {
            Inside::Signalled { job, signal, to } => self.signal(*job, *signal, *to),
            Inside::Ended { job, exit } => self.end_held(*job, *exit),
            Inside::Step { job, request } => self.add_step(now, *job, request),
            Inside::StepSignalled { job, step, signal } => {
                self.signal_step(now, (*job, *step), *signal)
            }
            Inside::Told { node, report } => self.hear_step(now, *node, report),
        }
    }

    /// Sends a signal to the processes of a job that runs.
    fn signal(&mut self, job: JobId, signal: u8, to: Reach) -> Applied {
        // Its first task may run before all of its nodes have said so.
        let may_run = |known: &&Job| known.is_up() || known.state == JobState::Launching;
        let Some(known) = self.book.get(job).filter(may_run) else {
            return rejected("job", job, "expected a job that runs");
        };
        let of = (job, known.attempt);
        let nodes: BTreeSet<NodeId> = known.places.keys().copied().collect();
        for node in &nodes {
            self.duties.signal(*node, of, signal, to);
        }
        Applied { nodes, ..Applied::default() }
    }

    /// Ends a job that only holds its places.
    pub(super) fn end_held(&mut self, job: JobId, exit: Exit) -> Applied {
        let has_places = |known: &&Job| known.is_up() || known.state == JobState::Stopping;
        let Some(known) = self.book.get(job).filter(has_places) else {
            let allowed = "expected a job that has its places; cancel one that waits";
            return rejected("job", job, allowed);
        };
        if self.book.submitted(known).program.runs != Runs::Nowhere {
            let allowed = "expected a job that only holds its places; others end by themselves";
            return rejected("job", job, allowed);
        }
        let mut applied = Applied::default();
        if known.ending.is_none() && known.state != JobState::Stopping {
            self.let_go(job, exit, &mut applied.nodes);
        }
        applied
    }

    /// The end of a job's program lets go of what was held for it.
    pub(super) fn program_ended(&mut self, command: &Command, changed: &mut BTreeSet<NodeId>) {
        let Command::Ended { node, job, attempt, exit: exit @ Exit::Code(0) } = *command else {
            return;
        };
        let Some(known) = self.book.get(job).filter(|known| known.attempt == attempt) else {
            return;
        };
        let is_first = known.nodes_by_rank().first() == Some(&node);
        let runs = self.book.submitted(known).program.runs;
        let is_open = known.ending.is_none() && known.state != JobState::Stopping;
        if is_first && is_open && runs == Runs::First {
            self.let_go(job, exit, changed);
        }
    }

    /// Lets go of all places of a job, which has ended like this.
    fn let_go(&mut self, job: JobId, exit: Exit, changed: &mut BTreeSet<NodeId>) {
        let grace = self.engine.cluster().policy.stop_grace;
        let Some(known) = self.book.get_mut(job) else { return };
        known.ending = Some(exit);
        self.letting_go.insert(job);
        let of = (job, known.attempt);
        let nodes: Vec<NodeId> = known.places.keys().copied().collect();
        changed.extend(nodes.into_iter().filter(|node| self.duties.stop(*node, of, grace)));
    }

    /// What is held on a node whose lease has ended is let go with it. The engine would take it for
    /// lost and start the job again, whose program has ended; so it hears of the end before.
    pub(super) fn let_go_with_nodes(&mut self, now: Time, command: &Command) -> Vec<Action> {
        let mut gone = Vec::new();
        for known in self.letting_go.iter().filter_map(|job| self.book.get(*job)) {
            for node in known.places.keys().copied() {
                let ends = self.lease_of(node, command).filter(|ends| *ends <= now);
                gone.extend(ends.map(|ends| (ends, known.id, known.attempt, node)));
            }
        }
        gone.sort_unstable();
        let mut actions = Vec::new();
        for (ends, job, attempt, node) in gone {
            let ended = Command::Ended { node, job, attempt, exit: Exit::Code(0) };
            let before = Time(ends.0.saturating_sub(1)).max(self.engine.now());
            actions.extend(self.engine.step(before, self.as_the_job_ends(ended)));
        }
        actions
    }

    /// When the lease of a node ends that is out of sight, or will be with this command.
    fn lease_of(&self, node: NodeId, command: &Command) -> Option<Time> {
        let lost = match command {
            Command::NodeLost { node: lost, lease_ends } if *lost == node => Some(*lease_ends),
            Command::NodesLost { nodes, lease_ends } if nodes.contains(&node) => Some(*lease_ends),
            _ => None,
        };
        match self.engine.node(node)?.sight {
            Sight::Unknown { lease_ends } => Some(lost.map_or(lease_ends, |it| it.max(lease_ends))),
            Sight::Gone => None,
            Sight::Seen => lost,
        }
    }

    /// Places that were let go have ended as their job has: the first one with its exit, the others
    /// well, for there is nothing else to say of them.
    pub(super) fn as_the_job_ends(&self, command: Command) -> Command {
        let Command::Ended { node, job, attempt, exit } = command else { return command };
        let known = self.book.get(job).filter(|known| known.attempt == attempt);
        let Some((known, ending)) = known.and_then(|known| Some((known, known.ending?))) else {
            return command;
        };
        let is_first = known.nodes_by_rank().first() == Some(&node);
        let is_stopping = known.state == JobState::Stopping;
        let exit = match (is_stopping, is_first) {
            (true, _) => exit,
            (false, true) => ending,
            (false, false) => Exit::Code(0),
        };
        Command::Ended { node, job, attempt, exit }
    }

    /// Signals of the engine reach whom the job's program says.
    pub(super) fn reach(&self, action: &Action) -> Reach {
        let Action::Signal { job, .. } = action else { return Reach::All };
        let known = self.book.get(*job);
        known.map_or(Reach::All, |known| self.book.submitted(known).program.signals)
    }
}

pub(super) fn rejected(field: &str, given: impl std::fmt::Display, allowed: &str) -> Applied {
    let answer = Answer::Rejected(vec![Invalid::new(field, given.to_string(), allowed)]);
    Applied { answer, ..Applied::default() }
}
