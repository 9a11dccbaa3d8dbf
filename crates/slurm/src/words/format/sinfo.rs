//! The fields of `sinfo` and its formats. A `#` is as wide as the widest value.

use super::Field;

/// The format of a plain list.
pub const LIST: &str = "%#P %.5a %.10l %.6D %.6t %N";

/// With `--long`.
pub const LONG: &str = "%#P %.5a %.10l %.10s %.4r %.8h %.10g %.6D %.11T %N";

/// With `--summarize`.
pub const SUMMARY: &str = "%#P %.5a %.10l %.16F %N";

/// With `--Node`.
pub const NODES: &str = "%#N %.6D %.#P %6t";

/// With `--Node --long`.
pub const NODES_LONG: &str = "%#N %.6D %.#P %.11T %4c %.8z %.6m %.8d %.6w %.8f %20E";

/// With `--list-reasons`.
pub const REASONS: &str = "%20E %9u %19H %N";

/// With `--list-reasons --long`.
pub const REASONS_LONG: &str = "%20E %12U %19H %6t %N";

const fn field(letter: char, name: &'static str, header: &'static str) -> Field {
    Field { name, letter, header, width: 20 }
}

/// The fields of partitions and nodes.
pub const FIELDS: &[Field] = &[
    field(' ', "AllocMem", "ALLOCMEM"),
    field('S', "AllocNodes", "ALLOCNODES"),
    field('a', "Available", "AVAIL"),
    field('c', "CPUs", "CPUS"),
    field('O', "CPUsLoad", "CPU_LOAD"),
    field('C', "CPUsState", "CPUS(A/I/O/T)"),
    field('V', "Cluster", "CLUSTER"),
    field(' ', "Comment", "COMMENT"),
    field('Y', "Cores", "CORES"),
    field('L', "DefaultTime", "DEFAULTTIME"),
    field('d', "Disk", "TMP_DISK"),
    field(' ', "Extra", "EXTRA"),
    field('f', "Features", "AVAIL_FEATURES"),
    field('e', "FreeMem", "FREE_MEM"),
    field('G', "Gres", "GRES"),
    field(' ', "GresUsed", "GRES_USED"),
    field('g', "Groups", "GROUPS"),
    field('B', "MaxCPUsPerNode", "MAX_CPUS_PER_NODE"),
    field('m', "Memory", "MEMORY"),
    field('A', "NodeAI", "NODES(A/I)"),
    field('F', "NodeAIOT", "NODES(A/I/O/T)"),
    field('o', "NodeAddr", "NODE_ADDR"),
    field('n', "NodeHost", "HOSTNAMES"),
    field('N', "NodeList", "NODELIST"),
    field('D', "Nodes", "NODES"),
    field('h', "OverSubscribe", "OVERSUBSCRIBE"),
    field('P', "Partition", "PARTITION"),
    field('R', "PartitionName", "PARTITION"),
    field(' ', "Port", "PORT"),
    field('M', "PreemptMode", "PREEMPT_MODE"),
    field('I', "PriorityJobFactor", "PRIO_JOB_FACTOR"),
    field('p', "PriorityTier", "PRIO_TIER"),
    field('E', "Reason", "REASON"),
    field('r', "Root", "ROOT"),
    field('s', "Size", "JOB_SIZE"),
    field('z', "SocketCoreThread", "S:C:T"),
    field('X', "Sockets", "SOCKETS"),
    field('t', "StateCompact", "STATE"),
    field(' ', "StateComplete", "STATECOMPLETE"),
    field('T', "StateLong", "STATE"),
    field('Z', "Threads", "THREADS"),
    field('l', "Time", "TIMELIMIT"),
    field('H', "TimeStamp", "TIMESTAMP"),
    field('u', "User", "USER"),
    field('U', "UserLong", "USER"),
    field('v', "Version", "VERSION"),
    field('w', "Weight", "WEIGHT"),
    field('b', "features_act", "ACTIVE_FEATURES"),
];
