//! Draws the state: a header, the view, and a line of keys. Nothing here changes anything.

mod bar;
mod cluster;
mod header;
mod help;
mod job;
mod jobs;
mod plan;
mod plot;
mod queues;
#[cfg(test)]
mod tests;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::app::{App, View};
use crate::data::{Failure, Link};
use crate::look::{BAD, CAREFUL, FAINT, Look, NEWS, STRONG};
use crate::words;

/// Less than this is no screen.
const WIDTH_MIN: u16 = 40;
const HEIGHT_MIN: u16 = 8;

/// Draws everything. How deep the picture of the cluster goes, where it is on the screen.
pub(crate) fn draw(app: &App, look: Look, area: Rect, buffer: &mut Buffer) -> Option<usize> {
    let mut depth = None;
    if area.width < WIDTH_MIN || area.height < HEIGHT_MIN {
        let text = format!("at least {WIDTH_MIN}x{HEIGHT_MIN} letters are needed; q quits");
        paragraph(&text, Style::new(), area, buffer);
    } else {
        depth = screen(app, area, buffer);
    }
    look.limit(buffer);
    depth
}

fn screen(app: &App, area: Rect, buffer: &mut Buffer) -> Option<usize> {
    let rest = header::draw(app, area, buffer);
    let (rest, foot) = split_bottom(rest, 1);
    footer(app, foot, buffer);
    let rest = banner(app, rest, buffer);
    if app.has_help {
        help::draw(rest, buffer);
        return None;
    }
    match (app.open, app.view) {
        (None, View::Cluster) => return cluster::draw(app, rest, buffer),
        (Some(id), _) => job::draw(app, id, rest, buffer),
        (None, View::Jobs) => jobs::draw(app, rest, buffer),
        (None, View::Queues) => queues::draw(app, rest, buffer),
        (None, View::Plan) => plan::draw(app, rest, buffer),
    }
    None
}

/// A lost connection is said above everything else: what is below is old.
fn banner(app: &App, area: Rect, buffer: &mut Buffer) -> Rect {
    let Link::Lost { since, failure } = &app.data.link else { return area };
    // There is nothing old below then, and the view itself says why.
    if app.data.map.is_none() && app.view == View::Cluster && app.open.is_none() {
        return area;
    }
    let age = words::length(app.now.since(*since));
    let map = app.data.map.as_ref();
    let old = map.map(|map| format!("; as of {}", words::clock(map.at, app.now)));
    let text =
        format!(" no news for {age}, trying again{}: {} ", old.unwrap_or_default(), failure.text);
    let (top, rest) = split_top(area, 1);
    buffer.set_style(top, BAD.add_modifier(ratatui::style::Modifier::REVERSED));
    buffer.set_string(top.x, top.y, words::cut(&text, top.width.into()), Style::new());
    rest
}

/// A question, a message, or the keys that do something here.
fn footer(app: &App, area: Rect, buffer: &mut Buffer) {
    let width = usize::from(area.width);
    if let Some(question) = &app.question {
        let name = words::cut(&question.name, 24);
        let text = format!("{} job {} {name}? y/n", question.order.word(), question.job);
        let style = CAREFUL.patch(STRONG);
        buffer.set_string(area.x, area.y, words::cut(&text, width), style);
        return;
    }
    if app.is_typing {
        let line = Line::from(vec![
            Span::styled("/", STRONG),
            Span::raw(app.filter.clone()),
            Span::styled("█", NEWS),
            Span::styled("  words of any column; Enter keeps it, Esc clears it", FAINT),
        ]);
        buffer.set_line(area.x, area.y, &line, area.width);
        return;
    }
    if let Some(message) = &app.message {
        let style = if message.is_bad { BAD } else { NEWS };
        buffer.set_string(area.x, area.y, words::cut(&message.text, width), style);
        return;
    }
    let mut spans = Vec::new();
    let mut taken = 0;
    for (key, what) in keys(app) {
        taken += key.len() + what.len() + 3;
        if taken > width + 2 {
            break;
        }
        spans.push(Span::styled(*key, STRONG));
        spans.push(Span::styled(format!(" {what}  "), FAINT));
    }
    buffer.set_line(area.x, area.y, &Line::from(spans), area.width);
}

/// Those worth a line; `?` tells all.
fn keys(app: &App) -> &'static [(&'static str, &'static str)] {
    const JOB: [(&str, &str); 6] = [
        ("Esc", "back"),
        ("c", "cancel"),
        ("h", "hold"),
        ("r", "release"),
        ("?", "help"),
        ("q", "quit"),
    ];
    match (app.open, app.view) {
        (Some(_), _) => &JOB,
        (None, View::Cluster) => &[
            ("Enter", "job"),
            ("m", "colour by"),
            ("+-", "zoom"),
            ("[]", "scroll"),
            ("/", "find"),
            ("c", "cancel"),
            ("?", "help"),
            ("q", "quit"),
        ],
        (None, View::Jobs) => &[
            ("Enter", "job"),
            ("/", "find"),
            ("s", "sort"),
            ("a", "which"),
            ("c", "cancel"),
            ("h", "hold"),
            ("r", "release"),
            ("?", "help"),
            ("q", "quit"),
        ],
        (None, View::Queues) => &[("Enter", "its jobs"), ("?", "help"), ("q", "quit")],
        (None, View::Plan) => {
            &[("Enter", "job"), ("c", "cancel"), ("h", "hold"), ("?", "help"), ("q", "quit")]
        }
    }
}

/// Something could not be had: what, why, and what to do. Where older data is there it is shown
/// below, so this takes only as much room as it needs.
pub(crate) fn failure(failure: &Failure, area: Rect, buffer: &mut Buffer) -> Rect {
    let taken = paragraph(&failure.text, BAD, area, buffer);
    let (_, rest) = split_top(area, taken);
    let Some(hint) = &failure.hint else { return rest };
    let taken = paragraph(&format!("hint: {hint}"), Style::new(), rest, buffer);
    split_top(rest, taken).1
}

/// Text over several lines; how many it took.
pub(crate) fn paragraph(text: &str, style: Style, area: Rect, buffer: &mut Buffer) -> u16 {
    let lines = words::wrapped(text, area.width.into());
    let mut taken = 0;
    for (line, row) in lines.iter().zip(area.rows()) {
        buffer.set_stringn(row.x, row.y, line, row.width.into(), style);
        taken += 1;
    }
    taken
}

/// Something quiet in the middle of an empty view.
pub(crate) fn quiet(lines: &[&str], area: Rect, buffer: &mut Buffer) {
    let count = u16::try_from(lines.len()).unwrap_or(u16::MAX);
    let top = area.height.saturating_sub(count) / 3;
    let (_, below) = split_top(area, top);
    let width = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    let indent = area.width.saturating_sub(u16::try_from(width).unwrap_or(u16::MAX)) / 2;
    for (line, row) in lines.iter().zip(below.rows()) {
        buffer.set_stringn(row.x + indent, row.y, line, row.width.into(), FAINT);
    }
}

pub(crate) fn split_top(area: Rect, height: u16) -> (Rect, Rect) {
    let height = height.min(area.height);
    let rest = Rect { y: area.y + height, height: area.height - height, ..area };
    (Rect { height, ..area }, rest)
}

pub(crate) fn split_bottom(area: Rect, height: u16) -> (Rect, Rect) {
    let height = height.min(area.height);
    let (rest, bottom) = split_top(area, area.height - height);
    (rest, bottom)
}
