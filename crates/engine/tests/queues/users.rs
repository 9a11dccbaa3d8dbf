//! Limits per user within a queue and below it.

use crate::support::*;

fn setup(limit: Quota) -> Setup {
    cluster().nodes("n", 2, "H100x8").queue(queue("a").user_limit(limit)).queue(queue("b"))
}

fn of(user: &str, gpus: u32) -> JobSpec {
    gang(1, gpus).user(user).queue("a")
}

#[test]
fn no_user_exceeds_the_limit_of_its_queue() {
    check([
        case(
            "one user waits, another does not",
            setup(quota(4)),
            [
                job(of("user-a", 4), "n-1"),
                job(of("user-a", 1), "waits: user-limit"),
                job(of("user-b", 4), "n-1"),
            ],
        ),
        case(
            "the same user is not limited in another queue",
            setup(quota(4)),
            [job(of("user-a", 4), "n-1"), job(of("user-a", 4).queue("b"), "n-1")],
        ),
        case(
            "by model",
            cluster()
                .nodes("h", 1, "H100x8")
                .nodes("a", 1, "A100x8")
                .queue(queue("a").user_limit(Quota::default().model("H100", 2))),
            [
                job(of("user-a", 2).models(["H100"]), "h-1"),
                job(of("user-a", 2).models(["H100", "A100"]), "a-1"),
                job(of("user-a", 1).models(["H100"]), "waits: user-limit"),
                job(of("user-b", 1).models(["H100"]), "h-1"),
            ],
        ),
        case(
            "by CPUs",
            setup(Quota::default().cpus(16)),
            [
                job(of("user-a", 1).cpus(16), "n-1"),
                job(of("user-a", 1).cpus(1), "waits: user-limit"),
                job(of("user-b", 1).cpus(16), "n-1"),
            ],
        ),
        case(
            "the queue's own limit comes on top",
            setup(quota(4)).spec(|spec| spec.queues[0].limit = quota(6)),
            [
                job(of("user-a", 4), "n-1"),
                job(of("user-b", 4), "waits: queue-limit"),
                job(of("user-b", 2), "n-1"),
            ],
        ),
    ]);
}

#[test]
fn a_users_limit_holds_over_all_queues_below() {
    let tree = || {
        cluster()
            .nodes("n", 2, "H100x8")
            .queue(queue("team").user_limit(quota(4)))
            .queue(queue("team/x"))
            .queue(queue("team/y").user_limit(quota(1)))
    };
    check([
        case(
            "in both children together",
            tree(),
            [
                job(gang(1, 4).queue("team/x"), "n-1"),
                job(gang(1, 1).queue("team/y"), "waits: user-limit"),
                job(gang(1, 1).queue("team/y").user("user-b"), "n-1"),
            ],
        ),
        case(
            "the narrower limit of a child",
            tree(),
            [
                job(gang(1, 2).queue("team/y"), "waits: user-limit"),
                job(gang(1, 1).queue("team/y"), "n-1"),
                job(gang(1, 3).queue("team/x"), "n-1"),
            ],
        ),
    ]);
}

#[test]
fn the_reason_names_the_user_and_the_queue() {
    let mut c = setup(quota(4)).build();
    c.run(of("user-a", 3));
    let waiting = c.submit(of("user-a", 2));
    assert_eq!(
        c.reasons(waiting),
        [Reason::UserLimit {
            user: "user-a".into(),
            queue: "a".into(),
            resource: Resource::Gpus,
            limit: 4000,
            used: 3000,
            wanted: 2000,
        }]
    );
}

#[test]
fn one_pass_does_not_over_commit_the_limits_of_users() {
    let mut c = setup(quota(2)).build();
    let in_the_way = c.run(gang(2, 8).queue("b"));
    let mut jobs: Vec<(JobId, usize)> = Vec::new();
    for number in 0..24 {
        let user = number % 3;
        jobs.push((c.submit(of(&format!("user-{user}"), 1)), user));
    }
    c.forget_starts();
    c.finish(in_the_way);
    for user in 0..3 {
        let of_user = jobs.iter().filter(|(job, of)| *of == user && c.is_placed(*job)).count();
        assert_eq!(of_user, 2, "user-{user}");
    }
}

#[test]
fn what_a_user_gives_back_the_same_user_gets() {
    let mut c = setup(quota(4)).build();
    let a = c.run(of("user-a", 4));
    let next_of_a = c.submit(of("user-a", 4));
    let b = c.run(of("user-b", 4));
    c.finish(b);
    assert_eq!(c.word(next_of_a), "queued");
    c.finish(a);
    assert_eq!(c.word(next_of_a), "launching");
}

#[test]
fn a_user_at_the_limit_does_not_hold_up_others_of_the_same_shape() {
    let mut c = setup(quota(1)).build();
    c.run(of("user-a", 1));
    let waiting: Vec<JobId> = (0..5).map(|_| c.submit(of("user-a", 1))).collect();
    let other = c.submit(of("user-b", 1));
    assert_eq!(c.word(other), "launching");
    assert!(waiting.iter().all(|&job| c.word(job) == "queued"));
}
