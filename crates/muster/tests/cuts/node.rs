//! A node's side: the agent's mind, its requests, and the machine with what truly runs there.

use std::collections::BTreeMap;

use muster_agent::mind::{Found, FoundTask, Heard, Mind};
use muster_engine::action::TaskPlace;
use muster_engine::command::{Exit, Running};

use crate::steps::{StepTaskOf, StepTruth};

/// A task as the machine has it, whatever the agent knows.
#[derive(Clone, Debug)]
pub(crate) struct Truth {
    pub(crate) place: TaskPlace,
    pub(crate) together: Vec<u32>,
    pub(crate) is_growth: bool,
    /// Whether it is only a place, held without a program.
    pub(crate) is_held: bool,
    /// Whether its launcher has started it.
    pub(crate) is_up: bool,
    pub(crate) exit: Option<Exit>,
}

impl Truth {
    pub(crate) fn is_alive(&self) -> bool {
        self.is_up && self.exit.is_none()
    }
}

/// One node.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) name: String,
    pub(crate) mind: Mind,
    pub(crate) is_up: bool,
    pub(crate) life: u32,
    /// The number of the last announcement.
    pub(crate) announced: u64,
    /// Everything that its folders hold.
    pub(crate) tasks: BTreeMap<(Running, u32), Truth>,
    pub(crate) heard: BTreeMap<Running, Heard>,
    /// The tasks of steps.
    pub(crate) steps: BTreeMap<StepTaskOf, StepTruth>,
    /// The end of the lease as it is noted for launchers.
    pub(crate) lease_ms: u64,
    pub(crate) cut_until_ms: u64,
    pub(crate) asks: Asks,
}

/// The requests under way: when each is given up.
#[derive(Debug, Default)]
pub(crate) struct Asks {
    pub(crate) announce: Option<u64>,
    pub(crate) report: Option<u64>,
    pub(crate) listen: Option<u64>,
    /// The stream that is open.
    pub(crate) stream: Option<u64>,
    pub(crate) renew_at_ms: u64,
}

impl Node {
    pub(crate) fn new(number: usize, now_ms: u64) -> Node {
        Node {
            name: format!("n{number}"),
            mind: Mind::new(now_ms, Vec::new(), 0),
            is_up: true,
            life: 0,
            announced: 0,
            tasks: BTreeMap::new(),
            heard: BTreeMap::new(),
            steps: BTreeMap::new(),
            lease_ms: 0,
            cut_until_ms: 0,
            asks: Asks::default(),
        }
    }

    pub(crate) fn fall(&mut self) {
        self.is_up = false;
        self.life += 1;
    }

    /// A new agent finds what is there. What no launcher has begun with never was.
    pub(crate) fn rise(&mut self, now_ms: u64) {
        self.tasks.retain(|_, task| task.is_up);
        self.steps.retain(|_, task| task.is_up);
        let mut attempts: BTreeMap<Running, Vec<(u32, Truth)>> = BTreeMap::new();
        for ((of, rank), task) in &self.tasks {
            attempts.entry(*of).or_default().push((*rank, task.clone()));
        }
        let found = attempts.into_iter().map(|(of, tasks)| {
            let is_there = |rank: &u32| tasks.iter().any(|(known, _)| known == rank);
            let is_whole = tasks.iter().any(|(_, task)| task.is_growth)
                || tasks.iter().all(|(_, task)| task.together.iter().all(is_there));
            let heard = self.heard.get(&of).copied().unwrap_or_default();
            let found = tasks.iter().map(|(rank, task)| FoundTask {
                rank: *rank,
                place: task.place,
                is_held: task.is_held,
                exit: task.exit,
            });
            Found { of, tasks: found.collect(), is_whole, heard, steps: self.found_steps(of) }
        });
        self.mind = Mind::new(now_ms, found.collect(), self.lease_ms);
        self.asks = Asks::default();
        self.is_up = true;
    }

    pub(crate) fn alive(&self) -> impl Iterator<Item = (Running, &Truth)> {
        self.tasks.iter().filter(|(_, task)| task.is_alive()).map(|((of, _), task)| (*of, task))
    }
}
