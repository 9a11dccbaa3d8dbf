//! `--test-only`: when and where a job would start, in Slurm's words.

use muster_model::Time;
use muster_slurm::values::Hostlist;
use muster_slurm::words::time;

use super::job::Submitted;
use super::refused;
use crate::slurm::session::Session;
use crate::slurm::{Ended, Stop};

/// Says what would become of a job, and submits nothing.
pub(in crate::slurm) async fn foretell(session: &Session, submitted: &Submitted) -> Ended {
    let name = session.command;
    let foreseen = session.client.foresee(&submitted.submission).await;
    let foreseen = foreseen.map_err(|error| failure(refused(session, error)))?;
    let (cpus, partition) = (submitted.cpus(), submitted.partition());
    let Some(starts) = foreseen.starts else {
        eprintln!("{name}: Job would be accepted in partition {partition}; no start is foreseen");
        foreseen.text.lines().for_each(|line| eprintln!("{name}: hint: {line}"));
        return Ok(0);
    };
    // Slurm has no smaller unit, and a start is never told too early.
    let starts = time::stamp(Time(starts.0.0.next_multiple_of(1000)), session.clock.offset_s);
    let nodes = Hostlist::new(foreseen.nodes);
    eprintln!(
        "{name}: Job {} to start at {starts} using {cpus} processors on nodes {nodes} in partition \
         {partition}",
        foreseen.job
    );
    Ok(0)
}

/// What is wrong, as Slurm says it of a job that is only asked about.
pub(super) fn failure(mut stop: Stop) -> Stop {
    let submitted = "sbatch: error: Batch job submission failed";
    stop.said = stop.said.replace(submitted, "allocation failure");
    stop
}
