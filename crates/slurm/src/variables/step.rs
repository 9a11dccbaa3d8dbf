//! Variables of a step, and of each of its tasks.

use super::{Job, Variables, compressed, numbers};
use crate::values::Hostlist;

/// A step of a job.
#[derive(Clone, Debug)]
pub struct Step<'a> {
    /// Its number.
    pub id: u32,
    /// Its nodes in order, by their place among those of the job, and the tasks on each.
    pub nodes: &'a [(usize, u32)],
    /// How its tasks are dealt out.
    pub distribution: &'a str,
    /// Where whoever started it listens.
    pub launched_from: Option<(&'a str, u16)>,
    /// The mask for new files.
    pub umask: u32,
}

/// A task of a step.
#[derive(Clone, Debug)]
pub struct Task<'a> {
    /// Its rank among all tasks of the step.
    pub rank: u32,
    /// Its rank among those on its node.
    pub local: u32,
    /// Its node's place among those of the step.
    pub node: usize,
    /// The ranks of all tasks on its node.
    pub together: &'a [u32],
    /// CPUs that the step has on its node.
    pub cpus: u32,
    /// GPUs that the step has on its node, as they are counted there.
    pub step_gpus: &'a [u32],
}

impl Job<'_> {
    /// What a task is told on top of the variables of its job.
    pub fn task(&self, step: &Step<'_>, task: &Task<'_>) -> Variables {
        let named = |place: usize| self.nodes.get(place).map(|node| node.name.clone());
        let hosts = step.nodes.iter().filter_map(|(place, _)| named(*place));
        let list = Hostlist::new(hosts).to_string();
        let tasks: u32 = step.nodes.iter().map(|(_, tasks)| tasks).sum();
        let per_node = compressed(step.nodes.iter().map(|(_, tasks)| *tasks));
        let (id, count) = (step.id.to_string(), step.nodes.len().to_string());
        let own = step.nodes.get(task.node).and_then(|(place, _)| named(*place));
        let own = own.unwrap_or_default();
        let mut told = vec![
            ("SLURM_STEP_ID", id.clone()),
            ("SLURM_STEPID", id),
            ("SLURM_STEP_NODELIST", list),
            ("SLURM_STEP_NUM_NODES", count.clone()),
            ("SLURM_NNODES", count),
            ("SLURM_STEP_NUM_TASKS", tasks.to_string()),
            ("SLURM_NTASKS", tasks.to_string()),
            ("SLURM_NPROCS", tasks.to_string()),
            ("SLURM_STEP_TASKS_PER_NODE", per_node.clone()),
            ("SLURM_TASKS_PER_NODE", per_node),
            ("SLURM_DISTRIBUTION", step.distribution.to_owned()),
            ("SLURM_UMASK", format!("{:04o}", step.umask)),
            ("SLURM_PROCID", task.rank.to_string()),
            ("SLURM_LOCALID", task.local.to_string()),
            ("SLURM_NODEID", task.node.to_string()),
            ("SLURM_GTIDS", numbers(task.together)),
            ("SLURM_CPUS_ON_NODE", task.cpus.to_string()),
            ("SLURMD_NODENAME", own.clone()),
            ("SLURM_TOPOLOGY_ADDR", own),
            ("SLURM_TOPOLOGY_ADDR_PATTERN", "node".to_owned()),
            ("SLURM_PRIO_PROCESS", "0".to_owned()),
            ("SLURM_TASK_PID", "0".to_owned()),
        ];
        if !task.step_gpus.is_empty() {
            told.push(("SLURM_GPUS_ON_NODE", task.step_gpus.len().to_string()));
            told.push(("SLURM_STEP_GPUS", numbers(task.step_gpus)));
        }
        if let Some((address, port)) = step.launched_from {
            told.push(("SLURM_LAUNCH_NODE_IPADDR", address.to_owned()));
            told.push(("SLURM_SRUN_COMM_HOST", address.to_owned()));
            told.push(("SLURM_SRUN_COMM_PORT", port.to_string()));
            told.push(("SLURM_STEP_LAUNCHER_PORT", port.to_string()));
        }
        told.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }
}
