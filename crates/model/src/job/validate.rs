//! What makes a job acceptable. Called for every submit, so a good job allocates nothing here.

mod after;
mod groups;
mod scaling;
mod timing;
mod topology;

use crate::bound::{ARRAY_LENGTH_MAX, ATTEMPTS_MAX};
use crate::cluster::ClusterSpec;
use crate::error::Invalid;
use crate::field::Field;
use crate::job::{Array, JobSpec};
use crate::known::{Kind, Known, QueuePlace};
use crate::name::{QueueName, quoted};
use crate::problems::Problems;

/// The user's own weight in doublings.
const WEIGHTS: std::ops::RangeInclusive<i8> = -2..=2;

impl JobSpec {
    /// Everything wrong with the job in this cluster.
    ///
    /// ```
    /// use muster_model::{ClusterSpec, JobSpec};
    ///
    /// let cluster = ClusterSpec::default().levels(["rack"]);
    /// assert_eq!(JobSpec::gang("train", 4, 8).require("rack").validate(&cluster), Ok(()));
    ///
    /// let problems = JobSpec::gang("train", 4, 8).class("standart").validate(&cluster);
    /// assert_eq!(
    ///     problems.unwrap_err()[0].to_string(),
    ///     "class: `standart` is not allowed; expected one of inference, reserved, express, \
    ///      standard, batch, preemptible\nhint: did you mean standard?"
    /// );
    /// ```
    pub fn validate(&self, cluster: &ClusterSpec) -> Result<(), Vec<Invalid>> {
        self.validate_against(cluster)
    }

    /// Everything wrong with the job where `known` says what it may refer to.
    pub fn validate_against(&self, known: &impl Known) -> Result<(), Vec<Invalid>> {
        let mut problems = Problems::default();
        let job = Field::WHOLE;
        problems.name(&job.field("name"), &self.name);
        problems.name(&job.field("user"), &self.user);
        self.check_owner(known, &mut problems);
        if let Some(booking) = &self.booking {
            problems.name(&job.field("booking"), booking);
        }
        groups::check(&self.groups, &job.field("groups"), known, &mut problems);
        topology::check(self, &job.field("topology"), known, &mut problems);
        self.constraint.check(&job.field("constraint"), &mut problems);
        if let Some(array) = &self.array {
            array.check(&job.field("array"), &mut problems);
        }
        after::check(self, &job.field("after"), &mut problems);
        timing::check(&self.timing, &job.field("timing"), known.limit_max(), &mut problems);
        timing::check_checkpoint(&self.checkpoint, &job.field("checkpoint"), &mut problems);
        scaling::check(self, &job.field("scaling"), &mut problems);
        problems.range(&job.field("weight"), self.weight, WEIGHTS);
        let requeue = job.field("requeue");
        problems.range(&requeue.field("most"), self.requeue.most, 0..=ATTEMPTS_MAX);
        problems.result()
    }

    fn check_owner(&self, known: &impl Known, problems: &mut Problems) {
        let job = Field::WHOLE;
        if let Some(team) = self.team.as_ref().filter(|team| !known.team(team)) {
            let names = known.names(Kind::Team);
            problems.unknown(&job.field("team"), team.as_str(), Kind::Team.plural(), names);
        }
        if !known.class(&self.class) {
            let names = known.names(Kind::Class);
            let class = self.class.as_str();
            problems.unknown(&job.field("class"), class, Kind::Class.plural(), names);
        }
        let queue = job.field("queue");
        match known.queue(&self.queue) {
            Some(QueuePlace::Leaf) => {}
            Some(QueuePlace::Inner) => problems.add(inner(&queue, &self.queue, known)),
            None => {
                let names = known.names(Kind::Queue);
                problems.unknown(&queue, self.queue.as_str(), Kind::Queue.plural(), names);
            }
        }
    }
}

/// A queue that only divides; any leaf below it shows what is expected.
fn inner(field: &Field<'_>, queue: &QueueName, known: &impl Known) -> Invalid {
    let names = known.names(Kind::Queue);
    let is_leaf = |name: &&str| {
        let name = QueueName::from(*name);
        name.is_below(queue) && known.queue(&name) == Some(QueuePlace::Leaf)
    };
    let leaves: Vec<_> = names.into_iter().filter(is_leaf).collect();
    let allowed = match leaves[..] {
        [] => "expected a queue without queues below it".to_owned(),
        [leaf, ..] => format!("expected a queue without queues below it, such as {leaf}"),
    };
    Invalid::new(field.to_string(), quoted(queue.as_str()), allowed)
}

impl Array {
    fn check(&self, field: &Field<'_>, problems: &mut Problems) {
        let indexes = field.field("indexes");
        problems.length(&indexes, "indexes", self.indexes.len(), 1..=ARRAY_LENGTH_MAX);
        let disorder = self.indexes.windows(2).position(|pair| pair[0] >= pair[1]);
        if let Some(position) = disorder {
            let (one, next) = (self.indexes[position], self.indexes[position + 1]);
            let at = indexes.at(position + 1).to_string();
            let value = format!("{next} after {one}");
            problems.add(Invalid::new(at, value, "expected ascending indexes without repeats"));
        }
        if let Some(throttle) = self.throttle {
            let at = field.field("throttle");
            problems.holds(throttle > 0, &at, || throttle.to_string(), "expected 1 or more");
        }
    }
}

#[cfg(test)]
mod tests;
