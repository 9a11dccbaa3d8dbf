//! Writes a run as a story: what failed by chance becomes a page that can be read, kept and
//! played again.

mod cluster;
mod job;

use muster_engine::command::{Command, Exit, Refusal, Running};
use muster_model::{Attempt, ClusterSpec, JobId, NodeId, Rung, Time, signal};

use super::act::START;
use crate::log::Entry;
use crate::render::{Scene, moment};

/// A story that is being written.
#[derive(Debug)]
pub struct Writer {
    scene: Scene,
    now: Time,
    text: String,
}

impl Writer {
    /// Begins with a title, a line of text and the configuration.
    pub fn new(title: &str, about: &str, cluster: &ClusterSpec) -> Writer {
        let mut text = format!("# {title}\n\n{about}\n\n");
        for line in cluster::lines(cluster) {
            text.push_str(&format!("    {line}\n"));
        }
        Writer { scene: Scene::new(START), now: START, text }
    }

    /// Writes a step: the time where it is another one, the command, and what followed.
    pub fn add(&mut self, entry: &Entry) {
        if entry.now != self.now {
            self.now = entry.now;
            self.line(&format!("clock at {}", moment(START, entry.now)));
        }
        let command = self.command(&entry.command);
        self.line(&command);
        self.scene.saw(entry.now, &entry.command, &entry.actions);
        for line in self.scene.actions(&entry.actions) {
            self.text.push_str(&format!("      > {line}\n"));
        }
    }

    /// The story so far.
    pub fn text(&self) -> &str {
        &self.text
    }

    fn line(&mut self, line: &str) {
        self.text.push_str(&format!("    {line}\n"));
    }

    /// A command as a story says it.
    fn command(&self, command: &Command) -> String {
        let name = |node: NodeId| self.scene.node(node);
        match command {
            Command::Submit { spec } => format!("submit {}", job::spec(spec)),
            Command::Amend { job, spec } => format!("amend {job} {}", job::spec(spec)),
            Command::Cancel { job } => format!("cancel {job}"),
            Command::Hold { job } => format!("hold {job}"),
            Command::Release { job } => format!("release {job}"),
            Command::Requeue { job } => format!("requeue {job}"),
            Command::Estimated { job, estimate } => {
                format!("estimate {job} {} to {}", estimate.median, estimate.p90)
            }
            Command::NodeJoined { spec, .. } if self.scene.node_named(&spec.name).is_none() => {
                cluster::node(spec)
            }
            Command::NodeJoined { spec, running } => {
                format!("rejoin {}, running {}", spec.name, runs(running))
            }
            Command::NodeLost { node, lease_ends } => {
                format!("lost {}, lease {}", name(*node), lease_ends.since(self.now))
            }
            Command::NodesLost { nodes, lease_ends } => {
                let nodes = self.scene.hosts(nodes.iter().copied());
                format!("lost together {nodes}, lease {}", lease_ends.since(self.now))
            }
            Command::NodeReturned { node, running } => {
                format!("returned {}, running {}", name(*node), runs(running))
            }
            Command::NodeDrained { node } => format!("drain {}", name(*node)),
            Command::NodeResumed { node } => format!("resume {}", name(*node)),
            Command::GpuUnhealthy { node, gpu } => format!("unhealthy {} gpu {gpu}", name(*node)),
            Command::GpuHealthy { node, gpu } => format!("healthy {} gpu {gpu}", name(*node)),
            Command::Started { node, job, attempt } => {
                format!("started {} on {}", run(*job, *attempt), name(*node))
            }
            Command::Refused { node, job, attempt, refusal } => {
                let (fault, why) = match refusal {
                    Refusal::Node(why) => ("node", why),
                    Refusal::Job(why) => ("job", why),
                };
                format!("refused {} on {}, {fault} {why}", run(*job, *attempt), name(*node))
            }
            Command::Ended { node, job, attempt, exit } => {
                format!("ended {} on {}, {}", run(*job, *attempt), name(*node), ended(*exit))
            }
            Command::Resized { node, job, attempt, resize } => {
                format!("resized {} on {}, number {resize}", run(*job, *attempt), name(*node))
            }
            Command::Progress { job, attempt, rate, done_ppm } => {
                let done = done_ppm.map(|ppm| format!(", done {ppm} ppm")).unwrap_or_default();
                format!("progress {} rate {rate}{done}", run(*job, *attempt))
            }
            Command::Saved { job, attempt } => format!("saved {}", run(*job, *attempt)),
            Command::Idle { job, attempt, is_idle } => {
                format!("{} {}", if *is_idle { "idle" } else { "busy" }, run(*job, *attempt))
            }
            Command::Paused { node, job, attempt, rung, .. } => {
                let word = if *rung == Rung::Freeze { "frozen" } else { "suspended" };
                format!("{word} {} on {}", run(*job, *attempt), name(*node))
            }
            Command::PauseRefused { node, job, attempt, rung, .. } => {
                format!("unpaused {} on {}, cannot {rung}", run(*job, *attempt), name(*node))
            }
            Command::Resumed { node, job, attempt, rung, .. } => {
                let word = if *rung == Rung::Freeze { "thawed" } else { "restored" };
                format!("{word} {} on {}", run(*job, *attempt), name(*node))
            }
            Command::QueueSet { queue } => cluster::queue(queue),
            Command::BookingSet { booking } => cluster::booking(booking),
            Command::BookingRemoved { name } => format!("unbook {name}"),
            Command::Tick => "tick".to_owned(),
        }
    }
}

fn run(job: JobId, attempt: Attempt) -> String {
    format!("{job}.{attempt}")
}

fn runs(running: &[Running]) -> String {
    if running.is_empty() {
        return "nothing".to_owned();
    }
    let runs = running.iter().map(|running| run(running.job, running.attempt));
    runs.collect::<Vec<_>>().join(" ")
}

fn ended(exit: Exit) -> String {
    match exit {
        Exit::Code(code) => format!("exit {code}"),
        Exit::Signal(number) => format!("signal {}", signal::name(number)),
        Exit::OutOfMemory => "out of memory".to_owned(),
        Exit::Stopped => "stopped".to_owned(),
    }
}

#[cfg(test)]
mod tests;
