//! Levels, GPU models, classes, teams, regions and pools.

use super::{check, with};
use crate::cluster::ClusterSpec;
use crate::gpu::MigProfile;
use crate::name::{Name, QueueName};
use crate::people::Team;
use crate::pool::{Pool, Region};
use crate::queue::QueueSpec;
use crate::unit::{Mib, Millis};

#[test]
fn the_default_configuration_is_valid() {
    assert_eq!(ClusterSpec::default().validate(), Ok(()));
}

#[test]
fn bad_levels_are_refused() {
    let nine = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];
    check([
        (
            ClusterSpec::default().levels(nine),
            "levels: 9 levels is not allowed; expected at most 8",
        ),
        (
            ClusterSpec::default().levels(["zone", "rack", "zone"]),
            "levels[2]: `zone` is not allowed; expected each only once",
        ),
        (
            ClusterSpec::default().levels(["rack", "node"]),
            "levels[1]: `node` is not allowed; expected another name: the node is always the \
             lowest level",
        ),
        (
            ClusterSpec::default().levels(["top of rack"]),
            "levels[0]: `top of rack` is not allowed; expected 1 to 63 letters, digits, `.`, `_` \
             or `-`, starting with a letter or digit\nhint: did you mean top-of-rack?",
        ),
    ]);
}

#[test]
fn bad_gpu_models_are_refused() {
    let many = |cluster: &mut ClusterSpec| {
        let model = cluster.gpu_models[0].clone();
        cluster.gpu_models = vec![model; 129];
    };
    check([
        (with(many), "gpu_models: 129 GPU models is not allowed; expected at most 128"),
        (
            with(|cluster| cluster.gpu_models[1].name = Name::from("GB200")),
            "gpu_models[1].name: `GB200` is not allowed; expected each only once",
        ),
        (
            with(|cluster| cluster.gpu_models[15].memory = Mib(0)),
            "gpu_models[15].memory: 0MiB is not allowed; expected 1MiB to 1EiB",
        ),
    ]);
}

#[test]
fn bad_mig_profiles_are_refused() {
    let spoiled = |change: fn(&mut MigProfile)| {
        with(|cluster| {
            assert_eq!(cluster.gpu_models[4].name.as_str(), "H100");
            change(&mut cluster.gpu_models[4].mig[2]);
        })
    };
    check([
        (
            spoiled(|profile| profile.slices = 0),
            "gpu_models[4].mig[2].slices: 0 is not allowed; expected 1 to 7",
        ),
        (
            spoiled(|profile| profile.slices = 8),
            "gpu_models[4].mig[2].slices: 8 is not allowed; expected 1 to 7",
        ),
        (
            spoiled(|profile| profile.memory = Mib::gib(81)),
            "gpu_models[4].mig[2].memory: 81GiB is not allowed; expected 1MiB to 80GiB",
        ),
        (
            spoiled(|profile| profile.most = 0),
            "gpu_models[4].mig[2].most: 0 is not allowed; expected 1 to 7",
        ),
        (
            spoiled(|profile| profile.most = 4),
            "gpu_models[4].mig[2].most: 4 is not allowed; expected at most 3: more do not fit one \
             GPU",
        ),
        (
            spoiled(|profile| profile.memory = Mib::gib(40)),
            "gpu_models[4].mig[2].most: 3 is not allowed; expected at most 2: more do not fit one \
             GPU",
        ),
        (
            spoiled(|profile| profile.name = Name::from("1g.10gb")),
            "gpu_models[4].mig[2].name: `1g.10gb` is not allowed; expected each only once",
        ),
    ]);
}

#[test]
fn bad_classes_are_refused() {
    check([
        (
            with(|cluster| cluster.classes.clear()),
            "classes: 0 classes is not allowed; expected 1 to 64",
        ),
        (
            with(|cluster| cluster.classes[1].name = Name::from("inference")),
            "classes[1].name: `inference` is not allowed; expected each only once",
        ),
        (
            with(|cluster| cluster.classes[1].value = 1000),
            "classes[1].value: `1000` is not allowed; expected each only once",
        ),
        (
            with(|cluster| cluster.classes[0].limit_default = Some(Millis::days(31))),
            "classes[0].limit_default: 31d is not allowed; expected 1ms to 30d",
        ),
    ]);
}

fn team(name: &str, queue: &str, members: &[&str]) -> Team {
    Team {
        name: Name::from(name),
        queue: QueueName::from(queue),
        members: members.iter().copied().map(Name::from).collect(),
    }
}

#[test]
fn bad_teams_are_refused() {
    let teams = |teams: Vec<Team>| {
        let queues = ["default", "research", "research/vision"].map(QueueSpec::new);
        ClusterSpec { teams, ..ClusterSpec::default() }.queues(queues)
    };
    let good = || team("vision", "research/vision", &["vision-1", "vision-2"]);
    assert_eq!(teams(vec![good()]).validate(), Ok(()));
    check([
        (
            teams(vec![good(), good()]),
            "teams[1].name: `vision` is not allowed; expected each only once",
        ),
        (
            teams(vec![team("vision", "vision", &[])]),
            "teams[0].queue: `vision` is not allowed; expected one of default, research, \
             research/vision\nhint: did you mean research/vision?",
        ),
        (
            teams(vec![team("vision", "research", &[])]),
            "teams[0].queue: `research` is not allowed; expected a queue without queues below it",
        ),
        (
            teams(vec![team("vision", "default", &["user-a", "user-a"])]),
            "teams[0].members[1]: `user-a` is not allowed; expected each only once",
        ),
        (
            teams(vec![team("vision", "default", &["user a"])]),
            "teams[0].members[0]: `user a` is not allowed; expected 1 to 63 letters, digits, `.`, \
             `_` or `-`, starting with a letter or digit\nhint: did you mean user-a?",
        ),
    ]);
}

fn region(zone: &str) -> Region {
    Region { name: Name::from("north"), zone: zone.to_owned() }
}

fn pool(region: &str, min: u32, max: u32) -> Pool {
    Pool {
        name: Name::from("burst"),
        region: Some(Name::from(region)),
        min,
        max,
        price_micros: 2_500_000,
        spot: true,
    }
}

#[test]
fn bad_regions_are_refused() {
    let zone = |zone: &str| with(|cluster| cluster.regions = vec![region(zone)]);
    for good in ["UTC", "Europe/Oslo", "America/Argentina/Buenos_Aires", "Etc/GMT+5"] {
        assert_eq!(zone(good).validate(), Ok(()), "{good}");
    }
    check([
        (
            zone("America/New York"),
            "regions[0].zone: `America/New York` is not allowed; expected the name of a time \
             zone, such as Europe/Oslo or UTC\nhint: did you mean America/New_York?",
        ),
        (
            zone("+02:00"),
            "regions[0].zone: `+02:00` is not allowed; expected the name of a time zone, such as \
             Europe/Oslo or UTC",
        ),
        (
            with(|cluster| cluster.regions = vec![region("UTC"), region("UTC")]),
            "regions[1].name: `north` is not allowed; expected each only once",
        ),
    ]);
}

#[test]
fn bad_pools_are_refused() {
    let pools = |pools: Vec<Pool>| {
        with(|cluster| {
            cluster.regions = vec![region("UTC")];
            cluster.pools = pools;
        })
    };
    assert_eq!(pools(vec![pool("north", 0, 1)]).validate(), Ok(()));
    check([
        (
            pools(vec![pool("nord", 0, 8)]),
            "pools[0].region: `nord` is not allowed; expected one of north\n\
             hint: did you mean north?",
        ),
        (pools(vec![pool("north", 9, 8)]), "pools[0].min: 9 is not allowed; expected 0 to 8"),
        (pools(vec![pool("north", 0, 0)]), "pools[0].max: 0 is not allowed; expected 1 to 1048576"),
        (
            pools(vec![pool("north", 0, 8), pool("north", 0, 8)]),
            "pools[1].name: `burst` is not allowed; expected each only once",
        ),
        (
            pools(vec![Pool { price_micros: u64::MAX, ..pool("north", 0, 8) }]),
            "pools[0].price_micros: 18446744073709551615 is not allowed; expected 0 to \
             1000000000000",
        ),
    ]);
}
