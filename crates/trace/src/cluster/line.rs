//! A cluster in one line: `64x8:V100/rack=8/block=4`, several parts joined by `+`.
//!
//! ```text
//! cluster := part { "+" part }
//! part    := nodes "x" gpus [ ":" model ] { "/" key "=" value }
//! key     := "pool" | "price" | "failures" | "cpus" | "memory" | "links" | a level
//! ```
//!
//! Levels stand from the lowest up, each with how many of the one below it holds.

use muster_model::{Mib, MilliCpu};

use super::group::{GPUS_MAX, Group, Links, NODES_MAX, assemble, millionths};
use super::{Cluster, known, refuse};
use crate::error::TraceError;

/// The model of a part that names none.
const MODEL_DEFAULT: &str = "H100";

const FORM: &str = "write nodes x GPUs : model, such as 135x8:H100 or 64x8:V100/rack=8/block=4";

/// Reads a line.
pub(super) fn read(text: &str) -> Result<Cluster, TraceError> {
    let parts: Vec<&str> = text.split('+').collect();
    let groups = parts.into_iter().map(|part| group(text, part.trim()));
    assemble(text, &groups.collect::<Result<Vec<Group>, TraceError>>()?)
}

fn group(line: &str, part: &str) -> Result<Group, TraceError> {
    let mut pieces = part.split('/');
    let size = pieces.next().unwrap_or_default();
    let (size, model) = size.split_once(':').unwrap_or((size, MODEL_DEFAULT));
    let Some((nodes, gpus)) = size.split_once('x') else {
        let reason = format!("`{part}` is neither a size, nor a file, nor a known cluster");
        return Err(refuse(line, reason, format!("{FORM}; known: {}", known::words())));
    };
    let nodes = count(line, nodes, NODES_MAX, "nodes")?;
    let gpus = count(line, gpus, GPUS_MAX, "GPUs")?;
    if model.is_empty() {
        return Err(refuse(line, "the model is empty", FORM));
    }
    let mut group = Group::new(nodes, gpus, model);
    for piece in pieces {
        let Some((key, value)) = piece.split_once('=') else {
            return Err(refuse(line, format!("`{piece}` is no setting"), "write key=value"));
        };
        set(line, &mut group, key, value)?;
    }
    Ok(group)
}

fn set(line: &str, group: &mut Group, key: &str, value: &str) -> Result<(), TraceError> {
    let wrong = |expected: &str| refuse(line, format!("{key}={value}"), expected);
    match key {
        "pool" => group.pool = Some(value.to_owned()),
        "price" => {
            let price = millionths(value);
            group.price_micros = price.ok_or_else(|| wrong("a price per GPU-hour, as 2.50"))?;
        }
        "failures" => {
            let rate = millionths(value).and_then(|rate| u32::try_from(rate).ok());
            group.failures_ppm = rate.ok_or_else(|| wrong("failures per node-day, as 0.002"))?;
        }
        "cpus" => {
            let cpus: Option<MilliCpu> = value.parse().ok();
            group.cpus = Some(cpus.ok_or_else(|| wrong("CPUs of a node, as 128"))?);
        }
        "memory" => {
            let memory: Option<Mib> = value.parse().ok();
            group.memory = Some(memory.ok_or_else(|| wrong("memory of a node, as 2TiB"))?);
        }
        "links" => {
            let links = Links::find(value);
            group.links = Some(links.ok_or_else(|| wrong("nvswitch, pairs or pcie"))?);
        }
        level => {
            let size = count(line, value, NODES_MAX, level)?;
            if group.levels.iter().any(|(known, _)| known == level) {
                return Err(refuse(line, format!("{level} is there twice"), "name a level once"));
            }
            group.levels.push((level.to_owned(), size));
        }
    }
    Ok(())
}

fn count(line: &str, text: &str, most: u32, what: &str) -> Result<u32, TraceError> {
    let found = text.parse().ok().filter(|count| (1..=most).contains(count));
    found.ok_or_else(|| {
        refuse(line, format!("`{text}` is no number of {what}"), format!("expected 1 to {most}"))
    })
}
