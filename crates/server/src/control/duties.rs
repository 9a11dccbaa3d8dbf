//! What each node is asked to have, as a state: derived from the engine's actions, ended by the
//! node's own word.

use std::collections::{BTreeMap, VecDeque};

use muster_api::Reach;
use muster_api::duty::{PauseOrder, SignalOrder};
use muster_engine::action::{Action, TaskPlace};
use muster_model::{Attempt, JobId, Millis, NodeId};
use serde::{Deserialize, Serialize};

/// Duties that are over are told as such to agents that listen; who missed more than these is
/// told everything.
const DONE_MAX: usize = 1024;

/// An attempt of a job.
pub(crate) type Of = (JobId, Attempt);

/// The duties of all nodes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Duties {
    nodes: BTreeMap<NodeId, NodeDuties>,
}

/// The duties of one node.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct NodeDuties {
    /// Grows with every change.
    pub(crate) version: u64,
    #[serde(with = "super::snapshot::as_list")]
    wanted: BTreeMap<Of, Wanted>,
    /// Duties that are over, with the version that says so; only those after `forgotten`.
    done: VecDeque<(u64, Of)>,
    forgotten: u64,
}

/// What is wanted of an attempt on a node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Wanted {
    /// The version of the node's duties in which this changed last.
    pub(crate) version: u64,
    pub(crate) work: WantedWork,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum WantedWork {
    Run {
        tasks: Vec<TaskPlace>,
        resize: Option<u32>,
        pause: Option<PauseOrder>,
        signal: Option<SignalOrder>,
    },
    Stop {
        grace: Millis,
    },
}

/// What changed for a node since a version.
#[derive(Debug)]
pub(crate) struct Since<'a> {
    pub(crate) version: u64,
    /// Whether `wanted` is all there is.
    pub(crate) all: bool,
    pub(crate) wanted: Vec<(Of, &'a Wanted)>,
    pub(crate) done: Vec<(u64, Of)>,
}

impl Duties {
    /// An action of the engine; the node whose duties it changes. Signals go to whom they are for.
    pub(crate) fn act(&mut self, action: &Action, to: Reach) -> Option<NodeId> {
        match action {
            Action::Launch { node, job, attempt, tasks } => {
                self.not_wanted(*node, *job);
                let work = WantedWork::run(tasks.clone());
                self.node(*node).set((*job, *attempt), work);
                Some(*node)
            }
            Action::Stop { node, job, attempt, grace } => {
                self.node(*node).set((*job, *attempt), WantedWork::Stop { grace: *grace });
                Some(*node)
            }
            Action::Resize { node, job, attempt, resize, tasks } => {
                self.node(*node).change((*job, *attempt), |had, number, _, _| {
                    had.clone_from(tasks);
                    *number = Some(*resize);
                });
                Some(*node)
            }
            Action::Signal { node, job, attempt, signal } => {
                self.signal(*node, (*job, *attempt), *signal, to);
                Some(*node)
            }
            Action::Pause { node, job, attempt, order, rung } => {
                let order = PauseOrder { order: *order, rung: *rung, undo: false };
                self.node(*node).change((*job, *attempt), |_, _, pause, _| *pause = Some(order));
                Some(*node)
            }
            Action::Resume { node, job, attempt, order, rung } => {
                let order = PauseOrder { order: *order, rung: *rung, undo: true };
                self.node(*node).change((*job, *attempt), |_, _, pause, _| *pause = Some(order));
                Some(*node)
            }
            _ => None,
        }
    }

    /// A signal to an attempt on a node.
    pub(crate) fn signal(&mut self, node: NodeId, of: Of, signal: u8, to: Reach) {
        self.node(node).change(of, |_, _, _, sent| {
            let number = sent.map_or(0, |sent: SignalOrder| sent.number) + 1;
            *sent = Some(SignalOrder { number, signal, to });
        });
    }

    /// What is wanted of an attempt on a node has changed in what is kept elsewhere.
    pub(crate) fn touch(&mut self, node: NodeId, of: Of) {
        let Some(duties) = self.nodes.get_mut(&node) else { return };
        if duties.wanted.contains_key(&of) {
            duties.change(of, |_, _, _, _| {});
        }
    }

    /// An attempt is to end on a node that is to have tasks of it; whether it was.
    pub(crate) fn stop(&mut self, node: NodeId, of: Of, grace: Millis) -> bool {
        let Some(duties) = self.nodes.get_mut(&node) else { return false };
        let runs = |wanted: &Wanted| matches!(wanted.work, WantedWork::Run { .. });
        let is_there = duties.wanted.get(&of).is_some_and(runs);
        if is_there {
            duties.set(of, WantedWork::Stop { grace });
        }
        is_there
    }

    /// A node has said that nothing of an attempt is there; whether anything had been asked.
    pub(crate) fn done(&mut self, node: NodeId, job: JobId, attempt: Attempt) -> bool {
        self.nodes.get_mut(&node).is_some_and(|duties| duties.remove((job, attempt)))
    }

    /// A node has the tasks a resize asked for; none is the end of its part.
    pub(crate) fn resized(&mut self, node: NodeId, of: Of, number: u32) -> bool {
        let Some(duties) = self.nodes.get_mut(&node) else { return false };
        let is_empty = duties.wanted.get(&of).is_some_and(|wanted| match &wanted.work {
            WantedWork::Run { tasks, resize, .. } => tasks.is_empty() && *resize == Some(number),
            WantedWork::Stop { .. } => false,
        });
        is_empty && duties.remove(of)
    }

    /// Nothing of a job that has left is wanted on a node. It may still be there: the node was out
    /// of sight when the job was given up.
    pub(crate) fn not_wanted(&mut self, node: NodeId, job: JobId) -> Option<NodeId> {
        let duties = self.nodes.get_mut(&node)?;
        let span = (job, Attempt(0))..=(job, Attempt(u32::MAX));
        let runs = |wanted: &Wanted| matches!(wanted.work, WantedWork::Run { .. });
        let over: Vec<Of> = duties
            .wanted
            .range(span)
            .filter_map(|(of, wanted)| runs(wanted).then_some(*of))
            .collect();
        for of in &over {
            duties.set(*of, WantedWork::Stop { grace: Millis(0) });
        }
        (!over.is_empty()).then_some(node)
    }

    /// Attempts that a node is to have tasks of.
    pub(crate) fn launched_on(&self, node: NodeId) -> impl Iterator<Item = Of> + '_ {
        let wanted = self.nodes.get(&node).into_iter().flat_map(|duties| &duties.wanted);
        wanted.filter_map(|(of, wanted)| match &wanted.work {
            WantedWork::Run { tasks, .. } if !tasks.is_empty() => Some(*of),
            _ => None,
        })
    }

    /// What changed for a node since a version; everything where that is not known.
    pub(crate) fn since(&self, node: NodeId, version: Option<u64>) -> Since<'_> {
        let Some(duties) = self.nodes.get(&node) else {
            return Since { version: 0, all: true, wanted: Vec::new(), done: Vec::new() };
        };
        // Who has heard nothing yet in its session is told everything: it may have what we have
        // never asked for.
        let is_known = |after: &u64| (duties.forgotten.max(1)..=duties.version).contains(after);
        let after = version.filter(is_known);
        let is_new = |version: u64| after.is_none_or(|after| version > after);
        let wanted = duties.wanted.iter().filter(|(_, wanted)| is_new(wanted.version));
        let done = duties.done.iter().filter(|(version, _)| after.is_some() && is_new(*version));
        Since {
            version: duties.version,
            all: after.is_none(),
            wanted: wanted.map(|(of, wanted)| (*of, wanted)).collect(),
            done: done.copied().collect(),
        }
    }

    fn node(&mut self, node: NodeId) -> &mut NodeDuties {
        self.nodes.entry(node).or_default()
    }
}

impl NodeDuties {
    fn set(&mut self, of: Of, work: WantedWork) {
        self.version += 1;
        self.wanted.insert(of, Wanted { version: self.version, work });
    }

    /// Changes what is wanted of an attempt that is to run; one that is to end stays so.
    fn change(
        &mut self,
        of: Of,
        how: impl FnOnce(
            &mut Vec<TaskPlace>,
            &mut Option<u32>,
            &mut Option<PauseOrder>,
            &mut Option<SignalOrder>,
        ),
    ) {
        let version = self.version + 1;
        let fresh = || Wanted { version, work: WantedWork::run(Vec::new()) };
        let wanted = self.wanted.entry(of).or_insert_with(fresh);
        if let WantedWork::Run { tasks, resize, pause, signal } = &mut wanted.work {
            how(tasks, resize, pause, signal);
            wanted.version = version;
            self.version = version;
        }
    }

    fn remove(&mut self, of: Of) -> bool {
        if self.wanted.remove(&of).is_none() {
            return false;
        }
        self.version += 1;
        self.done.push_back((self.version, of));
        if self.done.len() > DONE_MAX {
            self.forgotten = self.done.pop_front().map_or(self.forgotten, |(version, _)| version);
        }
        true
    }
}

impl WantedWork {
    fn run(tasks: Vec<TaskPlace>) -> WantedWork {
        WantedWork::Run { tasks, resize: None, pause: None, signal: None }
    }
}
