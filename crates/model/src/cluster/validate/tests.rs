//! Bad configurations and what is said about them, part by part.

mod lists;
mod policy;
mod queues;
mod windows;

use crate::cluster::ClusterSpec;

/// Everything said about a configuration.
fn problems(cluster: &ClusterSpec) -> Vec<String> {
    let found = cluster.validate().expect_err("a bad configuration");
    found.iter().map(ToString::to_string).collect()
}

/// Each configuration has exactly one problem, with these words.
#[track_caller]
fn check(table: impl IntoIterator<Item = (ClusterSpec, &'static str)>) {
    for (cluster, expected) in table {
        assert_eq!(problems(&cluster), [expected]);
    }
}

/// The default configuration, changed.
fn with(change: impl FnOnce(&mut ClusterSpec)) -> ClusterSpec {
    let mut cluster = ClusterSpec::default();
    change(&mut cluster);
    cluster
}
