//! A request as options that mean it: read again, they give the same request.

use super::{Client, Container, Layout, MemoryRequest, Place, Request, Run, Size, Step, When};
use crate::values::array;

impl Request {
    /// The options, each one word.
    ///
    /// ```
    /// use muster_slurm::{Command, Request};
    ///
    /// let words = ["-N", "2", "--mem=64gb", "--exclusive"].map(str::to_owned);
    /// let request = Request::from_words(Command::Sbatch, words).expect("good options").request;
    /// assert_eq!(request.to_words(), ["--nodes=2", "--mem=64G", "--exclusive"]);
    /// ```
    pub fn to_words(&self) -> Vec<String> {
        let mut words = Words(Vec::new());
        let identity = &self.identity;
        words.value("job-name", identity.job_name.as_ref());
        words.value("account", identity.account.as_ref());
        words.value("partition", list(&identity.partitions));
        words.value("qos", identity.qos.as_ref());
        words.value("reservation", list(&identity.reservations));
        words.value("comment", identity.comment.as_ref());
        self.size.print(&mut words);
        self.place.print(&mut words);
        self.when.print(&mut words);
        self.run.print(&mut words);
        self.container.print(&mut words);
        self.layout.print(&mut words);
        self.step.print(&mut words);
        self.client.print(&mut words);
        for recorded in &self.recorded {
            match &recorded.value {
                Some(value) => words.value(&recorded.option, Some(value)),
                None => words.flag(&recorded.option, true),
            }
        }
        words.0
    }
}

struct Words(Vec<String>);

impl Words {
    fn value(&mut self, name: &str, value: Option<impl std::fmt::Display>) {
        self.0.extend(value.map(|value| format!("--{name}={value}")));
    }

    fn flag(&mut self, name: &str, is_on: bool) {
        self.0.extend(is_on.then(|| format!("--{name}")));
    }

    /// One name for yes and one for no.
    fn choice(&mut self, yes: &str, no: &str, chosen: Option<bool>) {
        self.flag(yes, chosen == Some(true));
        self.flag(no, chosen == Some(false));
    }
}

fn list(words: &[String]) -> Option<String> {
    (!words.is_empty()).then(|| words.join(","))
}

impl Size {
    fn print(&self, words: &mut Words) {
        words.value("nodes", self.nodes);
        words.value("ntasks", self.tasks);
        words.value("ntasks-per-node", self.tasks_per_node);
        words.value("ntasks-per-gpu", self.tasks_per_gpu);
        words.value("cpus-per-task", self.cpus_per_task);
        words.value("cpus-per-gpu", self.cpus_per_gpu);
        words.value("mincpus", self.cpus_per_node_min);
        match self.memory {
            Some(MemoryRequest::PerNode(memory)) => words.value("mem", Some(memory)),
            Some(MemoryRequest::PerCpu(memory)) => words.value("mem-per-cpu", Some(memory)),
            Some(MemoryRequest::PerGpu(memory)) => words.value("mem-per-gpu", Some(memory)),
            None => {}
        }
        words.value("gpus", self.gpus.per_job.as_ref());
        words.value("gpus-per-node", self.gpus.per_node.as_ref());
        words.value("gpus-per-task", self.gpus.per_task.as_ref());
        words.value("gpus-per-socket", self.gpus.per_socket.as_ref());
        words.value("gres", self.gpus.gres.as_ref().map(|gpus| gpus.as_gres()));
        words.value("sockets-per-node", self.sockets_per_node);
        words.flag("overcommit", self.overcommit);
        words.flag("exclusive", self.exclusive);
    }
}

impl Place {
    fn print(&self, words: &mut Words) {
        words.value("constraint", self.constraint.as_ref());
        words.value("prefer", self.prefer.as_ref());
        words.value("nodelist", (!self.nodelist.is_empty()).then_some(&self.nodelist));
        words.value("exclude", (!self.exclude.is_empty()).then_some(&self.exclude));
        words.value("switches", self.switches);
        words.value("segment", self.segment);
        words.flag("spread-job", self.spread);
    }
}

impl When {
    fn print(&self, words: &mut Words) {
        words.value("time", self.limit);
        words.value("time-min", self.limit_min);
        words.value("begin", self.begin);
        words.value("deadline", self.deadline);
        words.flag("hold", self.hold);
        words.value("dependency", self.dependency.as_ref());
        let kill = self.kill_on_invalid_dependency;
        words.value("kill-on-invalid-dep", kill.map(|kill| if kill { "yes" } else { "no" }));
        words.value("array", self.array.as_ref().map(array::written));
        words.value("immediate", self.immediate_s);
    }
}

impl Run {
    fn print(&self, words: &mut Words) {
        words.value("chdir", self.directory.as_ref());
        words.value("output", self.output.as_ref());
        words.value("error", self.error.as_ref());
        words.value("input", self.input.as_ref());
        words.value("open-mode", self.open_mode);
        words.value("export", self.export.as_ref());
        words.choice("requeue", "no-requeue", self.requeue);
        words.value("signal", self.signal);
        words.value("mail-type", self.mail_types.as_ref());
        words.value("mail-user", self.mail_user.as_ref());
        words.value("wrap", self.wrap.as_ref());
    }
}

impl Container {
    fn print(&self, words: &mut Words) {
        words.value("container-image", self.image.as_ref());
        words.value("container-mounts", (!self.mounts.0.is_empty()).then_some(&self.mounts));
        words.value("container-workdir", self.workdir.as_ref());
        words.value("container-env", list(&self.environment));
        words.choice("container-mount-home", "no-container-mount-home", self.mount_home);
        words.choice("container-remap-root", "no-container-remap-root", self.remap_root);
        words.choice("container-entrypoint", "no-container-entrypoint", self.entrypoint);
        words.choice("container-writable", "container-readonly", self.writable);
    }
}

impl Layout {
    fn print(&self, words: &mut Words) {
        words.value("distribution", self.distribution);
        words.value("cpu-bind", self.cpu_bind.as_ref());
        words.value("mem-bind", self.mem_bind.as_ref());
        words.value("gpu-bind", self.gpu_bind.as_ref());
        words.value("hint", self.hint);
    }
}

impl Step {
    fn print(&self, words: &mut Words) {
        words.value("jobid", self.job);
        words.value("relative", self.relative);
        words.flag("overlap", self.overlap);
        words.flag("exact", self.exact);
        words.flag("whole", self.whole);
        words.value("kill-on-bad-exit", self.kill_on_bad_exit.map(u8::from));
        words.value("wait", self.wait_s);
        words.flag("label", self.label);
        words.flag("unbuffered", self.unbuffered);
        words.flag("pty", self.pty);
        words.value("mpi", self.mpi.as_ref());
        words.flag("quit-on-interrupt", self.quit_on_interrupt);
    }
}

impl Client {
    fn print(&self, words: &mut Words) {
        words.flag("parsable", self.parsable);
        words.flag("quiet", self.quiet);
        (0..self.verbose).for_each(|_| words.flag("verbose", true));
        words.flag("test-only", self.test_only);
        words.flag("wait", self.wait);
        words.flag("ignore-pbs", self.ignore_pbs);
        words.flag("no-shell", self.no_shell);
        words.flag("help", self.help);
        words.flag("usage", self.usage);
        words.flag("version", self.version);
    }
}
