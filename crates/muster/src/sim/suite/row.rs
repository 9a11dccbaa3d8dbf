//! One figure: what others published, what came out here, the bound and the aim.

use serde::{Serialize, Serializer};

use super::super::number::whole;

/// What a figure is measured in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Unit {
    Seconds,
    Hours,
    Percent,
    CpuSeconds,
    Mib,
    /// Something against something else.
    Ratio,
    Count,
}

impl Unit {
    /// A figure without its unit.
    pub(super) fn show(self, figure: f64) -> String {
        match self {
            Unit::Seconds | Unit::Hours | Unit::Mib | Unit::Count => whole(figure),
            Unit::Percent => format!("{figure:.2}"),
            Unit::CpuSeconds => format!("{figure:.1}"),
            Unit::Ratio => format!("{figure:.2}×"),
        }
    }

    /// What stands behind the name of a figure.
    const fn word(self) -> &'static str {
        match self {
            Unit::Seconds | Unit::CpuSeconds => ", s",
            Unit::Hours => ", h",
            Unit::Percent => ", %",
            Unit::Mib => ", MiB",
            Unit::Ratio | Unit::Count => "",
        }
    }
}

/// What a figure should be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Aim {
    /// As published, within so many percent of it.
    Within {
        of: f64,
        percent: f64,
    },
    /// As published, within so much.
    Near {
        of: f64,
        by: f64,
    },
    AtMost(f64),
    Below(f64),
    AtLeast(f64),
    Above(f64),
    /// Nothing: the figure is told because people ask for it.
    Told,
}

impl Aim {
    /// Whether a figure is what it should be, where that can be said.
    pub(super) fn is_met(self, figure: f64) -> Option<bool> {
        Some(match self {
            Aim::Within { of, percent } => (figure - of).abs() <= of.abs() * percent / 100.0,
            Aim::Near { of, by } => (figure - of).abs() <= by,
            Aim::AtMost(most) => figure <= most,
            Aim::Below(limit) => figure < limit,
            Aim::AtLeast(least) => figure >= least,
            Aim::Above(limit) => figure > limit,
            Aim::Told => return None,
        })
    }

    pub(super) fn words(self, unit: Unit) -> String {
        match self {
            Aim::Within { percent, .. } => format!("published ± {percent} %"),
            Aim::Near { by, .. } => format!("published ± {by} points"),
            Aim::AtMost(most) => format!("≤ {}", unit.show(most)),
            Aim::Below(limit) => format!("< {}", unit.show(limit)),
            Aim::AtLeast(least) => format!("≥ {}", unit.show(least)),
            Aim::Above(limit) => format!("> {}", unit.show(limit)),
            Aim::Told => "–".to_owned(),
        }
    }
}

/// One line of the table.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Row {
    pub(super) part: &'static str,
    /// What was run and what is measured.
    pub(super) what: String,
    pub(super) unit: Unit,
    /// What others came to, by their names.
    #[serde(serialize_with = "as_object")]
    pub(super) published: Vec<(&'static str, f64)>,
    pub(super) ours: f64,
    pub(super) bound: Option<f64>,
    pub(super) aim: String,
    pub(super) met: Option<bool>,
}

impl Row {
    pub(super) fn new(
        part: &'static str,
        what: impl Into<String>,
        (unit, ours): (Unit, f64),
        aim: Aim,
    ) -> Row {
        Row {
            part,
            what: what.into(),
            unit,
            published: Vec::new(),
            ours,
            bound: None,
            aim: aim.words(unit),
            met: aim.is_met(ours),
        }
    }

    pub(super) fn published(mut self, name: &'static str, figure: f64) -> Row {
        self.published.push((name, figure));
        self
    }

    pub(super) fn bound(mut self, bound: f64) -> Row {
        self.bound = Some(bound);
        self
    }

    /// The cells for people: what, published, ours, bound, aim, and whether it is met.
    pub(super) fn cells(&self) -> [String; 6] {
        let published = self.published.iter();
        let published: Vec<String> = published
            .map(|(name, figure)| format!("{name} {}", self.unit.show(*figure)).trim().to_owned())
            .collect();
        let published = if published.is_empty() { "–".to_owned() } else { published.join("; ") };
        let bound = self.bound.map_or("–".to_owned(), |bound| self.unit.show(bound));
        let met = match self.met {
            Some(true) => "met",
            Some(false) => "missed",
            None => "–",
        };
        let ours = self.unit.show(self.ours);
        let what = format!("{}{}", self.what, self.unit.word());
        [what, published, ours, bound, self.aim.clone(), met.to_owned()]
    }
}

fn as_object<S: Serializer>(
    published: &[(&'static str, f64)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(published.iter().copied())
}

#[cfg(test)]
mod tests {
    use super::{Aim, Row, Unit};

    #[test]
    fn an_aim_is_met_missed_or_nobody_can_say() {
        let met = |aim: Aim, figures: [f64; 2]| figures.map(|figure| aim.is_met(figure));
        let yes_and_no = [Some(true), Some(false)];
        assert_eq!(met(Aim::Within { of: 100.0, percent: 2.0 }, [98.0, 97.9]), yes_and_no);
        assert_eq!(met(Aim::Near { of: 95.0, by: 0.5 }, [95.5, 95.6]), yes_and_no);
        assert_eq!(met(Aim::AtMost(10.0), [10.0, 10.1]), yes_and_no);
        assert_eq!(met(Aim::Below(10.0), [9.9, 10.0]), yes_and_no);
        assert_eq!(met(Aim::AtLeast(10.0), [10.0, 9.9]), yes_and_no);
        assert_eq!(met(Aim::Above(10.0), [10.1, 10.0]), yes_and_no);
        assert_eq!(met(Aim::Told, [0.0, 1.0]), [None, None]);
    }

    #[test]
    fn a_row_shows_a_miss_as_one() {
        let row =
            Row::new("beat", "Venus, mean JCT", (Unit::Seconds, 13_794.0), Aim::AtMost(12_700.0))
                .published("SRTF", 12_610.0)
                .published("Tiresias", 14_700.0)
                .bound(11_769.3);
        let expected = [
            "Venus, mean JCT, s",
            "SRTF 12,610; Tiresias 14,700",
            "13,794",
            "11,769",
            "≤ 12,700",
            "missed",
        ];
        assert_eq!(row.cells(), expected);
        let json = serde_json::to_value(&row).unwrap();
        assert_eq!((&json["published"]["SRTF"], &json["met"]), (&12_610.0.into(), &false.into()));
    }
}
