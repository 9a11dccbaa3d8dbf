//! Two configurations compared setting by setting, so that an order of lines or tables changes
//! nothing and a queue is called by its name.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use anyhow::{Context, Result};
use muster_api::settings;
use muster_model::ClusterSpec;
use serde_json::Value;

/// A setting that differs.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Difference {
    /// Where it stands: `queues[research].weight`.
    pub(super) path: String,
    /// What it is.
    pub(super) from: Option<Value>,
    /// What it would be.
    pub(super) to: Option<Value>,
}

/// What differs between two configurations, in the order of their paths: with units for people,
/// in plain numbers for programs.
pub(super) fn differences(
    from: &ClusterSpec,
    to: &ClusterSpec,
    is_for_people: bool,
) -> Result<Vec<Difference>> {
    let flat = |spec: &ClusterSpec| -> Result<BTreeMap<String, Value>> {
        let value = match is_for_people {
            true => serde_json::to_value(settings::value(spec)?),
            false => serde_json::to_value(spec),
        };
        let value = value.context("cannot compare these policies")?;
        let mut settings = BTreeMap::new();
        flatten(String::new(), value, &mut settings);
        Ok(settings)
    };
    let (mut from, mut to) = (flat(from)?, flat(to)?);
    let paths: BTreeSet<String> = from.keys().chain(to.keys()).cloned().collect();
    let compared = paths.into_iter().map(|path| {
        let (from, to) = (from.remove(&path), to.remove(&path));
        Difference { path, from, to }
    });
    Ok(compared.filter(|difference| difference.from != difference.to).collect())
}

fn flatten(path: String, value: Value, settings: &mut BTreeMap<String, Value>) {
    match value {
        Value::Null => {}
        Value::Object(fields) => {
            for (name, value) in fields {
                let dot = if path.is_empty() { "" } else { "." };
                flatten(format!("{path}{dot}{name}"), value, settings);
            }
        }
        Value::Array(items) if items.iter().all(|item| item.get("name").is_some()) => {
            for item in items {
                let name = item["name"].as_str().unwrap_or_default().to_owned();
                flatten(format!("{path}[{name}]"), item, settings);
            }
        }
        value => {
            settings.insert(path, value);
        }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = [('-', &self.from), ('+', &self.to)];
        for (sign, value) in lines {
            if let Some(value) = value {
                writeln!(formatter, "{sign} {} = {value}", self.path)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use muster_model::{Millis, Order, QueueSpec};

    use super::*;

    #[test]
    fn settings_are_told_by_the_names_of_what_they_belong_to() {
        let from = ClusterSpec::default().queues([QueueSpec::new("a"), QueueSpec::new("b")]);
        let mut heavy = QueueSpec::new("b");
        heavy.weight = 3;
        let mut to = ClusterSpec::default().queues([heavy, QueueSpec::new("c")]);
        to.policy.order = Order::Fifo;
        to.policy.floor.wait = Millis::minutes(90);
        let told: String =
            differences(&from, &to, true).unwrap().iter().map(ToString::to_string).collect();
        insta::assert_snapshot!(told);
    }

    #[test]
    fn programs_are_told_plain_numbers() {
        let (from, mut to) = (ClusterSpec::default(), ClusterSpec::default());
        to.policy.floor.wait = Millis::minutes(90);
        let told = differences(&from, &to, false).unwrap();
        assert_eq!(told[0].path, "policy.floor.wait");
        assert_eq!(told[0].to, Some(Value::from(5_400_000)));
    }

    #[test]
    fn order_of_tables_makes_no_difference() {
        let from = ClusterSpec::default().queues([QueueSpec::new("a"), QueueSpec::new("b")]);
        let to = ClusterSpec::default().queues([QueueSpec::new("b"), QueueSpec::new("a")]);
        assert_eq!(differences(&from, &to, true).unwrap(), []);
    }
}
