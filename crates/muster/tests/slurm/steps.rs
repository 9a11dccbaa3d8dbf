//! `srun` and `salloc`: programs in the places of a job, and their streams.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};

use super::bench::Bench;
use super::patience::await_some;

/// One of Slurm's commands, to be started by hand.
fn command(bench: &Bench, words: &[&str]) -> Command {
    let folder = bench.cluster.folder();
    let mut command = Command::new(folder.join("bin").join(words[0]));
    command.args(&words[1..]).env("MUSTER_DATA", folder.join("data")).env_remove("MUSTER_SERVER");
    command.current_dir(folder);
    command
}

/// Waits for a file of the bench to have something in it.
fn written(bench: &Bench, name: &str) -> String {
    let path = bench.cluster.folder().join(name);
    let text = || std::fs::read_to_string(&path).ok();
    await_some(|| text().filter(|text| text.ends_with('\n')))
}

/// Runs a script to its end; what it wrote.
fn script(bench: &Bench, directives: &str, text: &str) -> String {
    let name = bench.script("job.sh", &format!("#!/bin/bash\n#SBATCH -o out {directives}\n{text}"));
    let path = format!("{}/bin:/usr/bin:/bin", bench.cluster.folder().display());
    let mut sbatch = command(bench, &["sbatch", "--wait", &name]);
    sbatch.env("PATH", path).output().expect("it starts");
    std::fs::read_to_string(bench.cluster.folder().join("out")).expect("the script wrote")
}

fn sorted(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    lines
}

#[test]
fn srun_alone_gets_a_job_shows_output_and_ends_like_the_worst_task() {
    let bench = Bench::start(1);
    let line = "echo out $SLURM_PROCID; echo bad >&2; exit $SLURM_PROCID";
    let said = bench.words(&["srun", "-l", "-n3", "sh", "-c", line]);
    assert_eq!(said.code, 2, "{said:?}");
    assert_eq!(sorted(&said.out), ["0: out 0", "1: out 1", "2: out 2"]);
    let errors = sorted(&said.err);
    assert!(errors.contains(&"srun: error: node-1: task 2: Exited with exit code 2"), "{said:?}");
    assert!(errors.contains(&"1: bad"), "{said:?}");
    bench.cluster.event(1, "job-failed");
}

#[test]
fn script_fans_out_by_the_geometry_of_its_job_and_steps_are_numbered() {
    let bench = Bench::start(1);
    let out = script(
        &bench,
        "-n3 --gres=gpu:2",
        "srun sh -c 'echo $SLURM_STEP_ID.$SLURM_PROCID/$SLURM_NTASKS [$CUDA_VISIBLE_DEVICES]'\n\
         srun -n1 sh -c 'echo $SLURM_STEP_ID.$SLURM_PROCID/$SLURM_NTASKS'\n\
         srun -n2 --gpus-per-task=1 sh -c 'echo own $CUDA_VISIBLE_DEVICES'\n",
    );
    let expected = ["0.0/3 [0,1]", "0.1/3 [0,1]", "0.2/3 [0,1]", "1.0/1", "own 0", "own 1"];
    assert_eq!(sorted(&out), expected);
    assert_eq!(
        bench.ok("sacct -nP -j 1 -o jobid,jobname,state,exitcode"),
        "1|job.sh|COMPLETED|0:0\n1.batch|batch|COMPLETED|0:0\n1.0|sh|COMPLETED|0:0\n\
         1.1|sh|COMPLETED|0:0\n1.2|sh|COMPLETED|0:0\n"
    );
}

#[test]
fn steps_run_beside_each_other_wait_for_each_other_and_fail_as_one_where_asked() {
    let bench = Bench::start(1);
    let out = script(
        &bench,
        "-n2",
        "srun --exact -n1 sh -c 'until [ -e two ]; do sleep 0.01; done; echo one' &\n\
         srun --exact -n1 sh -c 'touch two; echo two' &\n\
         wait\n\
         srun -n2 -K sh -c '[ $SLURM_PROCID = 0 ] || exit 4; exec sleep 600'\n\
         echo code $?\n",
    );
    assert!(out.contains("one\n") && out.contains("two\n"), "{out}");
    assert!(out.contains("srun: error: node-1: task 1: Exited with exit code 4"), "{out}");
    assert!(out.ends_with("code 143\n"), "{out}");
}

#[test]
fn standard_input_reaches_all_tasks_to_its_end_and_output_goes_into_files() {
    let bench = Bench::start(1);
    let mut srun = command(&bench, &["srun", "-n2", "-o", "copy-%t", "cat"]);
    let mut child = srun.stdin(Stdio::piped()).spawn().expect("it starts");
    let long = "a line that is typed\n".repeat(20_000);
    let mut input = child.stdin.take().expect("its input is ours");
    input.write_all(long.as_bytes()).expect("it reads");
    drop(input);
    assert!(child.wait().expect("it ends").success());
    for rank in 0..2 {
        let copy = std::fs::read_to_string(bench.cluster.folder().join(format!("copy-{rank}")));
        assert!(copy.is_ok_and(|copy| copy == long), "task {rank} missed something");
    }
    let said = bench.words(&["srun", "sh", "-c", "seq 100000"]);
    assert_eq!(said.out.lines().count(), 100_000, "output is lost");
}

#[test]
fn a_command_that_is_not_there_is_told() {
    let bench = Bench::start(1);
    let said = bench.run("srun /no/such/program");
    assert_eq!(said.code, 2, "{said:?}");
    assert!(said.err.contains("slurmstepd: error: cannot run `/no/such/program`"), "{said:?}");
    let said = bench.run("srun");
    assert_eq!((said.code, said.err.as_str()), (1, "srun: fatal: No command given to execute.\n"));
}

fn signal(child: &Child, signal: rustix::process::Signal) {
    let pid = rustix::process::Pid::from_child(child);
    rustix::process::kill_process(pid, signal).expect("it is there");
}

#[test]
fn signals_are_handed_on_and_a_srun_that_vanishes_takes_its_job_along() {
    let bench = Bench::start(1);
    let text = "trap 'echo heard >heard; exit 5' USR1; echo up >up; while :; do sleep 0.02; done";
    let mut child = command(&bench, &["srun", "sh", "-c", text]).spawn().expect("it starts");
    written(&bench, "up");
    signal(&child, rustix::process::Signal::USR1);
    assert_eq!(child.wait().expect("it ends").code(), Some(5));
    assert_eq!(written(&bench, "heard"), "heard\n");
    bench.cluster.event(1, "job-failed");
    let text = "echo up >there; exec sleep 600";
    let mut child = command(&bench, &["srun", "sh", "-c", text]).spawn().expect("it starts");
    written(&bench, "there");
    child.kill().expect("it is there");
    child.wait().expect("it ends");
    bench.cluster.event(2, "job-failed");
}

#[test]
fn two_interrupts_end_the_step() {
    let bench = Bench::start(1);
    let words = ["srun", "sh", "-c", "echo up >up; exec sleep 600"];
    let mut srun = command(&bench, &words);
    let mut child = srun.stderr(Stdio::piped()).spawn().expect("it starts");
    written(&bench, "up");
    let mut lines = BufReader::new(child.stderr.take().expect("it is ours")).lines();
    let mut heard = |words: &str| {
        signal(&child, rustix::process::Signal::INT);
        // Two that come too far apart are two first ones: then it is said again, and asked again.
        lines.by_ref().map_while(Result::ok).find(|line| line.contains(words)).expect("it says so")
    };
    heard("interrupt (one more within 1 sec to abort)");
    heard("Job step aborted");
    assert_eq!(child.wait().expect("it ends").code(), Some(128 + 15));
}

#[test]
fn a_program_has_a_terminal_where_one_is_asked_for() {
    let bench = Bench::start(1);
    let said = bench.words(&["srun", "--pty", "sh", "-c", "test -t 0 && test -t 1 && stty size"]);
    assert_eq!((said.code, said.out.as_str()), (0, "24 80\r\n"), "{said:?}");
}

#[test]
fn salloc_holds_an_allocation_while_a_command_runs() {
    let bench = Bench::start(1);
    let folder = bench.cluster.folder().join("bin");
    let line = format!(
        "echo $SLURM_JOB_ID $SLURM_NNODES; {}/srun -n2 echo step; exit 6",
        folder.display()
    );
    let said = bench.words(&["salloc", "-n2", "sh", "-c", &line]);
    assert_eq!((said.code, said.out.as_str()), (6, "1 1\nstep\nstep\n"), "{said:?}");
    assert!(said.err.contains("salloc: Granted job allocation 1\n"), "{said:?}");
    assert!(said.err.contains("salloc: Relinquishing job allocation 1\n"), "{said:?}");
    bench.cluster.event(1, "job-failed");
}

#[test]
fn a_step_is_started_in_a_job_from_outside_and_cancelled_by_its_number() {
    let bench = Bench::start(1);
    let job = bench.submit(&["--wrap", "sleep 600"]);
    bench.cluster.event(job, "job-running");
    let number = job.to_string();
    let words = ["srun", "--jobid", &number, "--overlap", "sh", "-c", "echo up >up; sleep 600"];
    let mut child = command(&bench, &words).spawn().expect("it starts");
    written(&bench, "up");
    let steps = bench.ok("squeue -h -s -o %i");
    assert_eq!(sorted(&steps), [format!("{job}.0"), format!("{job}.batch")]);
    bench.ok(&format!("scancel {job}.0"));
    assert_eq!(child.wait().expect("it ends").code(), Some(128 + 15));
    let state = bench.cluster.job(job)["job"]["state"].clone();
    assert_eq!(state, "running", "the job goes on without its step");
    let row = bench.ok(&format!("sacct -nP -j {job}.0 -o jobid,state,exitcode"));
    assert_eq!(row, format!("{job}.0|CANCELLED|0:15\n"));
    let said = bench.run("srun --jobid 999 true");
    assert_eq!(said.code, 1, "{said:?}");
}
