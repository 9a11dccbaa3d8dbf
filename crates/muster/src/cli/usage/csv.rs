//! The report for spreadsheets: one line for each row, the rest and the total, in GPU-hours.

use muster_api::usage::{Funnel, UsageReport};

use super::figure::{hours_exact, money_exact};

/// The columns after the name.
const COLUMNS: [&str; 19] = [
    "paid_gpu_hours",
    "unallocated_idle_gpu_hours",
    "unallocated_scattered_gpu_hours",
    "unallocated_unusable_gpu_hours",
    "allocated_gpu_hours",
    "active_gpu_hours",
    "idle_gpu_hours",
    "unmeasured_gpu_hours",
    "useful_gpu_hours",
    "lost_failed_gpu_hours",
    "lost_paused_gpu_hours",
    "lost_cancelled_gpu_hours",
    "overhead_gpu_hours",
    "currency",
    "cost_paid",
    "cost_allocated",
    "cost_active",
    "cost_idle",
    "cost_useful",
];

/// The whole report.
pub(super) fn text(report: &UsageReport) -> String {
    let mut text = format!("{},name,{}\n", report.by, COLUMNS.join(","));
    let currency = report.currency.as_deref().unwrap_or_default();
    let mut line = |key: &str, name: &str, funnel: &Funnel| {
        let mut cells = vec![quoted(key), quoted(name)];
        cells.extend(figures(funnel, currency));
        text.push_str(&cells.join(","));
        text.push('\n');
    };
    for row in &report.rows {
        line(&row.key, row.label.as_deref().unwrap_or_default(), &row.funnel);
    }
    if let Some(rest) = &report.rest {
        line("", "rest", rest);
    }
    line("", "total", &report.total);
    text
}

fn figures(funnel: &Funnel, currency: &str) -> Vec<String> {
    let Funnel { gpu_ms: all, money } = funnel;
    let left = all.unallocated;
    let mut cells: Vec<String> = [
        all.paid,
        left.map(|left| left.idle),
        left.map(|left| left.scattered),
        left.map(|left| left.unusable),
        Some(all.allocated),
        Some(all.active),
        Some(all.idle),
        Some(all.unmeasured),
        Some(all.useful),
        Some(all.lost.failed),
        Some(all.lost.paused),
        Some(all.lost.cancelled),
        Some(all.overhead),
    ]
    .map(|gpu_ms| gpu_ms.map(hours_exact).unwrap_or_default())
    .into();
    let money = money.as_ref();
    cells.push(money.map_or_else(String::new, |_| quoted(currency)));
    cells.extend(
        [
            money.and_then(|money| money.paid),
            money.map(|money| money.allocated),
            money.map(|money| money.active),
            money.map(|money| money.idle),
            money.map(|money| money.useful),
        ]
        .map(|micros| micros.map(money_exact).unwrap_or_default()),
    );
    cells
}

/// Text as a cell. One that a spreadsheet would take for a formula gets a mark before it: jobs may
/// be called anything.
fn quoted(text: &str) -> String {
    let is_formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let text = if is_formula { format!("'{text}") } else { text.to_owned() };
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text,
    }
}
