//! Writing a cluster in a few lines, beginning with [`ClusterSpec::default`].

use crate::cluster::ClusterSpec;
use crate::name::Name;
use crate::policy::Policy;
use crate::queue::QueueSpec;

impl ClusterSpec {
    /// With these levels above the node, widest first.
    ///
    /// ```
    /// use muster_model::{ClusterSpec, QueueSpec, Quota};
    ///
    /// let cluster = ClusterSpec::default().levels(["zone", "rack"]).queues([
    ///     QueueSpec::new("research").guarantee(Quota::of_gpus(64)),
    ///     QueueSpec::new("research/vision").weight(3),
    ///     QueueSpec::new("research/speech"),
    /// ]);
    /// assert_eq!(cluster.levels.len(), 2);
    /// assert_eq!(cluster.queues.len(), 3);
    /// ```
    #[must_use]
    pub fn levels<'a>(mut self, levels: impl IntoIterator<Item = &'a str>) -> ClusterSpec {
        self.levels = levels.into_iter().map(Name::from).collect();
        self
    }

    /// With these queues and no others, parents before children.
    #[must_use]
    pub fn queues(mut self, queues: impl IntoIterator<Item = QueueSpec>) -> ClusterSpec {
        self.queues = queues.into_iter().collect();
        self
    }

    /// With this policy.
    #[must_use]
    pub fn policy(mut self, policy: Policy) -> ClusterSpec {
        self.policy = policy;
        self
    }
}
