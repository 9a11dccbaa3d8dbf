//! All there is to know about one job, as a block.

use std::fmt::Write as _;

use muster_api::view::{AttemptView, JobState, PlaceView};
use muster_api::{JobDetail, Program};
use muster_model::Time;

use super::table::Table;
use super::{NOTHING, amount, job, time};

/// One job.
pub(crate) fn block(detail: &JobDetail, now: Time) -> String {
    let JobDetail { job: view, attempts, spec, program } = detail;
    let mut lines: Vec<(&str, String)> = vec![("job", format!("{} {}", view.id, view.name))];
    if let (Some(array), Some(index)) = (view.array, view.index) {
        lines.push(("array", format!("element {index} of {array}")));
    }
    lines.push(("state", state(detail, now)));
    lines.extend(view.reason.clone().map(|reason| ("reason", reason)));
    lines.push(("owner", owner(detail)));
    if let Some(spec) = spec {
        let groups: Vec<String> = spec.groups.iter().map(amount::group).collect();
        lines.push(("asked for", groups.join(" and ")));
        lines.extend(spec.timing.limit.map(|limit| ("limit", limit.to_string())));
        lines.extend(spec.booking.as_ref().map(|booking| ("booking", booking.to_string())));
    }
    lines.push(("submitted", time::moment(view.submitted)));
    lines.extend(view.started.map(|started| ("started", time::moment(started))));
    lines.extend(view.ended.map(|ended| ("ended", time::moment(ended))));
    lines.extend(Some(("nodes", view.nodes.join(", "))).filter(|_| !view.nodes.is_empty()));
    if let Some(program) = program {
        surroundings(program, &mut lines);
    }
    let mut text = String::new();
    for (name, value) in lines {
        writeln!(text, "{name:<11}{value}").expect("a string takes all text");
    }
    if !attempts.is_empty() {
        write!(text, "\n{}", tries(attempts, now).text(None)).expect("a string takes all text");
    }
    text
}

fn state(detail: &JobDetail, now: Time) -> String {
    let view = &detail.job;
    let word = job::state(view);
    let since = match (view.state, view.started, view.ended) {
        (JobState::Waiting | JobState::Queued, _, _) => {
            format!(" for {}", time::span(view.submitted, now))
        }
        (JobState::Ended, Some(started), Some(ended)) => {
            format!(" after {}", time::span(started, ended.0))
        }
        (JobState::Running, Some(started), _) => format!(" for {}", time::span(started, now)),
        _ => String::new(),
    };
    match view.attempt {
        0 | 1 => format!("{word}{since}"),
        attempt => format!("{word}{since}, attempt {attempt}"),
    }
}

fn owner(detail: &JobDetail) -> String {
    let view = &detail.job;
    let team = view.team.as_ref().map(|team| format!(" of team {team}")).unwrap_or_default();
    format!("{}{team} in queue {}, class {}", view.user, view.queue, view.class)
}

/// What it runs, and where.
fn surroundings(program: &Program, lines: &mut Vec<(&str, String)>) {
    if let Some(script) = &program.script {
        lines.push(("script", amount::several(count(script.lines().count()), "line")));
    }
    if !program.command.is_empty() {
        let name = if program.script.is_some() { "arguments" } else { "command" };
        lines.push((
            name,
            program.command.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" "),
        ));
    }
    lines.extend(program.directory.clone().map(|directory| ("directory", directory)));
    lines.extend(program.image.clone().map(|image| ("image", image)));
    lines.extend(program.output.clone().map(|output| ("output", output)));
    lines.extend(program.error.clone().map(|error| ("error", error)));
}

fn count(number: usize) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}

/// A word as a shell would need it written, so that it can be copied; a text in place of a word
/// only as far as it tells what it is.
fn quoted(word: &str) -> String {
    if word.contains('\n') {
        let first = word.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
        let lines = amount::several(count(word.lines().count()), "line");
        return format!("'{first} …' ({lines})");
    }
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./=:,@%+".contains(letter);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

fn tries(attempts: &[AttemptView], now: Time) -> Table {
    let mut table = Table::new(&[">attempt", "launched", ">ran", "outcome", "places"]);
    for attempt in attempts {
        let ran = attempt
            .started
            .map(|from| time::span(from, attempt.ended.map_or(now, |ended| ended.0)));
        let places: Vec<String> = attempt.places.iter().map(place).collect();
        table.row([
            attempt.attempt.to_string(),
            time::moment(attempt.launched),
            ran.unwrap_or_else(|| NOTHING.to_owned()),
            attempt.outcome.clone().unwrap_or_else(|| NOTHING.to_owned()),
            amount::names(&places),
        ]);
    }
    table
}

/// `n1:0-3` or `n1:2(0.25)`.
fn place(place: &PlaceView) -> String {
    let mut spans: Vec<(u32, u32)> = Vec::new();
    for &gpu in &place.gpus {
        match spans.last_mut() {
            Some((_, last)) if *last + 1 == gpu => *last = gpu,
            _ => spans.push((gpu, gpu)),
        }
    }
    let spans = spans.iter().map(|&(first, last)| match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    });
    let gpus = spans.collect::<Vec<_>>().join("+");
    let share = place.share_milli.map(|milli| format!("({})", amount::gpus(milli)));
    match gpus.is_empty() {
        true => place.node.clone(),
        false => format!("{}:{gpus}{}", place.node, share.unwrap_or_default()),
    }
}
