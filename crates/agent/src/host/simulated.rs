//! A host that only pretends: every launch succeeds at once, tasks end when their time is over or
//! when they are told to. Thousands of them fit into one process.

use std::collections::BTreeMap;
use std::time::Duration;

use muster_api::LogOrder;
use muster_engine::command::{Exit, Running};
use tokio::sync::mpsc;
use tokio::task::AbortHandle;

use super::{Host, Output};
use crate::mind::{Happening, Order};

/// The pretending host.
#[derive(Debug)]
pub struct SimulatedHost {
    happenings: mpsc::Sender<Happening>,
    runs_for: Duration,
    tasks: BTreeMap<(Running, u32), AbortHandle>,
}

impl SimulatedHost {
    /// A host whose tasks run for so long.
    pub fn new(runs_for: Duration, happenings: mpsc::Sender<Happening>) -> SimulatedHost {
        SimulatedHost { happenings, runs_for, tasks: BTreeMap::new() }
    }

    fn launch(&mut self, of: Running, rank: u32) {
        let (happenings, runs_for) = (self.happenings.clone(), self.runs_for);
        let task = tokio::spawn(async move {
            // Nobody listens any more when the agent has gone.
            let _ = happenings.send(Happening::Launched { of, rank }).await;
            tokio::time::sleep(runs_for).await;
            let _ = happenings.send(Happening::Ended { of, rank, exit: Exit::Code(0) }).await;
        });
        self.tasks.insert((of, rank), task.abort_handle());
    }

    fn end(&mut self, of: Running, rank: u32, signal: u8) {
        if let Some(task) = self.tasks.remove(&(of, rank)) {
            task.abort();
            self.tell(Happening::Ended { of, rank, exit: Exit::Signal(signal) });
        }
    }

    fn tell(&self, happening: Happening) {
        let happenings = self.happenings.clone();
        tokio::spawn(async move {
            let _ = happenings.send(happening).await;
        });
    }
}

impl Host for SimulatedHost {
    fn carry_out(&mut self, order: Order) {
        match order {
            Order::Launch { of, run, tasks, .. } => {
                for rank in tasks.iter().map(|task| task.rank) {
                    match run.program.runs.holds(rank) {
                        true => self.tell(Happening::Launched { of, rank }),
                        false => self.launch(of, rank),
                    }
                }
            }
            Order::SignalFirst { .. } => {}
            Order::Signal { of, ranks, signal } => {
                // Signals that do not end a task change nothing in one that does nothing.
                if matches!(signal, 9 | 15) {
                    ranks.into_iter().for_each(|rank| self.end(of, rank, signal));
                }
            }
            Order::Release { of, ranks } => {
                for rank in ranks {
                    self.tell(Happening::Ended { of, rank, exit: Exit::Code(0) });
                }
            }
            // Steps of simulated jobs are over as soon as they begin.
            Order::LaunchStep { of, duty, tasks, .. } => {
                for rank in tasks.iter().map(|task| task.rank) {
                    let (step, exit, detail) = (duty.step, Exit::Code(0), String::new());
                    self.tell(Happening::StepLaunched { of, step, rank });
                    self.tell(Happening::StepEnded { of, step, rank, exit, detail });
                }
            }
            Order::SignalStep { .. } | Order::RememberStep { .. } | Order::ForgetStep { .. } => {}
            Order::Kill { of, ranks } => ranks.into_iter().for_each(|rank| self.end(of, rank, 9)),
            Order::Finish { of } => self.tell(Happening::Finished { of }),
            Order::Forget { of } => self.tasks.retain(|(known, _), _| *known != of),
            Order::Explain { .. }
            | Order::Left { .. }
            | Order::GiveUp { .. }
            | Order::Remember { .. }
            | Order::Lease { .. } => {}
        }
    }

    fn output(&self, _order: &LogOrder) -> Option<Output> {
        None
    }
}
