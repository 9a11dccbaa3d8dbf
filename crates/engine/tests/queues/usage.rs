//! Usage in the books: what was used, by whom, in dominant terms, and how it fades.

use crate::support::*;

fn setup() -> Setup {
    cluster()
        .nodes("n", 2, "H100x8")
        .queue(queue("team"))
        .queue(queue("team/x"))
        .queue(queue("team/y"))
        .queue(queue("b"))
}

#[test]
fn usage_is_counted_in_gpu_seconds() {
    let mut c = setup().build();
    let job = c.run(gang(1, 6).queue("b"));
    c.advance(hours(2));
    c.finish(job);
    assert_eq!(c.gpu_seconds_of("b"), 6 * 2 * 3600);
    assert_eq!(c.gpu_seconds_of("team"), 0);
    c.advance(hours(2));
    assert_eq!(c.gpu_seconds_of("b"), 6 * 2 * 3600, "what has ended uses nothing");
}

#[test]
fn a_parent_uses_what_its_children_use() {
    let mut c = setup().build();
    let x = c.run(gang(1, 4).queue("team/x"));
    let y = c.run(gang(1, 2).queue("team/y"));
    c.advance(hours(1));
    c.finish(x);
    c.finish(y);
    assert_eq!(c.gpu_seconds_of("team/x"), 4 * 3600);
    assert_eq!(c.gpu_seconds_of("team/y"), 2 * 3600);
    assert_eq!(c.gpu_seconds_of("team"), 6 * 3600);
    assert_eq!(c.snapshot().usage_whole.total, 6 * 3600 * 1_000_000);
}

#[test]
fn what_is_borrowed_is_counted_to_who_borrowed() {
    let mut c = cluster()
        .nodes("n", 1, "H100x8")
        .queue(queue("owner").guarantee(quota(8)))
        .queue(queue("borrower"))
        .build();
    let job = c.run(gang(1, 8).queue("borrower"));
    c.advance(hours(1));
    c.finish(job);
    assert_eq!(c.gpu_seconds_of("borrower"), 8 * 3600);
    assert_eq!(c.gpu_seconds_of("owner"), 0);
}

#[test]
fn who_strands_gpus_by_its_cpus_pays_for_them() {
    let mut c = setup().build();
    let heavy = c.run(gang(1, 1).queue("b").cpus(128));
    c.advance(hours(1));
    c.finish(heavy);
    assert_eq!(c.gpu_seconds_of("b"), 8 * 3600, "half of all CPUs are half of all GPUs");
}

#[test]
fn who_strands_gpus_by_its_memory_pays_for_them() {
    let mut c = setup().build();
    let heavy = c.run(gang(1, 1).queue("b").memory(gib(512)));
    c.advance(hours(1));
    c.finish(heavy);
    assert_eq!(c.gpu_seconds_of("b"), 4 * 3600, "a quarter of all memory");
}

#[test]
fn an_attempt_that_was_refused_is_not_paid_for() {
    let mut c = setup().build();
    let job = c.submit(gang(1, 8).queue("b"));
    c.refuse(job, "n-1");
    c.confirm(job);
    c.advance(hours(1));
    c.finish(job);
    assert_eq!(c.gpu_seconds_of("b"), 8 * 3600);
}

#[test]
fn usage_fades_by_half_in_a_half_life() {
    let mut c = setup().policy(|policy| policy.usage_half_life = days(1)).build();
    let job = c.run(gang(1, 8).queue("b"));
    c.advance(minutes(10));
    c.finish(job);
    let fresh = c.decayed_gpu_seconds_of("b");
    assert!((4700..=4800).contains(&fresh), "{fresh}");
    c.advance(days(1));
    let other = c.run(gang(1, 1).queue("team/x"));
    c.finish(other);
    let job = c.run(gang(1, 1).queue("b"));
    c.finish(job);
    let faded = c.decayed_gpu_seconds_of("b");
    assert!((2350..=2400).contains(&faded), "{faded}");
    assert_eq!(c.gpu_seconds_of("b"), 4800, "the books themselves do not fade");
}

#[test]
fn what_has_run_for_very_long_counts_no_more_than_it_can() {
    let mut c = setup().policy(|policy| policy.usage_half_life = days(1)).build();
    let job = c.run(gang(1, 1).queue("b"));
    c.advance(days(29));
    c.finish(job);
    let mean_life = 86_400 * 1443 / 1000;
    let decayed = c.decayed_gpu_seconds_of("b");
    assert!(decayed <= mean_life && decayed * 100 >= mean_life * 98, "{decayed} of {mean_life}");
}
