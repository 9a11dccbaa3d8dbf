//! The policy: shares that are parts of a whole, and spans that are neither nothing nor for ever.

use crate::bound::{LAS_LIMITS_MAX, SPAN_MAX};
use crate::defragmentation::Defragmentation;
use crate::field::Field;
use crate::policy::Policy;
use crate::problems::Problems;
use crate::unit::Millis;

/// The whole cluster in parts per million.
const WHOLE_PPM: u32 = 1_000_000;

/// Twice the weight of GPU-seconds: beyond it large gangs would only ever wait.
const SIZE_WEIGHT_MILLI_MAX: u32 = 2000;

/// A hundred times the cost: beyond it nothing would ever be paused.
const MARGIN_PPM_MAX: u32 = 100_000_000;
/// More nodes or crashes than anyone will count: a larger figure is a slip of the pen.
const COUNT_MAX: u32 = 1_000_000;

/// More reservations than this would keep the whole cluster waiting.
const RESERVATIONS_MAX: u32 = 64;

/// Everything wrong with the policy.
pub(super) fn check(policy: &Policy, field: &Field<'_>, problems: &mut Problems) {
    let size_weight = field.field("size_weight_milli");
    problems.range(&size_weight, policy.size_weight_milli, 0..=SIZE_WEIGHT_MILLI_MAX);
    check_las(&policy.las_limits, &field.field("las_limits"), problems);
    let floor = field.field("floor");
    problems.range(&floor.field("share_ppm"), policy.floor.share_ppm, 0..=WHOLE_PPM);
    let some = Millis(1)..=SPAN_MAX;
    problems.range(&floor.field("wait"), policy.floor.wait, some.clone());
    problems.range(&floor.field("quantum"), policy.floor.quantum, some.clone());
    let elastic = field.field("elastic");
    problems.range(&elastic.field("interval"), policy.elastic.interval, some.clone());
    problems.range(&elastic.field("stay"), policy.elastic.stay, Millis::ZERO..=SPAN_MAX);
    let pausing = field.field("pausing");
    problems.range(&pausing.field("overhead_ppm"), policy.pausing.overhead_ppm, 1..=WHOLE_PPM);
    problems.range(&pausing.field("margin_ppm"), policy.pausing.margin_ppm, 0..=MARGIN_PPM_MAX);
    problems.range(&pausing.field("reclaim"), policy.pausing.reclaim, some.clone());
    let rest = pausing.field("rest");
    problems.range(&rest, policy.pausing.rest, Millis::ZERO..=Millis::minutes(1));
    let reservations = field.field("reservations");
    problems.range(&reservations.field("most"), policy.reservations.most, 0..=RESERVATIONS_MAX);
    for (name, span) in
        [("grace", policy.reservations.grace), ("slip_max", policy.reservations.slip_max)]
    {
        problems.range(&reservations.field(name), span, Millis::ZERO..=SPAN_MAX);
    }
    for (name, span) in [("run_min", policy.pausing.run_min), ("interval", policy.pausing.interval)]
    {
        problems.range(&pausing.field(name), span, Millis::ZERO..=SPAN_MAX);
    }
    moves(&policy.defragmentation, &field.field("defragmentation"), problems);
    let failures = field.field("failures");
    let counted = 1..=COUNT_MAX;
    problems.range(&failures.field("crashes"), policy.failures.crashes, counted.clone());
    problems.range(&failures.field("large_nodes"), policy.failures.large_nodes, counted);
    for (name, span) in [
        ("crash_within", policy.failures.crash_within),
        ("hazard_half_life", policy.failures.hazard_half_life),
        ("repair_time", policy.failures.repair_time),
    ] {
        problems.range(&failures.field(name), span, some.clone());
    }
    for (name, span) in [
        ("usage_half_life", policy.usage_half_life),
        ("limit_max", policy.limit_max),
        ("estimate_default", policy.estimate_default),
        ("launch_timeout", policy.launch_timeout),
        ("retry_pause", policy.retry_pause),
    ] {
        problems.range(&field.field(name), span, some.clone());
    }
    for (name, span) in
        [("stop_grace", policy.stop_grace), ("remember_ended", policy.remember_ended)]
    {
        problems.range(&field.field(name), span, Millis::ZERO..=SPAN_MAX);
    }
}

/// GPU-times that grow from level to level.
fn check_las(limits: &[Millis], field: &Field<'_>, problems: &mut Problems) {
    if !problems.length(field, "limits", limits.len(), 1..=LAS_LIMITS_MAX) {
        return;
    }
    let mut before = Millis::ZERO;
    for (index, &limit) in limits.iter().enumerate() {
        problems.range(&field.at(index), limit, before + Millis(1)..=SPAN_MAX);
        before = limit.min(SPAN_MAX);
    }
}

fn moves(policy: &Defragmentation, field: &Field<'_>, problems: &mut Problems) {
    problems.range(&field.field("budget_ppm"), policy.budget_ppm, 0..=WHOLE_PPM);
    problems.range(&field.field("margin_ppm"), policy.margin_ppm, 0..=MARGIN_PPM_MAX);
    for (name, span) in [("interval", policy.interval), ("loss_max", policy.loss_max)] {
        problems.range(&field.field(name), span, Millis::ZERO..=SPAN_MAX);
    }
}
