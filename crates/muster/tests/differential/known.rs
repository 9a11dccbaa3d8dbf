//! The differences that are meant, each with its reason. `docs/slurm.md` tells them to people.

/// Lines that begin like this are left out on both sides.
const LINES: [(&str, &str); 22] = [
    ("SLURM_CONF=", "there is no such file"),
    ("SLURM_WORKING_CLUSTER=", "it holds the address of Slurm's own daemon"),
    ("SLURM_JOB_CPUS_PER_NODE_PACK_GROUP_0=", "jobs of several parts are not there"),
    ("SLURM_JOB_START_TIME=", "later releases of Slurm have it"),
    ("SLURM_JOB_END_TIME=", "later releases of Slurm have it"),
    ("SLURM_JOB_GPUS=", "Slurm has it where its GPUs are real"),
    ("SLURM_STEP_GPUS=", "Slurm has it where its GPUs are real"),
    ("SLURM_JOB_QOS=", "Slurm has it where QOS are enforced"),
    ("SLURM_JOB_ACCOUNT=", "Slurm has it where accounts are enforced"),
    ("SLURM_SRUN_COMM_", "it holds the address of the srun of each run"),
    ("SLURM_STEP_LAUNCHER_PORT=", "it holds the address of the srun of each run"),
    ("SLURM_LAUNCH_NODE_IPADDR=", "it holds the address of the srun of each run"),
    ("SLURMD_TRES_BIND=", "it is Slurm's own note to its plugins"),
    ("SLURM_TRES_PER_TASK=", "it is Slurm's own note to its plugins"),
    ("SRUN_DEBUG=", "it is Slurm's own level of logging"),
    ("sbatch: hint:", "Muster says what to do"),
    ("sbatch: warning:", "Muster says what has no effect"),
    ("srun: hint:", "Muster says what to do"),
    ("salloc: hint:", "Muster says what to do"),
    ("srun: Job J1 step creation temporarily disabled", "it depends on how fast a step goes"),
    ("srun: Step created for", "it depends on how fast a step goes"),
    ("SLURM_PRIO_PROCESS=", "it repeats the nice value of whoever submitted"),
];

/// What is left of an output without the known differences.
pub(crate) fn without(lines: &[String]) -> Vec<String> {
    let is_known = |line: &&String| {
        // Labels of srun and of cases may stand before it.
        let bare = line.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == ':');
        LINES.iter().any(|(start, _)| bare.trim_start().starts_with(start))
    };
    lines.iter().filter(|line| !is_known(line)).cloned().collect()
}
