//! The model as JSON: what may be left out, what is refused, and that nothing is lost.

use muster_model::{
    ClusterSpec, DependencyKind, Isolation, JobId, JobSpec, Level, Mib, MilliCpu, MilliGpu, Millis,
    NodeSpec, QueueSpec, Quota, Requeue, Rung, Share, ShareSize, TaskCount, TaskShape, Time,
};

const LEAST_JOB: &str = r#"{
    "name": "train",
    "user": "user-a",
    "queue": "default",
    "class": "standard",
    "groups": [{"name": "main", "tasks": {"min": 4, "max": 4}, "task": {"gpus": 8}}]
}"#;

#[test]
fn a_job_says_little_and_the_rest_has_defaults() {
    let job: JobSpec = serde_json::from_str(LEAST_JOB).expect("a job");
    let expected = JobSpec::new("train", "user-a", "default").group(
        "main",
        TaskCount::exactly(4),
        TaskShape { gpus: 8, ..TaskShape::default() },
    );
    assert_eq!(job, expected);
    assert_eq!(job.requeue, Requeue { when_lost: true, when_failed: false, most: 16 });
    assert_eq!(job.validate(&ClusterSpec::default()), Ok(()));
}

#[test]
fn a_misspelt_field_is_refused_instead_of_ignored() {
    let misspelt = LEAST_JOB.replace("\"class\"", "\"klass\"");
    let error = serde_json::from_str::<JobSpec>(&misspelt).expect_err("no such field");
    assert!(error.to_string().starts_with("unknown field `klass`"), "{error}");
}

#[test]
fn a_job_with_everything_is_written_and_read_again() {
    let job = JobSpec::gang("train", 8, 8)
        .user("vision-1")
        .team("vision")
        .models(["H100", "A100"])
        .nvlink()
        .group(
            "serve",
            TaskCount { min: 1, max: 4 },
            TaskShape::share(Share {
                size: ShareSize::Memory(Mib::gib(20)),
                isolation: Isolation::None,
            }),
        )
        .require("rack")
        .prefer(Level::Node)
        .segment(2, Level::Node)
        .only_on("disk=fast,slow & !(spot | @node-1)".parse().expect("an expression"))
        .array([1, 2, 3])
        .throttle(2)
        .after(JobId(7), DependencyKind::AfterNotOk)
        .singleton()
        .limit(Millis::hours(12))
        .estimate(Millis::hours(1), Millis::hours(3))
        .begin(Time(1))
        .deadline(Time(2))
        .warning(10, Millis::minutes(5))
        .rung(Rung::Suspend, Millis(700), Millis(900))
        .weight(-1)
        .hold();
    let text = serde_json::to_string(&job).expect("plain data");
    assert_eq!(serde_json::from_str::<JobSpec>(&text).expect("what was written"), job);
}

#[test]
fn units_are_read_as_people_write_them_and_written_as_numbers() {
    for (text, read) in [("\"1h30m\"", 5_400_000), ("5400000", 5_400_000), ("\"2d\"", 172_800_000)]
    {
        let span: Millis = serde_json::from_str(text).expect(text);
        assert_eq!(span, Millis(read));
        assert_eq!(serde_json::to_string(&span).expect("plain data"), read.to_string());
    }
    assert_eq!(serde_json::from_str::<Mib>("\"64GiB\"").expect("memory"), Mib::gib(64));
    assert_eq!(serde_json::from_str::<MilliGpu>("\"0.5\"").expect("GPUs"), MilliGpu(500));
    assert_eq!(serde_json::from_str::<MilliCpu>("1500").expect("CPUs"), MilliCpu(1500));
    for bad in ["\"90\"", "\"soon\"", "-1", "1.5", "null", "[1]", "true"] {
        assert!(serde_json::from_str::<Millis>(bad).is_err(), "{bad}");
    }
}

#[test]
fn an_empty_configuration_is_the_default_one() {
    assert_eq!(
        serde_json::from_str::<ClusterSpec>("{}").expect("defaults"),
        ClusterSpec::default()
    );
}

#[test]
fn clusters_and_nodes_are_written_and_read_again() {
    let queue = QueueSpec::new("default").guarantee(Quota::of_gpus(8).model("H100", 4)).weight(3);
    let cluster = ClusterSpec::default().levels(["zone", "rack"]).queues([queue]);
    let text = serde_json::to_string(&cluster).expect("plain data");
    assert_eq!(serde_json::from_str::<ClusterSpec>(&text).expect("what was written"), cluster);
    let node = NodeSpec::new("node-1", "H100", 8).domains(["a", "b"]).label("disk", "fast");
    let text = serde_json::to_string(&node).expect("plain data");
    assert_eq!(serde_json::from_str::<NodeSpec>(&text).expect("what was written"), node);
}
