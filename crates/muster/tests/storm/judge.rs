//! After the storm: what did not hold.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::Serialize;
use serde_json::Value;

use crate::kills::{Killed, Kills};
use crate::story::{Line, Story};
use crate::watch::{items, task_processes};

/// What came of a storm.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    pub(crate) seed: u64,
    pub(crate) jobs: u64,
    pub(crate) gangs: u64,
    pub(crate) acknowledged: usize,
    pub(crate) given_up: usize,
    pub(crate) killed: Killed,
    pub(crate) outcomes: BTreeMap<String, u64>,
    /// Tasks that were started, and those that came to their own end.
    pub(crate) started: usize,
    pub(crate) finished: usize,
    /// Attempts after the first.
    pub(crate) restarts: u64,
    pub(crate) seconds: u64,
    pub(crate) faults: Vec<String>,
}

/// Judges what the server says, what the tasks wrote, and what is left on the machine.
pub(crate) fn judge(story: &Story, kills: &mut Kills) -> Report {
    let jobs = pages(story, "/v1/jobs?limit=1000");
    let events = pages(story, "/v1/events?limit=1000&after=0");
    let lines = story.lines();
    accepted_once(story, &jobs);
    ended_once(story, &jobs, &events);
    tasks(story, &jobs, &lines);
    for left in task_processes(&story.folder) {
        story.fault(format!("process {} of job {} is left: {}", left.pid, left.job, left.words));
    }
    kills.cluster.kill_server();
    kills.cluster.start_server();
    kills.cluster.await_server();
    let again = pages(story, "/v1/jobs?limit=1000");
    if again != jobs {
        let changed = again.iter().zip(&jobs).find(|(new, old)| new != old);
        story.fault(format!("after another kill the jobs are different ones: {changed:?}"));
    }
    kills.cluster.stop();
    let mut outcomes = BTreeMap::new();
    for job in &jobs {
        *outcomes.entry(text(&job["outcome"])).or_default() += 1;
    }
    let count = |what: &str| lines.iter().filter(|line| line.what == what).count();
    let restarts = jobs.iter().map(|job| job["attempt"].as_u64().unwrap_or(1).saturating_sub(1));
    Report {
        seed: story.options.seed,
        jobs: story.options.jobs,
        gangs: story.options.gangs,
        acknowledged: story.acknowledged().len(),
        given_up: story.given_up().len(),
        killed: kills.killed,
        outcomes,
        started: count("start"),
        finished: count("end"),
        restarts: restarts.sum(),
        seconds: 0,
        faults: story.faults(),
    }
}

/// Every page of a list.
fn pages(story: &Story, path: &str) -> Vec<Value> {
    let (mut all, mut path_now) = (Vec::new(), path.to_owned());
    loop {
        let Some(page) = story.api.get(&path_now) else {
            story.fault(format!("{path_now} cannot be read"));
            return all;
        };
        all.extend(items(&page).iter().cloned());
        let Some(next) = page["next"].as_str() else { return all };
        let base = path.split("&after").next().unwrap_or(path);
        path_now = format!("{base}&after={next}");
    }
}

/// What was acknowledged is there once, under the number that was told; what was not is there at
/// most once; numbers do not repeat.
fn accepted_once(story: &Story, jobs: &[Value]) {
    let mut by_name: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    let mut ids = BTreeSet::new();
    for job in jobs {
        let id = job["id"].as_u64().unwrap_or_default();
        by_name.entry(text(&job["name"])).or_default().push(id);
        if !ids.insert(id) {
            story.fault(format!("job {id} is there twice"));
        }
    }
    for (name, acknowledged) in story.acknowledged() {
        let found = by_name.remove(&name).unwrap_or_default();
        if found != [acknowledged.id] {
            story.fault(format!("{name} was told {}, and there is {found:?}", acknowledged.id));
        }
    }
    for (name, found) in by_name {
        if !story.given_up().contains(&name) || found.len() > 1 {
            story.fault(format!("nobody was told of {name}, and there is {found:?}"));
        }
    }
}

/// Every job has ended, and the history tells of that once.
fn ended_once(story: &Story, jobs: &[Value], events: &[Value]) {
    const ENDS: [&str; 7] = [
        "job-completed",
        "job-failed",
        "job-cancelled",
        "job-timed-out",
        "job-node-lost",
        "job-launch-failed",
        "job-dependency-failed",
    ];
    let mut ends: BTreeMap<u64, Vec<String>> = BTreeMap::new();
    for event in events {
        let kind = text(&event["kind"]);
        if let Some(job) = event["job"].as_u64().filter(|_| ENDS.contains(&kind.as_str())) {
            ends.entry(job).or_default().push(kind);
        }
    }
    for job in jobs {
        let id = job["id"].as_u64().unwrap_or_default();
        let told = ends.remove(&id).unwrap_or_default();
        let wanted = format!("job-{}", text(&job["outcome"]));
        if job["state"] != "ended" || told != [wanted] {
            story.fault(format!(
                "job {id} is {} ({}); told: {told:?}",
                job["state"], job["outcome"]
            ));
        }
    }
    if let Some((job, told)) = ends.into_iter().next() {
        story.fault(format!(
            "the history tells of the end of job {job}, which is not there: {told:?}"
        ));
    }
}

/// What the tasks wrote agrees with what is said of their jobs.
fn tasks(story: &Story, jobs: &[Value], lines: &[Line]) {
    let mut seen = BTreeSet::new();
    let mut finished: BTreeSet<(u64, u32, u32)> = BTreeSet::new();
    for line in lines {
        let of = (line.job, line.attempt, line.rank);
        match line.what.as_str() {
            "start" if !seen.insert(of) => {
                story.fault(format!("a task was launched twice: {}", line.text));
            }
            "start" => {}
            "end" => drop(finished.insert(of)),
            // A GPU or a job that another living task had.
            _ => story.fault(format!("a task found: {}", line.text)),
        }
    }
    for job in jobs {
        let number = |name: &str| job[name].as_u64().unwrap_or_default();
        let (id, attempt, tasks) = (number("id"), number("attempt"), number("tasks"));
        let attempt = u32::try_from(attempt).unwrap_or(u32::MAX);
        let ranks = 0..u32::try_from(tasks).unwrap_or(0);
        match job["outcome"].as_str() {
            Some("completed") => {
                let is_missing = |rank: &u32| !finished.contains(&(id, attempt, *rank));
                for rank in ranks.filter(is_missing) {
                    story.fault(format!("job {id} is completed, task {rank} did not finish"));
                }
            }
            // Whatever is killed around it, a job that does not fail by itself does not fail.
            _ => story.fault(format!("job {id} is {}, not completed", job["outcome"])),
        }
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

impl fmt::Display for Report {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Killed { servers, agents, launchers, trees } = self.killed;
        writeln!(
            formatter,
            "storm {}: {} jobs and {} gangs, {} acknowledged, {} given up, in {} s",
            self.seed, self.jobs, self.gangs, self.acknowledged, self.given_up, self.seconds
        )?;
        writeln!(
            formatter,
            "killed: {servers} times the server, {agents} an agent, {launchers} a launcher, \
             {trees} all of them"
        )?;
        writeln!(
            formatter,
            "tasks: {} started, {} finished; {} attempts after the first; outcomes: {:?}",
            self.started, self.finished, self.restarts, self.outcomes
        )?;
        match self.faults.len() {
            0 => write!(formatter, "everything held"),
            count => write!(formatter, "{count} faults:\n{}", self.faults.join("\n")),
        }
    }
}
