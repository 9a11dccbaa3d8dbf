//! The picture of the cluster that many look at: drawn at most once a second however many look,
//! and not at all while nobody does.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use muster_api::moment::Moment;
use muster_api::view::{ClusterView, ForeseenView, MapNode, MapView, PlanView};
use muster_model::{Invalid, JobSpec};
use tokio::sync::{broadcast, watch};
use tokio::task::JoinError;
use tokio::time::{Instant, MissedTickBehavior};

use crate::activity::Activity;
use crate::driver::Driver;

/// The shortest time between two pictures.
const PACE: Duration = Duration::from_secs(1);

/// What is measured changes without an entry in the journal.
const LOOK_AGAIN: Duration = Duration::from_secs(10);

/// Nodes, or jobs, drawn while the state is held: between them, decisions are made.
const AT_ONCE: usize = 128;

/// Changes that a slow reader may fall behind by before it is told everything anew.
const CHANGES_KEPT: usize = 16;

/// A plan is good for so long.
const PLAN_GOOD: Duration = Duration::from_secs(5);

/// Starts that a plan looks at.
const PLAN_STARTS: usize = 100;

/// The latest picture, for all.
#[derive(Debug)]
pub(crate) struct Picture {
    latest: Mutex<Option<Arc<MapView>>>,
    changes: broadcast::Sender<Arc<str>>,
    plan: tokio::sync::Mutex<Option<(Instant, Arc<PlanView>)>>,
}

impl Default for Picture {
    fn default() -> Picture {
        let changes = broadcast::Sender::new(CHANGES_KEPT);
        Picture { latest: Mutex::default(), changes, plan: tokio::sync::Mutex::default() }
    }
}

impl Picture {
    /// The picture now, and what changes in it from here on, as JSON.
    pub(crate) fn watch(
        &self,
        driver: &Driver,
        activity: &Activity,
    ) -> (Arc<MapView>, broadcast::Receiver<Arc<str>>) {
        let changes = self.changes.subscribe();
        let mut latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        // The first who looks has it drawn; who comes later gets what the others have, so that the
        // changes they hear are changes of the same picture.
        let view = latest.get_or_insert_with(|| Arc::new(draw(driver, activity)));
        (Arc::clone(view), changes)
    }

    /// Draws what has changed, for as long as the server runs.
    pub(crate) async fn keep(&self, driver: Driver, activity: &Activity) {
        let mut commits: watch::Receiver<u64> = driver.shared().commits();
        let mut pace = tokio::time::interval(PACE);
        pace.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            pace.tick().await;
            let changed = tokio::time::timeout(LOOK_AGAIN, commits.changed()).await;
            if changed.is_ok_and(|changed| changed.is_err()) {
                return;
            }
            if self.changes.receiver_count() > 0 {
                self.draw_change(&driver, activity);
            } else {
                *self.latest.lock().unwrap_or_else(PoisonError::into_inner) = None;
            }
        }
    }

    fn draw_change(&self, driver: &Driver, activity: &Activity) {
        let view = draw(driver, activity);
        let mut latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        let change = latest.as_ref().and_then(|earlier| view.since(earlier));
        if let Some(change) = change {
            let text = serde_json::to_string(&change).expect("a change is plain data");
            // Who looked may have gone away just now.
            let _ = self.changes.send(text.into());
        }
        *latest = Some(Arc::new(view));
    }

    /// What would become of a job if it were submitted now. One future is played at a time, whoever
    /// asks.
    pub(crate) async fn foresee(
        &self,
        driver: &Driver,
        spec: Arc<JobSpec>,
    ) -> Result<Result<ForeseenView, Vec<Invalid>>, JoinError> {
        let _alone = self.plan.lock().await;
        let (shared, now) = (Arc::clone(driver.shared()), driver.now());
        let made = tokio::task::spawn_blocking(move || {
            let engine = shared.read().engine_copy();
            let foreseen = engine.foresee(now, Arc::clone(&spec))?;
            Ok(shared.read().foreseen(&spec, &foreseen))
        });
        made.await
    }

    /// What runs next: made anew when it is some seconds old. The future is played on a copy, so
    /// that decisions wait for no more than the copying.
    pub(crate) async fn plan(&self, driver: &Driver) -> Result<Arc<PlanView>, JoinError> {
        let mut kept = self.plan.lock().await;
        if let Some((made, plan)) = kept.as_ref()
            && made.elapsed() < PLAN_GOOD
        {
            return Ok(Arc::clone(plan));
        }
        let (shared, now) = (Arc::clone(driver.shared()), driver.now());
        let made = tokio::task::spawn_blocking(move || {
            let mut engine = shared.read().engine_copy();
            let outlook = engine.outlook(PLAN_STARTS);
            shared.read().plan(now, outlook)
        });
        let plan = Arc::new(made.await?);
        *kept = Some((Instant::now(), Arc::clone(&plan)));
        Ok(plan)
    }
}

/// Draws everything. The state is let go now and then, so a job may be seen on some of its nodes
/// only; the next picture has it right.
pub(crate) fn draw(driver: &Driver, activity: &Activity) -> MapView {
    let (shared, now) = (driver.shared(), driver.now());
    let ids = shared.read().node_ids();
    let mut nodes = Vec::with_capacity(ids.len());
    for some in ids.chunks(AT_ONCE) {
        let (control, look) = (shared.read(), activity.look(now));
        let drawn =
            some.iter().filter_map(|node| control.map_node(*node, |job| look.by_gpu(job, *node)));
        nodes.extend(drawn);
    }
    let holding: BTreeSet<u64> =
        nodes.iter().flat_map(|node| node.held.iter().map(|part| part.job)).collect();
    let holding: Vec<u64> = holding.into_iter().collect();
    let mut jobs = Vec::with_capacity(holding.len());
    for some in holding.chunks(AT_ONCE) {
        jobs.extend(shared.read().map_jobs(some));
    }
    let sequence = shared.sequence();
    let control = shared.read();
    MapView {
        sequence,
        at: Moment(now),
        cluster: ClusterView { sequence, ..counted(&nodes, control.job_counts()) },
        levels: control.cluster().levels.iter().map(ToString::to_string).collect(),
        jobs,
        largest: control.largest_gangs(),
        nodes,
    }
}

/// The cluster at a glance, by nodes that are drawn already: the state is not held for it.
fn counted(nodes: &[MapNode], jobs: ClusterView) -> ClusterView {
    let mut counted = jobs;
    for node in nodes {
        let by_gpu = node.held.chunk_by(|one, other| one.gpu == other.gpu);
        let used = by_gpu.map(|parts| parts.iter().map(|part| part.milli).sum::<u64>().min(1000));
        counted.add_node(node.state, node.gpus, used.sum());
    }
    counted
}
