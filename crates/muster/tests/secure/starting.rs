//! When a server speaks TLS, and what it keeps for it.

use std::process::Stdio;

use super::plane::{Plane, mode};

#[test]
fn authority_is_made_once_and_its_key_is_read_by_nobody_else() {
    let mut plane = Plane::start();
    let first = plane.fingerprint.clone();
    assert_eq!(mode(&plane.path("data/tls")), 0o700);
    assert_eq!(mode(&plane.path("data/tls/ca.key")), 0o600);
    plane.again("127.0.0.1:0");
    assert_eq!(plane.fingerprint, first);
}

#[test]
fn cluster_of_one_machine_that_others_can_reach_speaks_tls_and_just_works() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let muster = |arguments: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_muster"));
        command.args(arguments).env("MUSTER_DATA", folder.path().join("data"));
        command.env_remove("MUSTER_SERVER").env_remove("MUSTER_CA").env_remove("MUSTER_TOKEN");
        command.current_dir(folder.path());
        command
    };
    let mut up = muster(&["up", "--listen", "0.0.0.0:0", "--gpus", "H100x2"]);
    let mut up = Plane::keep(up.stderr(Stdio::piped()).stdout(Stdio::null()));
    up.line_with("SHA-256 of its authority");
    let ran = muster(&["run", "--gpus", "1", "--", "echo", "hello"]).output().expect("it starts");
    let (out, err) = (String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
    assert_eq!(out, "hello\n", "{err}");
    let endpoint = std::fs::read_to_string(folder.path().join("data/endpoint.json"));
    let endpoint = endpoint.expect("it runs");
    assert!(endpoint.contains("https://127.0.0.1:"), "{endpoint}");
}

#[test]
fn server_that_is_told_not_to_speak_tls_warns_of_it() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let config = folder.path().join("muster.toml");
    let text = "listen = \"0.0.0.0:0\"\n[tls]\nmode = \"off\"\n";
    std::fs::write(&config, text).expect("the folder is ours");
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_muster"));
    command.args(["server", "--data"]).arg(folder.path().join("data"));
    command.arg("--config").arg(&config).stderr(Stdio::piped());
    let mut server = Plane::keep(&mut command);
    let warning = server.line_with("tls.mode is \"off\"");
    assert!(warning.starts_with("warning: "), "{warning}");
    assert!(!folder.path().join("data/tls").exists(), "no authority is made");
}
