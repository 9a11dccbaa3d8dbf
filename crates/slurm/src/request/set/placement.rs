//! Options about who, where and when.

use muster_model::Invalid;
use muster_model::name::quoted;

use crate::error::Refusal;
use crate::request::Request;
use crate::values::{Hostlist, array, count};

/// The seconds of `--immediate` without a value.
const IMMEDIATE_S: u32 = 1;

pub(super) fn set(request: &mut Request, name: &str, given: Option<&str>) -> Result<bool, Refusal> {
    let value = given.unwrap_or_default();
    let Request { identity, place, when, .. } = request;
    match name {
        "account" => identity.account = Some(word(name, value)?),
        "job-name" => identity.job_name = Some(word(name, value)?),
        "partition" => identity.partitions = words(name, value)?,
        "qos" => identity.qos = Some(word(name, value)?),
        "reservation" => identity.reservations = words(name, value)?,
        "comment" => identity.comment = Some(value.to_owned()),
        // An empty constraint is none, as on Slurm.
        "constraint" if value.is_empty() => place.constraint = None,
        "constraint" => place.constraint = Some(value.parse()?),
        "prefer" if value.is_empty() => place.prefer = None,
        "prefer" => place.prefer = Some(value.parse()?),
        "nodelist" => place.nodelist = nodes(value)?,
        "exclude" => place.exclude = nodes(value)?,
        "switches" => place.switches = Some(value.parse()?),
        "segment" => place.segment = Some(count(name, value)?),
        "spread-job" => place.spread = true,
        "time" => when.limit = Some(value.parse()?),
        "time-min" => when.limit_min = Some(value.parse()?),
        "begin" => when.begin = Some(value.parse()?),
        "deadline" => when.deadline = Some(value.parse()?),
        "hold" => when.hold = true,
        "dependency" => when.dependency = Some(value.parse()?),
        "kill-on-invalid-dep" => when.kill_on_invalid_dependency = Some(yes(name, value)?),
        "array" => when.array = Some(array::read(value)?),
        "immediate" => {
            when.immediate_s = Some(given.map_or(Ok(IMMEDIATE_S), |text| count(name, text))?);
        }
        _ => return Ok(false),
    }
    Ok(true)
}

fn word(name: &str, value: &str) -> Result<String, Invalid> {
    let is_word = !value.is_empty() && !value.chars().any(char::is_control);
    let refused = || Invalid::new(name, quoted(value), "expected a name");
    is_word.then(|| value.to_owned()).ok_or_else(refused)
}

fn words(name: &str, value: &str) -> Result<Vec<String>, Invalid> {
    value.split(',').map(|part| word(name, part.trim())).collect()
}

/// A file with names is told by its path; reading it is not for us.
fn nodes(value: &str) -> Result<Hostlist, Refusal> {
    if value.contains('/') {
        let advice = "write the names instead of a file with them".to_owned();
        return Err(Refusal::Unsupported { option: format!("--nodelist={value}"), advice });
    }
    Ok(value.parse()?)
}

pub(super) fn yes(name: &str, value: &str) -> Result<bool, Invalid> {
    match value {
        "yes" => Ok(true),
        "no" => Ok(false),
        _ => Err(Invalid::new(name, quoted(value), "expected yes or no")),
    }
}
