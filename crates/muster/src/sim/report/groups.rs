//! The same for each team and for each size of job.

use std::collections::BTreeMap;

use muster_trace::{Job, Owner};

use super::super::number::{amount, span, whole};
use super::super::sum::{Sum, jobs};
use super::super::team::LINES_MOST;
use super::html::Html;
use super::{Column, Report};

/// A group with its name and what it came to in each run.
type Group = (String, Vec<Sum>);

pub(super) fn section(html: &mut Html, report: &Report<'_>) {
    let owner = report.trace.owner();
    let word = owner.map_or("user", Owner::word);
    html.tag("section", &[], |html| {
        html.words("h2", &[], &format!("By {word} and by size"));
        let about = "Mean wait and mean time from submission to end, of the jobs that ended. The \
                     bars are parts of all GPU-hours that were needed.";
        html.words("p", &[("class", "soft")], about);
        if let Some(owner) = owner {
            html.words("p", &[("class", "soft")], &queues(report, word));
            let name = |job: &Job| owner.of(job).map_or("nobody", |name| name).to_owned();
            let groups = cut(by_name(report, name));
            let guaranteed = guaranteed(report, &groups);
            table(html, report, (word, guaranteed.as_deref()), &groups);
        }
        html.words("h3", &[], "By size of job");
        let groups = by_name(report, |job| format!("{}", size(job)));
        let names: Vec<Group> = groups
            .into_iter()
            .map(|(number, sums)| (SIZES[number.parse().unwrap_or(0)].1.to_owned(), sums))
            .collect();
        table(html, report, ("GPUs", None), &names);
    });
}

/// Whether those who are told apart were anything to the scheduler.
fn queues(report: &Report<'_>, word: &str) -> String {
    let teams = report.columns.first().and_then(|column| column.run.teams.as_ref());
    let Some(teams) = teams else {
        return format!(
            "All jobs were in one queue, where nobody is guaranteed anything: a {word} is only a \
             name here."
        );
    };
    let guaranteed = |run: &Column| -> f64 {
        let teams = run.run.teams.as_ref();
        teams.map_or(0.0, |teams| teams.each.iter().map(|team| team.guarantee_gpus).sum())
    };
    let mut sums: Vec<String> =
        report.columns.iter().map(|column| amount(guaranteed(column))).collect();
    sums.dedup();
    format!(
        "Each {word} had a queue of its own. Guaranteed were {}, {} GPUs in all; what somebody \
         leaves unused of it is lent and reclaimed.",
        teams.guarantees,
        sums.join(" and then ")
    )
}

/// Sizes by the most GPUs.
const SIZES: [(u64, &str); 8] = [
    (0, "none"),
    (999, "part of one"),
    (1_000, "1"),
    (4_000, "2 to 4"),
    (8_000, "5 to 8"),
    (32_000, "9 to 32"),
    (128_000, "33 to 128"),
    (u64::MAX, "more than 128"),
];

fn size(job: &Job) -> usize {
    let milli = job.gpus.milli().0;
    SIZES.iter().position(|(most, _)| milli <= *most).expect("the last has no limit")
}

/// All jobs by a name, for each run.
fn by_name(report: &Report<'_>, name: impl Fn(&Job) -> String) -> Vec<Group> {
    let mut groups: BTreeMap<String, Vec<Sum>> = BTreeMap::new();
    let runs = report.columns.len();
    for (number, column) in report.columns.iter().enumerate() {
        for (job, record) in jobs(report.trace, &column.replayed) {
            let sums = groups.entry(name(job)).or_insert_with(|| vec![Sum::default(); runs]);
            sums[number].add(record);
        }
    }
    groups.into_iter().collect()
}

/// The largest groups, and all others as one.
fn cut(mut groups: Vec<Group>) -> Vec<Group> {
    let hours = |group: &Group| group.1.first().map_or(0.0, |sum| sum.gpu_hours);
    // Stable: groups that are equal stay in the order of their names.
    groups.sort_by(|one, other| hours(other).total_cmp(&hours(one)));
    if groups.len() <= LINES_MOST {
        return groups;
    }
    let others = groups.split_off(LINES_MOST - 1);
    let mut sums = vec![Sum::default(); others[0].1.len()];
    for (_, other) in &others {
        sums.iter_mut().zip(other).for_each(|(sum, other)| sum.join(other));
    }
    groups.push((format!("{} others", others.len()), sums));
    groups
}

/// What each group was guaranteed, before and after where that differs; `None` where groups had no
/// queues. Those who share a line have what is left.
fn guaranteed(report: &Report<'_>, groups: &[Group]) -> Option<Vec<String>> {
    let mut columns: Vec<Vec<f64>> = Vec::new();
    for column in report.columns {
        let teams = column.run.teams.as_ref()?;
        let gpus: BTreeMap<&str, f64> =
            teams.each.iter().map(|team| (team.name(), team.guarantee_gpus)).collect();
        let of = |group: &Group| gpus.get(group.0.as_str()).copied();
        let all: f64 = gpus.values().sum();
        let left = all - groups.iter().filter_map(of).sum::<f64>();
        columns.push(groups.iter().map(|group| of(group).unwrap_or(left)).collect());
    }
    let text = |index: usize| {
        let mut amounts: Vec<String> = columns.iter().map(|gpus| amount(gpus[index])).collect();
        amounts.dedup();
        amounts.join(" → ")
    };
    Some((0..groups.len()).map(text).collect())
}

fn table(
    html: &mut Html,
    report: &Report<'_>,
    (word, guaranteed): (&str, Option<&[String]>),
    groups: &[Group],
) {
    let first = |group: &Group| group.1.first().cloned().unwrap_or_default();
    let all: f64 = groups.iter().map(|group| first(group).gpu_hours).sum();
    html.tag("div", &[("class", "scroll")], |html| {
        html.tag("table", &[], |html| {
            let is_guaranteed = guaranteed.is_some();
            html.tag("thead", &[], |html| head(html, (word, is_guaranteed), report.columns));
            html.tag("tbody", &[], |html| {
                for (index, group) in groups.iter().enumerate() {
                    let guaranteed = guaranteed.map(|texts| texts[index].as_str());
                    html.tag("tr", &[], |html| row(html, group, guaranteed, all));
                }
            });
        });
    });
}

fn head(html: &mut Html, (word, is_guaranteed): (&str, bool), columns: &[Column]) {
    html.tag("tr", &[], |html| {
        let guaranteed = is_guaranteed.then_some("guaranteed GPUs");
        for name in [word].into_iter().chain(guaranteed).chain(["jobs", "GPU-hours", ""]) {
            html.words("th", &[("scope", "col")], name);
        }
        for column in columns {
            html.tag("th", &[("scope", "col"), ("class", "policy")], |html| {
                html.text(&column.label);
                html.words("small", &[], "wait / to the end");
            });
        }
    });
}

fn row(html: &mut Html, (name, sums): &Group, guaranteed: Option<&str>, all: f64) {
    let first = sums.first().cloned().unwrap_or_default();
    html.words("th", &[("scope", "row")], name);
    if let Some(gpus) = guaranteed {
        html.words("td", &[], gpus);
    }
    html.words("td", &[], &whole(first.jobs as f64));
    html.words("td", &[], &whole(first.gpu_hours));
    html.tag("td", &[], |html| {
        let part = if all > 0.0 { first.gpu_hours / all * 100.0 } else { 0.0 };
        html.tag("span", &[("class", "bar")], |html| {
            html.words("span", &[("style", &format!("width:{part:.1}%"))], "");
        });
    });
    for sum in sums {
        let (wait, jct) = (sum.mean_queue_s(), sum.mean_jct_s());
        html.words("td", &[], &format!("{} / {}", span(wait), span(jct)));
    }
}
