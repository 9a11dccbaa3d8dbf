//! The engine's answers in plain words: for stories, logs and the command line. Nodes have
//! their names, times count from a beginning, and what is said of several is said once.

use std::collections::BTreeMap;
use std::sync::Arc;

use muster_engine::action::Action;
use muster_engine::command::Command;
use muster_model::{JobId, JobSpec, Name, NodeId, Time};

mod actions;
mod decision;
mod list;
mod table;
mod time;
mod why;

pub use time::moment;

/// What has to be known to say things as people do.
#[derive(Clone, Debug)]
pub struct Scene {
    /// The moment that times are counted from.
    start: Time,
    /// How a moment is said, given the first one.
    says: fn(Time, Time) -> String,
    /// The latest moment.
    now: Time,
    nodes: BTreeMap<NodeId, Name>,
    jobs: BTreeMap<JobId, Arc<JobSpec>>,
}

impl Scene {
    /// A scene that begins at this moment.
    pub fn new(start: Time) -> Scene {
        Scene { start, says: moment, now: start, nodes: BTreeMap::new(), jobs: BTreeMap::new() }
    }

    /// The same, with moments said in another way: as dates, where there are some.
    #[must_use]
    pub fn saying(mut self, says: fn(Time, Time) -> String) -> Scene {
        self.says = says;
        self
    }

    /// Learns the name of a node.
    pub fn know_node(&mut self, node: NodeId, name: Name) {
        self.nodes.insert(node, name);
    }

    /// Learns what a job is.
    pub fn know_job(&mut self, job: JobId, spec: Arc<JobSpec>) {
        self.jobs.insert(job, spec);
    }

    /// Learns names from a step.
    pub fn saw(&mut self, now: Time, command: &Command, actions: &[Action]) {
        self.now = self.now.max(now);
        for action in actions {
            match action {
                Action::NodeAccepted { node, name } => {
                    self.nodes.insert(*node, name.clone());
                }
                Action::Accepted { job, elements } => {
                    let Command::Submit { spec } = command else { continue };
                    for number in job.0..=job.0 + u64::from(*elements) {
                        self.jobs.insert(JobId(number), Arc::clone(spec));
                    }
                }
                _ => {}
            }
        }
    }

    /// A node's name; its number while it is unknown.
    pub fn node(&self, node: NodeId) -> String {
        self.nodes.get(&node).map_or_else(|| format!("#{node}"), ToString::to_string)
    }

    /// The number of the node with this name.
    pub fn node_named(&self, name: &Name) -> Option<NodeId> {
        self.nodes.iter().find(|(_, known)| *known == name).map(|(node, _)| *node)
    }

    /// Nodes as a compressed list (`n[1-4]`).
    pub(crate) fn hosts(&self, nodes: impl IntoIterator<Item = NodeId>) -> String {
        let names: Vec<String> = nodes.into_iter().map(|node| self.node(node)).collect();
        list::hosts(&names)
    }

    /// A moment, counted from the beginning.
    fn moment(&self, time: Time) -> String {
        (self.says)(self.start, time)
    }
}

#[cfg(test)]
mod tests;
