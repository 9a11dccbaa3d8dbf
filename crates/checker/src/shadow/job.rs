//! A job in the shadow: its state as told, and its attempt node by node.

use std::collections::BTreeMap;
use std::sync::Arc;

use muster_engine::action::{JobState, TaskPlace};
use muster_engine::command::Exit;
use muster_model::{Attempt, JobId, JobSpec, Millis, NodeId, Rung, Time};

use crate::ledger::Usage;

/// One job.
#[derive(Debug)]
pub(crate) struct Job {
    pub(crate) id: JobId,
    pub(crate) spec: Arc<JobSpec>,
    /// The array it is an element of, and its index there.
    pub(crate) element: Option<(JobId, u32)>,
    /// Value of its class.
    pub(crate) class: u32,
    /// Number of its kind: all but the class.
    pub(crate) kind: u32,
    /// As told; `None` until the first word about it.
    pub(crate) state: Option<JobState>,
    pub(crate) attempt: Attempt,
    pub(crate) held: Held,
    pub(crate) is_cancelled: bool,
    /// When an attempt ran for the first time.
    pub(crate) started: Option<Time>,
    pub(crate) submitted: Time,
    pub(crate) ended: Option<Time>,
    /// How often it was held, requeued or left the queue: a bound told before no longer counts.
    pub(crate) upsets: u64,
    /// How long earlier attempts have computed.
    pub(crate) computed: Millis,
    /// The latest attempt, also after it is over.
    pub(crate) run: Option<Run>,
}

/// Whether someone holds a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Held {
    Yes,
    No,
    /// It was held while an attempt ran; what that means for the time after is not promised.
    Unsure,
}

/// One attempt.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) placed: Time,
    pub(crate) running_since: Option<Time>,
    pub(crate) stopping_since: Option<Time>,
    /// Whether it was being stopped out of time when it was given another limit.
    pub(crate) was_out_of_time: bool,
    pub(crate) parts: BTreeMap<NodeId, Part>,
    /// How long it had run before it was last resumed.
    pub(crate) ran: Millis,
    /// The number of the order to pause or resume that its nodes were given last.
    pub(crate) order: u32,
    /// The rung of that order, and whether it was to be taken or undone.
    pub(crate) ordered: Option<(Rung, bool)>,
    /// Whether its nodes have been asked to suspend it since they were last asked to restore it.
    pub(crate) is_suspending: bool,
    /// Whether host memory is set aside for its state.
    pub(crate) in_host: bool,
    /// What it is charged to its queues.
    pub(crate) charge: Usage,
    /// Whether it still holds its placement.
    pub(crate) holds: bool,
    /// Whether it was said to be idle since it last began to compute.
    pub(crate) is_idle: bool,
    /// When its size last began to change.
    pub(crate) resized: Option<Time>,
    /// The number of its latest resize.
    pub(crate) resizes: u32,
}

/// An attempt on one node.
#[derive(Debug)]
pub(crate) struct Part {
    pub(crate) tasks: Vec<TaskPlace>,
    pub(crate) report: Report,
    /// Whether the node was asked to end it.
    pub(crate) is_stopped: bool,
    /// What a resize asked of the node that it has not confirmed.
    pub(crate) asked: Option<Asked>,
    /// The number of the latest order to pause or resume that the node was given.
    pub(crate) order: u32,
}

/// The tasks a node was asked to have.
#[derive(Debug)]
pub(crate) struct Asked {
    /// The number of the resize.
    pub(crate) resize: u32,
    pub(crate) tasks: Vec<TaskPlace>,
    /// Those of them that it may not have yet.
    pub(crate) added: Vec<TaskPlace>,
}

impl Part {
    pub(crate) fn new() -> Part {
        let (tasks, asked) = (Vec::new(), None);
        Part { tasks, report: Report::Asked, is_stopped: false, asked, order: 0 }
    }

    /// The tasks it has, or will have when it has done what it was asked.
    pub(crate) fn wanted(&self) -> &[TaskPlace] {
        self.asked.as_ref().map_or(&self.tasks, |asked| &asked.tasks)
    }

    /// Whether all its tasks are on their way in or out: its gang can do without it.
    pub(crate) fn is_on_its_way(&self) -> bool {
        let Some(asked) = &self.asked else { return false };
        self.tasks.iter().all(|task| !asked.tasks.contains(task) || asked.added.contains(task))
    }
}

/// What is known of an attempt on a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Report {
    /// The node was asked to launch it.
    Asked,
    /// The node confirmed it, or named it among what runs there.
    Started,
    /// The node froze it, or was asked to let it compute again and may not have yet.
    Frozen,
    /// The node suspended it, or was asked to put it back and may not have yet.
    Suspended,
    /// Nothing of it runs there any more.
    Ended(End),
}

/// How an attempt came to its end on a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Exit(Exit),
    Refused,
    /// The lease ended, or the node had it and came back without it.
    Lost,
}

impl Job {
    /// Whether a node it was on is gone: that costs it the attempt, at once or a few steps later.
    pub(crate) fn has_lost_a_part(&self) -> bool {
        let parts = self.run.iter().flat_map(|run| run.parts.values());
        parts.into_iter().any(|part| part.report == Report::Ended(End::Lost))
    }

    /// Whether its latest attempt may still run somewhere.
    pub(crate) fn may_run(&self) -> bool {
        self.run.as_ref().is_some_and(|run| !run.is_over())
    }

    /// Whether nodes are, or may be, busy with it by its state.
    pub(crate) fn is_active(&self) -> bool {
        self.state.is_some_and(is_active)
    }

    pub(crate) fn is_ended(&self) -> bool {
        matches!(self.state, Some(JobState::Ended(_)))
    }

    /// The part of its current attempt on this node, if it has not ended there.
    pub(crate) fn live_part(&mut self, node: NodeId, attempt: Attempt) -> Option<&mut Part> {
        if self.attempt != attempt {
            return None;
        }
        let part = self.run.as_mut()?.parts.get_mut(&node)?;
        (!part.report.is_end()).then_some(part)
    }

    /// Its state in a word, for reports.
    pub(crate) fn state_word(&self) -> String {
        self.state.map_or_else(|| "new".to_owned(), word)
    }
}

impl Job {
    /// Whether it is giving tasks back, or has ended in part and will give them all back.
    pub(crate) fn is_giving(&self) -> bool {
        let run = self.run.as_ref().filter(|_| self.state == Some(JobState::Running));
        run.is_some_and(|run| {
            run.is_resizing() || run.parts.values().any(|part| part.report.is_end())
        })
    }
}

impl Run {
    /// Whether some node has not done yet what a resize asked.
    pub(crate) fn is_resizing(&self) -> bool {
        self.parts.values().any(|part| part.asked.is_some())
    }

    /// The ranks that its nodes have or will have of each group, ascending.
    pub(crate) fn ranks(&self) -> BTreeMap<u16, Vec<u32>> {
        let mut ranks: BTreeMap<u16, Vec<u32>> = BTreeMap::new();
        for task in self.parts.values().flat_map(|part| part.wanted()) {
            ranks.entry(task.group).or_default().push(task.rank);
        }
        ranks.values_mut().for_each(|ranks| ranks.sort_unstable());
        ranks
    }

    /// Whether ranks are missing in between: a node was lost with what was added there, and
    /// those above it have to go.
    pub(crate) fn has_gap(&self) -> bool {
        self.ranks().into_values().any(|ranks| ranks.iter().copied().zip(0..).any(|(a, b)| a != b))
    }

    /// Whether nothing of it runs anywhere.
    pub(crate) fn is_over(&self) -> bool {
        self.parts.values().all(|part| part.report.is_end())
    }

    /// Whether it still is where it was asked to leave more than the grace ago.
    pub(crate) fn is_overstaying(&self, now: Time, grace: Millis) -> bool {
        self.stopping_since.is_some_and(|since| now > since + grace)
    }

    /// Whether the attempt ended on some node in this way.
    pub(crate) fn ended_by(&self, wanted: impl Fn(End) -> bool) -> bool {
        self.parts.values().any(|part| matches!(part.report, Report::Ended(end) if wanted(end)))
    }
}

impl Report {
    pub(crate) fn is_end(self) -> bool {
        matches!(self, Report::Ended(_))
    }

    /// Whether the node has said that all its tasks were launched: having done their work is
    /// saying so.
    pub(crate) fn is_confirmation(self) -> bool {
        match self {
            Report::Started | Report::Frozen | Report::Suspended => true,
            Report::Ended(End::Exit(exit)) => exit.is_success(),
            Report::Asked | Report::Ended(_) => false,
        }
    }
}

pub(crate) fn is_active(state: JobState) -> bool {
    !matches!(state, JobState::Waiting | JobState::Queued | JobState::Ended(_))
}

/// Whether an attempt goes on by this state: nobody has asked for its end.
pub(crate) fn goes_on(state: JobState) -> bool {
    is_active(state) && state != JobState::Stopping
}

/// A state in a word, for reports.
pub(crate) fn word(state: JobState) -> String {
    match state {
        JobState::Waiting => "waiting".to_owned(),
        JobState::Queued => "queued".to_owned(),
        JobState::Launching => "launching".to_owned(),
        JobState::Running => "running".to_owned(),
        JobState::Pausing => "pausing".to_owned(),
        JobState::Paused => "paused".to_owned(),
        JobState::Resuming => "resuming".to_owned(),
        JobState::Stopping => "stopping".to_owned(),
        JobState::Ended(outcome) => format!("ended ({outcome:?})"),
    }
}
