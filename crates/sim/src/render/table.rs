//! Jobs, nodes and queues as tables, counted from the facts of a snapshot.

use std::collections::BTreeMap;

use muster_engine::action::{JobState, TaskPlace};
use muster_engine::snapshot::{JobRecord, NodeRecord, RunRecord, Sight, Snapshot};
use muster_model::{GpuSet, MilliGpu, NodeId, QueueName, QueueSpec, Quota};

use super::{Scene, actions, list};

impl Scene {
    /// Jobs with their state and place.
    pub fn jobs(&self, snapshot: &Snapshot) -> Vec<String> {
        let header = ["job", "name", "user", "queue", "class", "state", "attempt", "nodes"];
        let mut rows = vec![header.map(str::to_owned)];
        for job in &snapshot.jobs {
            let nodes = job.run.iter().flat_map(|run| run.nodes.iter().map(|run| run.node));
            rows.push([
                job.id.to_string(),
                name(job),
                job.spec.user.to_string(),
                job.spec.queue.to_string(),
                job.spec.class.to_string(),
                actions::state(job.state),
                job.attempt.to_string(),
                self.hosts(nodes),
            ]);
        }
        aligned(&rows)
    }

    /// Nodes with what they are doing.
    pub fn nodes(&self, snapshot: &Snapshot) -> Vec<String> {
        let header = ["node", "gpus", "in", "state", "free", "jobs"];
        let mut rows = vec![header.map(str::to_owned)];
        for node in &snapshot.nodes {
            let domains: Vec<&str> = node.spec.domains.iter().map(|name| name.as_str()).collect();
            let held = held(snapshot, node.id);
            let free = GpuSet::first(node.spec.gpus).minus(held).minus(node.unhealthy);
            let jobs = snapshot.jobs.iter().filter(|job| is_on(job, node.id)).map(|job| job.id.0);
            rows.push([
                node.spec.name.to_string(),
                match &node.spec.gpu_model {
                    Some(model) => format!("{model}x{}", node.spec.gpus),
                    None => "none".to_owned(),
                },
                domains.join("/"),
                self.node_state(snapshot, node),
                free_of(snapshot, node.id, free),
                list::numbers(jobs),
            ]);
        }
        aligned(&rows)
    }

    fn node_state(&self, snapshot: &Snapshot, node: &NodeRecord) -> String {
        let mut words = vec![match node.sight {
            Sight::Seen => "seen".to_owned(),
            Sight::Unknown { lease_ends } => format!("unknown until {}", self.moment(lease_ends)),
            Sight::Gone => "gone".to_owned(),
        }];
        if node.drained {
            words.push("drained".to_owned());
        }
        let open = snapshot.bookings.iter().filter(|record| record.is_open);
        let here = open.filter(|record| record.booking.covers(&node.spec));
        words.extend(here.map(|record| format!("booked as {}", record.booking.name)));
        if !node.unhealthy.is_empty() {
            words.push(format!("{} unhealthy", list::gpus(node.unhealthy)));
        }
        if node.rests_until > self.now {
            words.push(format!("rests until {}", self.moment(node.rests_until)));
        }
        if node.hazard.level > 0 {
            words.push(format!("failures: {}", failures(node.hazard.level)));
        }
        words.join(", ")
    }

    /// Queues with the GPUs in use, and what they may have.
    pub fn queues(&self, snapshot: &Snapshot) -> Vec<String> {
        let used = used(snapshot);
        let header = ["queue", "used", "guarantee", "limit", "per user", "weight"];
        let mut rows = vec![header.map(str::to_owned)];
        for queue in &snapshot.cluster.queues {
            let QueueSpec { name, guarantee, limit, user_limit, weight, idle: _ } = queue;
            let used = used.get(name).copied().unwrap_or_default();
            let row = [used.to_string(), quota(guarantee), quota(limit), quota(user_limit)];
            let [used, guarantee, limit, user_limit] = row;
            rows.push([name.to_string(), used, guarantee, limit, user_limit, weight.to_string()]);
        }
        aligned(&rows)
    }
}

/// A count of failures, as it was at the latest, to a tenth.
fn failures(level: u64) -> String {
    let tenths = (level * 10 + 32_768) / 65_536;
    match tenths % 10 {
        0 => format!("{}", tenths / 10),
        tenth => format!("{}.{tenth}", tenths / 10),
    }
}

fn name(job: &JobRecord) -> String {
    match job.element {
        Some((_, index)) => format!("{}[{index}]", job.spec.name),
        None => job.spec.name.to_string(),
    }
}

/// What an attempt holds: a gang gives its places back together, when all its nodes have ended.
fn holding(run: &RunRecord) -> impl Iterator<Item = (NodeId, &TaskPlace)> {
    run.nodes.iter().flat_map(|node| node.tasks.iter().map(|task| (node.node, task)))
}

fn is_on(job: &JobRecord, node: NodeId) -> bool {
    job.run.iter().flat_map(|run| holding(run)).any(|(on, _)| on == node)
}

/// GPUs that are free, and what those that are shared have left: `2-7, 0.25 of 1`.
fn free_of(snapshot: &Snapshot, node: NodeId, free: GpuSet) -> String {
    let mut left: BTreeMap<u32, u64> = BTreeMap::new();
    let runs = snapshot.jobs.iter().filter_map(|job| job.run.as_ref());
    let here = runs.flat_map(|run| holding(run)).filter(|(on, _)| *on == node);
    for (_, task) in here {
        for (gpu, share) in task.gpus.iter().zip(task.share) {
            *left.entry(gpu).or_insert(1000) -= share.milli.0;
        }
    }
    let whole = Some(list::gpu_numbers(free)).filter(|_| !free.is_empty());
    let pieces = left.into_iter().filter(|(_, milli)| *milli > 0);
    let pieces = pieces.map(|(gpu, milli)| format!("{} of {gpu}", MilliGpu(milli)));
    whole.into_iter().chain(pieces).collect::<Vec<_>>().join(", ")
}

fn held(snapshot: &Snapshot, node: NodeId) -> GpuSet {
    let runs = snapshot.jobs.iter().filter_map(|job| job.run.as_ref());
    let places = runs.flat_map(|run| holding(run)).filter(|(on, _)| *on == node);
    places.fold(GpuSet::EMPTY, |set, (_, task)| set.or(task.gpus))
}

/// GPUs in use in each queue and all queues above it.
fn used(snapshot: &Snapshot) -> BTreeMap<QueueName, MilliGpu> {
    let mut used: BTreeMap<QueueName, MilliGpu> = BTreeMap::new();
    for job in &snapshot.jobs {
        let (Some(run), false) = (&job.run, matches!(job.state, JobState::Ended(_))) else {
            continue;
        };
        let milli = |task: &TaskPlace| {
            task.share.map_or(u64::from(task.gpus.count()) * 1000, |share| share.milli.0)
        };
        let gpus: u64 = holding(run).map(|(_, task)| milli(task)).sum();
        let mut queue = Some(job.spec.queue.clone());
        while let Some(name) = queue {
            queue = name.parent();
            *used.entry(name).or_default() += MilliGpu(gpus);
        }
    }
    used
}

fn quota(quota: &Quota) -> String {
    let mut parts: Vec<String> = Vec::new();
    parts.extend(quota.gpus.map(|gpus| gpus.to_string()));
    parts.extend(quota.models.iter().map(|(model, gpus)| format!("{model}x{gpus}")));
    parts.extend(quota.cpus.map(|cpus| format!("{cpus} cpus")));
    parts.extend(quota.memory.map(|memory| format!("{memory} memory")));
    if parts.is_empty() { "-".to_owned() } else { parts.join(" and ") }
}

/// Columns as wide as their widest cell, without spaces at the end of a line.
fn aligned<const COLUMNS: usize>(rows: &[[String; COLUMNS]]) -> Vec<String> {
    let mut widths = [0; COLUMNS];
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.chars().count().max(*width);
        }
    }
    let line = |row: &[String; COLUMNS]| {
        let cells = row.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}"));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::aligned;

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let rows = [["job", "name"], ["1", "a"], ["12345", ""]].map(|row| row.map(str::to_owned));
        assert_eq!(aligned(&rows), ["job    name", "1      a", "12345"]);
    }
}
