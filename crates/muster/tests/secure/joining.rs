//! How nodes come in, and who does not.

use super::plane::{Plane, mode};

#[test]
fn node_that_has_nothing_but_a_join_token_comes_in_and_stays() {
    let mut plane = Plane::start();
    let token = plane.ok(&["token", "join"]);
    let agent = Plane::keep(&mut plane.agent("node-1", Some(&token)));
    plane.until_nodes(1);
    assert_eq!(plane.ok(&["run", "--gpus", "1", "--", "echo", "hello"]), "hello");
    // Programs in its jobs trust whom it trusts, and need no more either.
    let inside = plane.ok(&["run", "--", env!("CARGO_BIN_EXE_muster"), "jobs"]);
    assert!(inside.contains(" default "), "it sees itself: {inside}");
    assert_eq!(mode(&plane.path("node-1/credential.json")), 0o600);
    drop(agent);
    // Neither the agent nor the server needs the join token again.
    let address = plane.address().to_owned();
    plane.again(&address);
    let _agent = Plane::keep(&mut plane.agent("node-1", None));
    assert_eq!(plane.ok(&["run", "--gpus", "1", "--", "echo", "again"]), "again");
    let list = plane.ok(&["token", "list"]);
    assert!(list.contains("node-1") && list.contains("join"), "{list}");
}

#[test]
fn join_token_that_is_used_up_or_expired_or_revoked_is_refused_with_what_to_do() {
    let plane = Plane::start();
    let token = plane.ok(&["token", "join"]);
    let _first = Plane::keep(&mut plane.agent("node-1", Some(&token)));
    plane.until_nodes(1);
    let second = Plane::refused(&mut plane.agent("node-2", Some(&token)));
    assert!(second.err.contains("used as often as it may be"), "{second:?}");
    assert!(second.err.contains("muster token join"), "{second:?}");
    let expired = plane.ok(&["token", "join", "--expires", "1ms"]);
    let late = Plane::refused(&mut plane.agent("node-2", Some(&expired)));
    assert!(late.err.contains("has expired"), "{late:?}");
    let made = plane.ok(&["token", "join", "--json"]);
    let made: serde_json::Value = serde_json::from_str(&made).expect("it is JSON");
    let text = |name: &str| made[name].as_str().expect("it is there").to_owned();
    plane.ok(&["token", "revoke", &text("id")]);
    let revoked = Plane::refused(&mut plane.agent("node-2", Some(&text("token"))));
    assert!(revoked.err.contains("was revoked"), "{revoked:?}");
    let nonsense = Plane::refused(&mut plane.agent("node-2", Some("muster_0_1")));
    assert!(nonsense.err.contains("not a join token"), "{nonsense:?}");
    assert!(!nonsense.err.contains("muster_0_1"), "the text is repeated: {nonsense:?}");
}

#[test]
fn one_join_token_can_be_for_several_nodes() {
    let plane = Plane::start();
    let token = plane.ok(&["token", "join", "--uses", "2"]);
    let _first = Plane::keep(&mut plane.agent("node-1", Some(&token)));
    let _second = Plane::keep(&mut plane.agent("node-2", Some(&token)));
    plane.until_nodes(2);
    let too_many = plane.admin(&["token", "join", "--uses", "0"]);
    assert_eq!(too_many.code, 1, "{too_many:?}");
    assert!(too_many.err.contains("uses"), "{too_many:?}");
}

#[test]
fn server_with_another_authority_than_the_join_token_names_is_not_told_the_token() {
    let (plane, other) = (Plane::start(), Plane::start());
    let token = plane.ok(&["token", "join"]);
    let mut agent = other.agent("node-1", Some(&token));
    let refused = Plane::refused(&mut agent);
    assert!(refused.err.contains("another certificate authority than expected"), "{refused:?}");
    assert!(refused.err.contains(&other.fingerprint), "{refused:?}");
    // It was not used: the right server takes it.
    let _agent = Plane::keep(&mut plane.agent("node-1", Some(&token)));
    plane.until_nodes(1);
}

#[test]
fn join_token_of_a_cluster_with_tls_is_not_shown_without() {
    let plane = Plane::start();
    let token = plane.ok(&["token", "join"]);
    let mut agent = plane.agent("node-1", Some(&token));
    let refused = Plane::refused(agent.arg("--server").arg(plane.url.replace("https", "http")));
    assert!(refused.err.contains("hint: write https://"), "{refused:?}");
    let list = plane.ok(&["token", "list"]);
    assert!(!list.contains("node-1"), "{list}");
}

#[test]
fn join_token_lets_nobody_do_anything_else() {
    let plane = Plane::start();
    let token = plane.ok(&["token", "join"]);
    let ca = plane.path("data/tls/ca.pem").display().to_string();
    // As a node shows it: without the fingerprint.
    let (bare, _) = token.rsplit_once('_').expect("it has parts");
    for token in [token.as_str(), bare] {
        for asked in [&["submit"][..], &["jobs"], &["nodes"], &["token", "join"]] {
            let place = ["--server", &plane.url, "--ca", &ca];
            let program: &[&str] = if asked == ["submit"] { &["--", "true"] } else { &[] };
            let said = plane.person(token, &[asked, &place, program].concat());
            assert_eq!(said.code, 1, "{asked:?}: {said:?}");
            let words = "lets a node in and allows nothing else";
            assert!(said.err.contains(words), "{asked:?}: {said:?}");
        }
    }
}

#[test]
fn node_joins_a_server_without_tls_on_its_own_machine() {
    let plane = Plane::plain();
    let token = plane.ok(&["token", "join"]);
    let _agent = Plane::keep(&mut plane.agent("node-1", Some(&token)));
    plane.until_nodes(1);
    assert!(!plane.path("node-1/ca.pem").exists(), "there is no authority to keep");
}

#[test]
fn join_token_comes_by_file_as_well() {
    let plane = Plane::start();
    let file = plane.path("join-token");
    std::fs::write(&file, plane.ok(&["token", "join"])).expect("the folder is ours");
    let mut agent = plane.agent("node-1", None);
    let _agent = Plane::keep(agent.arg("--join-file").arg(&file));
    plane.until_nodes(1);
}
