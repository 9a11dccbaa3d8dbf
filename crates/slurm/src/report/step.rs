//! `scontrol show step`: the lines about one step.

use muster_model::Time;

use super::amount;
use super::{JobFacts, StepFacts};
use crate::values::Hostlist;
use crate::words::time::{UNKNOWN, stamp};

/// The steps of a job that run: its script, which has no number, and the rest.
pub fn running(job: &JobFacts) -> Vec<Option<&StepFacts>> {
    let script = job.is_batch.then_some(None);
    let steps = job.steps.iter().filter(|step| !step.state.is_over()).map(Some);
    script.into_iter().chain(steps).collect()
}

/// What people call a step: `12.0`, `12_3.batch`.
pub fn label(job: &JobFacts, step: Option<&StepFacts>) -> String {
    match step {
        Some(step) => format!("{}.{}", job.label(), step.number),
        None => format!("{}.batch", job.label()),
    }
}

/// Whether a step is meant by `batch` or its number.
pub fn is_called(step: Option<&StepFacts>, word: &str) -> bool {
    step.map_or(word == "batch", |step| step.number.to_string() == word)
}

/// The lines about one step; on one line where that is wanted.
pub fn paragraph(
    job: &JobFacts,
    step: Option<&StepFacts>,
    offset_s: i32,
    is_one_line: bool,
) -> String {
    let wants = &job.wants;
    let started = step.map_or(job.started, |step| step.started);
    let start = started.map_or(UNKNOWN.to_owned(), |time| stamp(time, offset_s));
    let nodes = step.map_or(job.nodes.get(..1).unwrap_or_default(), |step| &step.nodes[..]);
    let count = u64::try_from(nodes.len()).unwrap_or(0);
    let (cpus, gpus, memory) = match step {
        Some(step) => (step.cpus, step.gpus, 0),
        None => (wants.cpus_first, wants.gpus_first, wants.memory_first_mib),
    };
    let list = Hostlist::new(nodes.iter().cloned());
    let state = step.map_or(job.state, |step| step.state).word();
    let tasks = step.map_or(1, |step| step.tasks);
    let name = step.map_or("batch", |step| &step.name);
    let tres = amount::tres_of_step(cpus, gpus, memory, count);
    let lines = [
        format!(
            "StepId={} UserId={} StartTime={start} TimeLimit=UNLIMITED",
            label(job, step),
            job.uid
        ),
        format!("State={state} Partition={} NodeList={list}", job.partition),
        format!("Nodes={count} CPUs={cpus} Tasks={tasks} Name={name} Network=(null)"),
        format!("TRES={tres}"),
        "ResvPorts=(null)".to_owned(),
        "CPUFreqReq=Default Dist=Block".to_owned(),
        format!("SrunHost:Pid={}:0", nodes.first().map_or("(null)", String::as_str)),
    ];
    match is_one_line {
        true => format!("{}\n", lines.join(" ")),
        false => format!("{}\n\n", lines.join("\n   ")),
    }
}

/// Seconds that a step has run, or ran.
pub(super) fn elapsed_s(job: &JobFacts, step: Option<&StepFacts>, now: Time) -> u64 {
    let second = |time: Time| time.0 / 1000;
    let (started, ended) = match step {
        Some(step) => (step.started, step.ended),
        None => (job.started, job.ended),
    };
    started.map_or(0, |start| second(ended.unwrap_or(now)).saturating_sub(second(start)))
}
