//! A cluster to measure: a server in a process of its own, agents in this one.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use muster_agent::Settings;
use muster_client::{Client, Target};
use muster_model::{Mib, Millis};
use rustix::process::{Pid, Signal, kill_process};
use tokio::sync::watch;
use tokio::task::JoinSet;

use super::figures::Figures;
use super::machine::cpu_us;
use crate::serve::LISTENS;
use crate::start::Credentials;

/// How often it is looked whether something has happened that nobody tells us of.
pub(super) const LOOK: Duration = Duration::from_millis(10);

/// How long agents may take to come.
const COMING: Duration = Duration::from_secs(300);

/// A server that runs.
#[derive(Debug)]
pub(super) struct Base {
    child: Child,
    data: PathBuf,
    url: String,
    credentials: Credentials,
    /// What the server said of its start.
    pub(super) said: String,
    /// From the start of its process to the first answer.
    pub(super) ready_after: Duration,
}

/// CPU time so far, in microseconds: of the server, and of this process with its agents, clients
/// and tasks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spent {
    server_us: f64,
    rest_us: f64,
}

/// Agents of a base.
#[derive(Debug)]
pub(super) struct Agents {
    stop: watch::Sender<bool>,
    running: JoinSet<Result<(), muster_agent::AgentError>>,
}

impl Base {
    /// Starts a server on a data directory, which may have a past.
    pub(super) async fn start(data: &Path) -> Result<Base> {
        let begun = Instant::now();
        let program = std::env::current_exe().context("cannot find this program")?;
        let mut command = Command::new(program);
        // One user makes all the requests here, as many as the server takes.
        let config = data.join("muster.toml");
        std::fs::write(&config, "[limits]\nrequests_per_second = 0\n")?;
        command.args(["server", "--listen", "127.0.0.1:0", "--data"]).arg(data);
        command.arg("--config").arg(config);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().context("cannot start a server")?;
        let stderr = child.stderr.take().expect("its errors are a pipe");
        let said = tokio::task::spawn_blocking(move || listening(stderr)).await?;
        let told = said.and_then(|said| {
            let rest = said.strip_prefix(LISTENS).context("the server said something else")?;
            let url = rest.split(';').next().unwrap_or(rest).trim().to_owned();
            let kept = std::fs::read(data.join("credentials.json")).context("no credentials")?;
            Ok((url, serde_json::from_slice(&kept)?, said))
        });
        let (url, credentials, said) = match told {
            Ok(told) => told,
            Err(error) => {
                let _ = child.kill().and_then(|()| child.wait());
                return Err(error);
            }
        };
        let data = data.to_owned();
        let ready_after = Duration::ZERO;
        let mut base = Base { child, data, url, credentials, said, ready_after };
        base.client()?.cluster().await.context("the server does not answer")?;
        base.ready_after = begun.elapsed();
        Ok(base)
    }

    /// A client that may do everything.
    pub(super) fn client(&self) -> Result<Client> {
        let token = Some(self.credentials.admin.clone());
        let target = Target { url: self.url.clone(), token, ca: None, pid: None };
        Ok(Client::new(&target)?)
    }

    /// Where it is reached.
    pub(super) fn url(&self) -> &str {
        &self.url
    }

    /// CPU time so far.
    pub(super) fn spent(&self) -> Spent {
        let rest_us = cpu_us(std::process::id());
        Spent { server_us: cpu_us(self.child.id()), rest_us }
    }

    /// Tells what each job has cost since then. It counts whatever else the machine does.
    pub(super) fn costs(&self, since: Spent, jobs: u32, figures: Figures) -> Figures {
        let (now, jobs) = (self.spent(), f64::from(jobs.max(1)));
        let server_us = (now.server_us - since.server_us) / jobs;
        let rest_us = (now.rest_us - since.rest_us) / jobs;
        figures.measure("server_cpu_us_per_job", server_us, None).measure(
            "rest_cpu_us_per_job",
            rest_us,
            None,
        )
    }

    /// Settings of an agent with 8 GPUs that do not exist. With a time, it launches nothing:
    /// tasks seem to run for so long.
    pub(super) fn agent(&self, number: u32, simulate_ms: Option<u64>) -> Settings {
        let name = format!("node-{number}");
        Settings {
            server: self.url.clone(),
            token: self.credentials.agent.clone(),
            data: self.data.join("nodes").join(&name),
            name: Some(name),
            address: Some("127.0.0.1".to_owned()),
            gpus: "H100x8".to_owned(),
            cpus: Some(64),
            memory: Some(Mib(1 << 20)),
            run_as_agent: true,
            stop_tasks: true,
            simulate: simulate_ms.map(Millis),
            ..Settings::default()
        }
    }

    /// Runs agents, and waits until the server has seen them all.
    pub(super) async fn run(&self, agents: impl Iterator<Item = Settings>) -> Result<Agents> {
        let (stop, stopping) = watch::channel(false);
        let mut running = JoinSet::new();
        for settings in agents {
            let mut stopping = stopping.clone();
            running.spawn(muster_agent::run(settings, async move {
                // A sender that is gone has stopped too.
                let _ = stopping.wait_for(|stop| *stop).await;
            }));
        }
        let client = self.client()?;
        let begun = Instant::now();
        let wanted = u64::try_from(running.len()).unwrap_or(u64::MAX);
        loop {
            let seen = client.cluster().await?.nodes;
            if seen == wanted {
                return Ok(Agents { stop, running });
            }
            if begun.elapsed() > COMING {
                bail!("only {seen} of {wanted} agents have come");
            }
            if let Some(ended) = running.try_join_next() {
                ended??;
                bail!("an agent has stopped by itself");
            }
            tokio::time::sleep(LOOK).await;
        }
    }

    /// Stops the server as an operator would.
    pub(super) async fn stop(mut self) -> Result<()> {
        let pid = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw);
        let pid = pid.context("the server has no number")?;
        kill_process(pid, Signal::TERM).context("cannot stop the server")?;
        let waited = tokio::task::spawn_blocking(move || self.child.wait()).await?;
        let status = waited.context("cannot wait for the server")?;
        if !status.success() {
            bail!("the server stopped with {status}");
        }
        Ok(())
    }
}

impl Spent {
    /// What the server has used since then, in microseconds.
    pub(super) fn server_us_since(self, before: Spent) -> f64 {
        self.server_us - before.server_us
    }
}

impl Agents {
    /// Stops them all.
    pub(super) async fn stop(mut self) -> Result<()> {
        self.stop.send_replace(true);
        while let Some(ended) = self.running.join_next().await {
            ended??;
        }
        Ok(())
    }
}

/// Reads what the server says until it listens; the rest is passed on.
fn listening(stderr: impl std::io::Read + Send + 'static) -> Result<String> {
    let mut lines = BufReader::new(stderr).lines();
    let mut before = Vec::new();
    loop {
        let Some(line) = lines.next().transpose()? else {
            bail!("the server did not start: {}", before.join("; "));
        };
        if line.starts_with(LISTENS) {
            std::thread::spawn(move || {
                lines.map_while(Result::ok).for_each(|it| eprintln!("{it}"));
            });
            return Ok(line);
        }
        before.push(line);
    }
}
