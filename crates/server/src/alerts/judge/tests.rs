//! Alerts as stories: at some minute something is true, and this is what is told then.

use muster_api::view::{AlertKind, AlertState};
use muster_model::{Millis, Time};

use super::Alerts;
use crate::alerts::facts::{Busy, Facts, Job, Spent, Waiting};
use crate::alerts::settings::{AlertRule, Period};
use crate::prices::Price;

const MINUTE: u64 = 60_000;

fn rule(kind: AlertKind) -> AlertRule {
    AlertRule { webhook: Some("http://127.0.0.1:9".to_owned()), ..AlertRule::new(kind) }
}

fn job(id: u64, gpus: u64) -> Job {
    let (name, user, queue) = ("train".to_owned(), "ada".to_owned(), "vision".to_owned());
    Job { id, name, user, team: Some("lab".to_owned()), queue, gpus_milli: gpus * 1000 }
}

fn busy(id: u64, busy_milli: Option<u32>) -> Facts {
    Facts { running: vec![Busy { job: job(id, 8), busy_milli }], ..Facts::default() }
}

fn waits(waiting: Waiting, largest_gpus: u64) -> Facts {
    Facts { waiting: vec![waiting], largest_gpus, ..Facts::default() }
}

fn ill(nodes: &[&str]) -> Facts {
    let ill = nodes.iter().map(|node| ((*node).to_owned(), "is gone".to_owned()));
    Facts { ill_nodes: ill.collect(), ..Facts::default() }
}

fn spent(hours: u64, money: Option<u64>) -> Facts {
    let spent = Spent { gpu_ms: hours * 60 * MINUTE, money: money.map(|it| Price(it * 1_000_000)) };
    let currency = Some("EUR".to_owned());
    Facts { spent: [("budget".to_owned(), spent)].into(), currency, ..Facts::default() }
}

/// Plays facts through one rule; each minute says who hears what, and all of it arrives.
fn story(rule: &AlertRule, minutes: &[(u64, Facts)]) -> Vec<(u64, String)> {
    let (mut alerts, mut told) = (Alerts::default(), Vec::new());
    for (minute, facts) in minutes {
        let now = Time(minute * MINUTE);
        alerts.judge(std::slice::from_ref(rule), &Facts { now, ..facts.clone() });
        for errand in alerts.errands(now) {
            told.push((*minute, format!("{} {}", errand.view.state, errand.view.text)));
            alerts.brought(&errand, now, Ok(()));
        }
    }
    told
}

/// One that is told when it has been so for long enough, and when it is over.
fn check(name: &str, rule: &AlertRule, minutes: &[(u64, Facts)], expected: &[(u64, &str)]) {
    let told = story(rule, minutes);
    let told: Vec<(u64, &str)> = told.iter().map(|(at, text)| (*at, text.as_str())).collect();
    assert_eq!(told, expected, "{name}");
}

#[test]
fn one_gpu_and_one_node_are_told_as_one() {
    let at_once = |kind| AlertRule { lasts: Some(Millis(0)), ..rule(kind) };
    let running = vec![Busy { job: job(7, 1), busy_milli: Some(5) }];
    check(
        "an idle job",
        &at_once(AlertKind::IdleAllocation),
        &[(0, Facts { running, ..Facts::default() })],
        &[(0, "firing job 7 `train` of ada holds 1 GPU that computed 0.5% of the time lately")],
    );
    let gang = |held| Waiting { job: job(9, 1), held, ..Waiting::default() };
    check(
        "a job that would fit",
        &at_once(AlertKind::StuckGang),
        &[(0, waits(gang(0), 1))],
        &[(0, "firing job 9 `train` waits for 1 GPU while 1 is free")],
    );
    check(
        "a job that a node is held for",
        &at_once(AlertKind::StuckGang),
        &[(0, waits(gang(1), 0))],
        &[(0, "firing job 9 `train` waits while 1 node is held for it")],
    );
}

#[test]
fn each_kind_is_told_when_it_has_lasted_and_when_it_is_over() {
    let calm = Facts::default;
    let idle = "job 7 `train` of ada holds 8 GPUs that computed 0.5% of the time lately";
    check(
        "idle for half an hour",
        &rule(AlertKind::IdleAllocation),
        &[(0, busy(7, Some(5))), (29, busy(7, Some(5))), (30, busy(7, Some(5))), (40, calm())],
        &[(30, &format!("firing {idle}")), (40, &format!("resolved {idle}"))],
    );
    check(
        "who computes in between begins anew",
        &rule(AlertKind::IdleAllocation),
        &[(0, busy(7, Some(5))), (20, busy(7, Some(900))), (31, busy(7, Some(5)))],
        &[],
    );
    let low =
        AlertRule { percent: Some(50), lasts: Some(Millis(0)), ..rule(AlertKind::LowActivity) };
    check(
        "low activity has its own bound",
        &low,
        &[(0, busy(7, Some(500))), (1, busy(7, Some(499)))],
        &[(1, "firing job 7 `train` of ada holds 8 GPUs that computed 49.9% of the time lately")],
    );
    let gang = |held| Waiting { job: job(9, 16), held, ..Waiting::default() };
    let stuck = AlertRule { lasts: Some(Millis::minutes(10)), ..rule(AlertKind::StuckGang) };
    check(
        "a gang that would fit is stuck, one that would not waits its turn",
        &stuck,
        &[(0, waits(gang(0), 15)), (20, waits(gang(0), 16)), (30, waits(gang(0), 16))],
        &[(30, "firing job 9 `train` waits for 16 GPUs while 16 are free")],
    );
    check(
        "nodes that are held for long are told whatever is free",
        &stuck,
        &[(0, waits(gang(2), 0)), (10, waits(gang(2), 0))],
        &[(10, "firing job 9 `train` waits while 2 nodes are held for it")],
    );
    let latest = Some(Time(100 * MINUTE));
    let bound = || waits(Waiting { job: job(9, 16), latest, ..Waiting::default() }, 0);
    check(
        "a bound is told when it is an hour away",
        &rule(AlertKind::FloorNear),
        &[(39, bound()), (40, bound())],
        &[(40, "firing job 9 `train` is to start by 1970-01-01T01:40:00.000Z and still waits")],
    );
    check(
        "each node by itself",
        &rule(AlertKind::UnhealthyNode),
        &[(0, ill(&["a"])), (3, ill(&["a", "b"])), (5, ill(&["a", "b"])), (8, ill(&["b"]))],
        &[
            (5, "firing node a is gone"),
            (8, "resolved node a is gone"),
            (8, "firing node b is gone"),
        ],
    );
    let hours = AlertRule {
        team: Some("lab".to_owned()),
        gpu_hours: Some(100),
        per: Some(Period::Day),
        ..rule(AlertKind::Budget)
    };
    check(
        "a budget in hours is told once it is exceeded, and over with the day",
        &hours,
        &[(0, spent(100, None)), (1, spent(101, None)), (2, spent(0, None))],
        &[
            (1, "firing team lab has used 101 GPU-hours today, more than 100"),
            (2, "resolved team lab has used 101 GPU-hours today, more than 100"),
        ],
    );
    let money = AlertRule { gpu_hours: None, money: Some(Price(5_000_000)), per: None, ..hours };
    check(
        "a budget in money needs prices",
        &money,
        &[(0, spent(9, None)), (1, spent(9, Some(5))), (2, spent(9, Some(6)))],
        &[(2, "firing team lab has used GPUs for 6 EUR this month, more than 5")],
    );
}

#[test]
fn who_is_not_asked_about_is_left_out() {
    let other = AlertRule {
        team: Some("other".to_owned()),
        lasts: Some(Millis(0)),
        ..rule(AlertKind::IdleAllocation)
    };
    check("another team's", &other, &[(0, busy(7, Some(0)))], &[]);
}

#[test]
fn what_nobody_measured_stays_as_it_is() {
    let idle = rule(AlertKind::IdleAllocation);
    let minutes = [
        (0, busy(7, None)),
        (40, busy(7, Some(0))),
        (60, busy(7, None)),
        (70, busy(7, Some(0))),
        (80, busy(7, None)),
        (90, busy(7, Some(800))),
    ];
    let at: Vec<u64> = story(&idle, &minutes).into_iter().map(|(minute, _)| minute).collect();
    assert_eq!(at, [70, 90], "not measured is neither idle nor over");
}

#[test]
fn who_was_told_is_told_again_after_the_interval_and_not_before() {
    let often = AlertRule { repeat: Some(Millis::minutes(30)), ..rule(AlertKind::UnhealthyNode) };
    let minutes: Vec<(u64, Facts)> = (0..=70).map(|minute| (minute, ill(&["a"]))).collect();
    let at = |rule: &AlertRule| -> Vec<u64> {
        story(rule, &minutes).into_iter().map(|(minute, _)| minute).collect()
    };
    assert_eq!(at(&often), [5, 35, 65]);
    let never = AlertRule { repeat: Some(Millis(0)), ..often };
    assert_eq!(at(&never), [5]);
}

#[test]
fn word_that_cannot_be_brought_is_tried_again_with_longer_rests() {
    let rule = AlertRule { lasts: Some(Millis(0)), ..rule(AlertKind::UnhealthyNode) };
    let (mut alerts, mut tries) = (Alerts::default(), Vec::new());
    for second in 0..1000 {
        let now = Time(second * 1000);
        alerts.judge(std::slice::from_ref(&rule), &Facts { now, ..ill(&["a"]) });
        for errand in alerts.errands(now) {
            tries.push(second);
            alerts.brought(&errand, now, Err("nobody is there".to_owned()));
        }
    }
    assert_eq!(tries, [0, 1, 3, 7, 15, 31, 63, 127, 255, 511, 811]);
    assert_eq!(alerts.views()[0].failure.as_deref(), Some("nobody is there"));
}

#[test]
fn what_is_over_before_anyone_heard_of_it_is_still_told() {
    let rule = AlertRule { lasts: Some(Millis(0)), ..rule(AlertKind::UnhealthyNode) };
    let rules = std::slice::from_ref(&rule);
    let mut alerts = Alerts::default();
    alerts.judge(rules, &Facts { now: Time(0), ..ill(&["a"]) });
    let errand = alerts.errands(Time(0)).pop().expect("it is owed");
    alerts.judge(rules, &Facts { now: Time(1), ..Facts::default() });
    // The first word arrives only now: that it is over is owed all the same.
    alerts.brought(&errand, Time(2), Ok(()));
    let errand = alerts.errands(Time(2)).pop().expect("its end is owed");
    assert_eq!(errand.view.state, AlertState::Resolved);
    alerts.brought(&errand, Time(3), Ok(()));
    assert_eq!(alerts.errands(Time(10_000)), []);
    assert_eq!(alerts.views().len(), 1, "it is listed for a while");
    let now = Time(25 * 60 * MINUTE);
    alerts.judge(rules, &Facts { now, ..Facts::default() });
    assert_eq!(alerts.views(), []);
}

#[test]
fn state_that_was_kept_and_read_again_tells_nothing_twice_and_forgets_nothing() {
    let rule = AlertRule { lasts: Some(Millis(0)), ..rule(AlertKind::UnhealthyNode) };
    let rules = std::slice::from_ref(&rule);
    let mut alerts = Alerts::default();
    alerts.judge(rules, &Facts { now: Time(0), ..ill(&["a", "b"]) });
    let heard = alerts.errands(Time(0)).remove(0);
    alerts.brought(&heard, Time(0), Ok(()));
    let kept = serde_json::to_vec(&alerts).unwrap();
    let mut again: Alerts = serde_json::from_slice(&kept).unwrap();
    assert_eq!(again, alerts);
    again.judge(rules, &Facts { now: Time(MINUTE), ..ill(&["a", "b"]) });
    let owed: Vec<String> =
        again.errands(Time(MINUTE)).into_iter().map(|errand| errand.view.subject).collect();
    assert_eq!(owed, ["node b"]);
}

#[test]
fn alert_without_anybody_to_tell_is_only_listed() {
    let rule = AlertRule { lasts: Some(Millis(0)), ..AlertRule::new(AlertKind::UnhealthyNode) };
    let mut alerts = Alerts::default();
    alerts.judge(std::slice::from_ref(&rule), &ill(&["a"]));
    assert_eq!((alerts.errands(Time(0)).len(), alerts.views().len()), (0, 1));
}
