//! Limits of queues: per model and in total, of GPUs, CPUs and memory, down the tree, and charged
//! inside the pass.

use crate::support::*;

fn two_nodes() -> Setup {
    cluster().nodes("n", 2, "H100x8")
}

fn of(queue: &str, tasks: u32, gpus: u32) -> JobSpec {
    gang(tasks, gpus).queue(queue)
}

#[test]
fn a_queue_never_exceeds_its_limit() {
    let limited = || two_nodes().queue(queue("a").limit(quota(8))).queue(queue("b"));
    check([
        case(
            "the limit is reached, and others go on",
            limited(),
            [
                job(of("a", 1, 8), "n-1"),
                job(of("a", 1, 1), "waits: queue-limit"),
                job(of("b", 1, 8), "n-2"),
            ],
        ),
        case(
            "a gang counts whole",
            limited(),
            [job(of("a", 2, 8), "waits: queue-limit"), job(of("a", 2, 4), "n-1:2")],
        ),
        case(
            "who is below the limit passes who is above it",
            limited(),
            [
                job(of("a", 1, 6), "n-1"),
                job(of("a", 1, 4), "waits: queue-limit"),
                job(of("a", 1, 2), "n-1"),
            ],
        ),
        case(
            "a class, however high, does not lift a limit",
            limited(),
            [
                job(of("a", 1, 8), "n-1"),
                job(of("a", 1, 1).class("inference"), "waits: queue-limit"),
            ],
        ),
        case(
            "an elastic gang counts with its fewest tasks",
            limited(),
            [job(of("a", 1, 4).elastic(2, 4), "n-1:2")],
        ),
    ]);
}

#[test]
fn a_limit_of_one_model_leaves_the_others() {
    let mixed = || {
        cluster()
            .nodes("h", 2, "H100x8")
            .nodes("a", 2, "A100x8")
            .queue(queue("q").limit(Quota::default().model("H100", 8)))
    };
    check([
        case(
            "the second choice where the first is at its limit",
            mixed(),
            [
                job(of("q", 1, 8).models(["H100", "A100"]), "h-1"),
                job(of("q", 1, 8).models(["H100", "A100"]), "a-1"),
            ],
        ),
        case(
            "no other choice",
            mixed(),
            [
                job(of("q", 1, 8).models(["H100"]), "h-1"),
                job(of("q", 1, 8).models(["H100"]), "waits: queue-limit"),
            ],
        ),
        case("a model without a limit", mixed(), [job(of("q", 2, 8).models(["A100"]), "a-1 a-2")]),
        case(
            "a limit in total besides the one by model",
            mixed().spec(|spec| spec.queues[0].limit = quota(12).model("H100", 8)),
            [
                job(of("q", 1, 8).models(["A100"]), "a-1"),
                job(of("q", 1, 8).models(["H100"]), "waits: queue-limit"),
                job(of("q", 1, 4).models(["H100"]), "h-1"),
            ],
        ),
    ]);
}

#[test]
fn cpus_and_memory_are_limited_too() {
    check([
        case(
            "CPUs",
            two_nodes().queue(queue("a").limit(Quota::default().cpus(64))),
            [
                job(of("a", 1, 1).cpus(40), "n-1"),
                job(of("a", 1, 1).cpus(25), "waits: queue-limit"),
                job(of("a", 1, 1).cpus(24), "n-1"),
            ],
        ),
        case(
            "memory",
            two_nodes().queue(queue("a").limit(Quota::default().memory(gib(100)))),
            [
                job(of("a", 2, 1).memory(gib(40)), "n-1:2"),
                job(of("a", 1, 1).memory(gib(21)), "waits: queue-limit"),
                job(of("a", 1, 1).memory(gib(20)), "n-1"),
            ],
        ),
        case(
            "work without GPUs is limited by its CPUs",
            two_nodes().queue(queue("a").limit(quota(0).cpus(8))),
            [
                job(of("a", 1, 0).cpus(8), "n-1"),
                job(of("a", 1, 0).cpus(1), "waits: queue-limit"),
                job(of("a", 1, 1).cpus(0), "waits: queue-limit"),
            ],
        ),
    ]);
}

#[test]
fn limits_hold_down_the_tree() {
    let tree = || {
        two_nodes()
            .queue(queue("team").limit(quota(8)))
            .queue(queue("team/x").limit(quota(6)))
            .queue(queue("team/y"))
            .queue(queue("other"))
    };
    check([
        case(
            "a child is limited by its own limit",
            tree(),
            [job(of("team/x", 1, 8), "waits: queue-limit"), job(of("team/x", 1, 6), "n-1")],
        ),
        case(
            "a child without a limit is limited by its parent's",
            tree(),
            [job(of("team/y", 2, 8), "waits: queue-limit"), job(of("team/y", 1, 8), "n-1")],
        ),
        case(
            "children share their parent's limit",
            tree(),
            [
                job(of("team/x", 1, 6), "n-1"),
                job(of("team/y", 1, 4), "waits: queue-limit"),
                job(of("team/y", 1, 2), "n-1"),
                job(of("team/x", 1, 1), "waits: queue-limit"),
                job(of("other", 1, 8), "n-2"),
            ],
        ),
    ]);
}

#[test]
fn the_reason_names_the_queue_whose_limit_it_is() {
    let mut c = two_nodes()
        .queue(queue("team").limit(quota(8)))
        .queue(queue("team/x"))
        .queue(queue("team/y"))
        .build();
    c.run(of("team/x", 1, 6));
    let waiting = c.submit(of("team/y", 1, 4));
    assert_eq!(
        c.reasons(waiting),
        [Reason::QueueLimit {
            queue: "team".into(),
            resource: Resource::Gpus,
            limit: 8000,
            used: 6000,
            wanted: 4000,
        }]
    );
    assert_eq!(c.reason_text(waiting), "queue team uses 6 of its 8 GPUs; 4 more are wanted");
}

#[test]
fn one_pass_does_not_over_commit_a_limit() {
    let mut c = two_nodes().queue(queue("a").limit(quota(3))).queue(queue("b")).build();
    let in_the_way = c.run(of("b", 2, 8));
    let jobs: Vec<JobId> = (0..10).map(|_| c.submit(of("a", 1, 1))).collect();
    let before = c.starts.len();
    c.finish(in_the_way);
    assert_eq!(c.starts.len() - before, 3);
    let waiting = jobs.iter().filter(|&&job| c.word(job) == "queued").count();
    assert_eq!(waiting, 7);
}

#[test]
fn one_pass_does_not_over_commit_the_limit_of_a_parent() {
    let mut c = two_nodes()
        .queue(queue("p").limit(quota(5)))
        .queue(queue("p/x").limit(quota(4)))
        .queue(queue("p/y").limit(quota(4)))
        .queue(queue("b"))
        .build();
    let in_the_way = c.run(of("b", 2, 8));
    for queue in ["p/x", "p/y"].iter().cycle().take(12) {
        c.submit(of(queue, 1, 1));
    }
    c.forget_starts();
    c.finish(in_the_way);
    assert_eq!(c.starts.len(), 5);
}

#[test]
fn gangs_of_several_sizes_in_one_pass_stay_below_the_limit() {
    let mut c = two_nodes().queue(queue("a").limit(quota(7))).queue(queue("b")).build();
    let in_the_way = c.run(of("b", 2, 8));
    let jobs =
        c.submit_all([4, 2, 2, 1, 3].map(|gpus| of("a", 1, gpus).estimate(hours(1), hours(1))));
    c.finish(in_the_way);
    let words: Vec<_> = jobs.iter().map(|&job| c.word(job)).collect();
    assert_eq!(words, ["queued", "launching", "launching", "launching", "queued"]);
    assert_eq!(c.free_total(), 11, "one, two and two of seven: three more would be eight");
}

#[test]
fn what_ends_is_given_back_to_its_queue() {
    let mut c = two_nodes().queue(queue("a").limit(quota(8))).build();
    let first = c.run(of("a", 1, 8));
    let second = c.submit(of("a", 1, 8));
    c.finish(first);
    assert_eq!(c.word(second), "launching");
    c.refuse(second, "n-1");
    assert_eq!(c.word(second), "launching", "tried again on the other node");
    assert_eq!(c.nodes_of(second), ["n-2"]);
}

#[test]
fn what_is_being_stopped_still_counts() {
    let mut c = two_nodes().queue(queue("a").limit(quota(8))).build();
    let first = c.run(of("a", 1, 8));
    let second = c.submit(of("a", 1, 8));
    c.cancel(first);
    assert_eq!(c.codes(second), ["queue-limit"]);
    c.stopped(first);
    assert_eq!(c.word(second), "launching");
}

#[test]
fn what_is_launching_counts() {
    let mut c = two_nodes().queue(queue("a").limit(quota(8))).build();
    let first = c.submit(of("a", 1, 8));
    let second = c.submit(of("a", 1, 1));
    assert_eq!(c.word(first), "launching");
    assert_eq!(c.codes(second), ["queue-limit"]);
}

#[test]
fn a_job_beyond_its_queues_limit_for_good_is_told_the_limit() {
    let mut c = two_nodes().queue(queue("a").limit(quota(4))).build();
    let never = c.submit(of("a", 1, 8));
    assert_eq!(c.reason_text(never), "queue a uses 0 of its 4 GPUs; 8 more are wanted");
}
