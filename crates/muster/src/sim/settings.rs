//! What a user may change of a policy before it runs: what it knows, and single settings.

use std::fs;

use anyhow::{Context, Result, bail};
use muster_model::Policy;
use muster_sim::replay::Knowledge;

/// What a policy is told of run times.
pub(super) fn knowledge(word: &str) -> Result<Knowledge> {
    Ok(match word {
        "predicted" => Knowledge::Predicted,
        "exact" => Knowledge::Exact,
        "nothing" => Knowledge::Nothing,
        other => match other.strip_prefix("rough:").map(str::parse::<f64>) {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "in range")]
            Some(Ok(sigma)) if (0.0..=10.0).contains(&sigma) => {
                Knowledge::Rough((sigma * 1_000.0).round() as u32)
            }
            _ => bail!(
                "estimates cannot be {other}\nhint: expected predicted, exact, nothing or rough:S \
                 with S from 0 to 10, such as rough:1"
            ),
        },
    })
}

/// Settings as they are written, or from a file.
pub(super) fn settings(text: &str) -> Result<serde_json::Value> {
    if text.trim_start().starts_with('{') {
        return serde_json::from_str(text).context("cannot understand the settings");
    }
    let text = fs::read_to_string(text).with_context(|| format!("cannot read {text}"))?;
    serde_json::from_str(&text).context("cannot understand the settings")
}

/// A policy with some of its settings replaced.
pub(super) fn changed(policy: &Policy, settings: &serde_json::Value) -> Result<Policy> {
    let mut value = serde_json::to_value(policy)?;
    merge(&mut value, settings);
    serde_json::from_value(value).context("the settings are not those of a policy")
}

fn merge(value: &mut serde_json::Value, change: &serde_json::Value) {
    match (value, change) {
        (serde_json::Value::Object(value), serde_json::Value::Object(change)) => {
            for (name, change) in change {
                merge(value.entry(name).or_insert(serde_json::Value::Null), change);
            }
        }
        (value, change) => *value = change.clone(),
    }
}

#[cfg(test)]
mod tests {
    use muster_model::{Millis, Policy};

    use super::{changed, settings};

    #[test]
    fn settings_replace_only_what_they_name() {
        let change = settings(r#"{"size_weight_milli":500,"pausing":{"run_min":60000}}"#).unwrap();
        let policy = changed(&Policy::default(), &change).unwrap();
        let mut expected = Policy { size_weight_milli: 500, ..Policy::default() };
        expected.pausing.run_min = Millis::minutes(1);
        assert_eq!(policy, expected);
    }

    #[test]
    fn a_misspelt_setting_is_refused() {
        let change = settings(r#"{"size_wait":500}"#).unwrap();
        assert!(changed(&Policy::default(), &change).is_err());
    }
}
