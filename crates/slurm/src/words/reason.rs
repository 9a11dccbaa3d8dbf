//! The words for why a job waits or ended. Which of them is true is for others to say.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Reasons with their words, in one list so that neither is without the other.
macro_rules! reasons {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// Why a job waits or ended, in Slurm's word of the same letters.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[derive(Serialize, Deserialize)]
        pub enum Reason {
            $($(#[$doc])* $name,)*
        }

        impl Reason {
            /// All of them.
            pub const ALL: &'static [Reason] = &[$(Reason::$name,)*];

            /// Its word.
            pub const fn word(self) -> &'static str {
                match self {
                    $(Reason::$name => stringify!($name),)*
                }
            }
        }
    };
}

reasons! {
    /// Nothing keeps it.
    #[default]
    None,
    /// Others go first.
    Priority,
    /// There is no room.
    Resources,
    /// It waits for another job.
    Dependency,
    /// It waits for what cannot come.
    DependencyNeverSatisfied,
    /// It is not its time yet.
    BeginTime,
    /// Its user holds it.
    JobHeldUser,
    /// An operator holds it.
    JobHeldAdmin,
    /// It was started again too often and is held.
    JobHoldMaxRequeue,
    /// As many elements of its array run as may.
    JobArrayTaskLimit,
    /// A node that it names is not there.
    ReqNodeNotAvail,
    /// It waits for its reservation.
    Reservation,
    /// No node can ever meet its constraint.
    BadConstraints,
    /// Its partition is down.
    PartitionDown,
    /// Its partition takes nothing.
    PartitionInactive,
    /// It asks for more nodes than its partition gives.
    PartitionNodeLimit,
    /// It asks for more time than its partition gives.
    PartitionTimeLimit,
    /// Its partition cannot ever hold it.
    PartitionConfig,
    /// Its account has reached a limit on CPUs.
    AssocGrpCpuLimit,
    /// Its account has reached a limit on GPUs.
    AssocGrpGRES,
    /// Its account has reached a limit on memory.
    AssocGrpMemLimit,
    /// Its account has reached a limit on jobs.
    AssocGrpJobsLimit,
    /// Its user has reached a limit on jobs.
    AssocMaxJobsLimit,
    /// Its account has reached some limit.
    AssociationResourceLimit,
    /// It asks for more time than its account gives.
    AssocMaxWallDurationPerJobLimit,
    /// Its QOS has reached a limit on GPUs.
    QOSGrpGRES,
    /// Its QOS has reached a limit on CPUs.
    QOSGrpCpuLimit,
    /// Its user has reached a limit on GPUs.
    QOSMaxGRESPerUser,
    /// Its user has reached a limit on jobs.
    QOSMaxJobsPerUserLimit,
    /// Its QOS has reached some limit.
    QOSResourceLimit,
    /// It asks for more time than its QOS gives.
    QOSMaxWallDurationPerJobLimit,
    /// Its QOS may not be used.
    InvalidQOS,
    /// Its account may not be used.
    InvalidAccount,
    /// Licences are missing.
    Licenses,
    /// A node that it needs is down.
    NodeDown,
    /// It gave its place to another; a word of Muster's own.
    Preempted,
    /// Its last attempt is being cleared away.
    Cleaning,
    /// A program runs before it.
    Prolog,
    /// It could not be started.
    JobLaunchFailure,
    /// It ended with an exit code.
    NonZeroExitCode,
    /// It ended by a signal.
    RaisedSignal,
    /// It reached its time limit.
    TimeLimit,
    /// It ran out of memory.
    OutOfMemory,
    /// It could not end by its deadline.
    DeadLine,
    /// It did nothing for too long.
    InactiveLimit,
    /// The system failed.
    SystemFailure,
    /// Nobody has looked at it yet.
    WaitingForScheduling,
}

impl fmt::Display for Reason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.word())
    }
}
