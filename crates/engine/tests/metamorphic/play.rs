//! Carrying out a plan.

use std::collections::BTreeSet;

use muster_engine::snapshot::{NodeReport, Sight};

use super::plan::{Event, Plan, queue_name};
use crate::support::*;

/// What a run comes to: which job was launched when and where.
pub(super) type Schedule = Vec<(Time, JobId, Vec<NodeId>)>;

/// Plays a plan to its end, and on until all that can has run.
pub(super) fn play(plan: &Plan, setup: Setup) -> World {
    let mut world = setup.build();
    for event in &plan.events {
        happen(&mut world, plan, event);
    }
    world
}

/// Lets one thing happen; what makes no sense at the moment does not happen.
pub(super) fn happen(world: &mut World, plan: &Plan, event: &Event) {
    match *event {
        Event::Submit(job) => {
            world.submit_for(job.spec(plan.queues), minutes(job.runs));
        }
        Event::Pass { minutes: span } => {
            world.advance(minutes(span));
        }
        Event::Cancel { nth } => on_job(world, nth, |job| Command::Cancel { job }),
        Event::Hold { nth } => on_job(world, nth, |job| Command::Hold { job }),
        Event::Release { nth } => on_job(world, nth, |job| Command::Release { job }),
        Event::Requeue { nth } => on_job(world, nth, |job| Command::Requeue { job }),
        Event::Estimated { nth, minutes: span } => {
            let estimate = muster_model::Estimate { median: minutes(span), p90: minutes(3 * span) };
            on_job(world, nth, |job| Command::Estimated { job, estimate });
        }
        Event::Drain { node } => on_node(world, node, |node| Command::NodeDrained { node }),
        Event::Resume { node } => on_node(world, node, |node| Command::NodeResumed { node }),
        Event::Break { node, gpu } => {
            on_node(world, node, |node| Command::GpuUnhealthy { node, gpu });
        }
        Event::Mend { node, gpu } => {
            on_node(world, node, |node| Command::GpuHealthy { node, gpu });
        }
        Event::Lose { node, minutes: span } => {
            let lease_ends = world.now() + minutes(span);
            on_node(world, node, |node| Command::NodeLost { node, lease_ends });
        }
        Event::LoseBoth { node, minutes: span } => {
            let lease_ends = world.now() + minutes(span);
            let known = u32::try_from(world.snapshot().nodes.len()).expect("plans are small");
            on_node(world, node, |node| {
                let nodes = vec![node, NodeId((node.0 + 1) % known)];
                Command::NodesLost { nodes, lease_ends }
            });
        }
        Event::Return { node } => come_back(world, node),
        Event::Limit { queue: number, gpus } => {
            let number = number % plan.queues;
            let spec = queue(&queue_name(number)).weight(number + 1);
            let spec = if gpus == 0 { spec } else { spec.limit(quota(gpus)) };
            world.set_queue(spec);
        }
    }
}

fn on_job(world: &mut World, nth: usize, command: impl Fn(JobId) -> Command) {
    let jobs = world.snapshot().jobs;
    if !jobs.is_empty() {
        world.tell(command(jobs[nth % jobs.len()].id));
    }
}

fn on_node(world: &mut World, nth: usize, command: impl Fn(NodeId) -> Command) {
    let nodes = world.snapshot().nodes;
    world.tell(command(nodes[nth % nodes.len()].id));
}

/// A node that is out of sight is seen again, with all that it was running.
fn come_back(world: &mut World, nth: usize) {
    let snapshot = world.snapshot();
    let node = &snapshot.nodes[nth % snapshot.nodes.len()];
    if node.sight == Sight::Seen {
        return;
    }
    let mut running = BTreeSet::new();
    for job in &snapshot.jobs {
        let parts = job.run.iter().flat_map(|run| &run.nodes);
        let is_here = |part: &&muster_engine::snapshot::NodeRun| {
            let is_alive = !matches!(part.report, NodeReport::Asked | NodeReport::Ended);
            part.node == node.id && is_alive
        };
        if parts.filter(is_here).count() > 0 {
            running.insert(Running { job: job.id, attempt: job.attempt });
        }
    }
    world.tell(Command::NodeReturned { node: node.id, running: running.into_iter().collect() });
}

/// All launches so far.
pub(super) fn schedule(world: &World) -> Schedule {
    let mut schedule = Schedule::new();
    for (at, _, actions) in &world.log {
        for action in actions {
            let Action::Launch { node, job, attempt: _, .. } = action else { continue };
            match schedule.last_mut() {
                Some((when, last, nodes)) if last == job && when == at => nodes.push(*node),
                _ => schedule.push((*at, *job, vec![*node])),
            }
        }
    }
    schedule
}
