//! One step as the judge follows it: what went in, what came out, and what that gave cause for.

use std::collections::BTreeSet;

use muster_engine::action::Action;
use muster_engine::command::Command;
use muster_model::{Attempt, JobId, NodeId};

/// The step under judgement.
#[derive(Debug)]
pub(crate) struct Step<'a> {
    pub(crate) command: &'a Command,
    pub(crate) actions: &'a [Action],
    /// Whether the command was turned down, and so changed nothing.
    pub(crate) is_rejected: bool,
    /// Jobs whose attempt this step gives a reason to end.
    pub(crate) causes: BTreeSet<JobId>,
    /// Jobs of which a node said something new.
    pub(crate) touched: BTreeSet<JobId>,
    /// The attempt that was refused while it was launching.
    pub(crate) refused: Option<(JobId, Attempt)>,
    /// Attempts that a node says it runs and must not.
    pub(crate) strays: Vec<(NodeId, JobId, Attempt)>,
    /// Attempts that were started.
    pub(crate) launched: Vec<(JobId, Attempt)>,
    /// Jobs whose nodes were asked to change their tasks.
    pub(crate) resized: BTreeSet<JobId>,
    /// Jobs that were given tasks more.
    pub(crate) grown: BTreeSet<JobId>,
    /// Jobs that began to give tasks back.
    pub(crate) shrunk: BTreeSet<JobId>,
    /// Jobs that began to stop, or are stopping on a node that has come back.
    pub(crate) stopping: Vec<JobId>,
}

impl<'a> Step<'a> {
    pub(crate) fn new(command: &'a Command, actions: &'a [Action]) -> Step<'a> {
        Step {
            command,
            actions,
            is_rejected: actions.iter().any(|action| matches!(action, Action::Rejected { .. })),
            causes: BTreeSet::new(),
            touched: BTreeSet::new(),
            refused: None,
            strays: Vec::new(),
            launched: Vec::new(),
            resized: BTreeSet::new(),
            grown: BTreeSet::new(),
            shrunk: BTreeSet::new(),
            stopping: Vec::new(),
        }
    }
}
