//! What tasks are given.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use muster_api::duty::{Element, Gang, NodeShare, Rendezvous, RunWork};
use muster_api::{Program, Secret, SlurmRequest, TaskDuty};
use muster_engine::action::TaskPlace;
use muster_engine::command::Running;
use muster_model::{Attempt, GpuSet, JobId, Name, QueueName};

use super::account::Person;
use super::cluster::Cluster;
use super::{Asked, Ground, compose};
use crate::launch::{Refused, TaskFile};

fn ground() -> Ground {
    Ground {
        node: "node-1".to_owned(),
        gpus: ["GPU-aa", "GPU-bb", "GPU-cc"].map(str::to_owned).to_vec(),
        lease: PathBuf::from("/state/lease"),
        runtimes: Vec::new(),
        open_files: None,
        checkpoints: Some(PathBuf::from("/shared/checkpoints")),
        cluster: Cluster { server: "https://muster.example:7070".to_owned(), authority: None },
        program: None,
    }
}

fn work(tasks: u32, program: Program) -> RunWork {
    let gang = Gang {
        name: Name::from("train"),
        user: Name::from("user-a"),
        queue: QueueName::from("vision"),
        element: None,
        tasks,
        nodes: vec![Name::from("node-1")],
        node_rank: 3,
        rendezvous: Some(Rendezvous { address: "node-0".to_owned(), port: 29_500 }),
        shares: Vec::new(),
        launched_ms: None,
        restarts: 0,
        limit_ms: None,
    };
    let program = Arc::new(program);
    RunWork {
        tasks: Vec::new(),
        gang,
        program,
        resize: None,
        pause: None,
        signal: None,
        steps: Vec::new(),
        token: None,
    }
}

fn task(run: &RunWork, rank: u32) -> Result<TaskFile, Refused> {
    let gpus = GpuSet::one(0).or(GpuSet::one(2));
    let place = TaskPlace { group: 0, rank, gpus, share: None };
    let duty = TaskDuty { place, rank, local_rank: 1, cpus_milli: 0, memory_mib: 0 };
    let person = Person {
        name: "user-a".to_owned(),
        home: PathBuf::from("/homes/a"),
        shell: "/bin/bash".to_owned(),
        ids: None,
    };
    let asked = Asked {
        of: Running { job: JobId(12), attempt: Attempt(2) },
        run,
        duty: &duty,
        together: &[rank],
        is_growth: false,
        folder: Path::new("/state/tasks/12.2.0/run"),
        person: &person,
    };
    compose(&ground(), asked)
}

fn plain() -> Program {
    Program { command: vec!["train".to_owned(), "--fast".to_owned()], ..Program::default() }
}

#[test]
fn a_task_knows_its_job_its_gpus_and_where_to_say_that_it_saved() {
    let mut program = plain();
    program.environment.insert("LANG".to_owned(), "de".to_owned());
    program.environment.insert("MUSTER_JOB_ID".to_owned(), "1".to_owned());
    let mut run = work(1, program);
    run.gang.element = Some(Element { array: JobId(10), index: 2 });
    let task = task(&run, 0).unwrap();
    let value = |name: &str| task.environment.get(name).map(String::as_str);
    assert_eq!(value("MUSTER_JOB_ID"), Some("12"), "a job cannot lie about its number");
    assert_eq!(value("MUSTER_ARRAY_ID").zip(value("MUSTER_ARRAY_INDEX")), Some(("10", "2")));
    assert_eq!(value("CUDA_VISIBLE_DEVICES"), Some("GPU-aa,GPU-cc"));
    assert_eq!(value("MUSTER_SAVED_FILE"), Some("/state/tasks/12.2.0/run/saved"));
    assert_eq!(value("MUSTER_CHECKPOINT_DIR"), Some("/shared/checkpoints/12"));
    assert_eq!((value("HOME"), value("LANG")), (Some("/homes/a"), Some("de")));
    assert_eq!(task.directory, Path::new("/homes/a"));
    for name in ["MASTER_ADDR", "MASTER_PORT", "RANK", "WORLD_SIZE", "LOCAL_RANK", "NODE_RANK"] {
        assert_eq!(value(name), None, "{name} is for gangs of several tasks");
    }
}

#[test]
fn a_task_is_told_how_its_programs_reach_the_cluster() {
    let mut program = plain();
    let travelled = [("MUSTER_SERVER", "https://elsewhere"), ("MUSTER_CA", "/people/ca.pem")];
    let travelled = travelled.map(|(name, value)| (name.to_owned(), value.to_owned()));
    program.environment.extend(travelled);
    let value = |run: &RunWork, name: &str| task(run, 0).unwrap().environment.get(name).cloned();
    let mut run = work(1, program);
    assert_eq!(value(&run, "MUSTER_SERVER").as_deref(), Some("https://elsewhere"));
    run.token = Some(Secret::new("muster_job_12.2.00"));
    assert_eq!(value(&run, "MUSTER_SERVER").as_deref(), Some("https://muster.example:7070"));
    assert_eq!(value(&run, "MUSTER_CA"), None, "it is of another machine");
    assert_eq!(value(&run, "MUSTER_JOB_USER").as_deref(), Some("user-a"));
    let file = "/state/tasks/12.2.0/run/credentials.toml";
    assert_eq!(value(&run, "MUSTER_JOB_CREDENTIALS").as_deref(), Some(file));
    let own = ("MUSTER_TOKEN".to_owned(), "its own".to_owned());
    Arc::make_mut(&mut run.program).environment.extend([own]);
    assert_eq!(value(&run, "MUSTER_SERVER").as_deref(), Some("https://elsewhere"));
    assert_eq!(value(&run, "MUSTER_JOB_CREDENTIALS"), None, "what it brings is meant");
}

#[test]
fn what_programs_show_is_a_file_of_their_own() {
    let (token, folder) = (Secret::new("muster_job_12.2.00"), Path::new("/run"));
    let server = "https://muster.example:7070".to_owned();
    let files = |authority: Option<&str>| {
        let authority = authority.map(str::to_owned);
        Cluster { server: server.clone(), authority }.files(&token, folder)
    };
    let plain = files(None);
    assert_eq!(plain.len(), 1);
    let credentials = muster_client::Credentials::parse(&plain[0].1).expect("it can be read");
    let known = credentials.of(&server).expect("the server is known");
    assert_eq!((known.token.reveal(), &known.ca), (token.reveal(), &None));
    let secured = files(Some("a certificate"));
    assert_eq!(secured[0], (PathBuf::from("/run/ca.pem"), "a certificate".to_owned()));
    assert!(secured[1].1.contains("ca = \"/run/ca.pem\""), "{}", secured[1].1);
}

#[test]
fn a_task_of_a_gang_knows_its_ranks_and_where_to_meet() {
    let task = task(&work(4, plain()), 2).unwrap();
    let value = |name: &str| task.environment[name].as_str();
    assert_eq!((value("RANK"), value("WORLD_SIZE")), ("2", "4"));
    assert_eq!((value("LOCAL_RANK"), value("NODE_RANK")), ("1", "3"));
    assert_eq!((value("MASTER_ADDR"), value("MASTER_PORT")), ("node-0", "29500"));
}

#[test]
fn a_script_runs_as_it_says_itself_or_by_the_shell() {
    let command = |text: &str| {
        let script = Some(text.to_owned());
        task(&work(1, Program { script, ..plain() }), 0).unwrap().command
    };
    let path = "/state/tasks/12.2.0/run/script";
    assert_eq!(command("#!/bin/bash\ntrue"), [path, "train", "--fast"]);
    assert_eq!(command("true"), ["/bin/sh", path, "train", "--fast"]);
    assert_eq!(task(&work(1, plain()), 0).unwrap().command, ["train", "--fast"]);
    let refused = task(&work(1, Program::default()), 0).unwrap_err();
    assert!(refused.detail.contains("neither a command nor a script"), "{refused:?}");
}

#[test]
fn output_is_emptied_only_by_who_has_it_alone_and_first() {
    let appends = |output: &str, tasks, rank, restarts| {
        let program = Program { output: Some(output.to_owned()), ..plain() };
        let mut run = work(tasks, program);
        run.gang.restarts = restarts;
        let task = task(&run, rank).unwrap();
        (task.output.unwrap().display().to_string(), task.append)
    };
    assert_eq!(appends("%j.out", 1, 0, 0), ("/homes/a/12.out".to_owned(), false));
    assert_eq!(appends("%j.%t", 2, 1, 0), ("/homes/a/12.1".to_owned(), false));
    assert_eq!(appends("/data/%j.out", 2, 1, 0), ("/data/12.out".to_owned(), true));
    assert_eq!(appends("%j.out", 1, 0, 1), ("/homes/a/12.out".to_owned(), true));
}

#[test]
fn a_job_in_slurms_words_is_told_what_slurm_would_tell_it() {
    let slurm = SlurmRequest {
        words: ["--nodes=2", "--ntasks-per-node=1", "--array=2-6:2"].map(str::to_owned).to_vec(),
        partition: "main".to_owned(),
        directory: "/homes/a/run".to_owned(),
        ..SlurmRequest::default()
    };
    let mut run = work(1, Program { slurm: Some(Box::new(slurm)), ..plain() });
    run.gang.nodes = vec![Name::from("node-1"), Name::from("node-2")];
    run.gang.shares = vec![NodeShare { cpus: 4, gpus: GpuSet::first(2) }; 2];
    run.gang.element = Some(Element { array: JobId(11), index: 6 });
    (run.gang.launched_ms, run.gang.limit_ms) = (Some(50_000), Some(10_000));
    let environment = task(&run, 0).unwrap().environment;
    let expected = [
        ("SLURM_JOB_ID", "12"),
        ("SLURM_ARRAY_JOB_ID", "11"),
        ("SLURM_ARRAY_TASK_ID", "6"),
        ("SLURM_ARRAY_TASK_STEP", "2"),
        ("SLURM_JOB_NODELIST", "node-[1-2]"),
        ("SLURM_JOB_CPUS_PER_NODE", "4(x2)"),
        ("SLURM_NTASKS", "2"),
        ("SLURM_GPUS_ON_NODE", "2"),
        ("SLURM_SUBMIT_DIR", "/homes/a/run"),
        ("SLURM_JOB_END_TIME", "60"),
    ];
    for (name, value) in expected {
        assert_eq!(environment.get(name).map(String::as_str), Some(value), "{name}");
    }
    assert!(!environment.contains_key("SLURM_CPUS_PER_TASK"), "it was not asked for");
    let plain = task(&work(1, plain()), 0).unwrap().environment;
    assert!(!plain.keys().any(|name| name.starts_with("SLURM_")), "{plain:?}");
}
