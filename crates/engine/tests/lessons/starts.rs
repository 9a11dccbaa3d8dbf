//! Starts are whole, confirmed, and never undone by news of an older attempt.

use crate::support::*;

#[test]
fn a_gang_is_not_running_before_every_node_has_confirmed() {
    let mut c = racks("r1: 8 8 8").build();
    let a = c.submit(gang(3, 8));
    for node in ["r1-1", "r1-2"] {
        c.confirm_on(a, node);
        assert_eq!(c.word(a), "launching");
    }
    c.confirm_on(a, "r1-3");
    assert_eq!(c.word(a), "running");
}

#[test]
fn every_node_of_a_gang_is_asked_in_the_step_that_places_it() {
    let mut c = racks("r1: 8 8 8").build();
    let actions = c.step(Command::Submit { spec: gang(3, 8).into() });
    let asked = actions.iter().filter(|action| matches!(action, Action::Launch { .. })).count();
    assert_eq!(asked, 3);
}

#[test]
fn a_late_report_of_an_older_attempt_does_not_touch_the_new_one() {
    let mut c = racks("r1: 8").build();
    let a = c.run(gang(1, 8));
    let old = c.attempt(a);
    c.requeue(a);
    c.stopped(a);
    c.confirm(a);
    let node = c.node("r1-1");
    for exit in [Exit::Code(0), Exit::Code(1), Exit::Stopped] {
        let actions = c.tell(Command::Ended { node, job: a, attempt: old, exit });
        assert_eq!(actions, []);
    }
    assert_eq!(c.word(a), "running");
    assert_ne!(c.attempt(a), old);
}

#[test]
fn without_pausing_nothing_that_runs_is_taken_away_for_anyone() {
    let mut c = racks("r1: 8")
        .queue(queue("default"))
        .queue(queue("owner").guarantee(quota(8)))
        .policy(|policy| policy.floor = floor(100, minutes(10), minutes(10)))
        .without_pausing()
        .build();
    let low = c.run(gang(1, 8).class("preemptible").limit(days(2)));
    c.submit(gang(1, 8).class("inference"));
    c.submit(gang(1, 8).queue("owner"));
    let urgent = gang(1, 8).estimate(hours(1), hours(1)).deadline(Time(hours(2).0));
    c.submit(urgent);
    c.advance(days(1));
    assert_eq!(c.word(low), "running");
}

#[test]
fn a_wide_gang_is_not_starved_by_small_jobs() {
    let mut c = racks("r1: 8 8")
        .obedient()
        .policy(|policy| {
            policy.limit_max = hours(1);
            policy.floor = floor(5, hours(2), hours(1));
        })
        .build();
    let wide = c.submit(gang(2, 8).class("batch"));
    assert_eq!(c.word(wide), "running");
    c.cancel(wide);
    for _ in 0..16 {
        c.submit_for(gang(1, 1), minutes(50));
    }
    let wide = c.submit_for(gang(2, 8).class("batch"), minutes(30));
    for _ in 0..24 {
        c.submit_for(gang(1, 1), minutes(50));
        c.submit_for(gang(1, 1), minutes(50));
        c.advance(minutes(10));
    }
    assert_eq!(c.word(wide), "completed");
}

#[test]
fn nodes_are_held_by_when_their_jobs_really_end_and_not_by_a_guess() {
    let mut c =
        racks("r1: 8 8").policy(|policy| policy.floor = floor(100, hours(1), hours(1))).build();
    let on = |node: &str| nodes_where(&format!("@{node}"));
    c.run(gang(1, 8).limit(hours(20)).only_on(on("r1-1")));
    c.run(gang(1, 8).limit(hours(2)).only_on(on("r1-2")));
    let waiting = c.submit(gang(1, 8));
    c.advance(hours(1));
    assert_eq!(c.claim_of(waiting), ["r1-2"]);
}
