//! The names that labels may have: those of the configuration, so many at most, and one word for
//! all others. However many jobs, users or names there are, the number of series has a bound.

use std::collections::BTreeSet;

use muster_model::ClusterSpec;

/// Names of one kind that become labels.
const NAMES_MAX: usize = 200;

/// The label of what has no name of its own here.
pub(crate) const OTHER: &str = "other";

/// The label of who belongs to no team.
const NONE: &str = "none";

/// Names by what they are of.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    pub(crate) queues: Words,
    pub(crate) classes: Words,
    pub(crate) teams: Words,
    pub(crate) levels: Words,
    pub(crate) models: Words,
}

/// Names of one kind.
#[derive(Clone, Debug, Default)]
pub(crate) struct Words(BTreeSet<String>);

impl Names {
    /// Takes in the names of a configuration. Those of earlier ones stay, for what was counted
    /// under a label must not move to another.
    pub(crate) fn learn(&mut self, cluster: &ClusterSpec) {
        self.queues.learn(cluster.queues.iter().map(|queue| queue.name.to_string()));
        self.classes.learn(cluster.classes.iter().map(|class| class.name.to_string()));
        self.teams.learn(cluster.teams.iter().map(|team| team.name.to_string()));
        let levels = cluster.levels.iter().map(ToString::to_string);
        self.levels.learn(["cluster".to_owned(), "node".to_owned()].into_iter().chain(levels));
        self.models.learn(cluster.gpu_models.iter().map(|model| model.name.to_string()));
    }
}

impl Words {
    fn learn(&mut self, names: impl Iterator<Item = String>) {
        for name in names {
            if self.0.len() < NAMES_MAX {
                self.0.insert(name);
            }
        }
    }

    /// The label for a name.
    pub(crate) fn label(&self, name: &str) -> String {
        match name {
            "" => NONE.to_owned(),
            name if self.0.contains(name) => name.to_owned(),
            _ => OTHER.to_owned(),
        }
    }

    /// All names.
    pub(crate) fn all(&self) -> impl Iterator<Item = &String> {
        self.0.iter()
    }
}

#[cfg(test)]
mod tests {
    use muster_model::QueueSpec;

    use super::*;

    #[test]
    fn only_names_of_the_configuration_are_labels_and_only_so_many() {
        let mut cluster = ClusterSpec::default();
        let queue = |number: usize| QueueSpec::new(format!("queue-{number:04}").as_str());
        cluster.queues = (0..1000).map(queue).collect();
        let mut names = Names::default();
        names.learn(&cluster);
        assert_eq!(names.queues.all().count(), NAMES_MAX);
        assert_eq!(names.queues.label("queue-0000"), "queue-0000");
        assert_eq!(names.queues.label("queue-0999"), OTHER);
        assert_eq!(names.queues.label("made-up"), OTHER);
        assert_eq!(names.teams.label(""), NONE);
    }

    #[test]
    fn name_that_is_taken_out_keeps_its_label() {
        let (mut names, mut cluster) = (Names::default(), ClusterSpec::default());
        names.learn(&cluster);
        cluster.queues = vec![QueueSpec::new("new")];
        names.learn(&cluster);
        assert_eq!(names.queues.label("default"), "default");
        assert_eq!(names.queues.label("new"), "new");
    }
}
