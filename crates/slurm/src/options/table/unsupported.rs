//! Options that are refused, because a job without them would not be the one that was asked for.

use super::{BATCH_STEP, flag, value};
use crate::command::Commands;
use crate::options::{Kind, OptionRow};

const ALL: Commands = Commands::ALL;
const SBATCH: Commands = Commands::SBATCH;
const SRUN: Commands = Commands::SRUN;

const BURST: Kind = Kind::Unsupported("copy files at the start of the script instead");
const CLUSTERS: Kind = Kind::Unsupported("there is one cluster; leave the option out");
const CONTAINER: Kind = Kind::Unsupported("name the image with --container-image");
const DISK: Kind = Kind::Unsupported("name nodes with enough disk with --constraint");
const HETEROGENEOUS: Kind =
    Kind::Unsupported("submit the parts as jobs with --dependency, or as a job file with groups");
const KEPT: Kind =
    Kind::Unsupported("containers end with their task; build an image that has what is needed");
const LAUNCH: Kind = Kind::Unsupported("start such programs from a script that srun runs");
const LAYOUT: Kind = Kind::Unsupported("name such nodes with --constraint");
const NAMES: Kind = Kind::Unsupported("write the names with --nodelist");
const NEIGHBOURS: Kind = Kind::Unsupported("use --switches to keep a job together");
const OPERATOR: Kind = Kind::Unsupported("ask an operator to do it");
const OWNER: Kind = Kind::Unsupported("submit as that user");
const SHIFTER: Kind = Kind::Unsupported("name an image with --container-image, without Shifter");
const TASKS: Kind = Kind::Unsupported("use --ntasks-per-gpu");
const VARIABLES: Kind = Kind::Unsupported("name the variables with --export");

pub(super) const ROWS: &[OptionRow] = &[
    value("batch", ' ', SBATCH, LAYOUT),
    value("bb", ' ', ALL, BURST),
    value("bbf", ' ', ALL, BURST),
    value("cluster", ' ', ALL, CLUSTERS),
    value("cluster-constraint", ' ', ALL, CLUSTERS),
    value("clusters", 'M', ALL, CLUSTERS),
    value("container", ' ', ALL, CONTAINER),
    value("container-id", ' ', ALL, CONTAINER),
    value("container-name", ' ', ALL, KEPT),
    value("container-save", ' ', ALL, KEPT),
    flag("contiguous", ' ', ALL, NEIGHBOURS),
    value("cores-per-socket", ' ', ALL, LAYOUT),
    value("epilog", ' ', SRUN, LAUNCH),
    value("export-file", ' ', SBATCH, VARIABLES),
    flag("external-launcher", ' ', SRUN, LAUNCH),
    value("extra-node-info", 'B', ALL, LAYOUT),
    value("gid", ' ', ALL, OWNER),
    value("het-group", ' ', SRUN, HETEROGENEOUS),
    value("image", ' ', ALL, SHIFTER),
    value("module", ' ', BATCH_STEP, SHIFTER),
    flag("multi-prog", ' ', SRUN, LAUNCH),
    flag("no-allocate", 'Z', SRUN, OPERATOR),
    value("nodefile", 'F', ALL, NAMES),
    value("ntasks-per-tres", ' ', ALL, TASKS),
    value("pack-group", ' ', SRUN, HETEROGENEOUS),
    value("prolog", ' ', SRUN, LAUNCH),
    flag("reboot", ' ', ALL, OPERATOR),
    value("task-epilog", ' ', SRUN, LAUNCH),
    value("task-prolog", ' ', SRUN, LAUNCH),
    value("tmp", ' ', ALL, DISK),
    value("uid", ' ', ALL, OWNER),
    value("volume", ' ', ALL, SHIFTER),
];
