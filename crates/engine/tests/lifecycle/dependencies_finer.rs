//! Dependencies on one element, on the element of the same index, with a delay, and on whichever
//! of several jobs gets there first.

use DependencyKind::{After, AfterAny, AfterOk};

use super::support::{nodes, restart};
use crate::support::*;

fn after(text: &str) -> JobSpec {
    let mut spec = gang(1, 1);
    spec.after = vec![text.parse().expect("a dependency")];
    spec
}

/// What becomes of a job with a dependency while the others, jobs 1 to 5 with an array of the
/// indexes 2 and 7 as job 3, meet their fates; in each row also after a restart.
#[test]
fn one_element_or_one_of_several_is_enough() {
    #[derive(Clone, Copy, Debug)]
    enum Fate {
        Succeeds(u64),
        Fails(u64),
    }
    use Fate::{Fails, Succeeds};
    let cases: [(&str, &[Fate], &str); 10] = [
        ("afterok:3_2", &[Succeeds(4)], "launching"),
        ("afterok:3_2", &[Succeeds(5)], "waiting"),
        ("afterok:3_7", &[Succeeds(4), Fails(5)], "dependency-failed"),
        ("afternotok:3_7", &[Fails(5)], "launching"),
        ("afterok:1?afterok:2", &[], "waiting"),
        ("afterok:1?afterok:2", &[Succeeds(2)], "launching"),
        ("afterok:1?afterok:2", &[Fails(1)], "waiting"),
        ("afterok:1?afterok:2", &[Fails(1), Succeeds(2)], "launching"),
        ("afterok:1?afterok:2", &[Fails(1), Fails(2)], "dependency-failed"),
        ("afterok:1?afterok:3_2?afternotok:2", &[Fails(1), Succeeds(2), Succeeds(4)], "launching"),
    ];
    for (text, fates, expected) in cases {
        for restarted in [false, true] {
            let mut c = nodes(1);
            let jobs = [c.submit(gang(1, 1)), c.submit(gang(1, 1))];
            c.submit(gang(1, 1).array([2, 7]));
            for job in jobs.into_iter().chain([JobId(4), JobId(5)]) {
                c.confirm(job);
            }
            let last = c.submit(after(text));
            for fate in fates {
                match *fate {
                    Succeeds(job) => c.end(JobId(job), Exit::Code(0)),
                    Fails(job) => c.end(JobId(job), Exit::Code(1)),
                };
                if restarted {
                    restart(&mut c);
                }
            }
            assert_eq!(c.word(last), expected, "{text} {fates:?} restarted: {restarted}");
        }
    }
}

#[test]
fn each_element_waits_for_the_one_of_its_index() {
    let mut c = nodes(1);
    c.submit(gang(1, 1).array([2, 7, 9]));
    [2, 3, 4].iter().for_each(|&job| drop(c.confirm(JobId(job))));
    c.submit(after("aftercorr:1").array([2, 9]));
    let (second, ninth) = (JobId(6), JobId(7));
    c.finish(JobId(4));
    assert_eq!((c.word(second), c.word(ninth)), ("waiting", "launching"));
    assert_eq!(
        c.reasons(second),
        [Reason::Dependency { on: JobId(2), kind: AfterOk, others: 0 }],
        "the reason names the element"
    );
    c.end(JobId(2), Exit::Code(1));
    assert_eq!(c.word(second), "dependency-failed");
}

#[test]
fn a_delay_counts_from_the_start_of_the_other_job() {
    for restarted in [false, true] {
        let mut c = nodes(1);
        let first = c.submit(gang(1, 1));
        c.confirm(first);
        c.advance(minutes(4));
        let soon = c.submit(after("after:1+10m"));
        let (late, at_once) = (c.submit(after("after:1+15m")), c.submit(after("after:1+3m")));
        assert_eq!(c.word(at_once), "launching", "it has run longer than that");
        assert_eq!(c.word(soon), "waiting");
        c.confirm(at_once);
        if restarted {
            restart(&mut c);
        }
        c.advance(minutes(6));
        assert_eq!((c.word(soon), c.word(late)), ("launching", "waiting"));
        c.confirm(soon);
        c.advance(minutes(5));
        assert_eq!(c.word(late), "launching");
    }
}

#[test]
fn a_delay_counts_from_now_for_what_just_started_and_never_shortens_an_earliest_start() {
    let mut c = nodes(1);
    let first = c.submit(gang(1, 1).hold());
    let soon = c.submit(after("after:1+1m"));
    let late = c.submit(after("after:1+1m").begin(Time(c.now().0 + 3_600_000)));
    c.advance(minutes(30));
    c.release(first);
    c.confirm(first);
    assert_eq!(c.word(soon), "waiting");
    c.advance(minutes(1));
    assert_eq!((c.word(soon), c.word(late)), ("launching", "waiting"));
    c.confirm(soon);
    c.advance(minutes(29));
    assert_eq!(c.word(late), "launching");
}

#[test]
fn the_first_of_several_is_named_with_how_many_others_would_do() {
    let mut c = nodes(1);
    let jobs = [1, 2, 3].map(|_| c.submit(gang(1, 1).hold()));
    let several = [
        Predecessor::new(jobs[0], AfterAny),
        Predecessor::new(jobs[1], After),
        Predecessor::new(jobs[2], After),
    ];
    let last = c.submit(gang(1, 1).after_any_of(several));
    assert_eq!(c.reasons(last), [Reason::Dependency { on: jobs[0], kind: AfterAny, others: 2 }]);
    c.release(jobs[2]);
    c.confirm(jobs[2]);
    assert_eq!(c.word(last), "launching");
}

#[test]
fn elements_that_are_not_there_are_refused() {
    let mut c = nodes(1);
    c.submit(gang(1, 1).array([2, 7]));
    c.submit(gang(1, 1));
    let cases = [
        (after("afterok:1_3"), "1_3"),
        (after("afterok:4_0"), "4_0"),
        (after("afterok:4?afterok:1_3"), "1_3"),
        (after("aftercorr:1").array([7, 8]), "1_8"),
    ];
    for (spec, value) in cases {
        let errors = c.try_submit(spec).unwrap_err();
        assert_eq!(errors[0].field, "after[0]");
        assert_eq!(errors[0].value, value, "{errors:?}");
    }
}
