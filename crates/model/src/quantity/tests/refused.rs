//! Tables of what is refused, and what was probably meant.

use std::fmt::Debug;
use std::str::FromStr;

use crate::error::Invalid;
use crate::quantity::GpuRequest;
use crate::task::TaskCount;
use crate::unit::{Mib, MilliCpu, MilliGpu, Millis};

fn refused<T: FromStr<Err = Invalid> + Debug>(text: &str) -> Invalid {
    text.parse::<T>().expect_err(text)
}

/// Every text is refused under the field's name with the guess beside it.
fn check<T: FromStr<Err = Invalid> + Debug>(field: &str, table: &[(&str, Option<&str>)]) {
    for (text, meant) in table {
        let refusal = refused::<T>(text);
        assert_eq!(refusal.field, field);
        assert_eq!(refusal.value, format!("`{text}`"));
        assert_eq!(refusal.meant.as_deref(), *meant, "{text}");
    }
}

#[test]
fn a_refusal_says_what_was_written_what_is_allowed_and_what_was_meant() {
    assert_eq!(
        refused::<Mib>("80Gb").to_string(),
        "memory: `80Gb` is not allowed; expected a number with K, M, G, T, P or E (`80G`, `80GB` \
         and `80GiB` are the same), or a bare number of MiB, below 2^64 MiB\n\
         hint: did you mean 80GB?"
    );
    assert_eq!(
        refused::<Millis>("2 hours").to_string(),
        "duration: `2 hours` is not allowed; expected a number of minutes, units as in `90s`, \
         `1h30m`, `2d` or `500ms`, or one of MM:SS, HH:MM:SS, D-HH, D-HH:MM, D-HH:MM:SS, below \
         2^64 ms\nhint: did you mean 2h?"
    );
    assert_eq!(
        refused::<MilliCpu>("1.0005").to_string(),
        "cpus: `1.0005` is not allowed; expected a number of CPUs with at most three decimals \
         (`4`, `1.5`) or thousandths (`500m`), below 2^64 thousandths"
    );
    assert_eq!(
        refused::<MilliGpu>("50%").to_string(),
        "gpus: `50%` is not allowed; expected a number of GPUs with at most three decimals (`4`, \
         `0.5`) or thousandths (`500m`), below 2^64 thousandths\nhint: did you mean 500m?"
    );
    assert_eq!(
        refused::<TaskCount>("8..2").to_string(),
        "tasks: `8..2` is not allowed; expected a number of tasks (`4`) or a range from the \
         fewest to the most (`2..8`)\nhint: did you mean 2..8?"
    );
    assert_eq!(
        refused::<GpuRequest>("8 x H100").to_string(),
        "gpus: `8 x H100` is not allowed; expected a number of GPUs (`8`), models with one \
         (`H100x8`, `H100|A100x8`), or part of one GPU (`0.5`, `0.25..0.5`, `20GiB`, `1g.10gb`)\n\
         hint: did you mean H100x8?"
    );
}

#[test]
fn bad_memory_is_refused_with_a_guess() {
    check::<Mib>(
        "memory",
        &[
            ("80Gb", Some("80GB")),
            ("80gB", Some("80GB")),
            ("80 GiB", Some("80GiB")),
            ("80gig", Some("80GiB")),
            ("80 gigabytes", Some("80GiB")),
            ("1,5T", Some("1.5T")),
            ("80X", None),
            ("-1G", None),
            ("", None),
            ("G", None),
            ("1.5", None),
            ("1..5G", None),
            ("18446744073709551616", None),
            ("16777216E", None),
            ("99999999999999999999G", None),
        ],
    );
}

#[test]
fn bad_durations_are_refused_with_a_guess() {
    check::<Millis>(
        "duration",
        &[
            ("90 m", Some("90m")),
            ("2H", Some("2h")),
            ("3 hours", Some("3h")),
            ("2hr", Some("2h")),
            ("10min", Some("10m")),
            ("30sec", Some("30s")),
            ("1.5", Some("1.5m")),
            ("", None),
            ("m", None),
            ("30m1h", None),
            ("1h1h", None),
            ("1.5h30m", None),
            ("1:2:3:4", None),
            ("1-", None),
            ("-1", None),
            ("1-2-3", None),
            ("12:", None),
            ("UNLIMITED", None),
            ("18446744073709551615", None),
            ("213503982335d", None),
        ],
    );
}

#[test]
fn bad_cpus_are_refused_with_a_guess() {
    check::<MilliCpu>(
        "cpus",
        &[
            ("4 CPUs", Some("4")),
            ("1,5", Some("1.5")),
            (".5", Some("0.5")),
            ("50%", Some("500m")),
            ("", None),
            ("-1", None),
            ("1.5m", None),
            ("four", None),
            ("18446744073709551615", None),
        ],
    );
}

#[test]
fn bad_task_counts_are_refused_with_a_guess() {
    check::<TaskCount>(
        "tasks",
        &[
            ("2 .. 8", Some("2..8")),
            ("2-8", Some("2..8")),
            ("2:8", Some("2..8")),
            ("2..=8", Some("2..8")),
            ("8..2", Some("2..8")),
            ("", None),
            ("-1", None),
            ("..8", None),
            ("4294967296", None),
        ],
    );
}

#[test]
fn bad_gpu_requests_are_refused_with_a_guess() {
    check::<GpuRequest>(
        "gpus",
        &[
            ("H100 x 8", Some("H100x8")),
            ("8 x H100", Some("H100x8")),
            ("8xH100", Some("H100x8")),
            ("8:H100", Some("H100x8")),
            ("8 H100", Some("H100x8")),
            ("H100*8", Some("H100x8")),
            ("H100,A100x8", Some("H100|A100x8")),
            ("0,5", Some("0.5")),
            ("20G", Some("20GiB")),
            ("", None),
            ("|", None),
            ("H100|", None),
            ("1..8", None),
            ("1.5", None),
            ("0..0.5", None),
            ("0.5..0.25", None),
            ("-1", None),
            ("99999999999", None),
        ],
    );
}
