//! Reasons that are about one thing say so: one node is no nodes.

use crate::support::*;

/// Reasons whose every number is one where it can be, and what people read.
fn of_one() -> Vec<(Reason, &'static str)> {
    let limit = |resource: Resource, one: u64| Reason::QueueLimit {
        queue: "small".into(),
        resource,
        limit: one,
        used: one,
        wanted: one,
    };
    let user = Reason::UserLimit {
        user: "user-a".into(),
        queue: "small".into(),
        resource: Resource::Gpus,
        limit: 1000,
        used: 0,
        wanted: 2000,
    };
    let host = |tasks, fit, fit_by_gpus| Reason::HostResources { tasks, fit, fit_by_gpus };
    vec![
        (Reason::Throttle { most: 1 }, "its array runs 1 element, as many as it may"),
        (Reason::Pause { until: Time(9), failures: 1 }, "pauses until 9 after a failed launch"),
        (limit(Resource::Gpus, 1000), "queue small uses 1 of its 1 GPU; 1 more is wanted"),
        (
            limit(Resource::GpusOf("H100".into()), 1000),
            "queue small uses 1 of its 1 H100 GPU; 1 more is wanted",
        ),
        (limit(Resource::Cpus, 1000), "queue small uses 1 of its 1 CPU; 1 more is wanted"),
        (limit(Resource::Memory, 1), "queue small uses 1 of its 1 MiB of memory; 1 more is wanted"),
        (
            limit(Resource::Memory, 1000),
            "queue small uses 1000 of its 1000 MiB of memory; 1000 more are wanted",
        ),
        (user, "user-a uses 0 of 1 GPU allowed per user in queue small; 2 more are wanted"),
        (
            Reason::Impossible { tasks: 1, most: 0, nodes: 1 },
            "the only matching node could not hold its task even if empty",
        ),
        (
            Reason::Impossible { tasks: 2, most: 1, nodes: 1 },
            "the only matching node could hold 1 of its 2 tasks even if empty",
        ),
        (
            Reason::Impossible { tasks: 1, most: 0, nodes: 3 },
            "the 3 matching nodes could not hold its task even if empty",
        ),
        (Reason::Gpus { wanted: 1, free: 0 }, "needs 1 GPU; 0 are free"),
        (Reason::Gpus { wanted: 2, free: 1 }, "needs 2 GPUs; 1 is free"),
        (
            Reason::Fragments { tasks: 1, fit: 0, free: 1 },
            "1 GPU is free but in pieces: its task does not fit",
        ),
        (
            Reason::Fragments { tasks: 4, fit: 1, free: 6 },
            "6 GPUs are free but in pieces: 1 of its 4 tasks fit",
        ),
        (host(1, 0, 0), "CPUs and memory for its task are not free"),
        (host(4, 1, 0), "CPUs and memory are free for 1 of its 4 tasks"),
        (host(1, 0, 1), "GPUs for its task are free, CPUs and memory beside them are not"),
        (host(4, 0, 1), "GPUs for 1 task are free, CPUs and memory beside them for 0 of 4"),
        (host(4, 2, 3), "GPUs for 3 tasks are free, CPUs and memory beside them for 2 of 4"),
        (
            Reason::Making { victims: vec![JobId(3)], givers: vec![], due: Time(0) },
            "room is being made: job 3 gives way",
        ),
        (Reason::Occupied { by: vec![JobId(3)] }, "its own GPUs are used by job 3"),
    ]
}

#[test]
fn one_of_something_is_told_as_one() {
    for (reason, text) in of_one() {
        assert_eq!(reason.to_string(), text, "{reason:?}");
    }
}

/// A number that stands alone and is one.
fn is_one(word: &str) -> bool {
    word == "1"
}

#[test]
fn no_reason_that_is_told_has_one_of_many() {
    for (reason, _) in of_one() {
        let text = reason.to_string();
        let words: Vec<&str> = text.split([' ', ',', ';', ':']).collect();
        for pair in words.windows(2).filter(|pair| is_one(pair[0])) {
            let is_many = pair[1].ends_with('s') && pair[1] != "is";
            assert!(!is_many && pair[1] != "are", "{text}");
        }
    }
}

#[test]
fn a_whole_cluster_of_one_speaks_of_one() {
    let mut c = cluster().nodes("n", 1, "H100x2").build();
    c.run(gang(1, 1));
    let two = c.submit(gang(1, 2));
    assert_eq!(c.reason_text(two), "needs 2 GPUs; 1 is free");
    c.run(gang(1, 1));
    let one = c.submit(gang(1, 1));
    assert_eq!(c.reason_text(one), "needs 1 GPU; 0 are free");
    let never = c.submit(gang(1, 8));
    let only = "the only matching node could not hold its task even if empty";
    assert_eq!(c.reason_text(never), only);
}
