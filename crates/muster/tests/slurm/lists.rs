//! What the commands print, as Slurm 22.05 prints it.

use super::bench::Bench;

#[test]
fn queue_is_listed_in_slurms_columns() {
    let bench = Bench::start(1);
    let user = bench.ok("squeue --version");
    assert!(user.starts_with("slurm "), "{user}");
    let array = bench.submit(&["-J", "sweep", "--array=1-5%2", "--wrap", "sleep 600"]);
    bench.cluster.event(array + 1, "job-running");
    bench.cluster.event(array + 2, "job-running");
    let listed = bench.ok("squeue -o %.18i|%.9P|%.8j|%.2t|%.6D|%R");
    assert_eq!(
        listed,
        "             JOBID|PARTITION|    NAME|ST| NODES|NODELIST(REASON)\n         \
         1_[3-5%2]|  default|   sweep|PD|     1|(JobArrayTaskLimit)\n               \
         1_1|  default|   sweep| R|     1|node-1\n               \
         1_2|  default|   sweep| R|     1|node-1\n"
    );
    assert_eq!(bench.ok("squeue -h -s -o %i"), "1_1.batch\n1_2.batch\n");
    let head = bench.ok("squeue -j 1");
    let expected =
        "             JOBID PARTITION     NAME     USER ST       TIME  NODES NODELIST(REASON)";
    assert_eq!(head.lines().next(), Some(expected));
    let json: serde_json::Value = serde_json::from_str(&bench.ok("squeue --json")).expect("JSON");
    assert_eq!(json["jobs"].as_array().map(Vec::len), Some(3));
}

#[test]
fn nodes_and_partitions_are_listed() {
    let bench = Bench::start(2);
    assert_eq!(
        bench.ok("sinfo"),
        "PARTITION AVAIL  TIMELIMIT  NODES  STATE NODELIST\n\
         default*     up   infinite      2   idle node-[1-2]\n"
    );
    let job = bench.submit(&["--gres=gpu:8", "-w", "node-2", "--wrap", "sleep 600"]);
    bench.cluster.event(job, "job-running");
    bench.cluster.ok(&["node", "drain", "node-1"]);
    assert_eq!(
        bench.ok("sinfo -h -o %N|%t|%G"),
        "node-1|drain|gpu:h100:8\nnode-2|alloc|gpu:h100:8\n"
    );
    assert_eq!(bench.ok("sinfo -h -t alloc -o %N"), "node-2\n");
    let shown = bench.ok("scontrol show node node-2");
    assert!(shown.contains("State=ALLOCATED") && shown.contains("gres/gpu=8"), "{shown}");
    assert!(bench.ok("scontrol show partition default").contains("Nodes=node-[1-2]"));
}

#[test]
fn lists_of_nodes_need_no_cluster() {
    let bench = Bench::start(1);
    let folder = bench.cluster.folder();
    let run = |words: &[&str]| {
        let mut command = std::process::Command::new(folder.join("bin/scontrol"));
        command.args(words).env("MUSTER_DATA", folder.join("nowhere"));
        let output = command.env("SLURM_JOB_NODELIST", "a[1-2]").output().expect("it starts");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    assert_eq!(run(&["show", "hostnames", "n[08-10],x"]), "n08\nn09\nn10\nx\n");
    assert_eq!(run(&["show", "hostnames"]), "a1\na2\n");
    assert_eq!(run(&["show", "hostlist", "n1,n2,n4"]), "n[1-2,4]\n");
    assert_eq!(run(&["show", "hostlistsorted", "n10,n2,n2"]), "n[2,10]\n");
}

#[test]
fn mistakes_end_as_on_slurm() {
    let bench = Bench::start(1);
    let cases = [
        ("sbatch --bogus", 255, "sbatch: unrecognized option '--bogus'"),
        ("sbatch -p none --wrap=x", 1, "sbatch: error: invalid partition specified: none"),
        ("sbatch nothing-there", 1, "sbatch: error: Unable to open file nothing-there"),
        ("squeue -j 999", 1, "slurm_load_jobs error: Invalid job id specified"),
        ("squeue -t foo", 1, "squeue: error: Invalid job state specified: foo"),
        ("squeue -j abc", 1, "squeue: error: Invalid job id: abc"),
        ("scancel", 1, "scancel: error: No job identification provided"),
        ("scancel -s BOGUS 1", 1, "Unknown job signal: BOGUS"),
        ("scontrol bogus", 1, "invalid keyword: bogus"),
        ("scontrol hold 999", 1, "Invalid job id specified for job 999"),
        ("scontrol show job 999", 1, "slurm_load_jobs error: Invalid job id specified"),
        (
            "scontrol update JobId=1 Priority=0 NumNodes=5",
            1,
            "Update of this parameter is not supported: NumNodes=5",
        ),
        (
            "scontrol suspend 1",
            1,
            "scontrol: error: suspend is not supported: jobs are paused by the scheduler alone",
        ),
        ("sinfo -t bogus", 1, "sinfo: error: Bad state string: \"bogus\""),
    ];
    for (line, code, first) in cases {
        let said = bench.run(line);
        assert_eq!((said.code, said.err.lines().next()), (code, Some(first)), "{line}: {said:?}");
    }
}

#[test]
fn every_link_answers_by_its_name() {
    let bench = Bench::start(1);
    let names = ["sbatch", "squeue", "scancel", "sacct", "scontrol", "sinfo", "sprio", "sshare"];
    for name in names.into_iter().chain(["sacctmgr", "sreport"]) {
        assert!(bench.ok(&format!("{name} --version")).starts_with("slurm "), "{name}");
        let usage = bench.ok(&format!("{name} --help"));
        assert!(usage.starts_with(&format!("Usage: {name}")), "{usage}");
        let refused = bench.run(&format!("{name} --no-such-option"));
        let first = format!("{name}: unrecognized option '--no-such-option'");
        assert_eq!(refused.err.lines().next(), Some(first.as_str()), "{refused:?}");
        assert_ne!(refused.code, 0);
    }
}

#[test]
fn shares_classes_and_ranks_are_there_to_look_at() {
    let bench = Bench::start(1);
    bench.submit(&["-q", "batch", "--begin=now+1hour", "--wrap", "true"]);
    assert_eq!(
        bench.ok("sprio"),
        "          JOBID PARTITION   PRIORITY       SITE        QOS\n              \
         1 default          100          0        100\n"
    );
    assert_eq!(bench.ok("sshare -hP -o Account,RawShares,NormShares"), "default|1|1.000000\n");
    let qos = bench.ok("sacctmgr -nP show qos format=Name,Priority");
    assert!(qos.starts_with("normal|500\n") && qos.contains("express|800\n"), "{qos}");
    let refused = bench.run("sacctmgr add account x");
    assert_eq!(refused.code, 1);
    assert!(refused.err.contains("muster policy apply"), "{refused:?}");
}

#[test]
fn usage_is_reported_by_user_account_and_size() {
    let bench = Bench::start(1);
    let job = bench.submit(&["-c2", "--wrap", "sleep 1.1"]);
    bench.cluster.event(job, "job-completed");
    let since = "start=now-1hour end=now+1hour";
    let top = bench.ok(&format!("sreport -nP -t Seconds user top {since} format=Login,Used"));
    let used: u64 = top.trim().rsplit('|').next().and_then(|it| it.parse().ok()).expect("a sum");
    assert!(used >= 2 && used.is_multiple_of(2), "two CPUs for at least a second: {top}");
    let sizes = format!("sreport -nP -t Seconds job sizesbyaccount {since} format=0-49,1000");
    assert_eq!(bench.ok(&sizes), format!("{used}|0\n"));
    let whole = bench.ok(&format!("sreport -t Seconds cluster utilization {since}"));
    assert!(whole.contains("\nUsage reported in CPU Seconds\n"), "{whole}");
    assert!(whole.contains(" Allocate "), "{whole}");
    let refused = bench.run("sreport reservation utilization");
    assert_eq!(refused.code, 1);
    assert!(refused.err.contains("hint: known are `cluster utilization`"), "{refused:?}");
}
