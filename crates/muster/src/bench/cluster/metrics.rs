//! What a monitoring system costs that reads `/metrics`: how long an answer takes and how large it
//! is, beside what a pass takes on the same server, with many nodes and queues.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

use super::super::figures::Target;
use super::super::meter::Meter;
use super::base::Base;
use super::figures::Figures;
use super::fill;
use super::load;
use super::scratch::Scratch;

/// Scrapes that are measured.
const SCRAPES: u32 = 50;

/// Jobs that are submitted one after the other, each a pass of its own.
const PASSES: u32 = 200;

/// What is aimed at for one scrape, in milliseconds.
const AIM: Option<Target> = Some(Target::Below(100.0));

/// Passes so far: how long all took, in seconds, and how many there were.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Passes {
    pub(super) sum: f64,
    pub(super) count: f64,
}

impl Passes {
    /// What a server says of its passes.
    pub(super) fn read(url: &str) -> Result<Passes> {
        let text = scrape(url)?;
        let value = |name: &str| -> Result<f64> {
            let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
            let line = line.with_context(|| format!("/metrics has no {name}"))?;
            line.trim().parse().with_context(|| format!("{name} is no number"))
        };
        Ok(Passes {
            sum: value("muster_pass_seconds_sum")?,
            count: value("muster_pass_seconds_count")?,
        })
    }

    pub(super) fn add(&mut self, begun: Passes, ended: Passes) {
        self.sum += ended.sum - begun.sum;
        self.count += ended.count - begun.count;
    }

    pub(super) fn mean_us(self) -> f64 {
        self.sum * 1e6 / self.count.max(1.0)
    }
}

pub(super) async fn measure(parent: &Path, nodes: u32, queues: u32) -> Result<Figures> {
    let folder = Scratch::below(parent)?;
    fill::crowd(folder.path(), nodes, queues).await?.stop().await?;
    let base = Base::start(folder.path()).await?;
    let (client, url) = (base.client()?, base.url().to_owned());
    let begun = Instant::now();
    // The first asks the history for sums that are kept for a while.
    let first = Passes::read(&url)?;
    let first_scrape = begun.elapsed();
    load::submit(&client, &load::job(1)?, PASSES, 1).await?;
    let mut passes = Passes::default();
    passes.add(first, Passes::read(&url)?);
    let (mut scrapes, mut bytes) = (Meter::default(), 0);
    let before = base.spent();
    for _ in 0..SCRAPES {
        let begun = Instant::now();
        bytes = scrape(&url)?.len();
        scrapes.add(begun.elapsed());
    }
    let cpu_us = base.spent().server_us_since(before) / f64::from(SCRAPES);
    let glance = client.cluster().await?;
    base.stop().await?;
    ensure!(passes.count > 0.0, "no pass was counted");
    let mean_us = scrapes.total_us() / f64::from(SCRAPES);
    Ok(Figures::of("metrics")
        .count("nodes", nodes)
        .count("gpus", glance.gpus)
        .count("queues", queues)
        .count("jobs_active", glance.active)
        .count("jobs_pending", glance.pending)
        .count("scrapes", SCRAPES)
        .count("scrape_bytes", bytes as u64)
        .measure("first_scrape_ms", millis(first_scrape), None)
        .spread("scrape", scrapes, [AIM, None])
        .measure("server_cpu_us_per_scrape", cpu_us, None)
        .measure("passes_count", passes.count, None)
        .measure("pass_mean_us", passes.mean_us(), None)
        .measure("scrape_per_pass", mean_us / passes.mean_us().max(f64::MIN_POSITIVE), None))
}

fn millis(span: Duration) -> f64 {
    span.as_secs_f64() * 1_000.0
}

/// What is at `/metrics`, with its header.
fn scrape(url: &str) -> Result<String> {
    let address = url.strip_prefix("http://").context("the server is on loopback")?;
    let mut stream = TcpStream::connect(address).context("the server does not answer")?;
    write!(stream, "GET /metrics HTTP/1.0\r\nHost: {address}\r\n\r\n")?;
    let mut text = String::new();
    stream.read_to_string(&mut text)?;
    ensure!(text.starts_with("HTTP/1.0 200"), "/metrics was refused: {text}");
    Ok(text)
}
