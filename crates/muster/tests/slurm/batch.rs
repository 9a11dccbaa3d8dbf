//! What becomes of scripts.

use super::bench::Bench;

#[test]
fn script_runs_where_it_was_submitted_with_its_arguments_and_environment() {
    let bench = Bench::start(1);
    let script = bench.script(
        "train.sh",
        "#!/bin/bash\n#SBATCH --job-name=train\n#SBATCH --time=5\necho \"$1 $TZ $PWD\"\nexit 3\n",
    );
    let said = bench.run(&format!("sbatch {script} epoch-1"));
    assert_eq!((said.code, said.out.as_str()), (0, "Submitted batch job 1\n"), "{said:?}");
    bench.cluster.event(1, "job-failed");
    let folder = bench.cluster.folder().canonicalize().expect("it is there");
    let written = std::fs::read_to_string(folder.join("slurm-1.out")).expect("the usual output");
    assert_eq!(written, format!("epoch-1 UTC {}\n", folder.display()));
    assert_eq!(
        bench.ok("sacct -nP -j 1 -o jobid,jobname,state,exitcode,timelimit,nodelist"),
        "1|train|FAILED|3:0|00:05:00|node-1\n1.batch|batch|FAILED|3:0||node-1\n"
    );
    assert_eq!(bench.ok("sacct -nXP -j 1 -o state,user,workdir").split('|').count(), 3);
}

#[test]
fn sbatch_waits_for_the_end_and_ends_alike() {
    let bench = Bench::start(1);
    let said = bench.words(&["sbatch", "--wait", "--wrap", "exit 7"]);
    assert_eq!((said.code, said.out.as_str()), (7, "Submitted batch job 1\n"), "{said:?}");
    let said = bench.words(&["sbatch", "-QW", "--wrap", "true", "--array=0-2"]);
    assert_eq!((said.code, said.out.as_str()), (0, ""), "{said:?}");
}

#[test]
fn scripts_come_from_standard_input_too() {
    use std::io::Write;
    use std::process::{Command, Stdio};

    let bench = Bench::start(1);
    let folder = bench.cluster.folder();
    let mut child = Command::new(folder.join("bin/sbatch"))
        .env("MUSTER_DATA", folder.join("data"))
        .env_remove("MUSTER_SERVER")
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the link leads to the binary");
    let mut input = child.stdin.take().expect("its input is ours");
    input.write_all(b"#!/bin/sh\n#SBATCH -o in.txt\necho hello\n").expect("it reads");
    drop(input);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "Submitted batch job 1\n");
    bench.cluster.event(1, "job-completed");
    let written = std::fs::read_to_string(folder.join("in.txt"));
    assert_eq!(written.expect("where the directive says"), "hello\n");
}

#[test]
fn elements_are_cancelled_one_by_one_and_all_at_once() {
    let bench = Bench::start(1);
    let array = bench.submit(&["--array=1-4%1", "--wrap", "sleep 600"]);
    assert_eq!(bench.ok(&format!("scancel {array}_[3-4]")), "");
    let lines = bench.ok("squeue -h -r -o %i");
    let mut labels: Vec<&str> = lines.lines().collect();
    labels.sort_unstable();
    assert_eq!(labels, [format!("{array}_1"), format!("{array}_2")]);
    let element = array + 1;
    bench.cluster.event(element, "job-running");
    assert_eq!(bench.ok(&format!("scancel {array}")), "");
    bench.cluster.event(element, "job-cancelled");
    let states = bench.ok(&format!("sacct -nXP -j {array} -o jobid,state"));
    assert_eq!(states.lines().count(), 4, "{states}");
    assert!(states.lines().all(|line| line.contains("|CANCELLED by ")), "{states}");
    let said = bench.run("scancel 999");
    assert_eq!((said.code, said.out, said.err), (0, String::new(), String::new()));
}

#[test]
fn jobs_that_wait_say_why_in_slurms_words() {
    let bench = Bench::start(1);
    let first = bench.submit(&["--gres=gpu:h100:8", "--wrap", "sleep 600"]);
    bench.cluster.event(first, "job-running");
    let cases = [
        (bench.submit(&["-H", "--wrap", "true"]), "JobHeldUser"),
        (bench.submit(&["--begin=now+1hour", "--wrap", "true"]), "BeginTime"),
        (bench.submit(&["-d", &format!("afterok:{first}"), "--wrap", "true"]), "Dependency"),
        (bench.submit(&["--gpus=1", "--wrap", "true"]), "Resources"),
    ];
    for (job, reason) in cases {
        assert_eq!(bench.ok(&format!("squeue -h -j {job} -o %r")), format!("{reason}\n"));
    }
    let held = cases[0].0;
    assert_eq!(bench.ok(&format!("scontrol release {held}")), "");
    bench.cluster.event(held, "job-completed");
    bench.ok("scancel -t PENDING --me");
    assert_eq!(bench.ok("squeue -h -o %i"), format!("{first}\n"));
}

#[test]
fn requeued_job_starts_again_with_its_number() {
    let bench = Bench::start(1);
    let job = bench.submit(&["--requeue", "--wrap", "sleep 600"]);
    bench.cluster.event(job, "job-running");
    bench.ok(&format!("scontrol requeue {job}"));
    bench.cluster.event(job, "attempt 2");
    let shown = bench.ok(&format!("scontrol -o show job {job}"));
    assert!(
        shown.starts_with(&format!("JobId={job} ")) && shown.contains(" Restarts=1 "),
        "{shown}"
    );
}
