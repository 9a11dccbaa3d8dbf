//! A cluster in a file, TOML or JSON alike: levels, models, pools, queues, and groups of nodes with
//! their prices and failures.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use muster_model::bound::QUEUE_WEIGHT_MAX;
use muster_model::{GpuModel, Mib, MilliCpu, MilliGpu, Name};
use serde::Deserialize;

use super::group::{Group, Links, assemble, millionths};
use super::{Cluster, Queue, refuse};
use crate::error::TraceError;

/// The file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Description {
    name: Option<String>,
    /// Widest first.
    #[serde(default)]
    levels: Vec<String>,
    #[serde(default)]
    models: Vec<Model>,
    #[serde(default)]
    pools: Vec<PoolWish>,
    #[serde(default)]
    queues: Vec<QueueWish>,
    nodes: Vec<Nodes>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Model {
    name: String,
    memory: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PoolWish {
    name: String,
    #[serde(default)]
    spot: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct QueueWish {
    team: String,
    /// In whole GPUs.
    #[serde(default)]
    guarantee: u32,
    weight: Option<u32>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Nodes {
    count: u32,
    gpus: u32,
    model: Option<String>,
    cpus: Option<u32>,
    memory: Option<String>,
    links: Option<String>,
    pool: Option<String>,
    /// Per GPU-hour.
    price: Option<f64>,
    /// Per node-day.
    failures: Option<f64>,
    /// How many of the level below each level holds.
    #[serde(default)]
    within: BTreeMap<String, u32>,
}

const HINT: &str = "docs/traces.md has an example with every key";

pub(super) fn read_toml(path: &Path) -> Result<Cluster, TraceError> {
    let (name, text) = contents(path)?;
    let description: Description = toml::from_str(&text).map_err(|error| {
        let whole = error.to_string();
        refuse(&name, whole.trim_end(), HINT)
    })?;
    assembled(&name, &description)
}

pub(super) fn read_json(path: &Path) -> Result<Cluster, TraceError> {
    let (name, text) = contents(path)?;
    let description: Description =
        serde_json::from_str(&text).map_err(|error| refuse(&name, error.to_string(), HINT))?;
    assembled(&name, &description)
}

fn contents(path: &Path) -> Result<(String, String), TraceError> {
    let name = path.display().to_string();
    match fs::read_to_string(path) {
        Ok(text) => Ok((name, text)),
        Err(source) => Err(TraceError::Open { name, source }),
    }
}

fn assembled(file: &str, description: &Description) -> Result<Cluster, TraceError> {
    let name = description.name.as_deref().unwrap_or(file);
    let groups: Result<Vec<Group>, TraceError> =
        description.nodes.iter().map(|nodes| nodes.group(file, &description.levels)).collect();
    let mut cluster = assemble(name, &groups?)?;
    for Model { name, memory } in &description.models {
        let memory: Mib = memory.parse().map_err(|_| {
            refuse(file, format!("the memory of {name} is `{memory}`"), "write it as 80GiB")
        })?;
        cluster.models.push(GpuModel { name: Name::from(name.as_str()), memory, mig: Vec::new() });
    }
    for wish in &description.pools {
        match cluster.pools.iter_mut().find(|pool| pool.name.as_str() == wish.name) {
            Some(pool) => pool.spot = wish.spot,
            None => {
                let reason = format!("the pool {} has no nodes", wish.name);
                return Err(refuse(file, reason, "give it nodes, or take it out"));
            }
        }
    }
    cluster.queues = queues(file, &description.queues)?;
    Ok(cluster)
}

fn queues(file: &str, wishes: &[QueueWish]) -> Result<Vec<Queue>, TraceError> {
    let mut queues: Vec<Queue> = Vec::new();
    for QueueWish { team, guarantee, weight } in wishes {
        if queues.iter().any(|queue| *queue.team == **team) {
            return Err(refuse(file, format!("{team} has two queues"), "leave one of them"));
        }
        let weight = weight.unwrap_or(1);
        if !(1..=QUEUE_WEIGHT_MAX).contains(&weight) {
            let hint = format!("expected 1 to {QUEUE_WEIGHT_MAX}");
            return Err(refuse(file, format!("the weight of {team} is {weight}"), hint));
        }
        let guarantee = MilliGpu::whole(u64::from(*guarantee));
        queues.push(Queue { team: team.as_str().into(), guarantee, weight });
    }
    Ok(queues)
}

impl Nodes {
    fn group(&self, file: &str, levels: &[String]) -> Result<Group, TraceError> {
        let model = match (&self.model, self.gpus) {
            (Some(model), _) => model.as_str(),
            (None, 0) => "",
            (None, _) => return Err(refuse(file, "nodes with GPUs of no model", HINT)),
        };
        let mut group = Group::new(self.count, self.gpus, model);
        group.cpus = self.cpus.map(|cpus| MilliCpu::whole(u64::from(cpus)));
        if let Some(text) = &self.memory {
            let memory = text
                .parse()
                .map_err(|_| refuse(file, format!("memory is `{text}`"), "write it as 2TiB"))?;
            group.memory = Some(memory);
        }
        if let Some(text) = &self.links {
            let expected = "links are nvswitch, pairs or pcie";
            let links = Links::find(text);
            group.links =
                Some(links.ok_or_else(|| refuse(file, format!("links are `{text}`"), expected))?);
        }
        group.pool.clone_from(&self.pool);
        group.price_micros = micros(file, "price", self.price)?;
        let failures = micros(file, "failures", self.failures)?;
        group.failures_ppm = u32::try_from(failures)
            .map_err(|_| refuse(file, "failures are too many", "at most 4000 per node-day"))?;
        group.levels = self.levels(file, levels)?;
        Ok(group)
    }

    /// The sizes of the levels from the lowest up. A level that is not named holds all.
    fn levels(&self, file: &str, levels: &[String]) -> Result<Vec<(String, u32)>, TraceError> {
        if let Some(unknown) = self.within.keys().find(|level| !levels.contains(level)) {
            let reason = format!("nodes stand within `{unknown}`, which is no level");
            return Err(refuse(file, reason, "add it to levels, widest first"));
        }
        let size = |level: &String| {
            let size = self.within.get(level).copied().unwrap_or(self.count.max(1));
            if size > 0 {
                return Ok((level.clone(), size));
            }
            Err(refuse(file, format!("{level} holds nothing"), "expected at least 1"))
        };
        levels.iter().rev().map(size).collect()
    }
}

fn micros(file: &str, key: &str, number: Option<f64>) -> Result<u64, TraceError> {
    let Some(number) = number else { return Ok(0) };
    // Printed with six decimals, a number that people wrote is what they wrote.
    millionths(&format!("{number:.6}")).ok_or_else(|| {
        refuse(file, format!("{key} is {number}"), "expected a number that is not negative")
    })
}
