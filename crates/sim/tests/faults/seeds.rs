//! Runs a property for seeds: one case each, shrunk where it fails, and told as a story.

use std::cell::RefCell;
use std::env;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

use muster_engine::Tuning;
use muster_sim::World;
use muster_sim::story::Writer;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};

use crate::scenario::{self, Scenario};

/// A failing case is made smaller at most so many times.
const SHRINKS_MAX: u32 = 400;

/// Checks the property for seeds `0..usually`, or for those of `MUSTER_SEEDS`.
pub(crate) fn for_each_seed(
    usually: u64,
    property: impl Fn(&Scenario, &mut World) -> Result<(), String>,
) {
    for seed in seeds(usually) {
        let mut runner = runner(seed);
        let told = RefCell::new(String::new());
        let failed = runner.run(&scenario::scenarios(seed), |scenario| {
            check(&scenario, &property).map_err(|(why, story)| {
                told.replace(story);
                TestCaseError::fail(why)
            })
        });
        if let Err(TestError::Fail(why, _)) = failed {
            panic!(
                "seed {seed}: {why}\nrepeat it with MUSTER_SEEDS={seed}; as a story:\n\n{}",
                told.borrow()
            );
        }
    }
}

fn seeds(usually: u64) -> Range<u64> {
    let Ok(wanted) = env::var("MUSTER_SEEDS") else { return 0..usually };
    let number = |text: &str| text.parse().expect("MUSTER_SEEDS is a number, or two as in 0..50");
    match wanted.split_once("..") {
        Some((first, last)) => number(first)..number(last),
        None => number(&wanted)..number(&wanted) + 1,
    }
}

/// A runner of one case whose chance comes from the seed alone.
fn runner(seed: u64) -> TestRunner {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let config = Config {
        cases: 1,
        max_shrink_iters: SHRINKS_MAX,
        failure_persistence: None,
        ..Config::default()
    };
    TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &bytes))
}

/// Checks one case; where it fails, why, and the run as a story.
fn check(
    scenario: &Scenario,
    property: &impl Fn(&Scenario, &mut World) -> Result<(), String>,
) -> Result<(), (String, String)> {
    let mut world = scenario.world(Tuning::default());
    let done = catch_unwind(AssertUnwindSafe(|| property(scenario, &mut world)));
    let why = match done {
        Ok(Ok(())) => return Ok(()),
        Ok(Err(why)) => why,
        Err(panic) => {
            let text = panic.downcast_ref::<String>().cloned();
            let text = text.or(panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
            format!("the engine panicked: {}", text.unwrap_or_default())
        }
    };
    let mut writer = Writer::new("A run that failed", &one_line(&why), &scenario.cluster);
    world.log().iter().for_each(|entry| writer.add(entry));
    Err((why, writer.text().to_owned()))
}

fn one_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().to_owned()
}
