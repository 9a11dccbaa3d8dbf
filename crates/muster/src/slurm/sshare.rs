//! `sshare`: what queues may have of what is shared, and have.

use muster_slurm::tool::SSHARE;
use muster_slurm::words::format::{self, manage};

use super::sacctmgr::table;
use super::session::Session;
use super::{Ended, Stop, asked_about, say};

const NAME: &str = "sshare";

pub(super) async fn run(words: Vec<String>) -> Ended {
    let given = SSHARE.read(words).map_err(|said| Stop::plain(said, 1))?;
    if let Some(text) = asked_about(&SSHARE, &given) {
        return say(&text);
    }
    let names: Vec<&str> = manage::SHARE.iter().map(|field| field.name).collect();
    let columns = given.value("format").map_or_else(|| names.join(","), str::to_owned);
    let format = format::accounting(&columns, manage::SHARE);
    let format = format.map_err(|error| Stop::error(NAME, error))?;
    let session = Session::open(NAME)?;
    let mut queues = session.client.queues().await.map_err(|error| session.failed(error))?;
    if let Some(wanted) = given.list("accounts") {
        queues.retain(|queue| wanted.contains(&queue.name));
    }
    let shares: u64 = queues.iter().map(|queue| u64::from(queue.weight)).sum();
    let used: u64 = queues.iter().map(|queue| queue.used_milli).sum();
    let rows: Vec<_> = queues
        .iter()
        .map(|queue| {
            vec![
                ("Account", queue.name.clone()),
                ("RawShares", queue.weight.to_string()),
                ("NormShares", part(u64::from(queue.weight), shares)),
                ("RawUsage", (queue.used_milli / 1000).to_string()),
                ("EffectvUsage", part(queue.used_milli, used)),
            ]
        })
        .collect();
    say(&table(&given, &format, &rows))
}

/// A part of a whole with six digits.
fn part(some: u64, all: u64) -> String {
    const DIGITS: u64 = 1_000_000;
    let parts = some.saturating_mul(DIGITS).checked_div(all).unwrap_or(0);
    format!("{}.{:06}", parts / DIGITS, parts % DIGITS)
}

#[cfg(test)]
mod tests {
    use super::part;

    #[test]
    fn parts_have_six_digits() {
        assert_eq!(part(1, 3), "0.333333");
        assert_eq!(part(2, 2), "1.000000");
        assert_eq!(part(0, 0), "0.000000");
    }
}
