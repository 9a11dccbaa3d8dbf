//! The journal of a real cluster: looked into while it runs, mended after damage.

use std::path::PathBuf;

use super::cluster::Cluster;

/// The number of the first entry of a kind with these words.
fn entry(cluster: &Cluster, kind: &str, words: &str) -> u64 {
    let out = cluster.ok(&["journal", "list", "--from", "1", "--json"]);
    let mut rows = out.lines().map(|line| -> serde_json::Value {
        serde_json::from_str(line).expect("each line is JSON")
    });
    let found = rows.find(|row| row["kind"] == kind && row.to_string().contains(words));
    found.and_then(|row| row["sequence"].as_u64()).unwrap_or_else(|| panic!("none: {out}"))
}

fn file(cluster: &Cluster) -> PathBuf {
    cluster.folder().join("data/journal.db")
}

/// Changes the file of a stopped cluster where `text` stands first.
fn spoil(cluster: &Cluster, text: &str) {
    let mut bytes = std::fs::read(file(cluster)).expect("the file can be read");
    let mut windows = bytes.windows(text.len());
    let at = windows.position(|window| window == text.as_bytes());
    bytes[at.expect("the text is there")] ^= 1;
    std::fs::write(file(cluster), bytes).expect("the file can be written");
}

#[test]
fn past_moments_can_be_asked_about_while_the_cluster_runs_and_after() {
    let mut cluster = Cluster::start(1);
    let first = cluster.submit(&["--gpus", "8", "--name", "first", "--", "sleep", "600"]);
    let second = cluster.submit(&["--gpus", "1", "--name", "second", "--", "true"]);
    cluster.event(first, "job-running");
    cluster.ok(&["cancel", &first.to_string()]);
    cluster.event(second, "job-completed");
    let list = cluster.ok(&["journal", "list"]);
    assert!(list.contains("`second` by") && list.contains("cancel "), "{list}");
    let then = entry(&cluster, "submitted", "second").to_string();
    let second = second.to_string();
    let why = cluster.ok(&["journal", "why", &second, "--at", &then]);
    assert!(why.contains("needs 1 GPU; 0 are free"), "{why}");
    assert_eq!(cluster.ok(&["why", &second, "--at", &then]), why, "the server says the same");
    let state = cluster.ok(&["journal", "state", "--at", &then]);
    assert!(state.contains("second") && state.contains("queued"), "{state}");
    let state = cluster.ok(&["journal", "state", "--json"]);
    let state: serde_json::Value = serde_json::from_str(&state).expect("it is JSON");
    assert_eq!(state["cluster"]["ended"], 2, "{state}");
    cluster.ok(&["journal", "verify"]);
    cluster.down();
    let played = cluster.ok(&["journal", "replay"]);
    assert!(played.contains("from the beginning"), "{played}");
    assert!(played.contains("the same as the snapshots"), "{played}");
    assert_eq!(cluster.ok(&["journal", "why", &second, "--at", &then]), why, "it stays so");
}

#[test]
fn damage_that_a_snapshot_covers_is_mended_without_a_loss() {
    let mut cluster = Cluster::start(1);
    let job = cluster.submit(&["--hold", "--name", "kept", "--", "true"]);
    cluster.down();
    spoil(&cluster, "{\"submitted\":");
    let found = cluster.muster(&["journal", "verify"]);
    assert_eq!(found.code, 1, "{found:?}");
    assert!(found.err.contains("is damaged, and what follows it is whole"), "{found:?}");
    assert!(found.err.contains("hint: `muster journal cut`"), "{found:?}");
    let refused = cluster.muster(&["up", "--listen", "127.0.0.1:0"]);
    assert!(refused.code == 1 && refused.err.contains("muster journal cut"), "{refused:?}");
    let asked = cluster.muster(&["journal", "cut"]);
    assert!(asked.code == 2 && asked.err.contains("nothing was changed"), "{asked:?}");
    let cut = cluster.ok(&["journal", "cut", "--yes"]);
    assert!(cut.contains("stands in for them") && cut.contains("`damaged`"), "{cut}");
    cluster.ok(&["journal", "verify"]);
    cluster.up();
    assert_eq!(cluster.job(job)["job"]["state"], "waiting");
}

#[test]
fn cluster_goes_back_to_before_an_entry() {
    let mut cluster = Cluster::start(1);
    cluster.submit(&["--hold", "--name", "kept", "--", "true"]);
    cluster.submit(&["--hold", "--name", "gone", "--", "true"]);
    let from = entry(&cluster, "submitted", "gone").to_string();
    let held = cluster.muster(&["journal", "cut", "--at", &from, "--yes"]);
    assert!(held.code == 1 && held.err.contains("is in use"), "{held:?}");
    cluster.down();
    let cut = cluster.ok(&["journal", "cut", "--at", &from, "--yes"]);
    assert!(cut.contains("numbers will be given again"), "{cut}");
    cluster.up();
    let jobs = cluster.ok(&["jobs"]);
    assert!(jobs.contains("kept") && !jobs.contains("gone"), "{jobs}");
}

#[test]
fn questions_about_what_never_was_are_told_so() {
    let cluster = Cluster::start(1);
    let empty = cluster.folder().join("empty");
    std::fs::create_dir(&empty).expect("a folder can be made");
    let empty = empty.to_str().expect("a plain path");
    for (arguments, code, words) in [
        (&["list", "--from", "99999"][..], 1, "there is no entry 99999"),
        (&["list", "--from", "2", "--to", "1"], 1, "comes before"),
        (&["state", "--at", "99999"], 1, "hint: `muster journal list`"),
        (&["state", "--at", "0"], 1, "before the beginning"),
        (&["state", "--at", "2001-01-01T00:00:00Z"], 1, "hint: ask for"),
        (&["state", "--at", "yesterday"], 2, "2026-01-31T08:00:00Z"),
        (&["why", "99"], 1, "there was no job 99"),
        (&["cut", "--yes"], 2, "nothing is damaged"),
        (&["verify", "--data", empty], 1, "check the data directory"),
        (&["cut", "--yes", "--data", empty], 1, "check the data directory"),
    ] {
        let said = cluster.muster(&[&["journal"], arguments].concat());
        assert_eq!(said.code, code, "{arguments:?}: {said:?}");
        assert!(said.err.contains(words), "{arguments:?}: {said:?}");
    }
    for (at, words) in [
        ("99999", "there is no entry 99999"),
        ("0", "before the beginning"),
        ("1", "there was no job 1 after entry 1"),
    ] {
        let said = cluster.muster(&["why", "1", "--at", at]);
        assert!(said.code == 1 && said.err.contains(words), "{at}: {said:?}");
        assert!(said.err.contains("hint: "), "{at}: {said:?}");
    }
    let files = std::fs::read_dir(empty).expect("it is there").count();
    assert_eq!(files, 0, "looking makes no files");
}
