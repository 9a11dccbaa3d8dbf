//! Who changed what is written down, and only admins read it.

use serde_json::Value;

use super::cluster::Cluster;

#[test]
fn changes_and_attempts_are_audited() {
    let mut cluster = Cluster::start(1);
    let job = cluster.submit(&["--hold", "--", "true"]);
    cluster.ok(&["cancel", &job.to_string()]);
    cluster.ok(&["node", "drain", "node-1"]);
    let token = cluster.ok(&["token", "create", "--user", "user-a", "--role", "viewer"]);
    let viewer = cluster.folder().join("viewer");
    std::fs::write(&viewer, token).expect("the folder is ours");
    let viewer = viewer.to_str().expect("the path is text");
    let refused = cluster.muster(&["node", "resume", "node-1", "--token-file", viewer]);
    assert_eq!(refused.code, 1, "{refused:?}");
    let unread = cluster.muster(&["audit", "--token-file", viewer]);
    assert!(unread.err.contains("does not allow"), "{unread:?}");
    // It outlives the server.
    cluster.down();
    cluster.up();
    let entries: Vec<Value> =
        serde_json::from_str(&cluster.ok(&["audit", "--json"])).expect("a list of entries");
    let told: Vec<String> = entries
        .iter()
        .map(|entry| {
            let word = |key: &str| entry[key].as_str().unwrap_or_default().to_owned();
            format!("{} {} {}", word("verb"), word("object"), word("outcome"))
        })
        .collect();
    assert_eq!(told.len(), 4, "{told:?}");
    assert_eq!(told[0], "resume nodes/node-1 refused 403 Forbidden");
    assert_eq!(entries[0]["who"], "user-a");
    assert!(told[1].starts_with("create tokens/"), "{told:?}");
    assert_eq!(told[2], "drain nodes/node-1 done");
    assert_eq!(told[3], format!("cancel jobs/{job} done"));
    let table = cluster.ok(&["audit"]);
    assert!(table.lines().next().is_some_and(|head| head.contains("OUTCOME")), "{table}");
}
