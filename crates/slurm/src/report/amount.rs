//! Sizes as Slurm prints them.

/// Memory in MiB: `100M`, `2G`, `1.50T`; whole units lose their fraction.
///
/// ```
/// use muster_slurm::report::amount;
///
/// assert_eq!(amount::memory(100), "100M");
/// assert_eq!(amount::memory(2048), "2G");
/// assert_eq!(amount::memory(5000), "5000M");
/// ```
pub fn memory(mib: u64) -> String {
    let units = [("T", 1024 * 1024), ("G", 1024)];
    for (unit, size) in units {
        if mib >= size && mib.is_multiple_of(size) {
            return format!("{}{unit}", mib / size);
        }
    }
    format!("{mib}M")
}

/// What is given, as `sacct` writes it: in the order of names.
pub fn tres_by_name(
    cpus: u64,
    gpus: u64,
    memory_mib: u64,
    nodes: u64,
    has_billing: bool,
) -> String {
    let mut parts = Vec::new();
    if has_billing {
        parts.push(format!("billing={cpus}"));
    }
    parts.push(format!("cpu={cpus}"));
    if gpus > 0 {
        parts.push(format!("gres/gpu={gpus}"));
    }
    if memory_mib > 0 {
        parts.push(format!("mem={}", memory(memory_mib)));
    }
    parts.push(format!("node={nodes}"));
    parts.join(",")
}

/// What is given, as `squeue` and `scontrol` write it: in the order of Slurm's own numbers.
pub fn tres_by_number(cpus: u64, gpus: u64, memory_mib: u64, nodes: u64) -> String {
    tres(cpus, gpus, memory_mib, nodes, true)
}

/// The same of a step, which nobody is billed for.
pub fn tres_of_step(cpus: u64, gpus: u64, memory_mib: u64, nodes: u64) -> String {
    tres(cpus, gpus, memory_mib, nodes, false)
}

fn tres(cpus: u64, gpus: u64, memory_mib: u64, nodes: u64, has_billing: bool) -> String {
    let mut parts = vec![format!("cpu={cpus}")];
    if memory_mib > 0 {
        parts.push(format!("mem={}", memory(memory_mib)));
    }
    parts.push(format!("node={nodes}"));
    parts.extend(has_billing.then(|| format!("billing={cpus}")));
    if gpus > 0 {
        parts.push(format!("gres/gpu={gpus}"));
    }
    parts.join(",")
}
