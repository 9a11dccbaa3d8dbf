//! The queues: what each is guaranteed, uses, borrows and lends, as figures and as a bar.

use muster_api::view::QueueView;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::bar::bar;
use super::{failure, quiet, split_top, words};
use crate::app::App;
use crate::look::{CAREFUL, CHOSEN, FAINT, GOOD, NEWS, STRONG};
use crate::table::first_shown;

/// Draws it.
pub(super) fn draw(app: &App, area: Rect, buffer: &mut Buffer) {
    let known = &app.data.queues;
    let area = match &known.failure {
        Some(why) if app.is_live() => failure(why, area, buffer),
        _ => area,
    };
    let Some(queues) = &known.value else {
        let words = if known.failure.is_some() { "" } else { "asking …" };
        return quiet(&[words], area, buffer);
    };
    if queues.is_empty() {
        return quiet(&["no queues; `muster policy` makes some"], area, buffer);
    }
    let (legend, rest) = split_top(area, 1);
    buffer.set_line(legend.x, legend.y, &self::legend(), legend.width);
    let scale = scale(app, queues);
    let name = queues.iter().map(|queue| label(queue).chars().count()).max().unwrap_or(0);
    let name = name.clamp(5, 18);
    // Everything but the bar has a fixed width.
    let width = usize::from(rest.width);
    let bar = width.saturating_sub(name + FIGURES + 1).clamp(4, 60);
    let is_narrow = width < name + FIGURES + 1 + 4;
    let (head, rest) = split_top(rest, 1);
    let blank = if is_narrow { String::new() } else { " ".repeat(bar + 1) };
    let titles = format!(
        "{:<name$} {blank}{:>6} {:>6} {:>6} {:>5}  {:>5} {:>6}  {:>4} {:>5}",
        "QUEUE", "USED", "GUAR", "BORROW", "LENT", "SHARE", "RECENT", "RUN", "WAIT"
    );
    buffer.set_stringn(head.x, head.y, titles, width, FAINT);
    let chosen = app.chosen_queue.as_ref();
    let chosen = chosen.and_then(|name| queues.iter().position(|queue| queue.name == *name));
    let first = first_shown(chosen, queues.len(), rest.height.into());
    for ((place, queue), row) in queues.iter().enumerate().skip(first).zip(rest.rows()) {
        let mut spans =
            vec![Span::styled(format!("{:<name$} ", words::cut(&label(queue), name)), STRONG)];
        if !is_narrow {
            spans.extend(books(queue, scale, bar));
            spans.push(Span::raw(" "));
        }
        spans.extend(figures(queue));
        buffer.set_line(row.x, row.y, &Line::from(spans), row.width);
        if chosen == Some(place) {
            buffer.set_style(row, CHOSEN);
        }
    }
}

/// The room that the figures take.
const FIGURES: usize = 53;

/// What all bars are parts of: the cluster, or more where more is promised.
fn scale(app: &App, queues: &[QueueView]) -> u64 {
    let cluster = app.data.map.as_ref().map_or(0, |map| map.cluster.gpus.saturating_mul(1000));
    let of = |queue: &QueueView| queue.used_milli.max(queue.guarantee_milli.unwrap_or(0));
    queues.iter().map(of).max().unwrap_or(0).max(cluster).max(1)
}

/// The queue's own name, set in by how deep it is.
fn label(queue: &QueueView) -> String {
    let depth = queue.name.matches('/').count();
    let own = queue.name.rsplit('/').next().unwrap_or(&queue.name);
    format!("{}{own}", "  ".repeat(depth))
}

fn books(queue: &QueueView, scale: u64, width: usize) -> Vec<Span<'static>> {
    let guarantee = queue.guarantee_milli.unwrap_or(0);
    let own = queue.used_milli.saturating_sub(queue.borrowed_milli);
    let unused = guarantee.saturating_sub(own).saturating_sub(queue.lent_milli);
    let parts = [
        (own, "█", GOOD),
        (queue.borrowed_milli, "▓", NEWS),
        (queue.lent_milli, "▒", CAREFUL),
        (unused, "░", FAINT),
    ];
    bar(&parts, scale, width, ("·", FAINT))
}

fn figures(queue: &QueueView) -> Vec<Span<'static>> {
    let some = |milli: u64| match milli {
        0 => words::NOTHING.to_owned(),
        milli => words::gpus(milli),
    };
    let part = |ppm: u32| format!("{}%", (u64::from(ppm) + 5000) / 10_000);
    let guarantee = queue.guarantee_milli.map_or_else(|| words::NOTHING.to_owned(), words::gpus);
    let waits = if queue.pending > 0 { CAREFUL } else { FAINT };
    vec![
        Span::raw(format!("{:>6} {guarantee:>6} ", some(queue.used_milli))),
        Span::styled(format!("{:>6} ", some(queue.borrowed_milli)), NEWS),
        Span::styled(format!("{:>5}  ", some(queue.lent_milli)), CAREFUL),
        Span::raw(format!("{:>5} {:>6}  ", part(queue.share_ppm), part(queue.usage_ppm))),
        Span::raw(format!("{:>4} ", queue.running)),
        Span::styled(format!("{:>5}", queue.pending), waits),
    ]
}

fn legend() -> Line<'static> {
    let sign = |sign: &'static str, word: &'static str, style| {
        [Span::styled(sign, style), Span::styled(format!(" {word}  "), FAINT)]
    };
    let mut spans = Vec::new();
    spans.extend(sign("█", "used of its guarantee", GOOD));
    spans.extend(sign("▓", "borrowed", NEWS));
    spans.extend(sign("▒", "lent to others", CAREFUL));
    spans.extend(sign("░", "guaranteed, unused", FAINT));
    Line::from(spans)
}
