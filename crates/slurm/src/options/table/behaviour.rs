//! Options that change how a job runs or how a command behaves, and that are understood.

use super::{BATCH_STEP, STEP_ALLOC, flag, maybe, value};
use crate::command::Commands;
use crate::options::{Kind, OptionRow};

const ALL: Commands = Commands::ALL;
const SBATCH: Commands = Commands::SBATCH;
const SRUN: Commands = Commands::SRUN;
const B: Kind = Kind::Behaviour;

pub(super) const ROWS: &[OptionRow] = &[
    value("chdir", 'D', ALL, B),
    value("comment", ' ', ALL, B),
    flag("container-entrypoint", ' ', ALL, B),
    value("container-env", ' ', ALL, B),
    value("container-image", ' ', ALL, B),
    flag("container-mount-home", ' ', ALL, B),
    value("container-mounts", ' ', ALL, B),
    flag("container-readonly", ' ', ALL, B),
    flag("container-remap-root", ' ', ALL, B),
    value("container-workdir", ' ', ALL, B),
    flag("container-writable", ' ', ALL, B),
    value("cpu-bind", ' ', SRUN, B),
    value("distribution", 'm', ALL, B),
    value("error", 'e', BATCH_STEP, B),
    flag("exact", ' ', SRUN, B),
    value("export", ' ', BATCH_STEP, B),
    value("gpu-bind", ' ', ALL, B),
    flag("help", 'h', ALL, B),
    value("hint", ' ', ALL, B),
    flag("ignore-pbs", ' ', SBATCH, B),
    maybe("immediate", 'I', STEP_ALLOC, B),
    value("input", 'i', BATCH_STEP, B),
    value("job-name", 'J', ALL, B),
    value("jobid", ' ', SRUN, B),
    maybe("kill-on-bad-exit", 'K', SRUN, B),
    value("kill-on-invalid-dep", ' ', SBATCH, B),
    flag("label", 'l', SRUN, B),
    value("mail-type", ' ', ALL, B),
    value("mail-user", ' ', ALL, B),
    value("mem-bind", ' ', ALL, B),
    value("mpi", ' ', SRUN, B),
    flag("no-container-entrypoint", ' ', ALL, B),
    flag("no-container-mount-home", ' ', ALL, B),
    flag("no-container-remap-root", ' ', ALL, B),
    flag("no-requeue", ' ', SBATCH, B),
    flag("no-shell", ' ', Commands::SALLOC, B),
    value("open-mode", ' ', BATCH_STEP, B),
    value("output", 'o', BATCH_STEP, B),
    flag("overlap", ' ', SRUN, B),
    flag("parsable", ' ', SBATCH, B),
    flag("pty", ' ', SRUN, B),
    flag("quiet", 'Q', ALL, B),
    flag("quit-on-interrupt", ' ', SRUN, B),
    flag("requeue", ' ', SBATCH, B),
    value("signal", ' ', ALL, B),
    flag("test-only", ' ', BATCH_STEP, B),
    flag("unbuffered", 'u', SRUN, B),
    flag("usage", ' ', ALL, B),
    flag("verbose", 'v', ALL, B),
    flag("version", 'V', ALL, B),
    flag("wait", 'W', SBATCH, B),
    value("wait", 'W', SRUN, B),
    flag("whole", ' ', SRUN, B),
    value("wrap", ' ', SBATCH, B),
];
