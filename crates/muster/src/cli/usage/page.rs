//! The report for browsers: one file that needs nothing from elsewhere, light and dark.

use muster_api::usage::{Funnel, Stages, UsageBucket, UsageReport, UsageRow, WasteReport};

use super::chart;
use super::figure::{hours, money, percent};
use crate::cli::show::time::moment;
use crate::sim::report::html::Html;

/// Offenders on the page: the worst, for a conversation and not for a list.
const OFFENDERS: usize = 15;

/// The whole page.
pub(super) fn page(report: &UsageReport, waste: Option<&WasteReport>) -> String {
    let mut html = Html::default();
    html.tag("html", &[("lang", "en")], |html| {
        html.tag("head", &[], |html| {
            html.empty("meta", &[("charset", "utf-8")]);
            let width = "width=device-width, initial-scale=1";
            html.empty("meta", &[("name", "viewport"), ("content", width)]);
            html.words("title", &[], &format!("GPU usage by {} – Muster", report.by));
            html.style(include_str!("../../sim/report/style.css"));
            html.style(include_str!("style.css"));
        });
        html.tag("body", &[], |html| body(html, report, waste));
    });
    html.into_page()
}

fn body(html: &mut Html, report: &UsageReport, waste: Option<&WasteReport>) {
    html.tag("header", &[], |html| {
        html.words("div", &[("class", "brand")], "Muster usage report");
        html.words("h1", &[], &format!("GPU usage by {}", report.by));
        let span = format!("{} until {}", moment(report.since), moment(report.until));
        html.words("p", &[], &span);
    });
    html.tag("main", &[], |html| {
        tiles(html, report);
        whole(html, report);
        over_time(html, report);
        rows(html, report);
        waste.into_iter().for_each(|waste| offenders(html, waste));
        meanings(html);
    });
    html.tag("footer", &[], |html| {
        html.words("p", &[], &format!("Made by muster usage {}.", env!("CARGO_PKG_VERSION")));
    });
}

fn tiles(html: &mut Html, report: &UsageReport) {
    let Funnel { gpu_ms: all, money: cost } = &report.total;
    let base = all.paid.unwrap_or(all.allocated);
    let currency = report.currency.as_deref().unwrap_or_default();
    let mut shown = vec![
        ("Allocated", percent(all.allocated, base), format!("{} GPU-hours", hours(all.allocated))),
        ("Active", percent(all.active, base), format!("{} GPU-hours", hours(all.active))),
        ("Useful", percent(all.useful, base), format!("{} GPU-hours", hours(all.useful))),
    ];
    if let Some(paid) = all.paid {
        shown.insert(0, ("Paid for", hours(paid), "GPU-hours".to_owned()));
    }
    if let Some(cost) = cost {
        let spent = cost.paid.unwrap_or(cost.allocated);
        shown.push(("Cost", format!("{} {currency}", money(spent)), {
            format!("{} {currency} of it useful", money(cost.useful))
        }));
    }
    html.tag("div", &[("class", "tiles")], |html| {
        for (name, figure, beside) in shown {
            html.tag("div", &[("class", "tile")], |html| {
                html.words("div", &[("class", "name")], name);
                html.words("div", &[("class", "figure")], &figure);
                html.words("div", &[("class", "beside")], &beside);
            });
        }
    });
}

fn whole(html: &mut Html, report: &UsageReport) {
    html.tag("section", &[], |html| {
        html.words("h2", &[], "Where it went");
        chart::legend(html);
        chart::lying(html, &report.total.gpu_ms, &spoken(&report.total.gpu_ms));
        html.tag("div", &[("class", "scroll")], |html| {
            html.tag("table", &[], |html| funnel(html, report));
        });
    });
}

fn spoken(funnel: &Stages) -> String {
    let parts = chart::PARTS.iter().zip(chart::parts(funnel));
    let told: Vec<String> =
        parts.map(|((name, _), part)| format!("{name}: {} GPU-hours", hours(part))).collect();
    told.join(", ")
}

fn funnel(html: &mut Html, report: &UsageReport) {
    let Funnel { gpu_ms: all, money: cost } = &report.total;
    let base = all.paid.unwrap_or(all.allocated);
    let mut lines: Vec<(&str, bool, u64, Option<u64>)> = Vec::new();
    let mut line = |name, is_part, of: fn(&Stages) -> Option<u64>| {
        lines.extend(of(all).map(|gpu_ms| (name, is_part, gpu_ms, cost.as_ref().and_then(of))));
    };
    line("Paid for", true, |it| it.paid);
    line("unallocated, idle", false, |it| Some(it.unallocated?.idle));
    line("of it in pieces", false, |it| Some(it.unallocated?.scattered));
    line("unallocated, unusable", false, |it| Some(it.unallocated?.unusable));
    line("Allocated", true, |it| Some(it.allocated));
    line("idle", false, |it| Some(it.idle));
    line("not measured", false, |it| Some(it.unmeasured));
    line("Active", true, |it| Some(it.active));
    line("lost to failures", false, |it| Some(it.lost.failed));
    line("lost to pauses", false, |it| Some(it.lost.paused));
    line("lost to cancelling", false, |it| Some(it.lost.cancelled));
    line("Useful", true, |it| Some(it.useful));
    let heading = match report.currency.as_deref().filter(|_| cost.is_some()) {
        Some(currency) => vec!["", "GPU-hours", "share", currency],
        None => vec!["", "GPU-hours", "share"],
    };
    head(html, &heading);
    html.tag("tbody", &[], |html| {
        for (name, is_part, gpu_ms, cost) in lines {
            html.tag("tr", &[("class", if is_part { "part" } else { "sub" })], |html| {
                html.words("th", &[], name);
                html.words("td", &[], &hours(gpu_ms));
                html.words("td", &[], &percent(gpu_ms, base));
                cost.into_iter().for_each(|cost| html.words("td", &[], &money(cost)));
            });
        }
    });
}

fn head(html: &mut Html, headings: &[&str]) {
    html.tag("thead", &[], |html| {
        html.tag("tr", &[], |html| {
            for heading in headings {
                let is_text = matches!(*heading, "why" | "user");
                let class: &[(&str, &str)] = if is_text { &[("class", "text")] } else { &[] };
                html.words("th", class, heading);
            }
        });
    });
}

fn over_time(html: &mut Html, report: &UsageReport) {
    let buckets: Vec<&UsageBucket> =
        report.buckets.iter().flatten().filter(|bucket| bucket.key.is_none()).collect();
    let (Some(first), Some(last)) = (buckets.first(), buckets.last()) else { return };
    let funnels: Vec<&Stages> = buckets.iter().map(|bucket| &bucket.funnel.gpu_ms).collect();
    html.tag("section", &[], |html| {
        html.words("h2", &[], "Over time");
        chart::legend(html);
        let (from, to) = (moment(first.at), moment(last.at));
        let told = format!("GPU-hours from {from} to {to}, {} bars", buckets.len());
        html.tag("figure", &[("class", "chart")], |html| {
            html.tag("div", &[("class", "plot")], |html| {
                chart::standing(html, &funnels, &told);
                let most = funnels.iter().map(|it| chart::parts(it).iter().sum()).max();
                let place = [("class", "y"), ("style", "bottom:100%")];
                html.words("span", &place, &hours(most.unwrap_or(0)));
                html.words("span", &[("class", "y"), ("style", "bottom:0")], "0");
                html.words("span", &[("class", "x"), ("style", "left:4rem")], &from);
                html.words("span", &[("class", "x"), ("style", "left:calc(100% - 4rem)")], &to);
            });
            html.words("div", &[("class", "across")], "GPU-hours by the beginning of each bar");
        });
    });
}

fn rows(html: &mut Html, report: &UsageReport) {
    let by = report.by.to_string();
    let has_money = report.total.money.is_some();
    let mut headings =
        vec![by.as_str(), "", "allocated", "active", "useful", "lost", "idle", "not measured"];
    headings.extend(report.currency.as_deref().filter(|_| has_money));
    html.tag("section", &[], |html| {
        html.words("h2", &[], &format!("By {by}"));
        html.words("p", &[("class", "soft")], "GPU-hours. Failed attempts are included.");
        html.tag("div", &[("class", "scroll")], |html| {
            html.tag("table", &[], |html| {
                head(html, &headings);
                html.tag("tbody", &[], |html| {
                    for UsageRow { key, label, funnel } in &report.rows {
                        let name = match label {
                            Some(label) => format!("{key} {label}"),
                            None if key.is_empty() => "(none)".to_owned(),
                            None => key.clone(),
                        };
                        row(html, &name, funnel);
                    }
                    if let Some(rest) = &report.rest {
                        row(html, &format!("{} more", report.more), rest);
                    }
                    row(html, "total", &report.total);
                });
            });
        });
    });
}

fn row(html: &mut Html, name: &str, funnel: &Funnel) {
    let Funnel { gpu_ms: all, money: cost } = funnel;
    html.tag("tr", &[], |html| {
        html.words("th", &[], name);
        html.tag("td", &[], |html| {
            // What nobody held is no part of a row's own bar.
            let own = Stages { unallocated: None, ..*all };
            chart::lying(html, &own, &spoken(&own));
        });
        let figures = [all.allocated, all.active, all.useful, all.lost.sum(), all.idle];
        figures.iter().for_each(|gpu_ms| html.words("td", &[], &hours(*gpu_ms)));
        html.words("td", &[], &hours(all.unmeasured));
        if let Some(cost) = cost {
            html.words("td", &[], &money(cost.allocated));
        }
    });
}

fn offenders(html: &mut Html, waste: &WasteReport) {
    if waste.offenders.is_empty() {
        return;
    }
    html.tag("section", &[], |html| {
        html.words("h2", &[], "Where most was wasted");
        html.tag("div", &[("class", "scroll")], |html| {
            html.tag("table", &[], |html| {
                head(html, &["job", "user", "GPU-hours", "why"]);
                html.tag("tbody", &[], |html| {
                    for offender in waste.offenders.iter().take(OFFENDERS) {
                        html.tag("tr", &[], |html| {
                            let job = offender.job.map(|job| job.to_string()).unwrap_or_default();
                            let name = offender.name.as_deref().unwrap_or_default();
                            html.words("th", &[], format!("{job} {name}").trim());
                            let user = offender.user.as_deref().unwrap_or_default();
                            html.words("td", &[("class", "text")], user);
                            html.words("td", &[], &hours(offender.gpu_ms));
                            html.words("td", &[("class", "text")], &offender.text);
                        });
                    }
                });
            });
        });
    });
}

fn meanings(html: &mut Html) {
    let said = [
        ("paid for", "all GPUs that the cluster owned, used or not"),
        (
            "unallocated",
            "held by no job; in pieces while one waited that needed as much together, unusable \
             while drained, unhealthy or out of sight",
        ),
        ("allocated", "held by jobs, from being given a place until it was free again"),
        ("active", "of that, what computed as it was measured; unmeasured time is told apart"),
        (
            "useful",
            "of that, what was kept: all of a job that completed or still runs, and what \
                    was saved of one that did not",
        ),
        (
            "lost",
            "of that, what came after the last save of an attempt that failed, gave way or \
                  was cancelled",
        ),
    ];
    html.tag("section", &[], |html| {
        html.words("h2", &[], "What the words mean");
        html.tag("dl", &[], |html| {
            for (word, meaning) in said {
                html.words("dt", &[], word);
                html.words("dd", &[], meaning);
            }
        });
    });
}
