//! One job: what it is, its life as a line, where it is, and why.

use muster_api::JobDetail;
use muster_api::view::{AttemptView, JobState, PlaceView};
use muster_model::Time;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::bar::bar;
use super::{failure, jobs, quiet, words};
use crate::app::App;
use crate::data::OneJob;
use crate::look::{BAD, CAREFUL, FAINT, GOOD, NEWS, STRONG};

/// Where the values start.
const INDENT: usize = 11;

/// Tries that are told one by one; of more, the latest.
const TRIES: usize = 8;

/// Draws it.
pub(super) fn draw(app: &App, id: u64, area: Rect, buffer: &mut Buffer) {
    let known = app.open_job();
    let area = match &known.failure {
        Some(why) if app.is_live() => failure(why, area, buffer),
        _ => area,
    };
    let Some(job) = known.value else {
        if known.failure.is_none() {
            quiet(&[format!("asking about job {id} …").as_str()], area, buffer);
        }
        return;
    };
    let lines = lines(app, job, area.width.into());
    let height = usize::from(area.height);
    let first = app.scroll.min(lines.len().saturating_sub(height));
    for (line, row) in lines.iter().skip(first).zip(area.rows()) {
        buffer.set_line(row.x, row.y, line, row.width);
    }
    let hidden = lines.len().saturating_sub(first + height);
    if hidden > 0 {
        let text = format!(" ↓ {hidden} more ");
        let width = u16::try_from(text.chars().count()).unwrap_or(0);
        let x = area.right().saturating_sub(width).max(area.x);
        buffer.set_string(x, area.bottom() - 1, text, NEWS);
    }
}

fn lines(app: &App, job: &OneJob, width: usize) -> Vec<Line<'static>> {
    let JobDetail { job: view, attempts, spec, .. } = &job.detail;
    let mut lines = vec![Line::from(vec![
        Span::styled(format!("job {} ", view.id), FAINT),
        Span::styled(view.name.clone(), STRONG),
        Span::raw("  "),
        Span::styled(jobs::state(view), jobs::colour(view)),
        Span::raw(lasting(app, &job.detail)),
    ])];
    let mut fact = |name: &'static str, text: String| {
        let width = width.saturating_sub(INDENT);
        for (place, line) in words::wrapped(&text, width).into_iter().enumerate() {
            let name = if place == 0 { name } else { "" };
            let name = Span::styled(format!("{name:<INDENT$}"), FAINT);
            lines.push(Line::from(vec![name, Span::raw(line)]));
        }
    };
    let team = view.team.as_ref().map(|team| format!(" of team {team}")).unwrap_or_default();
    fact("owner", format!("{}{team}, queue {}, class {}", view.user, view.queue, view.class));
    let models = match view.models.is_empty() {
        true => String::new(),
        false => format!(" of {}", view.models.join(" or ")),
    };
    let gpus = words::gpus(view.gpus_milli);
    let mut asked = format!("{}, {gpus} GPUs{models}", words::several(view.tasks.into(), "task"));
    if let Some(limit) = spec.as_ref().and_then(|spec| spec.timing.limit) {
        asked.push_str(&format!(", at most {}", words::length(limit)));
    }
    fact("asks for", asked);
    if let Some(who) = &view.cancelled_by {
        fact("cancelled", format!("by {who}"));
    }
    lines.push(Line::default());
    lines.extend(why(job, width));
    lines.push(Line::default());
    lines.extend(life(app, &job.detail, width));
    if let Some(attempt) = attempts.last().filter(|_| view.state.is_active()) {
        lines.push(Line::default());
        lines.extend(placement(app, view.id, attempt));
    }
    lines
}

fn lasting(app: &App, detail: &JobDetail) -> String {
    let view = &detail.job;
    let told = match (view.state, view.started, view.ended) {
        (state, _, _) if state.is_pending() => {
            format!(" for {}", words::since(view.submitted, app.now))
        }
        (JobState::Ended, Some(started), Some(ended)) => {
            format!(" after {}", words::since(started, ended.0))
        }
        (JobState::Running, Some(started), _) => format!(" for {}", words::since(started, app.now)),
        _ => String::new(),
    };
    match view.attempt {
        0 | 1 => told,
        attempt => format!("{told}, attempt {attempt}"),
    }
}

fn why(job: &OneJob, width: usize) -> Vec<Line<'static>> {
    let mut lines = vec![Line::styled("why", STRONG)];
    match &job.why {
        Ok(why) => {
            let text = words::wrapped(why.text.trim_end(), width.saturating_sub(2));
            lines.extend(text.into_iter().map(|line| Line::raw(format!("  {line}"))));
        }
        Err(failure) => lines.push(Line::styled(format!("  {}", failure.text), BAD)),
    }
    lines
}

/// Its life as a bar and as moments.
fn life(app: &App, detail: &JobDetail, width: usize) -> Vec<Line<'static>> {
    let JobDetail { job, attempts, .. } = detail;
    let mut spans = vec![Span::raw("  ")];
    spans.extend(timeline(detail, app.now, width.saturating_sub(4).min(72)));
    let legend = |sign: &'static str, word: &'static str, style: Style| {
        [Span::styled(sign, style), Span::styled(format!(" {word}  "), FAINT)]
    };
    let mut title = vec![Span::styled("timeline  ", STRONG)];
    title.extend(legend("░", "waiting", FAINT));
    title.extend(legend("▒", "launching", NEWS));
    title.extend(legend("█", "running", GOOD));
    let mut lines = vec![Line::from(title), Line::from(spans)];
    lines.push(Line::raw(format!("  submitted  {}", words::clock(job.submitted, app.now))));
    if attempts.len() > TRIES {
        let earlier = format!("  {} earlier attempts", attempts.len() - TRIES);
        lines.push(Line::styled(earlier, FAINT));
    }
    for attempt in attempts.iter().skip(attempts.len().saturating_sub(TRIES)) {
        lines.push(tried(app, attempt));
    }
    lines
}

fn tried(app: &App, attempt: &AttemptView) -> Line<'static> {
    let launched = words::clock(attempt.launched, app.now);
    let mut spans = vec![Span::raw(format!("  attempt {:<2} {launched}", attempt.attempt))];
    if let Some(started) = attempt.started {
        let ran = words::since(started, attempt.ended.map_or(app.now, |ended| ended.0));
        let word = if attempt.ended.is_some() { "ran" } else { "runs for" };
        spans.push(Span::raw(format!("  {word} {ran}")));
    }
    if let Some(outcome) = &attempt.outcome {
        let style = match outcome.as_str() {
            "completed" => GOOD,
            "preempted" | "again" | "cancelled" => CAREFUL,
            _ => BAD,
        };
        spans.push(Span::styled(format!("  {outcome}"), style));
    }
    let note = attempt.note.as_ref().map(|note| format!(": {note}"));
    spans.push(Span::styled(note.unwrap_or_default(), FAINT));
    Line::from(spans)
}

/// Waiting, launching and running, in proportion.
fn timeline(detail: &JobDetail, now: Time, width: usize) -> Vec<Span<'static>> {
    let from = detail.job.submitted.0;
    let to = detail.job.ended.map_or(now, |ended| ended.0);
    let whole = to.since(from).0.max(1);
    let mut parts = Vec::new();
    let mut at = from;
    let mut until = |moment: Time, sign: &'static str, style: Style| {
        parts.push((moment.since(at).0, sign, style));
        at = at.max(moment);
    };
    for attempt in &detail.attempts {
        let ended = attempt.ended.map_or(to, |ended| ended.0);
        until(attempt.launched.0, "░", FAINT);
        until(attempt.started.map_or(ended, |started| started.0), "▒", NEWS);
        until(ended, "█", GOOD);
    }
    until(to, "░", FAINT);
    bar(&parts, whole, width, (" ", Style::new()))
}

/// Its nodes with its GPUs there, and how busy they are.
fn placement(app: &App, id: u64, attempt: &AttemptView) -> Vec<Line<'static>> {
    let mut lines = vec![Line::styled("placement", STRONG)];
    let mut nodes: Vec<(&str, Vec<&PlaceView>)> = Vec::new();
    for place in &attempt.places {
        match nodes.iter_mut().find(|(node, _)| *node == place.node) {
            Some((_, places)) => places.push(place),
            None => nodes.push((&place.node, vec![place])),
        }
    }
    let name = nodes.iter().map(|(node, _)| node.chars().count()).max().unwrap_or(0).min(24);
    for (node, places) in nodes {
        let on_map =
            app.data.map.as_ref().and_then(|map| map.nodes.iter().find(|known| known.name == node));
        let domains = on_map.map(|node| node.domains.join(" / ")).unwrap_or_default();
        let mut gpus: Vec<u32> = places.iter().flat_map(|place| place.gpus.clone()).collect();
        gpus.sort_unstable();
        gpus.dedup();
        let share = places.first().and_then(|place| place.share_milli);
        let share = share.map(|milli| format!(" ({} of it)", words::gpus(milli)));
        let what = match gpus.is_empty() {
            true => "no GPUs".to_owned(),
            false => format!("GPU {}{}", words::runs(&gpus), share.unwrap_or_default()),
        };
        let busy = on_map.and_then(|node| {
            node.held.iter().find(|held| held.job == id).and_then(|held| held.busy)
        });
        let busy = busy.map(|busy| format!("  {}% busy", busy / 10)).unwrap_or_default();
        let tasks = words::several(u64::try_from(places.len()).unwrap_or(u64::MAX), "task");
        lines.push(Line::from(vec![
            Span::raw(format!("  {:<name$}  ", words::cut(node, name))),
            Span::raw(format!("{tasks}, {what}")),
            Span::styled(busy, NEWS),
            Span::styled(format!("  {domains}"), FAINT),
        ]));
    }
    lines
}
