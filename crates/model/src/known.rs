//! What a job may refer to: the questions that its validation asks of a cluster.

use crate::cluster::ClusterSpec;
use crate::name::{Name, QueueName};
use crate::unit::Millis;

/// Whether jobs may go to a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueuePlace {
    /// No queue stands below it: jobs go here.
    Leaf,
    /// It only divides among the queues below it.
    Inner,
}

/// Kinds of things that have names in a cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Queues, by their full names.
    Queue,
    /// Classes.
    Class,
    /// GPU models.
    Model,
    /// Levels of the topology above the node.
    Level,
    /// Teams.
    Team,
}

/// What exists in a cluster. [`ClusterSpec`] answers by looking through its lists; whoever
/// validates many jobs a second answers by an index.
pub trait Known {
    /// The queue's place in the tree, if it exists.
    fn queue(&self, name: &QueueName) -> Option<QueuePlace>;

    /// Whether the class exists.
    fn class(&self, name: &Name) -> bool;

    /// Whether the GPU model exists.
    fn model(&self, name: &Name) -> bool;

    /// Whether the model, or any model where none is named, can be cut to this MIG profile.
    fn mig(&self, model: Option<&Name>, profile: &Name) -> bool;

    /// The level's position, 0 for the widest, if it exists.
    fn level(&self, name: &Name) -> Option<usize>;

    /// Whether the team exists.
    fn team(&self, name: &Name) -> bool;

    /// The longest that an attempt may run.
    fn limit_max(&self) -> Millis;

    /// All names of a kind in their configured order, for the words of an error and for a guess.
    /// Only asked when a look-up has failed.
    fn names(&self, kind: Kind) -> Vec<&str>;
}

impl Known for ClusterSpec {
    fn queue(&self, name: &QueueName) -> Option<QueuePlace> {
        if !self.queues.iter().any(|queue| queue.name == *name) {
            return None;
        }
        let is_parent = self.queues.iter().any(|other| other.name.is_below(name));
        Some(if is_parent { QueuePlace::Inner } else { QueuePlace::Leaf })
    }

    fn class(&self, name: &Name) -> bool {
        self.classes.iter().any(|class| class.name == *name)
    }

    fn model(&self, name: &Name) -> bool {
        self.gpu_models.iter().any(|model| model.name == *name)
    }

    fn mig(&self, model: Option<&Name>, profile: &Name) -> bool {
        self.gpu_models
            .iter()
            .filter(|known| model.is_none_or(|name| known.name == *name))
            .any(|known| known.mig.iter().any(|known| known.name == *profile))
    }

    fn level(&self, name: &Name) -> Option<usize> {
        self.levels.iter().position(|level| level == name)
    }

    fn team(&self, name: &Name) -> bool {
        self.teams.iter().any(|team| team.name == *name)
    }

    fn limit_max(&self) -> Millis {
        self.policy.limit_max
    }

    fn names(&self, kind: Kind) -> Vec<&str> {
        match kind {
            Kind::Queue => self.queues.iter().map(|queue| queue.name.as_str()).collect(),
            Kind::Class => self.classes.iter().map(|class| class.name.as_str()).collect(),
            Kind::Model => self.gpu_models.iter().map(|model| model.name.as_str()).collect(),
            Kind::Level => self.levels.iter().map(Name::as_str).collect(),
            Kind::Team => self.teams.iter().map(|team| team.name.as_str()).collect(),
        }
    }
}

impl Kind {
    /// The kind in the plural, as errors say it.
    pub(crate) fn plural(self) -> &'static str {
        match self {
            Kind::Queue => "queues",
            Kind::Class => "classes",
            Kind::Model => "GPU models",
            Kind::Level => "levels",
            Kind::Team => "teams",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::queue::QueueSpec;

    #[test]
    fn a_queue_is_inner_only_where_another_stands_below_it() {
        let queues = ["a", "a/b", "ab", "ab-c"].map(QueueSpec::new);
        let cluster = ClusterSpec::default().queues(queues);
        let place = |name| cluster.queue(&QueueName::from(name));
        assert_eq!(place("a"), Some(QueuePlace::Inner));
        assert_eq!(place("a/b"), Some(QueuePlace::Leaf));
        assert_eq!(place("ab"), Some(QueuePlace::Leaf));
        assert_eq!(place("b"), None);
    }

    #[test]
    fn a_mig_profile_is_known_of_its_model_or_of_any() {
        let cluster = ClusterSpec::default();
        let (h100, v100) = (Name::from("H100"), Name::from("V100"));
        let profile = Name::from("1g.10gb");
        assert!(cluster.mig(Some(&h100), &profile));
        assert!(!cluster.mig(Some(&v100), &profile));
        assert!(cluster.mig(None, &profile));
        assert!(!cluster.mig(None, &Name::from("9g.10gb")));
    }
}
