//! `topology.conf`: a tree of switches, or blocks.

use std::collections::BTreeMap;

use super::{Budget, lines};

/// Switches above switches beyond this are taken for a circle.
const DEPTH_MAX: usize = 8;

/// What hangs where.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Topology {
    /// The levels, widest first; none without a topology.
    pub levels: Vec<String>,
    /// Of each node the domains that hold it, one for each level.
    pub domains: BTreeMap<String, Vec<String>>,
    /// Whether the lowest level is blocks.
    pub has_blocks: bool,
}

pub(super) fn read(text: &str, left_out: &mut Vec<String>, budget: &mut Budget) -> Topology {
    let mut leaves: Vec<(String, Vec<String>)> = Vec::new();
    let mut above: BTreeMap<String, String> = BTreeMap::new();
    let mut has_blocks = false;
    for line in lines::of(text) {
        let mut listed =
            |name: &str| budget.hosts(line.value(name).unwrap_or_default()).unwrap_or_default();
        match line.subject() {
            "switchname" => {
                let name = line.value("switchname").unwrap_or_default().to_owned();
                for below in listed("switches") {
                    above.insert(below, name.clone());
                }
                let nodes = listed("nodes");
                if !nodes.is_empty() {
                    leaves.push((name, nodes));
                }
            }
            "blockname" => {
                has_blocks = true;
                let name = line.value("blockname").unwrap_or_default().to_owned();
                leaves.push((name, listed("nodes")));
            }
            subject => {
                let number = line.number;
                left_out.push(format!("topology.conf line {number}: {subject}"));
            }
        }
    }
    let paths: Vec<(Vec<String>, Vec<String>)> =
        leaves.into_iter().map(|(name, nodes)| (path(name, &above), nodes)).collect();
    let depth = paths.iter().map(|(path, _)| path.len()).max().unwrap_or(0);
    let mut topology =
        Topology { levels: levels(depth, has_blocks), has_blocks, ..Default::default() };
    for (mut path, nodes) in paths {
        // Where a branch is shorter than others, its lowest switch stands for the levels it lacks.
        while path.len() < depth {
            path.extend(path.last().cloned());
        }
        for node in nodes {
            topology.domains.insert(node, path.clone());
        }
    }
    topology
}

/// From the widest switch down to this one.
fn path(name: String, above: &BTreeMap<String, String>) -> Vec<String> {
    let mut path = vec![name];
    while let Some(parent) = path.last().and_then(|last| above.get(last)) {
        if path.len() >= DEPTH_MAX {
            break;
        }
        path.push(parent.clone());
    }
    path.reverse();
    path
}

fn levels(depth: usize, has_blocks: bool) -> Vec<String> {
    let lowest = if has_blocks { "block" } else { "switch" };
    let name = |index: usize| match depth - index {
        1 => lowest.to_owned(),
        above => format!("{lowest}-{above}"),
    };
    (0..depth).map(name).collect()
}
