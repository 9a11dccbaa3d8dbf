//! Limits by cgroup v2, where the controllers are there and ours to use. Elsewhere tasks run
//! without limits, and the agent says so once.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use muster_engine::command::Running;

/// The period that shares of CPUs are counted in, in microseconds: the kernel's default.
const PERIOD_US: u64 = 100_000;

/// The cgroup of the agent itself, beside that of the tasks.
const LEAF: &str = "agent";

/// The place below which tasks get cgroups of their own.
#[derive(Clone, Debug)]
pub struct Cgroups {
    base: PathBuf,
}

/// What a part of an attempt may use; any amount where 0 stands.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// Thousandths of CPUs.
    pub cpus_milli: u64,
    /// Memory in MiB.
    pub memory_mib: u64,
    /// Memory in MiB of all parts of the attempt here.
    pub whole_memory_mib: u64,
}

impl Cgroups {
    /// Prepares the agent's own cgroup, or says why there are no limits.
    pub fn prepare() -> Result<Cgroups, String> {
        let mount = Path::new("/sys/fs/cgroup");
        let own = own_path().ok_or("this system does not say which cgroup the agent is in")?;
        Cgroups::prepare_at(mount, &mount.join(own.trim_start_matches('/')))
    }

    /// The same with the places named. The agent moves into a leaf, for only a cgroup without
    /// processes can hand controllers down.
    pub fn prepare_at(mount: &Path, own: &Path) -> Result<Cgroups, String> {
        if !mount.join("cgroup.controllers").exists() {
            return Err(format!("{} is not a cgroup v2 hierarchy", mount.display()));
        }
        // Started again, or by a manager that knows of the leaf, the agent is in it already.
        let own = match own.parent() {
            Some(above) if own.ends_with(LEAF) && above != mount => above,
            _ => own,
        };
        let controllers = fs::read_to_string(own.join("cgroup.controllers")).unwrap_or_default();
        let has = |name: &str| controllers.split_whitespace().any(|word| word == name);
        if !(has("cpu") && has("memory")) {
            let what = "the cpu and memory controllers are not delegated to";
            return Err(format!("{what} {} (systemd: Delegate=yes)", own.display()));
        }
        let set_up = || -> io::Result<PathBuf> {
            let base = own.join("tasks");
            let leaf = own.join(LEAF);
            make(&leaf)?;
            make(&base)?;
            fs::write(leaf.join("cgroup.procs"), std::process::id().to_string())?;
            fs::write(own.join("cgroup.subtree_control"), "+cpu +memory")?;
            fs::write(base.join("cgroup.subtree_control"), "+cpu +memory")?;
            Ok(base)
        };
        let base = set_up().map_err(|cause| {
            let others = match cause.kind() {
                io::ErrorKind::ResourceBusy => "; other processes are in it, start the agent alone",
                _ => "",
            };
            format!("cannot use {}: {cause}{others}", own.display())
        })?;
        Ok(Cgroups { base })
    }

    /// Makes the cgroup of a part of an attempt, below one that all its parts share: a script and
    /// its steps have at most what their job has, together.
    pub fn make(&self, of: Running, part: &str, limits: Limits) -> io::Result<PathBuf> {
        let whole = self.whole(of);
        make(&whole)?;
        fs::write(whole.join("cgroup.subtree_control"), "+cpu +memory")?;
        limit_whole(&whole.join("memory.max"), limits.whole_memory_mib.saturating_mul(1 << 20))?;
        let path = whole.join(part);
        make(&path)?;
        let Limits { cpus_milli, memory_mib, .. } = limits;
        if cpus_milli > 0 {
            let quota_us = cpus_milli.saturating_mul(PERIOD_US) / 1000;
            fs::write(path.join("cpu.max"), format!("{} {PERIOD_US}", quota_us.max(1000)))?;
        }
        if memory_mib > 0 {
            let bytes = memory_mib.saturating_mul(1 << 20);
            fs::write(path.join("memory.max"), bytes.to_string())?;
            // All of a task or none of it: what is left of one after a kill is of no use.
            fs::write(path.join("memory.oom.group"), "1")?;
        }
        Ok(path)
    }

    /// Removes what the parts of an attempt shared, once all of them are gone.
    pub fn remove_whole(&self, of: Running) {
        remove(&self.whole(of));
    }

    fn whole(&self, of: Running) -> PathBuf {
        self.base.join(format!("{}.{}", of.job.0, of.attempt.0))
    }
}

/// Moves the calling process into a cgroup.
pub fn join(path: &Path) -> io::Result<()> {
    fs::write(path.join("cgroup.procs"), "0")
}

/// Whether the kernel ended something in a cgroup for lack of memory.
pub fn ran_out_of_memory(path: &Path) -> bool {
    let events = fs::read_to_string(path.join("memory.events")).unwrap_or_default();
    let kills = events.lines().find_map(|line| line.strip_prefix("oom_kill "));
    kills.is_some_and(|count| count.trim() != "0")
}

/// The most memory that a cgroup had at once, in KiB, where the kernel counts that.
pub fn memory_peak_kib(path: &Path) -> Option<u64> {
    let text = fs::read_to_string(path.join("memory.peak")).ok()?;
    text.trim().parse::<u64>().ok().map(|bytes| bytes.div_ceil(1024))
}

/// Forces everything in a cgroup to end.
pub fn kill(path: &Path) {
    // It may be gone already, and an old kernel has no such file: descendants are ended as well.
    let _ = fs::write(path.join("cgroup.kill"), "1");
}

/// Removes an empty cgroup.
pub fn remove(path: &Path) {
    let _ = fs::remove_dir(path);
}

/// Sets the limit of a whole attempt in bytes; any number if 0. A limit is never lowered: what a
/// resize takes away has its memory until it has left.
fn limit_whole(path: &Path, bytes: u64) -> io::Result<()> {
    let known = fs::read_to_string(path).ok().and_then(|text| text.trim().parse::<u64>().ok());
    match (bytes, known) {
        (0, _) => fs::write(path, "max"),
        (bytes, Some(known)) if known >= bytes => Ok(()),
        (bytes, _) => fs::write(path, bytes.to_string()),
    }
}

fn make(path: &Path) -> io::Result<()> {
    match fs::create_dir(path) {
        Err(cause) if cause.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        made => made,
    }
}

fn own_path() -> Option<String> {
    let text = fs::read_to_string("/proc/self/cgroup").ok()?;
    let own = text.lines().find_map(|line| line.strip_prefix("0::"))?;
    Some(own.to_owned())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use muster_engine::command::Running;
    use muster_model::{Attempt, JobId};

    use super::{Cgroups, Limits, memory_peak_kib, ran_out_of_memory};

    #[test]
    fn limits_of_a_task_are_written_in_the_words_of_the_kernel() {
        let mount = tempfile::tempdir().unwrap();
        let own = mount.path().join("muster.service");
        fs::create_dir(&own).unwrap();
        fs::write(mount.path().join("cgroup.controllers"), "cpu memory").unwrap();
        let refused = Cgroups::prepare_at(mount.path(), &own).unwrap_err();
        assert!(refused.contains("not delegated"), "{refused}");
        fs::write(own.join("cgroup.controllers"), "cpuset cpu memory pids\n").unwrap();
        let cgroups = Cgroups::prepare_at(mount.path(), &own).unwrap();
        let of = Running { job: JobId(7), attempt: Attempt(1) };
        let limits = Limits { cpus_milli: 2_500, memory_mib: 1024, whole_memory_mib: 4096 };
        let task = cgroups.make(of, "0", limits).unwrap();
        assert_eq!(task, own.join("tasks/7.1/0"));
        let read = |name: &str| fs::read_to_string(task.join(name)).unwrap();
        assert_eq!(read("cpu.max"), "250000 100000");
        assert_eq!(read("memory.max"), "1073741824");
        fs::write(task.join("memory.events"), "low 0\noom 1\noom_kill 0\n").unwrap();
        assert!(!ran_out_of_memory(&task));
        fs::write(task.join("memory.events"), "low 0\noom 1\noom_kill 2\n").unwrap();
        assert!(ran_out_of_memory(&task));
        assert_eq!(memory_peak_kib(&task), None, "an old kernel does not count");
        fs::write(task.join("memory.peak"), "5000000\n").unwrap();
        assert_eq!(memory_peak_kib(&task), Some(4883));
    }

    #[test]
    fn parts_of_a_job_share_its_memory_and_what_they_share_goes_last() {
        let mount = tempfile::tempdir().unwrap();
        let own = mount.path().join("muster.service");
        fs::create_dir(&own).unwrap();
        fs::write(mount.path().join("cgroup.controllers"), "cpu memory").unwrap();
        fs::write(own.join("cgroup.controllers"), "cpu memory").unwrap();
        let cgroups = Cgroups::prepare_at(mount.path(), &own).unwrap();
        let of = Running { job: JobId(7), attempt: Attempt(2) };
        let limits = Limits { cpus_milli: 0, memory_mib: 1024, whole_memory_mib: 1024 };
        let script = cgroups.make(of, "0", limits).unwrap();
        let step = cgroups.make(of, "s0.0", limits).unwrap();
        let whole = own.join("tasks/7.2");
        assert_eq!((script.parent(), step.parent()), (Some(&*whole), Some(&*whole)));
        let read = |name: &str| fs::read_to_string(whole.join(name)).unwrap();
        assert_eq!(read("memory.max"), "1073741824");
        assert_eq!(read("cgroup.subtree_control"), "+cpu +memory");
        // A job that may grow has the limit of what it has now.
        let grown = Limits { whole_memory_mib: 2048, ..limits };
        cgroups.make(of, "1", grown).unwrap();
        assert_eq!(read("memory.max"), "2147483648");
        cgroups.make(of, "1", limits).unwrap();
        assert_eq!(
            read("memory.max"),
            "2147483648",
            "what leaves has its memory until it has left"
        );
        cgroups.make(of, "2", Limits { whole_memory_mib: 0, ..limits }).unwrap();
        assert_eq!(read("memory.max"), "max", "who has all memory of a node is not limited");
        cgroups.remove_whole(of);
        assert!(step.exists(), "what has parts stays");
    }

    #[test]
    fn agent_that_starts_again_in_its_leaf_finds_the_place_of_its_tasks() {
        let mount = tempfile::tempdir().unwrap();
        let own = mount.path().join("muster.service");
        fs::create_dir(&own).unwrap();
        fs::write(mount.path().join("cgroup.controllers"), "cpu memory").unwrap();
        fs::write(own.join("cgroup.controllers"), "cpu memory").unwrap();
        let first = Cgroups::prepare_at(mount.path(), &own).unwrap();
        let again = Cgroups::prepare_at(mount.path(), &own.join("agent")).unwrap();
        assert_eq!(first.base, again.base);
    }

    #[test]
    fn without_the_second_version_there_are_no_limits_and_a_reason() {
        let mount = tempfile::tempdir().unwrap();
        let refused = Cgroups::prepare_at(mount.path(), mount.path()).unwrap_err();
        assert!(refused.contains("not a cgroup v2"), "{refused}");
    }
}
