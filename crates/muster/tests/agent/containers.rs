//! Jobs in containers, by a real Podman where the machine has one.

use std::sync::Arc;

use muster_api::duty::RunWork;
use muster_api::program::{Container, Mount};
use muster_api::report::Report;
use muster_api::{Program, Secret};
use muster_engine::command::Exit;

use crate::patience::await_some;
use crate::podman::{IMAGE, Podman};

use super::machine::{Machine, of, script};
use super::server::Server;

const LEASE_MS: u64 = 600_000;

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

/// A job finds the commands of its cluster, which it cannot change, and what it shows with them.
fn equipped(server: &Server) {
    let text = "#!/bin/sh\n\
                case \"$(squeue --version)\" in 'slurm '*) ;; *) exit 3;; esac\n\
                touch /usr/local/bin/srun 2>/dev/null && exit 4\n\
                while read -r line; do found=\"$found$line\"; done <\"$MUSTER_JOB_CREDENTIALS\"\n\
                case \"$found\" in *muster_job_made_up*) exit 7;; esac";
    let work = RunWork { token: Some(Secret::new("muster_job_made_up")), ..in_image(text) };
    server.run(of(10, 1), work);
    server.until_told(&Report::Ended { of: of(10, 1), exit: Exit::Code(7) });
}

/// The stories share one store: making it takes longer than any.
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
    if Podman::runs_ours() {
        equipped(&server);
    }

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
