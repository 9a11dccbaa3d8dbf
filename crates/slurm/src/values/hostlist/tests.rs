//! Lists of nodes. The answers are those of `scontrol show hostnames` and `show hostlist`.

use proptest::prelude::*;

use super::{HOSTS_MAX, Hostlist};

fn expanded(text: &str) -> Vec<String> {
    text.parse::<Hostlist>().expect("a good list").hosts().to_vec()
}

fn compressed(text: &str) -> String {
    text.parse::<Hostlist>().expect("a good list").to_string()
}

#[test]
fn ranges_become_names_in_order() {
    for (text, names) in [
        ("node[001-003,7]", "node001 node002 node003 node7"),
        ("gpu-a[1-2]b[0-1]", "gpu-a1b0 gpu-a1b1 gpu-a2b0 gpu-a2b1"),
        ("a[08-10]", "a08 a09 a10"),
        ("a[9-11]", "a9 a10 a11"),
        ("a[001-3]", "a001 a002 a003"),
        ("a[1-2][3-4]", "a13 a14 a23 a24"),
        ("a,,b", "a b"),
        (" a, b", "a b"),
        ("a[1,1]", "a1 a1"),
        ("n3,n1,login.site", "n3 n1 login.site"),
        ("", ""),
    ] {
        let names: Vec<&str> = names.split_whitespace().collect();
        assert_eq!(expanded(text), names, "{text}");
    }
}

#[test]
fn names_become_ranges_without_changing_their_order() {
    for (text, list) in [
        ("n3,n1,n2,n4,n5,a01,a02,a3,n3", "n[3,1-2,4-5],a[01-02,3],n3"),
        ("n08,n09,n10", "n[08-10]"),
        ("n8,n9,n10", "n[8-10]"),
        ("n1,m1,n2", "n1,m1,n2"),
        ("a1b1,a1b2,a2b1", "a1b[1-2],a2b1"),
        ("a,b", "a,b"),
        ("a01,a1,a2", "a[01,1-2]"),
        ("n3,n2,n1", "n[3,2,1]"),
        ("n1,n1", "n[1,1]"),
        ("x[1-3],x[4-6]", "x[1-6]"),
        ("n9,n010", "n[9,010]"),
        ("n099,n100", "n[099-100]"),
        ("a1b,a2b", "a1b,a2b"),
        ("a,a1", "a,a1"),
        ("1,2,3", "[1-3]"),
        ("n[0-1]x[0-1]", "n0x[0-1],n1x[0-1]"),
        ("n18446744073709551615,n1", "n[18446744073709551615,1]"),
    ] {
        assert_eq!(compressed(text), list, "{text}");
    }
}

#[test]
fn malformed_and_endless_lists_are_refused_with_the_form() {
    for text in [
        "a[1-3",
        "a[3-1]",
        "a]",
        "a[]",
        "a[x]",
        "a[1-x]",
        "a[[1]]",
        "a[1-2-3]",
        "a b",
        "a[1-70000]",
        "a[1-400][1-400]",
        "a[1-65536],b",
        "a[0-18446744073709551615]",
        "a[-1]",
        "a[1][1][1][1][1][1][1][1][1]",
    ] {
        let refused = text.parse::<Hostlist>().expect_err(text).to_string();
        assert!(refused.contains("expected names with ranges in brackets"), "{refused}");
    }
    assert_eq!(expanded("a[1-65536]").len(), HOSTS_MAX);
}

proptest! {
    #[test]
    fn compressing_and_expanding_gives_the_same_nodes(
        hosts in prop::collection::vec("(n|gpu-|a1b|[a-z]{1,3}[.-]?)([0-9]{0,4})", 0..40)
            .prop_filter("names are not empty", |hosts| hosts.iter().all(|host| !host.is_empty()))
    ) {
        let list = Hostlist::new(hosts.clone());
        let text = list.to_string();
        prop_assert_eq!(expanded(&text), hosts, "{}", text);
    }

    #[test]
    fn any_text_is_expanded_or_refused(text in "[an0-9,\\[\\] -]{0,24}|.{0,24}") {
        if let Ok(list) = text.parse::<Hostlist>() {
            prop_assert!(list.len() <= HOSTS_MAX);
            prop_assert_eq!(list.to_string().parse::<Hostlist>(), Ok(list));
        }
    }
}
