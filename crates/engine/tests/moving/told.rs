//! What is told of moves: previews that change nothing, and words for what was done.

use muster_model::DefragmentationMode;

use super::support::*;
use crate::support::*;

fn previewing(count: u32) -> Setup {
    mode(nodes(count), DefragmentationMode::Preview)
}

#[test]
fn preview_tells_who_would_move_and_does_nothing() {
    let (mut world, first, second) = halves(previewing(2), saver(1, 4));
    let actions = world.submit_and_see(big(1, 8));
    let gang = JobId(second.0 + 1);
    assert_eq!(previews(&actions), [(gang, vec![first])]);
    assert_eq!((world.word(first), world.word(gang)), ("running", "queued"));
    let snapshot = world.snapshot();
    assert_eq!((snapshot.plans, snapshot.moves), (vec![], vec![]));
    assert_eq!(snapshot.defragmentation.spent, 0);
}

#[test]
fn preview_is_told_once_for_a_job() {
    let (mut world, ..) = halves(previewing(2), saver(1, 4));
    let told = previews(&world.submit_and_see(big(1, 8)));
    let [(gang, _)] = told.as_slice() else { panic!("{told:?}") };
    let later = world.advance(hours(3));
    assert_eq!(previews(&later), []);
    assert_eq!(world.snapshot().defragmentation.told, [*gang]);
    world.cancel(*gang);
    assert_eq!(world.snapshot().defragmentation.told, []);
}

#[test]
fn why_tells_of_the_moves_that_are_not_made() {
    let (mut world, first, _) = halves(previewing(2), saver(1, 4));
    let gang = world.submit(big(1, 8));
    let told = world.reasons(gang).into_iter().find(|reason| reason.code() == "movable");
    let otherwise = world.now() + hours(20).saturating_sub(minutes(11));
    let text = format!(
        "moving job {first} (cost 2 GPU-min) would let it start at once instead of about {}",
        otherwise.0
    );
    assert_eq!(told.map(|reason| reason.to_string()), Some(text));
}

#[test]
fn nothing_is_told_where_moves_are_off_or_made() {
    for mode_of in [DefragmentationMode::Off, DefragmentationMode::On] {
        let (mut world, ..) = halves(mode(nodes(2), mode_of), saver(1, 4));
        let actions = world.submit_and_see(big(1, 8));
        assert_eq!(previews(&actions), []);
        let is_moving = !moves(&world).is_empty();
        assert_eq!(is_moving, mode_of == DefragmentationMode::On);
    }
}

#[test]
fn job_on_its_way_is_told_for_whom_and_at_what_cost() {
    let (mut world, first, gang) = moving_out(nodes(2));
    let text = format!("moved for job {gang}: cost 2 GPU-min; job {gang} starts 19h49m earlier");
    assert_eq!(world.reason_text(first), text);
    assert_eq!(world.codes(gang), ["making"]);
}

#[test]
fn decision_on_the_new_place_says_that_it_was_moved() {
    let (mut world, first, gang) = moving_out(nodes(2));
    assert_eq!(world.decision(first).moved, None);
    world.give_way(first);
    let moved = world.decision(first).moved.expect("it was moved");
    assert_eq!((moved.by, world.decision(first).attempt.0), (gang, 2));
    assert_eq!(world.decision(gang).moved, None);
}

#[test]
fn moved_job_has_the_standing_it_had() {
    let setup = nodes(2).queue(queue("a").guarantee(quota(8))).queue(queue("b"));
    let (mut world, first, _) = halves(setup, saver(1, 4).queue("a"));
    let before = world.decision(first).order;
    assert!(before.guaranteed);
    world.submit(big(1, 8).queue("b"));
    world.give_way(first);
    assert_eq!(world.decision(first).order, before);
}
