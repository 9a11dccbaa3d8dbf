//! The policy's shares and spans.

use super::{check, problems, with};
use crate::bound::SPAN_MAX;
use crate::cluster::ClusterSpec;
use crate::policy::Policy;
use crate::unit::Millis;

fn policy(change: impl FnOnce(&mut Policy)) -> ClusterSpec {
    with(|cluster| change(&mut cluster.policy))
}

#[test]
fn the_edges_of_every_range_are_accepted() {
    let least = policy(|policy| {
        policy.size_weight_milli = 0;
        policy.floor.share_ppm = 0;
        policy.usage_half_life = Millis(1);
        policy.elastic.interval = Millis(1);
        policy.elastic.stay = Millis(0);
        policy.stop_grace = Millis(0);
        policy.las_limits = vec![Millis(1)];
        policy.remember_ended = Millis(0);
    });
    let most = policy(|policy| {
        policy.size_weight_milli = 2000;
        policy.floor.share_ppm = 1_000_000;
        policy.usage_half_life = SPAN_MAX;
        policy.limit_max = SPAN_MAX;
        policy.las_limits = vec![Millis(1), Millis(2), SPAN_MAX];
    });
    assert_eq!(least.validate(), Ok(()));
    assert_eq!(most.validate(), Ok(()));
}

#[test]
fn bad_shares_and_weights_are_refused() {
    check([
        (
            policy(|policy| policy.floor.share_ppm = 1_000_001),
            "policy.floor.share_ppm: 1000001 is not allowed; expected 0 to 1000000",
        ),
        (
            policy(|policy| policy.size_weight_milli = 2001),
            "policy.size_weight_milli: 2001 is not allowed; expected 0 to 2000",
        ),
        (
            policy(|policy| policy.las_limits = Vec::new()),
            "policy.las_limits: 0 limits is not allowed; expected 1 to 15",
        ),
        (
            policy(|policy| policy.las_limits = vec![Millis(1); 16]),
            "policy.las_limits: 16 limits is not allowed; expected 1 to 15",
        ),
        (
            policy(|policy| policy.las_limits = vec![Millis(0)]),
            "policy.las_limits[0]: 0s is not allowed; expected 1ms to 3650d",
        ),
        (
            policy(|policy| policy.las_limits = vec![Millis(5), Millis(5)]),
            "policy.las_limits[1]: 5ms is not allowed; expected 6ms to 3650d",
        ),
        (
            policy(|policy| policy.defragmentation.budget_ppm = 1_000_001),
            "policy.defragmentation.budget_ppm: 1000001 is not allowed; expected 0 to 1000000",
        ),
        (
            policy(|policy| policy.defragmentation.margin_ppm = 100_000_001),
            "policy.defragmentation.margin_ppm: 100000001 is not allowed; expected 0 to 100000000",
        ),
        (
            policy(|policy| policy.defragmentation.interval = Millis(SPAN_MAX.0 + 1)),
            "policy.defragmentation.interval: 3650d1ms is not allowed; expected 0s to 3650d",
        ),
        (
            policy(|policy| policy.defragmentation.loss_max = Millis(SPAN_MAX.0 + 1)),
            "policy.defragmentation.loss_max: 3650d1ms is not allowed; expected 0s to 3650d",
        ),
        (
            policy(|policy| policy.failures.crashes = 0),
            "policy.failures.crashes: 0 is not allowed; expected 1 to 1000000",
        ),
        (
            policy(|policy| policy.failures.large_nodes = 0),
            "policy.failures.large_nodes: 0 is not allowed; expected 1 to 1000000",
        ),
    ]);
}

#[test]
fn spans_of_nothing_are_refused_where_they_would_never_end() {
    let nothing = policy(|policy| {
        let zero = Millis(0);
        (policy.floor.wait, policy.floor.quantum) = (zero, zero);
        (policy.usage_half_life, policy.limit_max) = (zero, zero);
        (policy.estimate_default, policy.launch_timeout) = (zero, zero);
        policy.retry_pause = zero;
        policy.failures.crash_within = zero;
        policy.failures.hazard_half_life = zero;
        policy.failures.repair_time = zero;
    });
    let fields = [
        "floor.wait",
        "floor.quantum",
        "failures.crash_within",
        "failures.hazard_half_life",
        "failures.repair_time",
        "usage_half_life",
        "limit_max",
        "estimate_default",
        "launch_timeout",
        "retry_pause",
    ];
    let expected =
        fields.map(|field| format!("policy.{field}: 0s is not allowed; expected 1ms to 3650d"));
    assert_eq!(problems(&nothing), expected);
}

#[test]
fn spans_without_end_are_refused() {
    let endless = policy(|policy| {
        policy.stop_grace = Millis(u64::MAX);
        policy.remember_ended = SPAN_MAX + Millis(1);
    });
    assert_eq!(
        problems(&endless),
        [
            "policy.stop_grace: 213503982334d14h25m51s615ms is not allowed; expected 0s to 3650d",
            "policy.remember_ended: 3650d1ms is not allowed; expected 0s to 3650d",
        ]
    );
}
