//! Watches over jobs that compute next to nothing, where the rule of a queue asks for it. The
//! engine is only told the fact; what follows is its decision.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use muster_api::usage::UsageSpan;
use muster_engine::command::{Command, Running};
use muster_model::{IdleRule, JobId, NodeId, Time, WhenIdle};

use crate::activity::{Activity, Pulse};
use crate::control::Control;
use crate::entry::Entry;
use crate::http::App;

/// How often it is looked. Without a rule, and without a change, looking costs next to nothing.
const LOOK: Duration = Duration::from_secs(5);

/// How busy the jobs of these spans have to be, in thousandths, where there is a rule.
pub(crate) fn thresholds(control: &Control, spans: &[UsageSpan]) -> HashMap<JobId, u32> {
    let jobs = spans.iter().map(|span| span.of.job).filter(|_| control.has_idle_rules());
    jobs.filter_map(|job| Some((job, control.idle_rule(job)?.below_milli))).collect()
}

/// Tells the engine who is idle, for as long as the server runs.
pub(crate) async fn watch(app: Arc<App>) {
    let mut ticks = tokio::time::interval(LOOK);
    loop {
        ticks.tick().await;
        let now = app.driver.now();
        let told = changes(&app.driver.shared().read(), &app.activity, now);
        // What does not get through is found again at the next look.
        let _ = app.driver.record(told).await;
    }
}

/// Jobs that are idle and were not, or the other way round.
fn changes(control: &Control, activity: &Activity, now: Time) -> Vec<Entry> {
    if !control.has_idle_rules() {
        return Vec::new();
    }
    let running = control.running().filter_map(|job| {
        let rule = control.idle_rule(job.id)?;
        let attempt = job.attempt;
        let of = Running { job: job.id, attempt };
        let is_idle = judge(of, job.places.keys(), rule, activity, now)?;
        let is_new = control.is_idle(job.id) != is_idle;
        is_new.then_some(Entry::Told(Command::Idle { job: job.id, attempt, is_idle }))
    });
    running.collect()
}

/// Whether a job is idle by its rule; `None` where it cannot be said, and what was said stands.
fn judge<'a>(
    of: Running,
    nodes: impl Iterator<Item = &'a NodeId>,
    rule: IdleRule,
    activity: &Activity,
    now: Time,
) -> Option<bool> {
    let mut since = 0;
    let mut is_known = true;
    for node in nodes {
        match activity.pulse(now, of, *node) {
            Pulse::Busy => return Some(false),
            Pulse::Quiet(quiet) => since = since.max(quiet),
            Pulse::Unknown => is_known = false,
        }
    }
    let is_long = now.0.saturating_sub(since) >= rule.after.0;
    (is_known && since > 0 && is_long).then_some(true)
}

/// What its owner is told of a job that is idle.
pub(crate) fn told(job: JobId, rule: IdleRule) -> String {
    let IdleRule { after, below_milli, then } = rule;
    let percent = f64::from(below_milli) / 10.0;
    let follows = match then {
        WhenIdle::Flag => "nothing follows from it".to_owned(),
        WhenIdle::Lend => "whoever needs them may have them until it goes on".to_owned(),
        WhenIdle::Pause => {
            format!("it is asked to end and waits; `muster release {job}` lets it go on")
        }
    };
    format!("its GPUs were busy for less than {percent}% of the last {after}: {follows}")
}

#[cfg(test)]
mod tests {
    use muster_api::usage::GpuSpan;
    use muster_model::{Attempt, Millis};

    use super::*;

    const HOUR_MS: u64 = 3_600_000;

    const OF: Running = Running { job: JobId(7), attempt: Attempt(1) };

    /// Minutes of each node with how busy they were, in thousandths.
    fn heard(nodes: &[&[u32]]) -> (Activity, Time) {
        let activity = Activity::default();
        let mut now = Time(0);
        for (node, minutes) in (0..).zip(nodes) {
            for (minute, busy) in (1u64..).zip(*minutes) {
                let from_ms = HOUR_MS + (minute - 1) * 60_000;
                let active_gpu_ms = Some(u64::from(*busy) * 60);
                let gpus = vec![GpuSpan { gpu: 0, held_gpu_ms: 60_000, active_gpu_ms }];
                let span = UsageSpan { of: OF, from_ms, to_ms: from_ms + 60_000, gpus };
                now = Time(span.to_ms);
                activity.hear(now, NodeId(node), &[span], |_| Some(50));
            }
        }
        (activity, now)
    }

    #[test]
    fn job_is_idle_once_all_its_nodes_have_been_quiet_for_long_enough() {
        let rule = IdleRule { after: Millis::minutes(5), below_milli: 50, then: WhenIdle::Flag };
        let quiet: &[u32] = &[0, 49, 10, 0, 3];
        type Row<'a> = (&'a str, &'a [&'a [u32]], Option<bool>);
        let table: [Row<'_>; 6] = [
            ("long enough", &[quiet], Some(true)),
            ("not yet", &[&quiet[1..]], None),
            ("busy in between", &[&[0, 0, 50, 0, 0]], None),
            ("busy now", &[&[0, 0, 0, 0, 0, 800]], Some(false)),
            ("one of two nodes is busy", &[quiet, &[0, 0, 0, 0, 900]], Some(false)),
            ("one of two nodes is not heard of", &[quiet, &[]], None),
        ];
        for (what, nodes, expected) in table {
            let (activity, now) = heard(nodes);
            let nodes: Vec<NodeId> = (0..).zip(nodes).map(|(node, _)| NodeId(node)).collect();
            assert_eq!(judge(OF, nodes.iter(), rule, &activity, now), expected, "{what}");
        }
    }

    #[test]
    fn owner_is_told_what_follows() {
        let text =
            |then| told(JobId(7), IdleRule { after: Millis::hours(2), below_milli: 25, then });
        assert_eq!(
            text(WhenIdle::Pause),
            "its GPUs were busy for less than 2.5% of the last 2h: it is asked to end and waits; \
             `muster release 7` lets it go on"
        );
        assert!(text(WhenIdle::Lend).ends_with("may have them until it goes on"));
        assert!(text(WhenIdle::Flag).ends_with("nothing follows from it"));
    }
}
