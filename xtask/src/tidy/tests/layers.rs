//! Layers: which manifests pass and which do not.

use super::{found, passes};
use crate::tidy::layers::check;

fn manifest(package: &str, sections: &str) -> String {
    format!("[package]\nname = \"{package}\"\n\n{sections}")
}

/// What is wrong with one crate whose manifest has these sections.
fn with(folder: &str, package: &str, sections: &str) -> Vec<String> {
    found(check, &[(&format!("crates/{folder}/Cargo.toml"), &manifest(package, sections))])
}

#[test]
fn arrows_that_point_down_pass() {
    let checker = "[dependencies]\nmuster-engine.workspace = true\nserde.workspace = true\n";
    let engine = "[dependencies]\nmuster-model.workspace = true\n\n\
                  [dev-dependencies]\nmuster-checker.workspace = true\nproptest.workspace = true\n";
    let binary = "[dependencies]\nmuster-checker.workspace = true\nclap.workspace = true\n";
    passes(
        check,
        &[
            ("Cargo.toml", "[workspace]\nmembers = [\"crates/*\"]\n"),
            ("crates/model/Cargo.toml", &manifest("muster-model", "")),
            ("crates/engine/Cargo.toml", &manifest("muster-engine", engine)),
            ("crates/checker/Cargo.toml", &manifest("muster-checker", checker)),
            ("crates/muster/Cargo.toml", &manifest("muster", binary)),
        ],
    );
}

#[test]
fn an_arrow_that_points_up_fails_at_its_line() {
    let sections = "[dependencies]\nserde = \"1\"\nmuster-engine.workspace = true\n";
    assert_eq!(
        with("model", "muster-model", sections),
        ["crates/model/Cargo.toml:6: layer 0 `model` depends on layer 1 `engine`"]
    );
}

#[test]
fn an_arrow_within_a_layer_fails() {
    let sections = "[dependencies.muster-predict]\npath = \"../predict\"\n";
    assert_eq!(
        with("engine", "muster-engine", sections),
        ["crates/engine/Cargo.toml:4: layer 1 `engine` depends on layer 1 `predict`"]
    );
}

#[test]
fn only_the_engines_tests_may_look_up_and_only_at_the_checker() {
    let sections = "[dev-dependencies]\nmuster-sim.workspace = true\n";
    assert_eq!(
        with("engine", "muster-engine", sections),
        ["crates/engine/Cargo.toml:5: layer 1 `engine` depends on layer 3 `sim`"]
    );
    let sections = "[dev-dependencies]\nmuster-checker.workspace = true\n";
    assert_eq!(
        with("model", "muster-model", sections),
        ["crates/model/Cargo.toml:5: layer 0 `model` depends on layer 2 `checker`"]
    );
    let sections = "[dependencies]\nmuster-checker.workspace = true\n";
    assert_eq!(
        with("engine", "muster-engine", sections),
        ["crates/engine/Cargo.toml:5: layer 1 `engine` depends on layer 2 `checker`"]
    );
}

#[test]
fn a_pure_crate_with_a_dependency_off_the_list_fails_even_for_one_platform_or_renamed() {
    assert_eq!(
        with("engine", "muster-engine", "[dependencies]\ntracing = \"0.1\"\n"),
        ["crates/engine/Cargo.toml:5: pure crate `engine` depends on `tracing`"]
    );
    assert_eq!(
        with("model", "muster-model", "[target.'cfg(unix)'.dependencies]\nrustix = \"1\"\n"),
        ["crates/model/Cargo.toml:5: pure crate `model` depends on `rustix`"]
    );
    let renamed = "[dependencies]\nserde = { package = \"rand\", version = \"1\" }\n";
    assert_eq!(
        with("checker", "muster-checker", renamed),
        ["crates/checker/Cargo.toml:5: pure crate `checker` depends on `rand`"]
    );
}

#[test]
fn the_words_may_be_described_but_only_as_an_option() {
    let option = "[dependencies]\nutoipa = { workspace = true, optional = true }\n";
    assert_eq!(with("model", "muster-model", option), [""; 0]);
    assert_eq!(
        with("model", "muster-model", "[dependencies]\nutoipa = { workspace = true }\n"),
        ["crates/model/Cargo.toml:5: pure crate `model` depends on `utoipa`"]
    );
    assert_eq!(
        with("engine", "muster-engine", option),
        ["crates/engine/Cargo.toml:5: pure crate `engine` depends on `utoipa`"]
    );
}

#[test]
fn a_crate_that_is_not_in_the_table_fails_and_is_told_where_to_add_it() {
    let problems = with("weather", "muster-weather", "");
    assert_eq!(problems, ["crates/weather/Cargo.toml:1: crate `weather` has no layer"]);
    let sections = "[dependencies]\nmuster-weather.workspace = true\n";
    assert_eq!(
        with("server", "muster-server", sections),
        ["crates/server/Cargo.toml:5: `muster-weather` has no layer"]
    );
}

#[test]
fn a_package_that_is_not_named_for_its_folder_fails() {
    assert_eq!(
        with("model", "muster-words", ""),
        ["crates/model/Cargo.toml:1: the package in crates/model is not named `muster-model`"]
    );
}

#[test]
fn a_manifest_that_is_not_toml_fails() {
    let problems = found(check, &[("crates/model/Cargo.toml", "[package\n")]);
    assert_eq!(problems.len(), 1);
    assert!(problems[0].contains("is not TOML"), "{problems:?}");
}
