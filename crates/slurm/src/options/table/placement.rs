//! Options that change where a job runs or how much it gets, and that are understood.

use super::{flag, maybe, value};
use crate::command::Commands;
use crate::options::{Kind, OptionRow};

const ALL: Commands = Commands::ALL;
const P: Kind = Kind::Placement;

pub(super) const ROWS: &[OptionRow] = &[
    value("account", 'A', ALL, P),
    value("array", 'a', Commands::SBATCH, P),
    value("begin", 'b', ALL, P),
    value("constraint", 'C', ALL, P),
    value("cpus-per-gpu", ' ', ALL, P),
    value("cpus-per-task", 'c', ALL, P),
    value("deadline", ' ', ALL, P),
    value("dependency", 'd', ALL, P),
    value("exclude", 'x', ALL, P),
    maybe("exclusive", ' ', ALL, P),
    value("gpus", 'G', ALL, P),
    value("gpus-per-node", ' ', ALL, P),
    value("gpus-per-socket", ' ', ALL, P),
    value("gpus-per-task", ' ', ALL, P),
    value("gres", ' ', ALL, P),
    flag("hold", 'H', ALL, P),
    value("mem", ' ', ALL, P),
    value("mem-per-cpu", ' ', ALL, P),
    value("mem-per-gpu", ' ', ALL, P),
    value("mincpus", ' ', ALL, P),
    value("nodelist", 'w', ALL, P),
    value("nodes", 'N', ALL, P),
    value("ntasks", 'n', ALL, P),
    value("ntasks-per-gpu", ' ', ALL, P),
    value("ntasks-per-node", ' ', ALL, P),
    flag("overcommit", 'O', ALL, P),
    value("partition", 'p', ALL, P),
    value("prefer", ' ', ALL, P),
    value("qos", 'q', ALL, P),
    value("relative", 'r', Commands::SRUN, P),
    value("reservation", ' ', ALL, P),
    value("segment", ' ', ALL, P),
    value("sockets-per-node", ' ', ALL, P),
    flag("spread-job", ' ', ALL, P),
    value("switches", ' ', ALL, P),
    value("tasks-per-node", ' ', ALL, P),
    value("time", 't', ALL, P),
    value("time-min", ' ', ALL, P),
    value("tres-per-task", ' ', ALL, P),
];
