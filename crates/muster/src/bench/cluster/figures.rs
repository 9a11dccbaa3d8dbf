//! What a measurement found: figures by name, in order, some beside what is aimed at.

use std::fmt::Write as _;

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::super::figures::Target;
use super::super::meter::Meter;

/// The figures of one measurement. Their names end in their units.
#[derive(Debug)]
pub(in super::super) struct Figures {
    measurement: &'static str,
    figures: Vec<Figure>,
}

#[derive(Debug)]
struct Figure {
    name: String,
    value: Value,
    target: Option<Target>,
}

#[derive(Clone, Copy, Debug, Serialize)]
#[serde(untagged)]
enum Value {
    Count(u64),
    Measure(f64),
}

impl Figures {
    pub(in super::super) fn of(measurement: &'static str) -> Figures {
        Figures { measurement, figures: Vec::new() }
    }

    /// With something that was counted.
    pub(in super::super) fn count(mut self, name: &str, count: impl Into<u64>) -> Figures {
        self.add(name, Value::Count(count.into()), None);
        self
    }

    /// With something that was measured.
    pub(in super::super) fn measure(
        mut self,
        name: &str,
        value: f64,
        target: Option<Target>,
    ) -> Figures {
        // Further digits are noise.
        self.add(name, Value::Measure((value * 1_000.0).round() / 1_000.0), target);
        self
    }

    /// With the median, the 99th percentile and the longest of many times, in milliseconds.
    pub(in super::super) fn spread(
        self,
        name: &str,
        meter: Meter,
        [median, p99]: [Option<Target>; 2],
    ) -> Figures {
        let spread = meter.spread();
        self.measure(&format!("{name}_p50_ms"), spread.p50 / 1_000.0, median)
            .measure(&format!("{name}_p99_ms"), spread.p99 / 1_000.0, p99)
            .measure(&format!("{name}_max_ms"), spread.max / 1_000.0, None)
    }

    fn add(&mut self, name: &str, value: Value, target: Option<Target>) {
        self.figures.push(Figure { name: name.to_owned(), value, target });
    }

    /// For people: each figure beside its target.
    pub(in super::super) fn table(&self) -> String {
        let mut text = format!("{}\n", self.measurement);
        for Figure { name, value, target } in &self.figures {
            let (shown, number) = match *value {
                Value::Count(count) => (count.to_string(), count as f64),
                Value::Measure(value) => (format!("{value:.1}"), value),
            };
            let verdict = target.map_or_else(String::new, |target| target.verdict(number));
            let _ = writeln!(text, "  {name:<36}{shown:>12}{verdict}");
        }
        text
    }
}

impl Serialize for Figures {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.figures.len() + 1))?;
        map.serialize_entry("measurement", self.measurement)?;
        for figure in &self.figures {
            map.serialize_entry(&figure.name, &figure.value)?;
        }
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::super::figures::Target;
    use super::super::super::meter::Meter;
    use super::Figures;

    fn figures() -> Figures {
        let mut meter = Meter::default();
        [3, 1, 2].into_iter().for_each(|ms| meter.add(Duration::from_millis(ms)));
        Figures::of("latency").count("jobs", 3_u32).spread(
            "wait",
            meter,
            [Some(Target::Below(2.5)), Some(Target::Below(2.5))],
        )
    }

    #[test]
    fn programs_get_one_object_with_the_figures_in_order() {
        let text = serde_json::to_string(&figures()).unwrap();
        let expected = r#"{"measurement":"latency","jobs":3,"wait_p50_ms":2.0,"wait_p99_ms":3.0,"#;
        assert!(text.starts_with(expected), "{text}");
    }

    #[test]
    fn people_are_told_which_aims_are_met_and_which_are_missed() {
        let text = figures().table();
        assert!(text.contains("2.0  met: under 2.5"), "{text}");
        assert!(text.contains("3.0  missed: under 2.5"), "{text}");
    }
}
