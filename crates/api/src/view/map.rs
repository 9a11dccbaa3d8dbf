//! The cluster as a picture: every GPU in its node, who has it, and how busy it is.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{ClusterView, JobState, NodeState};
use crate::moment::Moment;

/// The whole picture.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MapView {
    /// The last entry of the journal it shows.
    pub sequence: u64,
    /// When it was made.
    #[schema(value_type = String)]
    pub at: Moment,
    /// The cluster at a glance.
    pub cluster: ClusterView,
    /// The levels of the topology above the node, widest first.
    pub levels: Vec<String>,
    /// All nodes, by name.
    pub nodes: Vec<MapNode>,
    /// Jobs that hold GPUs, by number.
    pub jobs: Vec<MapJob>,
    /// The largest gang of whole GPUs that could start now within one domain of each level: the
    /// whole cluster first, one node last.
    pub largest: Vec<LargestGang>,
}

/// What has changed since the picture before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MapChange {
    /// The last entry of the journal it shows.
    pub sequence: u64,
    /// When it was made.
    #[schema(value_type = String)]
    pub at: Moment,
    /// The cluster at a glance.
    pub cluster: ClusterView,
    /// The levels of the topology, where they are others now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub levels: Option<Vec<String>>,
    /// Nodes that are new or look different.
    pub nodes: Vec<MapNode>,
    /// Nodes that are not there any more.
    pub nodes_gone: Vec<String>,
    /// Jobs that are new or look different.
    pub jobs: Vec<MapJob>,
    /// Jobs that hold no GPUs any more.
    pub jobs_gone: Vec<u64>,
    /// As in the whole picture.
    pub largest: Vec<LargestGang>,
}

/// A node with its GPUs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MapNode {
    /// Its name.
    pub name: String,
    /// The domains that hold it, widest first.
    pub domains: Vec<String>,
    /// Whether it can be seen and used.
    pub state: NodeState,
    /// Whether an operator keeps new work off.
    pub drained: bool,
    /// The model of its GPUs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// How many GPUs it has.
    pub gpus: u32,
    /// GPUs that report errors, by index.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unhealthy: Vec<u32>,
    /// What is allocated.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub held: Vec<HeldGpu>,
}

/// A GPU, or a part of one, that a job has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct HeldGpu {
    /// Which GPU of the node.
    pub gpu: u32,
    /// Who has it.
    pub job: u64,
    /// How many thousandths of it.
    pub milli: u64,
    /// How busy the job kept it lately, in thousandths, if it was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub busy: Option<u32>,
}

/// A job that holds GPUs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MapJob {
    /// Its number.
    pub id: u64,
    /// Its name.
    pub name: String,
    /// Whose it is.
    pub user: String,
    /// The team it is accounted to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team: Option<String>,
    /// Its queue.
    pub queue: String,
    /// Its class.
    pub class: String,
    /// Where it is in its life.
    pub state: JobState,
    /// Thousandths of GPUs it holds.
    pub gpus_milli: u64,
    /// Whether the rule of its queue calls it idle.
    #[serde(default)]
    pub is_idle: bool,
    /// When it started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub started: Option<Moment>,
}

/// How large a gang could start now within one domain of a level.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LargestGang {
    /// The level: `cluster`, a level of the topology, or `node`.
    pub level: String,
    /// The domain that could hold it, from the widest level down.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub domain: Vec<String>,
    /// How many whole GPUs of one model are free there.
    pub gpus: u64,
    /// The model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
}

impl MapView {
    /// What has changed since an earlier picture; `None` if it looks the same.
    pub fn since(&self, earlier: &MapView) -> Option<MapChange> {
        let nodes = changed(&self.nodes, &earlier.nodes, |node| node.name.as_str());
        let jobs = changed(&self.jobs, &earlier.jobs, |job| job.id);
        let counts = |view: &MapView| ClusterView { sequence: 0, ..view.cluster.clone() };
        let levels = (self.levels != earlier.levels).then(|| self.levels.clone());
        let is_same = nodes.is_empty() && jobs.is_empty() && levels.is_none();
        let is_same = is_same && counts(self) == counts(earlier) && self.largest == earlier.largest;
        (!is_same).then(|| MapChange {
            sequence: self.sequence,
            at: self.at,
            cluster: self.cluster.clone(),
            levels,
            nodes: nodes.new.into_iter().cloned().collect(),
            nodes_gone: nodes.gone.into_iter().map(|node| node.name.clone()).collect(),
            jobs: jobs.new.into_iter().cloned().collect(),
            jobs_gone: jobs.gone.into_iter().map(|job| job.id).collect(),
            largest: self.largest.clone(),
        })
    }

    /// Becomes the later picture that the change was told of: what [`since`](MapView::since) says
    /// of the later one, applied to the earlier one.
    pub fn apply(&mut self, change: MapChange) {
        (self.sequence, self.at) = (change.sequence, change.at);
        (self.cluster, self.largest) = (change.cluster, change.largest);
        if let Some(levels) = change.levels {
            self.levels = levels;
        }
        let gone: BTreeSet<String> = change.nodes_gone.into_iter().collect();
        self.nodes.retain(|node| !gone.contains(&node.name));
        replace(&mut self.nodes, change.nodes, |node| node.name.clone());
        let gone: BTreeSet<u64> = change.jobs_gone.into_iter().collect();
        self.jobs.retain(|job| !gone.contains(&job.id));
        replace(&mut self.jobs, change.jobs, |job| job.id);
    }
}

/// Puts items into a list that is in the order of a key, in place of those they are news of.
fn replace<T, K: Ord>(list: &mut Vec<T>, items: Vec<T>, key: impl Fn(&T) -> K) {
    let mut new = Vec::new();
    for item in items {
        match list.binary_search_by_key(&key(&item), &key) {
            Ok(place) => list[place] = item,
            Err(_) => new.push(item),
        }
    }
    // Once for all of them: a cluster that starts has thousands that are new at once.
    if !new.is_empty() {
        list.extend(new);
        list.sort_by_key(key);
    }
}

/// What differs between two lists.
struct Changed<'a, T> {
    new: Vec<&'a T>,
    gone: Vec<&'a T>,
}

impl<T> Changed<'_, T> {
    fn is_empty(&self) -> bool {
        self.new.is_empty() && self.gone.is_empty()
    }
}

/// Compares lists that are both in the order of a key.
fn changed<'a, T: PartialEq, K: Ord>(
    now: &'a [T],
    earlier: &'a [T],
    key: impl Fn(&'a T) -> K,
) -> Changed<'a, T> {
    let mut old = earlier.iter().peekable();
    let (mut new, mut gone) = (Vec::new(), Vec::new());
    for item in now {
        while let Some(before) = old.next_if(|before| key(before) < key(item)) {
            gone.push(before);
        }
        let before = old.next_if(|before| key(before) == key(item));
        if before != Some(item) {
            new.push(item);
        }
    }
    gone.extend(old);
    Changed { new, gone }
}

#[cfg(test)]
mod tests;
