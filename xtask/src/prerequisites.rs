//! What a machine must have before the steps can run. Whatever rustup can fetch is fetched; the
//! rest is named, all of it at once, with the way to get it.

use std::process::{Command, Stdio};

use anyhow::{Result, bail};

use crate::cargo;

/// A tool that comes as a cargo subcommand, and the rustup component that brings it.
struct Tool {
    subcommand: &'static str,
    component: &'static str,
}

const TOOLS: [Tool; 2] = [
    Tool { subcommand: "fmt", component: "rustfmt" },
    Tool { subcommand: "clippy", component: "clippy" },
];

/// A program that some tests use for real, and the Debian packages that bring it.
struct Real {
    program: &'static str,
    packages: &'static [&'static str],
}

const REAL: [Real; 9] = [
    Real { program: "podman", packages: &["podman", "crun", "catatonit"] },
    Real { program: "busybox", packages: &["busybox-static"] },
    Real { program: "sbatch", packages: &["slurm-wlm", "munge"] },
    Real { program: "slurmdbd", packages: &["slurmdbd", "slurm-wlm-mysql-plugin"] },
    Real { program: "chromium", packages: &["chromium"] },
    Real { program: "mariadbd", packages: &["mariadb-server-core", "mariadb-client-core"] },
    Real { program: "mpirun", packages: &["openmpi-bin"] },
    Real { program: "prometheus", packages: &["prometheus"] },
    Real { program: "torchrun", packages: &["python3-torch", "python3-venv"] },
];

/// Makes sure the tools of all steps are there, or says which are not.
pub(crate) fn check() -> Result<()> {
    if !answers(cargo().arg("--version")) {
        bail!("cargo does not start\nhint: install Rust with rustup, then run this again");
    }
    let mut missing = missing_components();
    if !missing.is_empty() {
        eprintln!("missing: {}; asking rustup for it", missing.join(", "));
        let mut rustup = Command::new("rustup");
        answers(rustup.args(["component", "add"]).args(&missing));
        missing = missing_components();
    }
    if !missing.is_empty() {
        let names = missing.join(" ");
        bail!(
            "cannot install: {names}\n\
             hint: run `rustup component add {names}`, or install the packages of that name \
             that belong to this Rust"
        );
    }
    if !answers(Command::new("git").arg("--version")) {
        eprintln!("note: git is missing; tidy looks at every file instead of the tracked ones");
    }
    bring_real();
    Ok(())
}

/// Brings what tests use for real where that is possible. Tests say themselves what they could not
/// try; who has no rights to install is not kept from running the others.
fn bring_real() {
    let is_missing = |real: &&Real| {
        let folders = ["/usr/bin", "/bin", "/usr/sbin", "/sbin"].map(std::path::Path::new);
        !folders.iter().any(|folder| folder.join(real.program).exists())
    };
    let missing: Vec<&Real> = REAL.iter().filter(is_missing).collect();
    let packages: Vec<&str> = missing.iter().flat_map(|real| real.packages).copied().collect();
    if packages.is_empty() {
        return;
    }
    eprintln!("missing: {}; asking apt-get for it", packages.join(", "));
    let is_updated = answers(apt_get().arg("update"));
    let mut install = apt_get();
    install.args(["install", "-y", "--no-install-recommends"]).args(&packages);
    if !(is_updated && answers(&mut install)) {
        let names = packages.join(" ");
        eprintln!("note: tests that need it are passed over; `apt-get install {names}` as root");
    }
}

fn apt_get() -> Command {
    let mut command = Command::new("apt-get");
    // Nothing that is installed is to start by itself.
    command.env("DEBIAN_FRONTEND", "noninteractive").env("RUNLEVEL", "1");
    command
}

fn missing_components() -> Vec<&'static str> {
    TOOLS
        .iter()
        .filter(|tool| !answers(cargo().args([tool.subcommand, "--version"])))
        .map(|tool| tool.component)
        .collect()
}

/// Whether the command starts and ends well; its output is of no interest.
fn answers(command: &mut Command) -> bool {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}
