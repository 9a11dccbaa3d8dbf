//! `scontrol`: shows everything about one thing, and changes jobs.

mod change;
mod show;
mod update;

use muster_slurm::tool::{Given, SCONTROL};

use super::{Ended, Stop, VERSION, asked_about, say};

const NAME: &str = "scontrol";

pub(super) async fn run(words: Vec<String>) -> Ended {
    let given = SCONTROL.read(words).map_err(|said| Stop::plain(said, 1))?;
    if let Some(text) = asked_about(&SCONTROL, &given) {
        return say(&text);
    }
    let Some((keyword, rest)) = given.rest.split_first() else {
        return Err(Stop::plain("too few arguments for keyword:", 1));
    };
    let is = |word: &str| is_beginning(keyword, word);
    match keyword.to_ascii_lowercase().as_str() {
        _ if is("show") => show::run(&given, rest).await,
        _ if is("version") => say(&format!("{VERSION}\n")),
        _ if is("ping") => ping().await,
        "update" => change::update(rest).await,
        "hold" | "uhold" | "release" | "requeue" | "requeuehold" | "suspend" | "resume" => {
            change::order(&given, keyword, rest).await
        }
        _ => Err(Stop::plain(format!("invalid keyword: {keyword}"), 1)),
    }
}

/// Keywords may be cut short.
fn is_beginning(word: &str, whole: &str) -> bool {
    !word.is_empty() && whole.starts_with(&word.to_ascii_lowercase())
}

async fn ping() -> Ended {
    let session = super::session::Session::open(NAME)?;
    let url = session.client.url().to_owned();
    match session.client.cluster().await {
        Ok(_) => say(&format!("Slurmctld(primary) at {url} is UP\n")),
        Err(_) => {
            say(&format!("Slurmctld(primary) at {url} is DOWN\n"))?;
            Ok(1)
        }
    }
}

/// Whether what goes wrong is kept quiet.
fn is_quiet(given: &Given) -> bool {
    given.has("quiet")
}
