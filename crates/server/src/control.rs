//! The state of the control plane: the engine, and what the engine does not need to know.
//!
//! Deterministic as the engine is: the same entries give the same state and the same answers. It
//! owns no thread, clock or file; `driver` brings those.

mod asked;
mod book;
mod census;
mod costs;
mod duties;
mod foresee;
mod forget;
mod holding;
mod keys;
mod leaving;
mod map;
mod order;
mod ports;
mod render;
mod snapshot;
mod steps;
#[cfg(test)]
mod tests;
mod views;
mod worth;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use muster_engine::Engine;
use muster_engine::action::Action;
use muster_engine::command::Command;
use muster_engine::snapshot::Sight;
use muster_model::{Attempt, ClusterSpec, Invalid, JobId, JobSpec, Name, NodeId, Time};

pub use book::{Job, Submitted};
pub(crate) use census::Census;
pub use snapshot::{CONTROL_VERSION, ControlSnapshot, SnapshotError};
pub use views::JobFilter;
pub(crate) use views::least_gpus_milli;
pub use worth::Books;
pub(crate) use worth::Worth;

use crate::entry::Entry;
use book::Book;
use costs::Costs;
use duties::Duties;
use keys::Keys;
use ports::Ports;
use steps::Steps;

/// The engine with the jobs' programs, the nodes' duties and the submitters' keys.
#[derive(Debug)]
pub struct Control {
    engine: Engine,
    book: Book,
    duties: Duties,
    keys: Keys,
    ports: Ports,
    costs: Costs,
    /// Where nodes reach each other, by their numbers.
    addresses: BTreeMap<NodeId, String>,
    /// The numbers of nodes by their names.
    nodes: BTreeMap<Name, NodeId>,
    /// The agent that announced each node last, and the number of that announcement.
    announced: BTreeMap<NodeId, (String, u64)>,
    /// Jobs that are over and whose held places are being let go.
    letting_go: BTreeSet<JobId>,
    /// Programs inside jobs.
    steps: Steps,
    /// Nodes of which not everything can be had; follows from the engine.
    impaired: worth::Impaired,
    /// What stands free in pieces; follows from the engine.
    apart: worth::Apart,
    apart_looks: worth::Looks,
    /// Nodes that are not there any more.
    absent: forget::Absent,
}

/// What followed from one entry.
#[derive(Debug, Default)]
pub struct Applied {
    /// What to tell whoever caused it.
    pub answer: Answer,
    /// What the engine asked for or told, in order.
    pub actions: Vec<Action>,
    /// Nodes whose duties changed.
    pub nodes: BTreeSet<NodeId>,
    /// Steps that changed.
    pub steps: BTreeSet<(JobId, u32)>,
    /// Whose books may have changed.
    pub books: Books,
}

/// The answer to an entry.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Answer {
    /// It was taken in.
    #[default]
    Done,
    /// A job was accepted, now or when it was submitted before with the same key.
    Accepted {
        /// Its number.
        job: JobId,
        /// How many elements, 0 for a plain job.
        elements: u32,
    },
    /// A node was accepted.
    Node(NodeId),
    /// A step was accepted.
    Step(u32),
    /// Nothing changed.
    Rejected(Vec<Invalid>),
}

impl Control {
    /// A cluster without nodes and jobs.
    pub fn new(cluster: ClusterSpec) -> Result<Control, Vec<Invalid>> {
        Ok(Control {
            engine: Engine::new(cluster)?,
            book: Book::default(),
            duties: Duties::default(),
            keys: Keys::default(),
            ports: Ports::default(),
            costs: Costs::default(),
            addresses: BTreeMap::new(),
            nodes: BTreeMap::new(),
            announced: BTreeMap::new(),
            letting_go: BTreeSet::new(),
            steps: Steps::default(),
            impaired: worth::Impaired::new(),
            apart: worth::Apart::new(),
            apart_looks: worth::Looks::default(),
            absent: forget::Absent::default(),
        })
    }

    /// The cluster that begins with an entry, before that entry takes effect.
    pub fn founded(entry: &Entry) -> Result<Control, Vec<Invalid>> {
        match entry {
            Entry::Configured { cluster, .. } => Control::new((**cluster).clone()),
            _ => Control::new(ClusterSpec::default()),
        }
    }

    /// Takes in one entry.
    pub fn apply(&mut self, now: Time, entry: &Entry) -> Applied {
        match entry {
            Entry::Configured { cluster, .. } => self.configure(cluster),
            Entry::Submitted { spec, program, key, anywhere } => {
                let user = spec.user.as_str();
                if let Some((job, elements)) = self.keys.find(user, key.as_deref()) {
                    let answer = Answer::Accepted { job, elements };
                    return Applied { answer, ..Applied::default() };
                }
                let command = Command::Submit { spec: spec.clone() };
                let mut applied = self.step(now, command);
                for action in &applied.actions {
                    if let Action::Accepted { job, elements } = *action {
                        applied.answer = Answer::Accepted { job, elements };
                        self.book.add(now, job, elements, spec, program, *anywhere);
                        self.keys.remember(now, user, key.as_deref(), (job, elements));
                    }
                }
                self.settle(now, &mut applied);
                applied
            }
            Entry::Announced { spec, address, running, instance, number } => {
                if let Some(refused) = self.is_old_news(&spec.name, instance, *number) {
                    return refused;
                }
                let command =
                    Command::NodeJoined { spec: (**spec).clone(), running: running.clone() };
                let mut applied = self.step(now, command);
                for action in &applied.actions {
                    if let Action::NodeAccepted { node, name } = action {
                        applied.answer = Answer::Node(*node);
                        self.addresses.insert(*node, address.clone());
                        self.nodes.insert(name.clone(), *node);
                        self.absent.came(*node);
                        self.announced.insert(*node, (instance.clone(), *number));
                    }
                }
                self.settle(now, &mut applied);
                if let Answer::Node(node) = applied.answer {
                    applied.nodes.extend(self.leave_lost(node));
                }
                applied
            }
            Entry::Told(command) | Entry::Explained { command, .. } => {
                if let (Command::Cancel { job }, Entry::Explained { detail, .. }) = (command, entry)
                {
                    self.book.cancelled(*job, detail);
                }
                let command = self.as_the_job_ends(command.clone());
                let mut applied = self.step(now, command.clone());
                applied.nodes.extend(self.heard(&command));
                self.program_ended(&command, &mut applied.nodes);
                applied.books.restored = self.measure_restore(now, &command);
                self.note_idle(&command);
                self.settle(now, &mut applied);
                applied
            }
            Entry::Forgotten { node, .. } => self.forget_node(*node),
            Entry::Inside(inside) => self.inside(now, inside),
        }
    }

    /// When a tick is wanted.
    pub fn next_wake(&self) -> Option<Time> {
        let looks = self.apart_looks.next();
        [self.engine.next_wake(), looks].into_iter().flatten().min()
    }

    /// The latest time there was.
    pub fn now(&self) -> Time {
        self.engine.now()
    }

    /// The configuration.
    pub fn cluster(&self) -> &ClusterSpec {
        self.engine.cluster()
    }

    /// A node's number.
    pub fn node_named(&self, name: &str) -> Option<NodeId> {
        self.nodes.get(&Name::from(name)).copied()
    }

    /// All nodes by name.
    pub fn node_names(&self) -> impl Iterator<Item = (&Name, NodeId)> {
        self.nodes.iter().map(|(name, node)| (name, *node))
    }

    /// A job, while it is in memory.
    pub fn job(&self, job: JobId) -> Option<&Job> {
        self.book.get(job)
    }

    /// What was submitted as this job, or as the array it is of.
    pub fn submitted(&self, job: &Job) -> &Submitted {
        self.book.submitted(job)
    }

    /// The job that is an element of an array, while it is in memory.
    pub fn element(&self, array: JobId, index: u32) -> Option<JobId> {
        self.book.of_array(array).find(|job| job.index == Some(index)).map(|job| job.id)
    }

    /// Nodes that may have work, with the agents that announced them; for those out of sight, when
    /// their lease ends.
    pub fn agents(&self) -> Vec<(NodeId, String, Option<Time>)> {
        let agent = |node: NodeId| {
            let lease_ends = match self.engine.node(node)?.sight {
                Sight::Seen => None,
                Sight::Unknown { lease_ends } => Some(lease_ends),
                Sight::Gone => return None,
            };
            let known = self.announced.get(&node).map(|(agent, _)| agent.clone());
            Some((node, known.unwrap_or_default(), lease_ends))
        };
        self.nodes.values().copied().filter_map(agent).collect()
    }

    fn step(&mut self, now: Time, command: Command) -> Applied {
        let before = self.look(now, &command);
        let mut actions = self.let_go_with_nodes(now, &command);
        actions.extend(self.engine.step(now, command));
        let books = self.compare(before, &actions);
        let rejected = actions.iter().find_map(|action| match action {
            Action::Rejected { errors } => Some(Answer::Rejected(errors.clone())),
            _ => None,
        });
        let answer = rejected.unwrap_or_default();
        Applied { answer, actions, books, ..Applied::default() }
    }

    /// An announcement that was overtaken by a later one of the same agent says what no longer is.
    /// Agents that do not count have the number 0.
    fn is_old_news(&self, name: &Name, instance: &str, number: u64) -> Option<Applied> {
        let (last_instance, last) = self.announced.get(self.nodes.get(name)?)?;
        if number == 0 || last_instance != instance || number > *last {
            return None;
        }
        let allowed = format!("expected more than {last}: a later announcement was heard already");
        let answer = Answer::Rejected(vec![Invalid::new("number", number.to_string(), allowed)]);
        Some(Applied { answer, ..Applied::default() })
    }

    /// A new configuration takes the place of the old one around the same jobs and nodes.
    fn configure(&mut self, cluster: &ClusterSpec) -> Applied {
        let mut snapshot = self.engine.snapshot();
        snapshot.cluster = cluster.clone();
        let answer = match Engine::restore(snapshot, muster_engine::Tuning::default()) {
            Ok(engine) => {
                self.engine = engine;
                Answer::Done
            }
            Err(errors) => Answer::Rejected(errors),
        };
        Applied { answer, ..Applied::default() }
    }

    /// What a node has said ends a duty, whatever the engine makes of it.
    fn heard(&mut self, command: &Command) -> Option<NodeId> {
        match *command {
            Command::Ended { node, job, attempt, .. } => {
                self.duties.done(node, job, attempt).then_some(node)
            }
            // A node may refuse further tasks of an attempt and keep those it has.
            Command::Refused { node, job, attempt, .. } if !self.is_on(node, job, attempt) => {
                self.duties.done(node, job, attempt).then_some(node)
            }
            Command::Resized { node, job, attempt, resize } => {
                self.duties.resized(node, (job, attempt), resize).then_some(node)
            }
            _ => None,
        }
    }

    /// A program that says how it gets on has come back, if it was away; since when it was on its
    /// way.
    fn measure_restore(&mut self, now: Time, command: &Command) -> Option<(JobId, Time)> {
        let Command::Progress { job, attempt, .. } = *command else { return None };
        let known = self.book.get(job).filter(|known| known.attempt == attempt)?;
        let since = self.costs.computes(now, job, self.book.spec(known))?;
        Some((job, since))
    }

    /// Fills in what pausing a job costs where it does not say and jobs like it have shown.
    pub fn fill_costs(&self, spec: &mut JobSpec) {
        self.costs.fill(spec);
    }

    /// Whether the engine takes an attempt to be on a node.
    fn is_on(&self, node: NodeId, job: JobId, attempt: Attempt) -> bool {
        let record = self.engine.job(job).filter(|record| record.attempt == attempt);
        let run = record.and_then(|record| record.run.as_ref());
        run.is_some_and(|run| run.live().any(|part| part.node == node))
    }

    /// Carries what the engine decided into the books.
    fn settle(&mut self, now: Time, applied: &mut Applied) {
        for action in &applied.actions {
            self.note(now, action, &mut applied.nodes);
        }
        let actions = std::mem::take(&mut applied.actions);
        for action in &actions {
            match action {
                Action::Launch { job, .. } => {
                    self.order_nodes(*job);
                    self.meet(*job);
                }
                Action::Moved { job, .. } => self.moved_with_steps(now, *job, applied),
                _ => {}
            }
        }
        applied.actions = actions;
        for job in self.book.forget_old() {
            self.steps.forget(job);
        }
    }

    fn note(&mut self, now: Time, action: &Action, changed: &mut BTreeSet<NodeId>) {
        if let Action::Pause { job, .. } | Action::Moved { job, .. } = action {
            let spec = self.book.get(*job).map(|known| self.book.spec(known));
            self.costs.note(now, action, spec.map(AsRef::as_ref));
        }
        match action {
            Action::Launch { node, job, attempt, tasks } => {
                self.leave_older(*job, *attempt, changed);
                self.book.placed(*job, *node, tasks);
            }
            Action::Amended { job, spec } => {
                if let Some(known) = self.book.get_mut(*job) {
                    known.spec = Some(Arc::clone(spec));
                }
            }
            Action::Resize { node, job, tasks, .. } => self.book.placed(*job, *node, tasks),
            Action::Moved { job, attempt, state } => {
                self.leave_older(*job, *attempt, changed);
                if let Some(known) = self.book.get_mut(*job) {
                    known.moved(now, *state);
                    if known.has_left() {
                        self.letting_go.remove(job);
                        self.leave(*job, changed);
                    }
                }
                self.book.note_end(*job);
            }
            _ => {}
        }
        let to = self.reach(action);
        changed.extend(self.duties.act(action, to));
    }
}
