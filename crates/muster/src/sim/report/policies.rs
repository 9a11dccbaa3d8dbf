//! The table of all figures, a column for each run, and how far each is from the limits.

use super::super::number::{percent, ratio, span, tenths, whole};
use super::super::run::Run;
use super::html::Html;
use super::{Column, Report};

/// How a figure is shown.
#[derive(Clone, Copy)]
enum Kind {
    Count,
    Seconds,
    Share,
    Hours,
}

/// A line: its name, the figure, how it is shown, and whether less is better, where one is.
type Line = (&'static str, fn(&Run) -> Option<f64>, Kind, Option<bool>);

const LINES: [Line; 16] = [
    ("jobs that ended", |run| Some(run.figures.jobs as f64), Kind::Count, None),
    ("unfinished", |run| Some(run.figures.unfinished as f64), Kind::Count, None),
    ("refused", |run| Some(run.figures.refused as f64), Kind::Count, None),
    ("mean time to the end", |run| Some(run.figures.mean_jct_s), Kind::Seconds, Some(true)),
    ("median time to the end", |run| Some(run.figures.p50_jct_s), Kind::Seconds, Some(true)),
    ("99 of 100 end within", |run| Some(run.figures.p99_jct_s), Kind::Seconds, Some(true)),
    ("mean wait", |run| Some(run.figures.mean_queue_s), Kind::Seconds, Some(true)),
    ("99 of 100 wait at most", |run| Some(run.figures.p99_queue_s), Kind::Seconds, Some(true)),
    ("999 of 1,000 wait at most", |run| Some(run.figures.p999_queue_s), Kind::Seconds, Some(true)),
    ("longest without GPUs", |run| Some(run.figures.max_gap_s), Kind::Seconds, Some(true)),
    ("until all was over", |run| Some(run.figures.makespan_s), Kind::Seconds, Some(true)),
    ("GPUs allocated", |run| Some(run.figures.allocated_share), Kind::Share, None),
    ("GPUs useful", |run| Some(run.figures.useful_share), Kind::Share, None),
    ("preemptions", |run| Some(run.figures.preemptions as f64), Kind::Count, None),
    ("GPU-hours lost", |run| Some(run.figures.gpu_hours_lost), Kind::Hours, None),
    ("deadlines met", |run| run.figures.deadlines_met_share, Kind::Share, Some(false)),
];

/// A limit: its name, what is measured, and what no schedule can beat.
type Limit = (&'static str, fn(&Run) -> f64, fn(&Run) -> f64);

const LIMITS: [Limit; 5] = [
    ("mean time ÷ the limit", |run| run.figures.mean_jct_s, |run| run.figures.bound_mean_jct_s),
    ("mean time ÷ mean run time", |run| run.figures.mean_jct_s, |run| run.figures.bound_duration_s),
    (
        "mean time ÷ one fast machine",
        |run| run.figures.mean_jct_s,
        |run| run.figures.bound_fast_machine_s,
    ),
    (
        "mean time ÷ busy-time bound",
        |run| run.figures.mean_jct_s,
        |run| run.figures.bound_busy_time_s,
    ),
    (
        "until all over ÷ least possible",
        |run| run.figures.makespan_s,
        |run| run.figures.bound_makespan_s,
    ),
];

pub(super) fn section(html: &mut Html, report: &Report<'_>) {
    html.tag("section", &[], |html| {
        html.words("h2", &[], "Side by side");
        html.words(
            "p",
            &[("class", "soft")],
            "The best of each line is bold where one can be best.",
        );
        html.tag("div", &[("class", "scroll")], |html| {
            html.tag("table", &[], |html| {
                html.tag("thead", &[], |html| head(html, report.columns));
                html.tag("tbody", &[], |html| {
                    LINES.iter().for_each(|line| figures(html, report.columns, line));
                    distances(html, report.columns);
                });
            });
        });
        html.words("h3", &[], "Mean time to the end, and the least that any schedule could reach");
        bars(html, report.columns);
    });
}

pub(super) fn head(html: &mut Html, columns: &[Column]) {
    html.tag("tr", &[], |html| {
        html.words("th", &[], "");
        for column in columns {
            html.tag("th", &[("class", "policy"), ("scope", "col")], |html| {
                html.text(&column.label);
                html.words("small", &[], column.knows());
            });
        }
    });
}

fn figures(html: &mut Html, columns: &[Column], &(name, figure, kind, less): &Line) {
    let all: Vec<Option<f64>> = columns.iter().map(|column| figure(&column.run)).collect();
    let is_worth_a_line = match name {
        "unfinished" | "refused" => all.iter().flatten().any(|figure| *figure > 0.0),
        _ => all.iter().any(Option::is_some),
    };
    if !is_worth_a_line {
        return;
    }
    let known = || all.iter().flatten().copied();
    let best = less.map(|less| match less {
        true => known().fold(f64::INFINITY, f64::min),
        false => known().fold(f64::NEG_INFINITY, f64::max),
    });
    // Where all are equal none is best.
    let best = best.filter(|best| known().any(|figure| shown(figure, kind) != shown(*best, kind)));
    html.tag("tr", &[], |html| {
        html.words("th", &[("scope", "row")], name);
        for figure in &all {
            let Some(figure) = *figure else {
                html.words("td", &[], "–");
                continue;
            };
            let is_best = best.is_some_and(|best| shown(best, kind) == shown(figure, kind));
            html.tag("td", &[("class", if is_best { "best" } else { "plain" })], |html| {
                datum(html, figure, &shown(figure, kind), kind);
            });
        }
    });
}

/// A figure as people read it, and as it is.
fn datum(html: &mut Html, figure: f64, words: &str, kind: Kind) {
    let exact = match kind {
        Kind::Count => format!("{figure:.0}"),
        _ => serde_json::json!(figure).to_string(),
    };
    let title = match kind {
        Kind::Seconds => format!("{} s", whole(figure)),
        _ => exact.clone(),
    };
    html.words("data", &[("value", &exact), ("title", &title)], words);
}

fn shown(figure: f64, kind: Kind) -> String {
    match kind {
        Kind::Count => whole(figure),
        Kind::Hours => tenths(figure),
        Kind::Seconds => span(figure),
        Kind::Share => format!("{} %", percent(figure)),
    }
}

fn distances(html: &mut Html, columns: &[Column]) {
    html.tag("tr", &[("class", "part")], |html| {
        html.words("th", &[("scope", "row")], "distance to the limits");
        columns.iter().for_each(|_| html.words("td", &[], ""));
    });
    for (name, measured, limit) in LIMITS {
        html.tag("tr", &[("class", "sub")], |html| {
            html.words("th", &[("scope", "row")], name);
            for column in columns {
                let (measured, limit) = (measured(&column.run), limit(&column.run));
                let words = ratio(measured, limit).unwrap_or_else(|| "–".to_owned());
                let title = format!("{} ÷ {}", span(measured), span(limit));
                html.words("td", &[("title", &title)], &words);
            }
        });
    }
}

fn bars(html: &mut Html, columns: &[Column]) {
    let longest = columns.iter().map(|column| column.run.figures.mean_jct_s).fold(0.0, f64::max);
    let part = |figure: f64| if longest > 0.0 { figure / longest * 100.0 } else { 0.0 };
    html.tag("div", &[("class", "limits")], |html| {
        for column in columns {
            let figures = &column.run.figures;
            let (jct, bound) = (figures.mean_jct_s, figures.bound_mean_jct_s);
            html.tag("div", &[("class", "limit")], |html| {
                html.words("span", &[], &column.label);
                html.tag("span", &[("class", "track")], |html| {
                    let style = format!("width:{:.2}%", part(jct));
                    html.words("span", &[("class", "above"), ("style", &style)], "");
                    let style = format!("width:{:.2}%", part(bound));
                    html.words("span", &[("class", "least"), ("style", &style)], "");
                });
                let times = ratio(jct, bound).unwrap_or_default();
                html.words("span", &[("class", "value")], &format!("{} · {times}", span(jct)));
            });
        }
    });
    html.tag("div", &[("class", "keys")], |html| {
        for (class, words) in [("least", "the limit"), ("above", "above the limit")] {
            html.tag("span", &[], |html| {
                html.words("i", &[("class", class)], "");
                html.text(words);
            });
        }
    });
}
