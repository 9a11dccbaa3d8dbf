//! A report that people read in a browser: one file that needs nothing from elsewhere, with the
//! conclusion on top and everything it follows from below. The same runs give the same bytes.

mod axis;
mod chart;
mod conclusion;
mod groups;
pub(crate) mod html;
mod money;
mod over_time;
mod policies;
mod rules;
mod spread;
#[cfg(test)]
mod tests;

use muster_sim::replay::{Knowledge, Options, Replayed};
use muster_trace::{Cluster, Trace};

use super::number::whole;
use super::run::Run;
use super::setup::Finished;
use super::what_if::Part;
use html::Html;

/// A run as one column of the report.
#[derive(Debug)]
pub(super) struct Column {
    /// What it is called: its policy, or its world.
    pub(super) label: String,
    pub(super) run: Run,
    pub(super) replayed: Replayed,
    pub(super) options: Options,
}

impl Column {
    /// A run that is told from the others by its policy.
    pub(super) fn policy(finished: Finished, options: Options) -> Column {
        Column { label: finished.run.policy.clone(), ..Column::called("", finished, options) }
    }

    pub(super) fn called(label: &str, finished: Finished, options: Options) -> Column {
        let Finished { run, replayed } = finished;
        Column { label: label.to_owned(), run, replayed, options }
    }

    /// What it was told of run times.
    fn knows(&self) -> &'static str {
        match self.options.rules.knowledge {
            Knowledge::Predicted => "predicted run times",
            Knowledge::Exact => "true run times",
            Knowledge::Rough(_) => "rough guesses of run times",
            Knowledge::Nothing => "no run times",
        }
    }

    fn gpus(&self) -> f64 {
        self.replayed.gpus.iter().sum::<u64>() as f64
    }

    /// GPU-hours that there were until the end.
    fn gpu_hours(&self) -> f64 {
        self.gpus() * self.run.figures.makespan_s / 3_600.0
    }
}

/// All that a page is made of.
#[derive(Debug)]
pub(super) struct Report<'a> {
    title: String,
    trace: &'a Trace,
    cluster: &'a Cluster,
    columns: &'a [Column],
    /// The price of a GPU for an hour, where it is known.
    price: Option<f64>,
    conclusion: Vec<String>,
    /// What was changed, in a comparison of worlds.
    changes: Vec<String>,
}

impl<'a> Report<'a> {
    /// Policies side by side on the same cluster.
    pub(super) fn policies(
        trace: &'a Trace,
        cluster: &'a Cluster,
        columns: &'a [Column],
        price: Option<f64>,
    ) -> Report<'a> {
        let price = price.or_else(|| money::mean_price(cluster));
        let title = format!("{} on {}", short(&trace.name), cluster.name);
        let conclusion = conclusion::of_policies(columns, price);
        Report { title, trace, cluster, columns, price, conclusion, changes: Vec::new() }
    }
}

impl<'a> Report<'a> {
    /// The same trace in two worlds, the first as it is and the second changed.
    pub(super) fn worlds(
        (trace, cluster): (&'a Trace, &'a Cluster),
        columns: &'a [Column; 2],
        (changes, parts): (&[String], &[Part]),
        price: Option<f64>,
    ) -> Report<'a> {
        let price = price.or_else(|| money::mean_price(cluster));
        let title = format!("What if: {}", changes.join(", "));
        let conclusion = conclusion::of_worlds(columns, (changes, parts), price);
        Report { title, trace, cluster, columns, price, conclusion, changes: changes.to_vec() }
    }
}

/// The whole page.
pub(super) fn page(report: &Report<'_>) -> String {
    let mut html = Html::default();
    html.tag("html", &[("lang", "en")], |html| {
        html.tag("head", &[], |html| {
            html.empty("meta", &[("charset", "utf-8")]);
            let width = "width=device-width, initial-scale=1";
            html.empty("meta", &[("name", "viewport"), ("content", width)]);
            html.words("title", &[], &format!("{} – Muster", report.title));
            html.style(include_str!("report/style.css"));
        });
        html.tag("body", &[], |html| body(html, report));
    });
    html.into_page()
}

fn body(html: &mut Html, report: &Report<'_>) {
    html.tag("header", &[], |html| {
        html.words("div", &[("class", "brand")], "Muster simulation report");
        html.words("h1", &[], &report.title);
        html.words("p", &[], &subtitle(report));
    });
    html.tag("main", &[], |html| {
        conclusion::section(html, &report.conclusion);
        conclusion::tiles(html, report);
        policies::section(html, report);
        over_time::section(html, report);
        spread::section(html, report);
        groups::section(html, report);
        money::section(html, report);
        rules::section(html, report);
    });
    html.tag("footer", &[], |html| {
        html.words("p", &[], &format!("Made by muster sim {}.", env!("CARGO_PKG_VERSION")));
    });
}

fn subtitle(report: &Report<'_>) -> String {
    let (jobs, nodes) = (report.trace.jobs.len() as f64, report.cluster.nodes.len() as f64);
    let gpus = report.cluster.gpus() as f64;
    let labels: Vec<&str> = report.columns.iter().map(|column| column.label.as_str()).collect();
    let (jobs, nodes, gpus) = (whole(jobs), whole(nodes), whole(gpus));
    let on = format!("{jobs} jobs · {nodes} nodes with {gpus} GPUs · {}", labels.join(", "));
    if report.changes.is_empty() {
        return on;
    }
    format!("{} on {} · {on}", short(&report.trace.name), report.cluster.name)
}

/// A file by its name and its folder's: where that lies is nobody's business.
fn short(name: &str) -> &str {
    let mut slashes = name.rmatch_indices('/').map(|(at, _)| at + 1);
    let from = slashes.nth(1).unwrap_or(0);
    &name[from..]
}
