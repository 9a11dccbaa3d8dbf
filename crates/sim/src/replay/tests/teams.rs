//! Queues of teams: who is guaranteed what, and what that changes.

use std::fmt::Write as _;

use muster_model::MilliGpu;
use muster_trace::{Cluster, Job, Mix, Owner, Queue, Recipe, Trace};

use super::super::{Cost, Guarantees, Options, Replayed, Rules, Teams, run};
use super::{cluster, ends, job};

fn of(team: &str, job: Job) -> Job {
    Job { team: Some(team.into()), ..job }
}

fn queue(team: &str, gpus: u64) -> Queue {
    Queue { team: team.into(), guarantee: MilliGpu::whole(gpus), weight: 1 }
}

fn with_queues(line: &str, queues: &[(&str, u64)]) -> Cluster {
    let queues = queues.iter().map(|(team, gpus)| queue(team, *gpus)).collect();
    Cluster { queues, ..cluster(line) }
}

fn teams(jobs: &[Job], cluster: &Cluster) -> Result<Teams, String> {
    Teams::of(&Trace::new("small", jobs.to_vec()), cluster).map_err(|error| error.to_string())
}

/// Team a fills two nodes for hours, and team b comes later with a small job.
fn rivals() -> Vec<Job> {
    let mut jobs: Vec<Job> = (0..4).map(|_| of("a", job(0, 600, 8))).collect();
    jobs.push(of("b", job(10, 60, 8)));
    jobs
}

fn replay(cluster: &Cluster, options: &Options, with_teams: bool) -> Replayed {
    let trace = Trace::new("small", rivals());
    let teams = with_teams.then(|| Teams::of(&trace, cluster).unwrap());
    run(&trace, cluster, &Options { teams, ..options.clone() }, |_| {}).unwrap()
}

#[test]
fn what_a_team_is_guaranteed_is_reclaimed_for_it() {
    let cluster = with_queues("2x8:H100", &[("a", 8), ("b", 8)]);
    // Nobody is paused for being longer than another.
    let mut options = Options::new(Rules::muster());
    options.rules.policy.pausing.overhead_ppm = 1;
    let waits = |replayed: &Replayed| replayed.records[4].waited.0 / 60_000;
    let one_queue = replay(&cluster, &options, false);
    assert!(waits(&one_queue) > 60, "{}", waits(&one_queue));
    let own_queue = replay(&cluster, &options, true);
    assert!(waits(&own_queue) <= 10, "{}", waits(&own_queue));
    let paused: u32 = own_queue.records.iter().map(|record| record.pauses).sum();
    assert!(paused >= 1, "somebody gave way");
}

#[test]
fn a_team_below_its_guarantee_goes_first_even_where_nobody_is_paused() {
    let options = Options { cost: Cost::Never, ..Options::new(Rules::named("fifo").unwrap()) };
    let guaranteed = with_queues("2x8:H100", &[("a", 8), ("b", 8)]);
    assert_eq!(ends(&replay(&guaranteed, &options, false))[4], (1_200 + 60) * 60);
    assert_eq!(ends(&replay(&guaranteed, &options, true))[4], (600 + 60) * 60);
    let not = with_queues("2x8:H100", &[("a", 16)]);
    assert_eq!(ends(&replay(&not, &options, true))[4], (1_200 + 60) * 60);
}

#[test]
fn without_queues_of_the_cluster_half_of_it_goes_by_gpu_time() {
    let jobs = [
        of("a", job(0, 60, 4)),
        of("b", job(0, 30, 4)),
        of("b", job(0, 60, 4)),
        of("c", job(0, 1, 1)),
        job(0, 10, 1),
    ];
    let teams = teams(&jobs, &cluster("4x8:H100")).unwrap();
    assert_eq!((teams.by, teams.guarantees), (Owner::Team, Guarantees::GpuTime));
    // 16 of 32, by 240, 360 and 1 of 601 GPU-minutes.
    let given: Vec<(&str, u64)> =
        teams.iter().map(|team| (&*team.name, team.guarantee.0 / 1_000)).collect();
    assert_eq!(given, [("a", 6), ("b", 9), ("c", 0)]);
    let queues = teams.queues();
    let weights: Vec<u32> = queues.iter().map(|queue| queue.weight).collect();
    assert_eq!(weights, [6, 9, 1, 1], "and one queue for the job of nobody");
    assert_eq!((teams.queue_of(&jobs[1]), teams.queue_of(&jobs[4])), ("team-2", "default"));
}

#[test]
fn pools_stand_for_teams_where_no_job_names_one_and_users_never_do() {
    let pooled = |pool: &str| Job { pool: Some(pool.into()), ..job(0, 60, 8) };
    let found = teams(&[pooled("vc-b"), pooled("vc-a")], &cluster("2x8:H100")).unwrap();
    assert_eq!(found.by, Owner::Pool);
    let with_user = Job { user: Some("user-a".into()), ..job(0, 60, 8) };
    let said = teams(&[with_user], &cluster("2x8:H100")).unwrap_err();
    assert!(said.starts_with("the trace has no teams") && said.contains("\nhint: "), "{said}");
}

#[test]
fn clusters_with_pools_and_guarantees_beyond_the_cluster_are_refused() {
    let jobs = rivals();
    let said = teams(&jobs, &cluster("1x8:H100/pool=x+1x8:H100/pool=y")).unwrap_err();
    assert!(said.contains("has pools, which share nothing"), "{said}");
    let said = teams(&jobs, &with_queues("2x8:H100", &[("a", 12), ("other", 5)])).unwrap_err();
    assert!(said.starts_with("17 GPUs are guaranteed in all, and the cluster has 16"), "{said}");
}

#[test]
fn a_team_that_is_not_there_is_told_with_some_that_are() {
    let jobs: Vec<Job> = (10..30).map(|n| of(&format!("team-{n}"), job(0, 1, 1))).collect();
    let mut teams = teams(&jobs, &cluster("2x8:H100")).unwrap();
    let said = teams.find("team-9").unwrap_err().to_string();
    let mut known = String::from("team-10");
    (11..22).for_each(|n| write!(known, ", team-{n}").unwrap());
    let expected = format!("there is no team team-9\nhint: expected one of {known} and 8 more");
    assert_eq!(said, expected);
    assert_eq!(&*teams.find("team-29").unwrap().name, "team-29");
}

#[test]
fn names_that_the_model_does_not_take_have_queues_of_their_own() {
    let jobs = vec![of("a b", job(0, 60, 8)), of("a/b", job(0, 60, 8)), of("", job(0, 60, 8))];
    let (trace, cluster) = (Trace::new("small", jobs), cluster("1x8:H100"));
    let teams = Some(Teams::of(&trace, &cluster).unwrap());
    let options = Options { teams, ..Options::new(Rules::muster()) };
    let replayed = run(&trace, &cluster, &options, |_| {}).unwrap();
    assert_eq!((replayed.figures().jobs, replayed.refused.len()), (3, 0));
}

#[test]
fn a_made_up_week_of_teams_keeps_every_promise_and_repeats_to_the_byte() {
    let recipe = Recipe { load_percent: 140, ..Recipe::new(Mix::Llm, 250, 64, 3) };
    let mut trace = recipe.make().unwrap();
    for (index, job) in trace.jobs.iter_mut().enumerate() {
        // Some belong to nobody.
        job.team = [Some("a"), Some("b"), Some("c"), None][index % 4].map(Into::into);
    }
    let cluster = cluster("8x8:H100");
    let teams = Teams::of(&trace, &cluster).unwrap();
    assert!(teams.iter().filter(|team| team.guarantee.0 > 0).count() > 1, "{teams:?}");
    let plain = Options::new(Rules::muster());
    let options = Options { teams: Some(teams), ..plain.clone() };
    let once = run(&trace, &cluster, &options, |_| {}).unwrap();
    assert_eq!((once.figures().jobs, once.figures().refused), (250, 0));
    assert_eq!(once, run(&trace, &cluster, &options, |_| {}).unwrap());
    assert_ne!(once, run(&trace, &cluster, &plain, |_| {}).unwrap(), "queues change something");
}
