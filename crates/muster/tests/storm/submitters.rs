//! Those who submit jobs while the server comes and goes.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::chance::Chance;
use crate::cluster::{GPUS, LEASE_MS};
use crate::story::{Acknowledged, Story};

/// How many submit at the same time.
pub(crate) const COUNT: u64 = 2;

/// Tasks that may wait to be started before the next job is submitted, so that jobs come all
/// through the storm.
const WAITING_MAX: u64 = 40;

/// Jobs are submitted though many wait when nothing has started for so long.
const PATIENCE: Duration = Duration::from_secs(3);

/// A server that does not come back in this time is a fault.
const GONE: Duration = Duration::from_secs(120);

/// Submits until all jobs are.
pub(crate) fn submit(story: &Story, number: u64) {
    let total = story.options.jobs + story.options.gangs;
    loop {
        let index = story.next.fetch_add(1, Ordering::Relaxed);
        if index >= total {
            return;
        }
        await_room(story);
        let mut chance = Chance::new(story.options.seed, 1000 + index);
        submit_one(story, index, &mut chance);
        std::thread::sleep(Duration::from_millis(chance.below(5 + number)));
    }
}

fn await_room(story: &Story) {
    let begun = Instant::now();
    loop {
        let wanted: u64 = story.acknowledged().values().map(|it| it.tasks).sum();
        if wanted < story.started() + WAITING_MAX || begun.elapsed() > PATIENCE {
            return;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn submit_one(story: &Story, index: u64, chance: &mut Chance) {
    let name = format!("storm-{index}");
    let key = format!("key-{index}");
    let (body, tasks) = submission(story, index, &name, chance);
    let gives_up = chance.percent(20);
    let begun = Instant::now();
    loop {
        match story.api.ask("POST /v1/jobs", Some(&key), &body) {
            Ok((201, answer)) => {
                let id = number(&answer);
                story.acknowledge(&name, Acknowledged { id, tasks });
                if chance.percent(10) {
                    again(story, &key, &body, id);
                }
                return;
            }
            Ok((status, answer)) if status < 500 && status != 429 => {
                return story.fault(format!("{name} was refused with {status}: {answer}"));
            }
            // Nobody knows whether it was accepted. Some ask no further.
            _ if gives_up => return story.give_up(&name),
            _ => {}
        }
        if begun.elapsed() > GONE {
            return story.fault(format!("{name} could not be submitted for {GONE:?}"));
        }
        std::thread::sleep(Duration::from_millis(20 + chance.below(100)));
    }
}

/// The same key leads to the same job, however often.
fn again(story: &Story, key: &str, body: &str, id: u64) {
    if let Ok((201, answer)) = story.api.ask("POST /v1/jobs", Some(key), body)
        && number(&answer) != id
    {
        story.fault(format!("{key} led to job {id} and then to {answer}"));
    }
}

fn number(answer: &str) -> u64 {
    let read: Value = serde_json::from_str(answer).unwrap_or_default();
    read["id"].as_u64().unwrap_or_default()
}

/// A job of one task or a gang, and how many tasks it has. The gangs are spread over all jobs.
fn submission(story: &Story, index: u64, name: &str, chance: &mut Chance) -> (String, u64) {
    let options = &story.options;
    let total = options.jobs + options.gangs;
    let is_gang = (index + 1) * options.gangs / total > index * options.gangs / total;
    // More GPUs than a node has, so that a gang is on several nodes.
    let (tasks, gpus) =
        if is_gang { (2 + chance.below(2), GPUS - 1) } else { (1, chance.below(3)) };
    // Some run longer than a lease, so that leases end while they run.
    let milliseconds = match chance.percent(4) {
        true => LEASE_MS + chance.below(3_000),
        false => 5 + chance.below(295),
    };
    let leaves = if chance.percent(10) { "yes" } else { "no" };
    let own = std::env::current_exe().expect("it runs");
    let folder = story.folder.display().to_string();
    let command =
        json!([own.display().to_string(), "task", folder, milliseconds.to_string(), leaves]);
    let body = json!({
        "spec": {
            "name": name,
            "user": "user-a",
            "queue": "default",
            "class": "standard",
            "groups": [{
                "name": "tasks",
                "tasks": { "min": tasks, "max": tasks },
                "task": { "gpus": gpus, "cpus": 1000 },
            }],
        },
        "program": { "command": command, "directory": folder },
    });
    (body.to_string(), tasks)
}
