//! Turns what a story tells into commands: names into numbers, and what is left out into what
//! is meant.

use std::sync::Arc;

use muster_engine::command::{Command, Running};
use muster_engine::snapshot::{JobRecord, NodeReport, Snapshot};
use muster_model::{Booking, JobId, JobSpec, Name, NodeId, QueueName, Rung};

use super::Player;
use crate::story::act::{Report, Request, Run, Tell, Together};
use crate::story::words::{Parsed, Problem};

impl Player {
    /// Tells the engine; several commands where several jobs or nodes are meant.
    pub(super) fn tell(&mut self, tell: &Tell) -> Parsed<Vec<String>> {
        let commands = self.commands(tell)?;
        let mut actions = Vec::new();
        let mut lines = Vec::new();
        let together = matches!(tell, Tell::Join(_));
        for command in commands {
            let now = self.now;
            let done = self.watch()?.step(now, command.clone()).map_err(Problem::from)?;
            self.scene.saw(now, &command, &done);
            actions.extend(done);
            if !together {
                lines.extend(self.scene.actions(&std::mem::take(&mut actions)));
            }
        }
        lines.extend(self.scene.actions(&actions));
        Ok(lines)
    }

    fn commands(&mut self, tell: &Tell) -> Parsed<Vec<Command>> {
        Ok(match tell {
            Tell::Submit { spec, queue_is_named } => {
                vec![Command::Submit { spec: self.spec(spec, *queue_is_named)? }]
            }
            Tell::Amend { job, spec, queue_is_named } => {
                vec![Command::Amend { job: *job, spec: self.spec(spec, *queue_is_named)? }]
            }
            Tell::Request(request, jobs) => {
                jobs.iter().map(|&job| request_for(*request, job)).collect()
            }
            Tell::Estimated(job, estimate) => {
                vec![Command::Estimated { job: *job, estimate: *estimate }]
            }
            Tell::Progress { run, rate, done_ppm } => {
                let Running { job, attempt } = resolved(&self.snapshot()?, *run)?;
                vec![Command::Progress { job, attempt, rate: *rate, done_ppm: *done_ppm }]
            }
            Tell::Join(specs) => {
                let join = |spec| Command::NodeJoined { spec, running: Vec::new() };
                specs.iter().cloned().map(join).collect()
            }
            Tell::Rejoin(node, running) => vec![self.rejoin(node, running)?],
            Tell::Lost { nodes, lease } => {
                let lease_ends = self.now + *lease;
                self.of_nodes(nodes, |node| Command::NodeLost { node, lease_ends })?
            }
            Tell::LostTogether { nodes, lease } => {
                let nodes = self.together(nodes)?;
                vec![Command::NodesLost { nodes, lease_ends: self.now + *lease }]
            }
            Tell::Returned(node, running) => {
                let running = self.running(running)?;
                self.of_nodes(std::slice::from_ref(node), |node| Command::NodeReturned {
                    node,
                    running: running.clone(),
                })?
            }
            Tell::Drained(nodes) => self.of_nodes(nodes, |node| Command::NodeDrained { node })?,
            Tell::Resumed(nodes) => self.of_nodes(nodes, |node| Command::NodeResumed { node })?,
            Tell::Health { node, gpus, healthy } => self.health(node, gpus, *healthy)?,
            Tell::Report { runs, nodes, report } => self.reports(runs, nodes, report)?,
            Tell::Booked(booking) => vec![Command::BookingSet { booking: Booking::clone(booking) }],
            Tell::Unbooked(name) => vec![Command::BookingRemoved { name: name.clone() }],
            Tell::Tick => vec![Command::Tick],
        })
    }

    fn spec(&mut self, spec: &JobSpec, queue_is_named: bool) -> Parsed<Arc<JobSpec>> {
        let mut spec = spec.clone();
        if !queue_is_named {
            spec.queue = self.only_queue()?;
        }
        Ok(Arc::new(spec))
    }

    /// The queue of a story that has one; divided queues do not count.
    fn only_queue(&mut self) -> Parsed<QueueName> {
        let queues = self.snapshot()?.cluster.queues;
        let is_divided = |name: &QueueName| {
            queues.iter().any(|queue| queue.name.parent().as_ref() == Some(name))
        };
        let mut leaves = queues.iter().filter(|queue| !is_divided(&queue.name));
        match (leaves.next(), leaves.next()) {
            (Some(only), None) => Ok(only.name.clone()),
            _ => Err(Problem::new("expected `, queue NAME`, for the story has several queues")),
        }
    }

    /// The nodes that are lost at once.
    fn together(&mut self, nodes: &Together) -> Parsed<Vec<NodeId>> {
        let domain = match nodes {
            Together::Nodes(names) => return names.iter().map(|name| self.node(name)).collect(),
            Together::Domain(domain) => domain,
        };
        let snapshot = self.snapshot()?;
        let inside = snapshot.nodes.iter().filter(|node| node.spec.domains.contains(domain));
        let nodes: Vec<NodeId> = inside.map(|node| node.id).collect();
        if nodes.is_empty() {
            return Err(Problem::new(format!("expected a domain that has nodes, not `{domain}`")));
        }
        Ok(nodes)
    }

    fn rejoin(&mut self, name: &Name, running: &[Run]) -> Parsed<Command> {
        let node = self.node(name)?;
        let snapshot = self.snapshot()?;
        let record = snapshot.nodes.iter().find(|record| record.id == node);
        let spec = record.ok_or_else(|| unknown_node(name))?.spec.clone();
        Ok(Command::NodeJoined { spec, running: self.running(running)? })
    }

    fn health(&self, node: &Name, gpus: &[u32], healthy: bool) -> Parsed<Vec<Command>> {
        let node = self.node(node)?;
        let command = |&gpu| match healthy {
            true => Command::GpuHealthy { node, gpu },
            false => Command::GpuUnhealthy { node, gpu },
        };
        Ok(gpus.iter().map(command).collect())
    }

    fn reports(&mut self, runs: &[Run], names: &[Name], report: &Report) -> Parsed<Vec<Command>> {
        let snapshot = self.snapshot()?;
        let named: Vec<NodeId> = names.iter().map(|name| self.node(name)).collect::<Parsed<_>>()?;
        let mut commands = Vec::new();
        for run in runs {
            let Running { job, attempt } = resolved(&snapshot, *run)?;
            let of_the_whole = match *report {
                Report::Saved => Some(Command::Saved { job, attempt }),
                Report::Idle(is_idle) => Some(Command::Idle { job, attempt, is_idle }),
                _ => None,
            };
            if let Some(command) = of_the_whole {
                commands.push(command);
                continue;
            }
            let order = latest_order(&snapshot, job)?;
            let nodes = match named.is_empty() {
                true => silent(&snapshot, job, report)?,
                false => named.clone(),
            };
            commands.extend(nodes.into_iter().map(|node| match report {
                Report::Started => Command::Started { node, job, attempt },
                Report::Refused(refusal) => {
                    Command::Refused { node, job, attempt, refusal: refusal.clone() }
                }
                Report::Ended(exit) => Command::Ended { node, job, attempt, exit: *exit },
                Report::Resized(number) => {
                    let resize = number.unwrap_or_else(|| latest_resize(&snapshot, job));
                    Command::Resized { node, job, attempt, resize }
                }
                Report::Paused(rung) => Command::Paused { node, job, attempt, order, rung: *rung },
                Report::PauseRefused(rung) => {
                    Command::PauseRefused { node, job, attempt, order, rung: *rung }
                }
                Report::Resumed(rung) => {
                    Command::Resumed { node, job, attempt, order, rung: *rung }
                }
                Report::Saved | Report::Idle(_) => unreachable!("nodes have no say in it"),
            }));
        }
        Ok(commands)
    }

    fn of_nodes(
        &self,
        names: &[Name],
        command: impl Fn(NodeId) -> Command,
    ) -> Parsed<Vec<Command>> {
        names.iter().map(|name| self.node(name).map(&command)).collect()
    }

    fn node(&self, name: &Name) -> Parsed<NodeId> {
        self.scene.node_named(name).ok_or_else(|| unknown_node(name))
    }

    fn running(&mut self, runs: &[Run]) -> Parsed<Vec<Running>> {
        let snapshot = self.snapshot()?;
        runs.iter().map(|run| resolved(&snapshot, *run)).collect()
    }
}

fn request_for(request: Request, job: JobId) -> Command {
    match request {
        Request::Cancel => Command::Cancel { job },
        Request::Hold => Command::Hold { job },
        Request::Release => Command::Release { job },
        Request::Requeue => Command::Requeue { job },
    }
}

fn unknown_node(name: &Name) -> Problem {
    Problem::new(format!("expected the name of a node that has joined, not `{name}`"))
}

/// The job, and its current attempt where none is named.
fn resolved(snapshot: &Snapshot, run: Run) -> Parsed<Running> {
    let attempt = match run.attempt {
        Some(attempt) => attempt,
        None => record(snapshot, run.job)?.attempt,
    };
    Ok(Running { job: run.job, attempt })
}

/// The nodes of a job that have not yet said this.
fn silent(snapshot: &Snapshot, job: JobId, report: &Report) -> Parsed<Vec<NodeId>> {
    let run = record(snapshot, job)?.run.as_ref();
    let resize = run.and_then(|run| run.elastic.as_ref()?.resize.as_ref());
    let is_resizing = |node| resize.is_some_and(|resize| resize.waits_for.contains(&node));
    let nodes = run.iter().flat_map(|run| run.nodes.iter()).filter(|node| match report {
        Report::Started | Report::Refused(_) => node.report == NodeReport::Asked,
        Report::Paused(Rung::Freeze) => node.report == NodeReport::Started,
        Report::Paused(_) | Report::Resumed(Rung::Freeze) => node.report == NodeReport::Frozen,
        Report::Resumed(_) => node.report == NodeReport::Suspended,
        Report::Ended(_) | Report::PauseRefused(_) | Report::Saved | Report::Idle(_) => {
            node.report != NodeReport::Ended
        }
        Report::Resized(_) => is_resizing(node.node),
    });
    let nodes: Vec<NodeId> = nodes.map(|node| node.node).collect();
    if nodes.is_empty() {
        let what = format!("expected a job with nodes that could say this, not job {job}");
        return Err(Problem { what, meant: Some(format!("... {job}.1 on NODE")) });
    }
    Ok(nodes)
}

/// The number of the latest order to pause or resume that a job's nodes were given.
fn latest_order(snapshot: &Snapshot, job: JobId) -> Parsed<u32> {
    Ok(record(snapshot, job)?.run.as_ref().map_or(0, |run| run.orders))
}

/// The number of a job's latest resize.
fn latest_resize(snapshot: &Snapshot, job: JobId) -> u32 {
    let record = snapshot.jobs.iter().find(|record| record.id == job);
    let run = record.and_then(|record| record.run.as_ref());
    run.and_then(|run| run.elastic.as_ref()).map_or(0, |elastic| elastic.resizes)
}

fn record(snapshot: &Snapshot, job: JobId) -> Parsed<&JobRecord> {
    let found = snapshot.jobs.iter().find(|record| record.id == job);
    found.ok_or_else(|| Problem::new(format!("expected the number of a known job, not {job}")))
}
