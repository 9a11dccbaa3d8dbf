//! A real Prometheus on loopback, with the packaged rules.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;

const PROMETHEUS: &str = "/usr/bin/prometheus";
const PROMTOOL: &str = "/usr/bin/promtool";

/// A Prometheus that is stopped when the test is over.
pub(crate) struct Prometheus {
    child: Child,
    address: String,
    // After the child, so that it goes last.
    _folder: tempfile::TempDir,
}

/// Whether it is installed; says so where it is not.
pub(crate) fn is_here() -> bool {
    let is_here = [PROMETHEUS, PROMTOOL].iter().all(|program| Path::new(program).exists());
    if !is_here {
        eprintln!("not run: {PROMETHEUS} is not installed (Debian package prometheus)");
    }
    is_here
}

/// What `promtool` says in the folder of the packaged rules.
pub(crate) fn promtool(arguments: &[&str]) -> Output {
    let folder = super::cluster::repository("packaging/prometheus");
    let said = Command::new(PROMTOOL).args(arguments).current_dir(folder).output();
    said.expect("promtool starts")
}

impl Prometheus {
    /// Watches a server, with alerts that need not last.
    pub(crate) fn start(server: &str, rules: &str) -> Prometheus {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let rules: String = rules
            .lines()
            .map(|line| match line.trim_start().starts_with("for: ") {
                true => "        for: 0s\n".to_owned(),
                false => format!("{line}\n"),
            })
            .collect();
        fs::write(folder.path().join("muster.rules.yml"), rules).expect("the folder is ours");
        let shipped = super::cluster::repository("packaging/prometheus/prometheus.yml");
        let shipped = fs::read_to_string(shipped).expect("the example is there");
        let config = shipped
            .replace("127.0.0.1:7070", server)
            .replace("scrape_interval: 15s", "scrape_interval: 1s\n  scrape_timeout: 1s")
            .replace("evaluation_interval: 30s", "evaluation_interval: 1s");
        assert!(config.contains(server) && config.contains("evaluation_interval: 1s"), "{config}");
        fs::write(folder.path().join("prometheus.yml"), config).expect("the folder is ours");
        let free = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let address = free.local_addr().expect("it has an address").to_string();
        drop(free);
        let log = File::create(folder.path().join("log")).expect("the folder is ours");
        let child = Command::new(PROMETHEUS)
            .arg("--config.file=prometheus.yml")
            .arg("--storage.tsdb.path=data")
            .arg(format!("--web.listen-address={address}"))
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .expect("what is installed starts");
        Prometheus { child, address, _folder: folder }
    }

    /// What it answers at an address of its API, once it does.
    pub(crate) fn ask(&self, path: &str) -> Option<Value> {
        let answer: Value = serde_json::from_str(&get(&self.address, path)?).ok()?;
        (answer["status"] == "success").then(|| answer["data"].clone())
    }
}

impl Drop for Prometheus {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The body of an answer.
pub(crate) fn get(address: &str, path: &str) -> Option<String> {
    let mut stream = TcpStream::connect(address).ok()?;
    let head = format!("GET {path} HTTP/1.0\r\nHost: {address}\r\n\r\n");
    stream.write_all(head.as_bytes()).ok()?;
    let mut text = String::new();
    stream.read_to_string(&mut text).ok()?;
    let (head, body) = text.split_once("\r\n\r\n")?;
    head.lines().next()?.contains(" 200 ").then(|| body.to_owned())
}
