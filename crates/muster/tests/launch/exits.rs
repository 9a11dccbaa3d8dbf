//! How tasks start and end by themselves.

use muster_agent::launch::Word;
use muster_engine::command::{Exit, Refusal};

use super::bench::Bench;
use crate::patience::await_some;

#[test]
fn the_exit_code_of_a_task_is_noted() {
    let bench = Bench::new();
    assert_eq!(bench.run("exit 0").0, Exit::Code(0));
    assert_eq!(bench.run("exit 42").0, Exit::Code(42));
}

#[test]
fn the_signal_that_ended_a_task_is_noted() {
    let bench = Bench::new();
    assert_eq!(bench.run("kill -USR1 $$").0, Exit::Signal(10));
    assert_eq!(bench.run("kill -KILL $$").0, Exit::Signal(9));
}

#[test]
fn output_and_errors_are_kept_together_unless_files_are_named() {
    let bench = Bench::new();
    let (exit, output) = bench.run("echo out; echo err >&2");
    assert_eq!((exit, output.as_str()), (Exit::Code(0), "out\nerr\n"));
    let mut task = bench.task("cat; echo err >&2");
    task.output = Some(bench.path("out"));
    task.error = Some(bench.path("err"));
    task.input = Some(bench.path("in"));
    std::fs::write(bench.path("in"), "in\n").unwrap();
    std::fs::write(bench.path("out"), "old\n").unwrap();
    assert_eq!(bench.launch(&task).exit(), Exit::Code(0));
    let read = |name: &str| std::fs::read_to_string(bench.path(name)).unwrap();
    assert_eq!((read("out").as_str(), read("err").as_str()), ("in\n", "err\n"));
    task.append = true;
    assert_eq!(bench.launch(&task).exit(), Exit::Code(0));
    assert_eq!(read("out"), "in\nin\n");
}

#[test]
fn a_task_has_the_environment_the_folder_and_the_mask_it_was_given_and_no_others() {
    let bench = Bench::new();
    let mut task =
        bench.task("pwd; umask; env | sort; readlink /proc/self/fd/* | grep -c task.json");
    task.umask = 0o027;
    task.environment.insert("MUSTER_JOB_ID".to_owned(), "7".to_owned());
    let mut launched = bench.launch(&task);
    assert_eq!(launched.exit(), Exit::Code(1), "nothing of the launcher's is found");
    let folder = task.directory.canonicalize().unwrap();
    let folder = folder.display();
    let expected =
        format!("{folder}\n0027\nMUSTER_JOB_ID=7\nPATH=/usr/bin:/bin\nPWD={folder}\n0\n");
    assert_eq!(launched.output(), expected);
}

#[test]
fn a_task_that_cannot_start_is_refused_with_whose_fault_it_is() {
    let bench = Bench::new();
    let refusal = |task: &muster_agent::launch::TaskFile| match bench.launch(task).word {
        Some(Word::Refused(refused)) => (refused.refusal, refused.detail),
        other => panic!("it cannot have started: {other:?}"),
    };
    let mut task = bench.task("true");
    task.directory = bench.path("nowhere");
    let (whose, detail) = refusal(&task);
    assert_eq!(whose, Refusal::Job("no-such-folder".into()));
    assert!(detail.contains("nowhere"), "{detail}");
    let mut task = bench.task("true");
    task.command = vec!["no-such-program".to_owned()];
    assert_eq!(refusal(&task).0, Refusal::Job("no-such-command".into()));
    let mut task = bench.task("true");
    task.output = Some(bench.path("nowhere/out"));
    assert_eq!(refusal(&task).0, Refusal::Job("no-such-file".into()));
    bench.lease.set(1).unwrap();
    assert_eq!(refusal(&bench.task("true")).0, Refusal::Node("lease-ended".into()));
}

#[test]
fn a_task_runs_as_its_user_where_the_launcher_may_choose() {
    if !rustix_is_root() {
        return;
    }
    let bench = Bench::new();
    let mut task = bench.task("id -u; id -g; id -G; cat /etc/shadow >/dev/null 2>&1 || echo none");
    task.directory = "/".into();
    let (uid, gid, groups) = (65_533, 65_532, vec![65_531, 65_532]);
    task.user = Some(muster_agent::launch::task_file::UserIds { uid, gid, groups });
    let mut launched = bench.launch(&task);
    assert_eq!(launched.word, Some(Word::Started));
    assert_eq!(launched.exit(), Exit::Code(0));
    assert_eq!(launched.output(), "65533\n65532\n65532 65531\nnone\n");
}

fn rustix_is_root() -> bool {
    std::os::unix::fs::MetadataExt::uid(&std::fs::metadata("/proc/self").unwrap()) == 0
}

#[test]
fn a_task_leads_its_own_group_and_hears_signals_to_it() {
    let bench = Bench::new();
    let ready = bench.path("ready");
    let script =
        format!("trap 'exit 3' USR2; echo $$ >{}; while :; do sleep 0.01; done", ready.display());
    let mut launched = bench.launch(&bench.task(&script));
    await_some(|| std::fs::metadata(&ready).ok().filter(|it| it.len() > 0));
    assert!(launched.child().signal_group(12));
    assert_eq!(launched.exit(), Exit::Code(3));
}
