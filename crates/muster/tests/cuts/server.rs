//! The server's side: its state, the links, the journal, and what its API makes of requests.

use std::collections::BTreeMap;
use std::sync::Arc;

use muster_agent::mind::Announcement;
use muster_api::step::{StepRequest, StepState};
use muster_api::{Announced, Directive, Program, Received, Reports, Runs};
use muster_engine::action::{Action, JobState};
use muster_engine::command::{Command, Exit};
use muster_model::{ClusterSpec, JobId, JobSpec, Millis, NodeId, NodeSpec, Time};
use muster_server::links::{LeaseTerms, Links, Recovered};
use muster_server::{Control, Entry, Inside, control::ControlSnapshot};

pub(crate) const TERMS: LeaseTerms = LeaseTerms { lease: Millis(2_000), renew: Millis(400) };

/// A server, and what is on its disk.
pub(crate) struct Server {
    control: Control,
    links: Links,
    journal: Vec<(Time, Entry)>,
    /// A snapshot, and how many entries it has in it.
    kept: Option<(usize, Vec<u8>)>,
    pub(crate) is_up: bool,
    pub(crate) life: u32,
    /// Open streams by node: their number, session, and the version that was said last.
    pub(crate) streams: BTreeMap<NodeId, (u64, u64, u64)>,
    next_stream: u64,
    /// How often each job has ended.
    pub(crate) ends: BTreeMap<JobId, u32>,
}

impl Server {
    pub(crate) fn new(now: Time) -> Server {
        let cluster = ClusterSpec::default();
        let entry = Entry::Configured { cluster: Box::new(cluster.clone()), by: "start".into() };
        Server {
            control: Control::new(cluster).expect("the default is valid"),
            links: Links::new(TERMS, now, Recovered::default()),
            journal: vec![(now, entry)],
            kept: None,
            is_up: true,
            life: 0,
            streams: BTreeMap::new(),
            next_stream: 0,
            ends: BTreeMap::new(),
        }
    }

    fn tell(&mut self, now: Time, entry: Entry) -> muster_server::Answer {
        let now = now.max(self.control.now());
        let applied = self.control.apply(now, &entry);
        self.journal.push((now, entry));
        for action in &applied.actions {
            if let Action::Moved { job, state: JobState::Ended(_), .. } = action {
                *self.ends.entry(*job).or_default() += 1;
            }
        }
        applied.answer
    }

    pub(crate) fn submit(
        &mut self,
        now: Time,
        spec: JobSpec,
        runs: Runs,
        key: String,
    ) -> Option<JobId> {
        let program = Arc::new(Program { runs, ..Program::default() });
        let spec = Arc::new(spec);
        match self.tell(now, Entry::Submitted { spec, program, key: Some(key), anywhere: false }) {
            muster_server::Answer::Accepted { job, .. } => Some(job),
            _ => None,
        }
    }

    /// Ends a job that only holds its places; whether it was one that had them.
    pub(crate) fn end_held(&mut self, now: Time, job: JobId) -> bool {
        let ended = Inside::Ended { job, exit: Exit::Code(3) };
        self.tell(now, Entry::Inside(ended)) == muster_server::Answer::Done
    }

    /// Starts a step in a job; whether it was accepted.
    pub(crate) fn step(&mut self, now: Time, job: JobId, request: StepRequest) -> bool {
        let started = Inside::Step { job, request: Arc::new(request) };
        matches!(self.tell(now, Entry::Inside(started)), muster_server::Answer::Step(_))
    }

    /// Steps of a job that have not ended.
    pub(crate) fn open_steps(&self, job: JobId) -> usize {
        let steps = self.control.step_views(job);
        steps.iter().filter(|step| step.state != StepState::Ended).count()
    }

    pub(crate) fn announce(
        &mut self,
        now: Time,
        spec: NodeSpec,
        said: &Announcement,
        number: u64,
    ) -> Option<Announced> {
        let instance = spec.name.to_string();
        if let Some(node) = self.control.node_named(&instance) {
            self.links.may_announce(node, &instance, now).ok()?;
            for report in &said.reports {
                self.tell(now, Entry::told(node, report));
            }
        }
        let running = said.running.clone();
        let (spec, address) = (Box::new(spec), instance.clone());
        let announced = instance.clone();
        let entry = Entry::Announced { spec, address, running, instance: announced, number };
        let muster_server::Answer::Node(node) = self.tell(now, entry) else { return None };
        let session = self.links.announced(node, &instance, now);
        Some(Announced { session, lease_ms: TERMS.lease.0, renew_ms: TERMS.renew.0 })
    }

    /// Nothing for a session that is not known.
    pub(crate) fn reports(&mut self, now: Time, reports: &Reports) -> Option<Received> {
        let (node, next) = self.links.heard(reports.session, now)?;
        assert!(reports.first <= next, "reports are missing");
        let known = usize::try_from(next - reports.first).expect("it is small");
        for report in reports.reports.iter().skip(known) {
            self.tell(now, Entry::told(node, report));
        }
        let next = next.max(reports.first + reports.reports.len() as u64);
        self.links.on_disk(reports.session, next);
        Some(Received { next, lease_ms: TERMS.lease.0 })
    }

    /// Opens a stream: its number and the first line. Nothing for a session that is not known.
    pub(crate) fn listen(&mut self, session: u64, after: u64) -> Option<(u64, Directive)> {
        let node = self.links.node_of(session)?;
        let directive = self.control.directive(node, Some(after));
        let Directive::Duties { version, .. } = &directive else { return None };
        self.next_stream += 1;
        self.streams.insert(node, (self.next_stream, session, *version));
        Some((self.next_stream, directive))
    }

    /// The next line of a node's stream, or its end where another session has taken its place.
    pub(crate) fn line(&mut self, node: NodeId) -> Option<Result<Directive, ()>> {
        let (_, session, version) = *self.streams.get(&node)?;
        if self.links.node_of(session) != Some(node) {
            self.streams.remove(&node);
            return Some(Err(()));
        }
        let directive = self.control.directive(node, Some(version));
        let Directive::Duties { version, duties, .. } = &directive else { return None };
        if duties.is_empty() {
            return None;
        }
        self.streams.get_mut(&node).expect("looked up above").2 = *version;
        Some(Ok(directive))
    }

    /// What is due by itself.
    pub(crate) fn look(&mut self, now: Time) {
        for (node, lease_ends) in self.links.silent(now) {
            self.tell(now, Entry::Told(Command::NodeLost { node, lease_ends }));
        }
        if self.control.next_wake().is_some_and(|wake| wake <= now) {
            self.tell(now, Entry::Told(Command::Tick));
        }
    }

    pub(crate) fn keep_snapshot(&mut self) {
        self.kept = Some((self.journal.len(), self.control.snapshot().encode()));
    }

    pub(crate) fn fall(&mut self) {
        self.is_up = false;
        self.streams.clear();
    }

    /// Comes back with what is on disk, which must be all there was.
    pub(crate) fn rise(&mut self, now: Time) {
        let version = muster_server::control::CONTROL_VERSION;
        let (from, mut control) = match &self.kept {
            Some((from, body)) => {
                let state = ControlSnapshot::decode(version, body).expect("it was encoded");
                (*from, Control::restore(state).expect("it was kept"))
            }
            None => (1, Control::new(ClusterSpec::default()).expect("the default is valid")),
        };
        for (at, entry) in &self.journal[from..] {
            control.apply(*at, entry);
        }
        assert!(control.snapshot() == self.control.snapshot(), "the replay gives another state");
        let recovered = Recovered { lease: TERMS.lease, nodes: control.agents() };
        self.links = Links::new(TERMS, now, recovered);
        self.control = control;
        self.is_up = true;
        self.life += 1;
    }

    pub(crate) fn node_named(&self, name: &str) -> Option<NodeId> {
        self.control.node_named(name)
    }

    /// A job's state in words.
    pub(crate) fn state_of(&self, job: JobId) -> String {
        self.control.job(job).map_or("gone".to_owned(), |job| format!("{:?}", job.state))
    }

    pub(crate) fn has_ended(&self, job: JobId) -> bool {
        self.control.job(job).is_some_and(|job| matches!(job.state, JobState::Ended(_)))
    }
}
