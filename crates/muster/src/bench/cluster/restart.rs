//! How long a server takes to be ready on what an earlier one left: once after a clean stop, once
//! as after a power failure, where the end of the journal has to be replayed.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

use super::super::figures::Target;
use super::base::Base;
use super::figures::Figures;
use super::fill::fill;
use super::scratch::Scratch;

/// What is aimed at, in seconds.
const AIM: Option<Target> = Some(Target::Below(5.0));

/// What a start said of itself.
struct Started {
    ready: Duration,
    replayed: u64,
    files_ms: f64,
    snapshot_ms: f64,
    replay_ms: f64,
}

pub(super) async fn measure(parent: &Path, finished: u32, live: u32) -> Result<Figures> {
    let (folder, copy) = (Scratch::below(parent)?, Scratch::below(parent)?);
    let begun = Instant::now();
    let filled = fill(folder.path(), finished, live).await?;
    let made = begun.elapsed();
    // While nothing is asked of it, the files are what a crash would leave.
    for file in std::fs::read_dir(folder.path())? {
        let file = file?;
        std::fs::copy(file.path(), copy.path().join(file.file_name()))
            .with_context(|| format!("cannot copy {}", file.path().display()))?;
    }
    filled.stop().await?;
    let clean = start(folder.path(), finished, live).await?;
    let crashed = start(copy.path(), finished, live).await?;
    let figures = Figures::of("restart")
        .count("jobs_finished", finished)
        .count("jobs_live", live)
        .measure("fill_s", made.as_secs_f64(), None);
    Ok(crashed.tell("crash", clean.tell("clean", figures)))
}

async fn start(data: &Path, finished: u32, live: u32) -> Result<Started> {
    let base = Base::start(data).await?;
    let glance = base.client()?.cluster().await?;
    let alive = glance.active + glance.pending;
    ensure!(glance.ended == u64::from(finished), "{} jobs have ended", glance.ended);
    ensure!(alive == u64::from(live), "{alive} jobs are alive");
    let part = |name: &str| number_before(&base.said, name);
    let started = Started {
        ready: base.ready_after,
        replayed: number_after(&base.said, "; "),
        files_ms: part(" ms for the files"),
        snapshot_ms: part(" ms for the snapshot"),
        replay_ms: part(" ms for the replay"),
    };
    base.stop().await?;
    Ok(started)
}

impl Started {
    fn tell(&self, after: &str, figures: Figures) -> Figures {
        figures
            .measure(&format!("{after}_ready_s"), self.ready.as_secs_f64(), AIM)
            .count(&format!("{after}_replayed_entries"), self.replayed)
            .measure(&format!("{after}_files_ms"), self.files_ms, None)
            .measure(&format!("{after}_snapshot_ms"), self.snapshot_ms, None)
            .measure(&format!("{after}_replay_ms"), self.replay_ms, None)
    }
}

/// The number that stands right before some words.
fn number_before(text: &str, words: &str) -> f64 {
    let number = text.split(words).next().and_then(|before| before.rsplit([' ', '(']).next());
    number.and_then(|number| number.parse().ok()).unwrap_or(0.0)
}

/// The number that stands right after some words.
fn number_after(text: &str, words: &str) -> u64 {
    let rest = text.split_once(words).map_or("", |(_, rest)| rest);
    rest.split(' ').next().and_then(|number| number.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::{number_after, number_before};

    #[test]
    fn what_a_server_says_of_its_start_is_understood() {
        let said = crate::serve::started("http://127.0.0.1:1", 17, [3, 250, 40]);
        assert_eq!(number_after(&said, "; "), 17);
        assert_eq!(number_before(&said, " ms for the files"), 3.0);
        assert_eq!(number_before(&said, " ms for the snapshot"), 250.0);
        assert_eq!(number_before(&said, " ms for the replay"), 40.0);
    }
}
