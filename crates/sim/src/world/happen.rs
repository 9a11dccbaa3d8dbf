//! What happens when an event of the agenda is due.

use muster_engine::action::TaskPlace;
use muster_engine::command::{Command, Exit, Refusal};
use muster_model::{Attempt, JobId, Millis, Name, NodeId};

use super::agenda::{Event, Message};
use super::node::{Part, Phase};
use super::{Plan, World};
use crate::error::SimError;

/// Reports are remembered for mischance; more than these would only make it rarer.
const REPORTS_MAX: usize = 64;

impl World {
    pub(super) fn happen(&mut self, event: Event) -> Result<(), SimError> {
        match event {
            Event::Submit(spec, plan) => self.submit(*spec, plan).map(|_| ()),
            Event::Delivered { node, connection, message } => {
                let target = self.nodes.get(&node).expect("messages go to nodes that joined");
                if target.connection != connection || target.cut_off.is_some() {
                    return Ok(());
                }
                match message {
                    Message::Launch { job, attempt, tasks } => {
                        self.launch(node, job, attempt, &tasks)
                    }
                    Message::Stop { job, attempt, grace } => {
                        self.stop(node, job, attempt, grace);
                        Ok(())
                    }
                    Message::Resize { job, attempt, resize, tasks } => {
                        self.resize(node, (job, attempt), resize, &tasks)
                    }
                    Message::Order { job, attempt, order, rung, down } => {
                        self.ordered((node, job, attempt), order, rung, down);
                        Ok(())
                    }
                }
            }
            Event::Up { node, job, attempt } => {
                self.up(node, job, attempt);
                Ok(())
            }
            Event::Resized { node, job, attempt, resize } => {
                self.resized(node, job, attempt, resize);
                Ok(())
            }
            Event::Over { node, job, attempt, exit } => {
                self.over(node, job, attempt, exit);
                Ok(())
            }
            Event::Done { node, job, attempt, turn } => {
                self.done(node, job, attempt, turn);
                Ok(())
            }
            Event::Carried { node, job, attempt, order, rung, down } => {
                self.carried((node, job, attempt), order, rung, down)
            }
            Event::Saves { node, job, attempt } => {
                self.saves(node, job, attempt);
                Ok(())
            }
            Event::Report(command) => self.tell(&command).map(|_| ()),
            Event::Noticed { node, connection } => self.notice(node, connection),
            Event::NoticedTogether(lost) => self.notice_together(&lost),
            Event::LeaseEnds { node, connection } => {
                self.end_lease(node, connection);
                Ok(())
            }
            Event::Back { node, connection } => self.come_back(node, connection),
            Event::ClockGoesOn => {
                self.standing = self.standing.filter(|standing| standing.until > self.now);
                Ok(())
            }
            Event::Mishap => self.mishap(),
        }
    }

    /// The agent is asked to launch. Here the truth is checked: nobody else may be on these
    /// GPUs, and no other attempt of the job anywhere.
    fn launch(
        &mut self,
        node: NodeId,
        job: JobId,
        attempt: Attempt,
        tasks: &[TaskPlace],
    ) -> Result<(), SimError> {
        self.check_alone(node, job, attempt, tasks)?;
        if let Some(refusal) = self.refusal(job) {
            self.report(node, Command::Refused { node, job, attempt, refusal });
            return Ok(());
        }
        self.parts(node).insert((job, attempt), Part::coming(tasks.to_vec()));
        if !self.happens(self.faults.hang) {
            let takes = self.span(Millis::seconds(1), Millis::seconds(4));
            self.agenda.plan(self.now + takes, Event::Up { node, job, attempt });
        }
        Ok(())
    }

    /// Whether and why a launch is refused. A job at fault is mostly so again.
    pub(super) fn refusal(&mut self, job: JobId) -> Option<Refusal> {
        let again = if self.faulty.contains(&job) { 700 } else { 0 };
        if self.happens(again) {
            return Some(Refusal::Job(Name::from("no-such-folder")));
        }
        if !self.happens(self.faults.refuse) {
            return None;
        }
        if self.happens(500) {
            return Some(Refusal::Node(Name::from("disk-full")));
        }
        self.faulty.insert(job);
        Some(Refusal::Job(Name::from("no-such-folder")))
    }

    pub(super) fn check_alone(
        &self,
        node: NodeId,
        job: JobId,
        attempt: Attempt,
        tasks: &[TaskPlace],
    ) -> Result<(), SimError> {
        let crowded = tasks.iter().find_map(|task| self.nodes[&node].crowded((job, attempt), task));
        if let Some(gpu) = crowded {
            let what = format!("job {job} is launched on GPU {gpu} of node {node}, which is taken");
            return Err(self.untrue(what));
        }
        for (place, other) in &self.nodes {
            let old = other.parts.keys().find(|(known, old)| *known == job && *old != attempt);
            if let Some((_, old)) = old {
                return Err(self.untrue(format!(
                    "attempt {attempt} of job {job} is launched while attempt {old} is on node \
                     {place}"
                )));
            }
        }
        Ok(())
    }

    fn up(&mut self, node: NodeId, job: JobId, attempt: Attempt) {
        match self.parts(node).get_mut(&(job, attempt)) {
            Some(part) if part.phase == Phase::Coming => part.phase = Phase::Running,
            _ => return,
        }
        self.report(node, Command::Started { node, job, attempt });
        self.run(node, job, attempt);
    }

    /// From now on the tasks compute, until their true end or an early one.
    pub(super) fn run(&mut self, node: NodeId, job: JobId, attempt: Attempt) {
        let Plan { mut duration, mut exit } = self.plans[&job];
        // Who joins an attempt later is done with the rest.
        duration = self.left_elsewhere(job, attempt).map_or(duration, |left| left.min(duration));
        if self.happens(self.faults.crash) {
            duration = self.span(Millis(1), duration);
            exit = if self.happens(500) { Exit::Code(1) } else { Exit::OutOfMemory };
        }
        let jitter = self.span(Millis(0), Millis(300));
        let part = self.parts(node).get_mut(&(job, attempt)).expect("what computes is there");
        part.left = duration + jitter;
        part.exit = exit;
        self.compute(node, job, attempt);
        self.plan_save(node, job, attempt);
    }

    /// The agent is asked to end an attempt: it forgets one that has not come up, gives a
    /// running one its grace, and says of one it does not have that it is over. It may have
    /// lost the launch, and the engine waits for its word.
    fn stop(&mut self, node: NodeId, job: JobId, attempt: Attempt, grace: Millis) {
        let Some(part) = self.parts(node).get_mut(&(job, attempt)) else {
            let exit = self.nodes[&node].exit_of(job, attempt);
            self.report(node, Command::Ended { node, job, attempt, exit });
            return;
        };
        let takes = match part.phase {
            Phase::Going => return,
            Phase::Coming => Millis(0),
            Phase::Running | Phase::Frozen | Phase::Suspended => {
                // What is ended in host memory does not go back onto its GPUs for it.
                if part.phase == Phase::Suspended {
                    part.tasks.clear();
                }
                part.phase = Phase::Going;
                self.span(Millis(0), grace)
            }
        };
        let event = Event::Over { node, job, attempt, exit: Exit::Stopped };
        self.agenda.plan(self.now + takes, event);
    }

    pub(super) fn over(&mut self, node: NodeId, job: JobId, attempt: Attempt, exit: Exit) {
        if self.parts(node).remove(&(job, attempt)).is_some() {
            let place = self.nodes.get_mut(&node).expect("it was just there");
            place.over.insert((job, attempt));
            place.note_end(job, attempt, exit);
            self.report(node, Command::Ended { node, job, attempt, exit });
        }
    }

    pub(super) fn parts(
        &mut self,
        node: NodeId,
    ) -> &mut std::collections::BTreeMap<(JobId, Attempt), Part> {
        &mut self.nodes.get_mut(&node).expect("events are of nodes that joined").parts
    }

    /// A node says something. Out of sight, it is lost or kept for later; else it is on its
    /// way, perhaps late, perhaps twice.
    pub(super) fn report(&mut self, node: NodeId, command: Command) {
        if self.nodes[&node].cut_off.is_some() {
            if self.happens(500) {
                let node = self.nodes.get_mut(&node).expect("it was just there");
                node.unsent.push(command);
            }
            return;
        }
        self.post(command.clone());
        if self.happens(self.faults.twice) {
            self.post(command);
        }
    }

    /// Puts a report on its way.
    pub(super) fn post(&mut self, command: Command) {
        let takes = match self.happens(self.faults.late) {
            true => self.span(Millis::seconds(2), Millis::minutes(6)),
            false => self.span(Millis(50), Millis(400)),
        };
        if self.reports.len() == REPORTS_MAX {
            let oldest = self.one_of(REPORTS_MAX);
            self.reports.swap_remove(oldest);
        }
        self.reports.push(command.clone());
        self.agenda.plan(self.now + takes, Event::Report(command));
    }
}
