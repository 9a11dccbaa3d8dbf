//! Random clusters, job streams and faults: whatever goes wrong, promises hold, every accepted
//! job ends exactly once, and every run can be repeated to the byte.
//!
//! Each seed is one case. `MUSTER_SEEDS=17` repeats a seed, `MUSTER_SEEDS=0..5000` makes a long
//! run. What fails is shrunk and printed as a story that can be kept and played.

mod cluster;
mod crowd;
mod fleet;
mod jobs;
mod left;
mod scatter;
mod scenario;
mod seeds;

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::env;

use muster_engine::action::Action;
use muster_engine::command::Command;
use muster_engine::snapshot::JobRecord;
use muster_engine::{Engine, Tuning};
use muster_model::{DefragmentationMode, JobId};
use muster_sim::log::{json, replay};
use muster_sim::{SimError, World};

use left::Left;
use scenario::Scenario;
use seeds::for_each_seed;

/// What stops a case, in words.
fn failed(error: &SimError) -> String {
    error.to_string()
}

#[test]
fn every_accepted_job_ends_once_when_faults_stop() {
    for_each_seed(150, |scenario, world| {
        scenario.play(world)?;
        let left = world.drain().map_err(|error| failed(&error))?;
        for &job in &left {
            is_hopeless(scenario, world, job)?;
        }
        scenario.give_up(world, &left)?;
        match world.live().is_empty() {
            true => Ok(()),
            false => Err(format!("jobs {:?} never ended", world.live())),
        }
    });
}

/// A job may only be left if no amount of waiting helps: the cluster cannot hold it even alone,
/// or it waits for one that is left itself.
fn is_hopeless(scenario: &Scenario, world: &mut World, job: JobId) -> Result<(), String> {
    let why = world.why(job).map_err(|error| failed(&error))?;
    let why = why.ok_or(format!("job {job} is alive but unknown"))?;
    let snapshot = world.engine().snapshot();
    let left = Left { jobs: world.live(), snapshot: &snapshot, job };
    match left.waits_for_another(&why.reasons) || !scenario.starts_alone(left.spec()) {
        true => Ok(()),
        false => Err(format!("job {job} is left without need: {why:?}")),
    }
}

#[test]
fn run_repeated_from_its_seed_gives_the_same_bytes() {
    for_each_seed(30, |scenario, world| {
        scenario.play(world)?;
        let mut again = scenario.world(Tuning::default());
        scenario.play(&mut again)?;
        match json(&world.log()) == json(&again.log()) {
            true => Ok(()),
            false => Err("the second run differs from the first".to_owned()),
        }
    });
}

#[test]
fn snapshot_and_tail_equal_the_full_run() {
    for_each_seed(80, |scenario, world| {
        scenario.play(world)?;
        let log = world.log();
        let (head, tail) = log.split_at(log.len() / 2);
        let mut engine = Engine::new(scenario.cluster.clone()).expect("it was accepted before");
        replay(&mut engine, head).map_err(|error| failed(&error))?;
        let saved = json(&engine.snapshot());
        let snapshot = serde_json::from_str(&saved).map_err(|error| error.to_string())?;
        let restored = Engine::restore(snapshot, Tuning::default());
        let mut restored = restored.map_err(|errors| format!("{errors:?}"))?;
        replay(&mut restored, tail).map_err(|error| failed(&error))?;
        match json(&restored.snapshot()) == json(&world.engine().snapshot()) {
            true => Ok(()),
            false => Err("the restored engine ends in another state".to_owned()),
        }
    });
}

#[test]
fn memory_of_failed_shapes_changes_no_action() {
    for_each_seed(80, |scenario, world| {
        scenario.play(world)?;
        let tuning = Tuning { memo: false, ..Tuning::default() };
        let engine = Engine::with_tuning(scenario.cluster.clone(), tuning);
        let mut engine = engine.expect("it was accepted before");
        // A bounded step may leave the rest to the next one, so moments are compared, not steps.
        for moment in world.log().chunk_by(|one, next| one.now == next.now) {
            let mut without = Vec::new();
            for entry in moment {
                without.extend(engine.step(entry.now, entry.command.clone()));
            }
            let with: Vec<_> = moment.iter().flat_map(|entry| &entry.actions).collect();
            if json(&with) != json(&without) {
                let now = moment[0].now.0;
                return Err(format!("at {now}\n{}\n{}", json(&with), json(&without)));
            }
        }
        Ok(())
    });
}

/// What a preview changes is only what is told: on the same commands all else is as without it.
#[test]
fn preview_changes_no_other_action() {
    for_each_seed(80, |scenario, world| {
        let with_mode = |mode| {
            let mut cluster = scenario.cluster.clone();
            cluster.policy.defragmentation.mode = mode;
            Scenario { cluster, ..scenario.clone() }
        };
        let off = with_mode(DefragmentationMode::Off);
        *world = off.world(Tuning::default());
        off.play(world)?;
        let cluster = with_mode(DefragmentationMode::Preview).cluster;
        let mut engine = Engine::new(cluster).expect("it was accepted before");
        for entry in world.log() {
            let mut told = engine.step(entry.now, entry.command.clone());
            told.retain(|action| !matches!(action, Action::Previewed { .. }));
            if json(&told) != json(&entry.actions) {
                return Err(format!(
                    "at {} {}\n{}",
                    entry.now.0,
                    json(&entry.actions),
                    json(&told)
                ));
            }
        }
        Ok(())
    });
}

/// Guards the scattered worlds: moves and previews must be common in them.
#[test]
fn moves_and_previews_are_common() {
    let counts = RefCell::new([0_usize; 2]);
    for_each_seed(200, |scenario, world| {
        scenario.play(world)?;
        let snapshot = json(&world.engine().snapshot());
        let mut counts = counts.borrow_mut();
        counts[0] += snapshot.matches("\"moved\":{\"by\"").count();
        counts[1] += json(&world.log()).matches("\"previewed\"").count();
        Ok(())
    });
    let counts = counts.into_inner();
    let is_enough = counts[0] >= 12 && counts[1] >= 3;
    assert!(is_enough || env::var_os("MUSTER_SEEDS").is_some(), "{counts:?}");
}

/// Guards the scattered worlds: elastic jobs grow onto what is reserved, and give it back.
#[test]
fn reserved_gpus_are_lent_to_jobs_that_grow() {
    let counts = RefCell::new([0_usize; 2]);
    for_each_seed(100, |scenario, world| {
        scenario.play(world)?;
        let mut engine = Engine::new(scenario.cluster.clone()).expect("it was accepted before");
        let mut lent: BTreeSet<JobId> = BTreeSet::new();
        for entry in world.log() {
            let actions = engine.step(entry.now, entry.command.clone());
            let is_resized =
                matches!(entry.command, Command::Resized { .. }) || actions.iter().any(is_resize);
            if !is_resized {
                continue;
            }
            let jobs = engine.snapshot().jobs.into_iter();
            let now: BTreeSet<JobId> = jobs.filter(has_loan).map(|job| job.id).collect();
            let mut counts = counts.borrow_mut();
            counts[0] += now.difference(&lent).count();
            counts[1] += lent.difference(&now).count();
            lent = now;
        }
        Ok(())
    });
    let counts = counts.into_inner();
    let is_enough = counts.iter().all(|count| *count >= 3);
    assert!(is_enough || env::var_os("MUSTER_SEEDS").is_some(), "{counts:?}");
}

fn is_resize(action: &Action) -> bool {
    matches!(action, Action::Resize { .. })
}

fn has_loan(job: &JobRecord) -> bool {
    let elastic = job.run.as_ref().and_then(|run| run.elastic.as_ref());
    elastic.is_some_and(|elastic| elastic.lent_from.is_some())
}

#[test]
fn scenario_without_faults_needs_no_second_attempt() {
    for_each_seed(30, |scenario, world| {
        let calm = Scenario { faults: muster_sim::Faults::NONE, ..scenario.clone() };
        *world = calm.world(Tuning::default());
        calm.play(world)?;
        world.drain().map_err(|error| failed(&error))?;
        let snapshot = world.engine().snapshot();
        let again =
            snapshot.jobs.iter().find(|job| job.requeues > 0 && !job.spec.requeue.when_failed);
        match again {
            Some(job) => Err(format!("job {} was started again without a fault", job.id)),
            None => Ok(()),
        }
    });
}

/// Guards the other tests: gangs lose nodes and get their places back, whole and in part, and
/// large ones meet nodes that fail often.
#[test]
fn repairs_and_risky_nodes_occur() {
    let (seen, used) = (RefCell::new([0; 3]), RefCell::new(0));
    for_each_seed(500, |scenario, world| {
        scenario.play(world)?;
        for job in &world.engine().snapshot().jobs {
            let Some(decision) = &job.decision else { continue };
            if let Some(repair) = &decision.repair {
                let kind = usize::from(repair.stayed > 0) + usize::from(repair.moved == 0);
                seen.borrow_mut()[kind] += 1;
            }
            *used.borrow_mut() += u32::from(decision.risk.is_some());
        }
        Ok(())
    });
    let (seen, used) = (seen.into_inner(), used.into_inner());
    let is_enough = seen.iter().all(|count| *count > 0) && used > 0;
    assert!(is_enough || env::var_os("MUSTER_SEEDS").is_some(), "{seen:?} and {used}");
}

/// Guards the other tests: bookings are made, used by those they are for, and make others go.
#[test]
fn bookings_are_used_and_make_others_go() {
    let seen = RefCell::new([0_usize; 3]);
    for_each_seed(150, |scenario, world| {
        scenario.play(world)?;
        let mut seen = seen.borrow_mut();
        let snapshot = world.engine().snapshot();
        let inside = snapshot.jobs.iter().filter(|job| job.spec.booking.is_some());
        seen[0] += usize::try_from(snapshot.bookings_made).expect("a run is short");
        seen[1] += inside.filter(|job| job.attempt.0 > 0).count();
        let by_time = world.log().iter().filter(|entry| entry.command == Command::Tick);
        let is_stop = |action: &&Action| matches!(action, Action::Stop { .. });
        let at_start = by_time.filter(|entry| {
            let notices = snapshot.bookings.iter().map(|record| record.booking.start);
            let grace = snapshot.cluster.policy.stop_grace;
            notices.into_iter().any(|start| start.0.saturating_sub(grace.0) == entry.now.0)
        });
        seen[2] += at_start.flat_map(|entry| &entry.actions).filter(is_stop).count();
        Ok(())
    });
    let seen = seen.into_inner();
    let is_enough = seen.iter().all(|count| *count > 10);
    assert!(is_enough || env::var_os("MUSTER_SEEDS").is_some(), "{seen:?}");
}

/// Guards the other tests: a world in which nothing happens would prove nothing.
#[test]
fn every_kind_of_command_and_outcome_occurs() {
    let seen = RefCell::new(String::new());
    for_each_seed(60, |scenario, world| {
        scenario.play(world)?;
        seen.borrow_mut().push_str(&json(&world.log()));
        Ok(())
    });
    let kinds = [
        "submit",
        "cancel",
        "hold",
        "release",
        "requeue",
        "amend",
        "amended",
        "estimated",
        "node-joined",
        "node-lost",
        "nodes-lost",
        "node-returned",
        "node-drained",
        "node-resumed",
        "booking-set",
        "booking-removed",
        "gpu-unhealthy",
        "gpu-healthy",
        "started",
        "refused",
        "ended",
        "resized",
        "progress",
        "tick",
        "launch",
        "resize",
        "stop",
        "signal",
        "completed",
        "failed",
        "cancelled",
        "timed-out",
        "node-lost",
        "launch-failed",
        "dependency-failed",
        "deadline-missed",
        "out-of-memory",
        "saved",
        "idle",
        "paused",
        "resumed",
        "pause",
        "resume",
        "pausing",
        "resuming",
        "freeze",
        "suspend",
        "checkpoint",
    ];
    let seen = seen.into_inner();
    let missing: Vec<_> =
        kinds.iter().filter(|kind| !seen.contains(&format!("\"{kind}\""))).collect();
    assert!(missing.is_empty() || env::var_os("MUSTER_SEEDS").is_some(), "missing {missing:?}");
}

/// Guards the crowded worlds: pauses of every kind, refusals and returns must be common in them.
#[test]
fn pauses_refusals_and_returns_are_common() {
    let words = ["paused", "pause-refused", "resumed", "saved", "pausing", "resuming", "guarantee"];
    let counts = RefCell::new([0_usize; 7]);
    let lent = RefCell::new(0_usize);
    for_each_seed(500, |scenario, world| {
        scenario.play(world)?;
        let text = json(&world.log()) + &json(&world.engine().snapshot());
        *lent.borrow_mut() += text.matches("\"cause\":\"idle\"").count();
        for (count, word) in counts.borrow_mut().iter_mut().zip(words) {
            *count += text.matches(&format!("\"{word}\"")).count();
        }
        Ok(())
    });
    let counts = counts.into_inner();
    let is_lent = *lent.borrow() > 0 || env::var_os("MUSTER_SEEDS").is_some();
    assert!(is_lent, "nobody gave up what was idle");
    // Refusals are as rare as faults are, the rest must be common.
    let least = |word: &str| if word == "pause-refused" { 1 } else { 20 };
    let counts = words.iter().zip(counts);
    let rare: Vec<_> = counts.filter(|(word, count)| *count < least(word)).collect();
    assert!(rare.is_empty() || env::var_os("MUSTER_SEEDS").is_some(), "rare: {rare:?}");
}
