//! `muster slurm import`: a configuration for Muster from that of a Slurm cluster.

mod settings;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;
use muster_slurm::import::{self, Files};

use crate::cli::print;

/// Files that include others deeper than this go in circles.
const DEPTH_MAX: usize = 8;

/// Make a configuration of Muster from that of a Slurm cluster
///
/// Prints the file of the server and, for every kind of node, that of its agents; lists what has no
/// equivalent on standard error.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  muster slurm import /etc/slurm > muster.toml
  sacctmgr dump big file=accounts.cfg; muster slurm import /etc/slurm accounts.cfg --output new")]
pub(crate) struct Import {
    /// A folder with slurm.conf, gres.conf and topology.conf, or such files, and what sacctmgr dump
    /// wrote
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,

    /// A folder for muster.toml and one file for each node's agent, instead of standard output
    #[arg(long, value_name = "DIR")]
    output: Option<PathBuf>,
}

impl Import {
    pub(crate) fn run(&self) -> Result<()> {
        let files = self.files()?;
        let read = import::read(&files);
        if read.nodes.is_empty() && read.partitions.is_empty() {
            bail!("there is no node and no partition in these files\nhint: name slurm.conf");
        }
        let mut left_out = read.left_out.clone();
        let server = settings::server(&read, &mut left_out)?;
        let agents = settings::agents(&read)?;
        match &self.output {
            Some(folder) => {
                write(&folder.join("muster.toml"), &server)?;
                for (name, text) in &agents {
                    write(&folder.join("agents").join(format!("{name}.toml")), text)?;
                }
                eprintln!("{} and {} agents written", folder.display(), agents.len());
            }
            None => print::text(&server)?,
        }
        for line in &left_out {
            eprintln!("no equivalent: {line}");
        }
        let (nodes, partitions) = (read.nodes.len(), read.partitions.len());
        eprintln!("{nodes} nodes and {partitions} partitions; {} things left out", left_out.len());
        Ok(())
    }

    /// What the paths hold, by the names of the files.
    fn files(&self) -> Result<Files> {
        let mut files = Files::default();
        for path in &self.paths {
            if !path.is_dir() {
                let text = whole(path, 0)?;
                let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
                *part(&mut files, name.as_deref().unwrap_or_default()) = text;
                continue;
            }
            for name in ["slurm.conf", "gres.conf", "topology.conf"] {
                let path = path.join(name);
                if path.exists() {
                    *part(&mut files, name) = whole(&path, 0)?;
                }
            }
        }
        Ok(files)
    }
}

fn part<'a>(files: &'a mut Files, name: &str) -> &'a mut String {
    match name {
        "slurm.conf" => &mut files.slurm,
        "gres.conf" => &mut files.gres,
        "topology.conf" => &mut files.topology,
        _ => &mut files.accounts,
    }
}

/// A file with those that it includes in their places.
fn whole(path: &Path, depth: usize) -> Result<String> {
    if depth > DEPTH_MAX {
        bail!("{} is included too deep, perhaps by itself", path.display());
    }
    let text =
        fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut lines = Vec::new();
    for line in text.lines() {
        let mut words = line.split_whitespace();
        let first = words.next().unwrap_or_default();
        match (first.eq_ignore_ascii_case("include"), words.next()) {
            (true, Some(name)) => {
                let folder = path.parent().unwrap_or(Path::new("."));
                lines.push(whole(&folder.join(name), depth + 1)?);
            }
            _ => lines.push(line.to_owned()),
        }
    }
    Ok(lines.join("\n"))
}

fn write(path: &Path, text: &str) -> Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    if path.exists() {
        bail!("{} is there already\nhint: choose another folder", path.display());
    }
    fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use muster_agent::Settings;
    use muster_server::config::ServerFile;

    #[test]
    fn what_is_made_is_read_again_and_says_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let conf = "ClusterName=big\nInclude nodes.conf\n\
                    PartitionName=main Nodes=n[1-2] Default=YES MaxTime=1-0\n\
                    PartitionName=all Nodes=ALL\nLicenses=x:1\n";
        fs::write(folder.path().join("slurm.conf"), conf).unwrap();
        let nodes = "NodeName=n[1-2] CPUs=64 RealMemory=1000 Gres=gpu:h100:8 Feature=fast\n\
                     NodeName=c1 CPUs=8 RealMemory=100\n";
        fs::write(folder.path().join("nodes.conf"), nodes).unwrap();
        let topology = "SwitchName=s1 Nodes=n1\nSwitchName=s2 Nodes=n2,c1\n";
        fs::write(folder.path().join("topology.conf"), topology).unwrap();
        let dump = "Parent - 'root'\nAccount - 'vision':Fairshare=2\nParent - 'vision'\n\
                    User - 'user-a':DefaultAccount='vision'\n";
        fs::write(folder.path().join("accounts.cfg"), dump).unwrap();
        let output = folder.path().join("new");
        let paths = vec![folder.path().to_owned(), folder.path().join("accounts.cfg")];
        let import = Import { paths, output: Some(output.clone()) };
        import.run().unwrap();
        let server = fs::read_to_string(output.join("muster.toml")).unwrap();
        let file = ServerFile::read(&server).expect("it can be used");
        assert_eq!(file.slurm.cluster, "big");
        assert_eq!(file.slurm.partition.as_deref(), Some("main"));
        assert_eq!(file.slurm.partitions[0].nodes.as_deref(), Some("partition-main"));
        assert_eq!(file.slurm.partitions[1].nodes, None, "all nodes");
        assert_eq!(file.slurm.switch.as_deref(), Some("switch"));
        assert_eq!(file.cluster.teams[0].members[0].as_str(), "user-a");
        let agent = fs::read_to_string(output.join("agents/n2.toml")).unwrap();
        let agent = Settings::read(&agent).expect("it can be used");
        assert_eq!((agent.name.as_deref(), agent.gpus.as_str()), (Some("n2"), "auto"));
        assert_eq!(agent.domains, ["s2"]);
        assert!(agent.labels.contains_key("fast") && agent.labels.contains_key("partition-main"));
        assert!(import.run().is_err(), "nothing is overwritten");
    }

    #[test]
    fn files_that_include_themselves_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("slurm.conf"), "Include slurm.conf\n").unwrap();
        let import = Import { paths: vec![folder.path().to_owned()], output: None };
        let refused = import.run().expect_err("it never ends").to_string();
        assert!(refused.contains("too deep"), "{refused}");
    }
}
