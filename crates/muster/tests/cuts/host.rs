//! The machines' side of the world: orders are carried out, tasks start and end, and launchers
//! heed the lease.

use muster_agent::mind::{Happening, Order};
use muster_engine::command::{Exit, Refusal, Running};
use muster_model::Name;

use crate::agenda::Event;
use crate::judge::ENDING_MS;
use crate::node::Truth;
use crate::world::{NODES, World};

impl World {
    /// Launchers end their tasks by themselves, a moment after the lease has ended.
    pub(crate) fn end_leases(&mut self) {
        let now_ms = self.agenda.now_ms;
        for node in 0..NODES {
            if self.nodes[node].lease_ms + ENDING_MS / 2 > now_ms {
                continue;
            }
            let has_launcher = |task: &Truth| task.is_alive() && !task.is_held;
            let tasks = self.nodes[node].tasks.iter().filter(|(_, task)| has_launcher(task));
            for (of, rank) in tasks.map(|(of, _)| *of).collect::<Vec<_>>() {
                self.task_ends(node, of, rank, Exit::Stopped);
            }
            for task in self.nodes[node].live_steps() {
                self.step_ends(node, task, Exit::Stopped);
            }
        }
    }

    pub(crate) fn carry_out(&mut self, number: usize) -> Result<(), String> {
        if !self.nodes[number].is_up {
            return Ok(());
        }
        for order in self.nodes[number].mind.take_orders() {
            let (life, node) = (self.nodes[number].life, &mut self.nodes[number]);
            match order {
                Order::Launch { of, run, tasks, is_growth } => {
                    let together: Vec<u32> = tasks.iter().map(|task| task.rank).collect();
                    for duty in tasks {
                        let (place, together) = (duty.place, together.clone());
                        let is_held = run.program.runs.holds(duty.rank);
                        let (is_up, exit) = (false, None);
                        let truth = Truth { place, together, is_growth, is_held, is_up, exit };
                        node.tasks.insert((of, duty.rank), truth);
                        let (rank, later) = (duty.rank, 1 + self.agenda.below(60));
                        let event = Event::Launches { node: number, life, of, rank };
                        self.agenda.after(later, event);
                    }
                }
                Order::Signal { of, ranks, signal: 15 } => {
                    if self.agenda.percent(80) {
                        self.end_soon(number, of, &ranks, Exit::Signal(15));
                    }
                }
                // That is noted at once: there is nothing to wait for.
                Order::Release { of, ranks } => {
                    ranks.iter().for_each(|rank| self.task_ends(number, of, *rank, Exit::Code(0)));
                }
                Order::Kill { of, ranks } => self.end_soon(number, of, &ranks, Exit::Signal(9)),
                Order::Left { of, rank } => drop(node.tasks.remove(&(of, rank))),
                Order::LaunchStep { of, duty, tasks, .. } => {
                    self.launch_step(number, of, duty.step, &tasks);
                }
                Order::SignalStep { of, step, ranks, signal } => {
                    self.signal_step(number, (of, step), &ranks, signal);
                }
                Order::Explain { .. } | Order::RememberStep { .. } => {}
                Order::ForgetStep { of, step } => {
                    node.steps.retain(|task, _| (task.of, task.step) != (of, step));
                }
                // No node of this world is given up.
                Order::GiveUp { .. } => {}
                Order::Remember { of, heard } => drop(node.heard.insert(of, heard)),
                Order::Finish { of } => {
                    let happening = Happening::Finished { of };
                    let later = 1 + self.agenda.below(20);
                    self.agenda.after(later, Event::Happens { node: number, life, happening });
                }
                Order::Forget { of } => {
                    let has_steps = node.live_steps().iter().any(|task| task.of == of);
                    if has_steps || node.alive().any(|(alive, _)| alive == of) {
                        return Err(format!("job {} is forgotten and runs", of.job.0));
                    }
                    node.tasks.retain(|(known, _), _| *known != of);
                    node.steps.retain(|task, _| task.of != of);
                }
                Order::Lease { until_ms } => node.lease_ms = until_ms,
                Order::Signal { .. } | Order::SignalFirst { .. } => {}
            }
        }
        Ok(())
    }

    fn end_soon(&mut self, node: usize, of: Running, ranks: &[u32], exit: Exit) {
        for rank in ranks.iter().copied() {
            let later = 1 + self.agenda.below(30);
            self.agenda.after(later, Event::Ends { node, of, rank, exit });
        }
    }

    /// A launcher starts its task, unless the agent that asked has fallen and another has found
    /// nothing to keep.
    pub(crate) fn launch(&mut self, number: usize, life: u32, of: Running, rank: u32) {
        let now_ms = self.agenda.now_ms;
        let node = &mut self.nodes[number];
        let has_ended = node.lease_ms <= now_ms;
        let Some(task) = node.tasks.get_mut(&(of, rank)).filter(|task| !task.is_up) else { return };
        if has_ended {
            node.tasks.remove(&(of, rank));
            let refusal = Refusal::Node(Name::from("lease-ended"));
            let detail = "the lease has ended".to_owned();
            let happening = Happening::NotLaunched { of, rank, refusal, detail };
            self.agenda.after(0, Event::Happens { node: number, life, happening });
            return;
        }
        task.is_up = true;
        let is_held = task.is_held;
        if node.is_up && node.life == life {
            node.mind.happened(now_ms, Happening::Launched { of, rank });
        }
        if is_held {
            return;
        }
        let most = if self.agenda.percent(30) { 8_000 } else { 500 };
        let runs_ms = 5 + self.agenda.below(most);
        self.agenda.after(runs_ms, Event::Ends { node: number, of, rank, exit: Exit::Code(0) });
    }

    pub(crate) fn task_ends(&mut self, number: usize, of: Running, rank: u32, exit: Exit) {
        let node = &mut self.nodes[number];
        let task = node.tasks.get_mut(&(of, rank)).filter(|task| task.is_alive());
        let Some(task) = task else { return };
        task.exit = Some(exit);
        let (life, later) = (node.life, self.agenda.below(5));
        let happening = Happening::Ended { of, rank, exit };
        self.agenda.after(later, Event::Happens { node: number, life, happening });
    }
}
