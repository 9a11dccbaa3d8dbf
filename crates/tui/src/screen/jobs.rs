//! The jobs: sorted, searched, with what keeps those that wait.

use muster_api::view::{JobState, JobView, Outcome};
use muster_model::quantity::separated;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::{failure, paragraph, quiet, split_bottom, split_top, words};
use crate::app::{App, Which};
use crate::look::{BAD, CAREFUL, FAINT, GOOD, NEWS, STRONG};
use crate::table::{Column, Table, plain, styled};

const COLUMNS: [Column; 9] = [
    Column::new("JOB").right(),
    Column::new("NAME").most(20),
    Column::new("USER").most(12).spare(2),
    Column::new("QUEUE").most(14).spare(3),
    Column::new("CLASS").most(12).spare(4),
    Column::new("STATE").most(16),
    Column::new("GPUS").right(),
    Column::new("TIME").right().spare(1),
    Column::new("NODES OR REASON"),
];

/// Draws it.
pub(super) fn draw(app: &App, area: Rect, buffer: &mut Buffer) {
    let area = match &app.data.jobs.failure {
        Some(why) if app.is_live() => failure(why, area, buffer),
        _ => area,
    };
    let jobs = app.listed();
    let (top, rest) = split_top(area, 1);
    buffer.set_line(top.x, top.y, &about(app, jobs.len()), top.width);
    let is_known = app.data.jobs.value.as_ref().is_some_and(|(which, _)| *which == app.which);
    if jobs.is_empty() {
        let words = match (is_known, app.filter.is_empty(), app.which) {
            (false, _, _) if app.data.jobs.failure.is_some() => "",
            (false, _, _) => "asking …",
            (true, false, _) => "nothing matches; Esc clears the search",
            (true, true, Which::Alive) => {
                "no jobs; `muster submit` or `muster run` brings some, a shows those that ended"
            }
            (true, true, _) => "no such jobs; a shows others",
        };
        return quiet(&[words], rest, buffer);
    }
    let chosen = app.place_of(jobs.iter().map(|job| job.id));
    let reason = chosen.and_then(|place| jobs[place].reason.as_ref().map(|why| (jobs[place], why)));
    let rest = match reason {
        Some((job, reason)) => whole(&format!("{}: {reason}", number(job)), rest, buffer),
        None => rest,
    };
    let mut table = Table::new(&COLUMNS);
    for job in &jobs {
        table.row(row(app, job));
    }
    table.choose(chosen);
    table.draw(rest, buffer);
}

/// What a row has no room for, below the table; what is left above it.
pub(super) fn whole(text: &str, area: Rect, buffer: &mut Buffer) -> Rect {
    let lines = words::wrapped(text, area.width.into()).len();
    let height = u16::try_from(lines).unwrap_or(u16::MAX).min(area.height / 4);
    let (rest, below) = split_bottom(area, height);
    paragraph(text, NEWS, below, buffer);
    rest
}

/// Which jobs these are.
fn about(app: &App, count: usize) -> Line<'static> {
    let count = u64::try_from(count).unwrap_or(u64::MAX);
    let order = if app.is_reversed { ", reversed" } else { "" };
    let mut spans = vec![
        Span::raw(format!("{} {}", separated(count), app.which.words())),
        Span::styled(format!("  by {}{order}", app.sort.word()), FAINT),
    ];
    if !app.filter.is_empty() {
        spans.push(Span::styled(format!("  /{}", app.filter), NEWS));
    }
    if app.is_cut() {
        spans.push(Span::styled("  (the newest; there are more: `muster jobs`)", CAREFUL));
    }
    Line::from(spans)
}

fn row<'a>(app: &App, job: &'a JobView) -> [Span<'a>; 9] {
    [
        plain(number(job)),
        styled(&*job.name, STRONG),
        plain(&*job.user),
        plain(&*job.queue),
        plain(&*job.class),
        styled(state(job), colour(job)),
        plain(words::gpus(job.gpus_milli)),
        plain(time(app, job)),
        match &job.reason {
            Some(reason) if !job.state.is_active() => plain(&**reason),
            _ => plain(names(&job.nodes)),
        },
    ]
}

/// `12`, or `12_3` for an element of an array.
fn number(job: &JobView) -> String {
    match (job.array, job.index) {
        (Some(array), Some(index)) => format!("{array}_{index}"),
        _ => job.id.to_string(),
    }
}

/// A job's state in a word, or how it ended.
pub(super) fn state(job: &JobView) -> String {
    match (job.state, job.outcome, job.exit_code, &job.exit_signal) {
        (JobState::Ended, Some(Outcome::Failed), Some(code), _) => format!("failed ({code})"),
        (JobState::Ended, Some(Outcome::Failed), None, Some(by)) => format!("failed ({by})"),
        (JobState::Ended, Some(outcome), _, _) => outcome.to_string(),
        (state, _, _, _) => state.to_string(),
    }
}

/// The colour of a job's state, or of how it ended.
pub(super) fn colour(job: &JobView) -> Style {
    match (job.state, job.outcome) {
        (JobState::Ended, Some(Outcome::Completed)) => GOOD,
        (JobState::Ended, Some(Outcome::Cancelled)) => FAINT,
        (JobState::Ended, _) => BAD,
        (state, _) => tint(state),
    }
}

/// The colour of a state.
pub(super) fn tint(state: JobState) -> Style {
    match state {
        JobState::Running => GOOD,
        JobState::Queued => CAREFUL,
        JobState::Waiting | JobState::Ended => FAINT,
        _ => NEWS,
    }
}

/// How long it has waited, runs or ran.
fn time(app: &App, job: &JobView) -> String {
    match (job.state, job.started, job.ended) {
        (state, _, _) if state.is_pending() => words::since(job.submitted, app.now),
        (JobState::Ended, Some(started), Some(ended)) => words::since(started, ended.0),
        (JobState::Ended, _, _) | (_, None, _) => words::NOTHING.to_owned(),
        (_, Some(started), _) => words::since(started, app.now),
    }
}

/// The first few names, and how many more.
pub(super) fn names(names: &[String]) -> String {
    const SHOWN: usize = 3;
    let shown = names[..names.len().min(SHOWN)].join(",");
    match names.len().saturating_sub(SHOWN) {
        0 if names.is_empty() => words::NOTHING.to_owned(),
        0 => shown,
        more => format!("{shown} +{more}"),
    }
}
