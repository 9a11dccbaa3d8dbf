//! Jobs that follow from scripts and options, and what is refused.

use muster_api::slurm::{AccountView, PartitionView, QosView};
use muster_api::{Runs, SlurmView};
use muster_model::{Rung, Time};
use muster_slurm::options::Arguments;
use muster_slurm::request::Sources;
use muster_slurm::values::Clock;
use muster_slurm::{Command, Request};

use super::job::Submitted;
use super::{Script, Source, prepare};
use crate::cli::person::Person;
use crate::slurm::Stop;

fn slurm() -> SlurmView {
    let partition = |name: &str, is_default| PartitionView {
        name: name.to_owned(),
        queue: format!("queue-{name}"),
        is_default,
        nodes: vec!["node-1".to_owned()],
        ..PartitionView::default()
    };
    let short = PartitionView {
        time_default_ms: Some(600_000),
        time_max_ms: Some(3_600_000),
        require: Some("disk=fast".parse().expect("a good expression")),
        ..partition("short", false)
    };
    let account = AccountView {
        name: "vision".to_owned(),
        team: "team-v".to_owned(),
        queue: "queue-short".to_owned(),
        members: vec!["user-b".to_owned()],
    };
    let qos = |name: &str, class: &str| QosView {
        name: name.to_owned(),
        class: class.to_owned(),
        priority: 500,
    };
    SlurmView {
        cluster: "muster".to_owned(),
        partitions: vec![partition("main", true), short],
        qos: vec![qos("normal", "standard"), qos("high", "express")],
        accounts: vec![account],
        models: ["H100", "A100-40GB", "A100-80GB"].map(str::to_owned).into(),
        features: ["fast", "h100"].map(str::to_owned).into(),
        switch: None,
        block: None,
    }
}

fn person(name: &str) -> Person {
    let variables = [("PATH", "/bin"), ("SEED", "1"), ("MUSTER_TOKEN", "secret")];
    let variables = variables.map(|(name, value)| (name.to_owned(), value.to_owned()));
    Person {
        name: name.to_owned(),
        directory: "/somewhere".to_owned(),
        umask: Some(0o027),
        environment: variables.into(),
    }
}

fn prepared(user: &str, words: &str) -> Result<Submitted, Stop> {
    let words = words.split_whitespace().map(str::to_owned);
    let arguments = Arguments::read(Command::Sbatch, words).expect("good words");
    let person = person(user);
    let script = Script::find(&arguments, &person)?;
    let sources = Sources { arguments, environment: Vec::new(), script: script.directives()? };
    let reading = Request::read(Command::Sbatch, sources).expect("nothing to refuse");
    let clock = Clock { now: Time(1_000_000), offset_s: 0 };
    let line = "sbatch".to_owned();
    prepare(&reading, &slurm(), &Source { script: &script, person: &person, line, clock })
}

fn refused(user: &str, words: &str) -> String {
    prepared(user, words).err().map(|stop| stop.said).unwrap_or_default()
}

#[test]
fn plain_job_goes_to_the_usual_partition_with_everything_it_needs() {
    let made = prepared("user-a", "--wrap=hostname").expect("a good job").submission;
    let (spec, program) = (&made.spec, &made.program);
    assert_eq!((spec.name.as_str(), spec.queue.as_str()), ("wrap", "queue-main"));
    assert_eq!((spec.class.as_str(), spec.timing.limit), ("standard", None));
    assert_eq!(program.output.as_deref(), Some("slurm-%j.out"));
    assert_eq!(program.directory.as_deref(), Some("/somewhere"));
    assert_eq!((program.umask, program.runs), (Some(0o027), Runs::First));
    let script = program.script.as_deref().unwrap_or_default();
    assert!(script.starts_with("#!/bin/sh\n") && script.ends_with("hostname\n"), "{script}");
    let names: Vec<&str> = program.environment.keys().map(String::as_str).collect();
    assert_eq!(names, ["PATH", "SEED"], "all but the token");
    let asked = program.slurm.as_deref().expect("its words are kept");
    assert_eq!((asked.partition.as_str(), asked.qos.as_str()), ("main", "normal"));
    assert!(asked.words.contains(&"--job-name=wrap".to_owned()), "{:?}", asked.words);
    assert!(!asked.words.iter().any(|word| word.starts_with("--wrap")), "{:?}", asked.words);
}

#[test]
fn partition_brings_its_nodes_and_limits() {
    let made = prepared("user-a", "-p short --wrap=x").expect("a good job").submission;
    assert_eq!(made.spec.timing.limit, Some(muster_model::Millis::minutes(10)));
    let require = made.spec.constraint.require.as_ref().expect("the partition's nodes");
    assert_eq!(require.to_string(), "disk is fast");
    let both = prepared("user-a", "-p short -x node-1 --wrap=x").expect("a good job");
    let require = both.submission.spec.constraint.require.clone().expect("both wishes");
    assert!(require.to_string().contains("disk is fast"), "{require}");
    let late = refused("user-a", "-p short -t 2:00:00 --wrap=x");
    assert!(late.contains("Requested time limit is invalid"), "{late}");
}

#[test]
fn account_is_a_team_and_leads_to_its_queue() {
    let made = prepared("user-b", "--wrap=x").expect("a good job").submission;
    assert_eq!(made.spec.team.as_ref().map(|team| team.as_str()), Some("team-v"));
    assert_eq!(made.spec.queue.as_str(), "queue-short");
    let made = prepared("user-a", "-A vision -p main --wrap=x").expect("a good job").submission;
    assert_eq!(
        made.spec.queue.as_str(),
        "queue-short",
        "the usual partition has no queue of its own"
    );
    let asked = made.program.slurm.as_deref().expect("its words are kept");
    assert_eq!(asked.partition, "main");
    let made = prepared("user-b", "-p short --wrap=x").expect("a good job").submission;
    assert_eq!(made.spec.queue.as_str(), "queue-short", "a partition with a queue of its own");
}

#[test]
fn what_the_cluster_does_not_have_is_refused_in_slurms_words() {
    let cases = [
        ("-p none --wrap=x", "sbatch: error: invalid partition specified: none"),
        ("-q none --wrap=x", "Batch job submission failed: Invalid qos specification"),
        ("-A none --wrap=x", "Invalid account or account/partition combination specified"),
        ("-w node-9 --wrap=x", "Batch job submission failed: Invalid node name specified"),
        ("-C fast|slow --wrap=x", "submission failed: Invalid feature specification"),
        ("--wrap=x more", "Script arguments not permitted with --wrap option"),
        ("no-such-file", "Unable to open file no-such-file"),
    ];
    for (words, expected) in cases {
        let said = refused("user-a", words);
        assert!(said.contains(expected), "{words}: {said}");
    }
}

#[test]
fn signal_and_requeue_make_a_contract() {
    let rungs = |words: &str| {
        let made = prepared("user-a", words).expect("a good job").submission;
        let rungs: Vec<Rung> = made.spec.checkpoint.rungs.iter().map(|cost| cost.rung).collect();
        (rungs, made.program.save.clone())
    };
    assert_eq!(rungs("--wrap=x"), (vec![], None));
    assert_eq!(rungs("--signal=USR1@90 --wrap=x"), (vec![], None));
    assert_eq!(rungs("--requeue --wrap=x"), (vec![Rung::Requeue], None));
    let (both, save) = rungs("--requeue --signal=B:USR1@90 --wrap=x");
    assert_eq!(both, [Rung::Checkpoint, Rung::Requeue]);
    let save = save.expect("it is asked to save");
    assert_eq!((save.signal, save.within_ms), (10, 90_000));
    let cost = |words: &str| {
        let made = prepared("user-a", words).expect("a good job").submission;
        made.spec.checkpoint.rungs[0].save.0
    };
    assert_eq!(cost("--requeue --signal=USR1@90 --wrap=x"), 0, "it is waited for long enough");
    assert_eq!(cost("--requeue --signal=USR1@600 --wrap=x"), 150_000);
}

#[test]
fn environment_is_what_export_says() {
    let names = |words: &str| {
        let made = prepared("user-a", words).expect("a good job").submission;
        made.program.environment.keys().cloned().collect::<Vec<_>>()
    };
    assert_eq!(names("--export=NONE --wrap=x"), Vec::<String>::new());
    assert_eq!(names("--export=SEED,A=1 --wrap=x"), ["A", "SEED"]);
    assert_eq!(names("--export=ALL,A=1 --wrap=x"), ["A", "PATH", "SEED"]);
}

#[test]
fn types_of_gpus_are_found_in_any_case_and_by_their_beginning() {
    let models = |gres: &str| {
        let words = format!("--gres={gres} --wrap=x");
        let made = prepared("user-a", &words).expect("a good job").submission;
        let models = made.spec.groups[0].task.models.iter();
        models.map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(models("gpu:h100:1"), ["H100"]);
    assert_eq!(models("gpu:a100:1"), ["A100-40GB", "A100-80GB"]);
    assert_eq!(models("gpu:1"), Vec::<String>::new());
}
