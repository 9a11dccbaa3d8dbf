//! What a job in Slurm's words is told: the variables that Slurm would have set.

use std::collections::BTreeMap;

use muster_api::SlurmRequest;
use muster_api::duty::RunWork;
use muster_api::step::StepDistribution;
use muster_engine::command::Running;
use muster_model::Name;
use muster_slurm::variables::{Element, Job, Node, Step, Task};
use muster_slurm::{Command, Request};

use super::Asked;
use super::account::Person;
use super::step::AskedStep;

/// The variables of a job's script; none for a job that is not in Slurm's words.
pub(super) fn script(asked: Asked<'_>) -> BTreeMap<String, String> {
    let Asked { of, run, person, .. } = asked;
    let slurm = run.program.slurm.as_deref();
    let told = slurm.map(|slurm| with_job((of, run, person), slurm, |job| job.script()));
    told.unwrap_or_default()
}

/// The variables of a task of a step, also of a job that is not in Slurm's words.
pub(super) fn step_task(asked: AskedStep<'_>) -> BTreeMap<String, String> {
    let AskedStep { of, run, duty, task, person, .. } = asked;
    let none = SlurmRequest::default();
    let layout = &duty.layout;
    let place = |name: &Name| run.gang.nodes.iter().position(|other| other == name);
    let nodes: Vec<(usize, u32)> = layout
        .nodes
        .iter()
        .zip(&layout.tasks)
        .filter_map(|(name, tasks)| Some((place(name)?, *tasks)))
        .collect();
    let address = duty.request.streams.listener.as_ref().map(|listener| listener.address.as_str());
    let launched_from = address.and_then(|address| {
        let (host, port) = address.rsplit_once(':')?;
        Some((host, port.parse().ok()?))
    });
    let together: Vec<u32> = duty.tasks.iter().map(|task| task.rank).collect();
    let step_gpus: Vec<u32> = layout.gpus.iter().collect();
    let own = usize::try_from(run.gang.node_rank).ok().and_then(|rank| run.gang.shares.get(rank));
    let each = duty.tasks.iter().map(|task| task.cpus_milli).max().unwrap_or_default();
    let exactly = each.saturating_mul(u64::try_from(together.len()).unwrap_or(1)).div_ceil(1000);
    // A step that does not say how much it takes has all that its job has on the node.
    let whole = own.filter(|_| !duty.request.exact).map(|share| share.cpus);
    let cpus = whole.unwrap_or_else(|| u32::try_from(exactly).unwrap_or(u32::MAX));
    let all: u32 = layout.tasks.iter().sum();
    // As many nodes as tasks leave nothing to choose, and Slurm has its own word for that.
    let is_one_each = usize::try_from(all).is_ok_and(|all| all <= layout.nodes.len());
    let step = Step {
        id: duty.step,
        nodes: &nodes,
        distribution: match duty.request.distribution {
            StepDistribution::Block if !is_one_each => "block",
            StepDistribution::Block => "cyclic",
            StepDistribution::Cyclic => "cyclic",
            StepDistribution::Plane(_) => "plane",
            StepDistribution::Arbitrary(_) => "arbitrary",
        },
        launched_from,
        umask: duty.request.umask.or(run.program.umask).unwrap_or(super::UMASK),
    };
    let task = Task {
        rank: task.rank,
        local: task.local_rank,
        node: usize::try_from(layout.node_rank).unwrap_or_default(),
        together: &together,
        cpus,
        step_gpus: &step_gpus,
    };
    let slurm = run.program.slurm.as_deref();
    with_job((of, run, person), slurm.unwrap_or(&none), |job| {
        let mut told = if slurm.is_some() { job.allocation() } else { BTreeMap::new() };
        told.extend(job.task(&step, &task));
        told
    })
}

/// Asks something about a job as Slurm would see it.
fn with_job<T>(
    (of, run, person): (Running, &RunWork, &Person),
    slurm: &SlurmRequest,
    ask: impl FnOnce(&Job<'_>) -> T,
) -> T {
    // They were read when the job was submitted, by a release that may have known more.
    let reading = Request::from_words(Command::Sbatch, slurm.words.clone()).ok();
    let request = reading.map(|reading| reading.request).unwrap_or_default();
    let gang = &run.gang;
    let shares = gang.shares.iter().map(Some).chain(std::iter::repeat(None));
    let nodes: Vec<Node> = gang
        .nodes
        .iter()
        .zip(shares)
        .map(|(name, share)| Node {
            name: name.to_string(),
            cpus: share.map_or(0, |share| share.cpus),
            gpus: share.map_or(Vec::new(), |share| share.gpus.iter().collect()),
        })
        .collect();
    let start_s = gang.launched_ms.map(|ms| ms / 1000);
    let limit_s = gang.limit_ms.map(|ms| ms / 1000);
    let (user, name) = (gang.user.to_string(), gang.name.to_string());
    ask(&Job {
        id: of.job.0,
        element: element(run, &request),
        name: request.identity.job_name.as_deref().unwrap_or(&name),
        user: &user,
        ids: Some(person.ids.as_ref().map_or_else(own, |ids| (ids.uid, ids.gid))),
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
    })
}

/// Tasks that run as the agent have its numbers.
fn own() -> (u32, u32) {
    (rustix::process::getuid().as_raw(), rustix::process::getgid().as_raw())
}

fn element(run: &RunWork, request: &Request) -> Option<Element> {
    let element = run.gang.element?;
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
