//! `sinfo`: partitions and their nodes.

use std::time::Duration;

use muster_slurm::report::{self, NodeFacts, PartitionFacts};
use muster_slurm::tool::{Given, SINFO};
use muster_slurm::words::NodeState;
use muster_slurm::words::format::{self, Field, Format, sinfo};
use muster_slurm::words::time;
use serde_json::{Value, json};

use super::choose;
use super::session::{self, Session};
use super::squeue::meta;
use super::{Ended, Stop, asked_about, nodes, say};

const NAME: &str = "sinfo";

pub(super) async fn run(words: Vec<String>) -> Ended {
    let given = SINFO.read(words).map_err(|said| Stop::plain(said, 1))?;
    if let Some(text) = asked_about(&SINFO, &given) {
        return say(&text);
    }
    if given.has("reservation") {
        return say("No reservations in the system\n");
    }
    let states = states(&given)?;
    let format = columns(&given)?;
    let pause = given.value("iterate").map(|text| {
        let seconds: Option<u64> = text.parse().ok().filter(|&seconds| seconds > 0);
        let refused = || Stop::error(NAME, "--iterate must be a positive integer");
        seconds.map(Duration::from_secs).ok_or_else(refused)
    });
    let pause = pause.transpose()?;
    let mut session = Session::open(NAME)?;
    loop {
        session.clock = session::clock();
        let (partitions, nodes) = nodes::found(&session).await?;
        let (partitions, nodes) = chosen(&given, partitions, nodes, states.as_deref())?;
        print(&session, &given, &format, &partitions, &nodes)?;
        let Some(pause) = pause else { return Ok(0) };
        tokio::time::sleep(pause).await;
    }
}

fn chosen(
    given: &Given,
    mut partitions: Vec<PartitionFacts>,
    mut nodes: Vec<NodeFacts>,
    states: Option<&[NodeState]>,
) -> Result<(Vec<PartitionFacts>, Vec<NodeFacts>), Stop> {
    if let Some(names) = given.list("partition") {
        partitions.retain(|partition| names.contains(&partition.name));
    }
    let named = choose::nodes(NAME, given, "nodes")?;
    let is_wanted = |node: &NodeFacts| {
        named.as_ref().is_none_or(|names| names.contains(&node.name))
            && states.is_none_or(|states| states.contains(&node.state))
            && (!given.has("dead") || node.is_silent)
            && (!given.has("responding") || !node.is_silent)
            && (!given.has("list-reasons") || node.reason.is_some())
    };
    let is_narrow = named.is_some()
        || states.is_some()
        || ["dead", "responding", "list-reasons"].iter().any(|name| given.has(name));
    nodes.retain(is_wanted);
    if is_narrow {
        let has_some = |partition: &PartitionFacts| {
            nodes.iter().any(|node| partition.nodes.contains(&node.name))
        };
        partitions.retain(has_some);
    }
    // Each node once: why it is out does not depend on the partition.
    if given.has("list-reasons") {
        let all: Vec<String> = nodes.iter().map(|node| node.name.clone()).collect();
        partitions.truncate(1);
        partitions.iter_mut().for_each(|partition| partition.nodes.clone_from(&all));
    }
    Ok((partitions, nodes))
}

fn print(
    session: &Session,
    given: &Given,
    format: &Format,
    partitions: &[PartitionFacts],
    nodes: &[NodeFacts],
) -> Result<(), Stop> {
    if given.has("json") {
        let nodes: Vec<Value> = nodes.iter().map(|node| told(node, partitions)).collect();
        let answer = json!({ "meta": meta(), "errors": [], "nodes": nodes });
        let text = serde_json::to_string_pretty(&answer).expect("plain data can be written");
        return say(&format!("{text}\n")).map(drop);
    }
    let rows = report::node_rows(partitions, nodes, format, given.has("Node"));
    let cells: Vec<_> =
        rows.iter().map(|row| |field: &Field| report::node_value(row, field)).collect();
    let has_header = !given.has("noheader");
    let mut lines = Vec::new();
    if has_header && (given.has("long") || given.has("iterate")) {
        lines.push(time::date(session.clock.now, session.clock.offset_s));
    }
    lines.extend(format.table(has_header, &cells));
    say(&lines.iter().map(|line| format!("{line}\n")).collect::<String>()).map(drop)
}

fn told(node: &NodeFacts, partitions: &[PartitionFacts]) -> Value {
    let own = partitions.iter().filter(|partition| partition.nodes.contains(&node.name));
    let own: Vec<&str> = own.map(|partition| partition.name.as_str()).collect();
    json!({
        "name": node.name,
        "state": node.state.long(false),
        "cpus": node.cpus,
        "alloc_cpus": node.cpus_used,
        "real_memory": node.memory_mib,
        "alloc_memory": node.memory_used_mib,
        "gres": node.gres(),
        "features": node.features.join(","),
        "partitions": own,
        "reason": node.reason.clone().unwrap_or_default(),
    })
}

fn states(given: &Given) -> Result<Option<Vec<NodeState>>, Stop> {
    let Some(words) = given.list("states") else { return Ok(None) };
    let mut states = Vec::new();
    for word in words {
        match word.to_ascii_lowercase().as_str() {
            "all" => return Ok(None),
            "drain" => states.extend([NodeState::Drained, NodeState::Draining]),
            word => match NodeState::ALL.iter().find(|state| state.is_called(word)) {
                Some(state) => states.push(*state),
                None => {
                    let words: Vec<String> =
                        NodeState::ALL.iter().map(|state| state.long(false)).collect();
                    let known = format!("valid states: {}", words.join(","));
                    let what = format!("Bad state string: \"{word}\"\n{known}");
                    return Err(Stop::error(NAME, what));
                }
            },
        }
    }
    Ok(Some(states))
}

fn columns(given: &Given) -> Result<Format, Stop> {
    let refused = |error| Stop::error(NAME, error);
    if let Some(text) = given.value("Format") {
        return format::field_list(text, sinfo::FIELDS).map_err(refused);
    }
    let own = given.value("format").map(str::to_owned);
    let plain = ["long", "Node", "summarize", "list-reasons"].iter().all(|it| !given.has(it));
    let own = own.or_else(|| std::env::var("SINFO_FORMAT").ok().filter(|_| plain));
    let (is_long, is_node) = (given.has("long"), given.has("Node"));
    let usual = match (given.has("list-reasons"), given.has("summarize"), is_node, is_long) {
        (true, _, _, true) => sinfo::REASONS_LONG,
        (true, _, _, false) => sinfo::REASONS,
        (_, true, _, _) => sinfo::SUMMARY,
        (_, _, true, true) => sinfo::NODES_LONG,
        (_, _, true, false) => sinfo::NODES,
        (_, _, _, true) => sinfo::LONG,
        _ => sinfo::LIST,
    };
    format::percent(own.as_deref().unwrap_or(usual), sinfo::FIELDS).map_err(refused)
}
