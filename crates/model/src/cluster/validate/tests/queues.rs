//! The tree of queues and its promises.

use super::{check, problems};
use crate::bound::MEMORY_MAX;
use crate::cluster::ClusterSpec;
use crate::queue::{QueueSpec, Quota};
use crate::unit::{Mib, MilliGpu};

fn queues(queues: impl IntoIterator<Item = QueueSpec>) -> ClusterSpec {
    ClusterSpec::default().queues(queues)
}

fn queue(name: &str) -> QueueSpec {
    QueueSpec::new(name)
}

fn gpus(gpus: u64) -> Quota {
    Quota::of_gpus(gpus)
}

#[test]
fn good_trees_are_accepted() {
    let deep = ["a", "a/b", "a/b/c", "a/b/c/d", "a/b/c/d/e"].map(QueueSpec::new);
    let many = (0..4096).map(|index| queue(&format!("queue-{index}")));
    let shared = [
        queue("a").guarantee(gpus(8).model("H100", 4)).limit(gpus(16)),
        queue("a/b").guarantee(gpus(5).model("H100", 4)),
        queue("a/c").guarantee(gpus(3)).weight(1_000_000),
    ];
    for cluster in [queues(deep), queues(many), queues(shared)] {
        assert_eq!(cluster.validate(), Ok(()));
    }
}

#[test]
fn bad_names_and_places_are_refused() {
    let form = "expected 1 to 5 names joined by `/`, each of 1 to 63 letters, digits, `.`, `_` or \
                `-`, starting with a letter or digit";
    assert_eq!(
        problems(&queues([queue("a/b/c/d/e/f")])),
        [format!("queues[0].name: `a/b/c/d/e/f` is not allowed; {form}")]
    );
    check([
        (queues([]), "queues: 0 queues is not allowed; expected 1 to 4096"),
        (
            queues((0..4097).map(|index| queue(&format!("queue-{index}")))),
            "queues: 4097 queues is not allowed; expected 1 to 4096",
        ),
        (
            queues([queue("a"), queue("a")]),
            "queues[1].name: `a` is not allowed; expected each only once",
        ),
        (
            queues([queue("a/b"), queue("a")]),
            "queues[0].name: `a/b` is not allowed; expected its parent a before it",
        ),
        (
            queues([queue("a"), queue("a/b/c")]),
            "queues[1].name: `a/b/c` is not allowed; expected its parent a/b before it",
        ),
    ]);
}

#[test]
fn bad_weights_and_amounts_are_refused() {
    let too_many = Quota { gpus: Some(MilliGpu(u64::MAX)), ..Quota::default() };
    check([
        (
            queues([queue("a").weight(0)]),
            "queues[0].weight: 0 is not allowed; expected 1 to 1000000",
        ),
        (
            queues([queue("a").weight(1_000_001)]),
            "queues[0].weight: 1000001 is not allowed; expected 1 to 1000000",
        ),
        (
            queues([queue("a").limit(too_many)]),
            "queues[0].limit.gpus: 18446744073709551.615 is not allowed; expected at most \
             1073741824",
        ),
        (
            queues([queue("a").user_limit(Quota::default().memory(Mib(MEMORY_MAX.0 + 1)))]),
            "queues[0].user_limit.memory: 1099511627777MiB is not allowed; expected at most 1EiB",
        ),
        (
            queues([queue("a").guarantee(Quota::default().model("H10", 8))]),
            "queues[0].guarantee.models: `H10` is not allowed; expected one of the 22 GPU models \
             of this cluster\nhint: did you mean H100?",
        ),
    ]);
}

#[test]
fn a_guarantee_beyond_its_own_limit_is_refused() {
    check([
        (
            queues([queue("a").guarantee(gpus(9)).limit(gpus(8))]),
            "queues[0].guarantee.gpus: 9 is not allowed; expected at most 8, the queue's limit",
        ),
        (
            queues([queue("a").guarantee(gpus(1).model("H100", 9)).limit(gpus(8))]),
            "queues[0].guarantee.models.H100: 9 is not allowed; expected at most 8, the queue's \
             limit",
        ),
        (
            queues([queue("a")
                .guarantee(Quota::default().cpus(65))
                .limit(Quota::default().cpus(64))]),
            "queues[0].guarantee.cpus: 65 is not allowed; expected at most 64, the queue's limit",
        ),
    ]);
}

#[test]
fn a_queue_that_cannot_keep_its_childrens_promises_is_refused() {
    let memory = |gib| Quota::default().memory(Mib::gib(gib));
    check([
        (
            queues([
                queue("a").guarantee(gpus(8)),
                queue("a/b").guarantee(gpus(5)),
                queue("a/c").guarantee(gpus(4)),
            ]),
            "queues[0].guarantee.gpus: 8 is not allowed; expected at least 9, what its children \
             are guaranteed together",
        ),
        (
            queues([queue("a").limit(gpus(8)), queue("a/b").guarantee(gpus(9))]),
            "queues[0].limit.gpus: 8 is not allowed; expected at least 9, what its children are \
             guaranteed together",
        ),
        (
            queues([
                queue("a").guarantee(memory(64)),
                queue("a/b"),
                queue("a/b/c").guarantee(memory(65)),
            ]),
            "queues[0].guarantee.memory: 64GiB is not allowed; expected at least 65GiB, what its \
             children are guaranteed together",
        ),
        (
            queues([
                queue("a").guarantee(gpus(8).model("H100", 2)),
                queue("a/b").guarantee(Quota::default().model("H100", 3)),
                queue("ab").guarantee(gpus(100)),
            ]),
            "queues[0].guarantee.models.H100: 2 is not allowed; expected at least 3, what its \
             children are guaranteed together",
        ),
    ]);
}
