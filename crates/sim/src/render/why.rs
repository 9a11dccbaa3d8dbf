//! Why a job is where it is, in words: the facts, the times, and what would help.

use muster_engine::explain::{Alternative, Change, Lent, NotLarger, Size, Why};
use muster_engine::reason::{Movable, Reason, Spared};
use muster_model::count::several;
use muster_model::{Level, MilliGpu, Name, Time};

use super::{Scene, actions};

impl Scene {
    /// The answer to `why`: state, reasons, times, alternatives.
    pub fn why(&self, why: &Why) -> Vec<String> {
        let mut lines = vec![format!("job {} is {}", why.job, actions::state(why.state))];
        lines.extend(why.reasons.iter().map(|reason| format!("because: {}", self.reason(reason))));
        if let Some(start) = why.estimated_start {
            lines.push(format!("probably starts at {}", self.moment(start)));
        }
        if let Some(start) = why.latest_start {
            lines.push(format!("starts at {} at the latest", self.moment(start)));
        }
        lines.extend(why.alternatives.iter().map(|change| self.alternative(change)));
        lines.extend(why.size.as_ref().map(|size| self.size(size)));
        lines
    }

    /// A reason in the engine's words, but with times counted from the beginning.
    pub fn reason(&self, reason: &Reason) -> String {
        match reason {
            Reason::BeginTime { at } => format!("may not start before {}", self.moment(*at)),
            Reason::Pause { until, failures: 0 } => {
                format!("pauses until {} after a failed attempt", self.moment(*until))
            }
            Reason::Pause { until, failures: 1 } => {
                format!("pauses until {} after a failed launch", self.moment(*until))
            }
            Reason::Pause { until, failures } => {
                let until = self.moment(*until);
                format!("pauses until {until} after {failures} failed launches in a row")
            }
            Reason::Reserved { start, .. }
            | Reason::Spared { why: Spared::Lately { until: start }, .. }
            | Reason::Spared { why: Spared::JustStarted { until: start }, .. } => {
                self.timed(reason, [Some(*start), None])
            }
            Reason::Movable(movable) => self.movable(movable),
            Reason::Unopened { opens: Some(opens), .. } => self.timed(reason, [Some(*opens), None]),
            Reason::Booked { from, until, .. } => self.timed(reason, [*from, *until]),
            other => other.to_string(),
        }
    }

    /// Which moves would start a job, and when it starts without them.
    pub(super) fn movable(&self, movable: &Movable) -> String {
        let otherwise = movable.otherwise;
        movable.to_string().replace(&otherwise.0.to_string(), &self.moment(otherwise))
    }

    /// The engine's words with some times counted from the beginning.
    fn timed(&self, reason: &Reason, times: [Option<Time>; 2]) -> String {
        let said = reason.to_string();
        times
            .into_iter()
            .flatten()
            .fold(said, |said, time| said.replace(&time.0.to_string(), &self.moment(time)))
    }

    fn alternative(&self, alternative: &Alternative) -> String {
        let when = match alternative.starts <= self.now {
            true => "now".to_owned(),
            false => format!("at {}", self.moment(alternative.starts)),
        };
        let change = match &alternative.change {
            Change::Smaller { tasks, gpus } => {
                let tasks = several(*tasks, "task");
                match *gpus {
                    0 => format!("with {tasks}"),
                    gpus => format!("with {tasks}, {} in all", several(gpus, "GPU")),
                }
            }
            Change::Share(milli) => format!("with {milli} of a GPU for each task"),
            Change::Model(model) => format!("on {model}"),
            Change::WithoutLevel(Level::Named(level)) => format!("without one {level} for all"),
            Change::WithoutLevel(Level::Node) => "without one node for all".to_owned(),
            Change::WithoutConstraint => "on any nodes".to_owned(),
            Change::MoreQuota { queue, gpus } => {
                let noun = if *gpus == 1000 { "GPU" } else { "GPUs" };
                format!("with {} {noun} more for queue {queue}", MilliGpu(*gpus))
            }
            Change::WhenEnds(job) => format!("when job {job} ends"),
        };
        format!("would start {when} {change}")
    }
}

impl Scene {
    /// How large an elastic job is, and why it is no larger.
    fn size(&self, size: &Size) -> String {
        let Size { tasks, fewest, most, lent, not_larger } = size;
        let why = match not_larger {
            NotLarger::AtMost => "all it can use".to_owned(),
            NotLarger::Changing { to } => format!("on its way to {to}"),
            NotLarger::Ending => "and about to end".to_owned(),
            NotLarger::Changed { until } => {
                format!("no more before {}, for its size has just changed", self.moment(*until))
            }
            NotLarger::Off => "no more, for nothing grows under this policy".to_owned(),
            NotLarger::ManyWait => "no more, for many wait".to_owned(),
            NotLarger::Wanted { by } => format!("no more, for job {by} waits"),
            NotLarger::NotWorthIt => "no more, for that would not be worth a resize".to_owned(),
            NotLarger::NoRoom => "no more, for there is no room where it is".to_owned(),
            NotLarger::Limit { queue } => format!("no more, for queue {queue} is at its limit"),
            NotLarger::Next => "more in the next step".to_owned(),
        };
        let lent = lent.as_ref().map(|lent| self.lent(lent)).unwrap_or_default();
        format!("has {tasks} of {fewest} to {most} tasks{lent}: {why}")
    }

    /// Which tasks of a job are on GPUs that are reserved for another, and until when.
    fn lent(&self, lent: &Lent) -> String {
        let Lent { tasks, domain, by, until } = lent;
        let domain: Vec<&str> = domain.iter().map(Name::as_str).collect();
        let place = if domain.is_empty() { "nodes".to_owned() } else { domain.join("/") };
        let until = self.moment(*until);
        format!(", {tasks} of them on {place} until {until}, lent from job {by}")
    }
}
