//! Sets this run's counts beside the recorded ones and judges them. Knows nothing of valgrind.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

/// A case may cost this many times its record. Counts repeat almost to the digit, so five percent
/// is room for a compiler's mood and not for a slower algorithm.
const RATIO_MAX: f64 = 1.05;

/// Below this a gain is worth recording, so that it cannot be lost again unseen.
const RATIO_GAIN: f64 = 0.95;

/// The committed figures.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Record {
    /// Compiler and valgrind the figures were made with; other tools count differently.
    pub(crate) tools: String,
    /// Instructions by case.
    pub(crate) instructions: BTreeMap<String, u64>,
}

/// All cases of this run beside their record.
#[derive(Debug, Serialize)]
pub(crate) struct Comparison {
    ratio_max: f64,
    cases: Vec<Case>,
}

#[derive(Debug, Serialize)]
struct Case {
    case: String,
    recorded: Option<u64>,
    now: u64,
    ratio: Option<f64>,
    within: bool,
}

impl Comparison {
    /// Compares every case counted now; one without a record is not within the limit.
    pub(crate) fn new(record: &Record, now: &BTreeMap<String, u64>) -> Self {
        let cases = now
            .iter()
            .map(|(case, &now)| {
                let recorded = record.instructions.get(case).copied().filter(|&count| count > 0);
                let ratio = recorded.map(|recorded| now as f64 / recorded as f64);
                let within = ratio.is_some_and(|ratio| ratio <= RATIO_MAX);
                Case { case: case.clone(), recorded, now, ratio, within }
            })
            .collect();
        Comparison { ratio_max: RATIO_MAX, cases }
    }

    /// Whether no case costs more than it may.
    pub(crate) fn is_within(&self) -> bool {
        self.cases.iter().all(|case| case.within)
    }

    /// The comparison for people: case, recorded, now, ratio.
    pub(crate) fn table(&self) -> String {
        let mut text = format!("{:<8}{:>16}{:>16}{:>9}\n", "case", "recorded", "now", "ratio");
        for case in &self.cases {
            let recorded = case.recorded.map_or_else(|| "-".to_owned(), |count| count.to_string());
            let ratio = case.ratio.map_or_else(|| "-".to_owned(), |ratio| format!("{ratio:.4}"));
            let _ = writeln!(text, "{:<8}{recorded:>16}{:>16}{ratio:>9}", case.case, case.now);
        }
        text
    }

    /// What to do about each case that is not as recorded.
    pub(crate) fn advice(&self) -> Vec<String> {
        self.cases.iter().filter_map(Case::advice).collect()
    }
}

impl Case {
    fn advice(&self) -> Option<String> {
        let name = &self.case;
        match self.ratio {
            None => Some(format!("{name}: no recorded figure: record one with --update")),
            Some(ratio) if ratio > RATIO_MAX => Some(format!(
                "{name}: {ratio:.4} times the record, at most {RATIO_MAX} is allowed: find what \
                 got slower, or record the new figure with --update and say why in the change"
            )),
            Some(ratio) if ratio < RATIO_GAIN => {
                Some(format!("{name}: faster than recorded: keep the gain with --update"))
            }
            Some(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{Comparison, Record};

    fn counts(cases: &[(&str, u64)]) -> BTreeMap<String, u64> {
        cases.iter().map(|&(case, count)| (case.to_owned(), count)).collect()
    }

    fn compare(recorded: &[(&str, u64)], now: &[(&str, u64)]) -> Comparison {
        let record = Record { tools: "test".to_owned(), instructions: counts(recorded) };
        Comparison::new(&record, &counts(now))
    }

    #[test]
    fn a_case_at_the_limit_is_within_and_one_above_is_not() {
        assert!(compare(&[("fill", 1_000)], &[("fill", 1_050)]).is_within());
        assert!(!compare(&[("fill", 1_000)], &[("fill", 1_051)]).is_within());
    }

    #[test]
    fn one_slow_case_among_good_ones_fails_the_whole_and_is_named() {
        let comparison =
            compare(&[("fill", 1_000), ("gang", 1_000)], &[("fill", 1_000), ("gang", 2_000)]);
        assert!(!comparison.is_within());
        let advice = comparison.advice();
        assert_eq!(advice.len(), 1);
        assert!(advice[0].starts_with("gang: 2.0000 times the record"), "{advice:?}");
    }

    #[test]
    fn a_case_without_a_record_or_with_a_zero_one_is_not_within() {
        assert!(!compare(&[], &[("churn", 10)]).is_within());
        assert!(!compare(&[("churn", 0)], &[("churn", 10)]).is_within());
    }

    #[test]
    fn a_gain_is_within_and_worth_recording() {
        let comparison = compare(&[("churn", 1_000)], &[("churn", 900)]);
        assert!(comparison.is_within());
        assert_eq!(
            comparison.advice(),
            ["churn: faster than recorded: keep the gain with --update"]
        );
    }

    #[test]
    fn the_table_shows_case_record_now_and_ratio() {
        let table = compare(&[("fill", 2_000)], &[("fill", 2_050), ("gang", 7)]).table();
        let words: Vec<&str> = table.split_whitespace().collect();
        assert_eq!(
            words,
            ["case", "recorded", "now", "ratio", "fill", "2000", "2050", "1.0250", "gang", "-"]
                .into_iter()
                .chain(["7", "-"])
                .collect::<Vec<_>>()
        );
    }

    #[test]
    fn a_record_survives_writing_and_reading() {
        let record = Record { tools: "rustc 1".to_owned(), instructions: counts(&[("fill", 7)]) };
        let text = serde_json::to_string(&record).unwrap();
        assert_eq!(serde_json::from_str::<Record>(&text).unwrap(), record);
    }
}
