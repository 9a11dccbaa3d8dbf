//! What makes a cluster's configuration acceptable. Called when it changes, so clarity goes
//! before speed here; the lists are bounded.

mod policy;
mod pools;
mod queues;
mod windows;

use crate::bound::{
    CLASSES_MAX, LEVELS_MAX, MEMBERS_MAX, MEMORY_MAX, MODELS_MAX, PROFILES_MAX, SLICES_MAX,
    TEAMS_MAX,
};
use crate::class::Class;
use crate::cluster::ClusterSpec;
use crate::error::Invalid;
use crate::field::Field;
use crate::gpu::GpuModel;
use crate::known::{Kind, Known, QueuePlace};
use crate::name::{Name, quoted};
use crate::problems::Problems;
use crate::topology::NODE_LEVEL;
use crate::unit::{Mib, Millis};

impl ClusterSpec {
    /// Everything wrong with the configuration.
    ///
    /// ```
    /// use muster_model::{ClusterSpec, QueueSpec};
    ///
    /// assert_eq!(ClusterSpec::default().validate(), Ok(()));
    ///
    /// let queues = [QueueSpec::new("research").weight(0)];
    /// let problems = ClusterSpec::default().queues(queues).validate().unwrap_err();
    /// assert_eq!(
    ///     problems[0].to_string(),
    ///     "queues[0].weight: 0 is not allowed; expected 1 to 1000000"
    /// );
    /// ```
    pub fn validate(&self) -> Result<(), Vec<Invalid>> {
        let mut problems = Problems::default();
        let cluster = Field::WHOLE;
        check_levels(&self.levels, &cluster.field("levels"), &mut problems);
        check_models(&self.gpu_models, &cluster.field("gpu_models"), &mut problems);
        let limit_max = self.policy.limit_max;
        check_classes(&self.classes, &cluster.field("classes"), limit_max, &mut problems);
        queues::check(self, &cluster.field("queues"), &mut problems);
        self.check_teams(&cluster.field("teams"), &mut problems);
        pools::check_regions(&self.regions, &cluster.field("regions"), &mut problems);
        pools::check_pools(self, &cluster.field("pools"), &mut problems);
        windows::check(self, &cluster.field("windows"), &mut problems);
        policy::check(&self.policy, &cluster.field("policy"), &mut problems);
        problems.result()
    }

    fn check_teams(&self, field: &Field<'_>, problems: &mut Problems) {
        if !problems.length(field, "teams", self.teams.len(), 0..=TEAMS_MAX) {
            return;
        }
        problems.unique(field, Some("name"), &self.teams, |team| &team.name);
        for (index, team) in self.teams.iter().enumerate() {
            let at = field.at(index);
            problems.name(&at.field("name"), &team.name);
            match self.queue(&team.queue) {
                Some(QueuePlace::Leaf) => {}
                Some(QueuePlace::Inner) => problems.add(Invalid::new(
                    at.field("queue").to_string(),
                    quoted(team.queue.as_str()),
                    "expected a queue without queues below it",
                )),
                None => {
                    let (queue, names) = (team.queue.as_str(), self.names(Kind::Queue));
                    problems.unknown(&at.field("queue"), queue, Kind::Queue.plural(), names);
                }
            }
            let members = at.field("members");
            if problems.length(&members, "members", team.members.len(), 0..=MEMBERS_MAX) {
                problems.unique(&members, None, &team.members, |member| member);
                check_names(&team.members, &members, problems);
            }
        }
    }
}

fn check_levels(levels: &[Name], field: &Field<'_>, problems: &mut Problems) {
    problems.length(field, "levels", levels.len(), 0..=LEVELS_MAX);
    problems.unique(field, None, levels, |level| level);
    check_names(levels, field, problems);
    for (index, level) in levels.iter().enumerate() {
        let allowed = "expected another name: the node is always the lowest level";
        let is_other = level.as_str() != NODE_LEVEL;
        problems.holds(is_other, &field.at(index), || quoted(level.as_str()), allowed);
    }
}

fn check_names(names: &[Name], field: &Field<'_>, problems: &mut Problems) {
    for (index, name) in names.iter().enumerate() {
        problems.name(&field.at(index), name);
    }
}

fn check_models(models: &[GpuModel], field: &Field<'_>, problems: &mut Problems) {
    if !problems.length(field, "GPU models", models.len(), 0..=MODELS_MAX) {
        return;
    }
    problems.unique(field, Some("name"), models, |model| &model.name);
    for (index, model) in models.iter().enumerate() {
        let at = field.at(index);
        problems.name(&at.field("name"), &model.name);
        problems.range(&at.field("memory"), model.memory, Mib(1)..=MEMORY_MAX);
        check_profiles(model, &at.field("mig"), problems);
    }
}

/// A profile fits its card as often as it says.
fn check_profiles(model: &GpuModel, field: &Field<'_>, problems: &mut Problems) {
    if !problems.length(field, "profiles", model.mig.len(), 0..=PROFILES_MAX) {
        return;
    }
    problems.unique(field, Some("name"), &model.mig, |profile| &profile.name);
    for (index, profile) in model.mig.iter().enumerate() {
        let at = field.at(index);
        problems.name(&at.field("name"), &profile.name);
        let is_sane = problems.range(&at.field("slices"), profile.slices, 1..=SLICES_MAX)
            & problems.range(&at.field("memory"), profile.memory, Mib(1)..=model.memory)
            & problems.range(&at.field("most"), profile.most, 1..=SLICES_MAX);
        if !is_sane {
            continue;
        }
        let by_slices = SLICES_MAX / profile.slices;
        let by_memory = u8::try_from(model.memory.0 / profile.memory.0).unwrap_or(u8::MAX);
        let fit = by_slices.min(by_memory);
        let allowed = format!("expected at most {fit}: more do not fit one GPU");
        let value = || profile.most.to_string();
        problems.holds(profile.most <= fit, &at.field("most"), value, allowed);
    }
}

fn check_classes(classes: &[Class], field: &Field<'_>, limit_max: Millis, problems: &mut Problems) {
    if !problems.length(field, "classes", classes.len(), 1..=CLASSES_MAX) {
        return;
    }
    problems.unique(field, Some("name"), classes, |class| &class.name);
    problems.unique(field, Some("value"), classes, |class| &class.value);
    for (index, class) in classes.iter().enumerate() {
        let at = field.at(index);
        problems.name(&at.field("name"), &class.name);
        if let Some(limit) = class.limit_default {
            problems.range(&at.field("limit_default"), limit, Millis(1)..=limit_max);
        }
    }
}

#[cfg(test)]
mod tests;
