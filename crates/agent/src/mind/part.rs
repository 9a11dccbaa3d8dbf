//! What the agent knows of one attempt on its node.

use std::collections::BTreeMap;
use std::sync::Arc;

use muster_api::Report;
use muster_api::duty::{RunWork, StopReason};
use muster_engine::action::TaskPlace;
use muster_engine::command::Exit;

use super::order::Heard;
use super::steps::Step;

/// The tasks of an attempt here, and what is wanted of them.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// The version of the duty that was heard last, in this session.
    pub(super) version: u64,
    pub(super) wanted: Wanted,
    /// By rank. Those that have ended stay, so that they are not launched again.
    pub(super) tasks: BTreeMap<u32, Task>,
    /// By number.
    pub(super) steps: BTreeMap<u32, Step>,
    /// Whether all tasks were up once, and the server knows or will be told.
    pub(super) is_started: bool,
    pub(super) heard: Heard,
    /// The newest resize that was answered.
    pub(super) resized: u32,
    /// The version of the duty of which a task could not be launched: it is not tried again.
    pub(super) blocked: Option<u64>,
    pub(super) saving: Option<Saving>,
    /// Set once all of it is to end.
    pub(super) ending: Option<Ending>,
    /// Why the server wants it to end.
    pub(super) reason: Option<StopReason>,
    /// The first failure of a task that nobody had asked to end.
    pub(super) failure: Option<Exit>,
    /// Set while the host does what follows the end.
    pub(super) is_finishing: bool,
    /// What was said of its end. It stays, so that it can be said again and nothing is launched
    /// twice.
    pub(super) last_word: Option<Report>,
}

#[derive(Clone, Debug)]
pub(super) enum Wanted {
    /// Nothing was heard of it since the agent started.
    Unsaid,
    Run(Arc<RunWork>),
    Stop,
}

#[derive(Clone, Debug)]
pub(super) struct Task {
    pub(super) place: TaskPlace,
    /// It is only a place, held without a program.
    pub(super) is_held: bool,
    pub(super) state: TaskState,
    /// Set for a task that a resize takes away, and until when it has for that.
    pub(super) leaving: Option<Deadline>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TaskState {
    /// The host was asked to launch it.
    Coming,
    Running,
    Gone(Exit),
}

/// The end of a whole attempt.
#[derive(Clone, Debug)]
pub(super) struct Ending {
    pub(super) why: Why,
    pub(super) deadline: Deadline,
    /// Tasks that have been asked; one that comes up later is asked then.
    pub(super) asked: Vec<u32>,
}

/// Why an attempt is ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Why {
    /// The server wants it to, or nobody wants it.
    Asked,
    /// A task failed, which makes the others useless.
    Failed,
    /// The program has come to its own end: what was held for it is let go.
    Over,
    /// The lease is over.
    Lease,
    /// A task could not be launched.
    Refused(Report),
}

/// When asking turns into forcing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Deadline {
    pub(super) at_ms: u64,
    pub(super) is_past: bool,
}

/// The application was asked to save.
#[derive(Clone, Copy, Debug)]
pub(super) struct Saving {
    pub(super) order: u32,
    pub(super) until_ms: u64,
}

impl Deadline {
    pub(super) fn at(at_ms: u64) -> Deadline {
        Deadline { at_ms, is_past: false }
    }
}

impl Part {
    pub(super) fn new(wanted: Wanted) -> Part {
        Part {
            version: 0,
            wanted,
            tasks: BTreeMap::new(),
            steps: BTreeMap::new(),
            is_started: false,
            heard: Heard::default(),
            resized: 0,
            blocked: None,
            saving: None,
            ending: None,
            reason: None,
            failure: None,
            is_finishing: false,
            last_word: None,
        }
    }

    /// Whether it has ended for good.
    pub(super) fn is_over(&self) -> bool {
        self.last_word.is_some()
    }

    /// Whether any of its tasks is here, or on its way.
    pub(super) fn is_alive(&self) -> bool {
        self.has_tasks() || self.is_finishing
    }

    /// Whether tasks are here that nobody has forced to end.
    pub(super) fn has_free_tasks(&self) -> bool {
        let is_forced = self.ending.as_ref().is_some_and(|ending| ending.deadline.is_past);
        !is_forced && self.has_tasks()
    }

    fn has_tasks(&self) -> bool {
        self.tasks.values().any(Task::is_alive) || self.steps.values().any(Step::is_alive)
    }

    /// The ranks of the tasks that run.
    pub(super) fn running(&self) -> Vec<u32> {
        self.up(false)
    }

    /// The ranks of the places that are held.
    pub(super) fn held(&self) -> Vec<u32> {
        self.up(true)
    }

    fn up(&self, is_held: bool) -> Vec<u32> {
        let is_up = |task: &Task| task.state == TaskState::Running && task.is_held == is_held;
        self.tasks.iter().filter(|(_, task)| is_up(task)).map(|(rank, _)| *rank).collect()
    }

    /// Whether all there is of it are held places.
    pub(super) fn is_only_held(&self) -> bool {
        !self.tasks.is_empty() && self.tasks.values().all(|task| task.is_held)
    }

    /// Whether it had a program of its own here, and all of that has come to its end.
    pub(super) fn is_program_over(&self) -> bool {
        let mut own = self.tasks.values().filter(|task| !task.is_held).peekable();
        own.peek().is_some() && own.all(|task| !task.is_alive())
    }

    /// How it ended: what failed first, else that it was stopped, else success.
    pub(super) fn exit(&self) -> Exit {
        let lease = matches!(&self.ending, Some(ending) if ending.why == Why::Lease);
        let was_asked = matches!(&self.ending, Some(ending) if ending.why == Why::Asked);
        match self.failure {
            Some(failure) => failure,
            None if lease || was_asked => Exit::Stopped,
            None => {
                let exits = self.tasks.values().filter_map(|task| match task.state {
                    TaskState::Gone(exit) => Some(exit),
                    _ => None,
                });
                let mut worse = exits.filter(|exit| !exit.is_success());
                worse.next().unwrap_or(Exit::Code(0))
            }
        }
    }

    /// The next moment at which something is due by itself.
    pub(super) fn due_ms(&self) -> Option<u64> {
        let pending = |deadline: &Deadline| (!deadline.is_past).then_some(deadline.at_ms);
        let leaving = self.tasks.values().filter_map(|task| task.leaving.as_ref());
        // Those of an attempt that ends as a whole go with it.
        let leaving = leaving.filter_map(pending).min().filter(|_| self.ending.is_none());
        let ending = self.ending.as_ref().and_then(|ending| pending(&ending.deadline));
        let saving = self.saving.map(|saving| saving.until_ms);
        let steps = self.steps.values().filter_map(Step::due_ms).min();
        [leaving, ending, saving, steps].into_iter().flatten().min()
    }
}

impl Task {
    pub(super) fn is_alive(&self) -> bool {
        !matches!(self.state, TaskState::Gone(_))
    }
}
