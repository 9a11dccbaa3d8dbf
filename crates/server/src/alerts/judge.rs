//! Which alerts fire, given what is true: a function of settings, facts and what was known. It has
//! no clock and tells nobody; it says who is owed word.

mod find;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use muster_api::moment::Moment;
use muster_api::view::{AlertKind, AlertState, AlertView};
use muster_model::{Millis, Time};
use serde::{Deserialize, Serialize};

use super::facts::Facts;
use super::settings::AlertRule;

/// How long alerts that are over are still listed, and tried to be told.
const LATELY: Millis = Millis::hours(24);

/// Things that one alert is about at once: more than these nobody goes after one by one.
const SUBJECTS_MAX: usize = 200;

/// The longest rest between two tries to tell.
const REST_MAX: Millis = Millis::minutes(5);

/// Whom or what a finding is about.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Subject {
    /// In words, which are unique among the findings of an alert.
    pub(crate) words: String,
    pub(crate) job: Option<u64>,
    pub(crate) node: Option<String>,
    pub(crate) user: Option<String>,
    pub(crate) team: Option<String>,
    pub(crate) queue: Option<String>,
}

/// What an alert looks for, found at something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    pub(crate) subject: Subject,
    /// What is the matter; nothing where it cannot be said at the moment, and then all stays as it
    /// is.
    pub(crate) text: Option<String>,
}

/// Everything that is known, by the name of the alert and by what it is about.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Alerts(BTreeMap<String, BTreeMap<String, Alert>>);

/// One thing that is the matter, or was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Alert {
    kind: AlertKind,
    subject: Subject,
    text: String,
    since: Time,
    fired: Option<Time>,
    resolved: Option<Time>,
    told: Option<Time>,
    /// What is to be told, if anything.
    owed: Option<Owed>,
    failure: Option<String>,
}

/// Word that is owed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Owed {
    /// How often it was tried.
    tries: u32,
    /// When to try next.
    next: Time,
}

/// Word to be brought.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Errand {
    /// By the name of the alert and what it is about.
    pub(crate) view: AlertView,
}

impl Alerts {
    /// Forgets alerts that nobody asks for any more.
    pub(crate) fn keep_only(&mut self, rules: &[AlertRule]) {
        self.0.retain(|name, _| rules.iter().any(|rule| rule.name() == name));
    }

    /// Looks at everything anew.
    pub(crate) fn judge(&mut self, rules: &[AlertRule], facts: &Facts) {
        for rule in rules {
            let known = self.0.entry(rule.name().to_owned()).or_default();
            judge_one(rule, facts, known);
        }
        self.0.retain(|_, known| !known.is_empty());
    }

    /// All that fire, then those that did lately, the latest first.
    pub(crate) fn views(&self) -> Vec<AlertView> {
        let all = self.0.iter().flat_map(|(name, known)| known.values().map(move |it| (name, it)));
        let mut views: Vec<AlertView> = all.filter_map(|(name, it)| it.view(name)).collect();
        views.sort_by_key(|view| {
            (view.state, std::cmp::Reverse(view.resolved.unwrap_or(view.fired)))
        });
        views
    }

    /// Word that is to be brought now.
    pub(crate) fn errands(&self, now: Time) -> Vec<Errand> {
        let mut errands = Vec::new();
        for (name, known) in &self.0 {
            let is_due = |it: &&Alert| it.owed.is_some_and(|owed| owed.next <= now);
            let views = known.values().filter(is_due).filter_map(|it| it.view(name));
            errands.extend(views.map(|view| Errand { view }));
        }
        errands
    }

    /// Word was brought, or could not be.
    pub(crate) fn brought(&mut self, errand: &Errand, now: Time, result: Result<(), String>) {
        let view = &errand.view;
        let known = self.0.get_mut(&view.alert).and_then(|known| known.get_mut(&view.subject));
        let Some(alert) = known else { return };
        // It may have been over, or begun anew, while word was brought: that is owed still.
        let is_same = alert.resolved.map(Moment) == view.resolved
            && alert.fired.map(Moment) == Some(view.fired);
        match result {
            Ok(()) => {
                alert.told = Some(now);
                alert.failure = None;
                alert.owed = alert.owed.filter(|_| !is_same);
            }
            Err(failure) => {
                alert.failure = Some(failure);
                if let Some(owed) = alert.owed.as_mut().filter(|_| is_same) {
                    let rest = 1000u64.saturating_mul(1 << owed.tries.min(16));
                    owed.next = now + Millis(rest).min(REST_MAX);
                    owed.tries += 1;
                }
            }
        }
    }

    /// How many fire, by kind.
    pub(crate) fn firing(&self) -> BTreeMap<AlertKind, u64> {
        let mut counts: BTreeMap<AlertKind, u64> =
            AlertKind::ALL.into_iter().map(|kind| (kind, 0)).collect();
        for alert in self.0.values().flat_map(BTreeMap::values) {
            let is_firing = alert.fired.is_some() && alert.resolved.is_none();
            *counts.entry(alert.kind).or_default() += u64::from(is_firing);
        }
        counts
    }
}

fn judge_one(rule: &AlertRule, facts: &Facts, known: &mut BTreeMap<String, Alert>) {
    let now = facts.now;
    let mut found = BTreeMap::new();
    for finding in find::findings(rule, facts).into_iter().take(SUBJECTS_MAX) {
        found.insert(finding.subject.words.clone(), finding);
    }
    for (words, alert) in known.iter_mut() {
        if alert.resolved.is_none() && alert.fired.is_some() && !found.contains_key(words) {
            alert.resolved = Some(now);
            alert.owe(rule, now);
        }
    }
    known.retain(|words, alert| match (alert.fired, alert.resolved) {
        (_, Some(resolved)) => now < resolved + LATELY,
        (None, None) => found.contains_key(words),
        (Some(_), None) => true,
    });
    for (words, finding) in found {
        let Some(text) = finding.text else { continue };
        let begins = || Alert::begins(rule, finding.subject.clone(), now);
        let alert = known.entry(words).or_insert_with(begins);
        if alert.resolved.is_some() {
            *alert = begins();
        }
        alert.goes_on(rule, text, now);
    }
}

impl Alert {
    fn begins(rule: &AlertRule, subject: Subject, now: Time) -> Alert {
        Alert {
            kind: rule.kind,
            subject,
            text: String::new(),
            since: now,
            fired: None,
            resolved: None,
            told: None,
            owed: None,
            failure: None,
        }
    }

    fn goes_on(&mut self, rule: &AlertRule, text: String, now: Time) {
        self.text = text;
        if self.fired.is_none() && now >= self.since + rule.lasts() {
            self.fired = Some(now);
            self.owe(rule, now);
        }
        let again = self.told.zip(rule.repeat()).map(|(told, repeat)| told + repeat);
        if self.owed.is_none() && again.is_some_and(|again| now >= again) {
            self.owe(rule, now);
        }
    }

    fn owe(&mut self, rule: &AlertRule, now: Time) {
        self.owed = rule.tells().then_some(Owed { tries: 0, next: now });
    }

    fn view(&self, name: &str) -> Option<AlertView> {
        let state = if self.resolved.is_some() { AlertState::Resolved } else { AlertState::Firing };
        let Subject { words, job, node, user, team, queue } = self.subject.clone();
        Some(AlertView {
            alert: name.to_owned(),
            kind: self.kind,
            state,
            subject: words,
            text: self.text.clone(),
            since: Moment(self.since),
            fired: Moment(self.fired?),
            resolved: self.resolved.map(Moment),
            job,
            node,
            user,
            team,
            queue,
            told: self.told.map(Moment),
            failure: self.failure.clone(),
        })
    }
}
