//! What each runtime is told.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use muster_api::program::{Container, Mount};

use super::{Inside, Kind, Runtime, wrap};

fn inside(image: &str) -> Inside<'_> {
    static VARIABLES: LazyLock<BTreeMap<String, String>> = LazyLock::new(|| {
        ["HOME", "MUSTER_JOB_ID", "PATH"].map(|name| (name.to_owned(), "v".to_owned())).into()
    });
    Inside {
        image,
        directory: Some("/data/train"),
        folder: Path::new("/var/lib/muster/tasks/7.1.0/run"),
        environment: &VARIABLES,
        special: None,
        home: Path::new("/people/user-a"),
        user: (1000, 1000),
        program: None,
        has_gpus: true,
        name: "muster-7.1.0".to_owned(),
        cpus_milli: 2500,
        memory_mib: 512,
        open_files: Some(4096),
    }
}

fn runtime(kind: Kind, path: &str) -> Runtime {
    Runtime { kind, path: PathBuf::from(path), has_init: kind == Kind::Docker }
}

#[test]
fn podman_is_told_names_of_variables_and_no_values_and_stays_in_our_cgroup() {
    let command = ["train".to_owned(), "--fast".to_owned()];
    let podman = [runtime(Kind::Podman, "/usr/bin/podman")];
    let wrapped = wrap(&podman, &inside("vision:2"), &command).unwrap();
    let is_of_this_machine = |word: &&String| !word.starts_with("--ulimit=nproc=");
    let words: Vec<&str> =
        wrapped.command.iter().filter(is_of_this_machine).map(String::as_str).collect();
    assert_eq!(
        words.join(" "),
        "/usr/bin/podman run --rm --network=host --ipc=host --name=muster-7.1.0 \
         --cgroups=disabled --log-driver=none --ulimit=nofile=4096:4096 \
         --device=nvidia.com/gpu=all \
         --volume=/data/train:/data/train \
         --volume=/var/lib/muster/tasks/7.1.0/run:/var/lib/muster/tasks/7.1.0/run \
         --workdir=/data/train --env=MUSTER_JOB_ID vision:2 train --fast"
    );
    assert_eq!(wrapped.clearing.join(" "), "/usr/bin/podman rm --force muster-7.1.0");
}

#[test]
fn commands_of_the_cluster_are_there_by_their_names_where_nothing_of_the_node_is() {
    let words = |kind, container: Option<&Container>| {
        let runtime = [runtime(kind, "/bin/it")];
        let program = Some(Path::new("/opt/muster"));
        let asked = Inside { program, special: container, ..inside("vision:2") };
        wrap(&runtime, &asked, &[]).unwrap().command.join(" ")
    };
    for kind in [Kind::Podman, Kind::Docker] {
        for name in ["srun", "squeue", "muster"] {
            let volume = format!("--volume=/opt/muster:/usr/local/bin/{name}:ro");
            assert!(words(kind, None).contains(&volume), "{}", words(kind, None));
        }
    }
    assert!(!words(Kind::Apptainer, None).contains("/opt/muster"));
    let mounted = |target: &str| {
        let (source, target) = ("/tools".to_owned(), target.to_owned());
        let mount = Mount { source, target, read_only: false };
        Container { mounts: vec![mount], ..Container::default() }
    };
    let whole = words(Kind::Podman, Some(&mounted("/usr/local")));
    assert!(!whole.contains("/opt/muster"), "{whole}");
    let one = words(Kind::Podman, Some(&mounted("/usr/local/bin/srun")));
    assert!(!one.contains("/opt/muster:/usr/local/bin/srun:ro"), "{one}");
    assert!(one.contains("/opt/muster:/usr/local/bin/sbatch:ro"), "{one}");
}

#[test]
fn docker_is_told_the_limits_for_its_daemon_does_not_inherit_them() {
    let docker = [runtime(Kind::Docker, "/usr/bin/docker")];
    let wrapped = wrap(&docker, &inside("vision:2"), &[]).unwrap();
    let words = wrapped.command.join(" ");
    assert!(words.contains("--init --cpus=2.500 --memory=512m --ulimit=nofile=4096:4096"));
    let free = Inside { cpus_milli: 0, memory_mib: 0, open_files: None, ..inside("vision:2") };
    let words = wrap(&docker, &free, &[]).unwrap().command.join(" ");
    assert!(!words.contains("--cpus") && !words.contains("--memory"), "{words}");
}

#[test]
fn a_node_without_a_runtime_says_what_it_looked_for() {
    let refused = wrap(&[], &inside("vision:2"), &[]).unwrap_err();
    assert!(refused.detail.contains("podman, docker, apptainer, enroot"), "{refused:?}");
}

#[test]
fn an_image_is_never_taken_for_an_option() {
    let docker = [runtime(Kind::Docker, "/usr/bin/docker")];
    let refused = wrap(&docker, &inside("--privileged"), &[]).unwrap_err();
    assert!(refused.detail.contains("dash"), "{refused:?}");
}

fn special() -> Container {
    let mount = |source: &str, target: &str, read_only| Mount {
        source: source.to_owned(),
        target: target.to_owned(),
        read_only,
    };
    Container {
        mounts: vec![mount("/sets", "/mnt", true), mount("/other", "/data/train", false)],
        workdir: Some("/mnt/work".to_owned()),
        environment: vec!["PATH".to_owned()],
        mount_home: Some(true),
        remap_root: Some(true),
        entrypoint: Some(false),
        writable: Some(true),
    }
}

#[test]
fn what_a_job_wants_otherwise_is_told_to_each_runtime() {
    let container = special();
    let asked = Inside { special: Some(&container), ..inside("vision:2") };
    let words = |kind| {
        let runtime = [runtime(kind, "/bin/it")];
        wrap(&runtime, &asked, &["train".to_owned()]).map(|wrapped| wrapped.command.join(" "))
    };
    for kind in [Kind::Podman, Kind::Docker] {
        let words = words(kind).unwrap();
        assert!(
            words.ends_with(
                "--volume=/people/user-a:/people/user-a --volume=/sets:/mnt:ro \
                 --volume=/other:/data/train --workdir=/mnt/work --user=0:0 --entrypoint= \
                 --env=MUSTER_JOB_ID --env=PATH vision:2 train"
            ),
            "{words}"
        );
        assert!(!words.contains("/data/train:/data/train"), "the other is there: {words}");
    }
    let apptainer = words(Kind::Apptainer).unwrap();
    assert!(
        apptainer.ends_with(
            "--bind=/sets:/mnt:ro --bind=/other:/data/train --pwd=/mnt/work --writable-tmpfs \
             --fakeroot docker://vision:2 train"
        ),
        "{apptainer}"
    );
    assert!(words(Kind::Enroot).unwrap_err().detail.contains("entry point"));
    let container = Container { entrypoint: None, ..special() };
    let asked = Inside { special: Some(&container), ..inside("vision.sqsh") };
    let enroot = wrap(&[runtime(Kind::Enroot, "/bin/it")], &asked, &["train".to_owned()]).unwrap();
    let words = enroot.command.join(" ");
    assert!(words.contains("--mount /sets:/mnt:none:x-create=auto,rbind,ro "), "{words}");
    assert!(words.contains(" --rw --root "), "{words}");
    assert!(words.ends_with("vision.sqsh /bin/sh -c cd \"$0\" && exec \"$@\" /mnt/work train"));
}

#[test]
fn what_is_switched_off_is_told_too() {
    let off = Some(false);
    let container = Container { writable: off, remap_root: off, mount_home: off, ..special() };
    let asked = Inside { special: Some(&container), ..inside("vision") };
    let wrapped = |kind| wrap(&[runtime(kind, "/bin/it")], &asked, &[]);
    let podman = wrapped(Kind::Podman).unwrap().command.join(" ");
    assert!(podman.contains(" --read-only --userns=keep-id --entrypoint= "), "{podman}");
    assert!(!podman.contains("/people/user-a"), "{podman}");
    let docker = wrapped(Kind::Docker).unwrap().command.join(" ");
    assert!(docker.contains(" --user=1000:1000 "), "{docker}");
    let apptainer = wrapped(Kind::Apptainer).unwrap();
    assert!(apptainer.command.contains(&"--no-home".to_owned()));
    assert_eq!(apptainer.variables, [("APPTAINERENV_PATH".to_owned(), "v".to_owned())]);
}

#[test]
fn the_runtime_that_can_run_the_image_is_taken() {
    let both = [runtime(Kind::Podman, "/bin/podman"), runtime(Kind::Enroot, "/bin/enroot")];
    let wrapped = wrap(&both, &inside("/images/vision.sqsh"), &[]).unwrap();
    assert_eq!(wrapped.command[0], "/bin/enroot");
    let refused = wrap(&both[..1], &inside("/images/vision.sqsh"), &[]).unwrap_err();
    assert!(refused.detail.contains("podman, which cannot run"), "{refused:?}");
}
