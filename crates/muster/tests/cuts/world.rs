//! What happens when: a server, some nodes, the network between them, and everything that goes
//! wrong.

use std::collections::BTreeMap;

use muster_agent::mind::{Happening, Order};
use muster_api::{Directive, Reports};
use muster_engine::command::{Exit, Refusal, Running};
use muster_model::{JobId, JobSpec, Name, NodeSpec, Time};

use crate::agenda::{Agenda, Answer, Event, Request};
use crate::judge::{ENDING_MS, judge};
use crate::node::{Node, Truth};
use crate::server::{Server, TERMS};

const NODES: usize = 3;
const JOBS: usize = 40;

/// Mishaps are spread over so long.
const TROUBLE_MS: u64 = 40_000;

/// By then everything has ended.
const END_MS: u64 = 30 * 60_000;

/// How long an agent waits for an answer before it asks again.
const ANSWER_MS: u64 = 1_000;

pub(crate) struct World {
    agenda: Agenda,
    server: Server,
    nodes: Vec<Node>,
    jobs: BTreeMap<JobId, usize>,
    submitted: usize,
    /// When the last line of each node's stream arrives: lines do not overtake each other.
    line_ms: Vec<u64>,
}

impl World {
    pub(crate) fn new(seed: u64) -> World {
        let mut agenda = Agenda::new(seed);
        let server = Server::new(Time(agenda.now_ms));
        let nodes: Vec<Node> = (0..NODES).map(|node| Node::new(node, agenda.now_ms)).collect();
        for node in 0..NODES {
            agenda.after(0, Event::AgentLooks { node, life: 0 });
        }
        agenda.after(0, Event::ServerLooks { life: 0 });
        agenda.after(10, Event::Submit);
        for _ in 0..agenda.below(4) {
            let at = agenda.below(TROUBLE_MS);
            agenda.after(at, Event::ServerFalls);
        }
        for _ in 0..agenda.below(7) {
            let (at, node) = (agenda.below(TROUBLE_MS), agenda.below(3) as usize);
            agenda.after(at, Event::AgentFalls { node });
        }
        for _ in 0..agenda.below(9) {
            let (at, node) = (agenda.below(TROUBLE_MS), agenda.below(3) as usize);
            let for_ms = 100 + agenda.below(6_000);
            agenda.after(at, Event::Cut { node, for_ms });
        }
        let line_ms = vec![0; NODES];
        World { agenda, server, nodes, jobs: BTreeMap::new(), submitted: 0, line_ms }
    }

    /// Plays to the end; what did not hold.
    pub(crate) fn play(mut self) -> Result<(), String> {
        while let Some(event) = self.agenda.pop() {
            self.end_leases();
            self.happen(event)?;
            judge(self.agenda.now_ms, &self.nodes)?;
            let all_ended = self.jobs.keys().all(|job| self.server.has_ended(*job));
            if self.submitted == JOBS && self.server.is_up && all_ended {
                break;
            }
            if self.agenda.now_ms > END_MS {
                let alive = self.jobs.keys().filter(|job| !self.server.has_ended(**job));
                let alive: Vec<String> = alive
                    .map(|job| format!("job {} is {}", job.0, self.server.state_of(*job)))
                    .collect();
                return Err(format!("never ends: {}", alive.join(", ")));
            }
        }
        for job in self.jobs.keys() {
            let ends = self.server.ends.get(job).copied().unwrap_or_default();
            if ends != 1 {
                return Err(format!("job {} has ended {ends} times", job.0));
            }
        }
        let left = self.nodes.iter().flat_map(Node::alive).next();
        left.map_or(Ok(()), |(of, _)| Err(format!("job {} has ended and runs", of.job.0)))
    }

    fn now(&self) -> Time {
        Time(self.agenda.now_ms)
    }

    /// Launchers end their tasks by themselves, a moment after the lease has ended.
    fn end_leases(&mut self) {
        let now_ms = self.agenda.now_ms;
        for node in 0..NODES {
            if self.nodes[node].lease_ms + ENDING_MS / 2 > now_ms {
                continue;
            }
            let tasks = self.nodes[node].tasks.iter().filter(|(_, task)| task.is_alive());
            for (of, rank) in tasks.map(|(of, _)| *of).collect::<Vec<_>>() {
                self.task_ends(node, of, rank, Exit::Stopped);
            }
        }
    }

    fn happen(&mut self, event: Event) -> Result<(), String> {
        let now_ms = self.agenda.now_ms;
        match event {
            Event::ToServer { node, life, sent_ms, request } => {
                if self.server.is_up && self.nodes[node].cut_until_ms <= now_ms {
                    self.serve(node, life, sent_ms, request);
                }
            }
            Event::ToAgent { node, life, answer } => self.arrive(node, life, answer),
            Event::Happens { node, life, happening } => {
                if self.is_there(node, life) {
                    self.nodes[node].mind.happened(now_ms, happening);
                }
            }
            Event::Launches { node, life, of, rank } => self.launch(node, life, of, rank),
            Event::Ends { node, of, rank, exit } => self.task_ends(node, of, rank, exit),
            Event::AgentLooks { node, life } => {
                if self.is_there(node, life) {
                    self.nodes[node].mind.tick(now_ms);
                    self.ask(node);
                    let next = 10 + self.agenda.below(40);
                    self.agenda.after(next, Event::AgentLooks { node, life });
                }
            }
            Event::ServerLooks { life } => {
                if self.server.is_up && self.server.life == life {
                    self.server.look(self.now());
                    if self.agenda.percent(1) {
                        self.server.keep_snapshot();
                    }
                    self.agenda.after(50, Event::ServerLooks { life });
                }
            }
            Event::Submit => self.submit()?,
            mishap => self.mishap(mishap),
        }
        for node in 0..NODES {
            self.carry_out(node)?;
        }
        self.speak();
        Ok(())
    }

    fn mishap(&mut self, event: Event) {
        let now_ms = self.agenda.now_ms;
        match event {
            Event::ServerFalls if self.server.is_up => {
                self.server.fall();
                let away = 20 + self.agenda.below(4_000);
                self.agenda.after(away, Event::ServerRises);
            }
            Event::ServerRises => {
                self.server.rise(self.now());
                let life = self.server.life;
                self.agenda.after(0, Event::ServerLooks { life });
            }
            Event::AgentFalls { node } if self.nodes[node].is_up => {
                self.nodes[node].fall();
                let away = 10 + self.agenda.below(4_000);
                self.agenda.after(away, Event::AgentRises { node });
            }
            Event::AgentRises { node } => {
                self.nodes[node].rise(now_ms);
                let life = self.nodes[node].life;
                self.agenda.after(0, Event::AgentLooks { node, life });
            }
            Event::Cut { node, for_ms } => self.nodes[node].cut_until_ms = now_ms + for_ms,
            _ => {}
        }
    }

    fn is_there(&self, node: usize, life: u32) -> bool {
        self.nodes[node].is_up && self.nodes[node].life == life
    }

    fn submit(&mut self) -> Result<(), String> {
        let wait = self.agenda.below(1_500);
        if !self.server.is_up {
            self.agenda.after(100, Event::Submit);
            return Ok(());
        }
        let (tasks, gpus) = match self.agenda.percent(20) {
            true => (2 + u32::from(self.agenda.percent(50)), 5),
            false => (1, if self.agenda.percent(50) { 1 } else { 4 }),
        };
        let name = format!("job-{}", self.submitted);
        let spec = JobSpec::gang(&name, tasks, gpus);
        let now = self.now();
        let first = self.server.submit(now, spec.clone(), name.clone());
        let job = first.ok_or_else(|| format!("{name} was refused"))?;
        if self.agenda.percent(20) && self.server.submit(now, spec, name.clone()) != first {
            return Err(format!("{name} was accepted twice"));
        }
        if self.jobs.insert(job, self.submitted).is_some() {
            return Err(format!("the number {} was given twice", job.0));
        }
        self.submitted += 1;
        if self.submitted < JOBS {
            self.agenda.after(wait, Event::Submit);
        }
        Ok(())
    }

    /// An agent asks what is due.
    fn ask(&mut self, number: usize) {
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
                    requests.push(Request::Report(Reports { session, first, reports, version }));
                }
            }
        }
        for request in requests {
            self.send(number, request);
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
    fn send(&mut self, node: usize, request: Request) {
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
    fn serve(&mut self, node: usize, life: u32, sent_ms: u64, request: Request) {
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
    fn speak(&mut self) {
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
    fn arrive(&mut self, number: usize, life: u32, answer: Answer) {
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

    fn carry_out(&mut self, number: usize) -> Result<(), String> {
        if !self.nodes[number].is_up {
            return Ok(());
        }
        for order in self.nodes[number].mind.take_orders() {
            let (life, node) = (self.nodes[number].life, &mut self.nodes[number]);
            match order {
                Order::Launch { of, tasks, is_growth, .. } => {
                    let together: Vec<u32> = tasks.iter().map(|task| task.rank).collect();
                    for duty in tasks {
                        let (place, together) = (duty.place, together.clone());
                        let truth = Truth { place, together, is_growth, is_up: false, exit: None };
                        node.tasks.insert((of, duty.rank), truth);
                        let (rank, later) = (duty.rank, 1 + self.agenda.below(60));
                        let event = Event::Launches { node: number, life, of, rank };
                        self.agenda.after(later, event);
                    }
                }
                Order::Signal { of, ranks, signal: 15 } => {
                    if self.agenda.percent(80) {
                        self.end_soon(number, of, &ranks, Exit::Signal(15));
                    }
                }
                Order::Kill { of, ranks } => self.end_soon(number, of, &ranks, Exit::Signal(9)),
                Order::Left { of, rank } => drop(node.tasks.remove(&(of, rank))),
                Order::Remember { of, heard } => drop(node.heard.insert(of, heard)),
                Order::Finish { of } => {
                    let happening = Happening::Finished { of };
                    let later = 1 + self.agenda.below(20);
                    self.agenda.after(later, Event::Happens { node: number, life, happening });
                }
                Order::Forget { of } => {
                    if node.alive().any(|(alive, _)| alive == of) {
                        return Err(format!("job {} is forgotten and runs", of.job.0));
                    }
                    node.tasks.retain(|(known, _), _| *known != of);
                }
                Order::Lease { until_ms } => node.lease_ms = until_ms,
                Order::Signal { .. } => {}
            }
        }
        Ok(())
    }

    fn end_soon(&mut self, node: usize, of: Running, ranks: &[u32], exit: Exit) {
        for rank in ranks.iter().copied() {
            let later = 1 + self.agenda.below(30);
            self.agenda.after(later, Event::Ends { node, of, rank, exit });
        }
    }

    /// A launcher starts its task, unless the agent that asked has fallen and another has found
    /// nothing to keep.
    fn launch(&mut self, number: usize, life: u32, of: Running, rank: u32) {
        let now_ms = self.agenda.now_ms;
        let node = &mut self.nodes[number];
        let has_ended = node.lease_ms <= now_ms;
        let Some(task) = node.tasks.get_mut(&(of, rank)).filter(|task| !task.is_up) else { return };
        if has_ended {
            node.tasks.remove(&(of, rank));
            let refusal = Refusal::Node(Name::from("lease-ended"));
            let detail = "the lease has ended".to_owned();
            let happening = Happening::NotLaunched { of, rank, refusal, detail };
            self.agenda.after(0, Event::Happens { node: number, life, happening });
            return;
        }
        task.is_up = true;
        if node.is_up && node.life == life {
            node.mind.happened(now_ms, Happening::Launched { of, rank });
        }
        let most = if self.agenda.percent(30) { 8_000 } else { 500 };
        let runs_ms = 5 + self.agenda.below(most);
        self.agenda.after(runs_ms, Event::Ends { node: number, of, rank, exit: Exit::Code(0) });
    }

    fn task_ends(&mut self, number: usize, of: Running, rank: u32, exit: Exit) {
        let node = &mut self.nodes[number];
        let task = node.tasks.get_mut(&(of, rank)).filter(|task| task.is_alive());
        let Some(task) = task else { return };
        task.exit = Some(exit);
        let (life, later) = (node.life, self.agenda.below(5));
        let happening = Happening::Ended { of, rank, exit };
        self.agenda.after(later, Event::Happens { node: number, life, happening });
    }
}
