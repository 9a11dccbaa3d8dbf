//! The groups of a job: how many tasks, and what each of them needs.

use crate::bound::{CPUS_MAX, GROUPS_MAX, JOB_GPUS_MAX, MEMORY_MAX, TASK_MODELS_MAX, TASKS_MAX};
use crate::error::Invalid;
use crate::field::Field;
use crate::known::{Kind, Known};
use crate::link::GPUS_PER_NODE_MAX;
use crate::name::{Name, quoted};
use crate::problems::Problems;
use crate::share::{Isolation, Share, ShareSize};
use crate::task::{TaskCount, TaskGroup, TaskShape};
use crate::unit::{Mib, MilliCpu, MilliGpu};

/// Any part of one GPU.
const FRACTIONS: std::ops::RangeInclusive<MilliGpu> = MilliGpu(1)..=MilliGpu(1000);

/// Everything wrong with the groups.
pub(super) fn check(
    groups: &[TaskGroup],
    field: &Field<'_>,
    known: &impl Known,
    problems: &mut Problems,
) {
    if !problems.length(field, "groups", groups.len(), 1..=GROUPS_MAX) {
        return;
    }
    problems.unique(field, Some("name"), groups, |group| &group.name);
    for (index, group) in groups.iter().enumerate() {
        let at = field.at(index);
        problems.name(&at.field("name"), &group.name);
        check_count(group.tasks, &at.field("tasks"), problems);
        check_shape(&group.task, &at.field("task"), known, problems);
    }
    let gpus = groups.iter().map(|group| u64::from(group.tasks.max) * u64::from(group.task.gpus));
    let gpus = gpus.fold(0, u64::saturating_add);
    if gpus > JOB_GPUS_MAX {
        let allowed = format!("expected at most {JOB_GPUS_MAX} for all groups together");
        problems.add(Invalid::new(field.to_string(), format!("{gpus} GPUs"), allowed));
    }
}

fn check_count(tasks: TaskCount, field: &Field<'_>, problems: &mut Problems) {
    let in_range = problems.range(&field.field("min"), tasks.min, 1..=TASKS_MAX)
        & problems.range(&field.field("max"), tasks.max, 1..=TASKS_MAX);
    if in_range && tasks.min > tasks.max {
        let value = format!("{}..{}", tasks.min, tasks.max);
        let problem = Invalid::new(field.to_string(), value, "expected min to be at most max");
        problems.add(problem.meant(format!("{}..{}", tasks.max, tasks.min)));
    }
}

fn check_shape(task: &TaskShape, field: &Field<'_>, known: &impl Known, problems: &mut Problems) {
    let gpus = field.field("gpus");
    match &task.share {
        None => {
            problems.range(&gpus, task.gpus, 0..=GPUS_PER_NODE_MAX);
        }
        Some(share) => {
            let allowed = "expected 0 with a share: a task has whole GPUs or part of one";
            problems.holds(task.gpus == 0, &gpus, || task.gpus.to_string(), allowed);
            check_share(share, &task.models, &field.field("share"), known, problems);
        }
    }
    check_models(&task.models, &field.field("models"), known, problems);
    problems.range(&field.field("cpus"), task.cpus, MilliCpu::ZERO..=CPUS_MAX);
    problems.range(&field.field("memory"), task.memory, Mib::ZERO..=MEMORY_MAX);
    let nvlink_fits = !task.nvlink || task.gpus >= 2;
    let allowed = "expected false, or 2 or more GPUs to link";
    problems.holds(nvlink_fits, &field.field("nvlink"), || "true".to_owned(), allowed);
    let exclusive_fits = !task.exclusive || task.share.is_none();
    let allowed = "expected false with a share: nobody would share the rest";
    problems.holds(exclusive_fits, &field.field("exclusive"), || "true".to_owned(), allowed);
    // A node holds any number of tasks that need nothing.
    let needs = task.gpus > 0 || task.share.is_some() || task.exclusive;
    let needs = needs || task.cpus > MilliCpu::ZERO || task.memory > Mib::ZERO;
    let allowed = "expected GPUs, a share, CPUs, memory or an exclusive node";
    problems.holds(needs, field, || "a task that needs nothing".to_owned(), allowed);
}

fn check_models(models: &[Name], field: &Field<'_>, known: &impl Known, problems: &mut Problems) {
    if !problems.length(field, "models", models.len(), 0..=TASK_MODELS_MAX) {
        return;
    }
    problems.unique(field, None, models, |model| model);
    for (index, model) in models.iter().enumerate() {
        if !known.model(model) {
            let names = known.names(Kind::Model);
            problems.unknown(&field.at(index), model.as_str(), Kind::Model.plural(), names);
        }
    }
}

fn check_share(
    share: &Share,
    models: &[Name],
    field: &Field<'_>,
    known: &impl Known,
    problems: &mut Problems,
) {
    let size = field.field("size");
    match &share.size {
        ShareSize::Fraction { least, most } => {
            let in_range = problems.range(&size.field("least"), *least, FRACTIONS)
                & problems.range(&size.field("most"), *most, FRACTIONS);
            if in_range && least > most {
                let value = format!("{least}..{most}");
                let allowed = "expected least to be at most most";
                let problem = Invalid::new(size.to_string(), value, allowed);
                problems.add(problem.meant(format!("{most}..{least}")));
            }
        }
        ShareSize::Memory(memory) => {
            problems.range(&size.field("memory"), *memory, Mib(1)..=MEMORY_MAX);
        }
        ShareSize::Mig(profile) => {
            let is_known = match models {
                [] => known.mig(None, profile),
                models => models.iter().all(|model| known.mig(Some(model), profile)),
            };
            let allowed = "expected a MIG profile that each of its models has";
            let value = || quoted(profile.as_str());
            problems.holds(is_known, &size.field("mig"), value, allowed);
            let is_hard = share.isolation == Isolation::Hard;
            let allowed = "expected hard: a MIG profile is isolated by hardware";
            let value = || share.isolation.word().to_owned();
            problems.holds(is_hard, &field.field("isolation"), value, allowed);
        }
    }
}
