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

/// Memory in KiB, as `sacct` writes what was measured: in the largest unit that leaves no rest.
///
/// ```
/// use muster_slurm::report::amount;
///
/// assert_eq!(amount::measured(0), "0");
/// assert_eq!(amount::measured(5_221), "5221K");
/// assert_eq!(amount::measured(5_120), "5M");
/// ```
pub fn measured(kib: u64) -> String {
    if kib == 0 {
        return "0".to_owned();
    }
    let mut left = kib;
    let mut units = ["K", "M", "G", "T"].into_iter().peekable();
    while units.len() > 1 && left.is_multiple_of(1024) {
        left /= 1024;
        units.next();
    }
    format!("{left}{}", units.next().unwrap_or_default())
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
