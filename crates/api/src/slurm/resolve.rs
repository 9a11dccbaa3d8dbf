//! What the settings mean for a cluster: everything filled in, or every mistake.

use muster_model::name::quoted;
use muster_model::nearest::nearest;
use muster_model::{Class, ClusterSpec, Expression, Invalid, NodeSpec, Team};

use super::{
    AccountView, PartitionSettings, PartitionView, QOS, QosView, SlurmSettings, SlurmView,
};

/// The queue whose partition is the usual one.
const QUEUE: &str = "default";

/// The class of the usual QOS.
const CLASS: &str = "standard";

/// The names of a node's labels.
fn features(node: &NodeSpec) -> impl Iterator<Item = String> {
    node.labels.keys().map(ToString::to_string)
}

impl SlurmSettings {
    /// The cluster as Slurm's commands need it, with these nodes.
    pub fn view<'a>(
        &self,
        cluster: &ClusterSpec,
        nodes: &(impl Iterator<Item = &'a NodeSpec> + Clone),
    ) -> SlurmView {
        let mut partitions: Vec<PartitionView> = self
            .partition_settings(cluster)
            .iter()
            .map(|partition| partition.view(nodes.clone()))
            .collect();
        let usual = self.partition.as_ref().map_or_else(
            || partitions.iter().position(|partition| partition.queue == QUEUE),
            |name| partitions.iter().position(|partition| partition.name == *name),
        );
        if let Some(partition) = partitions.get_mut(usual.unwrap_or(0)) {
            partition.is_default = true;
        }
        SlurmView {
            cluster: self.cluster.clone(),
            partitions,
            qos: self.qos_views(cluster),
            accounts: self.account_views(cluster),
            models: cluster.gpu_models.iter().map(|model| model.name.to_string()).collect(),
            features: nodes.clone().flat_map(features).collect(),
            switch: self.switch.clone(),
            block: self.block.clone(),
        }
    }

    /// Those that are configured, or one for each queue that takes jobs.
    fn partition_settings(&self, cluster: &ClusterSpec) -> Vec<PartitionSettings> {
        if !self.partitions.is_empty() {
            return self.partitions.clone();
        }
        let queues = &cluster.queues;
        let is_leaf =
            |name: &muster_model::QueueName| !queues.iter().any(|queue| queue.name.is_below(name));
        let leaves = queues.iter().filter(|queue| is_leaf(&queue.name));
        leaves
            .map(|queue| PartitionSettings {
                name: queue.name.to_string(),
                ..PartitionSettings::default()
            })
            .collect()
    }

    fn qos_views(&self, cluster: &ClusterSpec) -> Vec<QosView> {
        let of = |name: &str, class: &Class| QosView {
            name: name.to_owned(),
            class: class.name.to_string(),
            priority: class.value,
        };
        let named = |name: &str| cluster.classes.iter().find(|class| class.name.as_str() == name);
        let mut all: Vec<QosView> = self
            .qos
            .iter()
            .filter_map(|qos| named(&qos.class).map(|class| of(&qos.name, class)))
            .collect();
        for class in &cluster.classes {
            if all.iter().all(|qos| qos.name != class.name.as_str()) {
                all.push(of(class.name.as_str(), class));
            }
        }
        if !all.iter().any(|qos| qos.name == QOS)
            && let Some(class) = named(CLASS).or(cluster.classes.first())
        {
            all.push(of(QOS, class));
        }
        // The usual one first: whoever names none gets it.
        all.sort_by_key(|qos| qos.name != QOS);
        all
    }

    fn account_views(&self, cluster: &ClusterSpec) -> Vec<AccountView> {
        let of = |name: &str, team: &Team| AccountView {
            name: name.to_owned(),
            team: team.name.to_string(),
            queue: team.queue.to_string(),
            members: team.members.iter().map(ToString::to_string).collect(),
        };
        let named = |name: &str| cluster.teams.iter().find(|team| team.name.as_str() == name);
        let mut all: Vec<AccountView> = self
            .accounts
            .iter()
            .filter_map(|account| named(&account.team).map(|team| of(&account.name, team)))
            .collect();
        for team in &cluster.teams {
            if all.iter().all(|account| account.name != team.name.as_str()) {
                all.push(of(team.name.as_str(), team));
            }
        }
        all
    }

    /// Everything that does not fit the cluster.
    pub fn mistakes(&self, cluster: &ClusterSpec) -> Vec<Invalid> {
        let mut wrong = Vec::new();
        let queues: Vec<&str> = cluster.queues.iter().map(|queue| queue.name.as_str()).collect();
        for (index, partition) in self.partitions.iter().enumerate() {
            let field = |name: &str| format!("slurm.partitions[{index}].{name}");
            known(&mut wrong, field("queue"), partition.queue_name(), &queues);
            let expression = partition.nodes.as_deref().map(str::parse::<Expression>);
            if let Some(Err(invalid)) = expression {
                wrong.push(invalid.in_field(field("nodes")));
            }
            if partition.time_max.is_some() && partition.time_default > partition.time_max {
                let most = partition.time_max.map(|most| most.to_string()).unwrap_or_default();
                let allowed = format!("expected at most `time_max`, which is {most}");
                let value = partition.time_default.map(|time| time.to_string());
                wrong.push(Invalid::new(field("time_default"), value.unwrap_or_default(), allowed));
            }
            let is_twice = self.partitions[..index].iter().any(|it| it.name == partition.name);
            if is_twice {
                let allowed = "expected a name that no other partition has";
                wrong.push(Invalid::new(field("name"), quoted(&partition.name), allowed));
            }
        }
        if let Some(usual) = &self.partition {
            let all = self.partition_settings(cluster);
            let names: Vec<&str> = all.iter().map(|partition| partition.name.as_str()).collect();
            known(&mut wrong, "slurm.partition".to_owned(), usual, &names);
        }
        let classes: Vec<&str> = cluster.classes.iter().map(|class| class.name.as_str()).collect();
        for (index, qos) in self.qos.iter().enumerate() {
            known(&mut wrong, format!("slurm.qos[{index}].class"), &qos.class, &classes);
        }
        let teams: Vec<&str> = cluster.teams.iter().map(|team| team.name.as_str()).collect();
        for (index, account) in self.accounts.iter().enumerate() {
            known(&mut wrong, format!("slurm.accounts[{index}].team"), &account.team, &teams);
        }
        let levels: Vec<&str> = cluster.levels.iter().map(|level| level.as_str()).collect();
        for (field, level) in [("switch", &self.switch), ("block", &self.block)] {
            if let Some(level) = level {
                known(&mut wrong, format!("slurm.{field}"), level, &levels);
            }
        }
        wrong
    }
}

impl PartitionSettings {
    fn queue_name(&self) -> &str {
        self.queue.as_deref().unwrap_or(&self.name)
    }

    fn view<'a>(&self, nodes: impl Iterator<Item = &'a NodeSpec>) -> PartitionView {
        let require: Option<Expression> = self.nodes.as_deref().and_then(|text| text.parse().ok());
        let is_in = |node: &&NodeSpec| require.as_ref().is_none_or(|wish| wish.matches(node));
        PartitionView {
            name: self.name.clone(),
            queue: self.queue_name().to_owned(),
            is_default: false,
            time_default_ms: self.time_default.map(|time| time.0),
            time_max_ms: self.time_max.map(|time| time.0),
            nodes: nodes.filter(is_in).map(|node| node.name.to_string()).collect(),
            require,
        }
    }
}

fn known(wrong: &mut Vec<Invalid>, field: String, name: &str, names: &[&str]) {
    if names.contains(&name) {
        return;
    }
    let allowed = match names {
        [] => "expected nothing: the cluster has none".to_owned(),
        names => format!("expected one of {}", names.join(", ")),
    };
    let invalid = Invalid::new(field, quoted(name), allowed);
    wrong.push(match nearest(name, names.iter().copied()) {
        Some(meant) => invalid.meant(meant),
        None => invalid,
    });
}
