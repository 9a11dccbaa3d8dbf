//! Room is made by moving.

use super::support::*;
use crate::support::*;

#[test]
fn job_moves_for_one_that_fits_by_count_and_not_by_node() {
    let (mut world, first, second) = halves(nodes(2), saver(1, 4));
    let gang = world.submit(big(1, 8));
    assert_eq!(world.victims_of(gang), [first]);
    assert_eq!((world.word(first), world.word(second)), ("pausing", "running"));
    world.saved(first);
    world.stopped(first);
    assert_eq!((world.word(first), world.word(gang)), ("launching", "launching"));
    assert_eq!((world.nodes_of(first), world.nodes_of(gang)), (vec!["n-2".into()], vec!["n-1".into()]));
    assert_eq!(world.record(first).attempt.0, 2);
}
