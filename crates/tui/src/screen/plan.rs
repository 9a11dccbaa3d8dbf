//! The plan: what starts next and when, what ends, and which nodes are set aside.

use muster_api::Moment;
use muster_api::view::{BookingView, PlanView, PlannedEnd, PlannedStart};
use muster_model::quantity::separated;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::jobs::{names, whole};
use super::{failure, quiet, split_bottom, split_top, words};
use crate::app::App;
use crate::look::{CAREFUL, FAINT, GOOD, NEWS, STRONG};
use crate::table::{Column, Table, plain, styled};

const STARTS: [Column; 8] = [
    Column::new("STARTS"),
    Column::new("LATEST").spare(3),
    Column::new("JOB").right(),
    Column::new("NAME").most(18),
    Column::new("USER").most(12).spare(2),
    Column::new("QUEUE").most(12).spare(4),
    Column::new("GPUS").right(),
    Column::new("WHERE, OR WHAT KEEPS IT"),
];

const ENDS: [Column; 8] = [
    Column::new("ENDS"),
    Column::new("LATEST").spare(3),
    Column::new("JOB").right(),
    Column::new("NAME").most(18),
    Column::new("USER").most(12).spare(2),
    Column::new("QUEUE").most(12).spare(4),
    Column::new("GPUS").right(),
    Column::new("NODES"),
];

/// Draws it.
pub(super) fn draw(app: &App, area: Rect, buffer: &mut Buffer) {
    let known = &app.data.plan;
    let area = match &known.failure {
        Some(why) if app.is_live() => failure(why, area, buffer),
        _ => area,
    };
    let Some(plan) = &known.value else {
        let words = if known.failure.is_some() { "" } else { "asking …" };
        return quiet(&[words], area, buffer);
    };
    if plan.next.is_empty() && plan.running.is_empty() && plan.bookings.is_empty() {
        return quiet(&["nothing runs, nothing waits, nothing is booked"], area, buffer);
    }
    let booked = u16::try_from(plan.bookings.len().min(3)).unwrap_or(3);
    let (area, below) = split_bottom(area, booked);
    for (booking, row) in plan.bookings.iter().zip(below.rows()) {
        buffer.set_line(row.x, row.y, &self::booking(booking, app), row.width);
    }
    let chosen = plan.next.iter().find(|start| app.chosen_job == Some(start.of.job));
    let area = match chosen.map(|start| (start.of.job, place(start))) {
        Some((job, place)) => whole(&format!("{job}: {}", place.content), area, buffer),
        None => area,
    };
    let (starts, ends) = share(area.height, plan.next.len(), plan.running.len());
    let (top, rest) = split_top(area, starts);
    self::starts(app, plan, top, buffer);
    let (bottom, _) = split_top(rest, ends);
    self::ends(app, plan, bottom, buffer);
}

/// How many lines the starts and the ends get: each what it needs, and half of it in need.
fn share(height: u16, starts: usize, ends: usize) -> (u16, u16) {
    // A title, the names of the columns, and the rows; a word where there are none.
    let need = |rows: usize| u16::try_from(rows.max(1) + 2).unwrap_or(u16::MAX);
    let (starts, ends) = (need(starts), need(ends));
    if starts.saturating_add(ends) <= height {
        return (starts, height - starts);
    }
    let half = height - height / 2;
    let starts = starts.min(half.max(height.saturating_sub(ends)));
    (starts, height - starts)
}

fn starts(app: &App, plan: &PlanView, area: Rect, buffer: &mut Buffer) {
    let (top, rest) = split_top(area, 1);
    let more = match plan.waiting {
        0 => String::new(),
        more => format!("; {} more wait", separated(more)),
    };
    title(&format!("next, best ranked first{more}"), top, buffer);
    if plan.next.is_empty() {
        buffer.set_stringn(rest.x, rest.y, "no job waits for room", rest.width.into(), FAINT);
        return;
    }
    let mut table = Table::new(&STARTS);
    for start in &plan.next {
        let PlannedStart { of, starts_expected, starts_latest, .. } = start;
        let when = starts_expected.map(|when| words::until(when, app.now));
        table.row([
            match when {
                Some(when) => styled(when, GOOD),
                None => styled("unknown", FAINT),
            },
            plain(latest(*starts_latest, app)),
            plain(of.job.to_string()),
            styled(&*of.name, STRONG),
            plain(&*of.user),
            plain(&*of.queue),
            plain(words::gpus(of.gpus_milli)),
            place(start),
        ]);
    }
    table.choose(app.place_of(plan.next.iter().map(|start| start.of.job)));
    table.draw(rest, buffer);
}

fn place(start: &PlannedStart) -> Span<'_> {
    if !start.reserved_nodes.is_empty() {
        let why = if start.is_starving { "has waited too long; holds" } else { "holds" };
        return styled(format!("{why} {}", names(&start.reserved_nodes)), NEWS);
    }
    match (&start.reason, start.nodes.is_empty()) {
        (_, false) => plain(format!("on {}", names(&start.nodes))),
        (Some(reason), true) => plain(&**reason),
        (None, true) => plain(words::NOTHING),
    }
}

fn ends(app: &App, plan: &PlanView, area: Rect, buffer: &mut Buffer) {
    let (top, rest) = split_top(area, 1);
    title("running, first to end first", top, buffer);
    if plan.running.is_empty() {
        buffer.set_stringn(rest.x, rest.y, "no job holds GPUs", rest.width.into(), FAINT);
        return;
    }
    let mut table = Table::new(&ENDS);
    for PlannedEnd { of, nodes, ends_expected, ends_latest, .. } in &plan.running {
        table.row([
            plain(words::until(*ends_expected, app.now)),
            plain(latest(*ends_latest, app)),
            plain(of.job.to_string()),
            styled(&*of.name, STRONG),
            plain(&*of.user),
            plain(&*of.queue),
            plain(words::gpus(of.gpus_milli)),
            plain(names(nodes)),
        ]);
    }
    table.choose(app.place_of(plan.running.iter().map(|end| end.of.job)));
    table.draw(rest, buffer);
}

fn title(text: &str, area: Rect, buffer: &mut Buffer) {
    buffer.set_stringn(area.x, area.y, text, area.width.into(), FAINT);
}

fn latest(moment: Option<Moment>, app: &App) -> String {
    moment.map_or_else(|| words::NOTHING.to_owned(), |moment| words::until(moment, app.now))
}

fn booking(view: &BookingView, app: &App) -> Line<'static> {
    let BookingView { booking, is_open } = view;
    let until = booking.end.map(|end| words::clock(Moment(end), app.now));
    let until = until.map_or_else(|| "until taken back".to_owned(), |end| format!("until {end}"));
    let when = match is_open {
        true => format!("open {until}"),
        false => format!("from {} {until}", words::clock(Moment(booking.start), app.now)),
    };
    let places: Vec<String> = booking.places.iter().map(ToString::to_string).collect();
    Line::from(vec![
        Span::styled("booked ", FAINT),
        Span::styled(booking.name.to_string(), STRONG),
        Span::styled(format!(" {when}"), CAREFUL),
        Span::raw(format!(": {}", names(&places))),
    ])
}
