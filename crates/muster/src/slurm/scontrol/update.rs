//! `scontrol update`: what it sets of a job, and what to do instead where it can set nothing.

use muster_api::SlurmView;
use muster_client::Order;
use muster_model::{JobSpec, Millis};
use muster_slurm::values::{Clock, Dependencies, Moment, TimeLimit};
use serde_json::{Value, json};

use super::NAME;
use crate::slurm::Stop;

/// Something that is set.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Setting {
    /// It comes to an order.
    Order(Order),
    /// It changes what the job is.
    Patch(Patch),
}

/// A change that may depend on what the job is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Patch {
    /// The same whatever the job is.
    Fixed(Value),
    /// So many minutes more or less than its limit.
    Limit { minutes: i64 },
    /// What it waits for; arrays mean other elements by it.
    After(Dependencies),
    /// The QOS of this name.
    Qos(String),
}

impl Patch {
    /// What is laid over a job.
    pub(super) fn of(&self, spec: &JobSpec, slurm: &SlurmView) -> Result<Value, Stop> {
        match self {
            Patch::Fixed(value) => Ok(value.clone()),
            Patch::Limit { minutes } => {
                let Some(limit) = spec.timing.limit else { return Err(refused("TimeLimit", "")) };
                let millis = minutes.saturating_mul(60_000);
                let Some(limit) = limit.0.checked_add_signed(millis).filter(|limit| *limit > 0)
                else {
                    return Err(Stop::plain("Invalid time limit specified for job", 1));
                };
                Ok(json!({"timing": {"limit": limit}}))
            }
            Patch::After(dependencies) => {
                let after = dependencies.of_model(spec.array.is_some());
                let after = after.map_err(|missing| Stop::error(NAME, missing.to_string()))?;
                Ok(json!({"after": after}))
            }
            Patch::Qos(name) => {
                let qos = slurm.qos.iter().find(|qos| qos.name == *name);
                let qos = qos.ok_or_else(|| Stop::plain("Invalid qos specification", 1))?;
                Ok(json!({"class": qos.class}))
            }
        }
    }
}

/// What a word such as `TimeLimit=2:00:00` sets.
pub(super) fn setting(name: &str, value: &str, clock: Clock) -> Result<Setting, Stop> {
    let wrong = |_| Stop::error(NAME, wrong_value(name));
    let moment = |field: &str| -> Result<Setting, Stop> {
        let moment: Moment = value.parse().map_err(wrong)?;
        Ok(fixed(json!({"timing": {field: moment.resolve(clock)}})))
    };
    match (name.to_ascii_lowercase().as_str(), value) {
        ("priority", "0") => Ok(Setting::Order(Order::Hold)),
        ("timelimit", _) if value.starts_with(['+', '-']) && value != "-1" => {
            let (sign, span) = value.split_at(1);
            let span: TimeLimit = span.parse().map_err(wrong)?;
            let minutes = span.millis().map_or(0, |Millis(millis)| millis / 60_000);
            let minutes = i64::try_from(minutes).unwrap_or(i64::MAX);
            let minutes = if sign == "-" { -minutes } else { minutes };
            Ok(Setting::Patch(Patch::Limit { minutes }))
        }
        ("timelimit", _) => {
            let limit: TimeLimit = value.parse().map_err(wrong)?;
            Ok(fixed(json!({"timing": {"limit": limit.millis()}})))
        }
        ("timemin", _) => {
            let limit: TimeLimit = value.parse().map_err(wrong)?;
            Ok(fixed(json!({"timing": {"limit_min": limit.millis()}})))
        }
        ("starttime", _) => moment("begin"),
        ("deadline", _) => moment("deadline"),
        ("jobname" | "name", _) => Ok(fixed(json!({"name": value}))),
        ("requeue", "0" | "1") => Ok(fixed(json!({"requeue": {"when_lost": value == "1"}}))),
        ("dependency", "") => Ok(fixed(json!({"after": []}))),
        ("dependency", _) => {
            let dependencies: Dependencies = value.parse().map_err(wrong)?;
            Ok(Setting::Patch(Patch::After(dependencies)))
        }
        ("qos", _) => Ok(Setting::Patch(Patch::Qos(value.to_owned()))),
        ("arraytaskthrottle", _) => {
            let most: u32 = value.parse().map_err(|_| Stop::error(NAME, wrong_value(name)))?;
            // None at all is no throttle, as in Slurm.
            Ok(fixed(json!({"array": {"throttle": (most > 0).then_some(most)}})))
        }
        _ => Err(refused(name, value)),
    }
}

fn wrong_value(name: &str) -> String {
    format!("Invalid {name} value")
}

fn fixed(value: Value) -> Setting {
    Setting::Patch(Patch::Fixed(value))
}

fn refused(name: &str, value: &str) -> Stop {
    let instead = match name.to_ascii_lowercase().as_str() {
        "priority" | "nice" => "the order of jobs follows from queue, class and fairness",
        "timelimit" => "the job has no limit of its own; name the whole limit",
        "partition" | "account" => "`muster change JOB --queue Q` moves a job",
        _ => "cancel the job and submit it anew",
    };
    let said = format!("Update of this parameter is not supported: {name}={value}");
    Stop::plain(format!("{said}\nRequest aborted\n{NAME}: hint: {instead}"), 1)
}

#[cfg(test)]
mod tests {
    use muster_api::slurm::QosView;
    use muster_model::Time;

    use super::*;

    const CLOCK: Clock = Clock { now: Time(1_000_000), offset_s: 0 };

    fn slurm() -> SlurmView {
        let qos = QosView { name: "high".to_owned(), class: "express".to_owned(), priority: 800 };
        SlurmView { qos: vec![qos], ..SlurmView::default() }
    }

    fn patch(name: &str, value: &str) -> Value {
        let spec = JobSpec::gang("train", 1, 1).limit(Millis::minutes(60));
        match setting(name, value, CLOCK) {
            Ok(Setting::Patch(patch)) => patch.of(&spec, &slurm()).expect("a change"),
            other => panic!("{name}={value} came to {other:?}"),
        }
    }

    #[test]
    fn what_is_set_is_laid_over_the_job() {
        for (name, value, laid) in [
            ("TimeLimit", "2:00:00", json!({"timing": {"limit": 7_200_000}})),
            ("timelimit", "+30", json!({"timing": {"limit": 5_400_000}})),
            ("timelimit", "-0:30:00", json!({"timing": {"limit": 1_800_000}})),
            ("timelimit", "UNLIMITED", json!({"timing": {"limit": null}})),
            ("TimeMin", "10", json!({"timing": {"limit_min": 600_000}})),
            ("StartTime", "now+60", json!({"timing": {"begin": 1_060_000}})),
            ("JobName", "other", json!({"name": "other"})),
            ("Requeue", "0", json!({"requeue": {"when_lost": false}})),
            ("Dependency", "", json!({"after": []})),
            ("QOS", "high", json!({"class": "express"})),
            ("ArrayTaskThrottle", "4", json!({"array": {"throttle": 4}})),
            ("ArrayTaskThrottle", "0", json!({"array": {"throttle": null}})),
            (
                "Dependency",
                "afterok:3?after:4",
                json!({"after": [{"any-of": [
                    {"job": 3, "kind": "after-ok"}, {"job": 4, "kind": "after"}
                ]}]}),
            ),
        ] {
            assert_eq!(patch(name, value), laid, "{name}={value}");
        }
        assert_eq!(setting("Priority", "0", CLOCK).ok(), Some(Setting::Order(Order::Hold)));
    }

    #[test]
    fn what_cannot_be_set_is_refused_with_what_to_do() {
        for (name, value, hint) in [
            ("priority", "100", "follows from queue, class and fairness"),
            ("partition", "fast", "muster change JOB"),
            ("NumNodes", "4", "cancel the job and submit it anew"),
        ] {
            let said = setting(name, value, CLOCK).expect_err(name).said;
            assert!(said.contains(hint), "{said}");
        }
        assert!(setting("TimeLimit", "soon", CLOCK).is_err());
        let spec = JobSpec::gang("train", 1, 1).limit(Millis::minutes(60));
        assert!(Patch::Limit { minutes: -60 }.of(&spec, &slurm()).is_err());
        assert!(Patch::Qos("nonesuch".to_owned()).of(&spec, &slurm()).is_err());
        assert!(setting("ArrayTaskThrottle", "many", CLOCK).is_err());
    }
}
