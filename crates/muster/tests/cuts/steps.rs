//! Steps in this world: somebody starts them in jobs that run, and their tasks come and go.

use muster_agent::mind::{FoundStep, Happening};
use muster_api::step::{StepRequest, StepSize, StepTask};
use muster_engine::command::{Exit, Running};
use muster_model::JobId;

use crate::agenda::Event;
use crate::node::Node;
use crate::world::{JOBS, World};

/// A task of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct StepTaskOf {
    pub(crate) of: Running,
    pub(crate) step: u32,
    pub(crate) rank: u32,
}

/// It as the machine has it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StepTruth {
    pub(crate) is_up: bool,
    exit: Option<Exit>,
}

impl Node {
    pub(crate) fn live_steps(&self) -> Vec<StepTaskOf> {
        let alive = self.steps.iter().filter(|(_, task)| task.is_up && task.exit.is_none());
        alive.map(|(task, _)| *task).collect()
    }

    /// The steps that a new agent finds of an attempt.
    pub(crate) fn found_steps(&self, of: Running) -> Vec<FoundStep> {
        let mut found: Vec<FoundStep> = Vec::new();
        for (task, truth) in self.steps.iter().filter(|(task, _)| task.of == of) {
            let end = (task.rank, truth.exit);
            match found.iter_mut().find(|known| known.step == task.step) {
                Some(known) => known.tasks.push(end),
                None => found.push(FoundStep { step: task.step, tasks: vec![end], signal: 0 }),
            }
        }
        found
    }
}

impl World {
    /// Some job gets a step, if it runs; the server says whether.
    pub(crate) fn start_step(&mut self) {
        if self.submitted < JOBS || self.jobs.keys().any(|job| !self.server.has_ended(*job)) {
            let later = 10 + self.agenda.below(100);
            self.agenda.after(later, Event::StartStep);
        }
        if !self.server.is_up || self.jobs.is_empty() {
            return;
        }
        let open: Vec<JobId> =
            self.jobs.keys().filter(|job| !self.server.has_ended(**job)).copied().collect();
        if open.is_empty() {
            return;
        }
        let which = usize::try_from(self.agenda.below(open.len() as u64)).expect("it is small");
        let tasks = 1 + u32::try_from(self.agenda.below(3)).expect("it is small");
        let size = StepSize { tasks: Some(tasks), ..StepSize::default() };
        let overlap = self.agenda.percent(30);
        let exact = self.agenda.percent(30);
        let kill_on_bad_exit = self.agenda.percent(50);
        let step = StepRequest { size, overlap, exact, kill_on_bad_exit, ..StepRequest::default() };
        let now = self.now();
        self.server.step(now, open[which], step);
    }

    pub(crate) fn launch_step(&mut self, node: usize, of: Running, step: u32, tasks: &[StepTask]) {
        let life = self.nodes[node].life;
        for rank in tasks.iter().map(|task| task.rank) {
            let task = StepTaskOf { of, step, rank };
            self.nodes[node].steps.insert(task, StepTruth { is_up: false, exit: None });
            let later = 1 + self.agenda.below(40);
            self.agenda.after(later, Event::StepLaunches { node, life, task });
        }
    }

    pub(crate) fn step_launches(&mut self, number: usize, life: u32, task: StepTaskOf) {
        let now_ms = self.agenda.now_ms;
        let node = &mut self.nodes[number];
        let has_ended = node.lease_ms <= now_ms;
        let Some(truth) = node.steps.get_mut(&task).filter(|truth| !truth.is_up) else { return };
        let StepTaskOf { of, step, rank } = task;
        if has_ended {
            node.steps.remove(&task);
            let (exit, detail) = (Exit::Code(2), "the lease has ended".to_owned());
            let happening = Happening::StepEnded { of, step, rank, exit, detail };
            self.agenda.after(0, Event::Happens { node: number, life, happening });
            return;
        }
        truth.is_up = true;
        self.steps_run += 1;
        if node.is_up && node.life == life {
            node.mind.happened(now_ms, Happening::StepLaunched { of, step, rank });
        }
        let runs_ms = 5 + self.agenda.below(2_000);
        let exit = Exit::Code(i32::from(self.agenda.percent(20)));
        self.agenda.after(runs_ms, Event::StepEnds { node: number, task, exit });
    }

    pub(crate) fn step_ends(&mut self, number: usize, task: StepTaskOf, exit: Exit) {
        let node = &mut self.nodes[number];
        let is_alive = |truth: &&mut StepTruth| truth.is_up && truth.exit.is_none();
        let Some(truth) = node.steps.get_mut(&task).filter(is_alive) else { return };
        truth.exit = Some(exit);
        let (life, later) = (node.life, self.agenda.below(5));
        let (StepTaskOf { of, step, rank }, detail) = (task, String::new());
        let happening = Happening::StepEnded { of, step, rank, exit, detail };
        self.agenda.after(later, Event::Happens { node: number, life, happening });
    }

    /// Most end when they are asked, all when they are forced.
    pub(crate) fn signal_step(
        &mut self,
        node: usize,
        (of, step): (Running, u32),
        ranks: &[u32],
        signal: u8,
    ) {
        if signal != 9 && !self.agenda.percent(80) {
            return;
        }
        for rank in ranks.iter().copied() {
            let (task, exit) = (StepTaskOf { of, step, rank }, Exit::Signal(signal));
            let later = 1 + self.agenda.below(30);
            self.agenda.after(later, Event::StepEnds { node, task, exit });
        }
    }
}
