//! Dependencies: `afterok:1:2_3?afterany:4,singleton`.

use std::fmt;
use std::str::FromStr;

use muster_model::Invalid;
use muster_model::bound::DEPENDENCIES_MAX;
use serde::{Deserialize, Serialize};

use super::{digits, refuse};

const FORMS: &str = "expected singleton, or one of after, afterany, afterok, afternotok, aftercorr \
                     with jobs, such as `afterok:12:13`, with `,` for all or `?` for any";

/// What a job waits for: of each group any clause, and all groups.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Dependencies(pub Vec<Vec<Clause>>);

/// One condition on some jobs; all of them have to meet it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clause {
    /// What they have to reach.
    pub condition: Condition,
    /// Which jobs; none for a singleton.
    pub jobs: Vec<JobReference>,
}

/// What a job has to reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Condition {
    /// Started or cancelled.
    After,
    /// Ended, however.
    AfterAny,
    /// Ended with success.
    AfterOk,
    /// Ended without success.
    AfterNotOk,
    /// The element of the same index ended with success.
    AfterCorr,
    /// Every job of the same name and user that came before ended.
    Singleton,
}

impl Condition {
    const ALL: [(Condition, &'static str); 6] = [
        (Condition::After, "after"),
        (Condition::AfterAny, "afterany"),
        (Condition::AfterOk, "afterok"),
        (Condition::AfterNotOk, "afternotok"),
        (Condition::AfterCorr, "aftercorr"),
        (Condition::Singleton, "singleton"),
    ];

    /// Its word.
    pub fn word(self) -> &'static str {
        let row = Self::ALL.iter().find(|(condition, _)| *condition == self);
        row.map(|(_, word)| *word).expect("the table has every condition")
    }
}

/// A job that others wait for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobReference {
    /// Its number.
    pub job: u64,
    /// Which part of an array.
    pub element: Element,
    /// How many minutes behind its start.
    pub delay_minutes: u32,
}

/// Which part of an array is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Element {
    /// The job, and where it is an array the whole of it.
    Whole,
    /// All elements, written with a star.
    Every,
    /// One element.
    Index(u32),
}

impl FromStr for Dependencies {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Dependencies, Invalid> {
        let refused = || refuse("dependency", text, FORMS);
        let mut groups = Vec::new();
        let mut jobs = 0;
        for group in text.split(',') {
            let clauses: Option<Vec<Clause>> = group.split('?').map(read_clause).collect();
            let clauses = clauses.ok_or_else(refused)?;
            jobs += clauses.iter().map(|clause| clause.jobs.len().max(1)).sum::<usize>();
            groups.push(clauses);
        }
        if jobs > DEPENDENCIES_MAX {
            let allowed = format!("expected at most {DEPENDENCIES_MAX} jobs");
            return Err(refuse("dependency", text, &allowed));
        }
        Ok(Dependencies(groups))
    }
}

fn read_clause(text: &str) -> Option<Clause> {
    if text == Condition::Singleton.word() {
        return Some(Clause { condition: Condition::Singleton, jobs: Vec::new() });
    }
    let mut parts = text.split(':').peekable();
    let first = *parts.peek()?;
    // A number alone is the old form of `afterany`.
    let condition = if digits(first.split('_').next()?).is_some() {
        Condition::AfterAny
    } else {
        parts.next();
        Condition::ALL.iter().find(|(_, word)| *word == first).map(|&(condition, _)| condition)?
    };
    let jobs: Option<Vec<_>> = parts.map(|part| read_job(part, condition)).collect();
    let jobs = jobs.filter(|jobs| !jobs.is_empty() && condition != Condition::Singleton)?;
    Some(Clause { condition, jobs })
}

fn read_job(text: &str, condition: Condition) -> Option<JobReference> {
    let (text, delay) = match text.split_once('+') {
        Some((text, delay)) => (text, u32::try_from(digits(delay)?).ok()?),
        None => (text, 0),
    };
    let (job, element) = match text.split_once('_') {
        Some((job, "*")) => (job, Element::Every),
        Some((job, index)) => (job, Element::Index(u32::try_from(digits(index)?).ok()?)),
        None => (text, Element::Whole),
    };
    let job = digits(job).filter(|&job| job > 0)?;
    let may_delay = delay == 0 || condition == Condition::After;
    may_delay.then_some(JobReference { job, element, delay_minutes: delay })
}

impl fmt::Display for Dependencies {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, group) in self.0.iter().enumerate() {
            formatter.write_str(if index == 0 { "" } else { "," })?;
            for (index, clause) in group.iter().enumerate() {
                formatter.write_str(if index == 0 { "" } else { "?" })?;
                formatter.write_str(clause.condition.word())?;
                for job in &clause.jobs {
                    write!(formatter, ":{job}")?;
                }
            }
        }
        Ok(())
    }
}

impl fmt::Display for JobReference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.job)?;
        match self.element {
            Element::Whole => {}
            Element::Every => formatter.write_str("_*")?,
            Element::Index(index) => write!(formatter, "_{index}")?,
        }
        if self.delay_minutes > 0 {
            write!(formatter, "+{}", self.delay_minutes)?;
        }
        Ok(())
    }
}
