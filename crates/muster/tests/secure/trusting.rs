//! Whom people believe, and what connections that go wrong cannot do.

use std::io::{Read, Write};
use std::net::TcpStream;

use super::plane::Plane;

#[test]
fn person_who_does_not_know_the_authority_is_told_what_to_do() {
    let plane = Plane::start();
    let token = plane.ok(&["token", "create", "--role", "user"]);
    let said = plane.person(&token, &["status", "--server", &plane.url]);
    assert_eq!(said.code, 1, "{said:?}");
    assert!(said.err.contains("nobody that is trusted here vouches"), "{said:?}");
    assert!(said.err.contains("hint: sign in with `muster login"), "{said:?}");
    let ca = plane.path("data/tls/ca.pem").display().to_string();
    let said = plane.person(&token, &["status", "--server", &plane.url, "--ca", &ca]);
    assert_eq!(said.code, 0, "{said:?}");
}

#[test]
fn person_signs_in_by_the_fingerprint_and_is_known_from_then_on() {
    let plane = Plane::start();
    let token = plane.ok(&["token", "create", "--role", "user"]);
    let login = ["login", "--server", &plane.url];
    let unasked = plane.person(&token, &login);
    assert_eq!(unasked.code, 2, "{unasked:?}");
    assert!(unasked.err.contains(&plane.fingerprint), "{unasked:?}");
    assert!(unasked.err.contains("--fingerprint"), "{unasked:?}");
    let wrong = "ab".repeat(32);
    let refused = plane.person(&token, &[&login[..], &["--fingerprint", &wrong]].concat());
    assert_eq!(refused.code, 1, "{refused:?}");
    assert!(refused.err.contains("another certificate authority"), "{refused:?}");
    let known =
        plane.person(&token, &[&login[..], &["--fingerprint", &plane.fingerprint]].concat());
    assert_eq!(known.code, 0, "{known:?}");
    let said = plane.person("", &["status"]);
    assert_eq!(said.code, 0, "what was learned is kept: {said:?}");
}

#[test]
fn person_may_believe_whoever_answers_first() {
    let plane = Plane::start();
    let token = plane.ok(&["token", "create", "--role", "user"]);
    let met = plane.person(&token, &["login", "--server", &plane.url, "--yes"]);
    assert_eq!(met.code, 0, "{met:?}");
    assert!(met.err.contains(&plane.fingerprint), "{met:?}");
    // Another server in its place is not believed.
    let other = Plane::start();
    let home = plane.path("home");
    std::fs::remove_dir_all(other.path("home")).ok();
    std::fs::rename(&home, other.path("home")).expect("both are ours");
    let credentials = other.path("home/config/muster/credentials.toml");
    let text = std::fs::read_to_string(&credentials).expect("it was written");
    std::fs::write(&credentials, text.replace(&plane.url, &other.url)).expect("it is ours");
    let kept = other.path("home/config/muster").join(format!("ca-{}.pem", plane.fingerprint));
    let text = std::fs::read_to_string(&credentials).expect("it was written");
    let moved =
        text.replace(&home.display().to_string(), &other.path("home").display().to_string());
    std::fs::write(&credentials, moved).expect("it is ours");
    assert!(kept.exists(), "the authority is kept beside the credentials");
    let said = other.person(&token, &["login", "--server", &other.url, "--yes"]);
    assert_eq!(said.code, 1, "{said:?}");
    assert!(said.err.contains("nobody that is trusted here vouches"), "{said:?}");
}

#[test]
fn connections_that_stall_in_their_handshake_keep_nobody_waiting() {
    let plane = Plane::start();
    let stalled: Vec<TcpStream> = (0..100)
        .map(|number| {
            let mut stream = TcpStream::connect(plane.address()).expect("it listens");
            // Half of them say nothing, half begin and do not go on.
            if number % 2 == 0 {
                stream.write_all(&[22, 3, 1, 2, 0, 1]).expect("it is heard");
            }
            stream
        })
        .collect();
    assert!(plane.ok(&["status"]).contains("nodes"), "others are served");
    drop(stalled);
}

#[test]
fn request_without_tls_is_told_that_it_is_spoken_here() {
    let plane = Plane::start();
    let mut stream = TcpStream::connect(plane.address()).expect("it listens");
    stream.write_all(b"GET /healthz HTTP/1.1\r\nhost: here\r\n\r\n").expect("it is heard");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("it is answered");
    assert!(answer.starts_with("HTTP/1.1 400 "), "{answer}");
    let plain = plane.url.replace("https", "http");
    let said = plane.person("none", &["status", "--server", &plain]);
    assert!(said.err.contains("hint: write https://"), "{said:?}");
}

#[test]
fn server_without_tls_is_not_taken_for_one_with_it() {
    let plane = Plane::start();
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let address = listener.local_addr().expect("it listens");
    let answering = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("somebody comes");
        stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").expect("it is heard");
        // Until the other end has had enough.
        let _ = stream.read_to_end(&mut Vec::new());
    });
    let ca = plane.path("data/tls/ca.pem").display().to_string();
    let url = format!("https://{address}");
    let said = plane.person("none", &["status", "--server", &url, "--ca", &ca]);
    assert!(said.err.contains("does not speak TLS"), "{said:?}");
    answering.join().expect("it has answered");
}
