//! Reads a submission: `submit "train" 2 x H100x8, require rack, limit 2h`.

use muster_model::{
    Array, Dependency, DependencyKind, JobId, JobSpec, Level, Name, QueueName, Requeue, Rung,
    RungCost, Segment, SpeedPoint, Warning,
};

use super::{report, shape, value};
use crate::story::act::Tell;
use crate::story::words::{Parsed, Problem, Words};

const CLAUSES: [&str; 32] = [
    "by",
    "team",
    "queue",
    "class",
    "weight",
    "limit",
    "warning",
    "estimate",
    "deadline",
    "begin",
    "booking",
    "hold",
    "require",
    "prefer",
    "segment",
    "spread",
    "apart",
    "only-on",
    "rather-on",
    "rather-not-on",
    "array",
    "after",
    "afterok",
    "afterany",
    "afternotok",
    "singleton",
    "requeue",
    "speeds",
    "resize",
    "can",
    "saves",
    "state",
];

/// Who submits where a story does not say.
const USER: &str = "user-a";

/// Reads a submission. A story with one queue need not name it.
pub(super) fn submit(words: &mut Words) -> Parsed<Tell> {
    let (spec, queue_is_named) = spec(words)?;
    Ok(Tell::Submit { spec, queue_is_named })
}

/// Reads a change of a job into another.
pub(super) fn amend(words: &mut Words) -> Parsed<Tell> {
    let job = JobId(value::number(words, "a job's number")?);
    let (spec, queue_is_named) = spec(words)?;
    Ok(Tell::Amend { job, spec, queue_is_named })
}

/// A job, and whether its queue is named.
fn spec(words: &mut Words) -> Parsed<(Box<JobSpec>, bool)> {
    let name = words.quoted("the job's name in double quotes")?;
    let mut spec = JobSpec::new("", USER, "");
    spec.name = value::parsed(&name)?;
    spec.groups = shape::groups(words)?;
    while words.next_clause()? {
        clause(words, &mut spec)?;
    }
    let queue_is_named = !spec.queue.as_str().is_empty();
    Ok((Box::new(spec), queue_is_named))
}

fn clause(words: &mut Words, spec: &mut JobSpec) -> Parsed<()> {
    let clause = words.plain("a clause about the job")?;
    match clause.as_str() {
        "by" => spec.user = value::name(words, "a user's name")?,
        "team" => spec.team = Some(value::name(words, "a team's name")?),
        "queue" => spec.queue = value::parsed::<QueueName>(&words.plain("a queue's name")?)?,
        "class" => spec.class = value::name(words, "a class's name")?,
        "weight" => spec.weight = value::number(words, "a weight from -2 to 2")?,
        "booking" => spec.booking = Some(value::name(words, "a booking's name")?),
        "hold" => spec.hold = true,
        "array" => spec.array = Some(array(words)?),
        "requeue" => spec.requeue = requeue(words)?,
        "speeds" => spec.scaling.speeds = speeds(words)?,
        "resize" => spec.scaling.resize = value::span(words)?,
        "limit" | "warning" | "estimate" | "deadline" | "begin" => timing(&clause, words, spec)?,
        "require" | "prefer" | "segment" | "spread" | "apart" => topology(&clause, words, spec)?,
        "only-on" => spec.constraint.require = Some(Box::new(value::nodes(words)?)),
        "rather-on" => spec.constraint.prefer = Some(Box::new(value::nodes(words)?)),
        "rather-not-on" => spec.constraint.avoid = Some(Box::new(value::nodes(words)?)),
        "can" => spec.checkpoint.rungs.push(rung(words)?),
        "saves" => {
            words.expect("every")?;
            spec.checkpoint.every = Some(value::span(words)?);
        }
        "state" => spec.checkpoint.state = Some(value::parsed(&words.plain("GPU memory")?)?),
        "singleton" => spec.after.push(Dependency::Singleton),
        _ if clause.contains(':') => spec.after.push(value::parsed(&clause)?),
        _ => match DependencyKind::ALL.iter().find(|(_, word)| *word == clause) {
            Some((kind, _)) => after(words, spec, *kind)?,
            None => return Err(Problem::unknown("clause", &clause, &CLAUSES)),
        },
    }
    Ok(())
}

/// `speeds 2:100 4:180`: tasks, and how fast the job is with them.
fn speeds(words: &mut Words) -> Parsed<Vec<SpeedPoint>> {
    const EXPECTED: &str = "sizes with speeds such as `2:100 4:180`";
    let mut speeds = Vec::new();
    while !words.at_clause_end() {
        let word = words.plain(EXPECTED)?;
        let (tasks, speed) = word.split_once(':').ok_or_else(|| value::unlike(EXPECTED, &word))?;
        let tasks = value::number_of(tasks, EXPECTED)?;
        speeds.push(SpeedPoint { tasks, speed: value::number_of(speed, EXPECTED)? });
    }
    Ok(speeds)
}

/// `can suspend 20s back 10s`: a rung, the time to take it, and the time back.
fn rung(words: &mut Words) -> Parsed<RungCost> {
    let word = words.plain("a rung of the pause ladder")?;
    let rungs = [Rung::Freeze, Rung::Suspend, Rung::Checkpoint, Rung::Requeue];
    let rung = rungs.into_iter().find(|rung| rung.to_string() == word).ok_or_else(|| {
        Problem::unknown("rung", &word, &["freeze", "suspend", "checkpoint", "requeue"])
    })?;
    let save = value::span(words)?;
    words.expect("back")?;
    Ok(RungCost { rung, save, restore: value::span(words)? })
}

fn timing(clause: &str, words: &mut Words, spec: &mut JobSpec) -> Parsed<()> {
    let timing = &mut spec.timing;
    match clause {
        "limit" => timing.limit = Some(value::span(words)?),
        "estimate" => timing.estimate = Some(report::quantiles(words)?),
        "deadline" => {
            timing.deadline = Some(value::moment(words)?);
            if words.take("or") {
                words.expect("never")?;
                timing.drop_late = true;
            }
        }
        "begin" => timing.begin = Some(value::moment(words)?),
        _ => {
            let signal = report::signal_number(words)?;
            timing.warning = Some(Warning { signal, before: value::span(words)? });
            words.expect("before")?;
        }
    }
    Ok(())
}

fn topology(clause: &str, words: &mut Words, spec: &mut JobSpec) -> Parsed<()> {
    let topology = &mut spec.topology;
    match clause {
        "require" => {
            topology.require = Some(level(words)?);
            if words.take("for") {
                topology.patience = Some(value::span(words)?);
            }
        }
        "prefer" => topology.prefer = Some(level(words)?),
        "spread" => topology.spread = true,
        "apart" => topology.apart = true,
        _ => {
            let tasks = value::number(words, "the tasks of one block")?;
            words.expect("in")?;
            topology.segment = Some(Segment { tasks, level: level(words)? });
        }
    }
    Ok(())
}

fn level(words: &mut Words) -> Parsed<Level> {
    let level: Name = value::name(words, "a level's name")?;
    Ok(if level.as_str() == "node" { Level::Node } else { Level::Named(level) })
}

/// `array 0-9,20 at most 3`.
fn array(words: &mut Words) -> Parsed<Array> {
    let word = words.plain("the array's indexes such as `0-9`")?;
    let indexes = value::numbers(&word, "an index")?;
    let mut throttle = None;
    if words.take("at") {
        words.expect("most")?;
        throttle = Some(value::number(words, "how many elements may run at once")?);
    }
    Ok(Array { indexes, throttle })
}

/// `requeue never`, `requeue when failed`, `requeue when lost or failed at most 2`; without
/// `when`, as usual: when lost.
fn requeue(words: &mut Words) -> Parsed<Requeue> {
    let mut requeue = Requeue::default();
    if words.take("never") {
        requeue.when_lost = false;
    } else if words.take("when") {
        requeue.when_lost = words.take("lost");
        if !requeue.when_lost || words.take("or") {
            words.expect("failed")?;
            requeue.when_failed = true;
        }
    }
    if words.take("at") {
        words.expect("most")?;
        requeue.most = value::number(words, "how many further attempts")?;
    }
    Ok(requeue)
}

fn after(words: &mut Words, spec: &mut JobSpec, kind: DependencyKind) -> Parsed<()> {
    for job in value::jobs(words)? {
        spec.after.push(Dependency::on(job, kind));
    }
    Ok(())
}
