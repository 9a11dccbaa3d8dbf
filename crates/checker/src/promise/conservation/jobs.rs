//! Jobs and attempts of a snapshot against those of the shadow.

use muster_engine::action::JobState;
use muster_engine::snapshot::{JobRecord, NodeReport, RunRecord, Snapshot};

use crate::shadow::{Held, Job, Report, Run, Shadow};
use crate::violation::{Findings, Promise};

/// Judges every job that both know; who is missing is judged elsewhere.
pub(crate) fn compared(shadow: &Shadow, snapshot: &Snapshot, found: &mut Findings) {
    for record in &snapshot.jobs {
        let Some(job) = shadow.jobs.get(&record.id) else { continue };
        facts(job, record, found);
        held(job, record, found);
        match (&record.run, job.run.as_ref().filter(|run| run.holds)) {
            (Some(told), Some(run)) => attempt(job, told, run, found),
            (None, None) => {}
            (Some(told), None) if told.is_suspended => suspended(job, found),
            (Some(_), None) => {
                let detail = format!("job {} has an attempt that no node holds", job.id);
                found.add(Promise::Conservation, detail);
            }
            (None, Some(_)) => {
                let detail = format!("job {} has lost an attempt that nodes hold", job.id);
                found.add(Promise::Conservation, detail);
            }
        }
    }
    for array in &snapshot.arrays {
        let (id, inside) = (array.id, array.elements);
        if shadow.arrays.get(&id) != Some(&inside) {
            let detail = format!("array {id} has {inside} elements inside, which nobody submitted");
            found.add(Promise::Conservation, detail);
        }
    }
}

/// Judges an attempt that is suspended inside: every part must have said so.
fn suspended(job: &Job, found: &mut Findings) {
    let parts = job.run.iter().flat_map(|run| &run.parts);
    let awake = parts.filter(|(_, part)| !part.report.is_end() && part.report != Report::Suspended);
    for (node, _) in awake {
        let detail = format!("job {} is suspended inside, and node {node} has not said so", job.id);
        found.add(Promise::Conservation, detail);
    }
}

fn facts(job: &Job, record: &JobRecord, found: &mut Findings) {
    let id = job.id;
    let is_fresh = |state| matches!(state, JobState::Waiting | JobState::Queued);
    let same_state =
        job.state.map_or_else(|| is_fresh(record.state), |state| state == record.state);
    if !same_state {
        let (told, known) = (record.state, job.state_word());
        let detail = format!("job {id} is {known} by all that was told, and {told:?} inside");
        found.add(Promise::Conservation, detail);
    }
    let rest = [
        ("specification", record.spec == job.spec),
        ("place in its array", record.element == job.element),
        ("attempt", record.attempt == job.attempt),
        ("time of submission", record.submitted == job.submitted),
        ("time of its end", record.ended == job.ended),
    ];
    for (what, _) in rest.into_iter().filter(|(_, is_same)| !is_same) {
        found.add(Promise::Conservation, format!("job {id} has another {what} inside"));
    }
}

fn held(job: &Job, record: &JobRecord, found: &mut Findings) {
    let is_wrong = match job.held {
        _ if job.is_ended() => false,
        Held::Yes => !record.held || record.state == JobState::Queued,
        Held::No => record.held,
        Held::Unsure => false,
    };
    if is_wrong {
        let (id, known) = (job.id, job.held);
        let detail = format!("whether job {id} is held: {known:?}, and {} inside", record.held);
        found.add(Promise::Conservation, detail);
    }
}

fn attempt(job: &Job, told: &RunRecord, run: &Run, found: &mut Findings) {
    let id = job.id;
    if told.placed != run.placed {
        found.add(Promise::Conservation, format!("job {id} was placed at another time inside"));
    }
    if told.started != run.running_since {
        found.add(Promise::Conservation, format!("job {id} started at another time inside"));
    }
    if told.nodes.len() != run.parts.len() {
        let (inside, known) = (told.nodes.len(), run.parts.len());
        let detail = format!("job {id} is on {known} nodes, and on {inside} inside");
        found.add(Promise::Conservation, detail);
    }
    for part in &told.nodes {
        let node = part.node;
        let Some(known) = run.parts.get(&node) else {
            let detail = format!("job {id} is on node {node} inside and was not launched there");
            found.add(Promise::Conservation, detail);
            continue;
        };
        let same_tasks = part.tasks.len() == known.tasks.len()
            && part.tasks.iter().all(|task| known.tasks.contains(task));
        if !same_tasks {
            let detail = format!("job {id} has other tasks or GPUs on node {node} inside");
            found.add(Promise::Conservation, detail);
        }
        let same_report = matches!(
            (part.report, known.report),
            (NodeReport::Asked, Report::Asked)
                | (NodeReport::Started, Report::Started)
                | (NodeReport::Frozen, Report::Frozen)
                | (NodeReport::Suspended, Report::Suspended)
                | (NodeReport::Ended, Report::Ended(_))
        );
        if !same_report {
            let (told, known) = (part.report, known.report);
            let detail = format!("node {node} said {known:?} of job {id}, and {told:?} inside");
            found.add(Promise::Conservation, detail);
        }
    }
}
