//! The network's side of the world: what agents ask, what becomes of it on the way, and what the
//! server answers and says.

use muster_api::{Directive, Reports};
use muster_model::NodeSpec;

use crate::agenda::{Answer, Event, Request};
use crate::server::TERMS;
use crate::world::{NODES, World};

/// How long an agent waits for an answer before it asks again.
const ANSWER_MS: u64 = 1_000;

impl World {
    /// An agent asks what is due.
    pub(crate) fn ask(&mut self, number: usize) {
        let now_ms = self.agenda.now_ms;
        let (listens, node) = (self.listens(number), &mut self.nodes[number]);
        let is_free = |asked: Option<u64>| asked.is_none_or(|sent| sent + ANSWER_MS <= now_ms);
        let mut requests = Vec::new();
        match node.mind.session() {
            None if is_free(node.asks.announce) => {
                node.asks.announce = Some(now_ms);
                node.announced += 1;
                let (said, number) = (node.mind.announcement(), node.announced);
                requests.push(Request::Announce { said, number });
            }
            None => {}
            Some(session) => {
                if !listens && is_free(node.asks.listen) {
                    node.asks.stream = None;
                    node.asks.listen = Some(now_ms);
                    requests.push(Request::Listen { session, after: node.mind.version() });
                }
                let is_due = node.mind.has_reports() || now_ms >= node.asks.renew_at_ms;
                if is_due && is_free(node.asks.report) {
                    node.asks.report = Some(now_ms);
                    node.asks.renew_at_ms = now_ms + TERMS.renew.0;
                    let (first, reports) = node.mind.reports(3);
                    let version = node.mind.version();
                    requests.push(Request::Report(Reports {
                        session,
                        first,
                        reports,
                        version,
                        usage: Vec::new(),
                    }));
                }
            }
        }
        for request in requests {
            self.send(number, &request);
        }
    }

    /// Whether a node's stream is open; one that is not is noticed after a while.
    fn listens(&mut self, node: usize) -> bool {
        let Some(stream) = self.nodes[node].asks.stream else { return false };
        let id = self.server.node_named(&self.nodes[node].name);
        let open = id.and_then(|id| self.server.streams.get(&id)).map(|(number, ..)| *number);
        open == Some(stream) || !self.agenda.percent(5)
    }

    /// A request goes out: it may be lost, late, or come twice.
    fn send(&mut self, node: usize, request: &Request) {
        let (life, sent_ms) = (self.nodes[node].life, self.agenda.now_ms);
        let copies = if self.agenda.percent(5) { 2 } else { 1 };
        for _ in 0..copies {
            if self.agenda.percent(6) {
                continue;
            }
            let delay = self.delay();
            let request = request.clone();
            self.agenda.after(delay, Event::ToServer { node, life, sent_ms, request });
        }
    }

    fn delay(&mut self) -> u64 {
        let most = if self.agenda.percent(4) { 3_000 } else { 20 };
        1 + self.agenda.below(most)
    }

    fn answer(&mut self, node: usize, life: u32, answer: Answer) {
        if !self.agenda.percent(6) {
            let delay = self.delay();
            self.agenda.after(delay, Event::ToAgent { node, life, answer });
        }
    }

    /// The server takes in a request.
    pub(crate) fn serve(&mut self, node: usize, life: u32, sent_ms: u64, request: Request) {
        let now = self.now();
        match request {
            Request::Announce { said, number } => {
                let spec = NodeSpec::new(&self.nodes[node].name, "H100", 8);
                if let Some(announced) = self.server.announce(now, spec, &said, number) {
                    let told = said.reports.len();
                    self.answer(node, life, Answer::Announced { announced, sent_ms, told });
                }
            }
            Request::Report(reports) => {
                let session = reports.session;
                let answer = match self.server.reports(now, &reports) {
                    Some(received) => Answer::Received { session, received, sent_ms },
                    None => Answer::Unknown { session },
                };
                self.answer(node, life, answer);
            }
            Request::Listen { session, after } => match self.server.listen(session, after) {
                Some((stream, line)) => self.say(node, life, session, stream, line),
                None => self.answer(node, life, Answer::Unknown { session }),
            },
        }
    }

    /// The server says what is new on every stream.
    pub(crate) fn speak(&mut self) {
        for node in 0..NODES {
            let Some(id) = self.server.node_named(&self.nodes[node].name) else { continue };
            let Some((stream, session, _)) = self.server.streams.get(&id).copied() else {
                continue;
            };
            let life = self.nodes[node].life;
            match self.server.line(id) {
                Some(Ok(line)) => self.say(node, life, session, stream, line),
                Some(Err(())) => self.answer(node, life, Answer::StreamEnded { stream }),
                None => {}
            }
        }
    }

    /// One line of a stream: behind those before it, at times twice; or the stream breaks.
    fn say(&mut self, node: usize, life: u32, session: u64, stream: u64, line: Directive) {
        let Directive::Duties { version, all, duties } = line else { return };
        if self.agenda.percent(3) {
            self.break_stream(node);
            return;
        }
        let delay = self.delay();
        let at_ms = self.line_ms[node].max(self.agenda.now_ms + delay);
        self.line_ms[node] = at_ms;
        let copies = if self.agenda.percent(5) { 2 } else { 1 };
        for _ in 0..copies {
            let duties = duties.clone();
            let answer = Answer::Duties { session, stream, version, all, duties };
            let later = at_ms - self.agenda.now_ms;
            self.agenda.after(later, Event::ToAgent { node, life, answer });
        }
    }

    fn break_stream(&mut self, node: usize) {
        if let Some(id) = self.server.node_named(&self.nodes[node].name) {
            self.server.streams.remove(&id);
        }
    }

    /// Something arrives at an agent, if it still lives and the link is whole.
    pub(crate) fn arrive(&mut self, number: usize, life: u32, answer: Answer) {
        let now_ms = self.agenda.now_ms;
        if !self.is_there(number, life) || self.nodes[number].cut_until_ms > now_ms {
            if matches!(answer, Answer::Duties { .. }) {
                self.break_stream(number);
            }
            return;
        }
        let node = &mut self.nodes[number];
        match answer {
            Answer::Announced { announced, sent_ms, told } => {
                if node.asks.announce.take_if(|sent| *sent == sent_ms).is_none() {
                    return;
                }
                node.asks = crate::node::Asks::default();
                node.asks.renew_at_ms = sent_ms + announced.renew_ms;
                node.mind.granted(announced.session, sent_ms, announced.lease_ms, told);
            }
            Answer::Received { session, received, sent_ms } => {
                if node.asks.report.take_if(|sent| *sent == sent_ms).is_some() {
                    node.mind.acknowledged(session, received.next, sent_ms, received.lease_ms);
                }
            }
            Answer::Duties { session, stream, version, all, duties } => {
                let is_new = node.asks.listen.is_some() && node.asks.stream < Some(stream);
                if is_new {
                    node.asks.stream = Some(stream);
                    node.asks.listen = None;
                }
                if node.asks.stream == Some(stream) {
                    node.mind.hear(now_ms, session, version, all, &duties);
                }
            }
            Answer::StreamEnded { stream } => {
                node.asks.stream.take_if(|open| *open == stream);
            }
            Answer::Unknown { session } if node.mind.session() == Some(session) => {
                node.mind.session_lost();
                node.asks.announce = None;
            }
            Answer::Unknown { .. } => {}
        }
    }
}
