//! Job files: what is read, and how mistakes are told.

use muster_model::{Dependency, DependencyKind, JobId, MilliCpu, Millis, Rung, TaskCount};

use super::{Format, JobFile, read_indexes};

fn read(text: &str) -> JobFile {
    JobFile::read(text, Format::Yaml).expect("the text is a job file")
}

#[test]
fn notations_mean_the_same() {
    let yaml = read("gpus: H100x2\ncommand: [a, b]\ntime: 4h\n");
    let toml = "gpus = \"H100x2\"\ncommand = [\"a\", \"b\"]\ntime = \"4h\"\n";
    let json = r#"{"gpus": "H100x2", "command": ["a", "b"], "time": "4h"}"#;
    assert_eq!(JobFile::read(toml, Format::Toml).ok(), Some(yaml.clone()));
    assert_eq!(JobFile::read(json, Format::Json).ok(), Some(yaml));
}

#[test]
fn line_of_a_shell_is_left_to_the_shell() {
    let job = read("command: echo $HOME | wc\n").into_job("user-a").expect("a job");
    assert_eq!(job.program.command, ["/bin/sh", "-c", "echo $HOME | wc"]);
    assert_eq!(job.spec.name.as_str(), "sh");
}

#[test]
fn task_that_asks_for_nothing_gets_a_cpu() {
    let cpus = |text: &str| {
        let job = read(text).into_job("user-a").expect("a job");
        job.spec.groups[0].task.cpus
    };
    assert_eq!(cpus("command: [a]\n"), MilliCpu::whole(1));
    assert_eq!(cpus("command: [a]\ngpus: 0.5\n"), MilliCpu::ZERO);
    assert_eq!(cpus("command: [a]\nexclusive: true\n"), MilliCpu::ZERO);
}

#[test]
fn every_mistake_is_told_at_once() {
    let file = read("gpus: -1\ntime: soon\nafter: behind:3\nwarning: BANG@1m\n");
    let errors = file.into_job("user-a").expect_err("nothing in it is right");
    let fields: Vec<_> = errors.iter().map(|error| error.field.as_str()).collect();
    assert_eq!(fields, ["command", "gpus", "time", "warning", "after"]);
}

#[test]
fn unknown_key_is_refused_with_its_line() {
    let error = JobFile::read("command: [a]\ngpu: 8\n", Format::Yaml).expect_err("no such key");
    let said = error.to_string();
    assert!(said.contains("gpu") && said.contains('2'), "{said}");
}

#[test]
fn document_that_unfolds_without_end_is_refused() {
    let mut bomb = "a: &a [x,x,x,x,x,x,x,x,x]\n".to_owned();
    for (one, next) in ('a'..'j').zip('b'..'k') {
        bomb += &format!("{next}: &{next} [*{one},*{one},*{one},*{one},*{one},*{one},*{one}]\n");
    }
    assert!(JobFile::read(&bomb, Format::Yaml).is_err());
    let deep = format!("env: {}{}", "[".repeat(100_000), "]".repeat(100_000));
    assert!(JobFile::read(&deep, Format::Yaml).is_err());
    assert!(JobFile::read(&deep, Format::Json).is_err());
}

#[test]
fn groups_stand_instead_of_tasks_not_beside_them() {
    let text = "command: [a]\ngpus: 1\ngroups: [{name: learner, gpus: 8}, {name: actor, tasks: 4}]";
    let errors = read(text).into_job("user-a").expect_err("gpus and groups");
    assert_eq!(errors[0].field, "groups");
}

#[test]
fn elastic_checkpointing_job_says_all_it_says() {
    let text = "command: [a]\ntasks: 2..8\ngpus: 1\nafter: [afterok:7, singleton]\n\
                checkpoint: {signal: USR1, save: 2m, every: 30m}\n";
    let job = read(text).into_job("user-a").expect("a job");
    assert_eq!(job.spec.groups[0].tasks, TaskCount { min: 2, max: 8 });
    let seven = Dependency::on(JobId(7), DependencyKind::AfterOk);
    assert_eq!(job.spec.after, [seven, Dependency::Singleton]);
    assert_eq!(job.spec.checkpoint.rungs[0].rung, Rung::Checkpoint);
    assert_eq!(job.spec.checkpoint.rungs[0].restore, Millis::minutes(2));
    let save = job.program.save.as_ref().expect("it can be asked to save");
    assert_eq!((save.signal, save.within_ms), (10, 360_000));
}

#[test]
fn arrays_are_spans_with_steps_and_a_throttle() {
    let array = read_indexes("0-9:3,4,4%2").expect("an array");
    assert_eq!((array.indexes.as_slice(), array.throttle), ([0, 3, 4, 6, 9].as_slice(), Some(2)));
    for bad in ["", "9-0", "a", "0-9:0", "0-4294967295", "1%x"] {
        assert!(read_indexes(bad).is_err(), "{bad}");
    }
}
