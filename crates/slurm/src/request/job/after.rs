//! Dependencies on other jobs.

use muster_model::{Dependency, DependencyKind, Elements, JobId, Millis, Predecessor};

use crate::request::{Missing, Request};
use crate::values::{Clause, Condition, Dependencies, Element};

impl Request {
    pub(super) fn after(&self, missing: &mut Vec<Missing>) -> Vec<Dependency> {
        if self.when.kill_on_invalid_dependency == Some(false) {
            missing.push(Missing::KeepUnmet);
        }
        let Some(dependencies) = &self.when.dependency else { return Vec::new() };
        let after = dependencies.of_model(self.when.array.is_some());
        after.unwrap_or_else(|what| {
            missing.push(what);
            Vec::new()
        })
    }
}

impl Dependencies {
    /// The dependencies of the model that an array, or a job that is none, has by these.
    pub fn of_model(&self, is_array: bool) -> Result<Vec<Dependency>, Missing> {
        let mut after = Vec::new();
        let predecessors = |clause| predecessors(clause, is_array);
        for group in &self.0 {
            let is_singleton = |clause: &Clause| clause.condition == Condition::Singleton;
            match &group[..] {
                [clause] if is_singleton(clause) => after.push(Dependency::Singleton),
                [clause] => after.extend(predecessors(clause).map(Dependency::On)),
                clauses if clauses.iter().any(is_singleton) => {
                    return Err(Missing::SingletonAmongOthers);
                }
                clauses => {
                    let several = clauses.iter().flat_map(predecessors);
                    after.push(Dependency::AnyOf(several.collect()));
                }
            }
        }
        Ok(after)
    }
}

/// The jobs of a clause, each with what it has to reach.
fn predecessors(clause: &Clause, is_array: bool) -> impl Iterator<Item = Predecessor> {
    let (kind, whole) = match clause.condition {
        Condition::After => (DependencyKind::After, Elements::All),
        Condition::AfterAny => (DependencyKind::AfterAny, Elements::All),
        Condition::AfterOk => (DependencyKind::AfterOk, Elements::All),
        Condition::AfterNotOk => (DependencyKind::AfterNotOk, Elements::All),
        // Who has no index waits for all.
        Condition::AfterCorr if !is_array => (DependencyKind::AfterOk, Elements::All),
        Condition::AfterCorr => (DependencyKind::AfterOk, Elements::Same),
        Condition::Singleton => unreachable!("a singleton names no job"),
    };
    clause.jobs.iter().map(move |job| Predecessor {
        job: JobId(job.job),
        kind,
        elements: match job.element {
            Element::Index(index) => Elements::Index(index),
            Element::Whole | Element::Every => whole,
        },
        delay: Millis::minutes(u64::from(job.delay_minutes)),
    })
}
