//! Reads what nodes say of attempts, and predictions of run times.

use muster_engine::command::{Exit, Refusal};
use muster_model::{Estimate, Name, Rung, signal};

use super::value;
use crate::story::act::{Report, Run, Tell};
use crate::story::words::{Parsed, Problem, Words};

/// `estimate 4 2h to 5h`.
pub(super) fn estimate(words: &mut Words) -> Parsed<Tell> {
    let job = value::job(words)?;
    Ok(Tell::Estimated(job, quantiles(words)?))
}

/// `2h`, or `2h to 5h`: the median, and what nine of ten stay below.
pub(super) fn quantiles(words: &mut Words) -> Parsed<Estimate> {
    let median = value::span(words)?;
    let p90 = if words.take("to") { value::span(words)? } else { median };
    Ok(Estimate { median, p90 })
}

/// `started 4`, `started 4 on n[1-2]`, `started 4.1 on n1`.
pub(super) fn started(words: &mut Words) -> Parsed<Tell> {
    let (runs, nodes) = which(words)?;
    Ok(Tell::Report { runs, nodes, report: Report::Started })
}

/// `resized 4`, `resized 4 on n1`, `resized 4.1 on n1, number 2`.
pub(super) fn resized(words: &mut Words) -> Parsed<Tell> {
    let (runs, nodes) = which(words)?;
    let mut number = None;
    if words.next_clause()? {
        words.expect("number")?;
        number = Some(value::number(words, "the number of a resize")?);
    }
    Ok(Tell::Report { runs, nodes, report: Report::Resized(number) })
}

/// `progress 4 rate 1200`, `progress 4.1 rate 0, done 250000 ppm`.
pub(super) fn progress(words: &mut Words) -> Parsed<Tell> {
    let runs = value::runs(words)?;
    let [run] = runs[..] else { return Err(Problem::new("expected one job")) };
    words.expect("rate")?;
    let rate = value::number(words, "steps per 1000 seconds")?;
    let mut done_ppm = None;
    if words.next_clause()? {
        words.expect("done")?;
        done_ppm = Some(value::number(words, "parts per million")?);
        words.expect("ppm")?;
    }
    Ok(Tell::Progress { run, rate, done_ppm })
}

/// `refused 4 on n1, node disk-full` or `refused 4 on n1, job no-such-folder`.
pub(super) fn refused(words: &mut Words) -> Parsed<Tell> {
    let (runs, nodes) = which(words)?;
    if !words.next_clause()? {
        return Err(Problem::new("expected whose fault it is: `, node disk-full` or `, job ...`"));
    }
    let fault = words.plain("whose fault it is: `node` or `job`")?;
    let refusal: fn(Name) -> Refusal = match fault.as_str() {
        "node" => Refusal::Node,
        "job" => Refusal::Job,
        _ => return Err(Problem::unknown("fault", &fault, &["node", "job"])),
    };
    let why = value::name(words, "a word that says why")?;
    Ok(Tell::Report { runs, nodes, report: Report::Refused(refusal(why)) })
}

/// `ended 4`, `ended 4 on n1, exit 3`, `ended 4, signal KILL`, `ended 4, out of memory`.
pub(super) fn ended(words: &mut Words) -> Parsed<Tell> {
    let (runs, nodes) = which(words)?;
    let exit = if words.next_clause()? { exit(words)? } else { Exit::Code(0) };
    Ok(Tell::Report { runs, nodes, report: Report::Ended(exit) })
}

/// `saved 4`, `suspended 4 on n[1-2]`: something that a node, or the application, has done.
pub(super) fn said(words: &mut Words, report: Report) -> Parsed<Tell> {
    let (runs, nodes) = which(words)?;
    Ok(Tell::Report { runs, nodes, report })
}

/// `unpaused 4 on n1, cannot suspend`: a node that cannot do what it was asked.
pub(super) fn unpaused(words: &mut Words) -> Parsed<Tell> {
    let (runs, nodes) = which(words)?;
    if !words.next_clause()? {
        return Err(Problem::new("expected what it cannot do: `, cannot suspend`"));
    }
    words.expect("cannot")?;
    let word = words.plain("`freeze` or `suspend`")?;
    let rung = match word.as_str() {
        "freeze" => Rung::Freeze,
        "suspend" => Rung::Suspend,
        _ => return Err(Problem::unknown("rung", &word, &["freeze", "suspend"])),
    };
    Ok(Tell::Report { runs, nodes, report: Report::PauseRefused(rung) })
}

fn exit(words: &mut Words) -> Parsed<Exit> {
    let how = words.plain("how it ended")?;
    match how.as_str() {
        "exit" => value::number(words, "an exit code").map(Exit::Code),
        "signal" => signal_number(words).map(Exit::Signal),
        "out" => {
            words.expect("of")?;
            words.expect("memory")?;
            Ok(Exit::OutOfMemory)
        }
        "stopped" => Ok(Exit::Stopped),
        _ => {
            let known = ["exit 1", "signal KILL", "out of memory", "stopped"];
            Err(Problem::unknown("end", &how, &known))
        }
    }
}

/// A signal by its name or number.
pub(super) fn signal_number(words: &mut Words) -> Parsed<u8> {
    const EXPECTED: &str = "a signal such as `USR1` or `10`";
    let word = words.plain(EXPECTED)?;
    signal::number(&word).map_or_else(|| value::number_of(&word, EXPECTED), Ok)
}

/// Attempts, and the nodes that speak; no nodes means all of the attempt's.
fn which(words: &mut Words) -> Parsed<(Vec<Run>, Vec<Name>)> {
    let runs = value::runs(words)?;
    let nodes = if words.take("on") { value::hosts(words)? } else { Vec::new() };
    Ok((runs, nodes))
}
