//! Rows about packing: the published policies come out again, and ours beside them.

use anyhow::Result;
use muster_sim::packing::{Experiment, Figures, Filled, Policy};

use super::cases::{PODS, Pods};
use super::lab::Lab;
use super::row::{Aim, Row, Unit};

/// The first of the seeds, as in the published experiment.
const FIRST_SEED: u64 = 42;

/// Requests that arrive, in percent of the GPUs.
const ARRIVED: u32 = 130;

/// A policy comes out as published within so many points.
const POINTS: f64 = 0.5;

/// With fillers in what is left, at least so much is given away.
const WITH_FILLERS: f64 = 98.0;

const PART: &str = "packing";

pub(super) fn rows(lab: &mut Lab) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for pods in &PODS {
        rows.extend(of_list(lab, pods)?);
    }
    Ok(rows)
}

fn of_list(lab: &mut Lab, pods: &Pods) -> Result<Vec<Row>> {
    let name = format!("packing of {}", pods.name);
    let Some(list) = lab.trace(&name, pods.file)? else { return Ok(Vec::new()) };
    let cluster = lab.cluster(pods.nodes)?;
    let arrived = (!pods.is_ordered).then_some(ARRIVED);
    let experiment = Experiment::new(&list, &cluster, arrived)?;
    let figures = |policy: Policy| -> Result<Figures> {
        let fill = |index: u64| experiment.fill(policy, FIRST_SEED + index);
        let runs = (0..lab.seeds).map(fill).collect::<Result<Vec<Filled>, _>>()?;
        Ok(Figures::of(policy, &runs))
    };
    let mut rows = Vec::new();
    for (policy, percent) in pods.published {
        if !pods.is_reproduced && policy != Policy::Fgd {
            continue;
        }
        let aim = Aim::Near { of: percent, by: POINTS };
        let what = format!("{}: {policy}, given away", pods.name);
        let ours = (Unit::Percent, figures(policy)?.allocated_percent_mean);
        rows.push(Row::new(PART, what, ours, aim).published("", percent));
    }
    let what = format!("{}: muster, given away", pods.name);
    let ours = (Unit::Percent, figures(Policy::Muster)?.allocated_percent_mean);
    let [.., (_, fgd)] = pods.published;
    rows.push(Row::new(PART, what, ours, Aim::AtLeast(pods.aim)).published("FGD", fgd));
    let what = format!("{}: muster with fillers of flexible size, given away", pods.name);
    let ours = (Unit::Percent, figures(Policy::MusterFillers)?.allocated_percent_mean);
    rows.push(Row::new(PART, what, ours, Aim::AtLeast(WITH_FILLERS)));
    Ok(rows)
}
