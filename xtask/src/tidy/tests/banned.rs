//! Banned names: what a pure crate may and may not say, and where.

use super::{found, passes};
use crate::tidy::banned::check;

/// What is wrong with one source file of the engine.
fn engine(text: &str) -> Vec<String> {
    found(check, &[("crates/engine/src/lib.rs", text)])
}

#[test]
fn ordinary_code_comments_strings_and_tests_pass() {
    let text = "//! Never calls SystemTime or println!, has no 0.5 and no f64.\n\
                use std::collections::{BTreeMap, hash_map::Entry};\n\
                use rustc_hash::FxHashMap;\n\
                fn brand::strand() -> &str { \"std::fs 1.5\" }\n\
                fn pair(x: ((u8, u8), u8)) -> u8 { x.0.1 + blog::post(1..2) }\n\
                use crate::catalog::log::entry;\n\
                #[cfg(test)]\n\
                mod tests {\n\
                    fn f() { println!(\"{}\", 0.5_f64); std::fs::read(\"x\"); }\n\
                }\n";
    passes(
        check,
        &[
            ("crates/engine/src/lib.rs", text),
            ("crates/engine/src/tests.rs", "use std::fs;\n"),
            ("crates/engine/tests/big.rs", "use std::env;\n"),
            (
                "crates/muster/src/main.rs",
                "use std::collections::HashMap;\nfn f() -> f64 { 0.5 }\n",
            ),
            ("crates/model/src/lib.rs", "fn f() -> f64 { 0.5 }\n"),
        ],
    );
}

#[test]
fn every_kind_of_reach_into_the_world_fails() {
    for (code, name) in [
        ("let t = SystemTime::UNIX_EPOCH;", "SystemTime"),
        ("let t = Instant::now();", "Instant::now"),
        ("let t: std::time::Instant;", "std::time::Instant"),
        ("std::thread::spawn(f);", "std::thread"),
        ("std::fs::read(path);", "std::fs"),
        ("::std::fs::read(path);", "std::fs"),
        ("let s: std::net::TcpStream;", "std::net"),
        ("std::env::var(x);", "std::env"),
        ("std::process::exit(1);", "std::process"),
        ("println!();", "println!"),
        ("eprintln!();", "eprintln!"),
        ("print!(x);", "print!"),
        ("let x = rand::random();", "rand::"),
        ("tracing::info_span!(x);", "tracing::"),
        ("log::logger();", "log::"),
        ("warn!(x);", "warn!"),
        ("use std::collections::HashMap;", "std::collections::HashMap"),
        ("let s = std::collections::HashSet::new();", "std::collections::HashSet"),
    ] {
        for folder in ["model", "engine", "predict", "checker"] {
            let path = format!("crates/{folder}/src/a/b.rs");
            let want = format!("{path}:2: `{name}` in a pure crate");
            assert_eq!(found(check, &[(&path, &format!("//! A.\n{code}\n"))]), [want]);
        }
    }
}

#[test]
fn grouped_renamed_and_starred_imports_do_not_hide_a_name() {
    let text = "use std::{\n    collections::{BTreeMap, HashMap as Map},\n    fs,\n};\n";
    assert_eq!(
        engine(text),
        [
            "crates/engine/src/lib.rs:2: `std::collections::HashMap` in a pure crate",
            "crates/engine/src/lib.rs:3: `std::fs` in a pure crate",
        ]
    );
    assert_eq!(
        engine("use std::collections::*;\n"),
        ["crates/engine/src/lib.rs:1: `std::collections::*` in a pure crate"]
    );
}

#[test]
fn a_test_module_in_its_own_file_is_a_test_only_where_it_is_declared_one() {
    let helper = ("crates/engine/src/place/worlds.rs", "use std::fs;\n");
    passes(check, &[("crates/engine/src/place.rs", "#[cfg(test)]\nmod worlds;\n"), helper]);
    let problems = found(check, &[("crates/engine/src/place.rs", "mod worlds;\n"), helper]);
    assert_eq!(problems, ["crates/engine/src/place/worlds.rs:1: `std::fs` in a pure crate"]);
}

#[test]
fn code_that_is_left_out_of_tests_is_not_a_test() {
    let problems = engine("#[cfg(not(test))]\nmod real {\n    use std::fs;\n}\n");
    assert_eq!(problems, ["crates/engine/src/lib.rs:3: `std::fs` in a pure crate"]);
}

#[test]
fn floats_in_the_engine_fail_unless_the_file_says_why() {
    for code in ["fn f(x: f64) {}", "let x = 1_f32;", "let x = 0.5;"] {
        let want = ["crates/engine/src/lib.rs:2: a float in the engine"];
        assert_eq!(engine(&format!("//! A.\n{code}\n")), want, "{code}");
        let excused = format!("//! A.\n// tidy: floats because of a printed average\n{code}\n");
        assert_eq!(engine(&excused), Vec::<String>::new(), "{code}");
        let silent = format!("//! A.\n// tidy: floats because\n{code}\n");
        assert_eq!(engine(&silent).len(), 1, "{code}");
    }
}
