//! The fields of `sacctmgr`, `sshare`, `sprio` and `sreport`, as far as there is something to say.

use super::Field;

const fn field(name: &'static str, header: &'static str, width: i16) -> Field {
    Field { name, letter: ' ', header, width }
}

/// Of `sacctmgr show qos`.
pub const QOS: &[Field] = &[
    field("Name", "Name", 10),
    field("Priority", "Priority", 10),
    field("GraceTime", "GraceTime", 10),
    field("Preempt", "Preempt", 10),
    field("PreemptMode", "PreemptMode", 11),
    field("Flags", "Flags", 20),
    field("MaxWall", "MaxWall", 11),
    field("MaxTRESPU", "MaxTRESPU", 13),
];

/// Of `sacctmgr show account`.
pub const ACCOUNT: &[Field] = &[
    field("Account", "Account", 10),
    field("Description", "Descr", 20),
    field("Organization", "Org", 20),
];

/// Of `sacctmgr show user`.
pub const USER: &[Field] = &[
    field("User", "User", 10),
    field("DefaultAccount", "Def Acct", 10),
    field("AdminLevel", "Admin", 9),
];

/// Of `sacctmgr show cluster`.
pub const CLUSTER: &[Field] = &[
    field("Cluster", "Cluster", 10),
    field("ControlHost", "ControlHost", 15),
    field("ControlPort", "ControlPort", 12),
    field("RPC", "RPC", 5),
];

/// Of `sacctmgr show association`.
pub const ASSOCIATION: &[Field] = &[
    field("Cluster", "Cluster", 10),
    field("Account", "Account", 10),
    field("User", "User", 10),
    field("Partition", "Partition", 10),
    field("Share", "Share", 9),
    field("QOS", "QOS", 20),
    field("DefaultQOS", "Def QOS", 9),
];

/// Of `sshare`.
pub const SHARE: &[Field] = &[
    field("Account", "Account", -20),
    field("User", "User", 10),
    field("RawShares", "RawShares", 10),
    field("NormShares", "NormShares", 11),
    field("RawUsage", "RawUsage", 11),
    field("EffectvUsage", "EffectvUsage", 13),
    field("FairShare", "FairShare", 10),
];

/// Of `sreport cluster utilization`.
pub const UTILIZATION: &[Field] = &[
    field("Cluster", "Cluster", 9),
    field("Allocated", "Allocate", 8),
    field("Down", "Down", 8),
    field("PlannedDown", "PLND Dow", 8),
    field("Idle", "Idle", 9),
    field("Planned", "Planned", 8),
    field("Reported", "Reported", 9),
];

/// Of `sreport cluster accountutilizationbyuser`.
pub const USED_BY_USER: &[Field] = &[
    field("Cluster", "Cluster", 9),
    field("Account", "Account", 15),
    field("Login", "Login", 9),
    field("Proper", "Proper Name", 15),
    field("Used", "Used", 8),
    field("Energy", "Energy", 8),
];

/// Of `sreport user top`.
pub const TOP: &[Field] = &[
    field("Cluster", "Cluster", 9),
    field("Login", "Login", 9),
    field("Proper", "Proper Name", 15),
    field("Account", "Account", 15),
    field("Used", "Used", 8),
    field("Energy", "Energy", 8),
];

/// Of `sreport job sizesbyaccount`; the sizes are those of `report::usage`.
pub const SIZES: &[Field] = &[
    field("Cluster", "Cluster", 9),
    field("Account", "Account", 9),
    field("0-49", "0-49 CPUs", 13),
    field("50-249", "50-249 CPUs", 13),
    field("250-499", "250-499 CPUs", 13),
    field("500-999", "500-999 CPUs", 13),
    field("1000", ">= 1000 CPUs", 13),
    field("PercentOfCluster", "% of cluster", 12),
];
