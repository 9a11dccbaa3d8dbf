//! `[[alerts]]` in `muster.toml`: what to look for, for how long, and whom to tell.

use muster_api::view::AlertKind;
use muster_model::{Invalid, Millis};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::prices::Price;

/// Alerts that may be asked for.
const ALERTS_MAX: usize = 100;

/// How long it takes until who was told is told again, where nothing is said.
const REPEAT: Millis = Millis::hours(4);

/// Something to look for, and whom to tell. Without a webhook and a command it is only listed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AlertRule {
    /// What to look for.
    pub kind: AlertKind,
    /// What it is called; its kind where nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// How long it has to be so. Where nothing is said: 30m for idle-allocation, 2h for
    /// low-activity, 1h for stuck-gang, 5m for unhealthy-node, and at once for the others.
    #[serde(default, rename = "for", skip_serializing_if = "Option::is_none")]
    pub lasts: Option<Millis>,
    /// Who was told is told again after so long, while it is so; 4h where nothing is said, never
    /// if 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeat: Option<Millis>,
    /// Of idle-allocation and low-activity: GPUs computed less than this many percent of the time;
    /// 1 and 30 where nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub percent: Option<u32>,
    /// Of floor-near: the latest start is no further away than this; 1h where nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub within: Option<Millis>,
    /// Only jobs of this team; of budget, the team it is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team: Option<String>,
    /// Only jobs in this queue; of budget, the queue it is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub queue: Option<String>,
    /// Of budget: allocated GPU-hours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gpu_hours: Option<u64>,
    /// Of budget: what allocated GPUs cost by `[prices]`, such as `"2500"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub money: Option<Price>,
    /// Of budget: in a day or in a month, by UTC; a month where nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per: Option<Period>,
    /// An address that is told by POST, as JSON.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub webhook: Option<String>,
    /// A program and its arguments, which is told on its standard input, as JSON.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub command: Vec<String>,
}

/// What a budget is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Period {
    /// From midnight.
    Day,
    /// From the first of the month.
    #[default]
    Month,
}

impl AlertRule {
    /// One of a kind, with everything as it is where nothing is said.
    pub fn new(kind: AlertKind) -> AlertRule {
        AlertRule {
            kind,
            name: None,
            lasts: None,
            repeat: None,
            percent: None,
            within: None,
            team: None,
            queue: None,
            gpu_hours: None,
            money: None,
            per: None,
            webhook: None,
            command: Vec::new(),
        }
    }

    /// What it is called.
    pub(crate) fn name(&self) -> &str {
        self.name.as_deref().unwrap_or(self.kind.word())
    }

    /// How long it has to be so.
    pub(crate) fn lasts(&self) -> Millis {
        self.lasts.unwrap_or(match self.kind {
            AlertKind::IdleAllocation => Millis::minutes(30),
            AlertKind::LowActivity => Millis::hours(2),
            AlertKind::StuckGang => Millis::hours(1),
            AlertKind::UnhealthyNode => Millis::minutes(5),
            AlertKind::FloorNear | AlertKind::Budget => Millis(0),
        })
    }

    /// When who was told is told again, if ever.
    pub(crate) fn repeat(&self) -> Option<Millis> {
        Some(self.repeat.unwrap_or(REPEAT)).filter(|repeat| repeat.0 > 0)
    }

    /// The activity it looks for, in percent.
    pub(crate) fn percent(&self) -> u32 {
        let usual = if self.kind == AlertKind::LowActivity { 30 } else { 1 };
        self.percent.unwrap_or(usual)
    }

    /// How near the latest start has to be.
    pub(crate) fn within(&self) -> Millis {
        self.within.unwrap_or(Millis::hours(1))
    }

    /// Whether anybody is to be told.
    pub(crate) fn tells(&self) -> bool {
        self.webhook.is_some() || !self.command.is_empty()
    }
}

/// All that is wrong with a list of them.
pub(crate) fn mistakes(rules: &[AlertRule]) -> Vec<Invalid> {
    let mut wrong = Vec::new();
    if rules.len() > ALERTS_MAX {
        let allowed = format!("expected at most {ALERTS_MAX} alerts");
        wrong.push(Invalid::new("alerts", rules.len().to_string(), allowed));
    }
    for (at, rule) in rules.iter().enumerate() {
        let mut add = |field: &str, value: &str, allowed: &str| {
            wrong.push(Invalid::new(format!("alerts[{at}].{field}"), value.to_owned(), allowed));
        };
        if rules[..at].iter().any(|other| other.name() == rule.name()) {
            add("name", rule.name(), "expected a name that no other alert has");
        }
        if rule.name().trim().is_empty() {
            add("name", "nothing", "expected a name");
        }
        if rule.webhook.is_some() && !rule.command.is_empty() {
            add("webhook", "both", "expected a webhook or a command, not both");
        }
        let is_web = |it: &String| it.starts_with("http://") || it.starts_with("https://");
        if let Some(address) = rule.webhook.as_ref().filter(|address| !is_web(address)) {
            add("webhook", address, "expected an address that begins with http:// or https://");
        }
        if rule.percent.is_some_and(|percent| percent == 0 || percent > 100) {
            add("percent", &rule.percent().to_string(), "expected a number from 1 to 100");
        }
        for (field, is_there, kinds) in rule.particular() {
            if is_there && !kinds.contains(&rule.kind) {
                let words: Vec<&str> = kinds.iter().map(|kind| kind.word()).collect();
                let allowed = format!("expected only with {}", words.join(" and "));
                add(field, "it", &allowed);
            }
        }
        if rule.kind == AlertKind::Budget {
            if rule.team.is_some() == rule.queue.is_some() {
                add("team", "this", "expected either a team or a queue that the budget is for");
            }
            if rule.gpu_hours.is_some() == rule.money.is_some() {
                add("gpu_hours", "this", "expected either gpu_hours or money");
            }
        }
    }
    wrong
}

impl AlertRule {
    /// Settings that belong to some kinds only.
    fn particular(&self) -> [(&'static str, bool, &'static [AlertKind]); 5] {
        let budget: &[AlertKind] = &[AlertKind::Budget];
        [
            (
                "percent",
                self.percent.is_some(),
                &[AlertKind::IdleAllocation, AlertKind::LowActivity],
            ),
            ("within", self.within.is_some(), &[AlertKind::FloorNear]),
            ("gpu_hours", self.gpu_hours.is_some(), budget),
            ("money", self.money.is_some(), budget),
            ("per", self.per.is_some(), budget),
        ]
    }
}

#[cfg(test)]
mod tests {
    use crate::config::ServerFile;

    #[test]
    fn alerts_are_read_from_the_file() {
        let text = "[[alerts]]\nkind = \"idle-allocation\"\nfor = \"10m\"\npercent = 5\n\
                    webhook = \"http://127.0.0.1:9/hook\"\n\n[[alerts]]\nkind = \"budget\"\n\
                    name = \"vision-day\"\nteam = \"vision\"\nmoney = \"2500\"\nper = \"day\"\n\
                    command = [\"/bin/mail\"]\n";
        let alerts = ServerFile::read(text).expect("it is well formed").alerts;
        assert_eq!(alerts[0].lasts().0, 600_000);
        assert_eq!((alerts[0].name(), alerts[1].name()), ("idle-allocation", "vision-day"));
    }

    #[test]
    fn every_mistake_is_told() {
        for (text, expected) in [
            ("kind = \"idle\"", "idle-allocation"),
            ("kind = \"budget\"\nteam = \"a\"\ngpu_hours = 1\nwebhook = \"ftp://x\"", "http://"),
            ("kind = \"budget\"\ngpu_hours = 1", "either a team or a queue"),
            ("kind = \"budget\"\nteam = \"a\"", "gpu_hours or money"),
            ("kind = \"stuck-gang\"\npercent = 5", "only with idle-allocation"),
            ("kind = \"low-activity\"\npercent = 0", "from 1 to 100"),
            ("kind = \"stuck-gang\"\nwebhook = \"http://x\"\ncommand = [\"y\"]", "not both"),
            ("kind = \"stuck-gang\"\n[[alerts]]\nkind = \"stuck-gang\"", "no other alert has"),
        ] {
            let wrong = ServerFile::read(&format!("[[alerts]]\n{text}\n")).expect_err(text);
            let told: Vec<String> = wrong.iter().map(ToString::to_string).collect();
            assert!(told.iter().any(|one| one.contains(expected)), "{text}: {told:?}");
        }
    }
}
