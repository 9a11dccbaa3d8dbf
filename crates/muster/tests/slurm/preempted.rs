//! An unmodified script gives way to an urgent job: it is signalled, saves, waits, and goes on.

use super::bench::Bench;
use super::patience::await_some;

const SCRIPT: &str = "\
#!/bin/bash
#SBATCH --job-name=train --qos=preemptible --gres=gpu:8
#SBATCH --signal=B:USR1@60 --requeue
#SBATCH --open-mode=append --output=train.out
trap 'echo saved | tee state; exit 0' USR1
echo \"start ${SLURM_RESTART_COUNT:-0}\"
if [ -e state ]; then echo \"resumed from $(cat state)\"; exit 0; fi
touch up
while :; do sleep 0.02; done
";

#[test]
fn script_that_is_preempted_saves_waits_and_goes_on_and_the_reports_say_why() {
    let bench = Bench::start(1);
    let folder = bench.cluster.folder().to_owned();
    let there = |name: &str| folder.join(name).exists().then_some(());
    bench.script("train.sh", SCRIPT);
    let train = bench.submit(&["train.sh"]);
    await_some(|| there("up"));
    let line = "until [ -e enough ]; do sleep 0.02; done";
    let urgent = bench.submit(&["-q", "express", "--gres=gpu:8", "--wrap", line]);
    bench.cluster.event(urgent, "job-running");

    // While it waits: the word in the queue, the whole story where there is room for it.
    let queue = bench.ok(&format!("squeue -h -j {train} -o %t|%r|%R"));
    assert_eq!(queue, "PD|Preempted|(Preempted)\n");
    let by = format!("preempted by job {urgent}: ");
    let shown = bench.ok(&format!("scontrol show job {train}"));
    assert!(shown.contains(&format!("AdminComment={by}")), "{shown}");
    assert!(shown.contains("JobState=PENDING Reason=Preempted"), "{shown}");
    let why = bench.cluster.ok(&["why", &train.to_string()]);
    assert!(why.contains(&format!("job {urgent}")) && why.contains("cost"), "{why}");

    std::fs::write(folder.join("enough"), "").expect("the folder is ours");
    bench.cluster.event(train, "job-completed");
    let written = std::fs::read_to_string(folder.join("train.out")).expect("its output");
    assert_eq!(written, "start 0\nsaved\nstart 1\nresumed from saved\n");
    let rows = |words: &str| bench.ok(&format!("sacct -nXP -j {train} {words}"));
    assert_eq!(rows("-o state,exitcode"), "COMPLETED|0:0\n");
    assert_eq!(rows("-D -o state,nodelist"), "PREEMPTED|node-1\nCOMPLETED|node-1\n");
    let comment = rows("-o comment");
    assert!(comment.starts_with(&by) && comment.contains("GPU"), "{comment}");
    let shown = bench.ok(&format!("scontrol show job {train}"));
    assert!(shown.contains(" Restarts=1 "), "{shown}");
}

#[test]
fn script_that_cannot_save_is_told_in_its_output_that_it_gives_way() {
    let bench = Bench::start(1);
    let folder = bench.cluster.folder().to_owned();
    let text = "\
#!/bin/bash
#SBATCH --qos=preemptible --gres=gpu:8 --requeue --open-mode=append --output=train.out
[ -e up ] && exit 0
touch up
while :; do sleep 0.02; done
";
    bench.script("train.sh", text);
    let train = bench.submit(&["train.sh"]);
    await_some(|| folder.join("up").exists().then_some(()));
    bench.submit(&["-q", "express", "--gres=gpu:8", "--wrap", "true"]);
    bench.cluster.event(train, "job-completed");
    let written = std::fs::read_to_string(folder.join("train.out")).expect("its output");
    let said: Vec<&str> = written.lines().filter(|line| line.contains("slurmstepd")).collect();
    let begin = format!("slurmstepd: error: *** JOB {train} ON node-1 CANCELLED AT 2");
    let [line] = said[..] else { panic!("it is said once: {written}") };
    assert!(line.starts_with(&begin) && line.ends_with(" DUE TO PREEMPTION ***"), "{line}");
}
