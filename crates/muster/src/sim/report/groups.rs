//! The same for each team and for each size of job.

use std::collections::BTreeMap;

use muster_sim::replay::{Record, Replayed};
use muster_trace::{Job, Trace};

use super::super::number::{span, whole};
use super::html::Html;
use super::{Column, Report};

/// Teams that have a line; the others share one.
const TEAMS_MOST: usize = 15;

/// What the jobs of a group came to in one run.
#[derive(Clone, Debug, Default)]
struct Sum {
    jobs: usize,
    gpu_hours: f64,
    waited_s: f64,
    jct_s: f64,
}

impl Sum {
    fn add(&mut self, record: &Record) {
        let Some(end) = record.end else { return };
        self.jobs += 1;
        self.gpu_hours += record.milli as f64 * record.duration.0 as f64 / 3.6e9;
        self.waited_s += record.waited.0 as f64 / 1_000.0;
        self.jct_s += end.since(record.submit).0 as f64 / 1_000.0;
    }

    fn join(&mut self, other: &Sum) {
        self.jobs += other.jobs;
        self.gpu_hours += other.gpu_hours;
        self.waited_s += other.waited_s;
        self.jct_s += other.jct_s;
    }

    fn mean(&self, sum: f64) -> f64 {
        if self.jobs == 0 { 0.0 } else { sum / self.jobs as f64 }
    }
}

/// A group with its name and what it came to in each run.
type Group = (String, Vec<Sum>);

pub(super) fn section(html: &mut Html, report: &Report<'_>) {
    let jobs = &report.trace.jobs;
    let (word, owner) = owner(report.trace);
    html.tag("section", &[], |html| {
        html.words("h2", &[], &format!("By {word} and by size"));
        let about = "Mean wait and mean time from submission to end, of the jobs that ended. The \
                     bars are parts of all GPU-hours that were needed.";
        html.words("p", &[("class", "soft")], about);
        if jobs.iter().any(|job| owner(job).is_some()) {
            let name = |job: &Job| owner(job).unwrap_or("nobody").to_owned();
            let groups = cut(by_name(report, name));
            table(html, report, word, &groups);
        }
        html.words("h3", &[], "By size of job");
        let groups = by_name(report, |job| format!("{}", size(job)));
        let names: Vec<Group> = groups
            .into_iter()
            .map(|(number, sums)| (SIZES[number.parse().unwrap_or(0)].1.to_owned(), sums))
            .collect();
        table(html, report, "GPUs", &names);
    });
}

/// Who jobs belong to: teams where the trace has them, else pools, else users.
fn owner(trace: &Trace) -> (&'static str, fn(&Job) -> Option<&str>) {
    let has = |of: fn(&Job) -> Option<&str>| trace.jobs.iter().any(|job| of(job).is_some());
    let team: fn(&Job) -> Option<&str> = |job| job.team.as_deref();
    let pool: fn(&Job) -> Option<&str> = |job| job.pool.as_deref();
    let user: fn(&Job) -> Option<&str> = |job| job.user.as_deref();
    if has(team) {
        ("team", team)
    } else if has(pool) {
        ("pool", pool)
    } else {
        ("user", user)
    }
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

/// The jobs of a trace with their records: those that were refused have none.
fn jobs<'a>(
    trace: &'a Trace,
    replayed: &'a Replayed,
) -> impl Iterator<Item = (&'a Job, &'a Record)> {
    let mut refused = replayed.refused.iter().map(|(index, _)| *index).peekable();
    let accepted = trace.jobs.iter().enumerate().filter(move |(index, _)| {
        let is_refused = refused.peek() == Some(index);
        if is_refused {
            refused.next();
        }
        !is_refused
    });
    accepted.map(|(_, job)| job).zip(&replayed.records)
}

/// The largest groups, and all others as one.
fn cut(mut groups: Vec<Group>) -> Vec<Group> {
    let hours = |group: &Group| group.1.first().map_or(0.0, |sum| sum.gpu_hours);
    // Stable: groups that are equal stay in the order of their names.
    groups.sort_by(|one, other| hours(other).total_cmp(&hours(one)));
    if groups.len() <= TEAMS_MOST {
        return groups;
    }
    let others = groups.split_off(TEAMS_MOST - 1);
    let mut sums = vec![Sum::default(); others[0].1.len()];
    for (_, other) in &others {
        sums.iter_mut().zip(other).for_each(|(sum, other)| sum.join(other));
    }
    groups.push((format!("{} others", others.len()), sums));
    groups
}

fn table(html: &mut Html, report: &Report<'_>, word: &str, groups: &[Group]) {
    let first = |group: &Group| group.1.first().cloned().unwrap_or_default();
    let all: f64 = groups.iter().map(|group| first(group).gpu_hours).sum();
    html.tag("div", &[("class", "scroll")], |html| {
        html.tag("table", &[], |html| {
            html.tag("thead", &[], |html| head(html, word, report.columns));
            html.tag("tbody", &[], |html| {
                for group in groups {
                    html.tag("tr", &[], |html| row(html, group, all));
                }
            });
        });
    });
}

fn head(html: &mut Html, word: &str, columns: &[Column]) {
    html.tag("tr", &[], |html| {
        for name in [word, "jobs", "GPU-hours", ""] {
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

fn row(html: &mut Html, (name, sums): &Group, all: f64) {
    let first = sums.first().cloned().unwrap_or_default();
    html.words("th", &[("scope", "row")], name);
    html.words("td", &[], &whole(first.jobs as f64));
    html.words("td", &[], &whole(first.gpu_hours));
    html.tag("td", &[], |html| {
        let part = if all > 0.0 { first.gpu_hours / all * 100.0 } else { 0.0 };
        html.tag("span", &[("class", "bar")], |html| {
            html.words("span", &[("style", &format!("width:{part:.1}%"))], "");
        });
    });
    for sum in sums {
        let (wait, jct) = (sum.mean(sum.waited_s), sum.mean(sum.jct_s));
        html.words("td", &[], &format!("{} / {}", span(wait), span(jct)));
    }
}
