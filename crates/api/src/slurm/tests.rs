//! What is filled in, and what is refused.

use muster_model::{ClusterSpec, Name, NodeSpec, QueueName, QueueSpec, Team};

use super::{AccountSettings, PartitionSettings, QosSettings, SlurmSettings};

fn cluster() -> ClusterSpec {
    let team = Team {
        name: Name::from("vision"),
        queue: QueueName::from("research/vision"),
        members: vec![Name::from("user-a")],
    };
    ClusterSpec {
        levels: vec![Name::from("rack")],
        queues: ["research", "research/vision", "default"].map(QueueSpec::new).into(),
        teams: vec![team],
        ..ClusterSpec::default()
    }
}

fn nodes() -> [NodeSpec; 2] {
    [NodeSpec::new("node-1", "H100", 8).label("disk", "fast"), NodeSpec::new("node-2", "H100", 8)]
}

#[test]
fn without_settings_queues_are_partitions_classes_are_qos_and_teams_are_accounts() {
    let view = SlurmSettings::default().view(&cluster(), &nodes().iter());
    let partitions: Vec<(&str, bool, usize)> = view
        .partitions
        .iter()
        .map(|it| (it.name.as_str(), it.is_default, it.nodes.len()))
        .collect();
    assert_eq!(partitions, [("research/vision", false, 2), ("default", true, 2)]);
    assert_eq!((view.qos[0].name.as_str(), view.qos[0].class.as_str()), ("normal", "standard"));
    assert_eq!(view.qos.len(), 7, "all six classes, and the usual one");
    assert_eq!(view.accounts[0].queue, "research/vision");
    assert_eq!(view.cluster, "muster");
}

#[test]
fn settings_name_queues_nodes_classes_and_teams_anew() {
    let gpu = PartitionSettings {
        name: "gpu".to_owned(),
        queue: Some("research/vision".to_owned()),
        nodes: Some("disk=fast".to_owned()),
        ..PartitionSettings::default()
    };
    let settings = SlurmSettings {
        partitions: vec![gpu],
        qos: vec![QosSettings { name: "high".to_owned(), class: "express".to_owned() }],
        accounts: vec![AccountSettings { name: "v".to_owned(), team: "vision".to_owned() }],
        ..SlurmSettings::default()
    };
    assert_eq!(settings.mistakes(&cluster()), []);
    let view = settings.view(&cluster(), &nodes().iter());
    assert_eq!(view.partitions[0].nodes, ["node-1"]);
    assert!(view.partitions[0].is_default, "the only one is the usual one");
    assert!(view.qos.iter().any(|qos| qos.name == "high" && qos.class == "express"));
    assert!(view.accounts.iter().any(|account| account.name == "v" && account.team == "vision"));
}

#[test]
fn what_the_cluster_does_not_have_is_told_with_its_field() {
    let partition = PartitionSettings {
        name: "gpu".to_owned(),
        queue: Some("reserch".to_owned()),
        nodes: Some("disk=".to_owned()),
        time_default: Some(muster_model::Millis::hours(2)),
        time_max: Some(muster_model::Millis::hours(1)),
    };
    let settings = SlurmSettings {
        partition: Some("none".to_owned()),
        partitions: vec![partition.clone(), partition],
        qos: vec![QosSettings { name: "high".to_owned(), class: "fast".to_owned() }],
        accounts: vec![AccountSettings { name: "v".to_owned(), team: "x".to_owned() }],
        switch: Some("leaf".to_owned()),
        ..SlurmSettings::default()
    };
    let wrong = settings.mistakes(&cluster());
    let fields: Vec<&str> = wrong.iter().map(|invalid| invalid.field.as_str()).collect();
    let expected = [
        "slurm.partitions[0].queue",
        "slurm.partitions[0].nodes",
        "slurm.partitions[0].time_default",
        "slurm.partitions[1].queue",
        "slurm.partitions[1].nodes",
        "slurm.partitions[1].time_default",
        "slurm.partitions[1].name",
        "slurm.partition",
        "slurm.qos[0].class",
        "slurm.accounts[0].team",
        "slurm.switch",
    ];
    assert_eq!(fields, expected);
    assert_eq!(wrong[0].meant.as_deref(), Some("research"));
}
