//! The variables, by the option they mean. Most are a prefix of the command and a word.

use crate::command::{Command, Commands};

/// A variable that means an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// The option, by its long name.
    pub option: &'static str,
}

/// The variables a command looks at; of two that mean the same the later counts.
pub fn variables(command: Command) -> impl Iterator<Item = Variable> {
    let prefix = prefix(command);
    let own = PREFIXED
        .iter()
        .filter(move |(commands, ..)| commands.contains(command))
        .map(move |&(_, word, option)| Variable { name: format!("{prefix}_{word}"), option });
    let named = NAMED
        .iter()
        .filter(move |(commands, ..)| commands.contains(command))
        .map(|&(_, name, option)| Variable { name: name.to_owned(), option });
    named.chain(own).chain(last(command))
}

/// What the names of a command's variables begin with.
pub(super) const fn prefix(command: Command) -> &'static str {
    match command {
        Command::Sbatch => "SBATCH",
        Command::Srun => "SLURM",
        Command::Salloc => "SALLOC",
    }
}

/// What counts more than the variable that goes by the prefix.
fn last(command: Command) -> impl Iterator<Item = Variable> {
    let names = match command {
        Command::Srun => &SRUN_LAST[..],
        Command::Sbatch | Command::Salloc => &[],
    };
    names.iter().map(|&(name, option)| Variable { name: name.to_owned(), option })
}

const SRUN_LAST: [(&str, &str); 3] = [
    ("SRUN_CPUS_PER_TASK", "cpus-per-task"),
    ("SRUN_EXPORT_ENV", "export"),
    ("SLURM_STEP_GRES", "gres"),
];

const ALL: Commands = Commands::ALL;
const B: Commands = Commands::SBATCH;
const S: Commands = Commands::SRUN;
const A: Commands = Commands::SALLOC;

/// By their whole name.
const NAMED: [(Commands, &str, &str); 7] = [
    (B.and(A), "SLURM_CLUSTERS", "clusters"),
    (B.and(A), "SLURM_HINT", "hint"),
    (S, "SLURM_NPROCS", "ntasks"),
    (S, "SLURM_NNODES", "nodes"),
    (S, "SLURM_REMOTE_CWD", "chdir"),
    (S, "SLURMD_DEBUG", "slurmd-debug"),
    (S, "SRUN_CONTAINER", "container"),
];

/// By what follows the prefix.
const PREFIXED: [(Commands, &str, &str); 92] = [
    (ALL, "ACCOUNT", "account"),
    (ALL, "ACCTG_FREQ", "acctg-freq"),
    (B, "ARRAY_INX", "array"),
    (B, "BATCH", "batch"),
    (S, "BCAST", "bcast"),
    (S, "BCAST_EXCLUDE", "bcast-exclude"),
    (A, "BELL", "bell"),
    (S.and(A), "BURST_BUFFER", "bb"),
    (ALL, "CLUSTERS", "clusters"),
    (S, "COMPRESS", "compress"),
    (ALL, "CONSTRAINT", "constraint"),
    (B.and(A), "CONTAINER", "container"),
    (ALL, "CORE_SPEC", "core-spec"),
    (S, "CPU_BIND", "cpu-bind"),
    (S, "CPU_FREQ_REQ", "cpu-freq"),
    (ALL, "CPUS_PER_GPU", "cpus-per-gpu"),
    (S, "CPUS_PER_TASK", "cpus-per-task"),
    (ALL, "DEBUG", "verbose"),
    (ALL, "DELAY_BOOT", "delay-boot"),
    (S, "DEPENDENCY", "dependency"),
    (S, "DISABLE_STATUS", "disable-status"),
    (B.and(S), "DISTRIBUTION", "distribution"),
    (S, "EPILOG", "epilog"),
    (B, "ERROR", "error"),
    (S, "EXACT", "exact"),
    (ALL, "EXCLUSIVE", "exclusive"),
    (B, "EXPORT", "export"),
    (S, "EXPORT_ENV", "export"),
    (B, "GET_USER_ENV", "get-user-env"),
    (ALL, "GPU_BIND", "gpu-bind"),
    (ALL, "GPU_FREQ", "gpu-freq"),
    (ALL, "GPUS", "gpus"),
    (ALL, "GPUS_PER_NODE", "gpus-per-node"),
    (ALL, "GPUS_PER_TASK", "gpus-per-task"),
    (ALL, "GRES", "gres"),
    (ALL, "GRES_FLAGS", "gres-flags"),
    (ALL, "HINT", "hint"),
    (B, "IGNORE_PBS", "ignore-pbs"),
    (S.and(A), "IMMEDIATE", "immediate"),
    (B, "INPUT", "input"),
    (S, "JOB_ID", "jobid"),
    (B.and(S), "JOB_NAME", "job-name"),
    (S, "JOB_NUM_NODES", "nodes"),
    (S, "KILL_BAD_EXIT", "kill-on-bad-exit"),
    (A, "KILL_CMD", "kill-command"),
    (S, "LABELIO", "label"),
    (ALL, "MEM_BIND", "mem-bind"),
    (ALL, "MEM_PER_CPU", "mem-per-cpu"),
    (ALL, "MEM_PER_GPU", "mem-per-gpu"),
    (ALL, "MEM_PER_NODE", "mem"),
    (S, "MPI_TYPE", "mpi"),
    (ALL, "NETWORK", "network"),
    (A, "NO_BELL", "no-bell"),
    (ALL, "NO_KILL", "no-kill"),
    (B, "NO_REQUEUE", "no-requeue"),
    (S, "NTASKS", "ntasks"),
    (S, "NTASKS_PER_CORE", "ntasks-per-core"),
    (S, "NTASKS_PER_GPU", "ntasks-per-gpu"),
    (S, "NTASKS_PER_NODE", "ntasks-per-node"),
    (S, "NTASKS_PER_SOCKET", "ntasks-per-socket"),
    (B.and(S), "OPEN_MODE", "open-mode"),
    (B, "OUTPUT", "output"),
    (ALL, "OVERCOMMIT", "overcommit"),
    (S, "OVERLAP", "overlap"),
    (ALL, "PARTITION", "partition"),
    (ALL, "POWER", "power"),
    (ALL, "PROFILE", "profile"),
    (S, "PROLOG", "prolog"),
    (ALL, "QOS", "qos"),
    (ALL, "REQ_SWITCH", "switches"),
    (B, "REQUEUE", "requeue"),
    (ALL, "RESERVATION", "reservation"),
    (S, "RESV_PORTS", "resv-ports"),
    (S, "SEND_LIBS", "send-libs"),
    (ALL, "SIGNAL", "signal"),
    (ALL, "SPREAD_JOB", "spread-job"),
    (S, "STDERRMODE", "error"),
    (S, "STDINMODE", "input"),
    (S, "STDOUTMODE", "output"),
    (S, "TASK_EPILOG", "task-epilog"),
    (S, "TASK_PROLOG", "task-prolog"),
    (ALL, "THREAD_SPEC", "thread-spec"),
    (S, "THREADS", "threads"),
    (ALL, "THREADS_PER_CORE", "threads-per-core"),
    (ALL, "TIMELIMIT", "time"),
    (S, "UNBUFFEREDIO", "unbuffered"),
    (ALL, "USE_MIN_NODES", "use-min-nodes"),
    (B, "WAIT", "wait"),
    (S, "WAIT", "wait"),
    (B.and(A), "WAIT_ALL_NODES", "wait-all-nodes"),
    (ALL, "WCKEY", "wckey"),
    (S, "WORKING_DIR", "chdir"),
];
