//! A cluster, and Slurm's commands against it.

use std::path::PathBuf;
use std::process::Command;

use super::cluster::{Cluster, Said, said};

/// A cluster with links to the binary.
pub(crate) struct Bench {
    pub(crate) cluster: Cluster,
    links: PathBuf,
}

impl Bench {
    /// One with so many nodes of eight GPUs each.
    pub(crate) fn start(nodes: u32) -> Bench {
        Bench::of(Cluster::start(nodes))
    }

    /// One of a cluster that runs.
    pub(crate) fn of(cluster: Cluster) -> Bench {
        let links = cluster.folder().join("bin");
        cluster.ok(&["slurm", "install", links.to_str().expect("the folder is text")]);
        Bench { cluster, links }
    }

    /// Runs one of Slurm's commands, written as in a shell without quotes.
    pub(crate) fn run(&self, line: &str) -> Said {
        let words: Vec<&str> = line.split_whitespace().collect();
        self.words(&words)
    }

    /// The same, word by word.
    pub(crate) fn words(&self, words: &[&str]) -> Said {
        let mut command = Command::new(self.links.join(words[0]));
        command
            .args(&words[1..])
            .env("MUSTER_DATA", self.cluster.folder().join("data"))
            .env("TZ", "UTC")
            .env_remove("MUSTER_SERVER")
            .current_dir(self.cluster.folder());
        said(command.output().expect("the link leads to the binary"))
    }

    /// What a command that must succeed printed.
    pub(crate) fn ok(&self, line: &str) -> String {
        let said = self.run(line);
        assert_eq!(said.code, 0, "`{line}`: {said:?}");
        said.out
    }

    /// Writes a script, and its name.
    pub(crate) fn script(&self, name: &str, text: &str) -> String {
        std::fs::write(self.cluster.folder().join(name), text).expect("the folder is ours");
        name.to_owned()
    }

    /// Submits, and the number.
    pub(crate) fn submit(&self, words: &[&str]) -> u64 {
        let said = self.words(&[&["sbatch", "--parsable"], words].concat());
        assert_eq!(said.code, 0, "{words:?}: {said:?}");
        said.out.trim().parse().expect("nothing but a number is printed")
    }
}
