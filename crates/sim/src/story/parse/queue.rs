//! Reads a queue: `queue research/vision guarantee 8, limit 16 and H100x8, user limit 4, weight 2,
//! idle 2h below 50 lend`.

use muster_model::{IdleRule, MilliGpu, QueueSpec, Quota, WhenIdle};

use super::{shape, value};
use crate::story::words::{Parsed, Problem, Words};

const CLAUSES: [&str; 5] = ["guarantee", "limit", "user limit", "weight", "idle"];

/// Reads a queue as it shall be.
pub(super) fn queue(words: &mut Words) -> Parsed<QueueSpec> {
    let mut queue = QueueSpec::new("");
    queue.name = value::parsed(&words.plain("a queue's name")?)?;
    if words.is_done() {
        return Ok(queue);
    }
    clause(words, &mut queue)?;
    while words.next_clause()? {
        clause(words, &mut queue)?;
    }
    Ok(queue)
}

fn clause(words: &mut Words, queue: &mut QueueSpec) -> Parsed<()> {
    let clause = words.plain("what the queue has")?;
    match clause.as_str() {
        "guarantee" => queue.guarantee = quota(words)?,
        "limit" => queue.limit = quota(words)?,
        "user" => {
            words.expect("limit")?;
            queue.user_limit = quota(words)?;
        }
        "weight" => queue.weight = value::number(words, "a weight")?,
        "idle" => queue.idle = Some(idle(words)?),
        _ => return Err(Problem::unknown("clause", &clause, &CLAUSES)),
    }
    Ok(())
}

/// `2h below 50 lend`: after how long of less than how many thousandths, and what follows.
fn idle(words: &mut Words) -> Parsed<IdleRule> {
    let after = value::span(words)?;
    words.expect("below")?;
    let below_milli = value::number(words, "thousandths")?;
    let word = words.plain("`flag`, `lend` or `pause`")?;
    let then = match word.as_str() {
        "flag" => WhenIdle::Flag,
        "lend" => WhenIdle::Lend,
        "pause" => WhenIdle::Pause,
        _ => return Err(Problem::unknown("word", &word, &["flag", "lend", "pause"])),
    };
    Ok(IdleRule { after, below_milli, then })
}

/// `8`, `H100x8`, `64 cpus` and `512GiB memory`, joined by `and`.
fn quota(words: &mut Words) -> Parsed<Quota> {
    let mut quota = Quota::default();
    loop {
        let amount = words.plain("an amount such as `8`, `H100x8`, `64 cpus`, `1TiB memory`")?;
        if words.take("memory") {
            quota.memory = Some(value::parsed(&amount)?);
        } else if words.take("cpus") {
            quota.cpus = Some(value::parsed(&amount)?);
        } else if let Ok(gpus) = amount.parse() {
            quota.gpus = Some(gpus);
        } else {
            let (model, gpus) = shape::gpus_of_model(&amount)?;
            quota.models.insert(model, MilliGpu::whole(u64::from(gpus)));
        }
        if !words.take("and") {
            return Ok(quota);
        }
    }
}
