//! Options that are noted and change nothing, each with the reason why a job runs well without.

use super::{BATCH_ALLOC, BATCH_STEP, STEP_ALLOC, flag, maybe, value};
use crate::command::Commands;
use crate::options::{Kind, OptionRow};

const ALL: Commands = Commands::ALL;
const SRUN: Commands = Commands::SRUN;
const SALLOC: Commands = Commands::SALLOC;

const ACCOUNTING: Kind = Kind::Accepted("usage is measured by the agent at its own pace");
const BELL: Kind = Kind::Accepted("the terminal bell is not rung");
const BINDING: Kind = Kind::Accepted("GPUs are given with the CPUs nearest to them");
const BOOT: Kind = Kind::Accepted("nodes are not rebooted for jobs");
const CARRIED: Kind = Kind::Accepted("programs are run from where they are on each node");
const CORES: Kind = Kind::Accepted("CPUs are counted, tasks are not tied to cores or sockets");
const DEBUG: Kind = Kind::Accepted("it concerns the inside of Slurm");
const ENVIRONMENT: Kind = Kind::Accepted("the environment of the submission travels with the job");
const FEWEST: Kind = Kind::Accepted("a gang is put on as few nodes as possible anyway");
const FREQUENCY: Kind = Kind::Accepted("clock frequencies and power are left to the hardware");
const GANG: Kind = Kind::Accepted("a job starts when all of its nodes are ready");
const LABEL: Kind = Kind::Accepted("it is kept with the job");
const LICENSES: Kind = Kind::Accepted("licences are not counted");
const LIMITS: Kind = Kind::Accepted("limits are those of the node");
const LOST: Kind = Kind::Accepted("a job that loses a node is started again as a whole");
const MEMORY: Kind = Kind::Accepted("a task that runs out of memory ends its attempt");
const NETWORK: Kind = Kind::Accepted("the network is used as it is");
const ORDER: Kind = Kind::Accepted("the order of jobs follows from queue, class and fairness");
const PORTS: Kind = Kind::Accepted("each gang has a port reserved anyway");
const PROFILE: Kind = Kind::Accepted("profiles are not recorded");
const SHARING: Kind = Kind::Accepted("CPUs and GPUs are given to one task at a time");
const SPECIAL: Kind = Kind::Accepted("CPUs for the system are set apart by the configuration");
const X11: Kind = Kind::Accepted("X11 is not forwarded");

pub(super) const ROWS: &[OptionRow] = &[
    value("accel-bind", ' ', SRUN, BINDING),
    value("acctg-freq", ' ', ALL, ACCOUNTING),
    maybe("bcast", ' ', SRUN, CARRIED),
    value("bcast-exclude", ' ', SRUN, CARRIED),
    flag("bell", ' ', SALLOC, BELL),
    maybe("compress", ' ', SRUN, CARRIED),
    flag("container-entrypoint-log", ' ', ALL, DEBUG),
    value("context", ' ', ALL, LABEL),
    value("core-spec", 'S', ALL, SPECIAL),
    value("cpu-freq", ' ', ALL, FREQUENCY),
    flag("debugger-test", ' ', SRUN, DEBUG),
    value("delay-boot", ' ', ALL, BOOT),
    flag("disable-status", 'X', SRUN, DEBUG),
    value("extra", ' ', ALL, LABEL),
    maybe("get-user-env", ' ', BATCH_ALLOC, ENVIRONMENT),
    value("gpu-freq", ' ', ALL, FREQUENCY),
    value("gres-flags", ' ', ALL, BINDING),
    flag("interactive", ' ', SRUN, DEBUG),
    maybe("kill-command", 'K', SALLOC, DEBUG),
    value("licenses", 'L', ALL, LICENSES),
    value("mcs-label", ' ', ALL, LABEL),
    value("msg-timeout", ' ', SRUN, DEBUG),
    value("network", ' ', ALL, NETWORK),
    maybe("nice", ' ', ALL, ORDER),
    flag("no-bell", ' ', SALLOC, BELL),
    maybe("no-kill", 'k', ALL, LOST),
    value("ntasks-per-core", ' ', ALL, CORES),
    value("ntasks-per-socket", ' ', ALL, CORES),
    maybe("oom-kill-step", ' ', ALL, MEMORY),
    flag("oversubscribe", 's', ALL, SHARING),
    value("power", ' ', ALL, FREQUENCY),
    flag("preserve-env", 'E', SRUN, ENVIRONMENT),
    value("priority", ' ', ALL, ORDER),
    value("profile", ' ', ALL, PROFILE),
    maybe("propagate", ' ', BATCH_STEP, LIMITS),
    maybe("resv-ports", ' ', ALL, PORTS),
    maybe("send-libs", ' ', SRUN, CARRIED),
    value("slurmd-debug", ' ', SRUN, DEBUG),
    flag("stepmgr", ' ', ALL, DEBUG),
    value("thread-spec", ' ', ALL, SPECIAL),
    value("threads", 'T', SRUN, DEBUG),
    value("threads-per-core", ' ', ALL, CORES),
    value("treewidth", ' ', SRUN, DEBUG),
    value("tres-bind", ' ', ALL, BINDING),
    flag("use-min-nodes", ' ', ALL, FEWEST),
    value("wait-all-nodes", ' ', BATCH_ALLOC, GANG),
    flag("wait-for-children", ' ', SRUN, DEBUG),
    value("wckey", ' ', ALL, LABEL),
    maybe("x11", ' ', STEP_ALLOC, X11),
];
