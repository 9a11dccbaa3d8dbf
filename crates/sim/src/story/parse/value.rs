//! Values inside commands: numbers, spans, moments, jobs, names, lists of hosts.

use std::fmt;
use std::str::FromStr;

use muster_model::name::quoted;
use muster_model::{Attempt, Expression, Invalid, JobId, Millis, Name, Time};

use crate::story::act::{Run, START};
use crate::story::words::{Parsed, Problem, Words};

/// A range in a list of hosts may stand for at most so many: a slip of the pen must not fill
/// the memory.
const RANGE_MAX: u32 = 100_000;

/// A value as the model reads it, with the model's words where it cannot.
pub(super) fn parsed<T: FromStr<Err = Invalid>>(text: &str) -> Parsed<T> {
    text.parse().map_err(|invalid: Invalid| Problem {
        what: format!("{} is not allowed, {}", invalid.value, invalid.allowed),
        meant: invalid.meant,
    })
}

/// A number, `expected` in words.
pub(super) fn number<T: FromStr>(words: &mut Words, expected: &str) -> Parsed<T> {
    let word = words.plain(expected)?;
    number_of(&word, expected)
}

pub(super) fn number_of<T: FromStr>(word: &str, expected: &str) -> Parsed<T> {
    word.parse().map_err(|_| unlike(expected, word))
}

pub(super) fn unlike(expected: &str, found: impl fmt::Display) -> Problem {
    Problem::new(format!("expected {expected}, but found {}", quoted(&found.to_string())))
}

pub(super) fn name(words: &mut Words, expected: &str) -> Parsed<Name> {
    parsed(&words.plain(expected)?)
}

/// A span of time (`90m`).
pub(super) fn span(words: &mut Words) -> Parsed<Millis> {
    parsed(&words.plain("a span of time such as `90m`")?)
}

/// A moment, as the span since the story began (`+2h`), or before it (`-5m`).
pub(super) fn moment(words: &mut Words) -> Parsed<Time> {
    let word = words.plain("a moment such as `+2h`, counted from the beginning")?;
    match word.strip_prefix('-') {
        Some(before) => Ok(Time(START.0.saturating_sub(parsed::<Millis>(before)?.0))),
        None => Ok(START + parsed(word.strip_prefix('+').unwrap_or(&word))?),
    }
}

/// A job's number.
pub(super) fn job(words: &mut Words) -> Parsed<JobId> {
    number(words, "a job's number").map(JobId)
}

/// One or more jobs, some perhaps as ranges (`2 5-7`).
pub(super) fn jobs(words: &mut Words) -> Parsed<Vec<JobId>> {
    let mut jobs = Vec::new();
    loop {
        let word = words.plain("a job's number")?;
        for job in range(&word, "a job's number")? {
            jobs.push(JobId(u64::from(job)));
        }
        if words.at_clause_end() || words.peek_plain().is_some_and(|word| !is_number(word)) {
            return Ok(jobs);
        }
    }
}

/// One or more attempts of jobs: `3` is the current attempt of job 3, `3.1` its first.
pub(super) fn runs(words: &mut Words) -> Parsed<Vec<Run>> {
    let mut runs = Vec::new();
    loop {
        let word = words.plain("a job's number")?;
        match word.split_once('.') {
            Some((job, attempt)) => runs.push(Run {
                job: JobId(number_of(job, "a job's number")?),
                attempt: Some(Attempt(number_of(attempt, "an attempt's number")?)),
            }),
            None => {
                let jobs = range(&word, "a job's number")?;
                runs.extend(jobs.map(|job| Run { job: JobId(u64::from(job)), attempt: None }));
            }
        }
        if words.at_clause_end() || words.peek_plain().is_some_and(|word| !is_number(word)) {
            return Ok(runs);
        }
    }
}

fn is_number(word: &str) -> bool {
    word.starts_with(|letter: char| letter.is_ascii_digit())
}

/// `4`, or `4-7`.
pub(super) fn range(word: &str, expected: &str) -> Parsed<impl Iterator<Item = u32> + use<>> {
    let (first, last) = word.split_once('-').unwrap_or((word, word));
    let first: u32 = number_of(first, expected)?;
    let last: u32 = number_of(last, expected)?;
    if last < first || last - first >= RANGE_MAX {
        return Err(unlike("a range that goes up", word));
    }
    Ok(first..=last)
}

/// `0-3,8`.
pub(super) fn numbers(word: &str, expected: &str) -> Parsed<Vec<u32>> {
    let mut numbers = Vec::new();
    for part in word.split(',') {
        numbers.extend(range(part, expected)?);
    }
    Ok(numbers)
}

/// Names of hosts, some perhaps as a bracket (`n[1-4,7] m1`).
pub(super) fn hosts(words: &mut Words) -> Parsed<Vec<Name>> {
    let mut hosts = hosts_of(&words.plain("a node's name")?)?;
    while !words.at_clause_end() {
        hosts.extend(hosts_of(&words.plain("a node's name")?)?);
    }
    Ok(hosts)
}

/// The hosts that one word names. Leading zeros set the width, as in `n[01-16]`.
pub(super) fn hosts_of(word: &str) -> Parsed<Vec<Name>> {
    let Some((before, rest)) = word.split_once('[') else { return Ok(vec![parsed(word)?]) };
    let Some((list, after)) = rest.split_once(']') else {
        return Err(unlike("a node's name such as `n[1-4]`", word));
    };
    let mut hosts = Vec::new();
    for part in list.split(',') {
        let width =
            part.split('-').next().filter(|first| first.starts_with('0')).map_or(0, str::len);
        for number in range(part, "a range such as `1-4`")? {
            hosts.push(parsed(&format!("{before}{number:0width$}{after}"))?);
        }
    }
    Ok(hosts)
}

/// A question about nodes, to the end of the clause (`disk=fast & !spot`).
pub(super) fn nodes(words: &mut Words) -> Parsed<Expression> {
    parsed(&words.clause())
}
