//! Levels and segments.

use super::{check, cluster, gang};
use crate::name::Name;
use crate::task::{TaskCount, TaskShape};
use crate::topology::Level;

#[test]
fn good_wishes_are_accepted() {
    let jobs = [
        gang().require("rack").prefer("node"),
        gang().require("node").spread(),
        gang().segment(2, "rack").require("rack"),
        gang().segment(4, "node").require("zone"),
        gang().segment(1, "zone"),
        gang().apart(),
        gang().segment(2, "rack").apart(),
        gang().segment(1, "node").apart(),
        gang().elastic(4, 16).segment(4, "block"),
    ];
    for job in jobs {
        assert_eq!(job.validate(&cluster()), Ok(()), "{job:?}");
    }
}

#[test]
fn tasks_that_are_apart_cannot_be_asked_to_share_a_node_or_to_grow() {
    check([
        (
            gang().apart().require("node"),
            "topology.apart: true is not allowed; expected false for tasks that must share a node",
        ),
        (
            gang().apart().segment(2, "node"),
            "topology.apart: true is not allowed; expected false for tasks that must share a node",
        ),
        (
            gang().apart().elastic(2, 8),
            "topology.apart: true is not allowed; expected false for a job that grows and shrinks",
        ),
    ]);
}

#[test]
fn unknown_levels_are_refused_with_the_nearest() {
    check([
        (
            gang().require("racks"),
            "topology.require: `racks` is not allowed; expected one of zone, block, rack, node\n\
             hint: did you mean rack?",
        ),
        (
            gang().prefer("nodes"),
            "topology.prefer: `nodes` is not allowed; expected one of zone, block, rack, node\n\
             hint: did you mean node?",
        ),
        (
            gang().segment(2, "region"),
            "topology.segment.level: `region` is not allowed; expected one of zone, block, rack, \
             node",
        ),
        (
            gang().require(Level::Named(Name::from("node"))),
            "topology.require: the named level `node` is not allowed; expected the node itself, \
             which is no named level",
        ),
    ]);
}

#[test]
fn bad_segments_are_refused() {
    check([
        (gang().segment(0, "rack"), "topology.segment.tasks: 0 is not allowed; expected 1 or more"),
        (
            gang().segment(3, "rack"),
            "topology.segment.tasks: 3 is not allowed; expected a divisor of the job's 4 tasks",
        ),
        (
            gang().elastic(2, 8).segment(4, "rack"),
            "topology.segment.tasks: 4 is not allowed; expected a divisor of the job's 2..8 tasks",
        ),
        (
            gang().group("more", TaskCount::exactly(1), TaskShape::gpus(1)).segment(2, "rack"),
            "topology.segment: a segment with 2 groups is not allowed; expected exactly 1 group",
        ),
        (
            gang().segment(2, "zone").require("rack"),
            "topology.segment.level: zone is not allowed; expected rack, which the job requires, \
             or a narrower level",
        ),
        (
            gang().segment(2, "rack").require("node"),
            "topology.segment.level: rack is not allowed; expected node, which the job requires, \
             or a narrower level",
        ),
    ]);
}
