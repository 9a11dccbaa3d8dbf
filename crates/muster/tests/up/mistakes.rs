//! What people get wrong is told clearly and changes nothing.

use super::cluster::Cluster;

#[test]
fn mistakes_are_told_with_what_to_do() {
    let cluster = Cluster::start(1);
    for (arguments, code, words) in [
        (&["submit", "--queue", "defualt", "--", "true"][..], 1, "did you mean default"),
        (&["submit", "--gpus=-1", "--", "true"], 1, "gpus"),
        (&["submit", "--tasks", "0", "--", "true"], 1, "tasks"),
        (&["why", "99"], 1, "there is no job 99"),
        (&["cancel", "99"], 1, "99"),
        (&["node", "drain", "node-9"], 1, "there is no node node-9"),
        (&["logs", "99"], 1, "99"),
    ] {
        let said = cluster.muster(arguments);
        assert_eq!(said.code, code, "{arguments:?}: {said:?}");
        assert!(said.err.contains(words), "{arguments:?}: {said:?}");
    }
    assert_eq!(cluster.submit(&["--hold", "--", "true"]), 1, "nothing was taken in before");
}

#[test]
fn second_cluster_in_the_same_folder_is_refused() {
    let cluster = Cluster::start(1);
    let said = cluster.muster(&["up", "--listen", "127.0.0.1:0"]);
    assert_eq!(said.code, 1, "{said:?}");
    assert!(said.err.contains("is in use"), "{said:?}");
}
