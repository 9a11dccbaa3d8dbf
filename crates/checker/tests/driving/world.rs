//! A small world around the engine: nodes that launch, run, refuse and get lost, and whose
//! reports come late or twice. It is honest: what a node says it runs, it runs.

use std::collections::{BTreeMap, BTreeSet};

use muster_checker::Checker;
use muster_engine::action::Action;
use muster_engine::command::{Command, Exit, Refusal, Running};
use muster_engine::{Engine, Tuning};
use muster_model::{Attempt, ClusterSpec, JobId, Name, NodeId, NodeSpec, Time};

use crate::chance::Chance;

pub(crate) struct World {
    pub(crate) engine: Engine,
    pub(crate) checker: Checker,
    pub(crate) now: Time,
    pub(crate) chance: Chance,
    pub(crate) nodes: BTreeMap<NodeId, Node>,
    /// Jobs and arrays that were accepted.
    pub(crate) jobs: Vec<JobId>,
    /// Whether nothing breaks: nodes launch what they are asked to, and it ends well.
    pub(crate) is_calm: bool,
    /// Reports on their way, by the time they arrive.
    mail: BTreeMap<(Time, u64), Mail>,
    mails: u64,
}

pub(crate) struct Node {
    pub(crate) spec: NodeSpec,
    /// When its lease ends, while it is lost.
    pub(crate) lost_until: Option<Time>,
    running: BTreeSet<(JobId, Attempt)>,
}

/// A report, and whether it still has to be true when it arrives.
struct Mail {
    node: NodeId,
    job: JobId,
    attempt: Attempt,
    word: Word,
}

#[derive(Clone, Copy)]
enum Word {
    Started,
    Refused,
    Ended(Exit),
    /// Has done what the resize of this number asked; whether anything of the job is left.
    Resized(u32, bool),
    /// Said before: comes again whatever happened since.
    Again(Exit),
}

impl World {
    pub(crate) fn new(cluster: ClusterSpec, tuning: Tuning, seed: u64) -> World {
        World {
            checker: Checker::new(&cluster),
            engine: Engine::with_tuning(cluster, tuning).expect("the cluster is valid"),
            now: Time(1_000),
            chance: Chance::new(seed),
            nodes: BTreeMap::new(),
            jobs: Vec::new(),
            is_calm: false,
            mail: BTreeMap::new(),
            mails: 0,
        }
    }

    /// One step under judgement; the world then does what the actions ask.
    pub(crate) fn tell(&mut self, command: Command) {
        let joining = match &command {
            Command::NodeJoined { spec, .. } => Some(spec.clone()),
            _ => None,
        };
        let actions = self.checker.step(&mut self.engine, self.now, command);
        for action in actions {
            match action {
                Action::Accepted { job, .. } => self.jobs.push(job),
                Action::NodeAccepted { node, .. } => {
                    let spec = joining.clone().expect("only a node that joins is accepted");
                    let new = Node { spec, lost_until: None, running: BTreeSet::new() };
                    self.nodes.entry(node).or_insert(new).lost_until = None;
                }
                Action::Launch { node, job, attempt, .. } => self.launch(node, job, attempt),
                Action::Stop { node, job, attempt, .. } => {
                    let delay = self.chance.below(5_000);
                    self.post(delay, node, job, attempt, Word::Ended(Exit::Stopped));
                }
                Action::Resize { node, job, attempt, resize, tasks } => {
                    let is_left = !tasks.is_empty();
                    self.resize((node, job, attempt), resize, is_left);
                }
                Action::Rejected { .. }
                | Action::Signal { .. }
                | Action::Pause { .. }
                | Action::Resume { .. }
                | Action::Amended { .. }
                | Action::Previewed { .. }
                | Action::Moved { .. } => {}
            }
        }
    }

    fn launch(&mut self, node: NodeId, job: JobId, attempt: Attempt) {
        let delay = self.chance.below(2_000);
        if !self.is_calm && self.chance.percent(4) {
            self.post(delay, node, job, attempt, Word::Refused);
            return;
        }
        self.nodes.get_mut(&node).expect("launched on a node").running.insert((job, attempt));
        // Now and then a node forgets to confirm, or confirms after the end.
        if self.is_calm || !self.chance.percent(3) {
            self.post(delay, node, job, attempt, Word::Started);
        }
        let runs = 1 + self.chance.below(200_000);
        let exits = [Exit::Code(1), Exit::Signal(9), Exit::Stopped];
        let is_good = self.is_calm || self.chance.percent(50);
        let exit = if is_good { Exit::Code(0) } else { *self.chance.pick(&exits) };
        self.post(runs, node, job, attempt, Word::Ended(exit));
    }

    /// A node changes what it has of an attempt, or now and then refuses or forgets to.
    fn resize(&mut self, run: (NodeId, JobId, Attempt), number: u32, is_left: bool) {
        let (node, job, attempt) = run;
        let delay = self.chance.below(20_000);
        let runs = &mut self.nodes.get_mut(&node).expect("resized on a node").running;
        let is_new = is_left && runs.insert((job, attempt));
        if is_new {
            let runs = 1 + self.chance.below(200_000);
            self.post(runs, node, job, attempt, Word::Ended(Exit::Code(0)));
        }
        let word = match !self.is_calm && is_left && self.chance.percent(10) {
            true => Word::Refused,
            false => Word::Resized(number, is_left),
        };
        if self.is_calm || !self.chance.percent(5) {
            self.post(delay, node, job, attempt, word);
        }
    }

    fn post(&mut self, delay: u64, node: NodeId, job: JobId, attempt: Attempt, word: Word) {
        self.mails += 1;
        let at = Time(self.now.0 + delay);
        self.mail.insert((at, self.mails), Mail { node, job, attempt, word });
    }

    /// When the next report arrives.
    pub(crate) fn next_mail(&self) -> Option<Time> {
        self.mail.keys().next().map(|(at, _)| *at)
    }

    /// Delivers one report that is due; those of a lost node never arrive.
    pub(crate) fn deliver(&mut self) -> bool {
        let Some(entry) = self.mail.first_entry().filter(|entry| entry.key().0 <= self.now) else {
            return false;
        };
        let Mail { node, job, attempt, word } = entry.remove();
        let place = self.nodes.get_mut(&node).expect("reports come from nodes");
        let runs = place.running.contains(&(job, attempt));
        let is_ending = matches!(word, Word::Ended(_));
        if is_ending {
            place.running.remove(&(job, attempt));
        }
        if let Word::Resized(_, false) = word {
            place.running.remove(&(job, attempt));
        }
        let is_heard = place.lost_until.is_none();
        let is_true = match word {
            Word::Started | Word::Ended(_) => runs,
            Word::Refused | Word::Again(_) | Word::Resized(..) => true,
        };
        if !is_heard || !is_true {
            return true;
        }
        let command = match word {
            Word::Started => Command::Started { node, job, attempt },
            Word::Refused => {
                let refusal = match self.chance.percent(50) {
                    true => Refusal::Node(Name::from("busy")),
                    false => Refusal::Job(Name::from("no-folder")),
                };
                Command::Refused { node, job, attempt, refusal }
            }
            Word::Resized(resize, _) => Command::Resized { node, job, attempt, resize },
            Word::Ended(exit) | Word::Again(exit) => Command::Ended { node, job, attempt, exit },
        };
        if self.chance.percent(10) && (is_ending || matches!(word, Word::Again(_))) {
            let delay = self.chance.below(100_000);
            self.post(delay, node, job, attempt, Word::Again(Exit::Code(1)));
        }
        self.tell(command);
        true
    }

    /// Sight of a node is lost.
    pub(crate) fn lose(&mut self, node: NodeId) {
        let lease_ends = Time(self.now.0 + 60_000);
        self.nodes.get_mut(&node).expect("a known node").lost_until = Some(lease_ends);
        self.tell(Command::NodeLost { node, lease_ends });
    }

    /// A node is back, or its agent has restarted; it tells what still runs there.
    pub(crate) fn appear(&mut self, id: NodeId) {
        let now = self.now;
        let (forgets, is_broken) = (self.chance.percent(20), self.chance.percent(20));
        let node = self.nodes.get_mut(&id).expect("a known node");
        let was_lost = node.lost_until.take();
        // An agent ends its tasks with its lease; a broken one does not, and must be told.
        let is_over = was_lost.is_some_and(|lease_ends| lease_ends <= now);
        if forgets || (is_over && !is_broken) {
            node.running.clear();
        }
        let running: Vec<Running> =
            node.running.iter().map(|&(job, attempt)| Running { job, attempt }).collect();
        let spec = node.spec.clone();
        match was_lost {
            Some(_) if self.chance.percent(70) => {
                self.tell(Command::NodeReturned { node: id, running });
            }
            _ => self.tell(Command::NodeJoined { spec, running }),
        }
    }
}
