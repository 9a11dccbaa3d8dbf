//! Commands inside a job whose user has nothing to show: no home, no token, no folder of the
//! server. The job itself is enough, until it ends.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::bench::Bench;
use super::cluster::{Cluster, Said, said};
use super::patience::await_some;
use super::podman::{IMAGE, Podman};

/// Submits a script whose environment leads to no cluster; its number.
fn submit(bench: &Bench, name: &str, text: &str) -> u64 {
    let folder = bench.cluster.folder();
    let script = bench.script(name, &format!("#!/bin/sh\n#SBATCH -n2 -o {name}.out\n{text}"));
    let path = format!("PATH={}/bin:/usr/bin:/bin", folder.display());
    let nowhere = format!("HOME={}", folder.join("no-home").display());
    bench.submit(&[&format!("--export={path},{nowhere}"), &script])
}

/// What a script wrote.
fn written(bench: &Bench, name: &str) -> String {
    let path = bench.cluster.folder().join(format!("{name}.out"));
    std::fs::read_to_string(path).expect("it wrote something")
}

/// The file that the first task of a job was given.
fn credentials(bench: &Bench, job: u64) -> Option<PathBuf> {
    let tasks = bench.cluster.folder().join("data/nodes/node-1/tasks");
    let file = tasks.join(format!("{job}.1.0")).join("run/credentials.toml");
    file.exists().then_some(file)
}

/// A command by someone who has a token and nothing else.
fn with(bench: &Bench, token: &str, url: &str, words: &[&str]) -> Said {
    let mut command = Command::new(env!("CARGO_BIN_EXE_muster"));
    command.args(words).env_clear().env("MUSTER_TOKEN", token).env("MUSTER_SERVER", url);
    said(command.current_dir(bench.cluster.folder()).output().expect("it starts"))
}

#[test]
fn job_whose_user_has_no_home_asks_its_cluster_by_what_it_was_given() {
    let bench = Bench::start(1);
    let text = "srun -n2 sh -c 'echo task $SLURM_PROCID; squeue -h -o %i'\n\
                squeue -h -o 'mine %i' --me\n\
                sbatch --parsable --wrap true\n";
    let job = submit(&bench, "asks", text);
    bench.cluster.event(job, "job-completed");
    let out = written(&bench, "asks");
    let mut lines: Vec<&str> = out.lines().collect();
    lines.sort_unstable();
    assert_eq!(lines, ["1", "1", "2", "mine 1", "task 0", "task 1"], "{out}");
    bench.cluster.event(2, "job-completed");
}

/// All that the server has written, but for what nodes keep.
fn kept_by_the_server(data: &Path) -> Vec<u8> {
    let files = std::fs::read_dir(data).expect("it is there").map(|file| file.expect("it is ours"));
    let files = files.filter(|file| file.file_type().is_ok_and(|kind| kind.is_file()));
    files.flat_map(|file| std::fs::read(file.path()).expect("it is ours")).collect()
}

#[test]
fn token_of_a_job_changes_nothing_of_others_and_ends_with_the_job() {
    let bench = Bench::start(1);
    let mut as_other = bench.cluster.command(&["submit", "--", "sleep", "600"]);
    as_other.env("MUSTER_JOB_CREDENTIALS", "none").env("MUSTER_JOB_USER", "user-b");
    let other = said(as_other.output().expect("it starts")).out.trim().to_owned();
    let job = submit(&bench, "waits", "until [ -e end ]; do sleep 0.02; done\n");
    bench.cluster.event(job, "job-running");
    let file = await_some(|| credentials(&bench, job));
    let mode = std::fs::metadata(&file).expect("it is there").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let text = std::fs::read_to_string(&file).expect("it is ours");
    let quoted = |start: &str| text.split('"').find(|part| part.starts_with(start));
    let (token, url) = quoted("muster_job_").zip(quoted("http://")).expect("they are in it");
    let with = |token: &str, words: &[&str]| with(&bench, token, url, words);

    assert_eq!(with(token, &["jobs"]).code, 0);
    for forbidden in [&["cancel", &other][..], &["node", "drain", "node-1"], &["token", "list"]] {
        let said = with(token, forbidden);
        assert_eq!(said.code, 1, "{forbidden:?}: {said:?}");
        assert!(said.err.contains("is user, which does not allow this"), "{said:?}");
    }
    assert_eq!(bench.cluster.job(other.parse().expect("a number"))["job"]["state"], "running");
    let tampered = token.replacen(&format!("_{job}."), &format!("_{other}."), 1);
    let ended = "this token is good in its job while that runs";
    let refused = with(&tampered, &["jobs"]);
    assert!(refused.code == 1 && refused.err.contains(ended), "{refused:?}");
    let kept = kept_by_the_server(&bench.cluster.folder().join("data"));
    assert!(kept.windows(5).any(|part| part == b"waits"), "the journal is among it");
    assert!(!kept.windows(11).any(|part| part == b"muster_job_"), "it is written nowhere");

    std::fs::write(bench.cluster.folder().join("end"), "").expect("the folder is ours");
    bench.cluster.event(job, "job-completed");
    let refused = with(token, &["jobs"]);
    assert!(refused.code == 1 && refused.err.contains(ended), "{refused:?}");
}

#[test]
fn commands_work_in_a_container_that_has_nothing_of_its_user() {
    let Some(podman) = Podman::find().filter(|_| Podman::runs_ours()) else {
        eprintln!("not tried: no container can be run on this machine");
        return;
    };
    let bench = Bench::of(Cluster::with_path(1, Some(podman.folder())));
    let text = "squeue -h -o 'mine %i' --me\n\
                srun -n1 sh -c 'echo step $SLURM_STEP_ID'\n\
                sbatch --parsable --wrap true\n";
    let script = bench.script("job.sh", &format!("#!/bin/sh\n#SBATCH -o job.out\n{text}"));
    let job = bench.submit(&["--container-image", IMAGE, "--export=HOME=/nowhere", &script]);
    bench.cluster.event(job, "job-completed");
    assert_eq!(written(&bench, "job"), "mine 1\nstep 0\n2\n");
}
