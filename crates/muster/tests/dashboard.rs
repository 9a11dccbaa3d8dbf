//! The dashboard of a real cluster in a real browser: what is shown, that it follows what
//! happens, that actions act, and that permissions hold. The stories are in `web/tests/stories`.

#[path = "up/cluster.rs"]
#[expect(dead_code, reason = "other tests use more of it")]
mod cluster;
#[path = "support/patience.rs"]
mod patience;

use std::io::{BufRead, BufReader, Write};
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

/// Where a cluster listens and what signs in there.
fn endpoint(cluster: &Cluster) -> Value {
    let text = std::fs::read_to_string(cluster.folder().join("data/endpoint.json"));
    serde_json::from_str(&text.expect("it runs")).expect("it is JSON")
}

/// The address at which a token signs in.
fn link(cluster: &Cluster, token: Option<&str>) -> String {
    let endpoint = endpoint(cluster);
    let text = |name: &str| endpoint[name].as_str().expect("it is text").to_owned();
    format!("{}/#token={}", text("url"), token.map_or_else(|| text("token"), ToOwned::to_owned))
}

fn story(name: &str, link: &str, jobs: &Value) -> Command {
    let mut node = Command::new("node");
    node.arg(Path::new("tests/story.mjs")).args([name, link]).arg(jobs.to_string());
    node.current_dir(repository("web"));
    node
}

fn tell(name: &str, link: &str, jobs: &Value) {
    let mut node = story(name, link, jobs);
    let said = said(node.stdin(Stdio::null()).output().expect("node starts"));
    assert_eq!(said.code, 0, "{name}:\n{}\n{}", said.out, said.err);
}

/// Tells a story that asks for the server to be stopped and started, each on a line of its own.
fn tell_with_restarts(name: &str, cluster: &mut Cluster, jobs: &Value) {
    let mut node = story(name, &link(cluster, None), jobs)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("node starts");
    let mut answers = node.stdin.take().expect("its input is ours");
    let asked = BufReader::new(node.stdout.take().expect("its output is ours"));
    for line in asked.lines().map_while(Result::ok) {
        match line.as_str() {
            "stop the server" => cluster.down(),
            "start the server" => cluster.up(),
            _ => panic!("{name} says: {line}"),
        }
        writeln!(answers, "done").expect("the story listens");
    }
    assert!(node.wait().expect("it can be waited for").success(), "{name} failed; see above");
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
fn the_page_tells_when_the_server_is_gone_and_goes_on_when_it_is_back() {
    if !can_browse() {
        return;
    }
    let (mut cluster, jobs) = busy();
    // It is to come back where the page looks for it.
    let url = endpoint(&cluster)["url"].as_str().expect("it is text").to_owned();
    cluster.listen = url.rsplit('/').next().expect("it has a host and a port").to_owned();
    tell_with_restarts("restart", &mut cluster, &jobs);
}

/// A floor whose promises are for today.
const PLAN_POLICY: &str = "[[queues]]\nname = \"default\"\n\n\
                           [policy]\nlimit_max = \"2h\"\n\n\
                           [policy.floor]\nshare_ppm = 1000000\nwait = \"10m\"\n";

/// Two nodes that become free in half an hour, and a third of which half is free before.
#[test]
fn the_plan_shows_who_is_backfilled_what_is_held_and_the_bound() {
    if !can_browse() {
        return;
    }
    let cluster = Cluster::start(3);
    let file = cluster.folder().join("policy.toml");
    std::fs::write(&file, PLAN_POLICY).expect("the folder is ours");
    cluster.ok(&["policy", "apply", file.to_str().expect("it is text")]);
    let submit = |name: &str, class: &str, size: [&str; 2], [limit, estimate]: [&str; 2]| {
        let head = ["--name", name, "--class", class, "--tasks", size[0], "--gpus", size[1]];
        let times = ["--time", limit, "--estimate", estimate, "--", "sleep", "900"];
        cluster.submit(&[&head[..], &times].concat())
    };
    for name in ["one", "two"] {
        let job = submit(name, "standard", ["1", "8"], ["1h", "30m"]);
        cluster.event(job, "job-running");
    }
    for times in [["2h", "110m"], ["20m", "10m"]] {
        let job = submit("half", "standard", ["1", "4"], times);
        cluster.event(job, "job-running");
    }
    let large = submit("large", "express", ["2", "8"], ["1h", "20m"]);
    let small = submit("small", "standard", ["1", "4"], ["20m", "8m"]);
    tell("plan", &link(&cluster, None), &json!({ "large": large, "small": small }));
}

/// A queue that lends to its sibling, and two that lend to a third which is guaranteed nothing.
const LENDING_POLICY: &str = "[[queues]]\nname = \"lab\"\nguarantee = { gpus = \"8\" }\n\n\
                              [[queues]]\nname = \"lab/vision\"\nguarantee = { gpus = \"4\" }\n\n\
                              [[queues]]\nname = \"lab/speech\"\nguarantee = { gpus = \"4\" }\n\n\
                              [[queues]]\nname = \"ops\"\nguarantee = { gpus = \"4\" }\n\n\
                              [[queues]]\nname = \"shop\"\n";

#[test]
fn teams_are_told_who_lends_to_whom() {
    if !can_browse() {
        return;
    }
    let cluster = Cluster::start(2);
    let file = cluster.folder().join("policy.toml");
    std::fs::write(&file, LENDING_POLICY).expect("the folder is ours");
    cluster.ok(&["policy", "apply", file.to_str().expect("it is text")]);
    let jobs = [("lab/speech", "6"), ("shop", "3")].map(|(queue, gpus)| {
        let job = cluster.submit(&["--queue", queue, "--gpus", gpus, "--", "sleep", "900"]);
        cluster.event(job, "job-running");
        job
    });
    tell("teams", &link(&cluster, None), &json!({ "jobs": jobs }));
}

#[test]
fn keys_and_fingers_are_enough() {
    if !can_browse() {
        return;
    }
    let (cluster, jobs) = busy();
    tell("hands", &link(&cluster, None), &jobs);
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
