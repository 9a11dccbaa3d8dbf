//! Axes: from what is measured to a place between 0 and 1, and the marks that say what is where.

use super::super::number::whole;

/// One axis of a chart.
#[derive(Clone, Debug)]
pub(super) struct Axis {
    /// What is measured, with its unit.
    pub(super) label: String,
    least: f64,
    most: f64,
    is_log: bool,
    /// Marks with their words.
    pub(super) marks: Vec<(f64, String)>,
}

const HOUR: f64 = 3_600.0;
const DAY: f64 = 86_400.0;

/// Spans that people think in, in seconds.
const SPANS: [(f64, &str); 10] = [
    (1.0, "1 s"),
    (10.0, "10 s"),
    (60.0, "1 min"),
    (600.0, "10 min"),
    (HOUR, "1 h"),
    (10.0 * HOUR, "10 h"),
    (4.0 * DAY, "4 days"),
    (40.0 * DAY, "40 days"),
    (400.0 * DAY, "400 days"),
    (4_000.0 * DAY, "4,000 days"),
];

impl Axis {
    /// From 0 to 100.
    pub(super) fn percent(label: &str) -> Axis {
        let marks = [0.0, 25.0, 50.0, 75.0, 100.0].map(|mark| (mark, format!("{mark} %")));
        Axis {
            label: label.to_owned(),
            least: 0.0,
            most: 100.0,
            is_log: false,
            marks: marks.into(),
        }
    }

    /// From 0 to at least this.
    pub(super) fn from_zero(label: &str, most: f64, unit: &str) -> Axis {
        // Where nothing was measured the axis goes to 1 all the same.
        let most = if most > 0.0 { most } else { 1.0 };
        let step = step(most);
        let most = (most / step).ceil().max(1.0) * step;
        let marks = marks(step, most, |mark| format!("{}{unit}", plain(mark, step)));
        Axis { label: label.to_owned(), least: 0.0, most, is_log: false, marks }
    }

    /// From 1 to at least this by powers of ten; what is less is at 1.
    pub(super) fn powers(label: &str, most: f64) -> Axis {
        let powers = most.max(10.0).log10().ceil();
        let mut marks = Vec::new();
        let mut mark = 1.0;
        while mark <= 10_f64.powf(powers) * 1.001 {
            marks.push((mark, whole(mark)));
            mark *= 10.0;
        }
        let most = 10_f64.powf(powers);
        Axis { label: label.to_owned(), least: 1.0, most, is_log: true, marks }
    }

    /// Seconds from 1 to at least this, by spans that people think in; what is less is at 1.
    pub(super) fn spans(label: &str, most: f64) -> Axis {
        let most = most.max(600.0);
        let marks = SPANS.into_iter().filter(|(mark, _)| *mark <= most);
        let marks = marks.map(|(mark, words)| (mark, words.to_owned())).collect();
        Axis { label: label.to_owned(), least: 1.0, most, is_log: true, marks }
    }

    /// Seconds since the beginning, as hours or days.
    pub(super) fn elapsed(length: f64) -> Axis {
        let (unit, name) = match length {
            length if length < 2.0 * HOUR => (60.0, "minutes"),
            length if length < 3.0 * DAY => (HOUR, "hours"),
            _ => (DAY, "days"),
        };
        let length = length.max(1.0);
        let step = step(length / unit);
        let marks = marks(step * unit, length, |mark| plain(mark / unit, step));
        let label = format!("{name} since the first submission");
        Axis { label, least: 0.0, most: length, is_log: false, marks }
    }

    /// Where a value lies between the ends of the axis, from 0 to 1.
    pub(super) fn place(&self, value: f64) -> f64 {
        let (least, most) = (self.least, self.most);
        let part = match self.is_log {
            true => (value.max(least) / least).ln() / (most / least).ln(),
            false => (value - least) / (most - least),
        };
        part.clamp(0.0, 1.0)
    }
}

/// Marks from 0 on, as far as the axis goes.
fn marks(step: f64, most: f64, words: impl Fn(f64) -> String) -> Vec<(f64, String)> {
    let mut marks = Vec::new();
    let mut mark = 0.0;
    // Ends because a step is a good part of the whole.
    while mark <= most * 1.000_1 {
        marks.push((mark, words(mark)));
        mark += step;
    }
    marks
}

/// A step of 1, 2 or 5 times a power of ten that makes about five of this.
fn step(most: f64) -> f64 {
    let rough = (most / 5.0).max(1e-9);
    let power = 10_f64.powf(rough.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|times| times * power);
    steps.into_iter().find(|step| *step >= rough * 0.999).unwrap_or(10.0 * power)
}

/// A mark without more digits than its step has.
fn plain(mark: f64, step: f64) -> String {
    if step >= 1.0 { whole(mark) } else { format!("{mark:.*}", if step >= 0.1 { 1 } else { 2 }) }
}

#[cfg(test)]
mod tests {
    use super::Axis;

    fn words(axis: &Axis) -> Vec<&str> {
        axis.marks.iter().map(|(_, words)| words.as_str()).collect()
    }

    #[test]
    fn marks_are_round_and_reach_over_what_is_measured() {
        assert_eq!(words(&Axis::from_zero("jobs", 87.0, "")), ["0", "20", "40", "60", "80", "100"]);
        assert_eq!(words(&Axis::from_zero("jobs", 0.0, "")).first(), Some(&"0.0"));
        assert_eq!(
            words(&Axis::from_zero("share", 7.2, " %")),
            ["0 %", "2 %", "4 %", "6 %", "8 %"]
        );
        let days = Axis::elapsed(26.0 * 86_400.0);
        assert_eq!(words(&days), ["0", "10", "20"]);
        assert!(days.label.starts_with("days"));
        assert_eq!(words(&Axis::powers("jobs", 4_000.0)), ["1", "10", "100", "1,000", "10,000"]);
        let spans = words(&Axis::spans("wait", 50_000.0)).join(", ");
        assert_eq!(spans, "1 s, 10 s, 1 min, 10 min, 1 h, 10 h");
    }

    #[test]
    fn values_have_their_place_and_never_leave_the_axis() {
        let axis = Axis::powers("jobs", 100.0);
        assert_eq!(
            [0.0, 1.0, 10.0, 100.0, 1e9].map(|value| axis.place(value)),
            [0.0, 0.0, 0.5, 1.0, 1.0]
        );
        assert_eq!(Axis::percent("share").place(25.0), 0.25);
    }
}
