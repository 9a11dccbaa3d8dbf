//! What each kind of alert looks for.

use muster_api::moment::Moment;
use muster_api::view::AlertKind;
use muster_model::count::{are, several};

use super::{Finding, Subject};
use crate::alerts::facts::{Busy, Facts, Job, Spent, Waiting};
use crate::alerts::settings::{AlertRule, Period};

/// Milliseconds in an hour.
const HOUR_MS: u64 = 3_600_000;

/// Everything that an alert is about now.
pub(super) fn findings(rule: &AlertRule, facts: &Facts) -> Vec<Finding> {
    match rule.kind {
        AlertKind::IdleAllocation | AlertKind::LowActivity => {
            let jobs = facts.running.iter().filter(|running| rule.is_about(&running.job));
            jobs.filter_map(|running| idle(rule, running)).collect()
        }
        AlertKind::StuckGang => waiting(rule, facts, stuck),
        AlertKind::FloorNear => waiting(rule, facts, |facts, it| near(rule, facts, it)),
        AlertKind::UnhealthyNode => nodes(facts),
        AlertKind::Budget => budget(rule, facts).into_iter().collect(),
    }
}

impl AlertRule {
    fn is_about(&self, job: &Job) -> bool {
        self.team.as_ref().is_none_or(|team| job.team.as_ref() == Some(team))
            && self.queue.as_ref().is_none_or(|queue| job.queue == *queue)
    }
}

impl Job {
    fn subject(&self) -> Subject {
        Subject {
            words: format!("job {}", self.id),
            job: Some(self.id),
            node: None,
            user: Some(self.user.clone()),
            team: self.team.clone(),
            queue: Some(self.queue.clone()),
        }
    }

    /// GPUs, with a part where it has one.
    fn gpus(&self) -> String {
        let (whole, part) = (self.gpus_milli / 1000, self.gpus_milli % 1000);
        if part == 0 { several(whole, "GPU") } else { format!("{whole}.{part:03} GPUs") }
    }
}

fn idle(rule: &AlertRule, running: &Busy) -> Option<Finding> {
    let job = &running.job;
    let Some(busy) = running.busy_milli else {
        // Nobody has measured it lately: it may be as before, or not.
        return Some(Finding { subject: job.subject(), text: None });
    };
    (busy < rule.percent() * 10).then(|| {
        let (name, user) = (&job.name, &job.user);
        let text = format!(
            "job {} `{name}` of {user} holds {} that computed {}.{}% of the time lately",
            job.id,
            job.gpus(),
            busy / 10,
            busy % 10
        );
        Finding { subject: job.subject(), text: Some(text) }
    })
}

fn waiting(
    rule: &AlertRule,
    facts: &Facts,
    look: impl Fn(&Facts, &Waiting) -> Option<String>,
) -> Vec<Finding> {
    let about = facts.waiting.iter().filter(|waiting| rule.is_about(&waiting.job));
    let found = about.filter_map(|it| {
        let text = look(facts, it)?;
        Some(Finding { subject: it.job.subject(), text: Some(text) })
    });
    found.collect()
}

fn stuck(facts: &Facts, it: &Waiting) -> Option<String> {
    let Waiting { job, held, reason, .. } = it;
    let name = &job.name;
    let why = reason.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default();
    if *held > 0 {
        let (id, held) = (job.id, *held as u64);
        let (nodes, are) = (several(held, "node"), are(held));
        return Some(format!("job {id} `{name}` waits while {nodes} {are} held for it{why}"));
    }
    let free = facts.largest_gpus;
    (job.gpus_milli > 0 && free * 1000 >= job.gpus_milli).then(|| {
        let (id, gpus, are) = (job.id, job.gpus(), are(free));
        format!("job {id} `{name}` waits for {gpus} while {free} {are} free{why}")
    })
}

fn near(rule: &AlertRule, facts: &Facts, it: &Waiting) -> Option<String> {
    let (job, latest) = (&it.job, it.latest?);
    (latest <= facts.now + rule.within()).then(|| {
        let told = if latest <= facts.now { "should have started by" } else { "is to start by" };
        format!("job {} `{}` {told} {} and still waits", job.id, job.name, Moment(latest))
    })
}

fn nodes(facts: &Facts) -> Vec<Finding> {
    let finding = |(name, state): &(String, String)| {
        let text = Some(format!("node {name} {state}"));
        let words = format!("node {name}");
        let subject = Subject { words, node: Some(name.clone()), ..Subject::default() };
        Finding { subject, text }
    };
    facts.ill_nodes.iter().map(finding).collect()
}

fn budget(rule: &AlertRule, facts: &Facts) -> Option<Finding> {
    let (team, queue) = (rule.team.clone(), rule.queue.clone());
    let whose = team.as_ref().map(|team| format!("team {team}"));
    let whose = whose.or_else(|| Some(format!("queue {}", queue.as_ref()?)))?;
    let subject = Subject { words: whose.clone(), team, queue, ..Subject::default() };
    let Some(Spent { gpu_ms, money }) = facts.spent.get(rule.name()) else {
        return Some(Finding { subject, text: None });
    };
    let period = match rule.per.unwrap_or_default() {
        Period::Day => "today",
        Period::Month => "this month",
    };
    let text = if let Some(most) = rule.gpu_hours {
        let is_over = *gpu_ms > most.saturating_mul(HOUR_MS);
        is_over.then(|| {
            let hours = several(gpu_ms / HOUR_MS, "GPU-hour");
            format!("{whose} has used {hours} {period}, more than {most}")
        })?
    } else {
        let (most, spent) = (rule.money?, *money.as_ref()?);
        (spent.0 > most.0).then(|| {
            let currency = facts.currency.as_deref().unwrap_or_default();
            format!("{whose} has used GPUs for {spent} {currency} {period}, more than {most}")
        })?
    };
    Some(Finding { subject, text: Some(text) })
}
