//! The dashboard of a real cluster in a real browser: what is shown, that it follows what
//! happens, that actions act, and that permissions hold. The stories are in `web/tests/stories`.

#[path = "up/cluster.rs"]
#[expect(dead_code, reason = "other tests use more of it")]
mod cluster;

use std::path::Path;
use std::process::{Command, Stdio};

use cluster::{Cluster, repository, said};
use serde_json::{Value, json};

const CHROMIUM: &str = "/usr/bin/chromium";

/// A gang that says who it is and stays.
const GANG: &str = "echo rank $RANK of $WORLD_SIZE; sleep 900";

/// Two queues, one of them with a guarantee.
const POLICY: &str = "[[queues]]\nname = \"default\"\n\n\
                      [[queues]]\nname = \"vision\"\nguarantee = { gpus = \"4\" }\n";

/// Whether all is there that the stories need; says what is not.
fn can_browse() -> bool {
    let needed = ["web/dist/index.html", "web/node_modules/playwright-core", CHROMIUM];
    let missing = needed.iter().find(|path| !repository(path).exists());
    if let Some(path) = missing {
        eprintln!("not tried: {path} is missing; `cargo xtask test` brings it");
    }
    missing.is_none()
}

/// A cluster with something in every state.
fn busy() -> (Cluster, Value) {
    let cluster = Cluster::start(2);
    let file = cluster.folder().join("policy.toml");
    std::fs::write(&file, POLICY).expect("the folder is ours");
    cluster.ok(&["policy", "apply", file.to_str().expect("it is text")]);
    let submit = |name: &str, more: &[&str], command: &str| {
        let head = ["--name", name];
        cluster.submit(&[&head, more, &["--", "sh", "-c", command]].concat())
    };
    let gang = submit("gang", &["--tasks", "2", "--gpus", "4"], GANG);
    let failed = submit("broken", &["--gpus", "1"], "echo no such file; exit 3");
    cluster.event(failed, "job-failed");
    let jobs = json!({
        "gang": gang,
        "failed": failed,
        "victim": submit("victim", &["--gpus", "1", "--queue", "vision"], "sleep 900"),
        "held": submit("held", &["--gpus", "1", "--hold"], "sleep 900"),
        "impossible": submit("impossible", &["--tasks", "9", "--gpus", "8"], "true"),
        "pattern": submit("pattern", &["--gpus", "1"], "echo pattern"),
    });
    cluster.event(gang, "job-running");
    (cluster, jobs)
}

/// The address at which a token signs in.
fn link(cluster: &Cluster, token: Option<&str>) -> String {
    let text = std::fs::read_to_string(cluster.folder().join("data/endpoint.json"));
    let endpoint: Value = serde_json::from_str(&text.expect("it runs")).expect("it is JSON");
    let text = |name: &str| endpoint[name].as_str().expect("it is text").to_owned();
    format!("{}/#token={}", text("url"), token.map_or_else(|| text("token"), ToOwned::to_owned))
}

fn tell(story: &str, link: &str, jobs: &Value) {
    let mut node = Command::new("node");
    node.arg(Path::new("tests/story.mjs")).args([story, link]).arg(jobs.to_string());
    node.current_dir(repository("web")).stdin(Stdio::null());
    let said = said(node.output().expect("node starts"));
    assert_eq!(said.code, 0, "{story}:\n{}\n{}", said.out, said.err);
}

#[test]
fn every_page_shows_the_cluster_and_can_be_used_by_all() {
    if !can_browse() {
        return;
    }
    let (cluster, jobs) = busy();
    tell("pages", &link(&cluster, None), &jobs);
}

#[test]
fn pages_follow_what_happens_and_say_when_they_cannot() {
    if !can_browse() {
        return;
    }
    let (cluster, jobs) = busy();
    tell("live", &link(&cluster, None), &jobs);
}

#[test]
fn actions_act_and_ask_first() {
    if !can_browse() {
        return;
    }
    let (cluster, jobs) = busy();
    tell("actions", &link(&cluster, None), &jobs);
}

#[test]
fn a_viewer_is_offered_nothing_and_refused_everything() {
    if !can_browse() {
        return;
    }
    let (cluster, jobs) = busy();
    let made = cluster.ok(&["token", "create", "--user", "guest", "--role", "viewer"]);
    let token = made.split_whitespace().find(|word| word.starts_with("muster_"));
    tell("viewer", &link(&cluster, Some(token.expect("it prints the token"))), &jobs);
}
