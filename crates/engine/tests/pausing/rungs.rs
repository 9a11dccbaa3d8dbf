//! Which rung is taken: the one that costs the least of those that can be done, in time.

use super::support::*;
use crate::support::*;

/// One row: what the job allows, its host memory, how long it ran, and the rung expected for it.
struct Row {
    name: &'static str,
    spec: JobSpec,
    memory: Mib,
    ran: Millis,
    rung: Option<Rung>,
}

fn row(name: &'static str, spec: JobSpec, rung: Option<Rung>) -> Row {
    Row { name, spec, memory: gib(4096), ran: minutes(11), rung }
}

impl Row {
    fn memory(self, memory: Mib) -> Row {
        Row { memory, ..self }
    }

    fn ran(self, ran: Millis) -> Row {
        Row { ran, ..self }
    }

    fn chosen(&self) -> Option<Rung> {
        let mut world = with_host_memory(1, self.memory).build();
        let job = world.run(self.spec.clone());
        world.advance(self.ran);
        world.submit(urgent(1, 8));
        let pauses = world.record(job).pauses?;
        Some(pauses.latest.rung)
    }
}

fn check_rows(rows: &[Row]) {
    let wrong: Vec<String> = (rows.iter())
        .map(|row| (row, row.chosen()))
        .filter(|(row, chosen)| *chosen != row.rung)
        .map(|(row, chosen)| format!("{}: expected {:?}, took {chosen:?}", row.name, row.rung))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

const SUSPEND: Option<Rung> = Some(Rung::Suspend);
const CHECKPOINT: Option<Rung> = Some(Rung::Checkpoint);
const REQUEUE: Option<Rung> = Some(Rung::Requeue);

fn can(rung: Rung, save: Millis, restore: Millis) -> JobSpec {
    stubborn(1, 8).rung(rung, save, restore)
}

#[test]
fn the_only_rung_a_job_allows_is_taken() {
    check_rows(&[
        row("suspend", can(Rung::Suspend, seconds(20), seconds(10)), SUSPEND),
        row("checkpoint", can(Rung::Checkpoint, minutes(1), minutes(1)), CHECKPOINT),
        row("requeue", can(Rung::Requeue, seconds(1), minutes(1)), REQUEUE),
    ]);
}

#[test]
fn of_several_rungs_the_one_that_costs_the_least_is_taken() {
    let suspend = |save, restore| can(Rung::Suspend, save, restore);
    let cheap_save = seconds(5);
    check_rows(&[
        row(
            "suspending is quicker than saving",
            suspend(seconds(20), seconds(10)).rung(Rung::Checkpoint, seconds(20), seconds(11)),
            SUSPEND,
        ),
        row(
            "saving is quicker than suspending",
            suspend(seconds(20), seconds(12)).rung(Rung::Checkpoint, seconds(20), seconds(11)),
            CHECKPOINT,
        ),
        row(
            "what was done since the last save counts against starting again",
            suspend(minutes(3), minutes(3))
                .rung(Rung::Requeue, cheap_save, seconds(10))
                .saves_every(minutes(10)),
            REQUEUE,
        ),
        row(
            "and with more of it, the same job is suspended",
            suspend(minutes(3), minutes(3))
                .rung(Rung::Requeue, cheap_save, seconds(10))
                .saves_every(minutes(10)),
            SUSPEND,
        )
        .ran(minutes(19)),
    ]);
}

#[test]
fn a_job_is_suspended_only_where_there_is_host_memory_for_all_of_its_state() {
    // A task of 8 GPUs has 8 x 80 GiB on them, and its own memory beside.
    let own = TaskShape::gpus(8).memory.0 / 1024;
    let spec = || can(Rung::Suspend, seconds(20), seconds(10));
    let or_saves = || spec().rung(Rung::Checkpoint, minutes(2), minutes(2));
    check_rows(&[
        row("just enough", spec(), SUSPEND).memory(gib(640 + own)),
        row("a GiB short", spec(), None).memory(gib(640 + own - 1)),
        row("none at all", spec(), None).memory(Mib::ZERO),
        row("short, with another rung", or_saves(), CHECKPOINT).memory(gib(640)),
        row("it says that it has less", spec().gpu_state(gib(20)), SUSPEND).memory(gib(160 + own)),
        row("less, and short of that", spec().gpu_state(gib(20)), None).memory(gib(159 + own)),
        row("it says more than a GPU has", spec().gpu_state(gib(500)), SUSPEND)
            .memory(gib(640 + own)),
    ]);
}

#[test]
fn a_job_about_to_save_is_waited_for_rather_than_asked() {
    let spec = can(Rung::Checkpoint, minutes(1), minutes(1)).saves_every(minutes(12));
    let (mut world, victim) = one_running(nodes(1), spec.clone());
    // It has run for eleven minutes, so that it saves in one, and saving when asked takes one too.
    let actions = world.submit_and_see(urgent(1, 8));
    assert_eq!(world.word(victim), "pausing");
    assert_eq!(orders(&world, &actions), Vec::<String>::new(), "it saves by itself");
    let actions = world.saved(victim);
    assert_eq!(stops(&world, &actions, victim), ["n-1"]);
}

#[test]
fn a_job_that_will_not_save_in_time_is_asked_to() {
    let spec = can(Rung::Checkpoint, minutes(1), minutes(1)).saves_every(hours(2));
    let (mut world, victim) = one_running(nodes(1), spec);
    let actions = world.submit_and_see(urgent(1, 8));
    assert_eq!(world.word(victim), "pausing");
    assert_eq!(orders(&world, &actions), ["n-1 checkpoint"]);
}

#[test]
fn gpus_that_are_not_given_up_in_time_are_no_help() {
    // Ten minutes are what a job of a higher class can wait for.
    check_rows(&[
        row("ten minutes", can(Rung::Suspend, minutes(10), seconds(10)), SUSPEND),
        row("more", can(Rung::Suspend, Millis(600_001), seconds(10)), None),
        row("a save in ten minutes", can(Rung::Checkpoint, minutes(10), seconds(10)), CHECKPOINT),
        row("a save in more", can(Rung::Checkpoint, Millis(600_001), seconds(10)), None),
    ]);
}

#[test]
fn a_frozen_job_keeps_its_gpus_so_that_freezing_alone_is_no_help() {
    check_rows(&[row("freeze", can(Rung::Freeze, Millis(2), Millis(2)), None)]);
}

#[test]
fn a_requeued_job_is_ended_and_waits_in_line_for_another_attempt() {
    let (mut world, victim) =
        one_running(nodes(1), can(Rung::Requeue, seconds(1), seconds(10)).saves_every(minutes(5)));
    let job = world.submit(urgent(1, 8));
    assert_eq!(world.word(victim), "stopping");
    world.give_way(victim);
    assert_eq!((world.word(victim), world.word(job)), ("queued", "launching"));
    let record = world.record(victim);
    assert_eq!((record.attempt.0, record.requeues), (1, 0), "a pause is not its own requeue");
    world.finish(job);
    assert_eq!((world.word(victim), world.attempt(victim).0), ("launching", 2));
}

#[test]
fn a_job_that_saved_for_another_is_ended_and_waits_in_line() {
    let (mut world, victim) =
        one_running(nodes(1), can(Rung::Checkpoint, seconds(30), seconds(10)));
    let job = world.submit(urgent(1, 8));
    assert_eq!(world.word(victim), "pausing");
    let actions = world.saved(victim);
    assert_eq!(stops(&world, &actions, victim), ["n-1"]);
    assert_eq!((world.word(victim), world.word(job)), ("stopping", "queued"));
    world.stopped(victim);
    assert_eq!((world.word(victim), world.word(job)), ("queued", "launching"));
}

#[test]
fn host_memory_is_set_aside_from_the_first_order_until_the_job_computes_again() {
    let (mut world, victim, job) = being_suspended();
    let used = 640 + TaskShape::gpus(8).memory.0 / 1024;
    assert_eq!(world.host_memory_used("n-1"), used);
    world.give_way(victim);
    assert_eq!(world.host_memory_used("n-1"), used);
    world.finish(job);
    assert_eq!((world.word(victim), world.host_memory_used("n-1")), ("resuming", used));
    world.come_back(victim);
    nothing_is_left(&world);
}

#[test]
fn two_jobs_share_the_host_memory_of_a_node_and_the_third_has_none() {
    let own = TaskShape::gpus(2).memory.0 / 1024;
    let each = 2 * 80 + own;
    let mut world = with_host_memory(1, gib(2 * each)).build();
    let jobs: Vec<JobId> = (0..4).map(|_| world.run(trainer(1, 2))).collect();
    settle_in(&mut world);
    world.submit(urgent(1, 6));
    assert_eq!(world.victims(), [], "only two of the three it needs could be suspended");
    let second = world.submit(urgent(1, 4));
    assert_eq!(world.victims_of(second).len(), 2);
    assert_eq!(world.host_memory_used("n-1"), 2 * each);
    let left: Vec<JobId> = jobs.into_iter().filter(|job| world.word(*job) == "running").collect();
    assert_eq!(left.len(), 2);
    let third = world.submit(urgent(1, 2));
    assert_eq!(world.victims_of(third), []);
}

#[test]
fn where_there_are_other_nodes_a_job_rather_saves_than_is_bound_to_its_own() {
    let both = stubborn(1, 8).rung(Rung::Suspend, seconds(20), seconds(10)).rung(
        Rung::Checkpoint,
        minutes(1),
        minutes(1),
    );
    let chosen = |count: u32, length: Millis| {
        let mut world = nodes(count).build();
        let jobs: Vec<JobId> = (0..count).map(|_| world.run(both.clone())).collect();
        settle_in(&mut world);
        world.submit(urgent(1, 8).estimate(length, length));
        let paused = jobs.iter().filter_map(|&job| world.record(job).pauses);
        paused.map(|pauses| pauses.latest.rung).collect::<Vec<_>>()
    };
    assert_eq!(chosen(1, hours(2)), [Rung::Suspend], "there is nowhere else");
    assert_eq!(chosen(4, hours(2)), [Rung::Checkpoint]);
    assert_eq!(chosen(4, minutes(1)), [Rung::Suspend], "it is back in a minute");
}
