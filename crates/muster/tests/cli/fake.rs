//! A made-up cluster and a home of its own for each test.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::mpsc;

use axum::Router;
use serde_json::{Value, json};

/// An empty home, and the address of a cluster if there is one.
pub(crate) struct Home {
    folder: PathBuf,
    url: Option<String>,
}

/// A home for one test, without a cluster.
pub(crate) fn home(test: &str) -> Home {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli").join(test);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the folder for tests can be written");
    Home { folder, url: None }
}

/// A home with a cluster, which is served until the test process ends.
pub(crate) fn cluster(test: &str, router: Router) -> Home {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        runtime.expect("a runtime can be made").block_on(async move {
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await;
            let listener = listener.expect("loopback has free ports");
            let address = listener.local_addr().expect("it is bound");
            sender.send(format!("http://{address}")).expect("the test waits for it");
            axum::serve(listener, router).await
        })
    });
    let url = receiver.recv().expect("the server has started");
    Home { url: Some(url), ..home(test) }
}

impl Home {
    /// The binary with arguments, in this home and with nothing else in its environment.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_muster"));
        command.args(arguments).current_dir(&self.folder).env_clear();
        command.env("HOME", &self.folder).env("PATH", "/usr/bin:/bin").env("LANG", "C");
        command.envs(self.url.iter().map(|url| ("MUSTER_SERVER", url)));
        command
    }

    /// What the binary says.
    pub(crate) fn muster(&self, arguments: &[&str]) -> Said {
        said(&self.command(arguments).output().expect("the binary was built"))
    }

    /// Writes a file there.
    pub(crate) fn write(&self, name: &str, text: &str) {
        fs::write(self.folder.join(name), text).expect("the folder for tests can be written");
    }

    /// Where it is.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }
}

/// What a process wrote, and how it ended.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Said {
    pub(crate) out: String,
    pub(crate) err: String,
    pub(crate) code: Option<i32>,
}

pub(crate) fn said(output: &Output) -> Said {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("output is text");
    Said { out: text(&output.stdout), err: text(&output.stderr), code: output.status.code() }
}

/// A job as the server tells it, with what is laid over it.
pub(crate) fn job(id: u64, over: &Value) -> Value {
    let mut job = json!({
        "id": id, "name": "train", "user": "user-a", "queue": "default", "class": "standard",
        "state": "queued", "tasks": 2, "gpus_milli": 2000, "models": [], "attempt": 0,
        "nodes": [], "submitted": "2026-01-31T08:00:00Z",
    });
    let fields = job.as_object_mut().expect("it is an object");
    fields.extend(over.as_object().expect("an object is laid over").clone());
    job
}
