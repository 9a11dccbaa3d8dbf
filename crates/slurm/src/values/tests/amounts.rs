//! Time, memory, counts, GPUs.

use muster_model::{Mib, Millis};

use super::{refused, written};
use crate::values::{Gpus, Gres, Memory, NodeCount, TimeLimit, TresPerTask, array, count};

#[test]
fn time_limits_are_read_in_every_form_and_rounded_up_to_minutes() {
    written::<TimeLimit>(&[
        ("5", "00:05:00"),
        ("5:30", "00:06:00"),
        ("0:01", "00:01:00"),
        ("90:90", "01:32:00"),
        ("1:2:3", "01:03:00"),
        ("24:00:00", "1-00:00:00"),
        ("1-2", "1-02:00:00"),
        ("1-", "1-00:00:00"),
        ("1-2:3", "1-02:03:00"),
        ("1-2:3:4", "1-02:04:00"),
        ("7-00:00:00", "7-00:00:00"),
        ("UNLIMITED", "UNLIMITED"),
        ("infinite", "UNLIMITED"),
        ("0", "UNLIMITED"),
        ("-1", "UNLIMITED"),
    ]);
    assert_eq!(TimeLimit::Minutes(90).millis(), Some(Millis::minutes(90)));
    assert_eq!(TimeLimit::Unlimited.millis(), None);
}

#[test]
fn other_time_limits_are_refused() {
    refused::<TimeLimit>(
        "expected minutes, MM:SS, HH:MM:SS",
        &[
            "",
            "abc",
            "1:2:3:4",
            "1-2:3:4:5",
            "5.5",
            " 5",
            "1h",
            "30s",
            "-2",
            "--",
            ":",
            "1:",
            "+5",
            "4294967295",
            "99999999999999999999",
            "18446744073709551615-00",
        ],
    );
}

#[test]
fn a_span_with_units_is_translated() {
    for (text, meant) in [("1h30m", "01:30:00"), ("2d", "2-00:00:00"), ("30s", "00:00:30")] {
        let refused = text.parse::<TimeLimit>().expect_err(text);
        assert_eq!(refused.meant.as_deref(), Some(meant));
    }
}

#[test]
fn memory_is_in_megabytes_unless_it_says_otherwise() {
    written::<Memory>(&[
        ("10", "10M"),
        ("10K", "1M"),
        ("1025K", "2M"),
        ("10M", "10M"),
        ("10Mb", "10M"),
        ("10G", "10G"),
        ("10GB", "10G"),
        ("10gb", "10G"),
        ("2048G", "2T"),
        ("1T", "1T"),
        ("0", "0"),
        ("0G", "0"),
    ]);
    assert_eq!("1G".parse::<Memory>(), Ok(Memory::Mib(Mib(1024))));
    refused::<Memory>(
        "expected a whole number with K, M, G or T",
        &["", "abc", "10GiB", "1.5G", "1P", "-1", "10B", " 1G", "99999999999T"],
    );
    let refused = "1.5GiB".parse::<Memory>().expect_err("no such form");
    assert_eq!(refused.meant.as_deref(), Some("1536M"));
}

#[test]
fn nodes_are_a_number_or_a_range() {
    written::<NodeCount>(&[
        ("2", "2"),
        ("2-4", "2-4"),
        ("4-4", "4"),
        ("1k", "1024"),
        ("1-2K", "1-2048"),
    ]);
    refused::<NodeCount>(
        "expected a number of nodes or a range",
        &["", "0", "2-", "-2", "4-2", "2,4", "1-10:2", "abc", "=2", "1.5", "99999999999"],
    );
}

#[test]
fn counts_are_one_or_more() {
    assert_eq!(count("ntasks", "4"), Ok(4));
    for text in ["0", "1k", "4x", "-1", "+1", "", "99999999999"] {
        let refused = count("ntasks", text).expect_err(text).to_string();
        assert!(refused.starts_with("ntasks: "), "{refused}");
    }
}

#[test]
fn gpus_have_a_number_and_maybe_a_type() {
    written::<Gpus>(&[
        ("8", "8"),
        ("h100:8", "h100:8"),
        ("h100", "h100:1"),
        ("a100:2,h100:1", "a100:2,h100:1"),
        ("a100:2,a100:1", "a100:3"),
        ("1g.10gb:2", "1g.10gb:2"),
        ("0", "0"),
        ("1k", "1024"),
    ]);
    refused::<Gpus>(
        "expected a number of GPUs",
        &["", "h100:", ":2", "1.5", "gpu:2", "h100:x", "8,h100:1", "h100:1:2", "-1", "9999999999"],
    );
    assert_eq!(
        "gpu:h100:2".parse::<Gpus>().expect_err("too long").meant.as_deref(),
        Some("h100:2")
    );
    assert_eq!("a100:2,h100:1".parse::<Gpus>().map(|gpus| gpus.total()), Ok(3));
}

#[test]
fn generic_resources_are_gpus_and_others() {
    for (text, gpus, others) in [
        ("gpu:2", "2", 0),
        ("gpu", "1", 0),
        ("gpu:h100:4", "h100:4", 0),
        ("gpu:h100", "h100:1", 0),
        ("gres:gpu:2", "2", 0),
        ("gpu:a100:2,gpu:h100:1", "a100:2,h100:1", 0),
        ("gpu:0", "0", 0),
        ("none", "0", 0),
        ("gpu:1,nvme:2", "1", 1),
        ("shard:10", "0", 1),
    ] {
        let gres = text.parse::<Gres>().expect(text);
        assert_eq!((gres.gpus.to_string().as_str(), gres.others.len()), (gpus, others), "{text}");
    }
    refused::<Gres>(
        "expected resources such as `gpu:2`",
        &["", "gpu:2:1", "gpu:h100:1:2", "gpu:-1", "gpu:", "gpu:2,gpu:h100:1", "gpu:1,,", "2"],
    );
}

#[test]
fn what_a_task_needs_may_stand_in_one_list() {
    written::<TresPerTask>(&[
        ("cpu=4,gres/gpu=2", "cpu=4,gres/gpu=2"),
        ("gres/gpu:h100=2", "gres/gpu:h100=2"),
        ("gres:gpu:2", "gres/gpu=2"),
        ("cpu:3", "cpu=3"),
    ]);
    refused::<TresPerTask>("`cpu=N`", &["", "mem=1G", "gres/shard=1", "gpu=2"]);
    refused::<TresPerTask>("expected a whole number", &["cpu=0", "cpu=x"]);
}

#[test]
fn arrays_have_ranges_steps_lists_and_a_throttle() {
    for (text, expected) in [
        ("0-15:4,20%2", "0,4,8,12,20%2"),
        ("0-15:4%2,20", "0,4,8,12,20%2"),
        ("1-3,2", "1-3"),
        ("1,1", "1"),
        ("[0-3]", "0-3"),
        ("[0-3%2]", "0-3%2"),
        ("0-3%0", "0-3"),
        ("0-4:9", "0"),
        ("7", "7"),
    ] {
        let array = array::read(text).expect(text);
        assert_eq!(array::written(&array), expected, "{text}");
        assert_eq!(array::read(expected), Ok(array), "{text}");
    }
}

#[test]
fn other_arrays_are_refused() {
    for text in ["", "a", "5-1", "1-5:0", "0-4%", "0-4%2x", "-1", "1--3", "0-9999999", "1,,2", "%2"]
    {
        let refused = array::read(text).expect_err(text).to_string();
        assert!(refused.contains("expected indexes and ranges"), "{refused}");
    }
    let refused = array::read("0-100000").expect_err("one too many").to_string();
    assert!(refused.ends_with("expected at most 100000 elements"), "{refused}");
}
