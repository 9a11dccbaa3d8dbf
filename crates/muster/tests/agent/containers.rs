//! Jobs in containers, by a real Podman where the machine has one.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use muster_api::Program;
use muster_api::duty::RunWork;
use muster_api::program::{Container, Mount};
use muster_api::report::Report;
use muster_engine::command::Exit;

use crate::patience::await_some;

use super::machine::{Machine, of, script};
use super::server::Server;

const LEASE_MS: u64 = 600_000;
const IMAGE: &str = "localhost/muster-test:1";

/// Podman with a store of its own and an image that has nothing but a shell.
struct Podman {
    folder: tempfile::TempDir,
}

impl Podman {
    /// Nothing, and why, on a machine where no container can run.
    fn find() -> Option<Podman> {
        let busybox = ["/bin/busybox", "/usr/bin/busybox"].into_iter().find(|it| is_there(it))?;
        if !is_there("/usr/bin/podman") {
            return None;
        }
        let podman = Podman { folder: tempfile::tempdir().unwrap() };
        podman.write_command();
        podman.make_image(busybox);
        // With limits no higher than those of this process, which are all it may have set.
        let limits = ["--ulimit=nofile=256:256", "--ulimit=nproc=256:256"];
        let plain = ["run", "--rm", "--cgroups=disabled", "--network=host"];
        let tried = podman.run(&[&plain[..], &limits, &[IMAGE, "true"]].concat());
        tried.then_some(podman)
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("podman")
    }

    /// Where controllers of both versions are mounted together Podman does not start, so it gets a
    /// view of the machine with version 2 alone.
    fn write_command(&self) {
        let store = self.folder.path().join("store");
        let podman = format!(
            "exec /usr/bin/podman --root={0}/root --runroot={0}/run --storage-driver=vfs \"$@\"",
            store.display()
        );
        let text = format!(
            "#!/bin/sh\n\
             if [ -d /sys/fs/cgroup/unified ] && [ -z \"$ALONE\" ]; then\n\
             ALONE=yes exec unshare --mount \"$0\" \"$@\"\nfi\n\
             if [ -n \"$ALONE\" ]; then\n\
             umount --lazy /sys/fs/cgroup/* 2>/dev/null; umount --lazy /sys/fs/cgroup\n\
             mount -t cgroup2 none /sys/fs/cgroup\nfi\n{podman}\n"
        );
        std::fs::write(self.path(), text).unwrap();
        assert!(Command::new("chmod").arg("755").arg(self.path()).status().unwrap().success());
    }

    fn make_image(&self, busybox: &str) {
        let root = self.folder.path().join("image");
        std::fs::create_dir_all(root.join("bin")).unwrap();
        std::fs::create_dir_all(root.join("tmp")).unwrap();
        std::fs::copy(busybox, root.join("bin/busybox")).unwrap();
        for name in ["sh", "true", "sleep", "touch"] {
            std::os::unix::fs::symlink("busybox", root.join("bin").join(name)).unwrap();
        }
        let tar = self.folder.path().join("image.tar");
        let mut pack = Command::new("tar");
        pack.arg("-C").arg(&root).arg("-cf").arg(&tar).arg(".");
        assert!(pack.status().unwrap().success());
        self.run(&["import", tar.to_str().unwrap(), IMAGE]);
    }

    fn run(&self, words: &[&str]) -> bool {
        let mut command = Command::new(self.path());
        command.args(words).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    }

    /// All containers it keeps, whatever their state.
    fn containers(&self) -> String {
        let mut command = Command::new(self.path());
        let listed = command.args(["ps", "--all", "--format={{.Names}}"]).output().unwrap();
        String::from_utf8(listed.stdout).unwrap()
    }

    fn folder(&self) -> &Path {
        self.folder.path()
    }
}

impl Drop for Podman {
    fn drop(&mut self) {
        self.run(&["rm", "--all", "--force"]);
        // Its layers belong to whoever the image says; only it can remove them.
        self.run(&["rmi", "--all", "--force"]);
    }
}

fn is_there(path: &str) -> bool {
    Path::new(path).exists()
}

fn in_image(text: &str) -> RunWork {
    let run = script(text, 1);
    let image = Some(IMAGE.to_owned());
    RunWork { program: Arc::new(Program { image, ..(*run.program).clone() }), ..run }
}

/// A job sees the folder that it names where it wants it, read-only, and starts where it says.
fn mounted(server: &Server, machine: &Machine) {
    let sets = machine.path("sets");
    std::fs::create_dir_all(&sets).unwrap();
    std::fs::write(sets.join("seen"), "yes").unwrap();
    let source = sets.display().to_string();
    let mount = Mount { source, target: "/mnt/sets".to_owned(), read_only: true };
    let container = Container {
        mounts: vec![mount],
        workdir: Some("/mnt/sets".to_owned()),
        ..Container::default()
    };
    let text = "#!/bin/sh\nread word <seen; [ \"$word\" = yes ] || exit 3\n\
                touch new 2>/dev/null && exit 4; exit 6";
    let mut work = in_image(text);
    Arc::make_mut(&mut work.program).container = Some(Box::new(container));
    server.run(of(9, 1), work);
    server.until_told(&Report::Ended { of: of(9, 1), exit: Exit::Code(6) });
    assert!(!sets.join("new").exists(), "what is mounted read-only stays as it is");
}

/// Both stories share one store: making it takes longer than either.
#[test]
fn a_job_runs_in_its_image_and_leaves_no_container_behind() {
    let Some(podman) = Podman::find() else {
        eprintln!("not tried: no container can be run on this machine");
        return;
    };
    let (server, mut machine) = (Server::start(LEASE_MS), Machine::new());
    machine.start_with_path(&server, podman.folder());

    let text = "#!/bin/sh\necho job $MUSTER_JOB_ID; test -e /usr/bin/podman || exit 5";
    server.run(of(7, 1), in_image(text));
    server.until_told(&Report::Ended { of: of(7, 1), exit: Exit::Code(5) });
    assert_eq!(podman.containers(), "", "it was removed at its end");

    mounted(&server, &machine);

    // One that hears no signal is forced, and with it everything its runtime keeps of it.
    let started = machine.path("tasks/8.1.0/run/started");
    let text =
        format!("#!/bin/sh\ntrap '' TERM; touch {}; sleep 1000; sleep 1000", started.display());
    server.run(of(8, 1), in_image(&text));
    await_some(|| started.exists().then_some(()));
    assert_eq!(podman.containers(), "muster-8.1.0\n");
    server.stop(of(8, 1), 10);
    server.until(|kept| {
        let is_end =
            |report: &&Report| matches!(report, Report::Ended { of: it, .. } if *it == of(8, 1));
        kept.reports.iter().find(is_end).cloned()
    });
    assert_eq!(podman.containers(), "");
}
