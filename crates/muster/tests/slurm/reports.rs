//! What the reports say of steps, while they run and after.

use super::bench::Bench;

/// The usual path with the links first.
fn path(bench: &Bench) -> String {
    format!("{}/bin:/usr/bin:/bin", bench.cluster.folder().display())
}

#[test]
fn steps_are_listed_while_they_run_and_accounted_for_afterwards() {
    let bench = Bench::start(1);
    bench.script(
        "steps.sh",
        "#!/bin/bash\n#SBATCH -n2 --gres=gpu:2\n\
         srun -n2 -J first true\n\
         srun -n1 sh -c 'exit 3'\n\
         srun -n2 sh -c 'echo $SLURM_PROCID >up-$SLURM_PROCID; exec sleep 600'\n\
         exit 4\n",
    );
    let job = bench.submit(&[&format!("--export=ALL,PATH={}", path(&bench)), "steps.sh"]);
    let up = |rank: u32| bench.cluster.folder().join(format!("up-{rank}"));
    super::patience::await_some(|| (up(0).exists() && up(1).exists()).then_some(()));
    assert_eq!(
        bench.ok("squeue -h -s -o %i|%j|%A|%N"),
        format!("{job}.batch|batch|1|node-1\n{job}.2|sh|2|node-1\n")
    );
    assert_eq!(bench.ok(&format!("squeue -h -s {job}.2 -o %i")), format!("{job}.2\n"));
    let shown = bench.ok(&format!("scontrol -o show step {job}.2"));
    assert!(shown.starts_with(&format!("StepId={job}.2 ")), "{shown}");
    assert!(shown.contains(" State=RUNNING ") && shown.contains(" Tasks=2 Name=sh "), "{shown}");
    assert_eq!(bench.ok("scontrol show step").matches("StepId=").count(), 2);
    assert_eq!(bench.run(&format!("scontrol show step {job}.7")).code, 1);
    bench.ok(&format!("scancel {job}.2"));
    bench.cluster.event(job, "job-failed");
    let columns = "jobid,jobname,ntasks,allocnodes,state,exitcode,nodelist";
    let expected = format!(
        "{job}|steps.sh||1|FAILED|4:0|node-1\n\
         {job}.batch|batch|1|1|FAILED|4:0|node-1\n\
         {job}.0|first|2|1|COMPLETED|0:0|node-1\n\
         {job}.1|sh|1|1|FAILED|3:0|node-1\n\
         {job}.2|sh|2|1|CANCELLED|0:15|node-1\n"
    );
    assert_eq!(bench.ok(&format!("sacct -nP -j {job} -o {columns}")), expected);
    let one = bench.ok(&format!("sacct -nP -j {job}.1 -o jobid,exitcode"));
    assert_eq!(one, format!("{job}.1|3:0\n"));
    assert_eq!(bench.ok(&format!("sacct -nXP -j {job} -o jobid")), format!("{job}\n"));
}

#[test]
fn memory_and_processor_time_of_scripts_and_steps_are_accounted_for() {
    let bench = Bench::start(1);
    // `tail` keeps all of what has no end of line; the loop keeps a processor busy for a while.
    bench.script(
        "large.sh",
        "#!/bin/bash\n\
         srun -n1 sh -c 'head -c 200M /dev/zero | tail -n 1 >/dev/null'\n\
         for i in $(seq 20000); do :; done\n",
    );
    let job = bench.submit(&[&format!("--export=ALL,PATH={}", path(&bench)), "large.sh"]);
    bench.cluster.event(job, "job-completed");
    let columns = "jobid,maxrss,maxrsstask,maxrssnode,averss,totalcpu";
    let rows = bench.ok(&format!("sacct -nP -j {job} -o {columns}"));
    let rows: Vec<Vec<&str>> = rows.lines().map(|line| line.split('|').collect()).collect();
    let [whole, script, step] = &rows[..] else { panic!("{rows:?}") };
    assert_eq!(whole[1..5], ["", "", "", ""], "a whole job has no peak of its own");
    assert_eq!((step[2], step[3], step[4]), ("0", "node-1", step[1]));
    let kib = |text: &str| {
        let (number, unit) = text.split_at(text.len() - 1);
        let number: u64 = number.parse().expect("a number before the unit");
        number * if unit == "M" { 1024 } else { 1 }
    };
    assert!(kib(step[1]) >= 200 * 1024, "{rows:?}");
    assert!(kib(script[1]) > 0 && kib(script[1]) < kib(step[1]), "{rows:?}");
    assert!([whole, script, step].iter().all(|row| row[5] != "00:00:00"), "{rows:?}");
}
