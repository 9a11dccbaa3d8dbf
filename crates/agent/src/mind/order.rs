//! What the mind asks of its host, and what the host tells it.

use std::sync::Arc;

use muster_api::TaskDuty;
use muster_api::duty::{RunWork, StopReason};
use muster_api::step::{StepDuty, StepTask, Took};
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
    /// Send a signal to the first process of the job's first task, and to none that it started.
    SignalFirst {
        /// The attempt.
        of: Running,
        /// The signal.
        signal: u8,
    },
    /// Tell the first task of an attempt, or of a step, why it is ended: before the next signal.
    Explain {
        /// The attempt.
        of: Running,
        /// The step.
        step: Option<u32>,
        /// Why.
        reason: StopReason,
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
    /// Launch tasks of a step; each is answered by [`Happening::StepLaunched`] or, where it cannot
    /// be, [`Happening::StepEnded`] with the reason.
    LaunchStep {
        /// The attempt.
        of: Running,
        /// What the job is.
        run: Arc<RunWork>,
        /// The step.
        duty: Arc<StepDuty>,
        /// The tasks.
        tasks: Vec<StepTask>,
    },
    /// Send a signal to tasks of a step; 9 forces all that is left of them to end.
    SignalStep {
        /// The attempt.
        of: Running,
        /// The step.
        step: u32,
        /// The tasks, by rank.
        ranks: Vec<u32>,
        /// The signal.
        signal: u8,
    },
    /// Note which signal was sent, so that it is not sent again after a restart.
    RememberStep {
        /// The attempt.
        of: Running,
        /// The step.
        step: u32,
        /// The number of the signal.
        signal: u32,
    },
    /// Nothing about a step need be kept, but what its tasks have written.
    ForgetStep {
        /// The attempt.
        of: Running,
        /// The step.
        step: u32,
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
    /// A task of a step runs.
    StepLaunched {
        /// The attempt.
        of: Running,
        /// The step.
        step: u32,
        /// The task, by rank.
        rank: u32,
    },
    /// A task of a step has ended, and nothing of it is left.
    StepEnded {
        /// The attempt.
        of: Running,
        /// The step.
        step: u32,
        /// The task, by rank.
        rank: u32,
        /// How.
        exit: Exit,
        /// Why it could not be started, where it could not.
        detail: String,
    },
    /// What a task took that is about to be told to have ended.
    Took {
        /// The attempt.
        of: Running,
        /// The step it is a task of, where it is one.
        step: Option<u32>,
        /// The task, by rank.
        rank: u32,
        /// How much.
        took: Took,
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
    /// Steps that have tasks here.
    pub steps: Vec<FoundStep>,
}

/// A step that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundStep {
    /// Its number.
    pub step: u32,
    /// Its tasks by rank, and how those ended that have.
    pub tasks: Vec<(u32, Option<Exit>)>,
    /// The newest signal that was sent.
    pub signal: u32,
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
