//! What follows from the figures, in plain words, and the few figures that say most.

use muster_sim::replay::Knowledge;

use super::super::number::{count, percent, ratio, span, tenths, whole};
use super::super::what_if::Part;
use super::html::Html;
use super::money::Money;
use super::{Column, Report};

/// Policies within this of each other are called equal: settings of no meaning move as much.
const EQUAL: f64 = 0.02;

/// The conclusion of policies side by side; the first is the one that it is about.
pub(super) fn of_policies(columns: &[Column], price: Option<f64>) -> Vec<String> {
    let Some((first, others)) = columns.split_first() else { return Vec::new() };
    let mut said = vec![times(first)];
    said.extend(against(first, others));
    said.push(gpus(first));
    said.extend(price.map(|price| money(first, price)));
    said.extend(left_over(first));
    said
}

/// The conclusion of two worlds.
pub(super) fn of_worlds(
    [before, after]: &[Column; 2],
    (changes, parts): (&[String], &[Part]),
    price: Option<f64>,
) -> Vec<String> {
    let (one, other) = (&before.run.figures, &after.run.figures);
    let changed = |was: f64, is: f64| match was {
        was if was > 0.0 => format!("{:+.1} %", (is / was - 1.0) * 100.0),
        _ => "from nothing".to_owned(),
    };
    let mut said = vec![format!(
        "With {}, a job takes {} on average from submission to end instead of {} ({}), and waits \
         {} instead of {} ({}).",
        changes.join(" and "),
        span(other.mean_jct_s),
        span(one.mean_jct_s),
        changed(one.mean_jct_s, other.mean_jct_s),
        span(other.mean_queue_s),
        span(one.mean_queue_s),
        changed(one.mean_queue_s, other.mean_queue_s)
    )];
    said.extend(parts.iter().map(Part::sentence));
    said.push(format!(
        "GPUs are useful {} % of the time instead of {} %; preemptions cost {} GPU-hours instead \
         of {}. The longest any job goes without GPUs is {} instead of {}.",
        percent(other.useful_share),
        percent(one.useful_share),
        tenths(other.gpu_hours_lost),
        tenths(one.gpu_hours_lost),
        span(other.max_gap_s),
        span(one.max_gap_s)
    ));
    said.extend(price.map(|price| {
        let (was, is) = (Money::of(before, price).all, Money::of(after, price).all);
        let (was, is, more) = (whole(was), whole(is), changed(was, is));
        format!("At {price:.2} per GPU-hour the cluster costs {is} instead of {was} ({more}).")
    }));
    said.extend(left_over(after));
    said
}

/// How long jobs took, and how far from the limit that is.
fn times(column: &Column) -> String {
    let figures = &column.run.figures;
    let (jct, wait) = (span(figures.mean_jct_s), span(figures.mean_queue_s));
    let bound = span(figures.bound_mean_jct_s);
    let distance = match ratio(figures.mean_jct_s, figures.bound_mean_jct_s) {
        Some(ratio) => {
            let times = ratio.replace('×', " times");
            format!(" No schedule can bring that below {bound}; this is {times} the limit.")
        }
        None => String::new(),
    };
    let label = &column.label;
    format!(
        "Under {label} a job took {jct} on average from submission to end, {wait} of that \
         waiting.{distance}"
    )
}

/// How the others compare.
fn against(first: &Column, others: &[Column]) -> Vec<String> {
    let mean = |column: &Column| column.run.figures.mean_jct_s;
    others
        .iter()
        .filter(|other| mean(other) > 0.0 && mean(first) > 0.0)
        .map(|other| {
            let (label, jct) = (&other.label, span(mean(other)));
            let (more, less) = (mean(other) / mean(first), mean(first) / mean(other));
            let knows = match other.options.rules.knowledge {
                Knowledge::Exact => ", knowing every run time beforehand,",
                _ => "",
            };
            if (more - 1.0).abs() < EQUAL {
                format!("{label}{knows} comes to the same: {jct}.")
            } else if more > 1.0 {
                let times = ratio(mean(other), mean(first)).unwrap_or_default();
                let times = times.replace('×', " times");
                format!("{label}{knows} takes {jct}, {times} as long as {}.", first.label)
            } else {
                let saved = percent(1.0 - 1.0 / less);
                format!("{label}{knows} takes {jct}, {saved} % less than {}.", first.label)
            }
        })
        .collect()
}

/// What became of the GPUs.
fn gpus(column: &Column) -> String {
    let figures = &column.run.figures;
    let (allocated, useful) = (percent(figures.allocated_share), percent(figures.useful_share));
    let held = column.gpu_hours() * figures.allocated_share;
    let lost = if held > 0.0 { figures.gpu_hours_lost / held } else { 0.0 };
    let gap = span(figures.max_gap_s);
    format!(
        "GPUs were allocated {allocated} % of the time and useful {useful} % of it. {} \
         cost {} GPU-hours, {:.2} % of what was allocated. The longest any job went without GPUs \
         was {gap}.",
        count(figures.preemptions as f64, "preemption"),
        tenths(figures.gpu_hours_lost),
        lost * 100.0
    )
}

fn money(column: &Column, price: f64) -> String {
    let money = Money::of(column, price);
    format!(
        "At {price:.2} per GPU-hour the cluster cost {} in that time: {} for GPUs that nobody held \
         and {} for work that was lost.",
        whole(money.all),
        whole(money.idle),
        whole(money.lost)
    )
}

/// Jobs that are not in the figures.
fn left_over(column: &Column) -> Option<String> {
    let figures = &column.run.figures;
    let (refused, unfinished) = (figures.refused, figures.unfinished);
    if refused + unfinished == 0 {
        return None;
    }
    Some(format!(
        "Not in these figures: {} that the cluster cannot run and {} that had not ended.",
        count(refused as f64, "job"),
        whole(unfinished as f64)
    ))
}

pub(super) fn section(html: &mut Html, conclusion: &[String]) {
    html.tag("section", &[("class", "conclusion")], |html| {
        html.words("h2", &[], "In short");
        for (index, words) in conclusion.iter().enumerate() {
            let class = if index == 0 { "first" } else { "more" };
            html.words("p", &[("class", class)], words);
        }
    });
}

/// The figures that say most, of the run that the report is about.
pub(super) fn tiles(html: &mut Html, report: &Report<'_>) {
    // Of two worlds the changed one is the news.
    let about =
        if report.changes.is_empty() { report.columns.first() } else { report.columns.last() };
    let Some(column) = about else { return };
    let figures = &column.run.figures;
    let of_bound = ratio(figures.mean_jct_s, figures.bound_mean_jct_s).unwrap_or_default();
    let tiles = [
        ("mean time to the end", span(figures.mean_jct_s), format!("{of_bound} the limit")),
        (
            "mean wait",
            span(figures.mean_queue_s),
            format!("99 of 100 below {}", span(figures.p99_queue_s)),
        ),
        (
            "GPUs useful",
            format!("{} %", percent(figures.useful_share)),
            format!("{} % allocated", percent(figures.allocated_share)),
        ),
        ("longest without GPUs", span(figures.max_gap_s), "of any job, at a stretch".to_owned()),
        (
            "preemptions",
            whole(figures.preemptions as f64),
            format!("{} GPU-hours lost", tenths(figures.gpu_hours_lost)),
        ),
    ];
    html.tag("div", &[("class", "tiles")], |html| {
        for (name, figure, beside) in &tiles {
            html.tag("div", &[("class", "tile")], |html| {
                html.words("div", &[("class", "name")], &format!("{}, {name}", column.label));
                html.words("div", &[("class", "figure")], figure);
                html.words("div", &[("class", "beside")], beside);
            });
        }
    });
}
