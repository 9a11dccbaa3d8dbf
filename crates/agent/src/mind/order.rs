//! What the mind asks of its host, and what the host tells it.

use std::sync::Arc;

use muster_api::TaskDuty;
use muster_api::duty::RunWork;
use muster_engine::action::TaskPlace;
use muster_engine::command::{Exit, Refusal, Running};
use serde::{Deserialize, Serialize};

/// One thing the host is asked to do. Orders about one attempt are carried out in their order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// Launch tasks; each is answered by [`Happening::Launched`] or [`Happening::NotLaunched`].
    Launch {
        /// The attempt.
        of: Running,
        /// What it runs.
        run: Arc<RunWork>,
        /// Those to launch.
        tasks: Vec<TaskDuty>,
        /// Whether they join tasks that run already.
        is_growth: bool,
    },
    /// Send a signal to tasks.
    Signal {
        /// The attempt.
        of: Running,
        /// The tasks, by rank.
        ranks: Vec<u32>,
        /// The signal.
        signal: u8,
    },
    /// End tasks at once.
    Kill {
        /// The attempt.
        of: Running,
        /// The tasks, by rank.
        ranks: Vec<u32>,
    },
    /// Let go of places that are held; each is answered by [`Happening::Ended`].
    Release {
        /// The attempt.
        of: Running,
        /// The places, by rank.
        ranks: Vec<u32>,
    },
    /// A task that was asked to leave has left: its rank may be launched again.
    Left {
        /// The attempt.
        of: Running,
        /// The task, by rank.
        rank: u32,
    },
    /// The node is given up with the tasks of an attempt on it: whoever finds them later takes them
    /// for stopped, however they end.
    GiveUp {
        /// The attempt.
        of: Running,
    },
    /// Note what has been carried out, so that it is not done again after a restart.
    Remember {
        /// The attempt.
        of: Running,
        /// What was carried out.
        heard: Heard,
    },
    /// All tasks of an attempt are over; answered by [`Happening::Finished`] once what follows
    /// every attempt on this node is done as well.
    Finish {
        /// The attempt.
        of: Running,
    },
    /// Nothing about the attempt need be kept, but what its tasks have written.
    Forget {
        /// The attempt.
        of: Running,
    },
    /// Tasks may run until then, whatever becomes of the agent.
    Lease {
        /// The end of the lease, in milliseconds of the host's clock.
        until_ms: u64,
    },
}

/// The newest orders of an attempt that were carried out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Heard {
    /// The order of the pause ladder.
    pub pause: u32,
    /// The signal.
    pub signal: u32,
}

/// One thing that happened on the node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Happening {
    /// A task runs.
    Launched {
        /// The attempt.
        of: Running,
        /// The task, by rank.
        rank: u32,
    },
    /// A task could not be launched, and nothing of it runs.
    NotLaunched {
        /// The attempt.
        of: Running,
        /// The task, by rank.
        rank: u32,
        /// Whose fault it is.
        refusal: Refusal,
        /// The whole story.
        detail: String,
    },
    /// A task has ended, and nothing of it is left.
    Ended {
        /// The attempt.
        of: Running,
        /// The task, by rank.
        rank: u32,
        /// How.
        exit: Exit,
    },
    /// The application says that it has saved.
    Saved {
        /// The attempt.
        of: Running,
    },
    /// The application says how it gets on.
    Progress {
        /// The attempt.
        of: Running,
        /// Steps per 1000 seconds, 0 if that cannot be said.
        rate: u32,
        /// Parts per million of all the work that are done.
        done_ppm: Option<u32>,
    },
    /// What follows the end of an attempt is done.
    Finished {
        /// The attempt.
        of: Running,
    },
}

/// An attempt that was found on the node when the agent started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The attempt.
    pub of: Running,
    /// Its tasks, those that ended first in front.
    pub tasks: Vec<FoundTask>,
    /// Whether all tasks that were to be launched together were.
    pub is_whole: bool,
    /// What was carried out.
    pub heard: Heard,
}

/// A task that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FoundTask {
    /// Its rank among all tasks of the job.
    pub rank: u32,
    /// Its place.
    pub place: TaskPlace,
    /// Whether it is only a place, held without a program.
    pub is_held: bool,
    /// How it ended, if it has.
    pub exit: Option<Exit>,
}
