//! The report on a terminal: the funnel of all, and a table of who.

use std::fmt::Write as _;

use muster_api::usage::{Funnel, IdlePreview, Stages, UsageReport, UsageRow, WasteReport};

use super::figure::{hours, money, percent};
use crate::cli::show::table::Table;
use crate::cli::show::time::moment;

/// The whole report.
pub(super) fn report(report: &UsageReport, width: Option<usize>) -> String {
    let mut text =
        format!("GPU-hours from {} until {}\n\n", moment(report.since), moment(report.until));
    text.push_str(&funnel(&report.total, report.currency.as_deref()));
    text.push('\n');
    text.push_str(&rows(report).text(width));
    if report.more > 0 {
        writeln!(text, "{} more are summed up as `rest`", report.more)
            .expect("a string takes all text");
    }
    text
}

/// From what was paid for down to what was of use.
fn funnel(funnel: &Funnel, currency: Option<&str>) -> String {
    let Funnel { gpu_ms: all, money: cost } = funnel;
    let base = all.paid.unwrap_or(all.allocated);
    let mut table = Table::new(&["what", ">gpu-hours", ">share", ">cost"]);
    let mut line = |what: &str, of: fn(&Stages) -> Option<u64>| {
        let Some(gpu_ms) = of(all) else { return };
        let cost = cost.as_ref().and_then(of).map(money);
        let cost = cost.map(|cost| format!("{cost} {}", currency.unwrap_or_default()));
        let cost = cost.map_or_else(|| "-".to_owned(), |cost| cost.trim_end().to_owned());
        table.row([what.to_owned(), hours(gpu_ms), percent(gpu_ms, base), cost]);
    };
    line("paid", |it| it.paid);
    line("- unallocated, idle", |it| Some(it.unallocated?.idle));
    line("  of it in pieces", |it| Some(it.unallocated?.scattered));
    line("- unallocated, unusable", |it| Some(it.unallocated?.unusable));
    line("allocated", |it| Some(it.allocated));
    line("- idle", |it| Some(it.idle));
    line("- not measured", |it| Some(it.unmeasured));
    line("active", |it| Some(it.active));
    line("- lost to failures", |it| Some(it.lost.failed));
    line("- lost to pauses", |it| Some(it.lost.paused));
    line("- lost to cancelling", |it| Some(it.lost.cancelled));
    line("useful", |it| Some(it.useful));
    table.text(None)
}

fn rows(report: &UsageReport) -> Table {
    let by = report.by.to_string();
    let headings = [
        &by,
        ">allocated",
        ">active",
        ">useful",
        ">lost",
        ">idle",
        ">not measured",
        ">busy",
        ">cost",
    ];
    let mut table = Table::new(&headings).spare(&["not measured", "lost", "idle"]);
    for UsageRow { key, label, funnel } in &report.rows {
        let name = match label {
            Some(label) => format!("{key} {label}"),
            None if key.is_empty() => "(none)".to_owned(),
            None => key.clone(),
        };
        table.row(cells(name, funnel));
    }
    if let Some(rest) = &report.rest {
        table.row(cells("rest".to_owned(), rest));
    }
    table.row(cells("total".to_owned(), &report.total));
    table
}

fn cells(name: String, funnel: &Funnel) -> [String; 9] {
    let Funnel { gpu_ms: all, money: cost } = funnel;
    let cost = cost.as_ref().map(|cost| money(cost.allocated));
    [
        name,
        hours(all.allocated),
        hours(all.active),
        hours(all.useful),
        hours(all.lost.sum()),
        hours(all.idle),
        hours(all.unmeasured),
        percent(all.active, all.active + all.idle),
        cost.unwrap_or_else(|| "-".to_owned()),
    ]
}

/// The jobs that wasted most.
pub(super) fn waste(report: &WasteReport, width: Option<usize>) -> String {
    let mut table = Table::new(&["job", "name", "user", ">gpu-hours", ">cost", "why"]);
    for offender in &report.offenders {
        let or_none = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
        table.row([
            or_none(offender.job.map(|job| job.to_string())),
            or_none(offender.name.clone()),
            or_none(offender.user.clone()),
            hours(offender.gpu_ms),
            or_none(offender.money.map(money)),
            offender.text.clone(),
        ]);
    }
    table.text(width)
}

/// What a rule for idle jobs would have reclaimed.
pub(super) fn idle(preview: &IdlePreview, width: Option<usize>) -> String {
    let IdlePreview { since, until, after_ms, below_milli, .. } = preview;
    let after = muster_model::Millis(*after_ms);
    let (since, until) = (moment(*since), moment(*until));
    let mut text = format!(
        "From {since} until {until}, a rule for jobs whose GPUs are busy for less than {}%\n\
         of {after} would have reclaimed {} GPU-hours{}.\n",
        f64::from(*below_milli) / 10.0,
        hours(preview.gpu_ms),
        price(preview),
    );
    if preview.jobs.is_empty() {
        return text;
    }
    let mut table = Table::new(&["job", "name", "user", "team", "flagged", ">gpu-hours", ">cost"]);
    for job in &preview.jobs {
        table.row([
            job.job.to_string(),
            job.name.clone(),
            job.user.clone(),
            job.team.clone().unwrap_or_else(|| "-".to_owned()),
            moment(job.flagged),
            hours(job.gpu_ms),
            job.money.map_or_else(|| "-".to_owned(), money),
        ]);
    }
    text.push('\n');
    text.push_str(&table.text(width));
    if preview.more > 0 {
        writeln!(text, "and {} jobs more", preview.more).expect("a string takes all text");
    }
    text
}

fn price(preview: &IdlePreview) -> String {
    let currency = preview.currency.as_deref().unwrap_or_default();
    preview.money.map_or_else(String::new, |cost| format!(", worth {} {currency}", money(cost)))
}
