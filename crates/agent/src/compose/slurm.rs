//! What a job in Slurm's words is told: the variables that Slurm would have set.

use std::collections::BTreeMap;

use muster_api::SlurmRequest;
use muster_slurm::variables::{Element, Job, Node};
use muster_slurm::{Command, Request};

use super::Asked;

/// The variables of a job's script; none for a job that is not in Slurm's words.
pub(super) fn script(asked: Asked<'_>) -> BTreeMap<String, String> {
    with_job(asked, |job| job.script()).unwrap_or_default()
}

/// Asks something about the job of a task as Slurm would see it.
pub(crate) fn with_job<T>(asked: Asked<'_>, ask: impl FnOnce(&Job<'_>) -> T) -> Option<T> {
    let Asked { of, run, person, .. } = asked;
    let slurm: &SlurmRequest = run.program.slurm.as_deref()?;
    // They were read when the job was submitted, by a release that may have known more.
    let reading = Request::from_words(Command::Sbatch, slurm.words.clone()).ok();
    let request = reading.map(|reading| reading.request).unwrap_or_default();
    let gang = &run.gang;
    let shares = gang.nodes.iter().zip(&gang.shares);
    let nodes: Vec<Node> = shares
        .map(|(name, share)| Node {
            name: name.to_string(),
            cpus: share.cpus,
            gpus: share.gpus.iter().collect(),
        })
        .collect();
    let start_s = gang.launched_ms.map(|ms| ms / 1000);
    let limit_s = gang.limit_ms.map(|ms| ms / 1000);
    let (user, name) = (gang.user.to_string(), gang.name.to_string());
    Some(ask(&Job {
        id: of.job.0,
        element: element(asked, &request),
        name: request.identity.job_name.as_deref().unwrap_or(&name),
        user: &user,
        ids: person.ids.as_ref().map(|ids| (ids.uid, ids.gid)),
        partition: &slurm.partition,
        account: &slurm.account,
        qos: &slurm.qos,
        cluster: &slurm.cluster,
        submitted_in: &slurm.directory,
        submitted_on: &slurm.host,
        nodes: &nodes,
        restarts: gang.restarts,
        start_s,
        end_s: start_s.zip(limit_s).map(|(start, limit)| start + limit),
        request: &request,
    }))
}

fn element(asked: Asked<'_>, request: &Request) -> Option<Element> {
    let element = asked.run.gang.element?;
    let indexes = &request.when.array.as_ref()?.indexes;
    let (first, last) = (*indexes.first()?, *indexes.last()?);
    let step = indexes.windows(2).map(|pair| pair[1] - pair[0]).min().unwrap_or(1);
    Some(Element {
        array: element.array.0,
        index: element.index,
        count: u32::try_from(indexes.len()).unwrap_or(u32::MAX),
        min: first,
        max: last,
        step,
    })
}
