//! The same arrivals through the engine: nodes join, every pod is submitted as a job of its own
//! and cancelled where it does not start at once, for a pod that is turned away never comes again.
//! What the engine gives away is put down on nodes of ours, which refuse what they do not have.

use std::collections::BTreeMap;

use muster_engine::Engine;
use muster_engine::action::{Action, TaskPlace};
use muster_engine::command::Command;
use muster_model::{
    JobSpec, Mib, MilliCpu, MilliGpu, NodeId, Share, ShareSize, TaskCount, TaskShape, Time,
};

use super::node::{Node, WHOLE};
use super::{Experiment, Pod};
use crate::error::SimError;

/// Fills nodes by the engine's default policy; `ranks` says which node is where in `nodes`.
pub(super) fn fill(
    experiment: &Experiment,
    order: &[usize],
    ranks: &[usize],
    nodes: &mut [Node],
    with_fillers: bool,
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
    let mut submit = |spec: JobSpec, pod: &Pod| -> Result<bool, SimError> {
        let (mut accepted, mut started) = (None, false);
        for action in engine.step(NOW, Command::Submit { spec: spec.into() }) {
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
        Ok(started)
    };
    for &arrival in order {
        submit(experiment.job_spec(arrival), &experiment.pods[arrival])?;
    }
    if with_fillers {
        let (spec, pod) = filler();
        // Ends because each that starts takes at least a twentieth of a GPU.
        while submit(spec.clone(), &pod)? {}
    }
    Ok(())
}

/// A job that takes as much of a GPU as there is and gives way at once.
fn filler() -> (JobSpec, Pod) {
    let least = MilliGpu(50);
    let share = Share {
        size: ShareSize::Fraction { least, most: MilliGpu(u64::from(WHOLE)) },
        ..Share::fraction(least)
    };
    let (cpus, memory) = (MilliCpu(1_000), Mib::gib(1));
    let task = TaskShape { share: Some(share), cpus, memory, ..TaskShape::default() };
    let spec = JobSpec::new("filler", "user-a", "default").class("preemptible");
    let spec = spec.group("filler", TaskCount::exactly(1), task);
    let pod = Pod { kind: 0, cpus: cpus.0, memory: memory.0, gpus: 1, milli: 50, models: u64::MAX };
    (spec, pod)
}

/// Nothing ends, so that time does not matter.
const NOW: Time = Time(0);

fn put(node: &mut Node, pod: &Pod, tasks: &[TaskPlace]) {
    // What was asked for as a range is as large as there was room for.
    let milli = tasks.first().and_then(|task| task.share).map(|share| share.milli.0);
    let milli = milli.map_or(pod.milli, |milli| u32::try_from(milli).expect("part of a GPU"));
    let pod = &Pod { milli, ..pod.clone() };
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
