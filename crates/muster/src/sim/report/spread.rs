//! How waits and times to the end are spread over the jobs.

use muster_sim::replay::Record;

use super::axis::Axis;
use super::chart::{Chart, Line};
use super::html::Html;
use super::{Column, Report};

/// Points of a curve; more would not be seen.
const POINTS: usize = 240;

pub(super) fn section(html: &mut Html, report: &Report<'_>) {
    html.tag("section", &[], |html| {
        html.words("h2", &[], "From job to job");
        let about = "Each curve says how many of the jobs waited, or took, at most so long. \
                     Further left and higher is better. Time grows by factors of ten, and what \
                     is below a second is at the left edge.";
        html.words("p", &[("class", "soft")], about);
        html.tag("div", &[("class", "charts")], |html| {
            let waits = |record: &Record| Some(record.waited.0).filter(|_| record.end.is_some());
            curve("Wait", "wait, all pauses included", report.columns, waits).draw(html);
            let times = |record: &Record| Some(record.end?.since(record.submit).0);
            curve("Time to the end", "from submission to end", report.columns, times).draw(html);
        });
    });
}

fn curve(
    title: &str,
    label: &str,
    columns: &[Column],
    of: impl Fn(&Record) -> Option<u64>,
) -> Chart {
    let sorted = |column: &Column| {
        let mut all: Vec<u64> = column.replayed.records.iter().filter_map(&of).collect();
        all.sort_unstable();
        all
    };
    let all: Vec<Vec<u64>> = columns.iter().map(sorted).collect();
    let most = all.iter().filter_map(|sorted| sorted.last()).max().copied().unwrap_or_default();
    let across = Axis::spans(label, seconds(most));
    let line = |(number, (column, sorted)): (usize, (&Column, &Vec<u64>))| Line {
        number,
        label: column.label.clone(),
        is_area: false,
        steps: steps(sorted, seconds(most)),
    };
    let lines = columns.iter().zip(&all).enumerate().map(line).collect();
    Chart {
        title: title.to_owned(),
        spoken: format!("{title}: part of the jobs by time, for each policy"),
        across,
        up: Axis::percent("% of the jobs that ended"),
        lines,
        has_legend: true,
    }
}

/// How many do not exceed what, at ranks that are evenly spread, up to the longest of all.
fn steps(sorted: &[u64], most: f64) -> Vec<(f64, f64)> {
    let count = sorted.len();
    if count == 0 {
        return Vec::new();
    }
    let points = count.min(POINTS);
    let mut steps = vec![(0.0, 0.0)];
    for point in 1..=points {
        let rank = (count * point).div_ceil(points);
        steps.push((seconds(sorted[rank - 1]), rank as f64 / count as f64 * 100.0));
    }
    steps.push((most, 100.0));
    steps
}

fn seconds(millis: u64) -> f64 {
    millis as f64 / 1_000.0
}

#[cfg(test)]
mod tests {
    use super::steps;

    #[test]
    fn a_curve_goes_through_the_ranks_and_ends_with_all() {
        let curve = steps(&[0, 1_000, 1_000, 9_000], 20.0);
        let expected =
            [(0.0, 0.0), (0.0, 25.0), (1.0, 50.0), (1.0, 75.0), (9.0, 100.0), (20.0, 100.0)];
        assert_eq!(curve, expected);
        let long: Vec<u64> = (1..=10_000).map(|second| second * 1_000).collect();
        let curve = steps(&long, 10_000.0);
        assert_eq!((curve.len(), curve[120]), (242, (5_000.0, 50.0)));
    }
}
