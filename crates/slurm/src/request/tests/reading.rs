//! Where options come from, which of them counts, and what is said about the rest.

use super::{read, refusal, request, sbatch};
use crate::command::Command;
use crate::options::{self, Kind, Takes};
use crate::request::{MemoryRequest, Note, Request};
use crate::values::{Memory, TimeLimit};
use muster_model::Mib;

#[test]
fn the_command_line_overrules_the_environment_and_that_the_script() {
    let script = "#SBATCH --time=1 --nodes=1 --requeue\n#SBATCH --job-name=a\n";
    let variables = [("SBATCH_TIMELIMIT", "2"), ("SBATCH_NO_REQUEUE", ""), ("SBATCH_QOS", "high")];
    let request = read(Command::Sbatch, "--time=3", &variables, script).expect("good").request;
    assert_eq!(request.when.limit, Some(TimeLimit::Minutes(3)));
    assert_eq!(request.run.requeue, Some(false));
    assert_eq!(request.identity.job_name.as_deref(), Some("a"));
    assert_eq!(request.identity.qos.as_deref(), Some("high"));
    let request = read(Command::Sbatch, "", &variables, script).expect("good").request;
    assert_eq!(request.when.limit, Some(TimeLimit::Minutes(2)));
}

#[test]
fn the_later_of_two_equal_options_counts() {
    assert_eq!(request("--time=5 --time=6").when.limit, Some(TimeLimit::Minutes(6)));
    assert_eq!(request("--requeue --no-requeue").run.requeue, Some(false));
}

#[test]
fn memory_is_asked_for_in_one_way_only() {
    let one = "--mem and --mem-per-cpu do not go together: memory is counted in one way only";
    assert!(refusal("--mem=1G --mem-per-cpu=2G").contains(one));
    let script = "#SBATCH --mem=4G\n";
    let both = read(Command::Sbatch, "--mem-per-cpu=2G", &[], script).expect_err("two ways");
    assert!(both[0].starts_with("command line: --mem and --mem-per-cpu"), "{both:?}");
    let variables = [("SBATCH_MEM_PER_CPU", "1G")];
    let request = read(Command::Sbatch, "", &variables, script).expect("good").request;
    let four = Memory::Mib(Mib::gib(4));
    assert_eq!(request.size.memory, Some(MemoryRequest::PerNode(four)));
}

#[test]
fn options_without_effect_are_kept_and_told() {
    let reading = sbatch("--wckey=x --nice --wckey=y -s").expect("good");
    let told: Vec<String> = reading.notes.iter().map(ToString::to_string).collect();
    assert_eq!(told.len(), 4);
    assert_eq!(told[0], "command line: --wckey has no effect: it is kept with the job");
    let kept: Vec<_> = reading.request.recorded.iter().map(|it| it.option.as_str()).collect();
    assert_eq!(kept, ["nice", "wckey", "oversubscribe"]);
}

#[test]
fn options_that_cannot_be_met_are_refused_with_what_to_do() {
    assert_eq!(
        refusal("--contiguous --tmp=10G"),
        "command line: --contiguous is not supported\nhint: use --switches to keep a job \
         together\ncommand line: --tmp is not supported\nhint: name nodes with enough disk with \
         --constraint"
    );
    for words in ["--exclusive=user", "--gres=shard:2", "--gres=nvme:1", "--nodelist=./hosts"] {
        assert!(refusal(words).contains("is not supported\nhint: "), "{words}");
    }
}

#[test]
fn errors_name_the_option_and_the_place() {
    let refused = read(Command::Sbatch, "", &[("SBATCH_TIMELIMIT", "x")], "#SBATCH -N 0\n");
    let refused = refused.expect_err("two mistakes");
    assert!(refused[0].starts_with("line 2: --nodes: `0` is not allowed; expected a number"));
    assert!(refused[1].starts_with("SBATCH_TIMELIMIT: --time: `x` is not allowed; expected min"));
}

#[test]
fn lines_of_other_systems_are_refused_unless_they_are_to_be_passed_over() {
    let script = "#PBS -l nodes=2\n#SBATCH -N 1\n";
    let refused = read(Command::Sbatch, "", &[], script).expect_err("a line of PBS");
    assert!(refused[0].starts_with("line 2: #PBS is not supported\nhint: "), "{refused:?}");
    let reading = read(Command::Sbatch, "--ignore-pbs", &[], script).expect("good");
    assert!(matches!(reading.notes[..], [Note::Ignored(_)]));
}

#[test]
fn lines_behind_the_first_command_are_told() {
    let reading = read(Command::Sbatch, "", &[], "echo\n#SBATCH -n 3\n").expect("good");
    assert_eq!(
        reading.notes[0].to_string(),
        "line 3: `#SBATCH -n 3` has no effect: it stands behind the first command"
    );
    assert_eq!(reading.request.size.tasks, None);
}

#[test]
fn the_same_word_means_what_the_command_means_by_it() {
    assert!(request("-W").client.wait);
    let srun = read(Command::Srun, "-W 30 -K -I -l -u --pty", &[], "").expect("good").request;
    assert_eq!((srun.step.wait_s, srun.step.kill_on_bad_exit), (Some(30), Some(true)));
    assert_eq!(srun.when.immediate_s, Some(1));
    assert!(srun.step.label && srun.step.unbuffered && srun.step.pty);
}

#[test]
fn a_step_inherits_the_size_of_its_job_without_being_judged_by_it() {
    let variables = [
        ("SLURM_JOB_ID", "12"),
        ("SLURM_NTASKS", "8"),
        ("SLURM_NTASKS_PER_NODE", "4"),
        ("SLURM_JOB_NUM_NODES", "2"),
    ];
    let step = read(Command::Srun, "-N1", &variables, "").expect("good").request;
    assert_eq!((step.step.job, step.size.tasks), (Some(12), Some(8)));
    let contradiction = read(Command::Srun, "-N1", &variables[1..], "");
    assert!(contradiction.expect_err("8 > 4")[0].contains("8 tasks are more than 4"));
}

/// A value that an option of the table accepts.
pub(super) fn example(name: &str) -> &'static str {
    match name {
        "array" | "nodes" | "ntasks" | "gpus" | "segment" | "switches" | "relative" | "jobid" => {
            "1"
        }
        "begin" | "deadline" => "now+1hour",
        "dependency" => "singleton",
        "distribution" => "block",
        "export" => "ALL",
        "gpu-bind" | "cpu-bind" | "mem-bind" => "none",
        "gres" => "gpu:1",
        "hint" => "nomultithread",
        "kill-on-invalid-dep" => "yes",
        "mail-type" => "END",
        "open-mode" => "append",
        "signal" => "USR1@60",
        "tres-per-task" => "cpu=2",
        "container-mounts" => "/data",
        _ => "1",
    }
}

#[test]
fn every_option_that_is_understood_changes_the_request() {
    for command in Command::ALL {
        for row in options::of(command) {
            if !matches!(row.kind, Kind::Placement | Kind::Behaviour) {
                continue;
            }
            let mut words = match row.takes {
                Takes::Value => vec![format!("--{}={}", row.name, example(row.name))],
                Takes::Nothing | Takes::MaybeValue => vec![format!("--{}", row.name)],
            };
            // Some options need others to make sense.
            match row.name {
                "gpus-per-socket" => words.push("--sockets-per-node=2".to_owned()),
                "sockets-per-node" => words.push("--gpus-per-socket=1".to_owned()),
                "mem-per-gpu" => words.push("--gpus=1".to_owned()),
                name if name.contains("container-") => {
                    words.push("--container-image=i".to_owned());
                }
                _ => {}
            }
            let reading = Request::from_words(command, words.clone())
                .unwrap_or_else(|refused| panic!("{words:?}: {refused:?}"));
            let empty = Request { command, ..Request::default() };
            assert_ne!(reading.request, empty, "{command} --{}", row.name);
            assert!(reading.notes.is_empty(), "{command} --{}", row.name);
        }
    }
}
