//! GPUs, memory and counts as people read them.

use muster_model::TaskGroup;

use super::NOTHING;

pub(crate) use muster_tui::words::{gpus, several};

/// GPUs that may not be limited or guaranteed.
pub(crate) fn gpus_if(milli: Option<u64>) -> String {
    milli.map_or_else(|| NOTHING.to_owned(), gpus)
}

/// Memory to a tenth of its unit: `1.5 TiB`, `512 MiB`.
pub(crate) fn memory(mib: u64) -> String {
    let (value, unit) = match mib {
        0..1024 => return format!("{mib} MiB"),
        1024..1_048_576 => (mib * 10 / 1024, "GiB"),
        _ => (mib / 1024 * 10 / 1024, "TiB"),
    };
    match value % 10 {
        0 => format!("{} {unit}", value / 10),
        tenth => format!("{}.{tenth} {unit}", value / 10),
    }
}

/// What a group of tasks asks for: `4 tasks with H100x8, 16 CPUs, 64GiB each`.
pub(crate) fn group(group: &TaskGroup) -> String {
    let task = &group.task;
    let gpus = muster_model::GpuRequest {
        models: task.models.clone(),
        gpus: task.gpus,
        share: task.share.clone(),
    };
    let mut parts = Vec::new();
    if task.gpus > 0 || task.share.is_some() {
        let is_plain = task.models.is_empty() && task.share.is_none();
        parts.push(if is_plain { several(task.gpus.into(), "GPU") } else { gpus.to_string() });
    }
    if task.cpus.0 > 0 {
        parts.push(format!("{} CPU{}", task.cpus, if task.cpus.0 == 1000 { "" } else { "s" }));
    }
    if task.memory.0 > 0 {
        parts.push(memory(task.memory.0));
    }
    if task.exclusive {
        parts.push("nodes to themselves".to_owned());
    }
    let tasks = match group.tasks.min == group.tasks.max {
        true => several(group.tasks.min.into(), "task"),
        false => format!("{} to {} tasks", group.tasks.min, group.tasks.max),
    };
    match parts.is_empty() {
        true => format!("{tasks} without GPUs"),
        false => format!("{tasks} with {}", parts.join(", ")),
    }
}

/// Names in one cell: the first few, and how many more.
pub(crate) fn names(names: &[String]) -> String {
    /// More than these make a table nobody can read.
    const SHOWN: usize = 4;
    if names.is_empty() {
        return NOTHING.to_owned();
    }
    let shown = names[..names.len().min(SHOWN)].join(",");
    match names.len().saturating_sub(SHOWN) {
        0 => shown,
        more => format!("{shown} +{more}"),
    }
}

#[cfg(test)]
mod tests {
    use muster_model::quantity::separated;

    use super::*;

    #[test]
    fn memory_is_told_in_its_largest_unit() {
        assert_eq!(
            [0, 512, 1024, 1536, 65_536, 1_572_864].map(memory),
            ["0 MiB", "512 MiB", "1 GiB", "1.5 GiB", "64 GiB", "1.5 TiB"]
        );
    }

    #[test]
    fn gpus_are_told_to_the_thousandth() {
        let told = [0, 250, 1000, 8_192_125].map(gpus);
        assert_eq!(told, ["0", "0.25", "1", "8,192.125"]);
    }

    #[test]
    fn counts_are_separated_and_agree_in_number() {
        assert_eq!([0, 999, 1000, 1_234_567].map(separated), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([several(1, "job"), several(2, "job")], ["1 job", "2 jobs"]);
    }

    #[test]
    fn many_names_are_abridged() {
        let all: Vec<String> = (1..=6).map(|number| format!("n{number}")).collect();
        assert_eq!(names(&all), "n1,n2,n3,n4 +2");
        assert_eq!((names(&all[..2]), names(&[])), ("n1,n2".to_owned(), "-".to_owned()));
    }
}
