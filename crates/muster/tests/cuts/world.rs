//! What happens when: a server, some nodes, the network between them, and everything that goes
//! wrong.

use std::collections::BTreeMap;

use muster_api::Runs;
use muster_model::{JobId, JobSpec, Time};

use crate::agenda::{Agenda, Event};
use crate::judge::judge;
use crate::node::Node;
use crate::server::Server;

pub(crate) const NODES: usize = 3;
pub(crate) const JOBS: usize = 40;

/// Mishaps are spread over so long.
const TROUBLE_MS: u64 = 40_000;

/// By then everything has ended.
const END_MS: u64 = 30 * 60_000;

pub(crate) struct World {
    pub(crate) agenda: Agenda,
    pub(crate) server: Server,
    pub(crate) nodes: Vec<Node>,
    pub(crate) jobs: BTreeMap<JobId, usize>,
    pub(crate) submitted: usize,
    /// How many tasks of steps have run.
    pub(crate) steps_run: usize,
    /// When the last line of each node's stream arrives: lines do not overtake each other.
    pub(crate) line_ms: Vec<u64>,
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
        agenda.after(20, Event::StartStep);
        for _ in 0..agenda.below(4) {
            let at = agenda.below(TROUBLE_MS);
            agenda.after(at, Event::ServerFalls);
        }
        for _ in 0..agenda.below(7) {
            let (at, node) = (agenda.below(TROUBLE_MS), agenda.node());
            agenda.after(at, Event::AgentFalls { node });
        }
        for _ in 0..agenda.below(9) {
            let (at, node) = (agenda.below(TROUBLE_MS), agenda.node());
            let for_ms = 100 + agenda.below(6_000);
            agenda.after(at, Event::Cut { node, for_ms });
        }
        let line_ms = vec![0; NODES];
        let (jobs, submitted, steps_run) = (BTreeMap::new(), 0, 0);
        World { agenda, server, nodes, jobs, submitted, steps_run, line_ms }
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
            if self.server.open_steps(*job) > 0 {
                return Err(format!("job {} has ended and its steps have not", job.0));
            }
        }
        if self.steps_run < 20 {
            return Err(format!("only {} tasks of steps ever ran", self.steps_run));
        }
        let step = self.nodes.iter().flat_map(Node::live_steps).next();
        if let Some(task) = step {
            return Err(format!("job {} has ended and a step of it runs", task.of.job.0));
        }
        let mut left = self.nodes.iter().flat_map(Node::alive).filter(|(_, task)| !task.is_held);
        let left = left.next();
        left.map_or(Ok(()), |(of, _)| Err(format!("job {} has ended and runs", of.job.0)))
    }

    pub(crate) fn now(&self) -> Time {
        Time(self.agenda.now_ms)
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
            Event::StepLaunches { node, life, task } => self.step_launches(node, life, task),
            Event::StepEnds { node, task, exit } => self.step_ends(node, task, exit),
            Event::StartStep => self.start_step(),
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
            Event::EndHeld { job } => {
                let now = self.now();
                if !self.server.is_up || !self.server.end_held(now, job) {
                    self.agenda.after(100, Event::EndHeld { job });
                }
            }
            mishap => self.mishap(&mishap),
        }
        for node in 0..NODES {
            self.carry_out(node)?;
        }
        self.speak();
        Ok(())
    }

    fn mishap(&mut self, event: &Event) {
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
            &Event::AgentFalls { node } if self.nodes[node].is_up => {
                self.nodes[node].fall();
                let away = 10 + self.agenda.below(4_000);
                self.agenda.after(away, Event::AgentRises { node });
            }
            &Event::AgentRises { node } => {
                self.nodes[node].rise(now_ms);
                let life = self.nodes[node].life;
                self.agenda.after(0, Event::AgentLooks { node, life });
            }
            &Event::Cut { node, for_ms } => self.nodes[node].cut_until_ms = now_ms + for_ms,
            _ => {}
        }
    }

    pub(crate) fn is_there(&self, node: usize, life: u32) -> bool {
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
        let runs = match self.agenda.below(4) {
            0 => Runs::First,
            1 => Runs::Nowhere,
            _ => Runs::Everywhere,
        };
        let name = format!("job-{}", self.submitted);
        let spec = JobSpec::gang(&name, tasks, gpus);
        let now = self.now();
        let first = self.server.submit(now, spec.clone(), runs, name.clone());
        let job = first.ok_or_else(|| format!("{name} was refused"))?;
        if self.agenda.percent(20) && self.server.submit(now, spec, runs, name.clone()) != first {
            return Err(format!("{name} was accepted twice"));
        }
        if self.jobs.insert(job, self.submitted).is_some() {
            return Err(format!("the number {} was given twice", job.0));
        }
        self.submitted += 1;
        if runs == Runs::Nowhere {
            let later = 50 + self.agenda.below(4_000);
            self.agenda.after(later, Event::EndHeld { job });
        }
        if self.submitted < JOBS {
            self.agenda.after(wait, Event::Submit);
        }
        Ok(())
    }
}
