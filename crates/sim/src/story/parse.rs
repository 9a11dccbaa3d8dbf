//! Reads one command: its verb decides which file reads the rest.

use muster_model::{Policy, Rung};

use super::act::{Act, Ask, Moment, Report, Request, Tell};
use super::words::{Parsed, Problem, Words};

mod booking;
mod job;
mod node;
mod policy;
mod queue;
mod report;
mod setup;
mod shape;
mod value;

/// Every verb, in the order a reader meets them.
const VERBS: [&str; 42] = [
    "levels",
    "model",
    "class",
    "policy",
    "queue",
    "node",
    "rejoin",
    "lost",
    "returned",
    "drain",
    "resume",
    "book",
    "unbook",
    "unhealthy",
    "healthy",
    "submit",
    "cancel",
    "hold",
    "release",
    "requeue",
    "estimate",
    "started",
    "refused",
    "ended",
    "resized",
    "progress",
    "saved",
    "frozen",
    "suspended",
    "restored",
    "thawed",
    "unpaused",
    "at",
    "advance",
    "clock",
    "tick",
    "restart",
    "why",
    "decision",
    "jobs",
    "nodes",
    "queues",
];

/// Reads a command. The policy is the one configured so far, which `policy` lines change.
pub(super) fn command(text: &str, policy: &mut Policy) -> Parsed<Act> {
    let mut words = Words::of(text)?;
    let verb = words.plain("a verb")?;
    let act = act(&verb, &mut words, policy)?;
    words.end()?;
    Ok(act)
}

fn act(verb: &str, words: &mut Words, policy: &mut Policy) -> Parsed<Act> {
    let act = match verb {
        "levels" => Act::Setup(setup::levels(words)?),
        "model" => Act::Setup(setup::model(words)?),
        "class" => Act::Setup(setup::class(words)?),
        "policy" => Act::Setup(policy::policy(words, policy)?),
        "queue" => Act::Queue(queue::queue(words)?),
        "node" => Act::Tell(Tell::Join(node::join(words)?)),
        "rejoin" => Act::Tell(node::rejoin(words)?),
        "lost" => Act::Tell(node::lost(words)?),
        "returned" => Act::Tell(node::returned(words)?),
        "drain" => Act::Tell(Tell::Drained(value::hosts(words)?)),
        "resume" => Act::Tell(Tell::Resumed(value::hosts(words)?)),
        "book" => Act::Tell(Tell::Booked(Box::new(booking::book(words)?))),
        "unbook" => Act::Tell(Tell::Unbooked(value::name(words, "a booking's name")?)),
        "unhealthy" => Act::Tell(node::health(words, false)?),
        "healthy" => Act::Tell(node::health(words, true)?),
        "submit" => Act::Tell(job::submit(words)?),
        "amend" => Act::Tell(job::amend(words)?),
        "cancel" => request(Request::Cancel, words)?,
        "hold" => request(Request::Hold, words)?,
        "release" => request(Request::Release, words)?,
        "requeue" => request(Request::Requeue, words)?,
        "estimate" => Act::Tell(report::estimate(words)?),
        "started" => Act::Tell(report::started(words)?),
        "refused" => Act::Tell(report::refused(words)?),
        "ended" => Act::Tell(report::ended(words)?),
        "resized" => Act::Tell(report::resized(words)?),
        "progress" => Act::Tell(report::progress(words)?),
        "saved" => Act::Tell(report::said(words, Report::Saved)?),
        "idle" => Act::Tell(report::said(words, Report::Idle(true))?),
        "busy" => Act::Tell(report::said(words, Report::Idle(false))?),
        "frozen" => Act::Tell(report::said(words, Report::Paused(Rung::Freeze))?),
        "suspended" => Act::Tell(report::said(words, Report::Paused(Rung::Suspend))?),
        "restored" => Act::Tell(report::said(words, Report::Resumed(Rung::Suspend))?),
        "thawed" => Act::Tell(report::said(words, Report::Resumed(Rung::Freeze))?),
        "unpaused" => Act::Tell(report::unpaused(words)?),
        "at" => Act::Until(Moment::At(value::moment(words)?)),
        "advance" => Act::Until(Moment::In(value::span(words)?)),
        "clock" => clock(words)?,
        "tick" => Act::Tell(Tell::Tick),
        "restart" => Act::Restart,
        "why" => Act::Ask(Ask::Why(value::job(words)?)),
        "decision" => Act::Ask(Ask::Decision(value::job(words)?)),
        "jobs" => Act::Ask(Ask::Jobs),
        "nodes" => Act::Ask(Ask::Nodes),
        "queues" => Act::Ask(Ask::Queues),
        _ => return Err(Problem::unknown("verb", verb, &VERBS)),
    };
    Ok(act)
}

fn request(request: Request, words: &mut Words) -> Parsed<Act> {
    Ok(Act::Tell(Tell::Request(request, value::jobs(words)?)))
}

/// `clock back 5m` or `clock at +2h`.
fn clock(words: &mut Words) -> Parsed<Act> {
    if words.take("at") {
        return Ok(Act::ClockAt(value::moment(words)?));
    }
    words.expect("back")?;
    Ok(Act::ClockBack(value::span(words)?))
}

#[cfg(test)]
mod tests;
