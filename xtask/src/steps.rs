//! `cargo xtask test`: every check in a fixed order, cheapest first, stopping at the first that
//! fails with the way to go on. What each check means is left to the tools and to `tidy`.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use crate::{cargo, prerequisites, tidy, web};

/// One numbered step.
struct Step {
    name: &'static str,
    act: Act,
    /// What to do when it fails.
    hint: &'static str,
}

type Words = &'static [&'static str];

/// How a step is carried out.
enum Act {
    /// Our own rules, in this process.
    Tidy,
    /// The dashboard: types, lints, unit tests, and its build, which the next tests look at.
    Web,
    /// A cargo command, with environment variables set for it alone.
    Cargo { arguments: Words, variables: &'static [(&'static str, &'static str)] },
}

const STEPS: [Step; 6] = [
    Step {
        name: "format",
        act: Act::Cargo { arguments: &["fmt", "--all", "--check"], variables: &[] },
        hint: "run `cargo fmt --all` and look at what it changed",
    },
    Step {
        name: "clippy",
        act: Act::Cargo {
            arguments: &[
                "clippy",
                "--workspace",
                "--all-targets",
                "--locked",
                "--",
                "-D",
                "warnings",
            ],
            variables: &[],
        },
        hint: "mend each warning above; an exception is an #[expect] with its reason",
    },
    Step {
        name: "tidy",
        act: Act::Tidy,
        hint: "each line above ends with what to do; `cargo xtask tidy` runs this step alone",
    },
    Step {
        name: "web",
        act: Act::Web,
        hint: "run `npm run check` in web/; `npm run format` mends most of what it finds",
    },
    Step {
        name: "tests",
        // The same random cases for everyone; `cargo xtask soak` looks for others.
        act: Act::Cargo {
            arguments: &["test", "--workspace", "--locked"],
            variables: &[("PROPTEST_RNG_SEED", "1")],
        },
        hint: "run the failing test alone: `cargo test -p CRATE NAME`",
    },
    Step {
        name: "documentation",
        act: Act::Cargo {
            arguments: &["doc", "--workspace", "--no-deps", "--locked"],
            variables: &[("RUSTDOCFLAGS", "-D warnings")],
        },
        hint: "mend the links and examples named above",
    },
];

/// Runs all steps; `false` when one of them failed.
pub(crate) fn run(root: &Path) -> Result<bool> {
    prerequisites::check()?;
    let begun = Instant::now();
    let count = STEPS.len();
    for (index, step) in STEPS.iter().enumerate() {
        let head = format!("[{}/{count}] {}", index + 1, step.name);
        eprintln!("{head}: {}", description(&step.act));
        let step_begun = Instant::now();
        let passed = perform(root, &step.act)?;
        let took = seconds(step_begun.elapsed());
        if !passed {
            eprintln!("{head}: failed after {took}");
            eprintln!("hint: {}", step.hint);
            return Ok(false);
        }
        eprintln!("{head}: passed in {took}");
    }
    eprintln!("all {count} steps passed in {}", seconds(begun.elapsed()));
    Ok(true)
}

fn perform(root: &Path, act: &Act) -> Result<bool> {
    match act {
        Act::Tidy => tidy::run(root),
        Act::Web => web::check(root),
        Act::Cargo { arguments, variables } => {
            let status = cargo()
                .args(*arguments)
                .envs(variables.iter().copied())
                .current_dir(root)
                .status()
                .with_context(|| format!("cannot start {}", description(act)))?;
            Ok(status.success())
        }
    }
}

fn description(act: &Act) -> String {
    match act {
        Act::Tidy => "the rules on the source tree".to_owned(),
        Act::Web => "build and check the dashboard".to_owned(),
        Act::Cargo { arguments, variables } => {
            let mut words: Vec<String> =
                variables.iter().map(|(name, value)| format!("{name}=\"{value}\"")).collect();
            words.push("cargo".to_owned());
            words.extend(arguments.iter().map(|&word| word.to_owned()));
            words.join(" ")
        }
    }
}

fn seconds(duration: Duration) -> String {
    format!("{:.1} s", duration.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::{STEPS, description};

    #[test]
    fn a_step_is_shown_as_the_command_to_type() {
        assert_eq!(description(&STEPS[0].act), "cargo fmt --all --check");
        assert_eq!(
            description(&STEPS[5].act),
            "RUSTDOCFLAGS=\"-D warnings\" cargo doc --workspace --no-deps --locked"
        );
    }
}
