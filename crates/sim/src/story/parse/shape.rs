//! Reads what the tasks of a job need: `2 x H100|A100x8 (16 cpus, nvlink)`, several groups joined
//! by `plus`.

use muster_model::quantity::GpuRequest;
use muster_model::{Isolation, Name, TaskCount, TaskGroup, TaskShape};

use super::value;
use crate::story::words::{Parsed, Problem, Word, Words};

/// The name of a group that has none.
const GROUP: &str = "main";

const NEEDS: [&str; 5] = ["16 cpus", "64GiB memory", "nvlink", "exclusive", "isolated soft"];

/// Reads the groups of a job.
pub(super) fn groups(words: &mut Words) -> Parsed<Vec<TaskGroup>> {
    let mut groups = vec![group(words)?];
    while words.take("plus") {
        groups.push(group(words)?);
    }
    Ok(groups)
}

/// `actors 4 x A100x1`, `2..4 x H100x8`, `H100x1`.
fn group(words: &mut Words) -> Parsed<TaskGroup> {
    let name = match name_before_count(words) {
        true => value::name(words, "a group's name")?,
        false => Name::from(GROUP),
    };
    let tasks = count(words)?;
    let mut task = shape(words)?;
    if words.take_mark(&Word::Open) {
        needs(words, &mut task)?;
    }
    Ok(TaskGroup { name, tasks, task })
}

/// Whether a name comes first: a word followed by a count and an `x`.
fn name_before_count(words: &Words) -> bool {
    let mut ahead = words.clone();
    let is_count = |word: String| word.starts_with(|letter: char| letter.is_ascii_digit());
    ahead.plain("a word").is_ok_and(|first| !is_count(first))
        && ahead.plain("a count").is_ok_and(is_count)
        && ahead.take("x")
}

/// `4 x` or `2..4 x`; one task where there is neither.
fn count(words: &mut Words) -> Parsed<TaskCount> {
    let mut ahead = words.clone();
    match ahead.plain("a number of tasks") {
        Ok(word) if ahead.take("x") => {
            *words = ahead;
            value::parsed(&word)
        }
        _ => Ok(TaskCount::exactly(1)),
    }
}

/// `H100x8`, `H100|A100x8`, `8 gpus`, `no gpus`.
fn shape(words: &mut Words) -> Parsed<TaskShape> {
    let word = words.plain("GPUs such as `H100x8`, `8 gpus` or `no gpus`")?;
    let request = match word.as_str() {
        "no" => GpuRequest::default(),
        word => value::parsed::<GpuRequest>(word)?,
    };
    if request.models.is_empty() && request.share.is_none() && !words.take("gpu") {
        words.expect("gpus")?;
    }
    let mut task = match request.share {
        Some(share) => TaskShape::share(share),
        None => TaskShape::gpus(request.gpus),
    };
    task.models = request.models;
    Ok(task)
}

/// `(16 cpus, 64GiB memory, nvlink, exclusive, isolated hard)`, after the parenthesis was opened.
fn needs(words: &mut Words, task: &mut TaskShape) -> Parsed<()> {
    loop {
        let need = words.plain("what each task needs")?;
        match need.as_str() {
            "nvlink" => task.nvlink = true,
            "exclusive" => task.exclusive = true,
            "isolated" => isolated(words, task)?,
            amount if words.take("cpus") || words.take("cpu") => {
                task.cpus = value::parsed(amount)?;
            }
            amount if words.take("memory") => task.memory = value::parsed(amount)?,
            _ => return Err(Problem::unknown("need", &need, &NEEDS)),
        }
        if words.take_mark(&Word::Close) {
            return Ok(());
        }
        if !words.take_mark(&Word::Comma) {
            return Err(Problem::new("expected `,` or `)` after what each task needs"));
        }
    }
}

/// `isolated hard`, for a share.
fn isolated(words: &mut Words, task: &mut TaskShape) -> Parsed<()> {
    let word = words.plain("how strictly, such as `hard`")?;
    let isolation = isolation(&word)?;
    match &mut task.share {
        Some(share) => share.isolation = isolation,
        None => return Err(Problem::new("only part of a GPU is isolated, such as `0.5`")),
    }
    Ok(())
}

/// `hard`, `soft` or `none`.
pub(super) fn isolation(word: &str) -> Parsed<Isolation> {
    let found = Isolation::ALL.into_iter().find(|isolation| isolation.word() == word);
    let known = Isolation::ALL.map(Isolation::word);
    found.ok_or_else(|| Problem::unknown("isolation", word, &known))
}

/// `H100x8`: a number of whole GPUs of one model.
pub(super) fn gpus_of_model(word: &str) -> Parsed<(Name, u32)> {
    let request: GpuRequest = value::parsed(word)?;
    match &request.models[..] {
        [model] if request.share.is_none() => Ok((model.clone(), request.gpus)),
        _ => Err(value::unlike("GPUs of one model such as `H100x8`", word)),
    }
}
