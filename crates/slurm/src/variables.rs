//! The variables by which Slurm tells programs where they are: those of a job, which its script
//! and all its steps see, and those of a step and its tasks.
//!
//! Variables that repeat an option exist only where the option was given: programs compare them
//! with what they were told themselves.

mod asked;
mod step;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use crate::Request;
use crate::values::Hostlist;

pub use step::{Step, Task};

/// Variables by name.
pub type Variables = BTreeMap<String, String>;

/// What is to be known of a job.
#[derive(Clone, Debug)]
pub struct Job<'a> {
    /// Its number.
    pub id: u64,
    /// Where it stands in its array.
    pub element: Option<Element>,
    /// Its name.
    pub name: &'a str,
    /// Whose it is.
    pub user: &'a str,
    /// The numbers of the user and the group.
    pub ids: Option<(u32, u32)>,
    /// Its partition.
    pub partition: &'a str,
    /// Its account.
    pub account: &'a str,
    /// Its quality of service.
    pub qos: &'a str,
    /// The cluster.
    pub cluster: &'a str,
    /// The folder and the machine it was submitted in.
    pub submitted_in: &'a str,
    /// The machine.
    pub submitted_on: &'a str,
    /// Its nodes, the one of its script first.
    pub nodes: &'a [Node],
    /// How often it was started before.
    pub restarts: u32,
    /// When it began, in seconds since 1970.
    pub start_s: Option<u64>,
    /// When it has to end.
    pub end_s: Option<u64>,
    /// What was asked for.
    pub request: &'a Request,
}

/// What a job has of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Its name.
    pub name: String,
    /// CPUs.
    pub cpus: u32,
    /// The GPUs, as Slurm counts them on that node.
    pub gpus: Vec<u32>,
}

/// Where an element stands in its array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Element {
    /// The array.
    pub array: u64,
    /// Its index.
    pub index: u32,
    /// How many elements there are.
    pub count: u32,
    /// The lowest index.
    pub min: u32,
    /// The highest.
    pub max: u32,
    /// The distance between two.
    pub step: u32,
}

impl Job<'_> {
    /// The variables of its script, which runs on the first node.
    pub fn script(&self) -> Variables {
        let mut told = self.everywhere();
        let Some(node) = self.nodes.first() else { return told };
        told.extend(self.on_node(0, node));
        let mut tell = |name: &str, value: &str| told.insert(name.to_owned(), value.to_owned());
        tell("ENVIRONMENT", "BATCH");
        tell("SLURM_PROCID", "0");
        tell("SLURM_LOCALID", "0");
        tell("SLURM_GTIDS", "0");
        tell("SLURM_PRIO_PROCESS", "0");
        tell("SLURM_NODE_ALIASES", "(null)");
        // Put right by whoever becomes the process.
        tell("SLURM_TASK_PID", "0");
        tell("HOSTNAME", &node.name);
        told
    }

    /// The variables of whoever holds an allocation without a script.
    pub fn allocation(&self) -> Variables {
        self.everywhere()
    }

    fn everywhere(&self) -> Variables {
        let nodes = Hostlist::new(self.nodes.iter().map(|node| node.name.clone())).to_string();
        let cpus = compressed(self.nodes.iter().map(|node| node.cpus));
        let tasks = compressed(self.tasks_per_node().into_iter());
        let count = self.nodes.len().to_string();
        let id = self.id.to_string();
        let mut told: Variables = [
            ("SLURM_JOB_ID", id.clone()),
            ("SLURM_JOBID", id),
            ("SLURM_JOB_NAME", self.name.to_owned()),
            ("SLURM_JOB_USER", self.user.to_owned()),
            ("SLURM_JOB_PARTITION", self.partition.to_owned()),
            ("SLURM_CLUSTER_NAME", self.cluster.to_owned()),
            ("SLURM_SUBMIT_DIR", self.submitted_in.to_owned()),
            ("SLURM_SUBMIT_HOST", self.submitted_on.to_owned()),
            ("SLURM_JOB_NODELIST", nodes.clone()),
            ("SLURM_NODELIST", nodes),
            ("SLURM_JOB_NUM_NODES", count.clone()),
            ("SLURM_NNODES", count),
            ("SLURM_JOB_CPUS_PER_NODE", cpus),
            ("SLURM_TASKS_PER_NODE", tasks),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .into();
        let mut tell = |name: &str, value: Option<String>| {
            told.extend(value.map(|value| (name.to_owned(), value)));
        };
        let not_empty = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        tell("SLURM_JOB_ACCOUNT", not_empty(self.account));
        tell("SLURM_JOB_QOS", not_empty(self.qos));
        tell("SLURM_JOB_UID", self.ids.map(|(user, _)| user.to_string()));
        tell("SLURM_JOB_GID", self.ids.map(|(_, group)| group.to_string()));
        tell("SLURM_JOB_START_TIME", self.start_s.map(|time| time.to_string()));
        tell("SLURM_JOB_END_TIME", self.end_s.map(|time| time.to_string()));
        let restarts = (self.restarts > 0).then(|| self.restarts.to_string());
        tell("SLURM_RESTART_COUNT", restarts);
        if let Some(element) = self.element {
            for (name, value) in [
                ("SLURM_ARRAY_JOB_ID", element.array),
                ("SLURM_ARRAY_TASK_ID", u64::from(element.index)),
                ("SLURM_ARRAY_TASK_COUNT", u64::from(element.count)),
                ("SLURM_ARRAY_TASK_MIN", u64::from(element.min)),
                ("SLURM_ARRAY_TASK_MAX", u64::from(element.max)),
                ("SLURM_ARRAY_TASK_STEP", u64::from(element.step)),
            ] {
                tell(name, Some(value.to_string()));
            }
        }
        told.extend(asked::of(self));
        told
    }

    /// What a process on one of the nodes is told.
    fn on_node(&self, index: usize, node: &Node) -> Vec<(String, String)> {
        let mut told = vec![
            ("SLURMD_NODENAME", node.name.clone()),
            ("SLURM_NODEID", index.to_string()),
            ("SLURM_CPUS_ON_NODE", node.cpus.to_string()),
            ("SLURM_TOPOLOGY_ADDR", node.name.clone()),
            ("SLURM_TOPOLOGY_ADDR_PATTERN", "node".to_owned()),
        ];
        if !node.gpus.is_empty() {
            told.push(("SLURM_GPUS_ON_NODE", node.gpus.len().to_string()));
            told.push(("SLURM_JOB_GPUS", numbers(&node.gpus)));
        }
        told.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }

    /// How many tasks a step has on each node if it does not say: those that were asked for, or as
    /// many as there are CPUs for.
    pub fn tasks_per_node(&self) -> Vec<u32> {
        let size = &self.request.size;
        let nodes = u32::try_from(self.nodes.len()).unwrap_or(u32::MAX).max(1);
        let each = size.cpus_per_task.unwrap_or(1).max(1);
        let by_cpus = |node: &Node| (node.cpus / each).max(1);
        let many = match (size.tasks, size.tasks_per_node) {
            (Some(tasks), _) => tasks,
            (None, Some(per_node)) => return vec![per_node; self.nodes.len()],
            (None, None) => return self.nodes.iter().map(by_cpus).collect(),
        };
        if size.overcommit || many < nodes {
            let dealt = |index| many / nodes + u32::from(index < many % nodes);
            return (0..nodes).map(dealt).collect();
        }
        self.by_room(many, nodes, each)
    }

    /// So many tasks where there are CPUs for them, one node after the other, but one on each.
    fn by_room(&self, many: u32, nodes: u32, each: u32) -> Vec<u32> {
        let mut left = many - nodes;
        let take = |node: &Node| {
            let more = (node.cpus / each).max(1).min(left + 1) - 1;
            left -= more;
            1 + more
        };
        self.nodes.iter().map(take).collect()
    }
}

/// Equal numbers next to each other as one: `4(x2),3`.
pub fn compressed(numbers: impl Iterator<Item = u32>) -> String {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for number in numbers {
        match runs.last_mut() {
            Some((last, count)) if *last == number => *count += 1,
            _ => runs.push((number, 1)),
        }
    }
    let run = |&(number, count): &(u32, u32)| match count {
        1 => number.to_string(),
        count => format!("{number}(x{count})"),
    };
    runs.iter().map(run).collect::<Vec<_>>().join(",")
}

fn numbers(all: &[u32]) -> String {
    all.iter().map(u32::to_string).collect::<Vec<_>>().join(",")
}
