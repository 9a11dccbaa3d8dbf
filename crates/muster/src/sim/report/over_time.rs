//! How it went over time: GPUs in use, jobs that wait, and what is free in pieces.

use muster_sim::replay::{Series, Signal};

use super::axis::Axis;
use super::chart::{Chart, Line};
use super::html::Html;
use super::{Column, Report};

/// Lines whose largest values differ by more than this are shown by powers of ten.
const APART: f64 = 20.0;

pub(super) fn section(html: &mut Html, report: &Report<'_>) {
    let followed: Vec<(usize, &Column, &Series)> = report
        .columns
        .iter()
        .enumerate()
        .filter_map(|(number, column)| Some((number, column, column.replayed.series.as_ref()?)))
        .collect();
    if followed.is_empty() {
        return;
    }
    let longest = followed.iter().map(|(.., series)| seconds(series)).fold(0.0, f64::max);
    let across = Axis::elapsed(longest);
    html.tag("section", &[], |html| {
        html.words("h2", &[], "Over time");
        html.words("h3", &[], "How full the cluster was");
        let about = "Allocated is what jobs held; useful is the part of it that they needed. \
                     What lies between was lost to pauses, restarts and failures.";
        html.words("p", &[("class", "soft")], about);
        html.tag("div", &[("class", "charts stack")], |html| {
            for (_, column, series) in &followed {
                utilisation(column, series, across.clone()).draw(html);
            }
        });
        html.words("h3", &[], "Who waited, and what was free in pieces");
        let about = "Fragmented GPUs are free, but on nodes of which other GPUs are in use: a job \
                     that needs whole nodes cannot have them.";
        html.words("p", &[("class", "soft")], about);
        html.tag("div", &[("class", "charts noisy")], |html| {
            waiting(&followed, across.clone()).draw(html);
            fragmented(&followed, across.clone()).draw(html);
        });
    });
}

fn seconds(series: &Series) -> f64 {
    series.length.0 as f64 / 1_000.0
}

/// A signal from bucket to bucket, times something.
fn steps(series: &Series, signal: Signal, times: f64) -> Vec<(f64, f64)> {
    let at = |bucket: usize| series.begin(bucket).0 as f64 / 1_000.0;
    let mut steps: Vec<(f64, f64)> = (0..series.buckets())
        .map(|bucket| (at(bucket), series.mean(signal, bucket) * times))
        .collect();
    let last = steps.last().map(|(_, figure)| *figure);
    steps.extend(last.map(|figure| (seconds(series), figure)));
    steps
}

fn utilisation(column: &Column, series: &Series, across: Axis) -> Chart {
    let to_percent = 100.0 / column.gpus().max(1.0);
    // The orange of what is lost shows wherever the blue does not cover it.
    let area = |number, label: &str, signal| Line {
        number,
        label: label.to_owned(),
        is_area: true,
        steps: steps(series, signal, to_percent),
    };
    let figures = &column.run.figures;
    Chart {
        title: column.label.clone(),
        spoken: format!(
            "{}: on average {:.1} % of the GPUs allocated, {:.1} % useful",
            column.label,
            figures.allocated_share * 100.0,
            figures.useful_share * 100.0
        ),
        across,
        up: Axis::percent("% of all GPUs"),
        lines: vec![area(1, "allocated", Signal::Allocated), area(0, "useful", Signal::Useful)],
        has_legend: true,
    }
}

fn waiting(followed: &[(usize, &Column, &Series)], across: Axis) -> Chart {
    let lines = lines(followed, Signal::Waiting, |_| 1.0);
    let most = |line: &Line| line.steps.iter().map(|(_, figure)| *figure).fold(0.0, f64::max);
    let largest = lines.iter().map(most).fold(0.0, f64::max);
    let smallest = lines.iter().map(most).fold(f64::INFINITY, f64::min);
    let up = if largest > smallest.max(1.0) * APART {
        Axis::powers("jobs, by powers of ten", largest)
    } else {
        Axis::from_zero("jobs", largest, "")
    };
    let means = means(followed, Signal::Waiting, |_| 1.0, "");
    Chart {
        title: "Jobs that wait".to_owned(),
        spoken: format!("jobs that wait, on average: {means}"),
        across,
        up,
        lines,
        has_legend: true,
    }
}

fn fragmented(followed: &[(usize, &Column, &Series)], across: Axis) -> Chart {
    let to_percent = |column: &Column| 100.0 / column.gpus().max(1.0);
    let lines = lines(followed, Signal::Fragmented, to_percent);
    let all = lines.iter().flat_map(|line| &line.steps).map(|(_, figure)| *figure);
    let most = all.fold(0.0, f64::max);
    let means = means(followed, Signal::Fragmented, to_percent, " %");
    Chart {
        title: "Fragmented GPUs".to_owned(),
        spoken: format!("fragmented GPUs, on average: {means}"),
        across,
        up: Axis::from_zero("% of all GPUs", most, " %"),
        lines,
        has_legend: true,
    }
}

fn lines(
    followed: &[(usize, &Column, &Series)],
    signal: Signal,
    times: impl Fn(&Column) -> f64,
) -> Vec<Line> {
    let line = |&(number, column, series): &(usize, &Column, &Series)| Line {
        number,
        label: format!("{}, mean {:.1}", column.label, series.mean_of_all(signal) * times(column)),
        is_area: false,
        steps: steps(series, signal, times(column)),
    };
    followed.iter().map(line).collect()
}

fn means(
    followed: &[(usize, &Column, &Series)],
    signal: Signal,
    times: impl Fn(&Column) -> f64,
    unit: &str,
) -> String {
    let words = |(_, column, series): &(usize, &Column, &Series)| {
        format!("{} {:.1}{unit}", column.label, series.mean_of_all(signal) * times(column))
    };
    followed.iter().map(words).collect::<Vec<_>>().join(", ")
}
