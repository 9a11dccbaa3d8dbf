//! What goes wrong by chance, and what users and operators do at odd moments.

use muster_engine::command::Command;
use muster_model::{Attempt, Estimate, GpuSet, JobId, JobSpec, Millis, NodeId};

use super::World;
use super::agenda::Event;
use crate::error::SimError;

impl World {
    /// Lets each kind of mishap happen by its chance, and plans the next moment for some.
    pub(super) fn mishap(&mut self) -> Result<(), SimError> {
        let faults = self.faults;
        if self.happens(faults.cut_off)
            && let Some(node) = self.any_node_in_sight()
        {
            self.cut_off(node);
        }
        if self.happens(faults.cut_off_domain)
            && let Some(node) = self.any_node_in_sight()
        {
            self.cut_off_around(node);
        }
        if self.happens(faults.restart)
            && let Some(node) = self.any_node_in_sight()
        {
            self.restart_agent(node)?;
        }
        if self.happens(faults.drain)
            && let Some(node) = self.any_node_in_sight()
        {
            self.toggle_drain(node)?;
        }
        if self.happens(faults.book) {
            self.book()?;
        }
        if self.happens(faults.health)
            && let Some(node) = self.any_node_in_sight()
        {
            self.toggle_health(node)?;
        }
        if self.happens(faults.request) {
            self.request()?;
        }
        if self.happens(faults.stand_still) {
            let until = self.now + self.span(Millis::seconds(5), Millis::minutes(8));
            self.stop_clock(until);
            self.agenda.plan(until, Event::ClockGoesOn);
        }
        if self.happens(faults.replay) && !self.reports.is_empty() {
            let report = self.one_of(self.reports.len());
            let report = self.reports[report].clone();
            self.tell(&report)?;
        }
        let pause = self.span(Millis(faults.every.0 / 2), Millis(faults.every.0 * 3 / 2));
        self.agenda.plan(self.now + pause, Event::Mishap);
        Ok(())
    }

    pub(super) fn toggle_drain(&mut self, node: NodeId) -> Result<(), SimError> {
        let target = self.nodes.get_mut(&node).expect("only nodes that joined are drained");
        target.drained = !target.drained;
        let command = match target.drained {
            true => Command::NodeDrained { node },
            false => Command::NodeResumed { node },
        };
        self.tell(&command).map(|_| ())
    }

    fn toggle_health(&mut self, node: NodeId) -> Result<(), SimError> {
        let gpus = self.nodes[&node].spec.gpus;
        if gpus == 0 {
            return Ok(());
        }
        let which = self.one_of(usize::try_from(gpus).expect("a node has few GPUs"));
        let gpu = u32::try_from(which).expect("a node has few GPUs");
        self.set_health(node, gpu, self.nodes[&node].unhealthy.contains(GpuSet::one(gpu)))
    }

    pub(super) fn set_health(
        &mut self,
        node: NodeId,
        gpu: u32,
        healthy: bool,
    ) -> Result<(), SimError> {
        let target = self.nodes.get_mut(&node).expect("only GPUs of known nodes are sick");
        let one = GpuSet::one(gpu);
        target.unhealthy =
            if healthy { target.unhealthy.minus(one) } else { target.unhealthy.or(one) };
        let command = match healthy {
            true => Command::GpuHealthy { node, gpu },
            false => Command::GpuUnhealthy { node, gpu },
        };
        self.tell(&command).map(|_| ())
    }

    /// An attempt says how it gets on, sometimes one that is over.
    fn progress_of(&mut self, job: JobId) -> Command {
        let attempt = self.latest_of(job);
        let rate = u32::try_from(self.one_of(5000)).expect("a small number");
        let done = u32::try_from(self.one_of(1_000_001)).expect("a small number");
        let done_ppm = if self.happens(500) { Some(done) } else { None };
        Command::Progress { job, attempt, rate, done_ppm }
    }

    /// An attempt is said to compute nothing, or to compute again.
    fn idle_of(&mut self, job: JobId) -> Command {
        Command::Idle { job, attempt: self.latest_of(job), is_idle: self.happens(700) }
    }

    /// An array is given another throttle; a job another limit, and asks for what another live job
    /// asks for where that may be.
    fn amended(&mut self, job: JobId) -> Command {
        let element = self.engine().job(job).and_then(|record| record.element);
        if let Some((array, _)) = element.filter(|_| self.happens(500)) {
            return self.rethrottled(array, job);
        }
        let (nth, is_like) = (self.one_of(self.live.len()), self.happens(400));
        let spec_of = |job| self.engine().job(job).map(|record| JobSpec::clone(&record.spec));
        let like = self.live.iter().nth(nth).and_then(|&job| spec_of(job));
        let mut spec = spec_of(job).expect("a live job is known");
        if let Some(other) = like.filter(|_| is_like) {
            (spec.groups, spec.topology) = (other.groups, other.topology);
            (spec.scaling, spec.constraint) = (other.scaling, other.constraint);
            (spec.queue, spec.class, spec.after) = (other.queue, other.class, other.after);
        }
        spec.timing.limit = Some(self.span(Millis::minutes(1), Millis::hours(4)));
        spec.timing.warning = None;
        Command::Amend { job, spec: spec.into() }
    }

    fn rethrottled(&mut self, job: JobId, element: JobId) -> Command {
        let record = self.engine().job(element).expect("a live job is known");
        let mut spec = JobSpec::clone(&record.spec);
        let most = u32::try_from(self.one_of(5)).expect("a small number");
        let array = spec.array.as_mut().expect("it is an element of one");
        array.throttle = (most > 0).then_some(most);
        Command::Amend { job, spec: spec.into() }
    }

    /// The latest attempt of a job that a node knows of.
    fn latest_of(&self, job: JobId) -> Attempt {
        let parts = self.nodes.values().flat_map(|node| node.parts.keys());
        let attempts = parts.filter(|(other, _)| *other == job).map(|(_, attempt)| *attempt);
        attempts.max().unwrap_or(Attempt(1))
    }

    /// A user asks something of any live job.
    fn request(&mut self) -> Result<(), SimError> {
        let live: Vec<JobId> = self.live.iter().copied().collect();
        if live.is_empty() {
            return Ok(());
        }
        let job = live[self.one_of(live.len())];
        self.why(job)?;
        let command = match self.one_of(14) {
            0 => Command::Cancel { job },
            1 => Command::Hold { job },
            2..=4 => Command::Release { job },
            5 | 6 => Command::Requeue { job },
            7 | 8 => self.progress_of(job),
            9 | 10 => self.idle_of(job),
            11 | 12 => self.amended(job),
            _ => {
                let median = self.span(Millis::minutes(1), Millis::hours(4));
                let p90 = median + self.span(Millis(0), Millis::hours(4));
                Command::Estimated { job, estimate: Estimate { median, p90 } }
            }
        };
        self.tell(&command).map(|_| ())
    }
}
