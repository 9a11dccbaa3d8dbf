//! Who gains and who loses: the teams that were guaranteed something else, and all others together.

use std::fmt::Write as _;

use serde::Serialize;

use super::super::number::{amount, span, whole};
use super::super::run::Run;
use super::super::team::{TeamOfRun, TeamsOfRun, join};
use super::difference;

/// Some teams in both worlds.
#[derive(Debug, Serialize)]
pub(in crate::sim) struct Part {
    /// Who they are, in words.
    who: String,
    before: TeamOfRun,
    after: TeamOfRun,
}

/// The teams that are named, each alone, and the others as one; none where teams have no queues.
pub(super) fn parts(named: &[String], before: &Run, after: &Run) -> Vec<Part> {
    let (Some(before), Some(after)) = (&before.teams, &after.teams) else { return Vec::new() };
    let is_named = |team: &TeamOfRun| {
        team.team.as_ref().is_some_and(|team| named.iter().any(|name| name == team))
    };
    let one = |name: &String| {
        let of = |run: &TeamsOfRun| {
            let found = run.each.iter().find(|team| team.team.as_ref() == Some(name));
            found.cloned().unwrap_or_default()
        };
        Part { who: format!("{} {name}", before.by), before: of(before), after: of(after) }
    };
    let mut parts: Vec<Part> = named.iter().map(one).collect();
    let others = |run: &TeamsOfRun| join(run.each.iter().filter(|team| !is_named(team)));
    if !named.is_empty() && before.each.iter().any(|team| !is_named(team)) {
        let who = "all others".to_owned();
        parts.push(Part { who, before: others(before), after: others(after) });
    }
    parts
}

/// Adds the lines of a part to a table.
pub(super) fn write(text: &mut String, part: &Part) {
    writeln!(text, "{}", part.who).expect("a string takes all text");
    type Line = (&'static str, fn(&TeamOfRun) -> f64, fn(f64) -> String);
    let lines: [Line; 4] = [
        ("  guaranteed GPUs", |team| team.guarantee_gpus, amount),
        ("  jobs", |team| team.sum.jobs as f64, whole),
        ("  mean wait, s", |team| team.sum.mean_queue_s(), whole),
        ("  mean JCT, s", |team| team.sum.mean_jct_s(), whole),
    ];
    for (name, of, show) in lines {
        difference(text, name, (of(&part.before), of(&part.after)), show);
    }
}

impl Part {
    /// What changed for them, as a sentence.
    pub(in crate::sim) fn sentence(&self) -> String {
        let (was, is) = (&self.before, &self.after);
        let mut chars = self.who.chars();
        let who = chars.next().map(|first| first.to_uppercase().chain(chars).collect::<String>());
        let waits = (span(is.sum.mean_queue_s()), span(was.sum.mean_queue_s()));
        let takes = (span(is.sum.mean_jct_s()), span(was.sum.mean_jct_s()));
        format!(
            "{}, guaranteed {} GPUs instead of {}: a job waits {} instead of {} and takes {} \
             instead of {} to its end.",
            who.unwrap_or_default(),
            amount(is.guarantee_gpus),
            amount(was.guarantee_gpus),
            waits.0,
            waits.1,
            takes.0,
            takes.1
        )
    }
}
