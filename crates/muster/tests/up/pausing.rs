//! A job gives way to another: it is asked to save, goes on later, and what that took is learned.

use super::cluster::Cluster;
use super::patience::await_some;

/// Saves when it is asked to, says when it has read its state again, and runs until it is told.
const JOB: &str = "\
name: train
class: preemptible
gpus: 8
checkpoint: {signal: USR1}
script: |
  #!/bin/sh
  trap 'touch state \"$MUSTER_SAVED_FILE\"; exit 0' USR1
  [ -e state ] && echo 50% > \"$MUSTER_PROGRESS_FILE\"
  while [ ! -e enough ]; do sleep 0.02; done
";

#[test]
fn what_pausing_takes_is_learned_and_given_to_the_next_job_of_its_kind() {
    let mut cluster = Cluster::start(1);
    let folder = cluster.folder().to_owned();
    let file = folder.join("train.yaml");
    let directory = folder.display();
    std::fs::write(&file, format!("{JOB}directory: {directory}\n")).expect("the folder is ours");
    let file = file.to_str().expect("the path is text").to_owned();
    let cost = |cluster: &Cluster, job| cluster.job(job)["spec"]["checkpoint"]["rungs"][0].clone();

    let first = cluster.submit(&[&file]);
    cluster.event(first, "job-running");
    assert_eq!(cost(&cluster, first)["save"], 0, "nothing is known yet");
    let urgent = cluster.submit(&["--class", "express", "--gpus", "8", "--", "true"]);
    cluster.event(urgent, "job-completed");
    cluster.event(first, "attempt 2");
    // It has been heard that it computes again once a job of its kind is told what that takes.
    let learned = await_some(|| {
        let next = cluster.submit(&["--hold", &file]);
        let learned = cost(&cluster, next);
        (learned["restore"].as_u64() > Some(0)).then_some(learned)
    });
    assert!(learned["save"].as_u64() > Some(0), "{learned}");
    std::fs::write(folder.join("enough"), "").expect("the folder is ours");
    cluster.event(first, "job-completed");

    cluster.down();
    cluster.up();
    let next = cluster.submit(&["--hold", &file]);
    assert_eq!(cost(&cluster, next), learned, "it outlives the server");
}
