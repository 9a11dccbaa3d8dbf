//! The teams of a run, where each has a queue of its own: what they were guaranteed and what became
//! of their jobs.

use std::fmt::Write as _;

use muster_sim::replay::{Replayed, Teams};
use muster_trace::Trace;
use serde::ser::{Serialize, SerializeStruct, Serializer};

use super::number::{amount, whole};
use super::run::Run;
use super::sum::{Sum, jobs};

/// Teams that have a line of their own; the others share one.
pub(super) const LINES_MOST: usize = 15;

/// All teams of a run.
#[derive(Clone, Debug, serde::Serialize)]
pub(super) struct TeamsOfRun {
    /// What tells them apart in the trace.
    pub(super) by: &'static str,
    /// Where their guarantees come from.
    pub(super) guarantees: &'static str,
    /// In order of their names, and those who belong to nobody at the end.
    pub(super) each: Vec<TeamOfRun>,
}

/// One of them.
#[derive(Clone, Debug, Default)]
pub(super) struct TeamOfRun {
    /// `None` for jobs that belong to nobody.
    pub(super) team: Option<String>,
    pub(super) guarantee_gpus: f64,
    pub(super) sum: Sum,
}

impl Serialize for TeamOfRun {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_struct("TeamOfRun", 6)?;
        map.serialize_field("team", &self.team)?;
        map.serialize_field("guarantee_gpus", &self.guarantee_gpus)?;
        map.serialize_field("jobs", &self.sum.jobs)?;
        map.serialize_field("gpu_hours", &self.sum.gpu_hours)?;
        map.serialize_field("mean_queue_s", &self.sum.mean_queue_s())?;
        map.serialize_field("mean_jct_s", &self.sum.mean_jct_s())?;
        map.end()
    }
}

impl TeamOfRun {
    pub(super) fn name(&self) -> &str {
        self.team.as_deref().unwrap_or("nobody")
    }
}

impl TeamsOfRun {
    pub(super) fn new(trace: &Trace, teams: &Teams, replayed: &Replayed) -> TeamsOfRun {
        let team = |team: &muster_sim::replay::Team| TeamOfRun {
            team: Some(team.name.to_string()),
            guarantee_gpus: team.guarantee.0 as f64 / 1_000.0,
            sum: Sum::default(),
        };
        let mut each: Vec<TeamOfRun> = teams.iter().map(team).collect();
        let mut strays = TeamOfRun::default();
        for (job, record) in jobs(trace, replayed) {
            let team = teams.number_of(job).map_or(&mut strays, |number| &mut each[number]);
            team.sum.add(record);
        }
        each.extend(Some(strays).filter(|strays| strays.sum.jobs > 0));
        TeamsOfRun { by: teams.by.word(), guarantees: teams.guarantees.words(), each }
    }
}

/// A line for each of the largest teams, with a column for each run; nothing where there are none.
pub(super) fn table(runs: &[&Run]) -> String {
    let mut text = String::new();
    let teams: Vec<&TeamsOfRun> = runs.iter().filter_map(|run| run.teams.as_ref()).collect();
    let Some(first) = teams.first() else { return text };
    let mut line = |name: &str, cells: [&str; 2], figures: &[String]| {
        let figures: String = figures.iter().map(|cell| format!("{cell:>24}")).collect();
        let line = format!("{name:<20}{:>12}{:>10}{figures}", cells[0], cells[1]);
        writeln!(text, "{}", line.trim_end()).expect("a string takes all text");
    };
    line(&format!("\nguarantees are {}", first.guarantees), ["", ""], &[]);
    let heads: Vec<String> =
        runs.iter().map(|run| format!("{}: wait / JCT, s", run.policy)).collect();
    line(first.by, ["guaranteed", "jobs"], &heads);
    let mut order: Vec<usize> = (0..first.each.len()).collect();
    // Stable: equals stay in the order of their names.
    let hours = |index: &usize| first.each[*index].sum.gpu_hours;
    order.sort_by(|one, other| hours(other).total_cmp(&hours(one)));
    let shown = |sum: &Sum| format!("{} / {}", whole(sum.mean_queue_s()), whole(sum.mean_jct_s()));
    // One that would be alone among the others has a line of its own.
    let own = if order.len() > LINES_MOST { LINES_MOST - 1 } else { order.len() };
    for &index in &order[..own] {
        let team = &first.each[index];
        // Who belongs to nobody is there in a run if a job of theirs ended in it.
        let of = |run: &&TeamsOfRun| run.each.get(index).map_or("-".into(), |one| shown(&one.sum));
        let figures: Vec<String> = teams.iter().map(of).collect();
        let cells = [amount(team.guarantee_gpus), whole(team.sum.jobs as f64)];
        line(team.name(), [&cells[0], &cells[1]], &figures);
    }
    let others = &order[own..];
    if !others.is_empty() {
        let joined = |run: &TeamsOfRun| join(others.iter().filter_map(|at| run.each.get(*at)));
        let figures: Vec<String> = teams.iter().map(|run| shown(&joined(run).sum)).collect();
        let all = joined(first);
        let cells = [amount(all.guarantee_gpus), whole(all.sum.jobs as f64)];
        line(&format!("{} others", others.len()), [&cells[0], &cells[1]], &figures);
    }
    text
}

/// Some teams as one.
pub(super) fn join<'a>(teams: impl Iterator<Item = &'a TeamOfRun>) -> TeamOfRun {
    let mut all = TeamOfRun::default();
    for team in teams {
        all.guarantee_gpus += team.guarantee_gpus;
        all.sum.join(&team.sum);
    }
    all
}
