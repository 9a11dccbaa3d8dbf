//! How busy an attempt kept each of its GPUs, over time: one pass over its samples, node by node.

use std::collections::BTreeMap;

use rusqlite::{Connection, params};

use super::super::super::values::bound;
use super::gpus::{Mean, decode};
use crate::history::{ActivityQuestion, GpuActivity, GpuActivityRow};

/// One GPU: over all, and in each step.
struct OfGpu {
    whole: Mean,
    steps: Vec<Mean>,
}

/// Answers. No more than the rows of one node and twice those that are asked for are held at once.
pub(in super::super) fn activity(
    connection: &Connection,
    question: &ActivityQuestion,
) -> rusqlite::Result<GpuActivity> {
    let ActivityQuestion { job_id, attempt, from_ms, to_ms, .. } = question;
    let sql = "SELECT node, from_ms, to_ms, gpus FROM samples WHERE job_id = ?1 AND attempt = ?2
               AND +to_ms > ?3 AND +from_ms < ?4 AND gpus IS NOT NULL ORDER BY node, from_ms";
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query(params![job_id, attempt, bound(*from_ms), bound(*to_ms)])?;
    let mut answer = GpuActivity::default();
    let (mut node, mut gpus) = (String::new(), BTreeMap::new());
    while let Some(row) = rows.next()? {
        let here = row.get_ref(0)?.as_str()?;
        if here != node {
            take(&mut answer, question, &node, std::mem::take(&mut gpus));
            node = here.to_owned();
        }
        let span = (row.get::<_, u64>(1)?.max(*from_ms), row.get::<_, u64>(2)?.min(*to_ms));
        for sample in decode(row.get_ref(3)?.as_blob()?) {
            let new =
                || OfGpu { whole: Mean::default(), steps: vec![Mean::default(); steps(question)] };
            let of_gpu: &mut OfGpu = gpus.entry(sample.gpu).or_insert_with(new);
            let Some(busy) = sample.busy else { continue };
            of_gpu.whole.add(busy, span.1 - span.0);
            add(&mut of_gpu.steps, busy, span, question);
        }
    }
    take(&mut answer, question, &node, gpus);
    keep_least_busy(&mut answer, question.limit);
    Ok(answer)
}

fn steps(question: &ActivityQuestion) -> usize {
    let length = question.to_ms.saturating_sub(question.from_ms);
    usize::try_from(length.div_ceil(question.step_ms.max(1))).unwrap_or(usize::MAX)
}

/// Adds a reading to each step that it falls into, by how much of it does.
fn add(steps: &mut [Mean], busy: u32, span: (u64, u64), question: &ActivityQuestion) {
    let step_ms = question.step_ms.max(1);
    let first = (span.0 - question.from_ms) / step_ms;
    let skipped = usize::try_from(first).unwrap_or(usize::MAX);
    for (number, step) in (first..).zip(steps.iter_mut().skip(skipped)) {
        let begin = question.from_ms + number * step_ms;
        if begin >= span.1 {
            return;
        }
        step.add(busy, span.1.min(begin + step_ms) - span.0.max(begin));
    }
}

/// A node is done.
fn take(
    answer: &mut GpuActivity,
    question: &ActivityQuestion,
    node: &str,
    gpus: BTreeMap<u32, OfGpu>,
) {
    answer.rows.extend(gpus.into_iter().map(|(gpu, of)| GpuActivityRow {
        node: node.to_owned(),
        gpu,
        busy: of.whole.busy(),
        steps: of.steps.into_iter().map(Mean::busy).collect(),
    }));
    if answer.rows.len() > question.limit.saturating_mul(2) {
        keep_least_busy(answer, question.limit);
    }
}

/// Those that nobody measured come last: nobody knows that they were idle.
fn keep_least_busy(answer: &mut GpuActivity, limit: usize) {
    answer.rows.sort_by_key(|row| (row.busy.is_none(), row.busy));
    let more = answer.rows.len().saturating_sub(limit);
    answer.rows.truncate(limit);
    answer.more += u64::try_from(more).expect("a count of rows fits");
}
