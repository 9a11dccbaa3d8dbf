//! Queues and users at their limits: which limit, of what, how much is used and wanted.

use crate::support::*;

fn at_queue(queue: &str, resource: Resource, numbers: [u64; 3]) -> Reason {
    let [limit, used, wanted] = numbers;
    Reason::QueueLimit { queue: queue.into(), resource, limit, used, wanted }
}

fn two_nodes(queues: impl IntoIterator<Item = QueueSpec>) -> World {
    let setup = cluster().nodes("n", 2, "H100x8");
    queues.into_iter().fold(setup, Setup::queue).build()
}

#[test]
fn each_limited_resource_is_named_with_its_numbers() {
    let of_h100 = Resource::GpusOf("H100".into());
    let gpus_of = Quota::default().model("H100", 6);
    let cpus = Quota::default().cpus(20);
    let memory = Quota::default().memory(gib(100));
    let cases = [
        (quota(6), Resource::Gpus, [6_000, 4_000, 4_000]),
        (gpus_of, of_h100, [6_000, 4_000, 4_000]),
        (cpus, Resource::Cpus, [20_000, 16_000, 16_000]),
        (memory, Resource::Memory, [102_400, 65_536, 65_536]),
    ];
    for (limit, resource, numbers) in cases {
        let mut c = two_nodes([queue("default").limit(limit)]);
        c.run(gang(1, 4));
        let job = c.submit(gang(2, 2));
        assert_eq!(c.reasons(job), [at_queue("default", resource, numbers)]);
    }
}

#[test]
fn a_limit_above_the_queue_is_named_with_its_own_queue() {
    let mut c = two_nodes([
        queue("research").limit(quota(6)),
        queue("research/vision").limit(quota(5)),
        queue("research/speech"),
    ]);
    c.run(gang(1, 4).queue("research/speech"));
    let job = c.submit(gang(1, 4).queue("research/vision"));
    assert_eq!(c.reasons(job), [at_queue("research", Resource::Gpus, [6_000, 4_000, 4_000])]);
}

#[test]
fn of_two_limits_in_the_way_the_nearer_is_named() {
    let mut c =
        two_nodes([queue("research").limit(quota(3)), queue("research/vision").limit(quota(2))]);
    let job = c.submit(gang(1, 4).queue("research/vision"));
    assert_eq!(c.reasons(job), [at_queue("research/vision", Resource::Gpus, [2_000, 0, 4_000])]);
}

#[test]
fn a_limit_per_user_names_the_user_and_the_queue_that_sets_it() {
    let mut c = two_nodes([
        queue("research").user_limit(quota(6)),
        queue("research/vision"),
        queue("research/speech"),
    ]);
    c.run(gang(1, 4).queue("research/vision").user("user-b"));
    let other_queue = c.submit(gang(1, 4).queue("research/speech").user("user-b"));
    let expected = Reason::UserLimit {
        user: "user-b".into(),
        queue: "research".into(),
        resource: Resource::Gpus,
        limit: 6_000,
        used: 4_000,
        wanted: 4_000,
    };
    assert_eq!(c.reasons(other_queue), [expected]);
    let other_user = c.submit(gang(1, 4).queue("research/speech").user("user-a"));
    assert_eq!(c.word(other_user), "launching");
}

#[test]
fn a_limit_is_named_before_a_lack_of_room() {
    let mut c = two_nodes([queue("default").limit(quota(8)), queue("other")]);
    c.run(gang(1, 8).queue("other"));
    c.run(gang(1, 8));
    let job = c.submit(gang(1, 4));
    assert_eq!(c.codes(job), ["queue-limit"]);
}

#[test]
fn a_model_within_its_limit_is_tried_though_another_is_at_its_own() {
    let mut c = cluster()
        .queue(queue("default").limit(Quota::default().model("H100", 0)))
        .nodes("h", 1, "H100x8")
        .nodes("a", 1, "A100x8")
        .build();
    let job = c.submit(gang(1, 4).models(["H100", "A100"]));
    assert_eq!(c.nodes_of(job), ["a-1"]);
    let next = c.submit(gang(1, 8).models(["H100", "A100"]));
    assert_eq!(c.codes(next), ["gpus"], "the model that is allowed is what is missing");
}

#[test]
fn a_limit_lowered_below_what_is_used_stops_nobody_and_lets_nobody_in() {
    let mut c = two_nodes([queue("default").limit(quota(16))]);
    let running = c.run(gang(1, 8));
    c.set_queue(queue("default").limit(quota(4)));
    let job = c.submit(gang(1, 1));
    assert_eq!(c.word(running), "running");
    assert_eq!(c.reasons(job), [at_queue("default", Resource::Gpus, [4_000, 8_000, 1_000])]);
}

#[test]
fn a_limit_on_the_only_model_that_could_hold_it_is_the_reason() {
    let mut c = cluster()
        .queue(queue("default").limit(Quota::default().model("H100", 8)))
        .nodes("h", 2, "H100x8")
        .nodes("a", 1, "A100x4")
        .build();
    c.run(gang(1, 8).models(["H100"]));
    let job = c.submit(gang(1, 8));
    let h100 = Resource::GpusOf("H100".into());
    assert_eq!(c.reasons(job), [at_queue("default", h100, [8_000, 8_000, 8_000])]);
    assert!(c.why(job).estimated_start.is_some(), "it starts when quota is back");
}
