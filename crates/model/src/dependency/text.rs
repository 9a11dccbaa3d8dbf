//! Dependencies as people write them: `afterok:12`, `after:12+10m`, `afterok:12_3?afterany:13`.

use std::fmt;
use std::str::FromStr;

use super::{Dependency, DependencyKind, Elements, Predecessor};
use crate::error::Invalid;
use crate::id::JobId;
use crate::name::quoted;

const FORMS: &str = "expected singleton, or one of after, afterok, afterany, afternotok, aftercorr \
                     with a job, such as afterok:12, with an element as in afterok:12_3, a delay \
                     as in after:12+10m, or others that would do as in afterok:12?afterany:13";

/// The word for: each element ended with success where the other has its index.
const CORRESPONDING: &str = "aftercorr";

impl DependencyKind {
    /// Every kind, with its word.
    pub const ALL: [(DependencyKind, &'static str); 4] = [
        (DependencyKind::After, "after"),
        (DependencyKind::AfterOk, "afterok"),
        (DependencyKind::AfterAny, "afterany"),
        (DependencyKind::AfterNotOk, "afternotok"),
    ];

    /// Its word.
    pub fn word(self) -> &'static str {
        let row = Self::ALL.iter().find(|(kind, _)| *kind == self);
        row.map(|(_, word)| *word).expect("the table has every kind")
    }
}

impl FromStr for Dependency {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Dependency, Invalid> {
        if text == "singleton" {
            return Ok(Dependency::Singleton);
        }
        let several: Option<Vec<Predecessor>> = text.split('?').map(predecessor).collect();
        match several.as_deref() {
            None => Err(Invalid::new("after", quoted(text), FORMS)),
            Some(&[one]) => Ok(Dependency::On(one)),
            Some(several) => Ok(Dependency::AnyOf(several.to_vec())),
        }
    }
}

fn predecessor(text: &str) -> Option<Predecessor> {
    let (word, rest) = text.split_once(':')?;
    let (rest, delay) = match rest.split_once('+') {
        Some((rest, delay)) => (rest, delay.parse().ok()?),
        None => (rest, crate::Millis::ZERO),
    };
    let (job, elements) = match rest.split_once('_') {
        Some((job, index)) => (job, Elements::Index(index.parse().ok()?)),
        None if word == CORRESPONDING => (rest, Elements::Same),
        None => (rest, Elements::All),
    };
    let kind = match DependencyKind::ALL.iter().find(|(_, known)| *known == word) {
        Some((kind, _)) => *kind,
        None if elements == Elements::Same => DependencyKind::AfterOk,
        None => return None,
    };
    Some(Predecessor { job: JobId(job.parse().ok()?), kind, elements, delay })
}

impl fmt::Display for Dependency {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Dependency::Singleton {
            return formatter.write_str("singleton");
        }
        for (index, one) in self.predecessors().iter().enumerate() {
            let or = if index > 0 { "?" } else { "" };
            write!(formatter, "{or}{one}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Predecessor {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let job = self.job;
        match self.elements {
            Elements::All => write!(formatter, "{}:{job}", self.kind.word())?,
            Elements::Index(index) => write!(formatter, "{}:{job}_{index}", self.kind.word())?,
            Elements::Same => write!(formatter, "{CORRESPONDING}:{job}")?,
        }
        if self.delay.is_zero() { Ok(()) } else { write!(formatter, "+{}", self.delay) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Millis;

    #[test]
    fn what_people_write_is_read_and_written_the_same() {
        let ok = Predecessor::new(JobId(12), DependencyKind::AfterOk);
        let third = Predecessor { elements: Elements::Index(3), ..ok };
        let same = Predecessor { elements: Elements::Same, ..ok };
        let late = Predecessor {
            delay: Millis::minutes(10),
            ..Predecessor::new(JobId(12), DependencyKind::After)
        };
        for (text, meant) in [
            ("singleton", Dependency::Singleton),
            ("afterok:12", Dependency::On(ok)),
            ("afterok:12_3", Dependency::On(third)),
            ("aftercorr:12", Dependency::On(same)),
            ("after:12+10m", Dependency::On(late)),
            ("after:12+10m?afterok:12_3", Dependency::AnyOf(vec![late, third])),
        ] {
            assert_eq!(text.parse(), Ok(meant.clone()), "{text}");
            assert_eq!(meant.to_string(), text);
        }
    }

    #[test]
    fn anything_else_is_refused() {
        for text in [
            "",
            "12",
            "afterok",
            "afterok:",
            "afterok:x",
            "afterok:1_",
            "afterok:1_x",
            "after:1+",
            "after:1+x",
            "afterok:1?",
            "?",
            "aftercorr:1_2",
            "later:1",
            "singleton?afterok:1",
        ] {
            let refused = text.parse::<Dependency>().expect_err(text);
            assert!(refused.to_string().contains("such as afterok:12"), "{refused}");
        }
    }
}
