//! The first lines of every screen: where one is, how the cluster stands, and what its GPUs do.

use muster_api::view::{LargestGang, MapView};
use muster_model::Millis;
use muster_model::quantity::separated;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::bar::bar;
use super::{split_top, words};
use crate::app::{App, View};
use crate::data::{Link, Used};
use crate::look::{BAD, CAREFUL, CHOSEN, FAINT, GOOD, NEWS, STRONG};

/// What the names of all views take.
const TABS: u16 = 44;

/// A longer bar tells no more.
const BAR_MAX: usize = 60;

/// Draws it; what is left of the screen.
pub(super) fn draw(app: &App, area: Rect, buffer: &mut Buffer) -> Rect {
    let (top, rest) = split_top(area, 1);
    tabs(app, top, buffer);
    let Some(map) = &app.data.map else { return rest };
    let (counts, rest) = split_top(rest, 1);
    buffer.set_line(counts.x, counts.y, &glance(map), counts.width);
    if app.view != View::Cluster || app.open.is_some() || app.has_help || area.height < 14 {
        return rest;
    }
    let (funnel, rest) = split_top(rest, 1);
    buffer.set_line(funnel.x, funnel.y, &self::funnel(app, funnel.width.into()), funnel.width);
    let (gangs, rest) = split_top(rest, 1);
    buffer.set_line(gangs.x, gangs.y, &largest(map, gangs.width.into()), gangs.width);
    rest
}

fn tabs(app: &App, area: Rect, buffer: &mut Buffer) {
    let mut spans = vec![Span::styled("muster ", STRONG)];
    for (place, view) in View::ALL.into_iter().enumerate() {
        // In little room only the one that is shown has a name.
        let is_named = view == app.view || area.width >= TABS;
        let name = if is_named { format!("{} ", view.word()) } else { String::new() };
        let text = format!(" {} {name}", place + 1);
        spans.push(Span::styled(text, if view == app.view { CHOSEN } else { Style::new() }));
    }
    buffer.set_line(area.x, area.y, &Line::from(spans), area.width);
    let (link, style) = match app.data.link {
        Link::Live => ("live", GOOD),
        Link::Connecting => ("connecting", NEWS),
        Link::Lost { .. } => ("lost", BAD),
    };
    let clock = words::clock(muster_api::Moment(app.now), app.now);
    let server = app.server.trim_start_matches("https://").trim_start_matches("http://");
    // The name of the server only where there is room for it.
    let room =
        usize::from(area.width).saturating_sub(usize::from(TABS) + 2 + clock.len() + link.len());
    let server = if room >= server.len() + 2 { format!("{server}  ") } else { String::new() };
    let width = server.chars().count() + clock.len() + link.len() + 1;
    let x = area.right().saturating_sub(u16::try_from(width).unwrap_or(u16::MAX)).max(area.x);
    let line = Line::from(vec![
        Span::styled(server, FAINT),
        Span::raw(format!("{clock} ")),
        Span::styled(link, style),
    ]);
    if usize::from(area.width) > usize::from(TABS) + clock.len() + link.len() {
        buffer.set_line(x, area.y, &line, area.right().saturating_sub(x));
    }
}

fn glance(map: &MapView) -> Line<'static> {
    let cluster = &map.cluster;
    let dot = || Span::styled(" · ", FAINT);
    let used = cluster.gpus_used_milli;
    let part = words::percent(used, cluster.gpus.saturating_mul(1000));
    let gpus = format!("{} of {} GPUs {part}", words::gpus(used), separated(cluster.gpus));
    let count = |is_so: &dyn Fn(&muster_api::view::MapNode) -> bool| {
        u64::try_from(map.nodes.iter().filter(|node| is_so(node)).count()).unwrap_or(u64::MAX)
    };
    let sick: usize = map.nodes.iter().map(|node| node.unhealthy.len()).sum();
    let sick = u64::try_from(sick).unwrap_or(u64::MAX);
    let drained = count(&|node| node.drained);
    let mut spans = vec![Span::raw(words::several(cluster.nodes, "node"))];
    for (number, what, style) in [
        (cluster.nodes_unseen, "unseen", BAD),
        (drained, "drained", CAREFUL),
        (sick, "unhealthy", BAD),
    ] {
        if number > 0 {
            spans.push(dot());
            spans.push(Span::styled(format!("{} {what}", separated(number)), style));
        }
    }
    spans.extend([
        dot(),
        Span::styled(gpus, STRONG),
        dot(),
        Span::raw(format!("{} running", separated(cluster.active))),
        dot(),
        Span::raw(format!("{} waiting", separated(cluster.pending))),
        dot(),
        Span::styled(format!("{} ended", separated(cluster.ended)), FAINT),
    ]);
    Line::from(spans)
}

/// From what was paid for down to what was of use, over the last hour. Each step is a part of all
/// GPU time, and what nobody measured is not said to be idle.
fn funnel(app: &App, width: usize) -> Line<'static> {
    let Some(Used { since, until, funnel }) = &app.data.used.value else {
        let text = match app.data.used.failure {
            Some(_) => "what the GPUs did lately cannot be had",
            None => "asking what the GPUs did lately …",
        };
        return Line::styled(text, FAINT);
    };
    // The accounts begin at a moment of their own, near the one that was asked for.
    let span = match until.0.since(since.0) {
        Millis(3_570_000..3_630_000) => "hour".to_owned(),
        span => words::length(span),
    };
    let funnel = funnel.gpu_ms;
    let paid = funnel.paid.unwrap_or(funnel.allocated);
    let part = |part: u64| words::percent(part, paid);
    let arrow = || Span::styled(" → ", FAINT);
    let mut words = vec![
        Span::raw(format!(" allocated {}", part(funnel.allocated))),
        arrow(),
        Span::raw(format!("active {}", part(funnel.active))),
        arrow(),
        Span::styled(format!("useful {}", part(funnel.useful)), STRONG),
    ];
    if funnel.unmeasured > 0 {
        words.push(Span::styled(format!("  {} unmeasured", part(funnel.unmeasured)), FAINT));
    }
    let mut spans = vec![Span::styled(format!("last {span} "), FAINT)];
    let taken: usize = spans.iter().chain(&words).map(Span::width).sum();
    let parts = [
        (funnel.useful, "█", GOOD),
        (funnel.active.saturating_sub(funnel.useful), "▓", BAD),
        (funnel.idle, "▒", CAREFUL),
        (funnel.unmeasured, "░", FAINT),
    ];
    let room = width.saturating_sub(taken).min(BAR_MAX);
    spans.extend(bar(&parts, paid, room, ("·", FAINT)));
    spans.extend(words);
    Line::from(spans)
}

/// The largest gang of each level, whichever model it is of.
fn largest(map: &MapView, width: usize) -> Line<'static> {
    let mut best: Vec<&LargestGang> = Vec::new();
    for gang in &map.largest {
        match best.iter_mut().find(|known| known.level == gang.level) {
            Some(known) if known.gpus < gang.gpus => *known = gang,
            Some(_) => {}
            None => best.push(gang),
        }
    }
    if best.is_empty() {
        return Line::default();
    }
    let mut spans = vec![Span::styled("largest gang now  ", FAINT)];
    let mut taken = 18;
    for gang in best {
        let domain = gang.domain.last().filter(|_| gang.gpus > 0);
        let domain = domain.map(|domain| format!(" ({domain})")).unwrap_or_default();
        let number = separated(gang.gpus);
        taken += gang.level.len() + number.len() + domain.len() + 3;
        if taken > width {
            break;
        }
        spans.push(Span::raw(format!("{} ", gang.level)));
        let style = if gang.gpus == 0 { CAREFUL } else { STRONG };
        spans.push(Span::styled(number, style));
        spans.push(Span::styled(format!("{domain}  "), FAINT));
    }
    Line::from(spans)
}
