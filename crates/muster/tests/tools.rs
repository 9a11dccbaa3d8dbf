//! Unmodified tools of Slurm's users on a cluster of Muster, each from its own registry.

#[path = "up/cluster.rs"]
#[expect(dead_code, reason = "other tests use more of it")]
mod cluster;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use cluster::Cluster;

/// A Python with a package of the registry, made once and kept; nothing where none can be made.
fn python_with(package: &str, version: &str) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{package}-{version}"));
    let python = folder.join("bin/python");
    let marker = folder.join("installed");
    let succeeds = |command: &mut Command| {
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    if !marker.exists() {
        let is_made = succeeds(Command::new("python3").args(["-m", "venv"]).arg(&folder));
        let mut install = Command::new(&python);
        install.args(["-m", "pip", "install", "--quiet", &format!("{package}=={version}")]);
        if !(is_made && succeeds(&mut install)) {
            eprintln!("not tried: {package} {version} cannot be installed on this machine");
            return None;
        }
        std::fs::write(&marker, "").expect("the folder is ours");
    }
    Some(python)
}

#[test]
fn submitit_works_as_on_slurm() {
    let Some(python) = python_with("submitit", "1.5.4") else { return };
    let cluster = Cluster::start(2);
    let links = cluster.folder().join("bin");
    cluster.ok(&["slurm", "install", links.to_str().expect("the folder is text")]);
    let story = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tools/submitit_story.py");
    let path = std::env::var("PATH").unwrap_or_default();
    let mut command = Command::new(python);
    command.arg("-u").arg(story).current_dir(cluster.folder()).stdin(Stdio::null());
    command.env("PATH", format!("{}:{path}", links.display())).env_remove("MUSTER_SERVER");
    command.env("MUSTER_DATA", cluster.folder().join("data"));
    let said = cluster::said(command.output().expect("it starts"));
    let expected = "cluster slurm\n\
                    gang [(3, 4, 0), (3, 4, 1), (3, 4, 2), (3, 4, 3)]\n\
                    array [5, 7, 9]\nfailure True\ncancelled CANCELLED\n";
    assert_eq!((said.code, said.out.as_str()), (0, expected), "{said:?}");
}
