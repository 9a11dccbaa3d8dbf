//! Guarantees: who is within one goes before all classes, and what is not used is lent.

use crate::support::*;

/// One node of eight GPUs, all in use by `b`; queue `a` is guaranteed four of them.
fn guaranteed(quota: Quota) -> (World, JobId) {
    let mut c = cluster()
        .nodes("n", 1, "H100x8")
        .queue(queue("a").guarantee(quota))
        .queue(queue("b"))
        .without_pausing()
        .build();
    let in_the_way = c.run(gang(1, 8).queue("b"));
    (c, in_the_way)
}

#[test]
fn a_guarantee_goes_before_every_class() {
    let (mut c, in_the_way) = guaranteed(quota(4));
    let high = c.submit(gang(1, 8).queue("b").class("inference"));
    let low = c.submit(gang(1, 4).queue("a").class("batch"));
    c.finish(in_the_way);
    assert_eq!((c.word(low), c.word(high)), ("launching", "queued"));
    assert!(c.decision(low).order.guaranteed);
}

#[test]
fn beyond_its_guarantee_a_queue_goes_by_class() {
    let (mut c, in_the_way) = guaranteed(quota(4));
    let within = c.submit(gang(1, 4).queue("a").class("batch"));
    let beyond = c.submit(gang(1, 4).queue("a").class("batch"));
    let high = c.submit(gang(1, 4).queue("b").class("express"));
    c.finish(in_the_way);
    assert_eq!(c.word(within), "launching");
    assert_eq!((c.word(beyond), c.word(high)), ("queued", "launching"));
}

#[test]
fn a_job_that_is_only_partly_within_a_guarantee_is_not_within_it() {
    let (mut c, in_the_way) = guaranteed(quota(4));
    let large = c.submit(gang(1, 5).queue("a").class("batch"));
    let high = c.submit(gang(1, 5).queue("b").class("express"));
    c.finish(in_the_way);
    assert_eq!((c.word(large), c.word(high)), ("queued", "launching"));
}

#[test]
fn preemptible_work_is_never_guaranteed() {
    let (mut c, in_the_way) = guaranteed(quota(8));
    let filler = c.submit(gang(1, 8).queue("a").class("preemptible"));
    let batch = c.submit(gang(1, 8).queue("b").class("batch"));
    c.finish(in_the_way);
    assert_eq!((c.word(filler), c.word(batch)), ("queued", "launching"));
}

#[test]
fn within_the_guarantee_classes_count_again() {
    let (mut c, in_the_way) = guaranteed(quota(8));
    let batch = c.submit(gang(1, 8).queue("a").class("batch"));
    let express = c.submit(gang(1, 8).queue("a").class("express"));
    c.finish(in_the_way);
    assert_eq!((c.word(batch), c.word(express)), ("queued", "launching"));
}

#[test]
fn what_is_guaranteed_and_not_used_is_lent() {
    let (c, in_the_way) = guaranteed(quota(8));
    assert_eq!(c.word(in_the_way), "running");
    assert_eq!(c.free_total(), 0);
}

#[test]
fn nothing_is_taken_from_who_borrowed() {
    let (mut c, in_the_way) = guaranteed(quota(8));
    let owner = c.submit(gang(1, 8).queue("a"));
    c.advance(hours(3));
    assert_eq!((c.word(owner), c.word(in_the_way)), ("queued", "running"));
    assert_eq!(c.codes(owner), ["gpus"]);
}

#[test]
fn a_guarantee_of_one_model_covers_that_model() {
    let mut c = cluster()
        .nodes("h", 1, "H100x8")
        .nodes("a", 1, "A100x8")
        .queue(queue("a").guarantee(Quota::default().model("H100", 8)))
        .queue(queue("b"))
        .build();
    let on_h = c.run(gang(1, 8).queue("b").models(["H100"]));
    let on_a = c.run(gang(1, 8).queue("b").models(["A100"]));
    let covered = c.submit(gang(1, 8).queue("a").class("batch").models(["H100"]));
    let not_covered = c.submit(gang(1, 8).queue("a").class("batch").models(["A100"]));
    let high_h = c.submit(gang(1, 8).queue("b").class("express").models(["H100"]));
    let high_a = c.submit(gang(1, 8).queue("b").class("express").models(["A100"]));
    c.finish(on_h);
    c.finish(on_a);
    assert_eq!((c.word(covered), c.word(high_h)), ("launching", "queued"));
    assert_eq!((c.word(not_covered), c.word(high_a)), ("queued", "launching"));
}

#[test]
fn nobody_gets_ahead_by_naming_a_guaranteed_model_that_is_not_wanted() {
    let mut c = cluster()
        .nodes("h", 1, "H100x8")
        .nodes("a", 1, "A100x8")
        .queue(queue("a").guarantee(Quota::default().model("H100", 8)))
        .queue(queue("b"))
        .build();
    let on_a = c.run(gang(1, 8).queue("b").models(["A100"]));
    c.run(gang(1, 8).queue("b").models(["H100"]));
    let sly = c.submit(gang(1, 8).queue("a").class("batch").models(["A100", "H100"]));
    let high = c.submit(gang(1, 8).queue("b").class("express").models(["A100"]));
    c.finish(on_a);
    assert_eq!((c.word(sly), c.word(high)), ("queued", "launching"));
}

#[test]
fn any_child_may_use_its_parents_guarantee() {
    let mut c = cluster()
        .nodes("n", 1, "H100x8")
        .queue(queue("team").guarantee(quota(4)))
        .queue(queue("team/x"))
        .queue(queue("team/y"))
        .queue(queue("b"))
        .build();
    let in_the_way = c.run(gang(1, 8).queue("b"));
    let high = c.submit(gang(1, 4).queue("b").class("express"));
    let x = c.submit(gang(1, 4).queue("team/x").class("batch"));
    let y = c.submit(gang(1, 4).queue("team/y").class("batch"));
    c.finish(in_the_way);
    assert_eq!(c.word(x), "launching", "within the parent's guarantee");
    assert_eq!((c.word(y), c.word(high)), ("queued", "launching"), "which is used up then");
}

#[test]
fn a_childs_guarantee_holds_though_its_parents_is_used_up() {
    let mut c = cluster()
        .without_pausing()
        .nodes("n", 1, "H100x8")
        .queue(queue("team").guarantee(quota(4)))
        .queue(queue("team/x").guarantee(quota(2)))
        .queue(queue("team/y"))
        .queue(queue("b"))
        .without_pausing()
        .build();
    let parts: Vec<JobId> = vec![c.run(gang(1, 4).queue("team/y")), c.run(gang(1, 4).queue("b"))];
    let high = c.submit(gang(1, 4).queue("b").class("express"));
    let x = c.submit(gang(1, 2).queue("team/x").class("batch"));
    c.finish(parts[1]);
    assert_eq!((c.word(x), c.word(high)), ("launching", "queued"));
}

#[test]
fn a_guarantee_that_is_given_back_counts_again() {
    let (mut c, in_the_way) = guaranteed(quota(4));
    let first = c.submit(gang(1, 4).queue("a").class("batch"));
    c.finish(in_the_way);
    let filler = c.run(gang(1, 4).queue("b"));
    c.confirm(first);
    let high = c.submit(gang(1, 4).queue("b").class("express"));
    let second = c.submit(gang(1, 4).queue("a").class("batch"));
    c.finish(filler);
    assert_eq!((c.word(high), c.word(second)), ("launching", "queued"), "the guarantee is in use");
    c.submit(gang(1, 4).queue("b").class("express"));
    c.finish(first);
    assert_eq!(c.word(second), "launching", "it is free again");
}

#[test]
fn one_pass_charges_the_guarantee_as_it_goes() {
    let (mut c, in_the_way) = guaranteed(quota(3));
    let ours: Vec<JobId> = (0..6).map(|_| c.submit(gang(1, 1).queue("a").class("batch"))).collect();
    let theirs: Vec<JobId> =
        (0..6).map(|_| c.submit(gang(1, 1).queue("b").class("express"))).collect();
    c.finish(in_the_way);
    let started = |c: &World, jobs: &[JobId]| jobs.iter().filter(|&&job| c.is_placed(job)).count();
    assert_eq!((started(&c, &ours), started(&c, &theirs)), (3, 5));
}

#[test]
fn a_guarantee_that_names_cpus_covers_no_more_cpus() {
    let (mut c, in_the_way) = guaranteed(quota(8).cpus(16));
    let heavy = c.submit(gang(1, 8).queue("a").class("batch").cpus(17));
    let high = c.submit(gang(1, 8).queue("b").class("express").cpus(17));
    c.finish(in_the_way);
    assert_eq!((c.word(heavy), c.word(high)), ("queued", "launching"));
}

#[test]
fn a_guarantee_of_gpus_does_not_guarantee_work_without_gpus() {
    let mut c = cluster()
        .cpu_nodes("c", 1, 64, gib(256))
        .nodes("n", 1, "H100x8")
        .queue(queue("a").guarantee(quota(4)))
        .queue(queue("b"))
        .build();
    let only_there = || gang(1, 0).cpus(64).only_on(nodes_where("@c-1"));
    let in_the_way = c.run(only_there().queue("b"));
    let low = c.submit(only_there().queue("a").class("batch"));
    let high = c.submit(only_there().queue("b").class("express"));
    c.finish(in_the_way);
    assert_eq!((c.word(low), c.word(high)), ("queued", "launching"));
}
