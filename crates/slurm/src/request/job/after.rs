//! Dependencies on other jobs.

use muster_model::{Dependency, DependencyKind, JobId};

use crate::request::{Missing, Request};
use crate::values::{Clause, Condition, Element};

impl Request {
    pub(super) fn after(&self, missing: &mut Vec<Missing>) -> Vec<Dependency> {
        let mut after = Vec::new();
        if self.when.kill_on_invalid_dependency == Some(false) {
            missing.push(Missing::KeepUnmet);
        }
        let Some(dependencies) = &self.when.dependency else { return after };
        for group in &dependencies.0 {
            match &group[..] {
                [clause] => clause_after(clause, &mut after, missing),
                _ => missing.push(Missing::AnyDependency),
            }
        }
        after
    }
}

fn clause_after(clause: &Clause, after: &mut Vec<Dependency>, missing: &mut Vec<Missing>) {
    let kind = match clause.condition {
        Condition::Singleton => return after.push(Dependency::Singleton),
        Condition::AfterCorr => return missing.push(Missing::DependencyByIndex),
        Condition::After => DependencyKind::After,
        Condition::AfterAny => DependencyKind::AfterAny,
        Condition::AfterOk => DependencyKind::AfterOk,
        Condition::AfterNotOk => DependencyKind::AfterNotOk,
    };
    for &job in &clause.jobs {
        if job.delay_minutes > 0 {
            missing.push(Missing::DependencyDelay(job));
        }
        match job.element {
            Element::Index(_) => missing.push(Missing::DependencyOnElement(job)),
            Element::Whole | Element::Every => {
                after.push(Dependency::On { job: JobId(job.job), kind });
            }
        }
    }
}
