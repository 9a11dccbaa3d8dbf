//! Reads settings of the policy: `policy order fifo, floor 10%, floor-wait 1h`.

use muster_model::{DefragmentationMode, Millis, Order, Placer, Policy};

use super::value;
use crate::story::act::Setup;
use crate::story::words::{Parsed, Problem, Words};

const SETTINGS: [&str; 31] = [
    "order",
    "las-limits",
    "placer",
    "size-weight",
    "half-life",
    "floor",
    "floor-wait",
    "floor-quantum",
    "elastic-interval",
    "elastic-stay",
    "limit-max",
    "estimate-default",
    "launch-timeout",
    "stop-grace",
    "retry-pause",
    "remember-ended",
    "pausing",
    "run-min",
    "pause-interval",
    "reclaim",
    "reservations",
    "reserve-gpus",
    "crash-within",
    "crashes",
    "hazard-half-life",
    "large-nodes",
    "repair-time",
    "defragmentation",
    "move-budget",
    "move-interval",
    "move-loss",
];

const ORDERS: [(&str, Order); 6] = [
    ("muster", Order::Muster),
    ("fifo", Order::Fifo),
    ("sjf", Order::Sjf),
    ("fair", Order::Fair),
    ("srtf", Order::Srtf),
    ("las", Order::Las),
];

const MODES: [(&str, DefragmentationMode); 3] = [
    ("off", DefragmentationMode::Off),
    ("preview", DefragmentationMode::Preview),
    ("on", DefragmentationMode::On),
];

const PLACERS: [(&str, Placer); 3] =
    [("muster", Placer::Muster), ("best-fit", Placer::BestFit), ("fgd", Placer::Fgd)];

/// Reads one or more settings into the policy.
pub(super) fn policy(words: &mut Words, policy: &mut Policy) -> Parsed<Setup> {
    setting(words, policy)?;
    while words.next_clause()? {
        setting(words, policy)?;
    }
    Ok(Setup::Policy(Box::new(policy.clone())))
}

fn setting(words: &mut Words, policy: &mut Policy) -> Parsed<()> {
    let setting = words.plain("a setting of the policy")?;
    let span: &mut Millis = match setting.as_str() {
        "order" => {
            policy.order = order(words)?;
            return Ok(());
        }
        "las-limits" => {
            let word = words.plain("GPU-times such as `1h/5h`")?;
            policy.las_limits = word.split('/').map(value::parsed).collect::<Parsed<_>>()?;
            return Ok(());
        }
        "placer" => {
            policy.placer = placer(words)?;
            return Ok(());
        }
        "size-weight" => {
            policy.size_weight_milli = value::number(words, "a weight in thousandths")?;
            return Ok(());
        }
        "floor" => {
            policy.floor.share_ppm = percent(words)?;
            return Ok(());
        }
        "pausing" => {
            policy.pausing.on = switch(words)?;
            return Ok(());
        }
        "reservations" => {
            policy.reservations.most = value::number(words, "how many gangs have reservations")?;
            return Ok(());
        }
        "reserve-gpus" => {
            policy.reservations.gpus_min = value::number(words, "the fewest GPUs of such a gang")?;
            return Ok(());
        }
        "run-min" => &mut policy.pausing.run_min,
        "pause-interval" => &mut policy.pausing.interval,
        "reclaim" => &mut policy.pausing.reclaim,
        "crashes" => {
            policy.failures.crashes = value::number(words, "a number of crashes")?;
            return Ok(());
        }
        "large-nodes" => {
            policy.failures.large_nodes = value::number(words, "a number of nodes")?;
            return Ok(());
        }
        "defragmentation" => {
            policy.defragmentation.mode = mode(words)?;
            return Ok(());
        }
        "move-budget" => {
            policy.defragmentation.budget_ppm = value::number(words, "parts per million")?;
            return Ok(());
        }
        "move-interval" => &mut policy.defragmentation.interval,
        "move-loss" => &mut policy.defragmentation.loss_max,
        "crash-within" => &mut policy.failures.crash_within,
        "hazard-half-life" => &mut policy.failures.hazard_half_life,
        "repair-time" => &mut policy.failures.repair_time,
        "half-life" => &mut policy.usage_half_life,
        "floor-wait" => &mut policy.floor.wait,
        "floor-quantum" => &mut policy.floor.quantum,
        "elastic-interval" => &mut policy.elastic.interval,
        "elastic-stay" => &mut policy.elastic.stay,
        "limit-max" => &mut policy.limit_max,
        "estimate-default" => &mut policy.estimate_default,
        "launch-timeout" => &mut policy.launch_timeout,
        "stop-grace" => &mut policy.stop_grace,
        "retry-pause" => &mut policy.retry_pause,
        "remember-ended" => &mut policy.remember_ended,
        _ => return Err(Problem::unknown("setting", &setting, &SETTINGS)),
    };
    *span = value::span(words)?;
    Ok(())
}

fn switch(words: &mut Words) -> Parsed<bool> {
    let word = words.plain("`on` or `off`")?;
    match word.as_str() {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => Err(Problem::unknown("switch", &word, &["on", "off"])),
    }
}

fn order(words: &mut Words) -> Parsed<Order> {
    let word = words.plain("an order of jobs")?;
    let found = ORDERS.iter().find(|(name, _)| *name == word);
    found
        .map(|&(_, order)| order)
        .ok_or_else(|| Problem::unknown("order", &word, &ORDERS.map(|(name, _)| name)))
}

fn mode(words: &mut Words) -> Parsed<DefragmentationMode> {
    let word = words.plain("`off`, `preview` or `on`")?;
    let found = MODES.iter().find(|(name, _)| *name == word);
    found
        .map(|&(_, mode)| mode)
        .ok_or_else(|| Problem::unknown("mode", &word, &MODES.map(|(name, _)| name)))
}

fn placer(words: &mut Words) -> Parsed<Placer> {
    let word = words.plain("a way to choose places")?;
    let found = PLACERS.iter().find(|(name, _)| *name == word);
    found
        .map(|&(_, placer)| placer)
        .ok_or_else(|| Problem::unknown("placer", &word, &PLACERS.map(|(name, _)| name)))
}

/// A whole number of percent, in parts per million.
fn percent(words: &mut Words) -> Parsed<u32> {
    const EXPECTED: &str = "a share such as `5%`";
    let word = words.plain(EXPECTED)?;
    let digits = word.strip_suffix('%').ok_or_else(|| value::unlike(EXPECTED, &word))?;
    let percent: u32 = value::number_of(digits, EXPECTED)?;
    if percent > 100 {
        return Err(value::unlike("at most `100%`", &word));
    }
    Ok(percent * 10_000)
}
