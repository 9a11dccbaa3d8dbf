//! Reads the configuration of a Slurm cluster: `slurm.conf`, `gres.conf`, `topology.conf` and what
//! `sacctmgr dump` writes. Files are brought by whoever calls; what has no equivalent is listed.

mod accounts;
mod conf;
mod lines;
mod topology;

#[cfg(test)]
mod tests;

pub use accounts::Accounts;
pub use topology::Topology;

use std::collections::BTreeMap;

use muster_model::Invalid;

use crate::values::Hostlist;

/// The texts of a cluster's files, with what they include in place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Files {
    /// `slurm.conf`.
    pub slurm: String,
    /// `gres.conf`.
    pub gres: String,
    /// `topology.conf`.
    pub topology: String,
    /// What `sacctmgr dump` wrote.
    pub accounts: String,
}

/// What was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Imported {
    /// The name of the cluster.
    pub cluster: String,
    /// The nodes by name.
    pub nodes: BTreeMap<String, ImportedNode>,
    /// The partitions, in order.
    pub partitions: Vec<ImportedPartition>,
    /// What hangs where.
    pub topology: Topology,
    /// Who belongs to which account.
    pub accounts: Accounts,
    /// What has no equivalent, each once with the file and the line.
    pub left_out: Vec<String>,
}

/// One node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImportedNode {
    /// CPUs.
    pub cpus: u64,
    /// Memory in MiB.
    pub memory_mib: u64,
    /// GPUs.
    pub gpus: u32,
    /// Their type.
    pub model: Option<String>,
    /// Its features.
    pub features: Vec<String>,
}

/// One partition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImportedPartition {
    /// Its name.
    pub name: String,
    /// Its nodes, in order.
    pub nodes: Vec<String>,
    /// Whether it is the usual one.
    pub is_default: bool,
    /// The longest limit, in minutes.
    pub time_max_minutes: Option<u32>,
    /// The limit of who names none, in minutes.
    pub time_default_minutes: Option<u32>,
}

/// All names of nodes in all lines together: more than any cluster has, and little enough that a
/// file cannot fill the memory.
const NAMES_MAX: usize = 1_000_000;

/// How many names may still be read.
struct Budget(usize);

impl Budget {
    /// The names of a list, while there is room for them.
    fn hosts(&mut self, text: &str) -> Result<Vec<String>, String> {
        if text.is_empty() {
            return Ok(Vec::new());
        }
        let list: Hostlist = text.parse().map_err(|error: Invalid| error.to_string())?;
        self.take(list.len())?;
        Ok(list.hosts().to_vec())
    }

    fn take(&mut self, names: usize) -> Result<(), String> {
        let left = self.0.checked_sub(names);
        self.0 = left.ok_or_else(|| format!("more than {NAMES_MAX} names of nodes"))?;
        Ok(())
    }
}

/// Reads everything; lines that make no sense are listed and passed over.
///
/// ```
/// use muster_slurm::import::{self, Files};
///
/// let slurm = "ClusterName=big\nNodeName=n[1-2] CPUs=64 RealMemory=1000 Gres=gpu:h100:8\n\
///              PartitionName=main Nodes=ALL Default=YES MaxTime=1-0\n";
/// let read = import::read(&Files { slurm: slurm.to_owned(), ..Files::default() });
/// assert_eq!(read.nodes["n2"].gpus, 8);
/// assert_eq!(read.partitions[0].nodes, ["n1", "n2"]);
/// ```
pub fn read(files: &Files) -> Imported {
    let mut imported = Imported::default();
    let mut budget = Budget(NAMES_MAX);
    conf::read(&files.slurm, &mut imported, &mut budget);
    conf::read_gres(&files.gres, &mut imported, &mut budget);
    imported.topology = topology::read(&files.topology, &mut imported.left_out, &mut budget);
    imported.accounts = accounts::read(&files.accounts, &mut imported.left_out);
    imported
}
