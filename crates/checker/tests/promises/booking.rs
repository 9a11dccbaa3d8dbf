//! Booked nodes are there for those they are booked for.

use muster_checker::Promise::{Booking as Booked, Taken};
use muster_engine::action::{Action, JobState};
use muster_engine::command::Command;
use muster_model::{Booking, JobId, JobSpec, Millis, NodeId, Time};

use crate::act::{ALL, job, moved, node, stop};
use crate::stage::{Stage, broken, kept};

const HOUR: u64 = 3_600_000;

/// Two nodes, of which the first is booked from an hour on for two hours.
fn booked(change: fn(Booking) -> Booking) -> (Stage, [NodeId; 2]) {
    let mut stage = Stage::new();
    let nodes = [stage.join(node("n0", "z", "r")), stage.join(node("n1", "z", "r"))];
    book(&mut stage, change);
    (stage, nodes)
}

fn book(stage: &mut Stage, change: fn(Booking) -> Booking) {
    let start = Time(stage.now.0 + HOUR);
    let booking = Booking::new("b", start).until(Time(start.0 + 2 * HOUR)).node("n0");
    stage.play(&Command::BookingSet { booking: change(booking) }, &[]);
}

fn limited(millis: u64) -> JobSpec {
    let mut spec = job(1, 8);
    spec.timing.limit = Some(Millis(millis));
    spec
}

fn try_start(stage: &mut Stage, spec: JobSpec, on: NodeId) -> crate::stage::Verdict {
    let job = stage.submit(spec);
    let actions = stage.start_of(job, &[(on, &[(0, ALL)])]);
    stage.try_tick(&actions)
}

fn for_user_a(booking: Booking) -> Booking {
    booking.user("user-a")
}

#[test]
fn a_job_that_would_not_end_in_time_is_seen() {
    let (mut stage, [n0, _]) = booked(|booking| booking);
    let detail = "job 1 is started on node 0, which is booked as b";
    broken(try_start(&mut stage, limited(2 * HOUR), n0), Booked, detail);
    let (mut stage, [_, other]) = booked(|booking| booking);
    kept(try_start(&mut stage, limited(2 * HOUR), other));
}

#[test]
fn a_job_that_ends_in_time_is_fine() {
    let (mut stage, [n0, _]) = booked(|booking| booking);
    kept(try_start(&mut stage, limited(HOUR / 2), n0));
}

#[test]
fn a_job_that_gives_way_is_fine_until_it_would_have_to_go() {
    let filler = || {
        let mut spec = job(1, 8);
        spec.class = "preemptible".into();
        spec
    };
    let (mut stage, [n0, _]) = booked(|booking| booking);
    kept(try_start(&mut stage, filler(), n0));
    let (mut stage, [n0, _]) = booked(|booking| booking);
    stage.wait(HOUR - 1000);
    broken(try_start(&mut stage, filler(), n0), Booked, "which is booked as b");
    let (mut stage, [n0, _]) = booked(|booking| booking);
    let mut stubborn = filler();
    stubborn.requeue.when_lost = false;
    broken(try_start(&mut stage, stubborn, n0), Booked, "which is booked as b");
}

#[test]
fn a_start_during_a_booking_of_others_is_seen() {
    let (mut stage, [n0, _]) = booked(for_user_a);
    stage.wait(HOUR);
    broken(try_start(&mut stage, limited(1000), n0), Booked, "which is booked as b");
    let (mut stage, [n0, _]) = booked(for_user_a);
    stage.wait(3 * HOUR);
    kept(try_start(&mut stage, limited(1000), n0));
}

#[test]
fn a_members_job_runs_inside_and_only_while_it_lasts() {
    let member = || {
        let mut spec = job(1, 8);
        spec.booking = Some("b".into());
        spec
    };
    let (mut stage, [n0, _]) = booked(for_user_a);
    broken(try_start(&mut stage, member(), n0), Booked, "started before its booking b");
    let (mut stage, [n0, n1]) = booked(for_user_a);
    let id = stage.submit(member());
    stage.wait(HOUR);
    let outside = stage.start_of(id, &[(n1, &[(0, ALL)])]);
    broken(stage.try_tick(&outside), Booked, "job 1 is on node 1, outside of its booking");
    let (mut stage, [_, _]) = booked(for_user_a);
    let id = stage.submit(member());
    stage.wait(HOUR);
    let inside = stage.start_of(id, &[(n0, &[(0, ALL)])]);
    kept(stage.try_tick(&inside));
}

#[test]
fn a_job_that_may_not_use_its_booking_must_be_refused() {
    let (mut stage, _) = booked(|booking| booking.user("user-b"));
    let mut spec = job(1, 8);
    spec.booking = Some("b".into());
    let actions =
        [Action::Accepted { job: JobId(1), elements: 0 }, moved(JobId(1), 0, JobState::Waiting)];
    let verdict = stage.try_step(&Command::Submit { spec: spec.into() }, &actions);
    broken(verdict, Booked, "job 1 may not use booking b and was accepted");
}

/// A job that was there before the booking was made, at the moment the booking starts.
fn there_before(spec: JobSpec, change: fn(Booking) -> Booking) -> (Stage, NodeId, JobId) {
    let mut stage = Stage::new();
    let node = stage.join(node("n0", "z", "r"));
    let job = stage.submit(spec);
    stage.run(job, &[(node, &[(0, ALL)])]);
    stage.wait(1);
    book(&mut stage, change);
    stage.wait(HOUR);
    for record in &mut stage.snapshot.bookings {
        (record.is_noticed, record.is_open) = (true, true);
    }
    stage.play(&Command::Tick, &[]);
    (stage, node, job)
}

#[test]
fn who_was_there_before_may_stay_unless_the_booking_does_not_wait() {
    let (mut stage, ..) = there_before(job(1, 8), for_user_a);
    kept(stage.try_compare());
    let (mut stage, ..) =
        there_before(job(1, 8), |booking| booking.user("user-a").requeue_leftovers());
    broken(stage.try_compare(), Booked, "job 1 is left on node 0 of booking b");
}

#[test]
fn to_stop_for_a_booking_is_a_cause_only_for_those_who_have_to_go() {
    let stopping = |node, job| [stop(job, 1, node), moved(job, 1, JobState::Stopping)];
    let (mut stage, node, job_id) =
        there_before(job(1, 8), |booking| booking.user("user-a").requeue_leftovers());
    stage.play(&Command::Tick, &stopping(node, job_id));
    kept(stage.try_compare());
    let (mut stage, node, job_id) = there_before(job(1, 8), for_user_a);
    stage.play(&Command::Tick, &stopping(node, job_id));
    broken(stage.try_compare(), Taken, "job 1 is ended or paused without a cause");
}

#[test]
fn a_booking_that_the_engine_forgets_or_makes_up_is_seen() {
    let (mut stage, _) = booked(for_user_a);
    let made = stage.snapshot.bookings.clone();
    stage.snapshot.bookings.clear();
    broken(stage.try_compare(), Booked, "booking b is not in the snapshot");
    let mut stage = Stage::new();
    stage.join(node("n0", "z", "r"));
    stage.snapshot.bookings = made;
    broken(stage.try_compare(), Booked, "booking b is inside and was never made");
}

#[test]
fn a_job_that_could_use_a_booked_node_in_time_does_not_wait() {
    use muster_checker::Promise::WorkConservation;
    let (mut stage, [_, n1]) = booked(|booking| booking);
    let first = stage.submit(limited(HOUR / 2));
    stage.run(first, &[(n1, &[(0, ALL)])]);
    stage.submit(limited(2 * HOUR));
    kept(stage.try_compare());
    stage.submit(limited(HOUR / 2));
    broken(stage.try_compare(), WorkConservation, "job 3 waits and would fit");
}
