//! The agent as a whole: one loop that owns the mind, feeds it what the host and the server say,
//! and passes on what it decides.

use std::future::Future;
use std::time::Duration;

use muster_api::session::PROTOCOL;
use muster_api::{Announce, Directive, Reports};
use muster_model::{NodeSpec, Rung};
use tokio::sync::mpsc;

use crate::clock;
use crate::counting::Counting;
use crate::host::Host;
use crate::link::backoff::Backoff;
use crate::link::{Answer, Failure, Link};
use crate::mind::{Announcement, Happening, Mind};

/// The most reports of one request: more would keep the server from others for too long.
const REPORTS_MAX: usize = 1000;

/// So many answers may wait: who finds it full waits.
pub(crate) const ANSWERS_MAX: usize = 256;

/// How long tasks have when the agent is told to end them with itself.
const SHUTDOWN_GRACE_MS: u64 = 5_000;

/// The agent at work.
pub(crate) struct Agent {
    pub(crate) mind: Mind,
    pub(crate) host: Box<dyn Host>,
    pub(crate) link: Link,
    pub(crate) spec: NodeSpec,
    pub(crate) address: String,
    pub(crate) instance: String,
    /// The number of the last announcement.
    pub(crate) announced: u64,
    pub(crate) stop_tasks: bool,
    pub(crate) requests: Requests,
    pub(crate) counting: Counting,
}

/// The requests under way, and when the next ones are due.
#[derive(Debug, Default)]
pub(crate) struct Requests {
    announce: Request,
    stream: Request,
    report: Request,
    /// How often the lease is renewed.
    renew_ms: u64,
    renew_at_ms: u64,
}

/// One kind of request: at most one at a time.
#[derive(Debug, Default)]
struct Request {
    is_under_way: bool,
    not_before_ms: u64,
    backoff: Backoff,
}

impl Request {
    fn may_begin(&self, now_ms: u64) -> bool {
        !self.is_under_way && now_ms >= self.not_before_ms
    }

    fn begin(&mut self) {
        self.is_under_way = true;
    }

    fn worked(&mut self) {
        self.is_under_way = false;
        self.backoff.worked();
    }

    fn failed(&mut self, now_ms: u64) {
        self.is_under_way = false;
        self.not_before_ms = now_ms + self.backoff.failed();
    }
}

impl Agent {
    /// Works until it is told to stop.
    pub(crate) async fn work(
        mut self,
        mut happenings: mpsc::Receiver<Happening>,
        mut answers: mpsc::Receiver<Answer>,
        shutdown: impl Future<Output = ()>,
    ) {
        tokio::pin!(shutdown);
        let mut is_shutting_down = false;
        loop {
            self.go_on(is_shutting_down);
            if is_shutting_down && (!self.stop_tasks || self.mind.alive().is_empty()) {
                return;
            }
            let until = tokio::time::sleep(self.rest());
            tokio::select! {
                Some(happening) = happenings.recv() => self.happened(happening),
                Some(answer) = answers.recv(), if !is_shutting_down => self.answered(answer),
                () = until => {
                    self.mind.tick(clock::boot_ms());
                    self.counting.count(clock::boot_ms(), &self.mind);
                }
                () = &mut shutdown, if !is_shutting_down => {
                    is_shutting_down = true;
                    if self.stop_tasks {
                        self.mind.end_all(clock::boot_ms(), SHUTDOWN_GRACE_MS);
                    }
                }
            }
        }
    }

    /// Carries out what was decided, and asks the server what is due. An agent that leaves says
    /// nothing more: what has ended is told by the next one, before anything new is begun.
    fn go_on(&mut self, is_leaving: bool) {
        for order in self.mind.take_orders() {
            self.host.carry_out(order);
        }
        if is_leaving {
            return;
        }
        let now_ms = clock::boot_ms();
        let Some(session) = self.mind.session() else {
            if self.requests.announce.may_begin(now_ms) {
                self.requests.announce.begin();
                self.announced += 1;
                self.link.announce(self.announcement());
            }
            return;
        };
        if self.requests.stream.may_begin(now_ms) {
            self.requests.stream.begin();
            self.link.listen(session, self.mind.version(), self.requests.renew_ms);
        }
        let is_due = self.mind.has_reports() || now_ms >= self.requests.renew_at_ms;
        if is_due && self.requests.report.may_begin(now_ms) {
            self.requests.report.begin();
            self.requests.renew_at_ms = now_ms + self.requests.renew_ms;
            let (first, reports) = self.mind.reports(REPORTS_MAX);
            let version = self.mind.version();
            let usage = self.counting.tell();
            self.link.report(Reports { session, first, reports, version, usage });
        }
    }

    fn announcement(&self) -> Announce {
        let Announcement { running, reports } = self.mind.announcement();
        Announce {
            protocol: PROTOCOL,
            spec: self.spec.clone(),
            address: self.address.clone(),
            instance: self.instance.clone(),
            number: self.announced,
            running,
            reports,
            offers: vec![Rung::Checkpoint],
        }
    }

    /// How long nothing is due.
    fn rest(&self) -> Duration {
        let requests = &self.requests;
        let waits = |request: &Request| (!request.is_under_way).then_some(request.not_before_ms);
        let mut due = vec![self.mind.due_ms(), self.counting.due_ms(&self.mind)];
        match self.mind.session() {
            None => due.push(waits(&requests.announce)),
            Some(_) => {
                due.push(waits(&requests.stream));
                let renew = requests.renew_at_ms;
                let at = if self.mind.has_reports() { 0 } else { renew };
                due.push(waits(&requests.report).map(|not_before| not_before.max(at)));
            }
        }
        // A request under way ends by itself; nothing else need wake us.
        let due = due.into_iter().flatten().min().unwrap_or(u64::MAX);
        Duration::from_millis(due.saturating_sub(clock::boot_ms()).min(60_000))
    }

    fn happened(&mut self, happening: Happening) {
        let now_ms = clock::boot_ms();
        self.mind.happened(now_ms, happening);
        self.counting.count(now_ms, &self.mind);
    }

    fn answered(&mut self, answer: Answer) {
        let now_ms = clock::boot_ms();
        match answer {
            Answer::Announced { announced, sent_ms, told } => {
                self.requests.announce.worked();
                self.requests.stream = Request::default();
                self.requests.report = Request::default();
                self.requests.renew_ms = announced.renew_ms.max(1);
                self.requests.renew_at_ms = sent_ms + self.requests.renew_ms;
                self.mind.granted(announced.session, sent_ms, announced.lease_ms, told);
                tracing::info!("announced as {}, session {}", self.spec.name, announced.session);
            }
            Answer::NotAnnounced(failure) => {
                self.requests.announce.failed(now_ms);
                tracing::warn!("the server did not accept the announcement: {failure}");
            }
            Answer::Directive(session, Directive::Duties { version, all, duties }) => {
                self.mind.hear(now_ms, session, version, all, &duties);
            }
            Answer::Directive(_, Directive::Log(order)) => {
                self.link.send_log(&order, self.host.output(&order));
            }
            Answer::Directive(_, Directive::Beat) => self.requests.stream.backoff.worked(),
            Answer::StreamEnded(session, failure) if self.is_current(session) => {
                self.requests.stream.failed(now_ms);
                self.lost(&failure);
            }
            Answer::Received { session, received, sent_ms } if self.is_current(session) => {
                self.requests.report.worked();
                self.counting.told();
                self.mind.acknowledged(session, received.next, sent_ms, received.lease_ms);
            }
            Answer::NotReceived(session, failure) if self.is_current(session) => {
                self.requests.report.failed(now_ms);
                self.counting.not_told();
                self.lost(&failure);
            }
            // Whatever is still said of an earlier session is of no account.
            Answer::StreamEnded(..) | Answer::Received { .. } | Answer::NotReceived(..) => {}
        }
    }

    fn is_current(&self, session: u64) -> bool {
        self.mind.session() == Some(session)
    }

    /// A server that does not know us is told again who we are; anything else is tried again.
    fn lost(&mut self, failure: &Failure) {
        match failure {
            Failure::Conflict(why) => {
                tracing::info!("announcing again: {why}");
                self.mind.session_lost();
            }
            other => tracing::debug!("the server cannot be heard: {other}"),
        }
    }
}
