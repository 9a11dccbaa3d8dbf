//! A server that speaks TLS on this machine, and the commands of people and nodes around it.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc;

use rustix::process::{Pid, Signal, kill_process};

use crate::patience::await_some;

/// A server and a folder for everything about it.
pub(crate) struct Plane {
    folder: tempfile::TempDir,
    mode: &'static str,
    server: Option<Running>,
    pub(crate) url: String,
    pub(crate) fingerprint: String,
}

/// A process that is ended when the test is over.
pub(crate) struct Running {
    pub(crate) child: Child,
    errors: Option<mpsc::Receiver<String>>,
}

/// What a command said.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Plane {
    pub(crate) fn start() -> Plane {
        Plane::with_mode("always")
    }

    /// One that does not speak TLS, as on this machine it need not.
    pub(crate) fn plain() -> Plane {
        Plane::with_mode("auto")
    }

    fn with_mode(mode: &'static str) -> Plane {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let (url, fingerprint) = (String::new(), String::new());
        let mut plane = Plane { folder, mode, server: None, url, fingerprint };
        plane.again("127.0.0.1:0");
        plane
    }

    /// Starts the server, for the first time or again.
    pub(crate) fn again(&mut self, listen: &str) {
        self.server = None;
        let config = self.path("muster.toml");
        let mode = self.mode;
        let text = format!("listen = \"{listen}\"\n[tls]\nmode = \"{mode}\"\n");
        std::fs::write(&config, text).expect("the folder is ours");
        let config = config.display().to_string();
        let mut command = self.command(&["server", "--config", &config]);
        command.arg("--data").arg(self.path("data")).stderr(Stdio::piped());
        let mut server = Running::new(command.spawn().expect("the binary starts"));
        let listens = server.line_with("muster server listens on ");
        let url = listens.split(';').next().and_then(|line| line.rsplit(' ').next());
        self.url = url.expect("it says where").to_owned();
        if self.url.starts_with("https://") {
            let known = server.line_with("the SHA-256 of its authority: ");
            self.fingerprint = known.rsplit(' ').next().expect("it says by what").to_owned();
        }
        self.server = Some(server);
    }

    pub(crate) fn address(&self) -> &str {
        self.url.strip_prefix("https://").expect("it speaks TLS")
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A command of someone who may read the data directory.
    pub(crate) fn admin(&self, arguments: &[&str]) -> Said {
        said(self.admin_command(arguments).output().expect("it starts"))
    }

    pub(crate) fn admin_command(&self, arguments: &[&str]) -> Command {
        let mut command = self.command(arguments);
        command.env("MUSTER_DATA", self.path("data"));
        command
    }

    /// The same for one that must succeed; what it printed.
    pub(crate) fn ok(&self, arguments: &[&str]) -> String {
        let said = self.admin(arguments);
        assert_eq!(said.code, 0, "`muster {}`: {said:?}", arguments.join(" "));
        said.out.trim().to_owned()
    }

    /// A command of someone on another machine, with a token.
    pub(crate) fn person(&self, token: &str, arguments: &[&str]) -> Said {
        said(self.command(arguments).env("MUSTER_TOKEN", token).output().expect("it starts"))
    }

    /// An agent on another machine that has a join token and nothing else.
    pub(crate) fn agent(&self, name: &str, join: Option<&str>) -> Command {
        let mut command = self.command(&["agent", "--name", name, "--gpus", "H100x2"]);
        command.args(["--run-as-agent", "--address", "127.0.0.1"]);
        command.env("MUSTER_SERVER", &self.url);
        command.arg("--data").arg(self.path(name));
        command.envs(join.map(|token| ("MUSTER_JOIN", token)));
        command
    }

    /// Waits until so many nodes are there.
    pub(crate) fn until_nodes(&self, count: u32) {
        let all = format!("nodes   {count}");
        await_some(|| self.ok(&["status"]).contains(&all).then_some(()));
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_muster"));
        let home = self.path("home");
        command.args(arguments).current_dir(self.folder.path()).stdin(Stdio::null());
        command.env("HOME", &home).env("XDG_CONFIG_HOME", home.join("config"));
        for name in ["SERVER", "TOKEN", "CA", "DATA", "JOIN"] {
            command.env_remove(format!("MUSTER_{name}"));
        }
        command.env_remove("XDG_DATA_HOME");
        command
    }

    /// Starts a command that goes on until it is dropped.
    pub(crate) fn keep(command: &mut Command) -> Running {
        Running::new(command.spawn().expect("the binary starts"))
    }

    /// Runs a command that should end by itself.
    pub(crate) fn refused(command: &mut Command) -> Said {
        let said = said(command.output().expect("the binary starts"));
        assert_eq!(said.code, 1, "{said:?}");
        said
    }
}

impl Running {
    fn new(mut child: Child) -> Running {
        let errors = child.stderr.take().map(|errors| {
            let (sender, receiver) = mpsc::channel();
            // To the end, whether anybody listens or not: nothing it says may be too much.
            std::thread::spawn(move || {
                for line in BufReader::new(errors).lines().map_while(Result::ok) {
                    let _ = sender.send(line);
                }
            });
            receiver
        });
        Running { child, errors }
    }

    /// The next line of its errors that holds the words.
    pub(crate) fn line_with(&mut self, words: &str) -> String {
        let lines = self.errors.as_ref().expect("its errors are ours");
        let found = lines.iter().find(|line| line.contains(words));
        found.unwrap_or_else(|| panic!("it never said `{words}`"))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = kill_process(Pid::from_child(&self.child), Signal::TERM);
        let _ = self.child.wait();
    }
}

fn said(output: Output) -> Said {
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    let code = output.status.code().unwrap_or(-1);
    Said { code, out: text(output.stdout), err: text(output.stderr) }
}

/// The permissions of a file or folder.
pub(crate) fn mode(path: &Path) -> u32 {
    use std::os::unix::fs::PermissionsExt;
    let found = std::fs::metadata(path);
    let found = found.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    found.permissions().mode() & 0o777
}
