//! `muster up`: a whole cluster on this machine, in one go and with nothing to configure.

mod demo;

use std::io::Write;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Args;
use muster_agent::{Settings, discovery};
use muster_api::Secret;
use muster_client::{Options, Target};
use muster_model::{ClusterSpec, Millis};
use muster_server::ServerSettings;
use muster_server::config::ServerFile;
use muster_server::links::LeaseTerms;
use muster_server::prices::Prices;
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::start::Started;
use crate::stop;

/// The GPUs that nodes of a machine without any pretend to have.
const PRETENDED: &str = "H100x8";

/// Start a cluster on this machine: server, agents and all
#[derive(Debug, Args)]
pub(crate) struct Up {
    /// Keep a mixed workload of several teams going, so that every view has something to show.
    #[arg(long)]
    demo: bool,
    /// How many nodes to pretend this machine is.
    #[arg(long, default_value_t = 1, value_name = "N",
          value_parser = clap::value_parser!(u16).range(1..=64))]
    nodes: u16,
    /// GPUs of each node: `auto` for those that are there, or declared ones such as H100x8.
    #[arg(long, default_value = "auto")]
    gpus: String,
    /// The folder of the cluster; the usual one for data of this user by default.
    #[arg(long, value_name = "FOLDER", env = "MUSTER_DATA")]
    data: Option<PathBuf>,
    /// Where to listen; port 0 for any that is free.
    #[arg(long, default_value = "127.0.0.1:7070", value_name = "ADDRESS")]
    listen: SocketAddr,
}

impl Up {
    pub(crate) fn run(self) -> Result<()> {
        let subscriber = tracing_subscriber::fmt().with_writer(std::io::stderr);
        subscriber
            .with_target(false)
            .with_max_level(tracing_subscriber::filter::LevelFilter::WARN)
            .init();
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        runtime.block_on(self.start())
    }

    async fn start(self) -> Result<()> {
        let stop = stop::asked()?;
        let data = self.folder()?;
        let settings = ServerSettings {
            data: data.clone(),
            listen: self.listen,
            cluster: if self.demo { demo::cluster(self.nodes) } else { ClusterSpec::default() },
            leases: LeaseTerms { lease: Millis::seconds(30), renew: Millis::seconds(2) },
            prices: if self.demo { demo::prices() } else { Prices::default() },
            ..ServerFile::default().settings()
        };
        let started = Started::start(settings).await?;
        let agents_settings = self.agents(&data, &started)?;
        started.fingerprint().iter().for_each(|line| eprintln!("{line}"));
        let Started { server, url, ca, credentials, file } = started;
        let (server_stop, stopping) = watch::channel(false);
        let serving = tokio::spawn(server.serve(told(stopping)));
        let (agents_stop, agents_stopping) = watch::channel(false);
        let mut agents = JoinSet::new();
        for settings in agents_settings {
            agents.spawn(muster_agent::run(settings, told(agents_stopping.clone())));
        }
        let demo = self.demo.then(|| {
            let (url, token) = (url.clone(), Some(credentials.admin.clone()));
            tokio::spawn(demo::keep_going(Target { url, token, ca, pid: None }))
        });
        self.greet(&url, &credentials.admin, &data);
        let stopped_early = tokio::select! {
            () = stop => None,
            Some(ended) = agents.join_next() => Some(ended),
        };
        if let Some(demo) = demo {
            demo.abort();
        }
        eprintln!("\nstopping: what runs ends, and starts again with the next `muster up`");
        // The server first: what ends with the agents must not make room for others now.
        server_stop.send_replace(true);
        let served = serving.await.context("the server panicked")?;
        agents_stop.send_replace(true);
        while agents.join_next().await.is_some() {}
        drop(file);
        served?;
        match stopped_early {
            Some(Ok(Err(error))) => Err(error).context("an agent stopped"),
            _ => Ok(()),
        }
    }

    fn folder(&self) -> Result<PathBuf> {
        let usual =
            || Options::default().or_environment(|name| std::env::var(name).ok()).data_default;
        let data = self.data.clone().or_else(usual);
        let data = data.context("no folder for data is known: set MUSTER_DATA or give --data")?;
        std::fs::create_dir_all(&data)
            .with_context(|| format!("cannot make the folder {}", data.display()))?;
        Ok(data)
    }

    /// The settings of the local agents. They share the machine in equal parts.
    fn agents(&self, data: &Path, started: &Started) -> Result<Vec<Settings>> {
        let whole = discovery::discover(&Settings {
            gpus: self.gpus.clone(),
            name: Some("node-1".to_owned()),
            ..Settings::default()
        })?;
        let is_auto = self.gpus == "auto";
        let gpus = match is_auto && whole.spec.gpus == 0 {
            true => PRETENDED.to_owned(),
            false => self.gpus.clone(),
        };
        // Without a GPU nothing is meant to be fast: a task's CPUs are as pretended as its GPUs.
        let is_real = is_auto && whole.spec.gpus > 0;
        let cpus = whole.spec.cpus.0 / 1000;
        let cpus = if is_real { cpus } else { cpus.max(64) };
        let levels = started.server.levels();
        let settings = (1..=self.nodes).map(|number| {
            let name = format!("node-{number}");
            Settings {
                server: started.url.clone(),
                token: started.credentials.agent.clone(),
                ca: started.ca.clone(),
                data: data.join("nodes").join(&name),
                name: Some(name),
                address: Some("127.0.0.1".to_owned()),
                gpus: gpus.clone(),
                cpus: Some(cpus),
                domains: domains(&levels, number),
                run_as_agent: true,
                stop_tasks: true,
                ..Settings::default()
            }
        });
        Ok(settings.collect())
    }

    fn greet(&self, url: &str, token: &Secret, data: &Path) {
        let (nodes, token) = (self.nodes, token.reveal());
        let text = format!(
            "Muster is up: {nodes} node(s), {url}\n\
             data in {}; Ctrl-C stops it, starting again resumes\n\n\
             dashboard, already signed in: {url}/#token={token}\n\n\
             in another terminal:\n\
             \x20 muster run --gpus 1 -- echo hello     run something\n\
             \x20 muster jobs                           see what runs and what waits\n\
             \x20 muster why JOB                        ask why\n\
             \x20 muster nodes                          see the machines\n",
            data.display()
        );
        // Who started it may have closed the other end; the cluster runs all the same.
        let mut out = std::io::stdout();
        let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    }
}

/// The domains that a pretended node is in, widest first: four nodes to each of the narrowest
/// level, two of those to each of the next.
fn domains(levels: &[String], number: u16) -> Vec<String> {
    let mut index = (number - 1) / 4;
    let mut found = Vec::new();
    for level in levels.iter().rev() {
        found.insert(0, format!("{level}-{}", index + 1));
        index /= 2;
    }
    found
}

async fn told(mut stop: watch::Receiver<bool>) {
    // A sender that is gone has stopped too.
    let _ = stop.wait_for(|stop| *stop).await;
}

#[cfg(test)]
mod tests {
    use super::domains;

    #[test]
    fn pretended_nodes_are_in_one_domain_of_each_level() {
        let levels = ["block".to_owned(), "rack".to_owned()];
        assert_eq!(domains(&levels, 1), ["block-1", "rack-1"]);
        assert_eq!(domains(&levels, 5), ["block-1", "rack-2"]);
        assert_eq!(domains(&levels, 9), ["block-2", "rack-3"]);
        assert!(domains(&[], 7).is_empty());
    }
}
