//! A real Podman, where the machine has one.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The image.
pub(crate) const IMAGE: &str = "localhost/muster-test:1";

/// What our binary is linked to, where Debian and those after it have it.
const LIBRARIES: [&str; 4] = [
    "/lib64/ld-linux-x86-64.so.2",
    "/lib/x86_64-linux-gnu/libc.so.6",
    "/lib/x86_64-linux-gnu/libm.so.6",
    "/lib/x86_64-linux-gnu/libgcc_s.so.1",
];

/// Podman with a store of its own and an image that has nothing but a shell and what our own binary
/// is linked to.
pub(crate) struct Podman {
    folder: tempfile::TempDir,
}

impl Podman {
    /// Nothing, and why, on a machine where no container can run.
    pub(crate) fn find() -> Option<Podman> {
        let busybox = ["/bin/busybox", "/usr/bin/busybox"].into_iter().find(|it| is_there(it))?;
        if !is_there("/usr/bin/podman") {
            return None;
        }
        let podman = Podman { folder: tempfile::tempdir().expect("a folder can be made") };
        podman.write_command();
        podman.make_image(busybox);
        // With limits no higher than those of this process, which are all it may have set.
        let limits = ["--ulimit=nofile=256:256", "--ulimit=nproc=256:256"];
        let plain = ["run", "--rm", "--cgroups=disabled", "--network=host"];
        let tried = podman.run(&[&plain[..], &limits, &[IMAGE, "true"]].concat());
        tried.then_some(podman)
    }

    /// Whether our own binary runs in its image.
    pub(crate) fn runs_ours() -> bool {
        LIBRARIES.into_iter().all(is_there)
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
        std::fs::write(self.path(), text).expect("the folder is ours");
        let chmod = Command::new("chmod").arg("755").arg(self.path()).status();
        assert!(chmod.is_ok_and(|status| status.success()));
    }

    fn make_image(&self, busybox: &str) {
        let root = self.folder.path().join("image");
        std::fs::create_dir_all(root.join("bin")).expect("the folder is ours");
        std::fs::create_dir_all(root.join("tmp")).expect("the folder is ours");
        std::fs::copy(busybox, root.join("bin/busybox")).expect("the folder is ours");
        for library in LIBRARIES.into_iter().filter(|path| is_there(path)) {
            let place = root.join(library.trim_start_matches('/'));
            let folder = place.parent().expect("it is in a folder");
            std::fs::create_dir_all(folder).expect("the folder is ours");
            std::fs::copy(library, place).expect("it can be read");
        }
        for name in ["sh", "true", "sleep", "touch"] {
            std::os::unix::fs::symlink("busybox", root.join("bin").join(name))
                .expect("the folder is ours");
        }
        let tar = self.folder.path().join("image.tar");
        let mut pack = Command::new("tar");
        pack.arg("-C").arg(&root).arg("-cf").arg(&tar).arg(".");
        assert!(pack.status().is_ok_and(|status| status.success()));
        self.run(&["import", tar.to_str().expect("the folder is text"), IMAGE]);
    }

    fn run(&self, words: &[&str]) -> bool {
        let mut command = Command::new(self.path());
        command.args(words).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    }

    /// All containers it keeps, whatever their state.
    pub(crate) fn containers(&self) -> String {
        let mut command = Command::new(self.path());
        let listed =
            command.args(["ps", "--all", "--format={{.Names}}"]).output().expect("it starts");
        String::from_utf8(listed.stdout).expect("names are text")
    }

    pub(crate) fn folder(&self) -> &Path {
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
