//! The same arrivals through the engine: nodes join, every pod is submitted as a job of its own
//! and cancelled where it does not start at once, for a pod that is turned away never comes again.
//! What the engine gives away is put down on nodes of ours, which refuse what they do not have.

use std::collections::BTreeMap;

use muster_engine::Engine;
use muster_engine::action::{Action, TaskPlace};
use muster_engine::command::Command;
use muster_model::{JobSpec, Mib, MilliCpu, MilliGpu, NodeId, Share, TaskCount, TaskShape, Time};

use super::node::{Node, WHOLE};
use super::{Experiment, Pod};
use crate::error::SimError;

/// Fills nodes by the engine's default policy; `ranks` says which node is where in `nodes`.
pub(super) fn fill(
    experiment: &Experiment,
    order: &[usize],
    ranks: &[usize],
    nodes: &mut [Node],
) -> Result<(), SimError> {
    let cluster = experiment.declared.spec.clone();
    let mut engine = Engine::new(cluster).map_err(SimError::Configure)?;
    let mut numbers: BTreeMap<NodeId, usize> = BTreeMap::new();
    for (at, &rank) in ranks.iter().enumerate() {
        let spec = experiment.declared.nodes[rank].clone();
        for action in engine.step(NOW, Command::NodeJoined { spec, running: Vec::new() }) {
            if let Action::NodeAccepted { node, .. } = action {
                numbers.insert(node, at);
            }
        }
    }
    for &arrival in order {
        let pod = &experiment.pods[arrival];
        let spec = experiment.job_spec(arrival).into();
        let (mut accepted, mut started) = (None, false);
        for action in engine.step(NOW, Command::Submit { spec }) {
            match action {
                Action::Rejected { errors } => return Err(SimError::Configure(errors)),
                Action::Accepted { job, .. } => accepted = Some(job),
                Action::Launch { node, tasks, .. } => {
                    started = true;
                    put(&mut nodes[numbers[&node]], pod, &tasks);
                }
                _ => {}
            }
        }
        if let Some(job) = accepted.filter(|_| !started) {
            engine.step(NOW, Command::Cancel { job });
        }
    }
    Ok(())
}

/// Nothing ends, so that time does not matter.
const NOW: Time = Time(0);

fn put(node: &mut Node, pod: &Pod, tasks: &[TaskPlace]) {
    assert!(node.fits(pod), "the engine puts pods where there is room");
    let held = tasks.iter().flat_map(|task| task.gpus.iter());
    let gpus: Vec<usize> =
        held.map(|gpu| usize::try_from(gpu).expect("a node has a few GPUs")).collect();
    assert_eq!(gpus.len() as u64, u64::from(pod.gpus), "a pod gets as many GPUs as it asks for");
    node.take(pod, gpus);
}

impl Experiment {
    fn job_spec(&self, arrival: usize) -> JobSpec {
        let (pod, job) = (&self.pods[arrival], &self.jobs[arrival]);
        let is_share = pod.gpus == 1 && pod.milli < WHOLE;
        let task = TaskShape {
            gpus: if is_share { 0 } else { pod.gpus },
            share: is_share.then(|| Share::fraction(MilliGpu(u64::from(pod.milli)))),
            models: job.model_names(),
            cpus: MilliCpu(pod.cpus),
            memory: Mib(pod.memory),
            ..TaskShape::default()
        };
        JobSpec::new("pod", "user-a", "default").group("pod", TaskCount::exactly(1), task)
    }
}
