//! What it cost: GPU-hours that were lost or idle, and money where there is a price.

use muster_trace::Cluster;

use super::super::number::{percent, tenths, whole};
use super::html::Html;
use super::policies;
use super::{Column, Report};

/// What the GPU-hours of a run cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Money {
    pub(super) all: f64,
    /// For GPUs that nobody held.
    pub(super) idle: f64,
    /// For GPU time that was held and not needed.
    pub(super) lost: f64,
    pub(super) useful: f64,
}

impl Money {
    pub(super) fn of(column: &Column, price: f64) -> Money {
        let (hours, figures) = (column.gpu_hours(), &column.run.figures);
        Money {
            all: hours * price,
            idle: hours * (1.0 - figures.allocated_share) * price,
            lost: figures.gpu_hours_lost * price,
            useful: hours * figures.useful_share * price,
        }
    }
}

/// The mean price of a GPU for an hour, where every node has one.
pub(super) fn mean_price(cluster: &Cluster) -> Option<f64> {
    let with_gpus = || cluster.nodes.iter().filter(|node| node.spec.gpus > 0);
    let gpus: u64 = with_gpus().map(|node| u64::from(node.spec.gpus)).sum();
    if gpus == 0 || with_gpus().any(|node| node.price_micros == 0) {
        return None;
    }
    let price = |node: &muster_trace::Node| node.price_micros as f64 * f64::from(node.spec.gpus);
    Some(with_gpus().map(price).sum::<f64>() / gpus as f64 / 1e6)
}

/// A line of the table.
type Line<'a> = (&'static str, Box<dyn Fn(&Column) -> String + 'a>);

pub(super) fn section(html: &mut Html, report: &Report<'_>) {
    html.tag("section", &[], |html| {
        html.words("h2", &[], "Preemptions, lost GPU-hours and money");
        let about = match report.price {
            Some(price) => format!(
                "At {price:.2} per GPU-hour, whether it is used or not, from the first submission \
                 until all was over. A policy that needs longer for the same work costs more."
            ),
            None => "Lost is what was held and not needed: work done twice, saving and restoring. \
                     With --price the same is told in money."
                .to_owned(),
        };
        html.words("p", &[("class", "soft")], &about);
        html.tag("div", &[("class", "scroll")], |html| {
            html.tag("table", &[], |html| {
                html.tag("thead", &[], |html| policies::head(html, report.columns));
                html.tag("tbody", &[], |html| {
                    for (name, figure) in lines(report.price) {
                        html.tag("tr", &[], |html| {
                            html.words("th", &[("scope", "row")], name);
                            for column in report.columns {
                                html.words("td", &[], &figure(column));
                            }
                        });
                    }
                });
            });
        });
    });
}

fn lines<'a>(price: Option<f64>) -> Vec<Line<'a>> {
    let hours = |part: fn(&Column) -> f64| -> Box<dyn Fn(&Column) -> String> {
        Box::new(move |column| tenths(part(column)))
    };
    let mut lines: Vec<Line<'a>> = vec![
        ("preemptions", Box::new(|column| whole(column.run.figures.preemptions as f64))),
        ("preemptions for 100 jobs", Box::new(per_hundred)),
        ("GPU-hours in all", hours(Column::gpu_hours)),
        ("GPU-hours idle", hours(|column| Money::of(column, 1.0).idle)),
        ("GPU-hours lost", hours(|column| column.run.figures.gpu_hours_lost)),
        ("lost, of what was allocated", Box::new(lost_share)),
    ];
    let Some(price) = price else { return lines };
    let money = move |part: fn(Money) -> f64| -> Box<dyn Fn(&Column) -> String> {
        Box::new(move |column| whole(part(Money::of(column, price))))
    };
    lines.extend([
        ("cost of the cluster", money(|money| money.all)),
        ("of that useful", money(|money| money.useful)),
        ("of that lost", money(|money| money.lost)),
        ("of that idle", money(|money| money.idle)),
    ]);
    lines.push((
        "cost of a useful GPU-hour",
        Box::new(move |column| match column.run.figures.useful_share {
            useful if useful > 0.0 => format!("{:.2}", price / useful),
            _ => "–".to_owned(),
        }),
    ));
    lines
}

fn per_hundred(column: &Column) -> String {
    let figures = &column.run.figures;
    format!("{:.1}", figures.preemptions as f64 * 100.0 / figures.jobs.max(1) as f64)
}

fn lost_share(column: &Column) -> String {
    let held = column.gpu_hours() * column.run.figures.allocated_share;
    let lost = if held > 0.0 { column.run.figures.gpu_hours_lost / held } else { 0.0 };
    format!("{} %", percent(lost))
}
