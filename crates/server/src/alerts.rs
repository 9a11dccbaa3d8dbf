//! Alerts for who has no monitoring system: looks, judges, keeps what is known on disk, and tells
//! webhooks and commands until they have heard.
//!
//! Nothing here holds up the driver: looking and telling are tasks of their own. What is known is
//! written before it is told, so that after a restart what was told is not told again, and what was
//! not still is.

mod deliver;
pub(crate) mod facts;
mod judge;
mod settings;

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use muster_api::view::{AlertKind, AlertView};
use reqwest::Client;
use tokio::task::JoinSet;

use crate::http::App;
use facts::Gatherer;
pub(crate) use facts::{Busy, Job as Alerted};
use judge::{Alerts, Errand};
pub(crate) use settings::mistakes;
pub use settings::{AlertRule, Period};

/// How often it is looked.
const LOOK: Duration = Duration::from_secs(5);

/// How often it is seen who is owed word.
const TELL: Duration = Duration::from_millis(500);

/// Who is told at the same time.
const TOGETHER_MAX: usize = 8;

/// The file in the data directory.
const FILE: &str = "alerts.json";

/// What is looked for and what is known.
#[derive(Debug)]
pub(crate) struct Desk {
    rules: Vec<AlertRule>,
    file: PathBuf,
    known: Mutex<Alerts>,
    /// Held while the file is written, so that an older state never takes the place of a newer.
    writing: tokio::sync::Mutex<()>,
}

impl Desk {
    /// With what was known before. A file that cannot be read is as none; that is a warning.
    pub(crate) fn open(rules: Vec<AlertRule>, data: &Path) -> (Desk, Option<String>) {
        let file = data.join(FILE);
        let read = match std::fs::read(&file) {
            Ok(text) => serde_json::from_slice(&text).map_err(|error| error.to_string()),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Alerts::default()),
            Err(error) => Err(error.to_string()),
        };
        let warning = read.as_ref().err().map(|error| {
            let path = file.display();
            format!("{path} cannot be read: {error}; alerts that were told may be told again")
        });
        let mut known = read.unwrap_or_default();
        known.keep_only(&rules);
        let (known, writing) = (Mutex::new(known), tokio::sync::Mutex::default());
        (Desk { rules, file, known, writing }, warning)
    }

    /// All that fire, and that did lately.
    pub(crate) fn views(&self) -> Vec<AlertView> {
        self.lock().views()
    }

    /// How many fire, by kind.
    pub(crate) fn firing(&self) -> BTreeMap<AlertKind, u64> {
        self.lock().firing()
    }

    /// Looks and judges, for as long as the server runs.
    pub(crate) async fn look(&self, app: &App) {
        if self.rules.is_empty() {
            return;
        }
        let (mut ticks, mut gatherer) = (tokio::time::interval(LOOK), Gatherer::default());
        ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            let facts = gatherer.gather(&self.rules, app).await;
            let is_changed = {
                let mut known = self.lock();
                let before = known.clone();
                known.judge(&self.rules, &facts);
                *known != before
            };
            if is_changed {
                self.keep().await;
            }
        }
    }

    /// Tells who is owed word, for as long as the server runs.
    pub(crate) async fn tell(&self, app: &App) {
        if !self.rules.iter().any(AlertRule::tells) {
            return;
        }
        let client = Client::new();
        let mut ticks = tokio::time::interval(TELL);
        ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            let mut errands = self.lock().errands(app.driver.now());
            errands.truncate(TOGETHER_MAX);
            if errands.is_empty() {
                continue;
            }
            let mut telling = JoinSet::new();
            for errand in errands {
                let rule = self.rules.iter().find(|rule| rule.name() == errand.view.alert);
                let Some(rule) = rule.cloned() else { continue };
                let client = client.clone();
                telling.spawn(async move {
                    let told = deliver::tell(&client, &rule, &errand.view).await;
                    (errand, told)
                });
            }
            while let Some(told) = telling.join_next().await {
                let Ok((errand, result)) = told else { continue };
                self.note(app, &errand, result);
            }
            self.keep().await;
        }
    }

    fn note(&self, app: &App, errand: &Errand, result: Result<(), String>) {
        if let Err(error) = &result {
            let (alert, subject) = (&errand.view.alert, &errand.view.subject);
            tracing::warn!("cannot tell of alert {alert} about {subject}: {error}");
        }
        app.driver.shared().meters().told(result.is_ok());
        self.lock().brought(errand, app.driver.now(), result);
    }

    /// Writes what is known, whole or not at all.
    async fn keep(&self) {
        let _writing = self.writing.lock().await;
        let (file, known) = (self.file.clone(), self.lock().clone());
        let written = tokio::task::spawn_blocking(move || write(&file, &known));
        let written = written.await.map_err(std::io::Error::other).and_then(|written| written);
        if let Err(error) = written {
            // They are told all the same; after a restart perhaps once more.
            tracing::error!("cannot write {}: {error}", self.file.display());
        }
    }

    fn lock(&self) -> MutexGuard<'_, Alerts> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn write(path: &Path, known: &Alerts) -> std::io::Result<()> {
    let beside = path.with_extension("json.new");
    let mut file = std::fs::File::create(&beside)?;
    file.write_all(&serde_json::to_vec(known)?)?;
    file.sync_all()?;
    std::fs::rename(beside, path)
}
