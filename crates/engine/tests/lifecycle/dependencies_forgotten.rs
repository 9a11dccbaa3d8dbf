//! Dependencies on jobs that are over for so long that they are forgotten.

use super::support::restart;
use crate::support::*;

/// One node, on which jobs that are over are remembered for an hour.
fn forgetful() -> World {
    cluster().nodes("n", 1, "H100x8").policy(|policy| policy.remember_ended = hours(1)).build()
}

fn after(text: &str) -> JobSpec {
    let mut spec = gang(1, 1);
    spec.after = vec![text.parse().expect("a dependency")];
    spec
}

#[test]
fn one_of_several_that_can_no_longer_do_is_left_out_and_may_be_forgotten() {
    for restarted in [false, true] {
        let mut c = forgetful();
        let failed = c.run(gang(1, 1));
        let held = c.submit(gang(1, 1).hold());
        let job = c.submit(after("afterok:1?afterok:2"));
        c.end(failed, Exit::Code(1));
        let left = Predecessor::new(held, DependencyKind::AfterOk);
        assert_eq!(c.record(job).unmet, gang(1, 1).after_any_of([left]).after);
        if restarted {
            restart(&mut c);
        }
        c.advance(hours(2));
        c.release(held);
        c.confirm(held);
        assert_eq!(c.word(job), "waiting");
        c.finish(held);
        assert_eq!(c.word(job), "launching");
    }
}

#[test]
fn an_element_that_is_forgotten_is_refused_while_the_rest_of_its_array_is_known() {
    let mut c = forgetful();
    c.submit(gang(1, 1).array([0, 1]));
    [2, 3].iter().for_each(|&job| drop(c.confirm(JobId(job))));
    c.finish(JobId(2));
    c.advance(hours(2));
    let errors = c.try_submit(after("afterok:1_0")).unwrap_err();
    assert_eq!((errors[0].field.as_str(), errors[0].value.as_str()), ("after[0]", "1_0"));
    let job = c.submit(after("afterok:1_1"));
    c.finish(JobId(3));
    assert_eq!(c.word(job), "launching");
}

#[test]
fn who_waits_for_a_whole_array_does_not_mind_forgotten_elements() {
    let mut c = forgetful();
    c.submit(gang(1, 1).array([0, 1]));
    [2, 3].iter().for_each(|&job| drop(c.confirm(JobId(job))));
    c.finish(JobId(2));
    c.advance(hours(2));
    let job = c.submit(after("afterok:1"));
    c.finish(JobId(3));
    assert_eq!(c.word(job), "launching");
}

#[test]
fn a_job_whose_dependency_is_long_forgotten_can_be_given_another_time() {
    let mut c = forgetful();
    let first = c.run(gang(1, 1));
    let job = c.submit(after("afterok:1"));
    c.finish(first);
    c.confirm(job);
    c.advance(hours(2));
    let mut spec = JobSpec::clone(&c.record(job).spec);
    spec.timing.limit = Some(hours(9));
    let actions = c.tell(Command::Amend { job, spec: spec.into() });
    assert!(matches!(actions[..], [Action::Amended { .. }, ..]), "{actions:?}");
}
