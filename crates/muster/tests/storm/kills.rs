//! Who is killed, when, and for how long he stays away.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::chance::Chance;
use crate::cluster::{Cluster, LEASE_MS, NODES, kill_launcher};
use crate::story::Story;

/// The next one is killed though nothing starts when so much time has passed.
const PATIENCE: Duration = Duration::from_secs(15);

/// Who was killed, and how often.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(crate) struct Killed {
    pub(crate) servers: u64,
    pub(crate) agents: u64,
    pub(crate) launchers: u64,
    pub(crate) trees: u64,
}

/// The one who kills, and starts again.
pub(crate) struct Kills {
    pub(crate) cluster: Cluster,
    story: Arc<Story>,
    chance: Chance,
    pub(crate) killed: Killed,
}

impl Kills {
    pub(crate) fn new(cluster: Cluster, story: Arc<Story>) -> Kills {
        let chance = Chance::new(story.options.seed, 1);
        Kills { cluster, story, chance, killed: Killed::default() }
    }

    /// All kills of the storm, spread over it.
    pub(crate) fn all(&mut self) {
        let options = self.story.options;
        let starts = options.jobs + options.gangs;
        let mut done = 0;
        while done < options.kills {
            self.await_starts(starts * (done + 1) / (options.kills + 1));
            std::thread::sleep(Duration::from_millis(self.chance.below(150)));
            done += u64::from(self.one());
        }
    }

    /// Waits until so many tasks have started, or nothing happens.
    fn await_starts(&self, wanted: u64) {
        let begun = Instant::now();
        while self.story.started() < wanted && begun.elapsed() < PATIENCE {
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// One kill; whether there was anybody to kill.
    fn one(&mut self) -> bool {
        match self.chance.below(10) {
            0..3 => self.server(),
            3..6 => self.agent(),
            6..8 => return self.launcher(),
            _ => self.tree(),
        }
        true
    }

    fn server(&mut self) {
        self.end_server();
        self.killed.servers += 1;
        self.stay_away();
        self.cluster.start_server();
    }

    fn agent(&mut self) {
        let node = self.node();
        self.end_agent(node);
        self.killed.agents += 1;
        self.stay_away();
        self.cluster.start_agent(node);
    }

    fn launcher(&mut self) -> bool {
        let alive = self.cluster.launchers();
        let Some(count) = u64::try_from(alive.len()).ok().filter(|count| *count > 0) else {
            std::thread::sleep(Duration::from_millis(10));
            return false;
        };
        let chosen = usize::try_from(self.chance.below(count)).expect("there are not so many");
        kill_launcher(&alive[chosen]);
        self.killed.launchers += 1;
        true
    }

    fn tree(&mut self) {
        self.end_server();
        (0..NODES).for_each(|node| self.end_agent(node));
        for launcher in self.cluster.launchers() {
            kill_launcher(&launcher);
        }
        self.killed.trees += 1;
        self.stay_away();
        self.cluster.start_server();
        (0..NODES).for_each(|node| self.cluster.start_agent(node));
    }

    fn node(&mut self) -> usize {
        usize::try_from(self.chance.below(NODES as u64)).expect("there are not so many")
    }

    fn end_server(&mut self) {
        if !self.cluster.kill_server() {
            self.story.fault("the server has stopped by itself: see server.log".to_owned());
        }
    }

    fn end_agent(&mut self, node: usize) {
        if !self.cluster.kill_agent(node) {
            self.story.fault(format!("agent {node} has stopped by itself: see agent-{node}.log"));
        }
    }

    /// Mostly a moment, at times longer than a lease.
    fn stay_away(&mut self) {
        let milliseconds = match self.chance.below(5) {
            0 => LEASE_MS + self.chance.below(1_000),
            1 => 0,
            _ => self.chance.below(400),
        };
        std::thread::sleep(Duration::from_millis(milliseconds));
    }
}
